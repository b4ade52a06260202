/* The order of a graph's nodes, callers first. Cycles are cut by a heuristic: what nobody is called by goes to the front, what calls nobody to the
 * end, and where there is neither, what has the least time in for its time out goes to the front. Then what is left is asked again.
 *
 * Each round looks only at the nodes whose sums the last one changed; the least ratio is on top of a heap. */
#include "base/sort.h"
#include "calls/calls-private.h"

#define NONE G_MAXUINT32

typedef struct
{
  WpExact in, out; /* time that comes from callers and goes to callees, which are still there */
  WpExact heap_in, heap_out; /* the same as the heap knows them */
  guint32 rank;    /* in the list that is asked: last found first */
  guint32 place;   /* in the heap; NONE: it is not in it */
  guint32 round;   /* in which its sums were changed last */
  gboolean gone;
} State;

typedef struct
{
  WpCalls *calls;
  State *states; /* node → */
  WpIdArray found;            /* nodes, as they were found */
  WpIdArray asked, changed;   /* of this round, and for the next one */
  WpIdArray sinks, sources;   /* that this round takes out */
  WpIdArray heap;
  guint32 *order, first, end; /* nodes in their order: what is not there yet comes from `first` to `end` */
  guint32 round;
} Sorter;

/* --- lists -------------------------------------------------------------------------------------------------------- */

static void
list_edges (WpCalls *self)
{
  guint32 caller_at = 0, callee_at = 0;

  wp_array_resize (&self->callers, self->edges.len);
  wp_array_resize (&self->callees, self->edges.len);
  for (guint32 i = 0; i < self->edges.len; i++)
    {
      self->nodes.data[self->edges.data[i].callee].n_callers++;
      self->nodes.data[self->edges.data[i].caller].n_callees++;
    }
  for (guint32 i = 0; i < self->nodes.len; i++)
    {
      WpCallsNode *node = &self->nodes.data[i];

      node->first_caller = caller_at;
      node->first_callee = callee_at;
      caller_at += node->n_callers;
      callee_at += node->n_callees;
      node->n_callers = node->n_callees = 0;
    }
  for (guint32 i = self->edges.len; i-- > 0;)
    {
      WpCallsNode *caller = &self->nodes.data[self->edges.data[i].caller], *callee = &self->nodes.data[self->edges.data[i].callee];

      self->callees.data[caller->first_callee + caller->n_callees++] = i;
      self->callers.data[callee->first_caller + callee->n_callers++] = i;
    }
}

static int
compare_callers (gconstpointer a, gconstpointer b, gpointer data)
{
  const WpCallsEdge *edges = data;
  WpId i = *(const WpId *) a, j = *(const WpId *) b;

  return edges[i].caller_time != edges[j].caller_time ? WP_COMPARE (edges[j].caller_time, edges[i].caller_time) : WP_COMPARE (j, i);
}

static int
compare_callees (gconstpointer a, gconstpointer b, gpointer data)
{
  const WpCallsEdge *edges = data;
  WpId i = *(const WpId *) a, j = *(const WpId *) b;

  return edges[i].callee_time != edges[j].callee_time ? WP_COMPARE (edges[j].callee_time, edges[i].callee_time) : WP_COMPARE (j, i);
}

/* Those of node 0 stay as they were made. */
static void
sort_lists (WpCalls *self)
{
  for (guint32 i = 1; i < self->nodes.len; i++)
    {
      const WpCallsNode *node = &self->nodes.data[i];

      if (node->n_callers > 1)
        g_qsort_with_data (self->callers.data + node->first_caller, (int) node->n_callers, sizeof (WpId), compare_callers, self->edges.data);
      if (node->n_callees > 1)
        g_qsort_with_data (self->callees.data + node->first_callee, (int) node->n_callees, sizeof (WpId), compare_callees, self->edges.data);
    }
}

/* --- what can be reached ------------------------------------------------------------------------------------------ */

/* Breadth first from node 0. */
static void
find_nodes (Sorter *self)
{
  const WpCalls *calls = self->calls;
  g_autofree guint8 *seen = g_new0 (guint8, calls->nodes.len);

  seen[0] = TRUE;
  wp_array_push (&self->found, 0);
  for (guint32 i = 0; i < self->found.len; i++)
    {
      const WpCallsNode *node = &calls->nodes.data[self->found.data[i]];

      for (guint32 e = node->first_callee; e < node->first_callee + node->n_callees; e++)
        {
          WpId callee = calls->edges.data[calls->callees.data[e]].callee;

          if (!seen[callee])
            wp_array_push (&self->found, callee);
          seen[callee] = TRUE;
        }
    }
  for (WpId i = 0; i < calls->nodes.len; i++)
    if (!seen[i])
      wp_array_push (&self->found, i);
  for (guint32 i = 0; i < self->found.len; i++)
    self->states[self->found.data[i]].rank = self->found.len - 1 - i;
}

/* Calls of itself, and those from and to node 0, put nothing before anything. */
static gboolean
counts (const WpCallsEdge *edge)
{
  return edge->caller != 0 && edge->callee != 0 && edge->caller != edge->callee;
}

static void
sum_edges (Sorter *self)
{
  const WpCalls *calls = self->calls;

  for (guint32 i = 0; i < calls->edges.len; i++)
    {
      const WpCallsEdge *edge = &calls->edges.data[i];

      if (!counts (edge))
        continue;
      self->states[edge->callee].in += edge->callee_time;
      self->states[edge->caller].out += edge->caller_time;
    }
}

/* --- the heap ----------------------------------------------------------------------------------------------------- */

static int
compare_ratios (const Sorter *self, WpId a, WpId b)
{
  const State *x = &self->states[a], *y = &self->states[b];

  return wp_exact_compare (x->heap_in, x->heap_out, y->heap_in, y->heap_out);
}

static void
put (Sorter *self, guint32 place, WpId node)
{
  self->heap.data[place] = node;
  self->states[node].place = place;
}

/* Puts a node where it belongs, from a place that is free. */
static void
sift (Sorter *self, guint32 place, WpId node)
{
  while (place > 0 && compare_ratios (self, node, self->heap.data[(place - 1) / 2]) < 0)
    {
      put (self, place, self->heap.data[(place - 1) / 2]);
      place = (place - 1) / 2;
    }
  for (guint32 child = 2 * place + 1; child < self->heap.len; child = 2 * place + 1)
    {
      child += child + 1 < self->heap.len && compare_ratios (self, self->heap.data[child + 1], self->heap.data[child]) < 0;
      if (compare_ratios (self, node, self->heap.data[child]) <= 0)
        break;
      put (self, place, self->heap.data[child]);
      place = child;
    }
  put (self, place, node);
}

static void
heap_remove (Sorter *self, WpId node)
{
  guint32 place = self->states[node].place;
  WpId last;

  if (place == NONE)
    return;
  self->states[node].place = NONE;
  last = self->heap.data[--self->heap.len];
  if (last != node)
    sift (self, place, last);
}

/* With its sums as they are now. */
static void
heap_update (Sorter *self, WpId node)
{
  State *state = &self->states[node];

  if (state->place == NONE)
    wp_array_push (&self->heap, node);
  state->heap_in = state->in;
  state->heap_out = state->out;
  sift (self, state->place != NONE ? state->place : self->heap.len - 1, node);
}

/* --- rounds ------------------------------------------------------------------------------------------------------- */

static int
compare_ranks (gconstpointer a, gconstpointer b, gpointer data)
{
  const State *states = data;

  return WP_COMPARE (states[*(const WpId *) a].rank, states[*(const WpId *) b].rank);
}

static void
sort_by_rank (const Sorter *self, WpIdArray *nodes)
{
  if (nodes->len > 1)
    g_qsort_with_data (nodes->data, (int) nodes->len, sizeof (WpId), compare_ranks, self->states);
}

static void
take_least (Sorter *self)
{
  WpId least = self->heap.data[0];

  do
    {
      wp_array_push (&self->sources, self->heap.data[0]);
      heap_remove (self, self->heap.data[0]);
    }
  while (self->heap.len > 0 && compare_ratios (self, self->heap.data[0], least) == 0);
  sort_by_rank (self, &self->sources);
  wp_stack_reverse (&self->sources);
}

static void
choose (Sorter *self)
{
  self->sinks.len = self->sources.len = 0;
  sort_by_rank (self, &self->asked);
  for (guint32 i = 0; i < self->asked.len; i++)
    {
      WpId node = self->asked.data[i];
      const State *state = &self->states[node];

      if (state->out == 0)
        wp_array_push (&self->sinks, node);
      else if (state->in == 0)
        wp_array_push (&self->sources, node);
    }
  if (self->sinks.len + self->sources.len == 0)
    take_least (self);
}

static void
mark_changed (Sorter *self, WpId node)
{
  if (self->states[node].round != self->round)
    wp_array_push (&self->changed, node);
  self->states[node].round = self->round;
}

static void
take_out (Sorter *self, const WpIdArray *nodes)
{
  const WpCalls *calls = self->calls;

  for (guint32 i = 0; i < nodes->len; i++)
    {
      const WpCallsNode *node = &calls->nodes.data[nodes->data[i]];

      for (guint32 e = node->first_callee; e < node->first_callee + node->n_callees; e++)
        {
          const WpCallsEdge *edge = &calls->edges.data[calls->callees.data[e]];

          if (!counts (edge) || self->states[edge->callee].gone)
            continue;
          self->states[edge->callee].in -= edge->callee_time;
          mark_changed (self, edge->callee);
        }
      for (guint32 e = node->first_caller; e < node->first_caller + node->n_callers; e++)
        {
          const WpCallsEdge *edge = &calls->edges.data[calls->callers.data[e]];

          if (!counts (edge) || self->states[edge->caller].gone)
            continue;
          self->states[edge->caller].out -= edge->caller_time;
          mark_changed (self, edge->caller);
        }
    }
}

/* Those with nothing in or nothing out are asked next; the others wait in the heap. */
static void
sort_changed (Sorter *self)
{
  self->asked.len = 0;
  for (guint32 i = 0; i < self->changed.len; i++)
    {
      WpId node = self->changed.data[i];

      if (self->states[node].in != 0 && self->states[node].out != 0)
        heap_update (self, node);
      else
        {
          heap_remove (self, node);
          wp_array_push (&self->asked, node);
        }
    }
  self->changed.len = 0;
}

static void
mark_gone (Sorter *self, const WpIdArray *nodes)
{
  for (guint32 i = 0; i < nodes->len; i++)
    self->states[nodes->data[i]].gone = TRUE;
}

/* Sources go behind those at the front, sinks before those at the end. */
static void
place_nodes (Sorter *self)
{
  if (self->sources.len > 0)
    memcpy (self->order + self->first, self->sources.data, self->sources.len * sizeof (WpId));
  self->first += self->sources.len;
  self->end -= self->sinks.len;
  if (self->sinks.len > 0)
    memcpy (self->order + self->end, self->sinks.data, self->sinks.len * sizeof (WpId));
}

static void
find_order (Sorter *self)
{
  self->order = g_new (guint32, self->calls->nodes.len);
  self->order[0] = 0;
  self->first = 1;
  self->end = self->calls->nodes.len;
  for (WpId i = 1; i < self->calls->nodes.len; i++)
    wp_array_push (&self->changed, i);
  sort_changed (self);
  while (self->first < self->end)
    {
      self->round++;
      choose (self);
      mark_gone (self, &self->sources);
      mark_gone (self, &self->sinks);
      place_nodes (self);
      take_out (self, &self->sources);
      take_out (self, &self->sinks);
      sort_changed (self);
    }
}

/* --- layers ------------------------------------------------------------------------------------------------------- */

/* Of a node all of whose callers that stand before it have theirs. places: node → its place in the order. */
static guint32
layer_of (const WpCalls *calls, WpId id, const guint32 *places)
{
  const WpCallsNode *node = &calls->nodes.data[id];
  guint32 layer = 0;

  for (guint32 e = node->first_caller; e < node->first_caller + node->n_callers; e++)
    {
      WpId caller = calls->edges.data[calls->callers.data[e]].caller;

      if (caller != 0 && places[caller] < places[id])
        layer = MAX (layer, calls->nodes.data[caller].layer + 1);
    }
  return layer;
}

void
wp_calls_find_layers (WpCalls *self)
{
  g_autofree guint32 *places = g_new (guint32, self->nodes.len);

  for (WpId i = 0; i < self->nodes.len; i++)
    places[i] = i;
  for (WpId i = 1; i < self->nodes.len; i++)
    self->nodes.data[i].layer = layer_of (self, i, places);
}

typedef struct
{
  WpExact total;
  guint32 layer, place;
  WpId node;
} Placed;

static int
compare_placed (const void *a, const void *b)
{
  const Placed *x = a, *y = b;

  if (x->layer != y->layer)
    return WP_COMPARE (x->layer, y->layer);
  return x->total != y->total ? WP_COMPARE (y->total, x->total) : WP_COMPARE (y->place, x->place);
}

static void
sort_layers (Sorter *self)
{
  WpCalls *calls = self->calls;
  guint32 n = calls->nodes.len;
  g_autofree guint32 *places = g_new (guint32, n);
  g_autofree Placed *placed = g_new (Placed, n);

  for (guint32 i = 0; i < n; i++)
    places[self->order[i]] = i;
  for (guint32 i = 1; i < n; i++)
    {
      WpCallsNode *node = &calls->nodes.data[self->order[i]];

      node->layer = layer_of (calls, self->order[i], places);
      placed[i] = (Placed) { node->total, node->layer, i, self->order[i] };
    }
  if (n > 2)
    qsort (placed + 1, n - 1, sizeof *placed, compare_placed);
  for (guint32 i = 1; i < n; i++)
    self->order[i] = placed[i].node;
}

static void
permute (WpCalls *calls, const guint32 *order)
{
  guint32 n = calls->nodes.len;
  g_autofree guint32 *places = g_new (guint32, n);
  g_autofree WpCallsNode *nodes = g_memdup2 (calls->nodes.data, n * sizeof *nodes);

  for (guint32 i = 0; i < n; i++)
    {
      places[order[i]] = i;
      calls->nodes.data[i] = nodes[order[i]];
    }
  for (guint32 i = 0; i < calls->edges.len; i++)
    {
      calls->edges.data[i].caller = places[calls->edges.data[i].caller];
      calls->edges.data[i].callee = places[calls->edges.data[i].callee];
    }
}

void
wp_calls_order (WpCalls *self)
{
  Sorter sorter = { .calls = self, .states = g_new0 (State, self->nodes.len) };

  for (WpId i = 0; i < self->nodes.len; i++)
    sorter.states[i].place = NONE;
  list_edges (self);
  find_nodes (&sorter);
  sum_edges (&sorter);
  find_order (&sorter);
  sort_layers (&sorter);
  permute (self, sorter.order);
  sort_lists (self);
  g_free (sorter.states);
  g_free (sorter.order);
  wp_array_clear (&sorter.found);
  wp_array_clear (&sorter.asked);
  wp_array_clear (&sorter.changed);
  wp_array_clear (&sorter.sinks);
  wp_array_clear (&sorter.sources);
  wp_array_clear (&sorter.heap);
}
