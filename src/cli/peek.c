/* peek: functions with those that call them and those that they call. */
#include "base/sort.h"
#include "cli/functions.h"
#include "cli/output.h"
#include "stacks/measure.h"
#include "stacks/pattern.h"

#define SEPARATOR "----------------------------------------------------------+-------------\n"

typedef struct
{
  WpCliStacksOptions stacks;
  char *function, *output;
} Options;

typedef struct
{
  const WpCliStacks *profile;
  WpGraph *graph;
  const WpTrimmed *trimmed;
  guint32 *calls;   /* edges, by the node at one end, largest first */
  guint32 *first;   /* node → its first one; one more at the end */
  guint32 *callers, *first_caller;
  GString *out;
} Peek;

typedef struct
{
  const WpGraph *graph;
  gboolean by_callee;
} EdgeOrder;

static guint32
end_of (const WpGraphEdge *edge, gboolean callee)
{
  return callee ? edge->callee : edge->caller;
}

static int
compare_edges (gconstpointer a, gconstpointer b, gpointer data)
{
  const EdgeOrder *order = data;
  const WpGraphEdge *x = &order->graph->edges.data[*(const guint32 *) a], *y = &order->graph->edges.data[*(const guint32 *) b];
  guint32 node_x = end_of (x, order->by_callee), node_y = end_of (y, order->by_callee);
  gint64 weight_x = wp_magnitude (x->weight.sum), weight_y = wp_magnitude (y->weight.sum);

  if (node_x != node_y)
    return WP_COMPARE (node_x, node_y);
  if (weight_x != weight_y)
    return WP_COMPARE (weight_y, weight_x);
  return strcmp (order->graph->nodes.data[end_of (x, !order->by_callee)].frame->name,
                 order->graph->nodes.data[end_of (y, !order->by_callee)].frame->name);
}

static guint32 *
sort_edges (const WpGraph *graph, gboolean by_callee, guint32 **first)
{
  EdgeOrder order = { graph, by_callee };
  guint32 *edges = g_new (guint32, graph->edges.len + 1);

  for (guint32 i = 0; i < graph->edges.len; i++)
    edges[i] = i;
  if (graph->edges.len > 1)
    g_qsort_with_data (edges, (int) graph->edges.len, sizeof *edges, compare_edges, &order);
  *first = g_new0 (guint32, graph->nodes.len + 1);
  for (guint32 i = 0; i < graph->edges.len; i++)
    (*first)[end_of (&graph->edges.data[i], by_callee) + 1]++;
  for (guint32 i = 0; i < graph->nodes.len; i++)
    (*first)[i + 1] += (*first)[i];
  return edges;
}

static void
put_calls (const Peek *self, guint32 node, gboolean callers)
{
  const guint32 *edges = callers ? self->callers : self->calls, *first = callers ? self->first_caller : self->first;
  gint64 cum = wp_graph_value (self->graph->nodes.data[node].cum);

  for (guint32 i = first[node]; i < first[node + 1]; i++)
    {
      const WpGraphEdge *edge = &self->graph->edges.data[edges[i]];
      gint64 weight = wp_graph_value (edge->weight);
      g_autofree char *text = wp_measure_text (weight, self->profile->unit, self->trimmed->unit);
      char share[WP_FORMAT_MAX];

      g_string_append_printf (self->out, "%50s %s |   %s%s\n", text, wp_measure_share (weight, cum, share),
                              self->graph->nodes.data[end_of (edge, !callers)].frame->name, edge->inlined ? " (inline)" : "");
    }
}

static void
put_node (const Peek *self, guint32 n, gint64 *sum)
{
  const WpCliFunctions functions = { self->profile, self->graph, self->trimmed, self->out };

  g_string_append (self->out, SEPARATOR);
  put_calls (self, n, TRUE);
  wp_cli_functions_put_numbers (&functions, n, sum);
  g_string_append_printf (self->out, "                | %s\n", self->graph->nodes.data[n].frame->name);
  put_calls (self, n, FALSE);
}

static int
put_matching (Peek *self, const Options *options)
{
  GError *error = NULL;
  g_autoptr (GRegex) pattern = options->function != NULL ? wp_pattern_new (options->function, &error) : NULL;
  gint64 sum = 0;
  guint n = 0;

  if (error != NULL)
    return wp_cli_fail (error);
  self->calls = sort_edges (self->graph, FALSE, &self->first);
  self->callers = sort_edges (self->graph, TRUE, &self->first_caller);
  g_string_append (self->out, SEPARATOR "      flat  flat%   sum%        cum   cum%   calls calls% + context\n");
  for (guint32 i = 0; i < self->trimmed->nodes.len; i++)
    {
      const char *name = self->graph->nodes.data[self->trimmed->nodes.data[i]].frame->name;

      if (pattern != NULL && !wp_pattern_matches (pattern, name, strlen (name)))
        continue;
      put_node (self, self->trimmed->nodes.data[i], &sum);
      n++;
    }
  if (pattern != NULL && n == 0)
    return wp_cli_fail (g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "no function matches “%s”; see them all with top", options->function));
  if (n > 0)
    g_string_append (self->out, SEPARATOR);
  return wp_cli_put (self->out, options->output);
}

static int
run (gpointer data, int n, char **operands)
{
  Options *options = data;
  g_auto (WpCliStacks) profile = { 0 };
  g_auto (WpTrimmed) trimmed = { 0 };
  g_autoptr (WpGraph) graph = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  Peek self = { .profile = &profile, .trimmed = &trimmed, .out = out };
  int status = wp_cli_stacks_open (&profile, &options->stacks, operands, (guint) n);

  wp_cli_default (&options->stacks.node_fraction, "0");
  if (status == 0)
    status = wp_cli_stacks_graph (&profile, &options->stacks, &graph, &trimmed);
  if (status != 0)
    return status;
  self.graph = graph;
  wp_cli_stacks_put_type (&profile, &options->stacks, out);
  status = put_matching (&self, options);
  g_free (self.calls);
  g_free (self.first);
  g_free (self.callers);
  g_free (self.first_caller);
  return status;
}

static const WpOption rows[] = {
  { "function", 0, G_OPTION_ARG_STRING, offsetof (Options, function), "PATTERN", "Only functions that match; else all" },
  WP_OPTIONS_STACKS (Options, stacks),
  WP_OPTIONS_STACKS_BASE (Options, stacks),
  WP_OPTIONS_STACKS_FRAMES (Options, stacks),
  WP_OPTIONS_STACKS_VALUES (Options, stacks),
  WP_OPTIONS_STACKS_TRIM (Options, stacks),
  WP_OPTION_OUTPUT (Options, output),
  WP_OPTION_END,
};

const WpCommand wp_cmd_peek = {
  .name = "peek",
  .group = WP_GROUP_PROFILES,
  .operands = "FILE…",
  .summary = "Functions with their callers and callees",
  .description = WP_STACKS_MERGED " Each function stands between those that call it and those that it calls.",
  .options = rows,
  .size = sizeof (Options),
  .least = 1,
  .most = WP_ANY_NUMBER,
  .run = run,
};
