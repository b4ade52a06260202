#include <math.h>

#include "base/json-reader.h"
#include "calls/calls-private.h"
#include "calls/json.h"
#include "stacks/formats.h"

#define MOST_BITS 100 /* behind the point: more than any double of a millisecond has */

/* In which lists an edge was met. */
typedef enum
{
  AS_CALLEE = 1 << 0,
  AS_CALLER = 1 << 1,
} Met;

typedef struct
{
  guint32 caller, callee;
  double total, caller_time, callee_time;
  guint met; /* Met */
} ReadEdge;

typedef struct
{
  WpJsonReader *json;
  WpCalls *calls;
  WP_ARRAY (ReadEdge) edges;
  WpPairMap known;  /* caller, callee → one more than the edge */
  WP_ARRAY (double) totals, selfs, times; /* of nodes, and of threads */
  double total;
} Reader;

/* --- members ------------------------------------------------------------------------------------------------------ */

/* false of what is not known. */
static const char *
read_text (Reader *self)
{
  if (wp_json_reader_kind (self->json) == WP_JSON_STRING)
    return wp_json_reader_string (self->json);
  wp_json_reader_skip (self->json);
  return NULL;
}

/* Takes a number behind a colon off the end of a text; −1: there is none. FALSE: there is no such colon. */
static gboolean
take_number (char *text, gint64 *number)
{
  char *colon = strrchr (text, ':'), *end;

  if (colon == NULL || strspn (colon + 1, "0123456789") != strlen (colon + 1) || strlen (colon + 1) > 18)
    return FALSE;
  *number = g_ascii_strtoll (colon + 1, &end, 10);
  if (end == colon + 1)
    *number = -1;
  *colon = '\0';
  return TRUE;
}

static void
read_source (Reader *self, WpCallsNode *node)
{
  const char *whole = read_text (self);
  g_autofree char *file = g_strdup (whole);
  gint64 line = -1, column = -1;

  if (whole == NULL)
    return;
  if (take_number (file, &column) && take_number (file, &line))
    {
      node->line = MAX (line, 0);
      node->column = node->line == 0 ? MAX (column - 1, -1) : column;
    }
  else
    {
      g_free (file);
      file = g_strdup (whole);
    }
  node->file = wp_strings_intern (self->calls->strings, file);
}

static guint32
read_index (Reader *self)
{
  return (guint32) wp_json_reader_int (self->json, 0, G_MAXINT32);
}

static void
read_edge (Reader *self, guint32 node, Met met)
{
  ReadEdge edge = { .caller = G_MAXUINT32, .callee = G_MAXUINT32, .met = met }, *first;
  const char *key;
  guint32 *known;

  wp_json_reader_object (self->json);
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "caller"))
      edge.caller = read_index (self);
    else if (g_str_equal (key, "callee"))
      edge.callee = read_index (self);
    else if (g_str_equal (key, "total"))
      edge.total = wp_json_reader_real (self->json);
    else if (g_str_equal (key, "caller_time"))
      edge.caller_time = wp_json_reader_real (self->json);
    else if (g_str_equal (key, "callee_time"))
      edge.callee_time = wp_json_reader_real (self->json);
    else
      wp_json_reader_skip (self->json);
  if (wp_json_reader_failed (self->json))
    return;
  if (edge.caller == G_MAXUINT32 || edge.callee == G_MAXUINT32 || (met == AS_CALLEE ? edge.caller : edge.callee) != node)
    {
      wp_json_reader_fail (self->json, NULL, "a call has a caller and a callee, of which one is node %u, which lists it", node);
      return;
    }
  known = wp_pair_map_at (&self->known, edge.caller, edge.callee);
  if (*known == 0)
    {
      wp_array_push (&self->edges, edge);
      *known = self->edges.len;
    }
  else
    {
      first = &self->edges.data[*known - 1];
      if ((first->met & met) != 0)
        wp_json_reader_fail (self->json, NULL, "node %u lists this call twice", node);
      else if (first->total != edge.total || first->caller_time != edge.caller_time || first->callee_time != edge.callee_time)
        wp_json_reader_fail (self->json, NULL, "nodes %u and %u say different times of this call", edge.caller, edge.callee);
      first->met |= met;
    }
  wp_array_push (met == AS_CALLEE ? &self->calls->callees : &self->calls->callers, *known - 1);
}

static guint32
read_edges (Reader *self, guint32 node, Met met)
{
  guint32 n = 0;

  wp_json_reader_array (self->json);
  while (wp_json_reader_item (self->json))
    {
      read_edge (self, node, met);
      n++;
    }
  return n;
}

static void
read_node (Reader *self)
{
  WpCalls *calls = self->calls;
  WpCallsNode node = { .column = -1 };
  guint32 number = calls->nodes.len;
  double total = 0, self_time = 0;
  const char *key;

  node.first_caller = calls->callers.len;
  node.first_callee = calls->callees.len;
  node.first_thread = calls->node_threads.len;
  wp_json_reader_object (self->json);
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "id"))
      node.name = wp_strings_intern (calls->strings, read_text (self));
    else if (g_str_equal (key, "src"))
      read_source (self, &node);
    else if (g_str_equal (key, "total"))
      total = wp_json_reader_real (self->json);
    else if (g_str_equal (key, "self"))
      self_time = wp_json_reader_real (self->json);
    else if (g_str_equal (key, "callers") && node.n_callers == 0)
      node.n_callers = read_edges (self, number, AS_CALLER);
    else if (g_str_equal (key, "callees") && node.n_callees == 0)
      node.n_callees = read_edges (self, number, AS_CALLEE);
    else if (g_str_equal (key, "thread_ids") && node.n_threads == 0 && wp_json_reader_array (self->json))
      while (wp_json_reader_item (self->json))
        {
          wp_array_push (&calls->node_threads, wp_json_reader_int (self->json, 0, G_MAXINT64));
          node.n_threads++;
        }
    else
      wp_json_reader_skip (self->json);
  wp_array_push (&calls->nodes, node);
  wp_array_push (&self->totals, total);
  wp_array_push (&self->selfs, self_time);
}

static void
read_thread (Reader *self)
{
  WpCallsThread thread = { 0 };
  double time = 0;
  const char *key;

  wp_json_reader_object (self->json);
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "id"))
      thread.id = wp_json_reader_int (self->json, 0, G_MAXINT64);
    else if (g_str_equal (key, "time"))
      time = wp_json_reader_real (self->json);
    else
      wp_json_reader_skip (self->json);
  wp_array_push (&self->calls->threads, thread);
  wp_array_push (&self->times, time);
}

static void
read_document (Reader *self)
{
  const char *key;

  if (!wp_json_reader_object (self->json))
    return;
  while ((key = wp_json_reader_key (self->json)) != NULL)
    if (g_str_equal (key, "total_time"))
      self->total = wp_json_reader_real (self->json);
    else if (g_str_equal (key, "cpu_time"))
      self->calls->cpu_time = wp_json_reader_real (self->json);
    else if (g_str_equal (key, "sample_number"))
      self->calls->n_samples = wp_json_reader_uint (self->json, G_MAXINT64);
    else if (g_str_equal (key, "thread_times") && wp_json_reader_array (self->json))
      while (wp_json_reader_item (self->json))
        read_thread (self);
    else if (g_str_equal (key, "nodes") && wp_json_reader_array (self->json))
      while (wp_json_reader_item (self->json))
        read_node (self);
    else
      wp_json_reader_skip (self->json);
}

/* --- the graph ---------------------------------------------------------------------------------------------------- */

/* How many bits numbers may have behind the point. */
static int
find_bits (Reader *self)
{
  double all = fabs (self->total);
  int bits = 0;

  for (guint32 i = 0; i < self->totals.len; i++)
    all += fabs (self->totals.data[i]) + fabs (self->selfs.data[i]);
  for (guint32 i = 0; i < self->times.len; i++)
    all += fabs (self->times.data[i]);
  for (guint32 i = 0; i < self->edges.len; i++)
    all += fabs (self->edges.data[i].total) + fabs (self->edges.data[i].caller_time) + fabs (self->edges.data[i].callee_time);
  if (!(all < (double) WP_EXACT_LIMIT))
    wp_json_reader_fail (self->json, "total_time", "the times are too large to be added up");
  while (bits < MOST_BITS && ldexp (all, bits + 1) < (double) WP_EXACT_LIMIT)
    bits++;
  return bits;
}

static WpExact
whole (double ms, int bits)
{
  return (WpExact) rint (ldexp (ms, bits));
}

static void
take_numbers (Reader *self, int bits)
{
  WpCalls *calls = self->calls;

  calls->one = (WpExact) 1 << bits;
  calls->total = whole (self->total, bits);
  for (guint32 i = 0; i < calls->threads.len; i++)
    calls->threads.data[i].time = whole (self->times.data[i], bits);
  for (guint32 i = 0; i < calls->nodes.len; i++)
    {
      calls->nodes.data[i].total = whole (self->totals.data[i], bits);
      calls->nodes.data[i].self = whole (self->selfs.data[i], bits);
    }
  for (guint32 i = 0; i < self->edges.len; i++)
    {
      const ReadEdge *edge = &self->edges.data[i];

      wp_array_push (&calls->edges, ((WpCallsEdge) { edge->caller, edge->callee, whole (edge->total, bits), whole (edge->caller_time, bits),
                                                     whole (edge->callee_time, bits) }));
    }
}

/* A list with what only the other end lists, behind what it has itself: merges of Racket 8 have lost their callees. */
static void
complete_lists (Reader *self, Met met, WpIdArray *list)
{
  WpCalls *calls = self->calls;
  g_autofree guint32 *more = g_new0 (guint32, calls->nodes.len), *at = g_new (guint32, calls->nodes.len);
  WpIdArray completed = { 0 };
  guint32 n = 0;

  for (guint32 i = 0; i < self->edges.len; i++)
    if ((self->edges.data[i].met & met) == 0)
      more[met == AS_CALLEE ? self->edges.data[i].caller : self->edges.data[i].callee]++;
  wp_array_resize (&completed, self->edges.len);
  for (guint32 i = 0; i < calls->nodes.len; i++)
    {
      WpCallsNode *node = &calls->nodes.data[i];
      guint32 *first = met == AS_CALLEE ? &node->first_callee : &node->first_caller;
      guint32 *n_edges = met == AS_CALLEE ? &node->n_callees : &node->n_callers;

      if (*n_edges > 0)
        memcpy (completed.data + n, list->data + *first, *n_edges * sizeof (WpId));
      *first = n;
      at[i] = n + *n_edges;
      *n_edges += more[i];
      n += *n_edges;
    }
  for (guint32 i = 0; i < self->edges.len; i++)
    if ((self->edges.data[i].met & met) == 0)
      completed.data[at[met == AS_CALLEE ? self->edges.data[i].caller : self->edges.data[i].callee]++] = i;
  wp_array_clear (list);
  *list = completed;
}

static void
check_ends (Reader *self)
{
  if (self->calls->nodes.len == 0)
    wp_json_reader_fail (self->json, "nodes", "the first node is the one that calls all others; there is none");
  for (guint32 i = 0; i < self->edges.len && !wp_json_reader_failed (self->json); i++)
    if (MAX (self->edges.data[i].caller, self->edges.data[i].callee) >= self->calls->nodes.len)
      wp_json_reader_fail (self->json, "nodes", "there are %u, and a call names number %u", self->calls->nodes.len,
                           MAX (self->edges.data[i].caller, self->edges.data[i].callee));
}

WpCalls *
wp_calls_json_read (const char *path, const WpInput *input, WpProgress *progress, GError **error)
{
  Reader self = { .calls = wp_calls_new () };
  WpCalls *calls = NULL;
  int bits = 0;

  if (!wp_input_check_whole (input, path, error))
    {
      wp_calls_free (self.calls);
      return NULL;
    }
  wp_progress_phase (progress, "Reading");
  self.json = wp_json_reader_new_input (path, input, progress);
  self.calls->nodes.len = 0;
  self.calls->type = wp_strings_intern (self.calls->strings, "cpu");
  self.calls->unit = wp_strings_intern (self.calls->strings, "ms");
  read_document (&self);
  if (!wp_json_reader_failed (self.json))
    check_ends (&self);
  if (!wp_json_reader_failed (self.json))
    bits = find_bits (&self);
  if (wp_json_reader_finish (self.json, error))
    {
      calls = self.calls;
      take_numbers (&self, bits);
      complete_lists (&self, AS_CALLEE, &calls->callees);
      complete_lists (&self, AS_CALLER, &calls->callers);
      wp_calls_find_layers (calls);
    }
  else
    wp_calls_free (self.calls);
  wp_json_reader_free (self.json);
  wp_pair_map_clear (&self.known);
  wp_array_clear (&self.edges);
  wp_array_clear (&self.totals);
  wp_array_clear (&self.selfs);
  wp_array_clear (&self.times);
  return calls;
}

gboolean
wp_calls_json_is (const char *path)
{
  const WpStacksFormat *format = wp_stacks_format_of_file (path);

  return format != NULL && g_str_equal (format->id, "calls");
}

WpCalls *
wp_calls_json_open (const char *path, WpProgress *progress, GError **error)
{
  g_auto (WpInput) input = { 0 };

  return wp_input_open (&input, path, progress, error) ? wp_calls_json_read (path, &input, progress, error) : NULL;
}
