#include "stacks/graph.h"

#include "base/pair-map.h"
#include "stacks/labels.h"

#define STACKS_PER_STEP 4096

/* A node or an edge that is on the stack at hand: within the prefixes that are open, or within its own run. */
typedef struct
{
  guint32 open; /* how often, within the prefixes */
  WpId last;    /* the stack in whose run it was counted last */
} Seen;

typedef struct
{
  Seen seen;
  WpGraphValue cum;
} NodeSum;

typedef struct
{
  Seen seen;
  WpGraphEdge edge;
} EdgeSum;

#define NO_FRAME G_MAXUINT32
#define INLINED (1u << 31)

typedef struct
{
  guint32 node, edge; /* edge: from the frame that it stands on; NO_FRAME: none, or the same node */
} OpenFrame;

/* Calls that were met lately, at a place that follows from their ends: one look for nearly all. */
#define LATELY_BITS 15

typedef struct
{
  const WpStacks *stacks;
  const WpGraphOptions *options;
  WpGraph *graph;
  WpFrameNames *names;
  guint32 *frames;              /* those of the names, INLINED ones marked */
  WP_ARRAY (guint32) run;       /* of the stack at hand: its frames */
  NodeSum *nodes;
  WP_ARRAY (EdgeSum) edges;
  WpPairMap known;              /* nodes of both ends → one more than the edge */
  WpPair lately[1 << LATELY_BITS];
  WP_ARRAY (OpenFrame) open;    /* of prefixes, outermost first */
} Maker;

/* --- values ------------------------------------------------------------------------------------------------------- */

static void
add (WpGraphValue *value, WpGraphValue more)
{
  value->sum = wp_sum (value->sum, more.sum);
  value->divisor = wp_sum (value->divisor, more.divisor);
}

static G_GNUC_NO_INLINE guint32
find_edge (Maker *self, guint32 caller, guint32 callee)
{
  guint32 *known = wp_pair_map_at (&self->known, caller, callee);

  if (*known == 0)
    {
      wp_array_push (&self->edges, ((EdgeSum) { .edge = { .caller = caller, .callee = callee, .inlined = TRUE } }));
      *known = self->edges.len;
    }
  return *known;
}

static inline guint32
edge_of (Maker *self, guint32 caller, guint32 callee)
{
  WpPair *lately = &self->lately[(caller * 0x9e3779b1u + callee * 0x85ebca6bu) >> (32 - LATELY_BITS)];

  if (lately->value == 0 || lately->a != caller || lately->b != callee)
    *lately = (WpPair) { caller, callee, find_edge (self, caller, callee) };
  return lately->value - 1;
}

/* Whether it is the first time in this stack. */
static inline gboolean
see (Seen *self, WpId stack, gboolean stays)
{
  gboolean is_first = self->open == 0 && self->last != stack;

  self->last = stack;
  self->open += stays;
  return is_first;
}

static void
pop_frames (Maker *self, guint32 n)
{
  while (self->open.len > n)
    {
      const OpenFrame *frame = &self->open.data[--self->open.len];

      self->nodes[frame->node].seen.open--;
      if (frame->edge != NO_FRAME)
        self->edges.data[frame->edge].seen.open--;
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

static void
expand_run (Maker *self, const WpStackNode *run)
{
  const WpRuns *runs = &self->stacks->frames->runs;
  const guint32 *first = self->names->first;

  self->run.len = 0;
  for (guint32 l = 0; l < run->n; l++)
    {
      WpId location = wp_runs_get (runs, run->first + l);

      for (guint32 n = first[location]; n < first[location + 1]; n++)
        wp_array_push (&self->run, self->frames[n]);
    }
}

/* Counts the frames of a run: `whole` was spent in each and in all that is on top of it, `own` in the innermost one. What is there already further out
 * counts there. `stays`: others stand on it, and it is open until pop_frames(). */
static inline __attribute__ ((always_inline)) void
add_run (Maker *self, WpId stack, WpGraphValue own, WpGraphValue whole, gboolean stays)
{
  guint32 caller = self->open.len > 0 ? self->open.data[self->open.len - 1].node : NO_FRAME;

  expand_run (self, &self->stacks->frames->nodes.data[stack]);
  for (guint32 i = 0; i < self->run.len; i++)
    {
      guint32 node = self->run.data[i] & ~INLINED, edge = NO_FRAME;

      if (see (&self->nodes[node].seen, stack, stays))
        add (&self->nodes[node].cum, whole);
      if (caller != NO_FRAME && caller != node)
        {
          EdgeSum *sum;

          edge = edge_of (self, caller, node);
          sum = &self->edges.data[edge];
          if (see (&sum->seen, stack, stays))
            {
              sum->edge.inlined &= self->run.data[i] >= INLINED;
              add (&sum->edge.weight, whole);
            }
        }
      if (stays)
        wp_array_push (&self->open, ((OpenFrame) { node, edge }));
      caller = node;
    }
  if (caller != NO_FRAME)
    add (&self->graph->nodes.data[caller].flat, own);
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
      if (first_child[at] != 0)
        {
          if (at != 0)
            add_run (self, at, own[at], whole[at], TRUE);
          at = first_child[at];
          continue;
        }
      if (at != 0)
        add_run (self, at, own[at], whole[at], FALSE);
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

/* Hands over the sums. Nodes that come to nothing go, with the calls that lead to them. */
static void
take_sums (Maker *self)
{
  WpGraph *graph = self->graph;
  g_autofree guint32 *places = g_new (guint32, MAX (graph->nodes.len, 1));
  guint32 n = 0;

  for (guint32 i = 0; i < graph->nodes.len; i++)
    {
      places[i] = n;
      graph->nodes.data[i].cum = self->nodes[i].cum;
      if (graph->nodes.data[i].flat.sum == 0 && graph->nodes.data[i].cum.sum == 0)
        places[i] = G_MAXUINT32;
      else
        graph->nodes.data[n++] = graph->nodes.data[i];
    }
  graph->nodes.len = n;
  for (guint32 i = 0; i < self->edges.len; i++)
    {
      WpGraphEdge edge = self->edges.data[i].edge;

      edge.caller = places[edge.caller];
      edge.callee = places[edge.callee];
      if (edge.caller != G_MAXUINT32 && edge.callee != G_MAXUINT32)
        wp_array_push (&graph->edges, edge);
    }
}

static guint32 *
mark_inlined (const WpFrameNames *names, guint32 n_locations)
{
  guint32 *frames = g_memdup2 (names->frames.data, names->frames.len * sizeof *frames);

  for (WpId i = 1; i < n_locations; i++)
    for (guint32 n = names->first[i] + 1; n < names->first[i + 1]; n++)
      frames[n] |= INLINED;
  return frames;
}

WpGraph *
wp_graph_new (const WpStacks *stacks, const WpGraphOptions *options, WpProgress *progress, GError **error)
{
  WpGraph *graph = g_new0 (WpGraph, 1);
  g_autofree Maker *self = g_new0 (Maker, 1);

  self->stacks = stacks;
  self->options = options;
  self->graph = graph;
  self->names = graph->names = wp_frame_names_new (stacks, &options->frames);
  wp_array_resize (&graph->nodes, graph->names->names.len);
  for (guint32 i = 0; i < graph->nodes.len; i++)
    graph->nodes.data[i].frame = &graph->names->names.data[i];
  self->frames = mark_inlined (self->names, stacks->frames->locations.len);
  self->nodes = g_new0 (NodeSum, MAX (graph->nodes.len, 1));
  if (add_stacks (self, progress, error))
    {
      graph->total = wp_stacks_total (stacks, options->type, options->mean);
      take_sums (self);
    }
  else
    g_clear_pointer (&graph, wp_graph_free);
  wp_pair_map_clear (&self->known);
  wp_array_clear (&self->edges);
  wp_array_clear (&self->open);
  wp_array_clear (&self->run);
  g_free (self->frames);
  g_free (self->nodes);
  return graph;
}

void
wp_graph_free (WpGraph *self)
{
  wp_array_clear (&self->nodes);
  wp_array_clear (&self->edges);
  wp_frame_names_free (self->names);
  g_free (self);
}
