#include "calls/shown.h"

#include "base/sort.h"

/* Whether a part of a whole is within a limit; of nothing every part is none. */
static gboolean
is_within (WpExact part, WpExact whole, WpCallsLimit limit)
{
  if (whole == 0)
    return limit.part >= 0;
  return wp_exact_compare (part, whole, limit.part, MAX (limit.whole, 1)) <= 0;
}

static gboolean
are_within (const WpCalls *calls, const WpCallsNode *node, WpCallsLimit limit)
{
  for (guint32 i = node->first_callee; i < node->first_callee + node->n_callees; i++)
    {
      const WpCallsEdge *edge = &calls->edges.data[calls->callees.data[i]];

      if (!is_within (edge->caller_time, calls->nodes.data[edge->callee].total, limit))
        return FALSE;
    }
  for (guint32 i = node->first_caller; i < node->first_caller + node->n_callers; i++)
    {
      const WpCallsEdge *edge = &calls->edges.data[calls->callers.data[i]];

      if (!is_within (edge->callee_time, calls->nodes.data[edge->caller].total, limit))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_hidden (const WpCalls *calls, const WpCallsNode *node, const WpCallsShowOptions *options)
{
  if (options->hide_self.part <= 0 && options->hide_subs.part <= 0)
    return FALSE;
  return calls->total == 0
         || (is_within (node->self, calls->total, options->hide_self) && are_within (calls, node, options->hide_subs));
}

typedef struct
{
  const WpCalls *calls;
  WpCallsOrder order;
} Order;

static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const Order *order = data;
  WpId i = *(const WpId *) a, j = *(const WpId *) b;
  const WpCallsNode *x = &order->calls->nodes.data[i], *y = &order->calls->nodes.data[j];

  if (order->order == WP_CALLS_BY_SELF && x->self != y->self)
    return WP_COMPARE (y->self, x->self);
  if (order->order == WP_CALLS_BY_TOTAL && x->total != y->total)
    return WP_COMPARE (y->total, x->total);
  return WP_COMPARE (i, j);
}

void
wp_calls_show (const WpCalls *calls, const WpCallsShowOptions *options, WpCallsShown *shown)
{
  Order order = { calls, options->order };

  *shown = (WpCallsShown) { .numbers = g_new0 (guint32, calls->nodes.len) };
  for (WpId i = 1; i < calls->nodes.len; i++)
    if (!is_hidden (calls, &calls->nodes.data[i], options))
      wp_array_push (&shown->nodes, i);
  if (shown->nodes.len > 1)
    g_qsort_with_data (shown->nodes.data, (int) shown->nodes.len, sizeof (WpId), compare, &order);
  for (guint32 i = 0; i < shown->nodes.len; i++)
    shown->numbers[shown->nodes.data[i]] = i + 1;
}

void
wp_calls_shown_clear (WpCallsShown *self)
{
  wp_array_clear (&self->nodes);
  g_clear_pointer (&self->numbers, g_free);
}
