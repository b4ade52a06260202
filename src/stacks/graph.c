#include "stacks/graph.h"

#include "base/pair-map.h"
#include "stacks/labels.h"

#define STACKS_PER_STEP 4096

typedef struct
{
  guint32 node;
  guint32 edge; /* from the frame that it stands on; G_MAXUINT32: none, or the same node */
} OpenFrame;

/* By node: how often it is open, and the edge that led to it last, from which caller. */
typedef struct
{
  guint32 open;
  guint32 caller, edge; /* one more than it is; 0: none yet */
} NodeState;

typedef struct
{
  const WpStacks *stacks;
  const WpGraphOptions *options;
  WpGraph *graph;
  WpFrameNames *names;
  WpPairMap edges;              /* nodes of both ends → one more than the edge */
  WP_ARRAY (guint32) edge_open; /* edge → how often it is open */
  NodeState *nodes;
  WP_ARRAY (OpenFrame) open;    /* the stack that is open, outermost first */
} Maker;

/* --- values ------------------------------------------------------------------------------------------------------- */

static void
add (WpGraphValue *value, WpGraphValue more)
{
  value->sum = wp_sum (value->sum, more.sum);
  value->divisor = wp_sum (value->divisor, more.divisor);
}

/* Most functions are called by the same one as last time. */
static guint32
edge_of (Maker *self, guint32 caller, guint32 callee)
{
  NodeState *state = &self->nodes[callee];
  guint32 *known;

  if (state->edge != 0 && state->caller == caller)
    return state->edge - 1;
  known = wp_pair_map_at (&self->edges, caller, callee);
  if (*known == 0)
    {
      wp_array_push (&self->graph->edges, ((WpGraphEdge) { .caller = caller, .callee = callee, .inlined = TRUE }));
      wp_array_push (&self->edge_open, 0);
      *known = self->graph->edges.len;
    }
  state->caller = caller;
  state->edge = *known;
  return *known - 1;
}

/* A frame on top of the stack that is open, in which `value` was spent and in all that is on top of it. What is open already further out counts
 * there. */
static void
push_frame (Maker *self, guint32 node, WpGraphValue value, gboolean inlined)
{
  OpenFrame frame = { .node = node, .edge = G_MAXUINT32 };
  guint32 caller = self->open.len > 0 ? self->open.data[self->open.len - 1].node : G_MAXUINT32;

  if (self->nodes[node].open++ == 0)
    add (&self->graph->nodes.data[node].cum, value);
  if (caller != G_MAXUINT32 && caller != node)
    {
      WpGraphEdge *edge;

      frame.edge = edge_of (self, caller, node);
      edge = &self->graph->edges.data[frame.edge];
      if (self->edge_open.data[frame.edge]++ == 0)
        {
          edge->inlined = edge->inlined && inlined;
          add (&edge->weight, value);
        }
    }
  wp_array_push (&self->open, frame);
}

static void
pop_frames (Maker *self, guint32 n)
{
  while (self->open.len > n)
    {
      const OpenFrame *frame = &self->open.data[--self->open.len];

      self->nodes[frame->node].open--;
      if (frame->edge != G_MAXUINT32)
        self->edge_open.data[frame->edge]--;
    }
}

/* What was spent in each stack itself, and with all that are on top of it; and whether any sample that has a value is there. */
static void
sum_stacks (const Maker *self, WpGraphValue *own, WpGraphValue *whole, guint8 *used)
{
  const WpStacks *stacks = self->stacks;
  const gint64 *values = stacks->values[self->options->type].data, *divisors = stacks->values[0].data;

  for (guint32 i = 0; i < stacks->n_samples; i++)
    {
      const WpGraphValue value = { values[i], self->options->mean ? divisors[i] : 0 };
      WpId stack = stacks->sample_stacks.data[i];

      add (&own[stack], value);
      used[stack] |= value.sum != 0 || value.divisor != 0;
    }
  memcpy (whole, own, stacks->frames->nodes.len * sizeof *own);
  for (WpId s = stacks->frames->nodes.len; s-- > 1;)
    {
      WpId prefix = stacks->frames->nodes.data[s].prefix;

      add (&whole[prefix], whole[s]);
      used[prefix] |= used[s];
    }
}

/* Opens the run of a stack, and counts its own part for its innermost frame. */
static void
open_stack (Maker *self, WpId stack, WpGraphValue own, WpGraphValue whole)
{
  const WpFrames *frames = self->stacks->frames;
  const WpStackNode *run = &frames->nodes.data[stack];

  for (guint32 l = 0; l < run->n; l++)
    {
      WpId location = wp_runs_get (&frames->runs, run->first + l);

      for (guint32 n = self->names->first[location]; n < self->names->first[location + 1]; n++)
        push_frame (self, self->names->frames.data[n], whole, n > self->names->first[location]);
    }
  if (self->open.len > 0)
    add (&self->graph->nodes.data[self->open.data[self->open.len - 1].node].flat, own);
}

/* The stacks on top of each that are used, in the order of their ids. */
static void
find_children (const WpFrames *frames, const guint8 *used, WpId *first_child, WpId *next)
{
  for (WpId i = frames->nodes.len; i-- > 1;)
    {
      if (!used[i])
        continue;
      next[i] = first_child[frames->nodes.data[i].prefix];
      first_child[frames->nodes.data[i].prefix] = i;
    }
}

/* Every stack once, each while those that it stands on are open. */
static gboolean
add_stacks (Maker *self, WpProgress *progress, GError **error)
{
  const WpFrames *frames = self->stacks->frames;
  guint32 n = frames->nodes.len, done = 0;
  g_autofree WpGraphValue *own = g_new0 (WpGraphValue, n), *whole = g_new (WpGraphValue, n);
  g_autofree WpId *first_child = g_new0 (WpId, n), *next = g_new0 (WpId, n);
  g_autofree guint32 *depth = g_new0 (guint32, n); /* frames that are open below it */
  g_autofree guint8 *used = g_new0 (guint8, n);
  WpId at = 0;

  sum_stacks (self, own, whole, used);
  find_children (frames, used, first_child, next);
  for (;;)
    {
      if (done++ % STACKS_PER_STEP == 0 && !wp_progress_step (progress, (double) done / n, error))
        return FALSE;
      depth[at] = self->open.len;
      if (at != 0)
        open_stack (self, at, own[at], whole[at]);
      if (first_child[at] != 0)
        {
          at = first_child[at];
          continue;
        }
      while (at != 0 && next[at] == 0)
        {
          pop_frames (self, depth[at]);
          at = frames->nodes.data[at].prefix;
        }
      if (at == 0)
        return TRUE;
      pop_frames (self, depth[at]);
      at = next[at];
    }
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
  self.nodes = g_new0 (NodeState, MAX (self.graph->nodes.len, 1));
  done = add_stacks (&self, progress, error);
  self.graph->total = wp_stacks_total (stacks, options->type, options->mean);
  keep_seen (&self);
  wp_pair_map_clear (&self.edges);
  wp_array_clear (&self.edge_open);
  wp_array_clear (&self.open);
  g_free (self.nodes);
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
