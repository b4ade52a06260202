/* The heat map: how often each address was touched, as a square of cells. */
#include "plots/plots-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "profile/model/heap-map.h"

#define HEAT_CELLS 64 /* of a line, at most */

/* The range as a square of cells, a line of addresses after the other, from the bottom up. A cell's heat is the mean of its bytes. */
static void
add_heat (WpChart *chart, const WpHeatMap *map)
{
  guint32 line = MAX (1, (guint32) ceil (sqrt (map->map.len))), cell;

  cell = MAX (1, (line + HEAT_CELLS - 1) / HEAT_CELLS);
  line = (line + cell - 1) / cell * cell;
  for (guint32 y = 0; y < map->map.len; y += line)
    for (guint32 x = 0; x < line && y + x < map->map.len; x += cell)
      {
        guint32 n = MIN (cell, map->map.len - y - x);
        guint64 sum = 0;

        for (guint32 i = 0; i < n; i++)
          sum += map->map.data[y + x + i];
        wp_chart_add (chart, x, x + n, (double) map->min_address + y, (double) map->min_address + y + line, (double) sum / n);
      }
}

/* Whether something lies above what the map has room for. */
static gboolean
is_cut (const WpPlots *self, const WpHeatMap *map)
{
  const WpProfile *p = self->profile;

  for (guint32 i = 0; i < p->resources.len; i++)
    if (wp_value_number (p->values, wp_profile_field (p, i, "address")) > (double) map->max_address)
      return TRUE;
  return FALSE;
}

static char *
heat_title (const WpPlots *self, const WpHeatMap *map)
{
  char end[WP_FORMAT_MAX];

  if (!is_cut (self, map))
    return g_strdup (_ ("How often each address was allocated or freed"));
  return g_strdup_printf (_ ("How often each address below %s was allocated or freed"),
                          wp_unit_format (WP_UNIT_ADDRESS, (double) map->max_address, end));
}

gboolean
wp_plot_heat_map (WpPlots *self, const WpPlotOptions *options, WpPlotPicture *picture, WpProgress *progress, GError **error)
{
  g_autoptr (WpHeatMap) map = wp_heat_map_new (self->profile, error);
  g_autofree char *title = map != NULL ? heat_title (self, map) : NULL;
  WpChart *chart;

  (void) options, (void) progress;
  if (map == NULL)
    return FALSE;
  chart = picture->chart = wp_chart_new (title, _ ("bytes within the line"), _ ("address"));
  chart->value_name = wp_strings_intern (chart->strings, _ ("times"));
  chart->x.unit = WP_UNIT_BYTES;
  chart->y.unit = WP_UNIT_ADDRESS;
  wp_chart_begin (chart, WP_SERIES_CELLS, "", 0);
  add_heat (chart, map);
  wp_chart_finish (chart);
  return TRUE;
}
