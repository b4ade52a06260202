#include "stacks/trim.h"

#include "base/sort.h"
#include "stacks/measure.h"

typedef struct
{
  const WpGraph *graph;
  WpGraphOrder order;
} Order;

static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const Order *order = data;
  const WpGraphNode *x = &order->graph->nodes.data[*(const guint32 *) a], *y = &order->graph->nodes.data[*(const guint32 *) b];
  gint64 flat_x = wp_magnitude (x->flat.sum), flat_y = wp_magnitude (y->flat.sum);
  gint64 cum_x = wp_magnitude (x->cum.sum), cum_y = wp_magnitude (y->cum.sum);
  int by_flat = WP_COMPARE (flat_y, flat_x), by_cum = WP_COMPARE (cum_y, cum_x), by_name = strcmp (x->frame->name, y->frame->name);
  int first = order->order == WP_ORDER_FLAT ? by_flat : by_cum, last = order->order == WP_ORDER_FLAT ? by_cum : by_flat;

  return first != 0 ? first : by_name != 0 ? by_name : last;
}

/* The unit that suits the smallest value; where that is far below the whole, one hundred times of it. */
static const char *
choose_unit (const WpGraph *graph, const WpTrimmed *trimmed, const char *given)
{
  const char *least_unit, *most_unit;
  gint64 least = 0;

  for (guint32 i = 0; i < trimmed->nodes.len; i++)
    {
      const WpGraphNode *node = &graph->nodes.data[trimmed->nodes.data[i]];
      gint64 value = wp_magnitude (wp_graph_value (node->flat));

      if (value == 0)
        value = wp_magnitude (wp_graph_value (node->cum));
      if (value > 0 && (least == 0 || value < least))
        least = value;
    }
  least = least != 0 ? least : graph->total;
  wp_measure (least, given, "minimum", &least_unit);
  wp_measure (graph->total, given, "minimum", &most_unit);
  if (!g_str_equal (least_unit, most_unit) && least < graph->total / 100.0)
    wp_measure (wp_whole (100.0 * (double) least), given, "minimum", &least_unit);
  return *least_unit != '\0' ? least_unit : given;
}

static gint64
sum_of_flat (const WpGraph *graph)
{
  gint64 sum = 0;

  for (guint32 i = 0; i < graph->nodes.len; i++)
    sum = wp_sum (sum, graph->nodes.data[i].flat.sum);
  return sum;
}

static gboolean
is_negative (const WpGraphNode *node)
{
  return node->flat.sum < 0 || (node->flat.sum == 0 && node->cum.sum < 0);
}

void
wp_graph_trim (const WpGraph *graph, const WpTrimOptions *options, const char *given, const char *wanted, WpTrimmed *trimmed)
{
  Order order = { graph, options->order };
  gint64 cutoff = wp_magnitude (wp_whole ((double) sum_of_flat (graph) * options->node_fraction));

  *trimmed = (WpTrimmed) { .cutoff = wp_magnitude (wp_whole ((double) graph->total * options->node_fraction)), .unit = wanted };
  for (guint32 i = 0; i < graph->nodes.len; i++)
    if (options->drop_negative && is_negative (&graph->nodes.data[i]))
      continue;
    else if (cutoff == 0 || wp_magnitude (graph->nodes.data[i].cum.sum) >= cutoff)
      wp_array_push (&trimmed->nodes, i);
    else
      trimmed->dropped++;
  if (trimmed->nodes.len > 1)
    g_qsort_with_data (trimmed->nodes.data, (int) trimmed->nodes.len, sizeof *trimmed->nodes.data, compare, &order);
  trimmed->before_most = trimmed->nodes.len;
  if (options->most > 0)
    trimmed->nodes.len = MIN (trimmed->nodes.len, options->most);
  for (guint32 i = 0; i < trimmed->nodes.len; i++)
    trimmed->shown = wp_sum (trimmed->shown, wp_graph_value (graph->nodes.data[trimmed->nodes.data[i]].flat));
  if (wanted == NULL || g_str_equal (wanted, "minimum"))
    trimmed->unit = trimmed->nodes.len > 0 ? choose_unit (graph, trimmed, given) : "minimum";
}

void
wp_trimmed_clear (WpTrimmed *self)
{
  wp_array_clear (&self->nodes);
}
