/* tasks: the tasks of a recording with their times. */
#include "base/format.h"
#include "base/json-writer.h"
#include "base/quote.h"
#include "base/sort.h"
#include "cli/open.h"
#include "cli/output.h"
#include "profile/model/report.h"

typedef struct
{
  WpId task;
  gint64 run, sleep, first, last;
  guint32 runs;
  WpStackCount stacks; /* of its process */
} Row;

static Row
measure (const WpTrace *trace, WpId id, const WpStackCountArray *stacks)
{
  const WpTask *task = &trace->tasks.data[id];
  Row row = { .task = id, .first = trace->ops.data[task->first_op].start,
              .stacks = stacks->data[task->leader] };

  for (WpId o = task->first_op; o < task->first_op + task->n_ops; o++)
    {
      const WpOp *op = &trace->ops.data[o];

      *(op->kind == WP_OP_RUN ? &row.run : &row.sleep) += op->end - op->start;
      row.runs += op->kind == WP_OP_RUN;
      row.last = MAX (row.last, op->end);
    }
  return row;
}

static int
compare (const void *a, const void *b)
{
  const Row *x = a, *y = b;

  return x->run != y->run ? (x->run < y->run ? 1 : -1) : (x->task > y->task) - (x->task < y->task);
}

/* "2 % of 140 stacks whole": of its process, whose others stop short of main() or where a thread begins. */
static const char *
whole_stacks (const WpStackCount *count, char text[80])
{
  if (count->stacks == 0)
    text[0] = '\0';
  else
    g_snprintf (text, 80, "%3.0f %% of %u stacks whole", 100.0 * count->whole / count->stacks, count->stacks);
  return text;
}

static void
append_text (GString *out, const WpTrace *trace, const Row *row)
{
  char run[WP_FORMAT_MAX], sleep[WP_FORMAT_MAX], whole[80];
  gsize before = out->len;

  wp_quote_tsv (out, wp_trace_task_name (trace, row->task));
  g_string_append_printf (out, "%*s %8d %12s running %12s asleep %8u runs  %s\n",
                          (int) MAX (16 - (gssize) (out->len - before), 0), "", trace->tasks.data[row->task].tid,
                          wp_format_ns (row->run, run), wp_format_ns (row->sleep, sleep), row->runs, whole_stacks (&row->stacks, whole));
}

static void
append_tsv (GString *out, const WpTrace *trace, const Row *row)
{
  const WpTask *task = &trace->tasks.data[row->task];

  wp_quote_tsv (out, wp_trace_task_name (trace, row->task));
  g_string_append_printf (out,
                          "\t%d\t%d\t%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT "\t%u\t%" G_GINT64_FORMAT
                          "\t%" G_GINT64_FORMAT "\t%u\t%u\n",
                          task->tid, task->pid, row->run, row->sleep, row->runs, row->first, row->last,
                          row->stacks.stacks, row->stacks.whole);
}

static void
write_row (WpJsonWriter *json, const WpTrace *trace, const Row *row)
{
  const WpTask *task = &trace->tasks.data[row->task];

  wp_json_writer_line (json);
  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_string (json, "name", wp_trace_task_name (trace, row->task));
  wp_json_writer_int (json, "tid", task->tid);
  wp_json_writer_int (json, "pid", task->pid);
  if (wp_trace_arguments (trace, row->task) != NULL)
    wp_json_writer_string (json, "arguments", wp_trace_arguments (trace, row->task));
  wp_json_writer_int (json, "run_ns", row->run);
  wp_json_writer_int (json, "sleep_ns", row->sleep);
  wp_json_writer_uint (json, "runs", row->runs);
  wp_json_writer_int (json, "first_ns", row->first);
  wp_json_writer_int (json, "last_ns", row->last);
  wp_json_writer_uint (json, "process_stacks", row->stacks.stacks);
  wp_json_writer_uint (json, "process_stacks_whole", row->stacks.whole);
  wp_json_writer_end (json);
}

typedef WP_ARRAY (Row) RowArray;

static void
write_json (GString *out, const WpDocument *document, const RowArray *rows)
{
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (out);

  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_string (json, "file", document->path);
  wp_json_writer_array (json, "tasks", WP_JSON_SPACED);
  for (guint32 i = 0; i < rows->len; i++)
    write_row (json, document->trace, &rows->data[i]);
  wp_json_writer_line (json);
  wp_json_writer_end (json);
  wp_report_diagnostics (json, &document->trace->diagnostics);
  wp_json_writer_end (json);
}

void
wp_cli_tasks (GString *out, const WpDocument *document, const char *format)
{
  const WpTrace *trace = document->trace;
  RowArray rows = { 0 };
  WpStackCountArray stacks = { 0 };
  gboolean text = g_str_equal (format, "text");

  wp_count_process_stacks (trace, &stacks);
  for (WpId t = 1; t < trace->tasks.len; t++)
    if (trace->tasks.data[t].kind == WP_TASK_THREAD && trace->tasks.data[t].n_ops > 0)
      wp_array_push (&rows, measure (trace, t, &stacks));
  wp_array_sort (&rows, compare);
  if (g_str_equal (format, "json"))
    write_json (out, document, &rows);
  else
    {
      g_string_append (out, text ? "Name a task with --task to see what its time was spent on.\n\n"
                                 : "name\ttid\tpid\trun_ns\tsleep_ns\truns\tfirst_ns\tlast_ns\tprocess_stacks\tprocess_stacks_whole\n");
      for (guint32 i = 0; i < rows.len; i++)
        (text ? append_text : append_tsv) (out, trace, &rows.data[i]);
    }
  wp_array_clear (&rows);
  wp_array_clear (&stacks);
}

typedef struct
{
  char *idle_task, *format;
} Options;

static int
run (gpointer data, int n G_GNUC_UNUSED, char **operands)
{
  Options *options = data;
  g_auto (WpCliFile) file = { 0 };
  g_autoptr (GString) out = g_string_new (NULL);
  int status = wp_cli_open (&file, operands[0], options->idle_task, 0);

  if (status != 0)
    return status;
  wp_cli_default (&options->format, "tsv");
  wp_cli_tasks (out, file.document, options->format);
  wp_cli_flush (out);
  return 0;
}

static const WpOption rows[] = {
  WP_OPTION_IDLE_TASK (Options, idle_task),
  WP_OPTION_TEXT_FORMAT (Options, format, "tsv|json|text"),
  WP_OPTION_END,
};

const WpCommand wp_cmd_tasks = {
  .name = "tasks",
  .group = WP_GROUP_RECORDINGS,
  .operands = "FILE",
  .summary = "The tasks of a recording with their times, a line each",
  .options = rows,
  .size = sizeof (Options),
  .least = 1,
  .most = 1,
  .run = run,
};
