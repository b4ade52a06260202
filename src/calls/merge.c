/* Several call graphs as one: their numbers in a unit that suits all, their nodes by name and source. */
#include <gio/gio.h>
#include <math.h>

#include "base/sort.h"
#include "calls/calls-private.h"

/* The node of a name and source. */
typedef struct
{
  WpId name, file;
  gint64 line, column;
  guint32 node; /* 0: free */
} Key;

typedef struct
{
  WpCalls *calls;
  WP_TABLE (Key) keys;
  WpPairMap edges;        /* caller, callee → one more than the edge */
  WpPairMap threads;      /* halves of the id → one more than the row of threads */
  WpPairMap node_threads; /* node, row of threads → 1 */
  WP_ARRAY (WpPair) has;  /* node, row of threads: in the order in which they came */
} Merge;

/* --- one unit ----------------------------------------------------------------------------------------------------- */

/* n × to / from, rounded where that is no whole number: the digits of n / from one by one, so that nothing goes beyond 128 bits. to is 2 to the n_bits, or
 * a multiple of from. */
typedef struct
{
  WpExact from, factor; /* factor 0: there is none */
  guint n_bits;
} Scale;

static WpExact
scaled (const Scale *self, WpExact n)
{
  WpExact whole, rest;

  if (self->factor != 0)
    return n * self->factor;
  whole = n / self->from;
  rest = n % self->from;
  for (guint i = 0; i < self->n_bits; i++)
    {
      rest *= 2;
      whole = 2 * whole + rest / self->from;
      rest %= self->from;
    }
  return whole + wp_exact_round (rest, self->from);
}

/* A unit that all divide, where sums in it have room; else a power of two of which there are as many in a millisecond as have room. */
static void
choose_scales (WpCalls *merged, WpCalls *const *graphs, guint n, Scale *scales)
{
  WpExact one = 1;
  double all = 0;
  guint n_bits = 0;

  for (guint i = 0; i < n; i++)
    all += wp_calls_bound (graphs[i]) / (double) graphs[i]->one;
  for (guint i = 0; i < n && one != 0; i++)
    {
      WpExact factor = graphs[i]->one / wp_exact_gcd (one, graphs[i]->one);

      one = all * (double) one * (double) factor <= (double) WP_EXACT_LIMIT && (double) one * (double) factor <= (double) WP_EXACT_LIMIT ? one * factor : 0;
    }
  while (n_bits < 100 && ldexp (all, (int) n_bits + 1) <= (double) WP_EXACT_LIMIT)
    n_bits++;
  for (guint i = 0; i < n; i++)
    scales[i] = (Scale) { graphs[i]->one, one / graphs[i]->one, n_bits };
  merged->one = one != 0 ? one : (WpExact) 1 << n_bits;
  merged->exact = one != 0;
}

/* --- the sums ----------------------------------------------------------------------------------------------------- */

static guint32
hash_of (const Key *key)
{
  return (guint32) wp_hash_pair (wp_hash_pair (key->name, key->file), wp_hash_pair ((guint64) key->line, (guint64) key->column));
}

static WpId
text_of (Merge *self, const WpCalls *graph, WpId text)
{
  return text != 0 ? wp_strings_intern (self->calls->strings, wp_calls_text (graph, text)) : 0;
}

static guint32
find_node (Merge *self, const WpCalls *graph, guint32 n)
{
  const WpCallsNode *node = &graph->nodes.data[n];
  const Key key = { text_of (self, graph, node->name), text_of (self, graph, node->file), node->line, node->column, 0 };
  Key *found;

  if (n == 0)
    return 0;
  WP_TABLE_RESERVE (&self->keys, 1024, 2, slot, slot->node != 0, hash_of (slot));
  found = WP_TABLE_FIND (&self->keys, hash_of (&key), slot,
                         slot->node == 0
                           || (slot->name == key.name && slot->file == key.file && slot->line == key.line && slot->column == key.column));
  if (found->node == 0)
    {
      *found = key;
      found->node = self->calls->nodes.len;
      self->keys.n++;
      wp_array_push (&self->calls->nodes, ((WpCallsNode) { .name = key.name, .file = key.file, .line = key.line, .column = key.column }));
    }
  return found->node;
}

static guint32
find_thread (Merge *self, gint64 id)
{
  guint32 *known = wp_pair_map_at (&self->threads, (guint32) ((guint64) id >> 32), (guint32) id);

  if (*known == 0)
    {
      wp_array_push (&self->calls->threads, ((WpCallsThread) { .id = id }));
      *known = self->calls->threads.len;
    }
  return *known - 1;
}

static void
add_node (Merge *self, const WpCalls *graph, guint32 n, guint32 node, const Scale *scale)
{
  const WpCallsNode *row = &graph->nodes.data[n];

  self->calls->nodes.data[node].total += scaled (scale, row->total);
  self->calls->nodes.data[node].self += scaled (scale, row->self);
  for (guint32 t = row->first_thread; t < row->first_thread + row->n_threads; t++)
    {
      guint32 thread = find_thread (self, graph->node_threads.data[t]), *known = wp_pair_map_at (&self->node_threads, node, thread);

      if (*known == 0)
        wp_array_push (&self->has, ((WpPair) { node, thread, 0 }));
      *known = 1;
    }
}

static void
add_edges (Merge *self, const WpCalls *graph, guint32 n, const guint32 *nodes, const Scale *scale)
{
  const WpCallsNode *row = &graph->nodes.data[n];

  for (guint32 e = row->first_callee; e < row->first_callee + row->n_callees; e++)
    {
      const WpCallsEdge *edge = &graph->edges.data[graph->callees.data[e]];
      guint32 *known = wp_pair_map_at (&self->edges, nodes[edge->caller], nodes[edge->callee]);
      WpCallsEdge *sum;

      if (*known == 0)
        {
          wp_array_push (&self->calls->edges, ((WpCallsEdge) { .caller = nodes[edge->caller], .callee = nodes[edge->callee] }));
          *known = self->calls->edges.len;
        }
      sum = &self->calls->edges.data[*known - 1];
      sum->total += scaled (scale, edge->total);
      sum->caller_time += scaled (scale, edge->caller_time);
      sum->callee_time += scaled (scale, edge->callee_time);
    }
}

static void
add_graph (Merge *self, const WpCalls *graph, const Scale *scale)
{
  WpCalls *calls = self->calls;
  g_autofree guint32 *nodes = g_new (guint32, graph->nodes.len);

  calls->total += scaled (scale, graph->total);
  calls->cpu_time += graph->cpu_time;
  calls->n_samples += graph->n_samples;
  calls->exact = calls->exact && graph->exact;
  for (guint32 t = 0; t < graph->threads.len; t++)
    {
      guint32 thread = find_thread (self, graph->threads.data[t].id);

      calls->threads.data[thread].time += scaled (scale, graph->threads.data[t].time);
    }
  for (guint32 i = 0; i < graph->nodes.len; i++)
    {
      nodes[i] = find_node (self, graph, i);
      add_node (self, graph, i, nodes[i], scale);
    }
  for (guint32 i = 0; i < graph->nodes.len; i++)
    add_edges (self, graph, i, nodes, scale);
}

WP_DEFINE_COMPARE (compare_threads, WpCallsThread, id)
WP_DEFINE_COMPARE_2 (compare_has, WpPair, a, value)

/* Which threads each node had, before these are sorted. */
static void
take_threads (Merge *self)
{
  WpCalls *calls = self->calls;

  for (guint32 i = 0; i < self->has.len; i++)
    self->has.data[i].value = i;
  wp_array_sort (&self->has, compare_has);
  for (guint32 i = 0; i < self->has.len; i++)
    {
      WpCallsNode *node = &calls->nodes.data[self->has.data[i].a];

      if (node->n_threads++ == 0)
        node->first_thread = i;
      wp_array_push (&calls->node_threads, calls->threads.data[self->has.data[i].b].id);
    }
  wp_array_sort (&calls->threads, compare_threads);
}

static gboolean
check_units (WpCalls *const *graphs, guint n, GError **error)
{
  for (guint i = 1; i < n; i++)
    {
      const char *first = wp_calls_text (graphs[0], graphs[0]->unit), *other = wp_calls_text (graphs[i], graphs[i]->unit);

      if (g_str_equal (first, other))
        continue;
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "profile 1 is told in %s and profile %u in %s, which nothing adds up; choose a type that both have",
                   first, i + 1, other);
      return FALSE;
    }
  return TRUE;
}

WpCalls *
wp_calls_merge (WpCalls *const *graphs, guint n, GError **error)
{
  g_autofree Scale *scales = g_new (Scale, MAX (n, 1));
  Merge self = { 0 };

  if (!check_units (graphs, n, error))
    return NULL;
  self.calls = wp_calls_new ();
  choose_scales (self.calls, graphs, n, scales);
  for (guint i = 0; i < n; i++)
    add_graph (&self, graphs[i], &scales[i]);
  if (n > 0)
    {
      self.calls->type = text_of (&self, graphs[0], graphs[0]->type);
      self.calls->unit = text_of (&self, graphs[0], graphs[0]->unit);
    }
  take_threads (&self);
  wp_calls_order (self.calls);
  WP_TABLE_CLEAR (&self.keys);
  wp_pair_map_clear (&self.edges);
  wp_pair_map_clear (&self.threads);
  wp_pair_map_clear (&self.node_threads);
  wp_array_clear (&self.has);
  return self.calls;
}
