/* Bars: a figure of the resources of each group, grouped or stacked. */
#include "base/hash.h"
#include "base/sort.h"
#include "plots/charts.h"

#include <math.h>
#include <string.h>

#define BAR_WIDTH 0.8 /* of its place */
#define BARS_MOST 40  /* beside the others, where they stand for texts */

static guint32
index_of (GHashTable *known, WpValue value, WpIdArray *list)
{
  guint32 at = GPOINTER_TO_UINT (g_hash_table_lookup (known, GUINT_TO_POINTER (value)));

  if (at != 0)
    return at - 1;
  wp_array_push (list, value);
  g_hash_table_insert (known, GUINT_TO_POINTER (value), GUINT_TO_POINTER (list->len));
  return list->len - 1;
}

typedef struct
{
  guint32 category, series;
  double value;
} Placed;

WP_DEFINE_COMPARE_2 (compare_placed, Placed, series, category)

typedef struct
{
  char *name;
  guint color;
} Series;

static void
clear_series (gpointer series)
{
  g_free (((Series *) series)->name);
}

/* Stacked ones stand on those of the series before, negative ones hang below; grouped ones stand side by side. */
static void
add_bars (WpChart *chart, const Placed *placed, guint32 n, guint32 n_categories, const GArray *series, gboolean stacked)
{
  g_autofree double *above = g_new0 (double, (gsize) n_categories + 1), *below = g_new0 (double, (gsize) n_categories + 1);
  double width = BAR_WIDTH / (stacked ? 1 : MAX (series->len, 1));
  guint32 i = 0;

  for (guint32 s = 0; s < series->len; s++)
    {
      const Series *one = &g_array_index (series, Series, s);

      wp_chart_begin (chart, WP_SERIES_BARS, one->name, one->color);
      for (; i < n && placed[i].series == s; i++)
        {
          double x = placed[i].category - BAR_WIDTH / 2 + (stacked ? 0 : s * width), value = placed[i].value;
          double *base = value < 0 ? &below[placed[i].category] : &above[placed[i].category];

          if (!isfinite (value))
            continue;
          wp_chart_add (chart, x, x + width, stacked ? *base : 0, stacked ? *base + value : value, value);
          *base += value;
        }
    }
}

/* The others come last. */
static void
put_last (WpIdArray *list, WpValue others, Placed *placed, guint32 n, gsize offset)
{
  guint32 at = 0;

  while (at < list->len && list->data[at] != others)
    at++;
  if (others == 0 || at == list->len)
    return;
  memmove (&list->data[at], &list->data[at + 1], (list->len - at - 1) * sizeof *list->data);
  list->data[list->len - 1] = others;
  for (guint32 i = 0; i < n; i++)
    {
      guint32 *index = (guint32 *) ((char *) &placed[i] + offset);

      *index = *index == at ? list->len - 1 : *index - (*index > at);
    }
}

typedef struct
{
  const WpBarArray *bars;
  double factor;
  gboolean stacked;
  const WpPlotOthers *others; /* of the categories or of the series */
  gboolean one;   /* series, without a name, and that of the others */
} BarsDrawing;

/* Of these values; where there is but one series beside the others, it has no name. */
static GArray *
series_of (WpPlots *self, const BarsDrawing *drawing, const WpIdArray *values)
{
  GArray *series = g_array_new (FALSE, FALSE, sizeof (Series));
  WpValue others = drawing->others->others;
  g_autoptr (GString) text = g_string_new (NULL);

  g_array_set_clear_func (series, clear_series);
  for (guint32 i = 0; i < values->len; i++)
    g_array_append_val (series, ((Series) { g_strdup (wp_plot_text (self, values->data[i], text)), wp_plot_series_color (drawing->others, values->data[i]) }));
  if (drawing->one)
    g_array_append_val (series, ((Series) { g_strdup (""), 0 }));
  if (drawing->one && others != 0)
    g_array_append_val (series, ((Series) { g_strdup (wp_value_string (self->profile->values, others)), wp_plot_series_color (drawing->others, others) }));
  return series;
}

static void
draw_bars (WpPlots *self, WpChart *chart, const BarsDrawing *drawing)
{
  const WpBarArray *bars = drawing->bars;
  g_autoptr (GHashTable) pers = g_hash_table_new (wp_hash_pointer, NULL), bys = g_hash_table_new (wp_hash_pointer, NULL);
  WpIdArray categories = { 0 }, groups = { 0 };
  WpValue others = drawing->others->others;
  g_autofree Placed *placed = g_new (Placed, (gsize) bars->len + 1);
  g_autoptr (GArray) series = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint32 i = 0; i < bars->len; i++)
    placed[i] = (Placed) { index_of (pers, bars->data[i].per, &categories),
                           drawing->one ? bars->data[i].by == others : index_of (bys, bars->data[i].by, &groups),
                           bars->data[i].value * drawing->factor };
  put_last (&categories, others, placed, bars->len, G_STRUCT_OFFSET (Placed, category));
  put_last (&groups, others, placed, bars->len, G_STRUCT_OFFSET (Placed, series));
  qsort (placed, bars->len, sizeof *placed, compare_placed);
  for (guint32 i = 0; i < categories.len; i++)
    wp_chart_category (chart, wp_plot_text (self, categories.data[i], text));
  series = series_of (self, drawing, &groups);
  add_bars (chart, placed, bars->len, categories.len, series, drawing->stacked || drawing->one);
  wp_array_clear (&categories);
  wp_array_clear (&groups);
}

/* Texts along the axis that are many are not told apart by colours as well. */
gboolean
wp_plot_bars (WpPlots *self, const WpPlotOptions *options, WpPlotPicture *picture, WpProgress *progress, GError **error)
{
  gboolean numbers = wp_plot_has_number (self, "amount");
  const char *of = wp_plot_field_or (options->of, "amount"), *per = wp_plot_field_or (options->per, wp_plot_along (self, WP_PLOT_BARS));
  const char *by = wp_plot_field_or (options->by, "uid");
  WpGroupFunc func = numbers || options->of != NULL ? options->func : WP_GROUP_COUNT;
  gboolean same = g_str_equal (per, by), one = same && wp_plot_count_texts (self, per) > WP_PLOT_SERIES_MOST + 1;
  WpBarArray bars = { 0 };
  WpPlotOthers others;
  gboolean good;

  (void) progress;
  wp_plot_others_gather (&others, self, by, wp_plot_keeps_unit (func) ? of : NULL, one ? BARS_MOST : same ? WP_PLOT_ALL : WP_PLOT_SERIES_MOST);
  good = wp_bars (&others.table, func, of, per, by, &bars, error);
  if (good)
    {
      picture->chart = wp_plot_grouped_chart (self, func, of, per);
      draw_bars (self, picture->chart,
                 &(BarsDrawing) { &bars, wp_plot_keeps_unit (func) ? wp_plot_factor (self, of) : 1, options->stacked, &others, one });
      wp_chart_finish (picture->chart);
    }
  wp_plot_others_clear (&others);
  wp_array_clear (&bars);
  return good;
}
