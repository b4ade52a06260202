/* Around a chart: its axes and its legend. */
#include "paint/chart-drawing.h"

#include <glib/gi18n.h>
#include <math.h>

#define CATEGORY_MIN 64.0 /* pixels for the name of a category */

static gboolean
in_legend (const WpChartSeries *series)
{
  return series->kind != WP_SERIES_CELLS && series->kind != WP_SERIES_RINGS && series->n > 0 && series->name != 0;
}

static void
paint_swatch (WpChartDrawing *p, const WpChartSeries *series, double x, double y)
{
  wp_set_color (p->cr, wp_drawing_color (p->painter, series->color), 1);
  if (series->kind == WP_SERIES_POINTS || series->kind == WP_SERIES_SPREADS)
    {
      wp_drawing_add_mark (p->cr, series->color, x + 9, y, 4.5);
      cairo_fill (p->cr);
    }
  else if (series->kind == WP_SERIES_LINE)
    {
      wp_drawing_set_line (p, series, 2);
      cairo_move_to (p->cr, x, y);
      cairo_line_to (p->cr, x + 20, y);
      cairo_stroke (p->cr);
      cairo_set_dash (p->cr, NULL, 0, 0);
    }
  else
    {
      cairo_rectangle (p->cr, x + 2, y - 6, 14, 12);
      cairo_fill (p->cr);
    }
}

/* How many more there are, below the last line at the right. */
static void
legend_rest (WpChartDrawing *p, double right, double y, guint32 from)
{
  g_autofree char *text = NULL;
  const WpBoxLabel *label;
  guint n = 0;

  for (guint32 s = from; s < p->chart->series.len; s++)
    n += in_legend (&p->chart->series.data[s]);
  text = g_strdup_printf (ngettext ("and %u more", "and %u more", n), n);
  label = wp_labels_get (p->painter->labels, text);
  wp_set_color (p->cr, wp_theme_colors (p->painter->theme)->dim_text, 1);
  wp_labels_show (p->painter->labels, p->cr, label, right - wp_label_width (label) - 2, y, wp_label_width (label) + 2, 16, FALSE);
}

guint
wp_drawing_legend (WpChartDrawing *p, double left, double width, double top, gboolean paint)
{
  double x = left;
  guint line = 0;

  wp_labels_set_size (p->painter->labels, 11);
  for (guint32 s = 0; s < p->chart->series.len; s++)
    {
      const WpChartSeries *series = &p->chart->series.data[s];
      const WpBoxLabel *label;
      double w;

      if (!in_legend (series))
        continue;
      label = wp_labels_get (p->painter->labels, wp_chart_string (p->chart, series->name));
      w = MIN (ceil (wp_label_width (label)) + 1, width - 40);
      if (x > left && x + 26 + w > left + width)
        {
          line++;
          x = left;
        }
      if (line >= WP_PLOT_LEGEND_LINES)
        {
          if (paint)
            legend_rest (p, left + width, top + WP_PLOT_LEGEND_LINES * WP_PLOT_LEGEND_LINE - 6, s);
          return line;
        }
      if (paint)
        {
          double y = top + line * WP_PLOT_LEGEND_LINE;

          paint_swatch (p, series, x, y + WP_PLOT_LEGEND_LINE / 2);
          wp_set_color (p->cr, wp_theme_colors (p->painter->theme)->text, 1);
          wp_labels_show (p->painter->labels, p->cr, label, x + 26, y, w, WP_PLOT_LEGEND_LINE, TRUE);
        }
      x += 26 + w + 20;
    }
  return x > left ? line + 1 : line;
}

void
wp_drawing_text (WpChartDrawing *p, const char *text, double x, double y, double width, double align)
{
  const WpBoxLabel *label = wp_labels_get (p->painter->labels, text);
  double w = MIN (ceil (wp_label_width (label)) + 1, width);

  wp_labels_show (p->painter->labels, p->cr, label, x + (width - w) * align, y, w, 16, TRUE);
}

typedef void (*PaintTick) (WpChartDrawing *p, double value, const char *text);

/* From one value to another, on so many pixels; a tick has at least so many for itself. */
static void
paint_ticks (WpChartDrawing *p, const WpChartAxis *axis, double from, double to, double room, double least_room, PaintTick paint)
{
  double step = wp_unit_step (axis->unit, (to - from) * least_room / MAX (room, 1));
  char text[WP_FORMAT_MAX];
  WpTicks ticks;

  step = axis->whole ? MAX (step, 1) : step;
  ticks = wp_ticks (from, to, step, room / least_room + 2);
  for (guint i = 0; i < ticks.n; i++)
    {
      double v = wp_tick (&ticks, i);

      paint (p, v, wp_unit_format_tick (axis->unit, fabs (v) < step * 1e-6 ? 0 : v, step, text));
    }
}

/* What is written beside it comes next. */
static void
paint_grid_line (WpChartDrawing *p, double x, double y, double width, double height)
{
  const WpThemeColors *colors = wp_theme_colors (p->painter->theme);

  wp_set_color (p->cr, colors->grid, 1);
  cairo_rectangle (p->cr, x, y, width, height);
  cairo_fill (p->cr);
  wp_set_color (p->cr, colors->text, 1);
}

static void
paint_y_tick (WpChartDrawing *p, double value, const char *text)
{
  double y = round (wp_drawing_y (p, value));

  paint_grid_line (p, p->x, y, p->width, 1);
  wp_drawing_text (p, text, 22, y - 8, p->x - 28, 1);
}

static void
paint_x_tick (WpChartDrawing *p, double value, const char *text)
{
  double x = round (wp_drawing_x (p, value));

  paint_grid_line (p, x, p->y, 1, p->height);
  wp_drawing_text (p, text, x - 54, p->y + p->height + 5, 108, 0.5);
}

static void
paint_categories (WpChartDrawing *p)
{
  double slot = p->width / (p->view->x1 - p->view->x0);
  guint32 every = (guint32) MAX (1, ceil (CATEGORY_MIN / slot)), n = p->chart->categories.len;
  guint32 first = (guint32) MAX (0, floor (p->view->x0));

  first -= first % every;
  for (guint32 i = first; i < n && i <= p->view->x1 + 1; i += every)
    {
      double x = wp_drawing_x (p, i), w = slot * every - 6;

      if (x < p->x || x > p->x + p->width)
        continue;
      wp_drawing_text (p, wp_chart_string (p->chart, p->chart->categories.data[i]), x - w / 2, p->y + p->height + 5, w, 0.5);
    }
}

void
wp_drawing_axes (WpChartDrawing *p)
{
  const WpThemeColors *colors = wp_theme_colors (p->painter->theme);

  wp_labels_set_size (p->painter->labels, 11);
  paint_ticks (p, &p->chart->y, p->view->y0, p->view->y1, p->height, 44, paint_y_tick);
  if (p->chart->categories.len > 0)
    paint_categories (p);
  else
    paint_ticks (p, &p->chart->x, p->view->x0, p->view->x1, p->width, 110, paint_x_tick);
  wp_set_color (p->cr, colors->dim_text, 1);
  wp_drawing_text (p, wp_chart_string (p->chart, p->chart->x.name), p->x, p->y + p->height + 24, p->width, 0.5);
  cairo_save (p->cr);
  cairo_translate (p->cr, 4, p->y + p->height);
  cairo_rotate (p->cr, -G_PI / 2);
  wp_drawing_text (p, wp_chart_string (p->chart, p->chart->y.name), 0, 0, p->height, 0.5);
  cairo_restore (p->cr);
  wp_set_color (p->cr, colors->separator, 1);
  cairo_rectangle (p->cr, p->x, p->y, 1, p->height);
  cairo_rectangle (p->cr, p->x, p->y + p->height, p->width, 1);
  cairo_fill (p->cr);
}
