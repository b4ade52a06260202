/* links: what caused what to start, a row a line. */
#include "cli/tables.h"

static void
link_tsv (GString *out, const WpTrace *trace, WpId id)
{
  const WpLink *link = &trace->links.data[id];

  g_string_append_printf (out,
                          "%u\t%s\t%u\t%u\t%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT "\n", id,
                          wp_cause_id (link->cause), link->source, link->target, link->start,
                          wp_trace_link_out (trace, id), wp_trace_link_end (trace, id));
}

static void
link_json (WpJsonWriter *json, const WpTrace *trace, WpId id)
{
  const WpLink *link = &trace->links.data[id];

  wp_json_writer_object (json, NULL, WP_JSON_TIGHT);
  wp_json_writer_uint (json, "id", id);
  wp_json_writer_string (json, "kind", wp_cause_id (link->cause));
  wp_json_writer_uint (json, "source", link->source);
  wp_json_writer_uint (json, "target", link->target);
  wp_json_writer_int (json, "start_ns", link->start);
  wp_json_writer_int (json, "out_ns", wp_trace_link_out (trace, id));
  wp_json_writer_int (json, "end_ns", wp_trace_link_end (trace, id));
  wp_json_writer_end (json);
}

static guint32
count (const WpTrace *trace)
{
  return trace->links.len;
}

static int
run (gpointer options, int n G_GNUC_UNUSED, char **operands)
{
  static const WpCliTable table = {
    .header = "id\tkind\tsource\ttarget\tstart_ns\tout_ns\tend_ns\n",
    .tsv = link_tsv,
    .json = link_json,
    .count = count,
    .symbols = FALSE,
  };

  return wp_cli_print_table (&table, options, operands[0]);
}

const WpCommand wp_cmd_links = {
  .name = "links",
  .group = WP_GROUP_RECORDINGS,
  .operands = "FILE",
  .summary = "What caused what to start, a line each",
  .options = wp_cli_table_rows,
  .size = sizeof (WpCliTableOptions),
  .least = 1,
  .most = 1,
  .run = run,
};
