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
link_json (GString *out, const WpTrace *trace, WpId id)
{
  const WpLink *link = &trace->links.data[id];

  g_string_append_printf (out,
                          "{\"id\": %u, \"kind\": \"%s\", \"source\": %u, \"target\": %u, \"start_ns\": %" G_GINT64_FORMAT
                          ", \"out_ns\": %" G_GINT64_FORMAT ", \"end_ns\": %" G_GINT64_FORMAT "}\n",
                          id, wp_cause_id (link->cause), link->source, link->target, link->start,
                          wp_trace_link_out (trace, id), wp_trace_link_end (trace, id));
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
