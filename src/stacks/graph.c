#include "stacks/graph.h"

#include "base/pair-map.h"
#include "stacks/labels.h"

#define SAMPLES_PER_STEP 4096

typedef struct
{
  const WpStacks *stacks;
  const WpGraphOptions *options;
  WpGraph *graph;
  WpFrameNames *names;
  WpPairMap edges;           /* nodes of both ends → one more than the edge */
  WP_ARRAY (guint32) edge_seen; /* edge → one more than the last sample that had it */
  guint32 *node_seen;        /* node → the same */
  WpIdArray stack;
} Maker;

/* --- values ------------------------------------------------------------------------------------------------------- */

static void
add (WpGraphValue *value, WpGraphValue more)
{
  value->sum = wp_sum (value->sum, more.sum);
  value->divisor = wp_sum (value->divisor, more.divisor);
}

static void
add_call (Maker *self, guint32 caller, guint32 callee, WpGraphValue value, guint32 sample, gboolean inlined)
{
  guint32 *known = wp_pair_map_at (&self->edges, caller, callee);
  WpGraphEdge *edge;

  if (*known == 0)
    {
      wp_array_push (&self->graph->edges, ((WpGraphEdge) { .caller = caller, .callee = callee, .inlined = TRUE }));
      wp_array_push (&self->edge_seen, 0);
      *known = self->graph->edges.len;
    }
  if (self->edge_seen.data[*known - 1] == sample + 1)
    return;
  self->edge_seen.data[*known - 1] = sample + 1;
  edge = &self->graph->edges.data[*known - 1];
  edge->inlined = edge->inlined && inlined;
  add (&edge->weight, value);
}

static void
add_sample (Maker *self, guint32 sample, WpGraphValue value)
{
  WpGraph *graph = self->graph;
  guint32 caller = G_MAXUINT32;

  wp_frames_stack (self->stacks->frames, self->stacks->sample_stacks.data[sample], &self->stack);
  for (guint32 i = self->stack.len; i-- > 0;)
    {
      WpId location = self->stack.data[i];

      for (guint32 n = self->names->first[location]; n < self->names->first[location + 1]; n++)
        {
          guint32 node = self->names->frames.data[n];

          if (self->node_seen[node] != sample + 1)
            {
              self->node_seen[node] = sample + 1;
              add (&graph->nodes.data[node].cum, value);
            }
          if (caller != G_MAXUINT32 && caller != node)
            add_call (self, caller, node, value, sample, n > self->names->first[location]);
          caller = node;
        }
    }
  if (caller != G_MAXUINT32)
    add (&graph->nodes.data[caller].flat, value);
}

/* Of a comparison the base is the whole. */
gint64
wp_stacks_total (const WpStacks *stacks, guint32 type, gboolean mean)
{
  g_autofree guint8 *is_base = wp_stacks_base_sets (stacks);
  WpGraphValue total = { 0 }, of_base = { 0 };

  for (guint32 i = 0; i < stacks->n_samples; i++)
    {
      WpGraphValue value = { wp_magnitude (stacks->values[type].data[i]), mean ? stacks->values[0].data[i] : 0 };

      add (&total, value);
      if (is_base != NULL && is_base[stacks->sample_labels.data[i]])
        add (&of_base, value);
    }
  return wp_graph_value (of_base.sum > 0 ? of_base : total);
}

static gboolean
add_samples (Maker *self, WpProgress *progress, GError **error)
{
  const WpStacks *stacks = self->stacks;
  const gint64 *values = stacks->values[self->options->type].data, *divisors = stacks->values[0].data;

  for (guint32 i = 0; i < stacks->n_samples; i++)
    {
      WpGraphValue value = { values[i], self->options->mean ? divisors[i] : 0 };

      if (i % SAMPLES_PER_STEP == 0 && !wp_progress_step (progress, (double) i / stacks->n_samples, error))
        return FALSE;
      if (value.sum != 0 || value.divisor != 0)
        add_sample (self, i, value);
    }
  self->graph->total = wp_stacks_total (stacks, self->options->type, self->options->mean);
  return TRUE;
}

/* Nodes that come to nothing go, with the calls that lead to them. */
static void
keep_seen (Maker *self)
{
  WpGraph *graph = self->graph;
  g_autofree guint32 *places = g_new (guint32, MAX (graph->nodes.len, 1));
  guint32 n = 0;

  for (guint32 i = 0; i < graph->nodes.len; i++)
    {
      places[i] = n;
      if (graph->nodes.data[i].flat.sum == 0 && graph->nodes.data[i].cum.sum == 0)
        places[i] = G_MAXUINT32;
      else
        graph->nodes.data[n++] = graph->nodes.data[i];
    }
  graph->nodes.len = n;
  n = 0;
  for (guint32 i = 0; i < graph->edges.len; i++)
    {
      WpGraphEdge edge = graph->edges.data[i];

      edge.caller = places[edge.caller];
      edge.callee = places[edge.callee];
      if (edge.caller != G_MAXUINT32 && edge.callee != G_MAXUINT32)
        graph->edges.data[n++] = edge;
    }
  graph->edges.len = n;
}

WpGraph *
wp_graph_new (const WpStacks *stacks, const WpGraphOptions *options, WpProgress *progress, GError **error)
{
  Maker self = { .stacks = stacks, .options = options, .graph = g_new0 (WpGraph, 1) };
  gboolean done;

  self.names = self.graph->names = wp_frame_names_new (stacks, &options->frames);
  wp_array_resize (&self.graph->nodes, self.names->names.len);
  for (guint32 i = 0; i < self.names->names.len; i++)
    self.graph->nodes.data[i].frame = &self.names->names.data[i];
  self.node_seen = g_new0 (guint32, MAX (self.graph->nodes.len, 1));
  done = add_samples (&self, progress, error);
  keep_seen (&self);
  wp_pair_map_clear (&self.edges);
  wp_array_clear (&self.edge_seen);
  wp_array_clear (&self.stack);
  g_free (self.node_seen);
  if (!done)
    g_clear_pointer (&self.graph, wp_graph_free);
  return self.graph;
}

void
wp_graph_free (WpGraph *self)
{
  wp_array_clear (&self->nodes);
  wp_array_clear (&self->edges);
  wp_frame_names_free (self->names);
  g_free (self);
}
