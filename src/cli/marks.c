/* marks: what programs said that they were doing, a row a line. */
#include "base/quote.h"
#include "cli/tables.h"

static void
mark_tsv (GString *out, const WpTrace *trace, WpId id)
{
  const WpMarkSpan *mark = &trace->marks.data[id - 1];

  g_string_append_printf (out, "%d\t%d\t%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT "\t", mark->pid, mark->tid,
                          mark->start, mark->end);
  wp_quote_tsv (out, wp_trace_string (trace, mark->name));
  g_string_append_c (out, '\n');
}

static void
mark_json (WpJsonWriter *json, const WpTrace *trace, WpId id)
{
  const WpMarkSpan *mark = &trace->marks.data[id - 1];

  wp_json_writer_object (json, NULL, WP_JSON_TIGHT);
  wp_json_writer_int (json, "pid", mark->pid);
  wp_json_writer_int (json, "tid", mark->tid);
  wp_json_writer_int (json, "start_ns", mark->start);
  wp_json_writer_int (json, "end_ns", mark->end);
  wp_json_writer_string (json, "name", wp_trace_string (trace, mark->name));
  wp_json_writer_end (json);
}

static guint32
count (const WpTrace *trace)
{
  return trace->marks.len + 1;
}

static int
run (gpointer options, int n G_GNUC_UNUSED, char **operands)
{
  static const WpCliTable table = {
    .header = "pid\ttid\tstart_ns\tend_ns\tname\n",
    .tsv = mark_tsv,
    .json = mark_json,
    .count = count,
    .symbols = FALSE,
  };

  return wp_cli_print_table (&table, options, operands[0]);
}

const WpCommand wp_cmd_marks = {
  .name = "marks",
  .group = WP_GROUP_RECORDINGS,
  .operands = "FILE",
  .summary = "What programs said that they were doing, a line each",
  .description = "A program says it in a file of its own, in the form that samply reads: it opens _marker-PID.txt_, or "
                 "_marker-PID-TID.txt_ of one thread, maps it to be executed, so that the recording tells where it is, and writes a line "
                 "“START END NAME” for each mark, both times in nanoseconds of CLOCK_MONOTONIC. *wakepath-marks.h*, which is installed "
                 "with this program, does so in C.\n\n"
                 "When recording ends, those files are read that belong to who records and are not larger than 16 MiB; *info* tells "
                 "which were not. Samples within a mark have the label _mark_: *--tagfocus mark=NAME* finds them, and "
                 "*--tagroot process,mark* makes frames of marks. A tid of 0 is all threads of the process.",
  .options = wp_cli_table_rows,
  .size = sizeof (WpCliTableOptions),
  .least = 1,
  .most = 1,
  .run = run,
};
