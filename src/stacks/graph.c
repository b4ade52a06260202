#include "stacks/graph.h"

#include "base/pair-map.h"
#include "stacks/labels.h"

#define STACKS_PER_STEP 4096

/* What was spent in a node or an edge, each stack once. */
typedef struct
{
  guint32 seen;   /* the number of the run that counted it last; OPEN: a prefix that is open did */
  gboolean plain; /* of an edge: a call is not inlined */
  WpGraphValue value;
} Sum;

#define OPEN G_MAXUINT32
#define NO_FRAME G_MAXUINT32
#define INLINED (1u << 31)

/* A node or an edge that was opened by a prefix. */
typedef struct
{
  gboolean is_edge;
  guint32 row;
} Opened;

/* Calls that were met lately, at a place that follows from their ends: one look for nearly all. */
#define LATELY_BITS 15

typedef struct
{
  const WpStacks *stacks;
  const WpGraphOptions *options;
  WpGraph *graph;
  WpFrameNames *names;
  guint32 *frames;           /* those of the names, INLINED ones marked */
  Sum *nodes;
  WP_ARRAY (Sum) edges;      /* of those of the graph */
  WpPairMap known;           /* nodes of both ends → one more than the edge */
  WpPair *lately;            /* some of them */
  WP_ARRAY (Opened) open;    /* by prefixes, outermost first */
  guint32 n_runs;            /* that were counted, the one at hand included */
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
      wp_array_push (&self->graph->edges, ((WpGraphEdge) { .caller = caller, .callee = callee }));
      wp_array_push (&self->edges, ((Sum) { 0 }));
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

/* Adds to it where it is not there further out already; returns whether it was not. Without a branch: that cannot be foretold. */
static inline gboolean
add_once (Sum *sum, guint32 run, WpGraphValue value, gboolean stays)
{
  const gboolean is_first = sum->seen < run;
  const gint64 mask = -(gint64) is_first;

  sum->seen = stays ? OPEN : MAX (sum->seen, run);
  add (&sum->value, (WpGraphValue) { value.sum & mask, value.divisor & mask });
  return is_first;
}

static void
close_frames (Maker *self, guint32 n)
{
  while (self->open.len > n)
    {
      const Opened *last = &self->open.data[--self->open.len];

      (last->is_edge ? &self->edges.data[last->row] : &self->nodes[last->row])->seen = 0;
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

/* The node of the innermost frame of a stack. */
static guint32
end_of (const Maker *self, WpId stack)
{
  const WpFrames *frames = self->stacks->frames;
  const WpStackNode *node = &frames->nodes.data[stack];

  return stack == 0 ? NO_FRAME : self->frames[self->names->first[wp_runs_get (&frames->runs, node->first + node->n - 1) + 1] - 1] & ~INLINED;
}

static inline void
add_call (Maker *self, guint32 caller, guint32 callee, gboolean is_inlined, guint32 run, WpGraphValue whole, gboolean stays)
{
  guint32 edge = edge_of (self, caller, callee);
  Sum *sum = &self->edges.data[edge];
  gboolean is_first = add_once (sum, run, whole, stays);

  sum->plain |= is_first & !is_inlined;
  if (stays && is_first)
    wp_array_push (&self->open, ((Opened) { TRUE, edge }));
}

/* Counts the frames of a run: `whole` was spent in each and in all that is on top of it, `own` in the innermost one. `stays`: others stand on it, and it
 * is open until close_frames(). */
static inline __attribute__ ((always_inline)) void
add_frames (Maker *self, WpId stack, WpGraphValue own, WpGraphValue whole, gboolean stays, gboolean calls)
{
  const WpStackNode *node = &self->stacks->frames->nodes.data[stack];
  const WpRuns *runs = &self->stacks->frames->runs;
  const guint32 *first = self->names->first, *frames = self->frames, n = node->n, run = ++self->n_runs;
  const guint64 start = node->first;
  Sum *nodes = self->nodes;
  guint32 caller = end_of (self, node->prefix);

  for (guint32 l = 0; l < n; l++)
    {
      WpId location = wp_runs_get (runs, start + l);
      guint32 at = first[location], end = first[location + 1];

      do
        {
          guint32 row = frames[at] & ~INLINED;

          if (add_once (&nodes[row], run, whole, stays) && stays)
            wp_array_push (&self->open, ((Opened) { FALSE, row }));
          if (calls && caller != NO_FRAME && caller != row)
            add_call (self, caller, row, frames[at] >= INLINED, run, whole, stays);
          caller = row;
        }
      while (++at < end);
    }
  add (&self->graph->nodes.data[caller].flat, own);
}

/* Each case is compiled by itself: this is where the time goes. */
static void
add_run (Maker *self, WpId stack, WpGraphValue own, WpGraphValue whole, gboolean stays)
{
  if (self->options->calls && stays)
    add_frames (self, stack, own, whole, TRUE, TRUE);
  else if (self->options->calls)
    add_frames (self, stack, own, whole, FALSE, TRUE);
  else if (stays)
    add_frames (self, stack, own, whole, TRUE, FALSE);
  else
    add_frames (self, stack, own, whole, FALSE, FALSE);
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
  g_autofree guint32 *depth = g_new0 (guint32, n); /* how many were opened below it */
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
          close_frames (self, depth[at]);
          at = frames->nodes.data[at].prefix;
        }
      if (at == 0)
        return TRUE;
      close_frames (self, depth[at]);
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
      graph->nodes.data[i].cum = self->nodes[i].value;
      if (graph->nodes.data[i].flat.sum == 0 && graph->nodes.data[i].cum.sum == 0)
        places[i] = G_MAXUINT32;
      else
        graph->nodes.data[n++] = graph->nodes.data[i];
    }
  graph->nodes.len = n;
  n = 0;
  for (guint32 i = 0; i < graph->edges.len; i++)
    {
      const Sum *sum = &self->edges.data[i];
      guint32 caller = places[graph->edges.data[i].caller], callee = places[graph->edges.data[i].callee];

      if (caller != G_MAXUINT32 && callee != G_MAXUINT32)
        graph->edges.data[n++] = (WpGraphEdge) { caller, callee, sum->value, !sum->plain };
    }
  graph->edges.len = n;
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
  Maker self = { .stacks = stacks, .options = options, .graph = graph };

  self.names = graph->names = wp_frame_names_new (stacks, &options->frames);
  wp_array_resize (&graph->nodes, graph->names->names.len);
  for (guint32 i = 0; i < graph->nodes.len; i++)
    graph->nodes.data[i].frame = &graph->names->names.data[i];
  self.frames = mark_inlined (self.names, stacks->frames->locations.len);
  self.nodes = g_new0 (Sum, MAX (graph->nodes.len, 1));
  self.lately = options->calls ? g_new0 (WpPair, 1 << LATELY_BITS) : NULL;
  if (add_stacks (&self, progress, error))
    {
      graph->total = wp_stacks_total (stacks, options->type, options->mean);
      take_sums (&self);
    }
  else
    g_clear_pointer (&graph, wp_graph_free);
  wp_pair_map_clear (&self.known);
  wp_array_clear (&self.edges);
  wp_array_clear (&self.open);
  g_free (self.frames);
  g_free (self.nodes);
  g_free (self.lately);
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
