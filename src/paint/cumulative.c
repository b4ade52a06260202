/* The graph of how much is understood, category by category. */
#include "paint/paint-private.h"

#include "base/format.h"

#include <math.h>

#define SCALE_WIDTH 40.0 /* for the percentages at the left */
#define TOP 8.0
#define BOTTOM 4.0

typedef struct
{
  double x, y, width, height; /* of the plot */
} Plot;

static Plot
plot_of (double width, double height)
{
  return (Plot) { SCALE_WIDTH, TOP, MAX (width - SCALE_WIDTH - 2, 1), MAX (height - TOP - BOTTOM, 1) };
}

static double
column_x (const Plot *plot, guint c)
{
  return round (plot->x + plot->width * c / WP_CATEGORY_COUNT);
}

static double
share_y (const Plot *plot, double share)
{
  return round (plot->y + plot->height * (1 - share));
}

void
wp_cumulative_init (WpCumulative *self, const WpExplanation *explanation)
{
  self->differ = explanation->ns[WP_CATEGORY_OTHER_PATH] > 0;
  for (WpCategory c = 0; c < WP_CATEGORY_COUNT; c++)
    {
      self->all[c] = wp_explanation_cumulative (explanation, c, FALSE);
      self->without[c] = wp_explanation_cumulative (explanation, c, TRUE);
    }
}

static void
paint_scale (WpPainter *self, cairo_t *cr, const Plot *plot)
{
  const WpThemeColors *colors = wp_theme_colors (self->theme);

  for (guint i = 0; i <= 2; i++)
    {
      double y = share_y (plot, i / 2.0);
      char text[WP_FORMAT_MAX];
      const WpBoxLabel *label;

      g_snprintf (text, sizeof text, "%u %%", i * 50);
      label = wp_labels_get (self->labels, text);
      wp_set_color (cr, colors->dim_text, 1);
      wp_labels_show (self->labels, cr, label, plot->x - 6 - wp_label_width (label), MIN (y - 8, plot->y + plot->height - 14),
                      SCALE_WIDTH, 16, FALSE);
      wp_set_color (cr, colors->separator, i == 0 ? 1 : 0.5);
      cairo_rectangle (cr, plot->x, y, plot->width, 1);
      cairo_fill (cr);
    }
}

static void
paint_steps (WpPainter *self, cairo_t *cr, const Plot *plot, const double after[WP_CATEGORY_COUNT], WpCategory chosen)
{
  const WpThemeColors *colors = wp_theme_colors (self->theme);

  for (WpCategory c = 0; c < WP_CATEGORY_COUNT; c++)
    {
      double x = column_x (plot, c), y = share_y (plot, after[c]), from = share_y (plot, c > 0 ? after[c - 1] : 0);
      double w = column_x (plot, c + 1) - x;

      cairo_rectangle (cr, x, y, w, plot->y + plot->height - y);
      wp_set_color (cr, colors->accent, c == chosen ? 0.35 : 0.12);
      cairo_fill (cr);
      cairo_rectangle (cr, x, y, w, from - y); /* what this category adds */
      wp_set_color (cr, colors->accent, c == chosen ? 1 : 0.55);
      cairo_fill (cr);
    }
}

static void
trace_steps (cairo_t *cr, const Plot *plot, const double after[WP_CATEGORY_COUNT])
{
  cairo_move_to (cr, plot->x, share_y (plot, after[0]) + 0.5);
  for (WpCategory c = 0; c < WP_CATEGORY_COUNT; c++)
    {
      cairo_line_to (cr, column_x (plot, c), share_y (plot, after[c]) + 0.5);
      cairo_line_to (cr, column_x (plot, c + 1), share_y (plot, after[c]) + 0.5);
    }
}

void
wp_painter_cumulative (WpPainter *self, cairo_t *cr, const WpCumulative *shares, WpCategory chosen, double width,
                       double height)
{
  static const double dashes[] = { 4, 3 };
  const WpThemeColors *colors = wp_theme_colors (self->theme);
  Plot plot = plot_of (width, height);

  wp_labels_set_size (self->labels, 11);
  cairo_save (cr);
  paint_scale (self, cr, &plot);
  paint_steps (self, cr, &plot, shares->all, chosen);
  cairo_set_line_width (cr, 2);
  wp_set_color (cr, colors->accent, 1);
  trace_steps (cr, &plot, shares->all);
  cairo_stroke (cr);
  if (shares->differ)
    {
      cairo_set_line_width (cr, 1.5);
      cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0);
      wp_set_color (cr, colors->text, 0.9);
      trace_steps (cr, &plot, shares->without);
      cairo_stroke (cr);
    }
  cairo_restore (cr);
}

WpCategory
wp_cumulative_at (double x, double width)
{
  Plot plot = plot_of (width, 1);
  double c = floor ((x - plot.x) / plot.width * WP_CATEGORY_COUNT);

  return c >= 0 && c < WP_CATEGORY_COUNT ? (WpCategory) c : WP_CATEGORY_COUNT;
}
