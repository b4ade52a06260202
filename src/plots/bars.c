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

/* The others have the last of the colours, a grey. Stacked ones stand on those of the series before, negative ones hang below; grouped ones stand side by side. */
static void
add_bars (WpChart *chart, const Placed *placed, guint32 n, guint32 n_categories, guint32 n_series, const char *const *names,
          gboolean stacked, gboolean others)
{
  g_autofree double *above = g_new0 (double, (gsize) n_categories + 1), *below = g_new0 (double, (gsize) n_categories + 1);
  double width = BAR_WIDTH / (stacked ? 1 : MAX (n_series, 1));
  guint32 i = 0;

  for (guint32 s = 0; s < n_series; s++)
    {
      wp_chart_begin (chart, WP_SERIES_BARS, names[s], others && s == n_series - 1 ? WP_PLOT_SERIES_MOST : s);
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

static GPtrArray *
texts_of (WpPlots *self, const WpIdArray *values)
{
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint32 i = 0; i < values->len; i++)
    g_ptr_array_add (texts, g_strdup (wp_plot_text (self, values->data[i], text)));
  return texts;
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
  WpValue others; /* of the categories or of the series; 0: none */
  gboolean one;   /* series, without a name, and that of the others */
} BarsDrawing;

static void
draw_bars (WpPlots *self, WpChart *chart, const BarsDrawing *drawing)
{
  const WpBarArray *bars = drawing->bars;
  g_autoptr (GHashTable) pers = g_hash_table_new (wp_hash_pointer, NULL), bys = g_hash_table_new (wp_hash_pointer, NULL);
  WpIdArray categories = { 0 }, series = { 0 };
  g_autofree Placed *placed = g_new (Placed, (gsize) bars->len + 1);
  g_autoptr (GPtrArray) category_names = NULL, series_names = NULL;

  for (guint32 i = 0; i < bars->len; i++)
    placed[i] = (Placed) { index_of (pers, bars->data[i].per, &categories),
                           drawing->one ? bars->data[i].by == drawing->others : index_of (bys, bars->data[i].by, &series),
                           bars->data[i].value * drawing->factor };
  put_last (&categories, drawing->others, placed, bars->len, G_STRUCT_OFFSET (Placed, category));
  put_last (&series, drawing->others, placed, bars->len, G_STRUCT_OFFSET (Placed, series));
  qsort (placed, bars->len, sizeof *placed, compare_placed);
  category_names = texts_of (self, &categories);
  series_names = texts_of (self, &series);
  if (drawing->one)
    g_ptr_array_add (series_names, g_strdup (""));
  if (drawing->one && drawing->others != 0)
    g_ptr_array_add (series_names, g_strdup (wp_value_string (self->profile->values, drawing->others)));
  for (guint i = 0; i < category_names->len; i++)
    wp_chart_category (chart, g_ptr_array_index (category_names, i));
  add_bars (chart, placed, bars->len, categories.len, series_names->len, (const char *const *) series_names->pdata,
            drawing->stacked || drawing->one, drawing->others != 0);
  wp_array_clear (&categories);
  wp_array_clear (&series);
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
                 &(BarsDrawing) { &bars, wp_plot_keeps_unit (func) ? wp_plot_factor (self, of) : 1, options->stacked, others.others, one });
      wp_chart_finish (picture->chart);
    }
  wp_plot_others_clear (&others);
  wp_array_clear (&bars);
  return good;
}
