/* top: what each function took by itself, and with all that it called. */
#include "cli/output.h"
#include "cli/stacks.h"
#include "stacks/measure.h"

typedef struct
{
  WpCliStacksOptions stacks;
  char *output;
} Options;

typedef struct
{
  const WpCliStacks *profile;
  const WpGraph *graph;
  const WpTrimmed *trimmed;
  GString *out;
} Table;

static void
put_heading (const Table *self, const Options *options)
{
  g_autofree char *shown = wp_measure_text (self->trimmed->shown, self->profile->unit, self->trimmed->unit);
  g_autofree char *total = wp_measure_text (self->graph->total, self->profile->unit, self->trimmed->unit);
  char share[WP_FORMAT_MAX];

  wp_measure_share (self->trimmed->shown, self->graph->total, share);
  wp_cli_stacks_put_type (self->profile, &options->stacks, self->out);
  g_string_append_printf (self->out, "Showing nodes accounting for %s, %s of %s total\n", shown,
                          g_strchug (share), total);
  if (self->trimmed->dropped > 0)
    {
      g_autofree char *cutoff = wp_measure_text (self->trimmed->cutoff, self->profile->unit, self->trimmed->unit);

      g_string_append_printf (self->out, "Dropped %u node%s (cum <= %s)\n", self->trimmed->dropped, self->trimmed->dropped == 1 ? "" : "s",
                              cutoff);
    }
  if (self->trimmed->nodes.len < self->trimmed->before_most)
    g_string_append_printf (self->out, "Showing top %u nodes out of %u\n", self->trimmed->nodes.len, self->trimmed->before_most);
  g_string_append (self->out, "      flat  flat%   sum%        cum   cum%\n");
}

/* Whether a node was inlined in all, some or none of its calls. */
static guint8 *
find_inlined (const WpGraph *graph)
{
  guint8 *found = g_new0 (guint8, MAX (graph->nodes.len, 1));

  for (guint32 i = 0; i < graph->edges.len; i++)
    found[graph->edges.data[i].callee] |= graph->edges.data[i].inlined ? 1 : 2;
  return found;
}

static void
put_rows (const Table *self)
{
  static const char *const inlined[] = { "", " (inline)", "", " (partial-inline)" };
  g_autofree guint8 *is_inlined = find_inlined (self->graph);
  gint64 sum = 0;

  for (guint32 i = 0; i < self->trimmed->nodes.len; i++)
    {
      guint32 n = self->trimmed->nodes.data[i];
      const WpGraphNode *node = &self->graph->nodes.data[n];
      gint64 flat = wp_graph_value (node->flat), cum = wp_graph_value (node->cum), total = self->graph->total;
      g_autofree char *flat_text = wp_measure_text (flat, self->profile->unit, self->trimmed->unit);
      g_autofree char *cum_text = wp_measure_text (cum, self->profile->unit, self->trimmed->unit);
      char shares[3][WP_FORMAT_MAX];

      sum = wp_sum (sum, flat);
      g_string_append_printf (self->out, "%10s %s %s %10s %s  %s%s\n", flat_text, wp_measure_share (flat, total, shares[0]),
                              wp_measure_share (sum, total, shares[1]), cum_text, wp_measure_share (cum, total, shares[2]), node->frame->name,
                              inlined[is_inlined[n]]);
    }
}

static int
run (gpointer data, int n, char **operands)
{
  Options *options = data;
  g_auto (WpCliStacks) profile = { 0 };
  g_auto (WpTrimmed) trimmed = { 0 };
  g_autoptr (WpGraph) graph = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  Table table = { &profile, NULL, &trimmed, out };
  int status = wp_cli_stacks_open (&profile, &options->stacks, operands, (guint) n);

  if (status == 0)
    status = wp_cli_stacks_graph (&profile, &options->stacks, &graph, &trimmed);
  if (status != 0)
    return status;
  table.graph = graph;
  put_heading (&table, options);
  put_rows (&table);
  return wp_cli_put (out, options->output);
}

static const WpOption rows[] = {
  WP_OPTIONS_STACKS (Options, stacks),
  WP_OPTIONS_STACKS_BASE (Options, stacks),
  WP_OPTIONS_STACKS_FRAMES (Options, stacks),
  WP_OPTIONS_STACKS_VALUES (Options, stacks),
  { "cum", 0, G_OPTION_ARG_NONE, offsetof (Options, stacks.cum), NULL, "Sort by what each took with all that it called" },
  { "node-fraction", 0, G_OPTION_ARG_STRING, offsetof (Options, stacks.node_fraction), "NUMBER", "Leave out what is less than this part of the whole" },
  { "drop-negative", 0, G_OPTION_ARG_NONE, offsetof (Options, stacks.drop_negative), NULL, "Leave out what became less" },
  { "most", 'n', G_OPTION_ARG_INT, offsetof (Options, stacks.most), "N", "At most so many rows" },
  WP_OPTION_OUTPUT (Options, output),
  WP_OPTION_END,
};

const WpCommand wp_cmd_top = {
  .name = "top",
  .group = WP_GROUP_PROFILES,
  .operands = "FILE…",
  .summary = "What each function took, by itself and with all that it called",
  .description = "Of stacks with values: profiles of pprof and speedscope, folded stacks, Chrome's trace events; several files are merged. Steps that filter are done in the order in which they are listed here.",
  .options = rows,
  .size = sizeof (Options),
  .least = 1,
  .most = WP_ANY_NUMBER,
  .run = run,
};
