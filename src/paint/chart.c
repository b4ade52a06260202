/* Charts: axes, series, legend. */
#include "paint/raster.h"

#include <glib/gi18n.h>
#include <math.h>

#define LEFT 84.0
#define LEFT_ADDRESS 132.0
#define NARROW 4.0   /* pixels: bars below it stand without gaps */
#define GAPLESS 1.25 /* of a bar: up to the next one, see BAR_WIDTH of the bars' view */
#define MANY 20000 /* marks: from here on they are set pixel by pixel */
#define RIGHT 18.0
#define TOP 38.0
#define BOTTOM 46.0
#define LEGEND_LINE 22.0
#define LEGEND_LINES 4
#define POINT_RADIUS 3.5
#define NEAR 12.0        /* pixels: how far a point may be from the pointer */
#define CATEGORY_MIN 64.0 /* pixels for the name of a category */
#define N_COLORS 8

#define HEX(c) { ((c) >> 16) / 255.0, ((c) >> 8 & 255) / 255.0, ((c) & 255) / 255.0 }

/* Told apart by people who see colours differently, too, and by the shape of the marks and the dashes of the lines. */
static const WpRgb colors_of[2][N_COLORS] = {
  { HEX (0x0072b2), HEX (0xd55e00), HEX (0x00795a), HEX (0xb0478c), HEX (0x8a6a00), HEX (0x2d86b8), HEX (0x7a2048),
    HEX (0x555555) },
  { HEX (0x5ab4e6), HEX (0xf0a030), HEX (0x34c79e), HEX (0xe79ac6), HEX (0xf0e442), HEX (0x9fd4f7), HEX (0xe08aa8),
    HEX (0xcccccc) },
};

static const double dashes[][4] = { { 0 }, { 7, 4 }, { 2, 3 }, { 9, 3, 2, 3 } };

static WpRgb
series_color (const WpPainter *self, guint color)
{
  return colors_of[self->theme == WP_THEME_DARK || self->theme == WP_THEME_DARK_CONTRAST][color % N_COLORS];
}

typedef struct
{
  WpPainter *painter;
  cairo_t *cr;
  const WpChart *chart;
  const WpChartView *view;
  double x, y, width, height; /* of the plot */
  guint legend_lines;
} Plot;

static inline double
plot_x (const Plot *p, double x)
{
  return p->x + (x - p->view->x0) / (p->view->x1 - p->view->x0) * p->width;
}

static inline double
plot_y (const Plot *p, double y)
{
  return p->y + p->height - (y - p->view->y0) / (p->view->y1 - p->view->y0) * p->height;
}

/* --- legend --------------------------------------------------------------------------------------------------------- */

static gboolean
in_legend (const WpChartSeries *series)
{
  return series->kind != WP_SERIES_CELLS && series->kind != WP_SERIES_RINGS && series->n > 0 && series->name != 0;
}

/* Adds a mark of that shape to the path. */
static void
add_mark (cairo_t *cr, guint shape, double x, double y, double r)
{
  static const guint8 corners[] = { 0, 4, 3, 4, 3 };
  static const double turns[] = { 0, G_PI / 4, -G_PI / 2, 0, G_PI / 2 };
  guint s = shape % G_N_ELEMENTS (corners);

  cairo_new_sub_path (cr);
  if (corners[s] == 0)
    cairo_arc (cr, x, y, r, 0, 2 * G_PI);
  for (guint i = 0; i < corners[s]; i++)
    {
      double angle = turns[s] + 2 * G_PI * i / corners[s];

      cairo_line_to (cr, x + r * 1.3 * cos (angle), y + r * 1.3 * sin (angle));
    }
  cairo_close_path (cr);
}

static void
set_line (Plot *p, const WpChartSeries *series, double width)
{
  guint32 index = (guint32) (series - p->chart->series.data);
  const double *dash = dashes[series->kind == WP_SERIES_LINE ? index % G_N_ELEMENTS (dashes) : 0];
  int n = 0;

  while (n < 4 && dash[n] > 0)
    n++;
  cairo_set_dash (p->cr, dash, n, 0);
  cairo_set_line_width (p->cr, width);
}

static void
paint_swatch (Plot *p, const WpChartSeries *series, double x, double y)
{
  wp_set_color (p->cr, series_color (p->painter, series->color), 1);
  if (series->kind == WP_SERIES_POINTS || series->kind == WP_SERIES_SPREADS)
    {
      add_mark (p->cr, series->color, x + 9, y, 4.5);
      cairo_fill (p->cr);
    }
  else if (series->kind == WP_SERIES_LINE)
    {
      set_line (p, series, 2);
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
legend_rest (Plot *p, double right, double y, guint32 from)
{
  g_autofree char *text = NULL;
  const WpLabel *label;
  guint n = 0;

  for (guint32 s = from; s < p->chart->series.len; s++)
    n += in_legend (&p->chart->series.data[s]);
  text = g_strdup_printf (ngettext ("and %u more", "and %u more", n), n);
  label = wp_labels_get (p->painter->labels, text);
  wp_set_color (p->cr, wp_theme_colors (p->painter->theme)->dim_text, 1);
  wp_labels_show (p->painter->labels, p->cr, label, right - wp_label_width (label) - 2, y, wp_label_width (label) + 2, 16, FALSE);
}

/* Goes through the legend; with `paint` it is drawn. Returns how many lines it has; what does not fit is counted. */
static guint
legend (Plot *p, double left, double width, double top, gboolean paint)
{
  double x = left;
  guint line = 0;

  wp_labels_set_size (p->painter->labels, 11);
  for (guint32 s = 0; s < p->chart->series.len; s++)
    {
      const WpChartSeries *series = &p->chart->series.data[s];
      const WpLabel *label;
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
      if (line >= LEGEND_LINES)
        {
          if (paint)
            legend_rest (p, left + width, top + LEGEND_LINES * LEGEND_LINE - 6, s);
          return line;
        }
      if (paint)
        {
          double y = top + line * LEGEND_LINE;

          paint_swatch (p, series, x, y + LEGEND_LINE / 2);
          wp_set_color (p->cr, wp_theme_colors (p->painter->theme)->text, 1);
          wp_labels_show (p->painter->labels, p->cr, label, x + 26, y, w, LEGEND_LINE, TRUE);
        }
      x += 26 + w + 20;
    }
  return x > left ? line + 1 : line;
}

/* --- axes ----------------------------------------------------------------------------------------------------------- */

static void
show_text (Plot *p, const char *text, double x, double y, double width, double align)
{
  const WpLabel *label = wp_labels_get (p->painter->labels, text);
  double w = MIN (ceil (wp_label_width (label)) + 1, width);

  wp_labels_show (p->painter->labels, p->cr, label, x + (width - w) * align, y, w, 16, TRUE);
}

static double
tick_step (const WpChartAxis *axis, double length, double room, double least_room)
{
  double step = wp_unit_step (axis->unit, length * least_room / MAX (room, 1));

  return axis->whole ? MAX (step, 1) : step;
}

static void
paint_y_axis (Plot *p)
{
  const WpThemeColors *colors = wp_theme_colors (p->painter->theme);
  double step = tick_step (&p->chart->y, p->view->y1 - p->view->y0, p->height, 44);

  for (double v = ceil (p->view->y0 / step - 1e-9) * step; v <= p->view->y1 + step * 1e-9; v += step)
    {
      double y = round (plot_y (p, v));
      char text[WP_FORMAT_MAX];

      wp_set_color (p->cr, colors->grid, 1);
      cairo_rectangle (p->cr, p->x, y, p->width, 1);
      cairo_fill (p->cr);
      wp_set_color (p->cr, colors->text, 1);
      show_text (p, wp_unit_format_tick (p->chart->y.unit, fabs (v) < step * 1e-6 ? 0 : v, step, text), 22, y - 8, p->x - 28, 1);
    }
}

static void
paint_categories (Plot *p)
{
  double slot = p->width / (p->view->x1 - p->view->x0);
  guint32 every = (guint32) MAX (1, ceil (CATEGORY_MIN / slot)), n = p->chart->categories.len;
  guint32 first = (guint32) MAX (0, floor (p->view->x0));

  first -= first % every;
  for (guint32 i = first; i < n && i <= p->view->x1 + 1; i += every)
    {
      double x = plot_x (p, i), w = slot * every - 6;

      if (x < p->x || x > p->x + p->width)
        continue;
      show_text (p, wp_chart_string (p->chart, p->chart->categories.data[i]), x - w / 2, p->y + p->height + 5, w, 0.5);
    }
}

static void
paint_x_axis (Plot *p)
{
  const WpThemeColors *colors = wp_theme_colors (p->painter->theme);
  double step = tick_step (&p->chart->x, p->view->x1 - p->view->x0, p->width, 110);

  for (double v = ceil (p->view->x0 / step - 1e-9) * step; v <= p->view->x1 + step * 1e-9; v += step)
    {
      double x = round (plot_x (p, v));
      char text[WP_FORMAT_MAX];

      wp_set_color (p->cr, colors->grid, 1);
      cairo_rectangle (p->cr, x, p->y, 1, p->height);
      cairo_fill (p->cr);
      wp_set_color (p->cr, colors->text, 1);
      show_text (p, wp_unit_format_tick (p->chart->x.unit, fabs (v) < step * 1e-6 ? 0 : v, step, text), x - 54, p->y + p->height + 5,
                 108, 0.5);
    }
}

static void
paint_axes (Plot *p)
{
  const WpThemeColors *colors = wp_theme_colors (p->painter->theme);

  wp_labels_set_size (p->painter->labels, 11);
  paint_y_axis (p);
  if (p->chart->categories.len > 0)
    paint_categories (p);
  else
    paint_x_axis (p);
  wp_set_color (p->cr, colors->dim_text, 1);
  show_text (p, wp_chart_string (p->chart, p->chart->x.name), p->x, p->y + p->height + 24, p->width, 0.5);
  cairo_save (p->cr);
  cairo_translate (p->cr, 4, p->y + p->height);
  cairo_rotate (p->cr, -G_PI / 2);
  show_text (p, wp_chart_string (p->chart, p->chart->y.name), 0, 0, p->height, 0.5);
  cairo_restore (p->cr);
  wp_set_color (p->cr, colors->separator, 1);
  cairo_rectangle (p->cr, p->x, p->y, 1, p->height);
  cairo_rectangle (p->cr, p->x, p->y + p->height, p->width, 1);
  cairo_fill (p->cr);
}

/* --- series --------------------------------------------------------------------------------------------------------- */

static void
set_points (Plot *p, WpRaster *raster, const WpChartSeries *series)
{
  WpRgb color = series_color (p->painter, series->color);

  for (guint32 i = series->first; i < series->first + series->n; i++)
    wp_raster_dot (raster, plot_x (p, p->chart->points.data[i].x0) - p->x, plot_y (p, p->chart->points.data[i].y0) - p->y, color);
}

/* Bars, areas with their upper edges, and cells. */
static void
set_rectangles (Plot *p, WpRaster *raster, const WpChartSeries *series)
{
  WpRgb color = series_color (p->painter, series->color), accent = wp_theme_colors (p->painter->theme)->accent;

  for (guint32 i = series->first; i < series->first + series->n; i++)
    {
      const WpChartPoint *point = &p->chart->points.data[i];
      double x0 = plot_x (p, point->x0) - p->x, x1 = plot_x (p, point->x1) - p->x;
      double top = plot_y (p, MAX (point->y0, point->y1)) - p->y, bottom = plot_y (p, MIN (point->y0, point->y1)) - p->y;

      if (series->kind == WP_SERIES_BARS && x1 - x0 < NARROW) /* the gap beside it would be there for some and not for others */
        x1 = x0 + (x1 - x0) * GAPLESS;
      if (series->kind == WP_SERIES_CELLS && point->value > 0)
        wp_raster_fill (raster, x0, top, x1, bottom, accent, 0.18 + 0.82 * point->value / p->chart->highest);
      else if (series->kind == WP_SERIES_BARS)
        wp_raster_fill (raster, x0, top, x1, bottom, color, 1);
      else if (series->kind == WP_SERIES_AREA)
        {
          wp_raster_fill (raster, x0, top, x1, bottom, color, 0.45);
          wp_raster_fill (raster, x0, plot_y (p, point->y1) - p->y - 0.5, x1, plot_y (p, point->y1) - p->y + 0.5, color, 1);
        }
    }
}

/* Points that fall on the same pixel are one: a million of them cost no more than the pixels. */
static void
paint_points (Plot *p, const WpChartSeries *series)
{
  int width = (int) ceil (p->width) + 1, height = (int) ceil (p->height) + 1;
  g_autofree guint8 *taken = g_malloc0 ((gsize) width * (gsize) height);
  guint batch = 0;

  for (guint32 i = series->first; i < series->first + series->n; i++)
    {
      const WpChartPoint *point = &p->chart->points.data[i];
      double x = plot_x (p, point->x0), y = plot_y (p, point->y0);
      int px = (int) floor (CLAMP (x - p->x, -1, width)), py = (int) floor (CLAMP (y - p->y, -1, height));

      if (px < 0 || py < 0 || px >= width || py >= height || taken[(gsize) py * (gsize) width + (gsize) px])
        continue;
      taken[(gsize) py * (gsize) width + (gsize) px] = 1;
      add_mark (p->cr, series->color, x, y, POINT_RADIUS);
      if (++batch % 64 == 0)
        cairo_fill (p->cr);
    }
  cairo_fill (p->cr);
}

static void
paint_line (Plot *p, const WpChartSeries *series)
{
  for (guint32 i = series->first; i < series->first + series->n; i++)
    cairo_line_to (p->cr, plot_x (p, p->chart->points.data[i].x0), CLAMP (plot_y (p, p->chart->points.data[i].y0), -1e5, 1e5));
  set_line (p, series, 2);
  cairo_stroke (p->cr);
  cairo_set_dash (p->cr, NULL, 0, 0);
}

static void
add_rectangle (const Plot *p, const WpChartPoint *point, double gap)
{
  double x0 = CLAMP (plot_x (p, point->x0), p->x - 10, p->x + p->width + 10);
  double x1 = CLAMP (plot_x (p, point->x1), p->x - 10, p->x + p->width + 10);
  double y0 = CLAMP (plot_y (p, MAX (point->y0, point->y1)), p->y - 10, p->y + p->height + 10);
  double y1 = CLAMP (plot_y (p, MIN (point->y0, point->y1)), p->y - 10, p->y + p->height + 10);

  if (x1 - x0 < 4)
    gap = 0;
  cairo_rectangle (p->cr, x0, y0, MAX (x1 - x0 - gap, 0.5), MAX (y1 - y0, point->y0 == point->y1 ? 0 : 0.5));
}

static void
paint_bars (Plot *p, const WpChartSeries *series)
{
  WpRgb color = series_color (p->painter, series->color);
  gboolean area = series->kind == WP_SERIES_AREA;

  for (guint32 i = series->first; i < series->first + series->n; i++)
    add_rectangle (p, &p->chart->points.data[i], area ? 0 : 1);
  wp_set_color (p->cr, color, area ? 0.45 : 1);
  if (area)
    cairo_set_antialias (p->cr, CAIRO_ANTIALIAS_NONE);
  cairo_fill (p->cr);
  cairo_set_antialias (p->cr, CAIRO_ANTIALIAS_DEFAULT);
  if (!area)
    return;
  for (guint32 i = series->first; i < series->first + series->n; i++)
    {
      cairo_line_to (p->cr, plot_x (p, p->chart->points.data[i].x0), plot_y (p, p->chart->points.data[i].y1));
      cairo_line_to (p->cr, plot_x (p, p->chart->points.data[i].x1), plot_y (p, p->chart->points.data[i].y1));
    }
  wp_set_color (p->cr, color, 1);
  cairo_set_line_width (p->cr, 1.5);
  cairo_stroke (p->cr);
}

/* From the ground's colour to the accent's: the more, the stronger. What is zero is the ground. */
static void
paint_cells (Plot *p, const WpChartSeries *series)
{
  const WpThemeColors *colors = wp_theme_colors (p->painter->theme);

  cairo_set_antialias (p->cr, CAIRO_ANTIALIAS_NONE);
  for (guint32 i = series->first; i < series->first + series->n; i++)
    {
      const WpChartPoint *point = &p->chart->points.data[i];
      double share = p->chart->highest > 0 ? point->value / p->chart->highest : 0;

      if (point->value <= 0)
        continue;
      wp_set_color (p->cr, colors->accent, 0.18 + 0.82 * share);
      add_rectangle (p, point, 0);
      cairo_fill (p->cr);
    }
  cairo_set_antialias (p->cr, CAIRO_ANTIALIAS_DEFAULT);
}

/* Of spreads that fall on the same pixel column one stands for all: the line through them goes from the lowest to the highest. */
static void
paint_whiskers (Plot *p, const WpChartSeries *series)
{
  double last = -1e9, low = 0, high = 0;

  for (guint32 i = series->first; i < series->first + series->n; i++)
    {
      const WpChartPoint *point = &p->chart->points.data[i];
      double x = round (plot_x (p, point->x0)), y0 = plot_y (p, point->y0), y1 = plot_y (p, point->y1);

      if (point->y1 <= point->y0 || x < p->x - 10 || x > p->x + p->width + 10 || (x == last && y0 <= low && y1 >= high))
        continue;
      last = x;
      low = y0;
      high = y1;
      cairo_rectangle (p->cr, x - 1, y1, 2, MAX (y0 - y1, 1));
      cairo_rectangle (p->cr, x - 4, y1, 8, 1);
      cairo_rectangle (p->cr, x - 4, y0, 8, 1);
    }
  cairo_fill (p->cr);
}

static void
paint_spreads (Plot *p, const WpChartSeries *series)
{
  WpRgb color = series_color (p->painter, series->color);
  double x, last = -1e9;

  wp_set_color (p->cr, color, 0.5);
  paint_whiskers (p, series);
  for (guint32 i = series->first; i < series->first + series->n; i++)
    cairo_line_to (p->cr, plot_x (p, p->chart->points.data[i].x0), CLAMP (plot_y (p, p->chart->points.data[i].value), -1e5, 1e5));
  wp_set_color (p->cr, color, 1);
  cairo_set_line_width (p->cr, 1.5);
  cairo_stroke (p->cr);
  for (guint32 i = series->first; i < series->first + series->n; i++)
    {
      x = plot_x (p, p->chart->points.data[i].x0);
      if (x - last < 0.5 || x < p->x - 10 || x > p->x + p->width + 10)
        continue; /* the line goes there anyway */
      last = x;
      add_mark (p->cr, series->color, x, plot_y (p, p->chart->points.data[i].value), POINT_RADIUS);
      cairo_fill (p->cr);
    }
}

static void
paint_rings (Plot *p, const WpChartSeries *series)
{
  const WpLabel *label = wp_labels_get (p->painter->labels, wp_chart_string (p->chart, series->name));

  wp_set_color (p->cr, wp_theme_colors (p->painter->theme)->text, 1);
  for (guint32 i = series->first; i < series->first + series->n; i++)
    {
      double x = plot_x (p, p->chart->points.data[i].x0), y = plot_y (p, p->chart->points.data[i].y0);
      double above = y - 26 < p->y ? y + 10 : y - 26, w = ceil (wp_label_width (label)) + 1;

      cairo_new_sub_path (p->cr);
      cairo_arc (p->cr, x, y, POINT_RADIUS + 4, 0, 2 * G_PI);
      cairo_set_line_width (p->cr, 2);
      cairo_stroke (p->cr);
      wp_labels_show (p->painter->labels, p->cr, label, x - w / 2, above, w, 16, FALSE);
    }
}

typedef void (*PaintSeries) (Plot *p, const WpChartSeries *series);

static const PaintSeries series_painters[] = {
  [WP_SERIES_POINTS] = paint_points, [WP_SERIES_LINE] = paint_line, [WP_SERIES_AREA] = paint_bars,
  [WP_SERIES_BARS] = paint_bars,     [WP_SERIES_CELLS] = paint_cells, [WP_SERIES_SPREADS] = paint_spreads,
  [WP_SERIES_RINGS] = paint_rings,
};

static gboolean
is_set (const WpChartSeries *series)
{
  return series->kind == WP_SERIES_POINTS || series->kind == WP_SERIES_AREA || series->kind == WP_SERIES_BARS
         || series->kind == WP_SERIES_CELLS;
}

/* All but lines and rings, pixel by pixel. FALSE: they are too few for that, or there is no memory for it. */
static gboolean
set_series (Plot *p)
{
  WpRaster raster;

  if (p->chart->points.len < MANY || !wp_raster_begin (&raster, p->width, p->height))
    return FALSE;
  for (guint32 s = 0; s < p->chart->series.len; s++)
    {
      const WpChartSeries *series = &p->chart->series.data[s];

      if (series->kind == WP_SERIES_POINTS)
        set_points (p, &raster, series);
      else if (is_set (series))
        set_rectangles (p, &raster, series);
    }
  wp_raster_end (&raster, p->cr, p->x, p->y);
  return TRUE;
}

static void
paint_series (Plot *p)
{
  gboolean set = set_series (p);

  for (guint32 s = 0; s < p->chart->series.len; s++)
    if (!set || !is_set (&p->chart->series.data[s]))
      {
        wp_set_color (p->cr, series_color (p->painter, p->chart->series.data[s].color), 1);
        series_painters[p->chart->series.data[s].kind](p, &p->chart->series.data[s]);
      }
}

static void
paint_hovered (Plot *p, guint32 hovered)
{
  const WpChartPoint *point;
  gboolean spread;

  if (hovered >= p->chart->points.len)
    return;
  point = &p->chart->points.data[hovered];
  spread = p->chart->series.data[wp_chart_series_of (p->chart, hovered)].kind == WP_SERIES_SPREADS;
  if (point->x0 == point->x1)
    cairo_arc (p->cr, plot_x (p, point->x0), plot_y (p, spread ? point->value : point->y0), POINT_RADIUS + 3, 0, 2 * G_PI);
  else
    add_rectangle (p, point, 0);
  wp_set_color (p->cr, wp_theme_colors (p->painter->theme)->text, 1);
  cairo_set_line_width (p->cr, 1.5);
  cairo_stroke (p->cr);
}

static Plot
plot_of (WpPainter *painter, cairo_t *cr, const WpChart *chart, const WpChartView *view, double width, double height)
{
  Plot p = { .painter = painter, .cr = cr, .chart = chart, .view = view, .y = TOP };

  p.x = chart->y.unit == WP_UNIT_ADDRESS ? LEFT_ADDRESS : LEFT;
  p.width = MAX (width - p.x - RIGHT, 20);
  p.legend_lines = legend (&p, p.x, p.width, 0, FALSE);
  p.height = MAX (height - TOP - BOTTOM - p.legend_lines * LEGEND_LINE - (p.legend_lines == LEGEND_LINES ? 12 : 0), 20);
  return p;
}

void
wp_painter_chart (WpPainter *self, cairo_t *cr, const WpChart *chart, const WpChartView *view, guint32 hovered, double width,
                  double height)
{
  Plot p = plot_of (self, cr, chart, view, width, height);

  wp_labels_trim (self->labels);
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  wp_set_color (cr, wp_theme_colors (self->theme)->background, 1);
  cairo_paint (cr);
  wp_labels_set_size (self->labels, 14);
  wp_set_color (cr, wp_theme_colors (self->theme)->text, 1);
  show_text (&p, wp_chart_string (chart, chart->title), p.x, 10, p.width, 0);
  paint_axes (&p);
  cairo_save (cr);
  cairo_rectangle (cr, p.x, p.y, p.width, p.height);
  cairo_clip (cr);
  paint_series (&p);
  paint_hovered (&p, hovered);
  cairo_restore (cr);
  legend (&p, p.x, p.width, p.y + p.height + BOTTOM, TRUE);
  cairo_restore (cr);
}

/* --- what is at a place --------------------------------------------------------------------------------------------- */

/* How far a place is from a point in pixels; within a rectangle: 0. */
static double
distance (const Plot *p, const WpChartPoint *point, double x, double y)
{
  double x0 = plot_x (p, point->x0), x1 = plot_x (p, point->x1), ya = plot_y (p, point->y0), yb = plot_y (p, point->y1);
  double dx = MAX (MAX (x0 - x, x - x1), 0), dy = MAX (MAX (MIN (ya, yb) - y, y - MAX (ya, yb)), 0);

  return hypot (dx, dy);
}

void
wp_painter_chart_hovered (WpPainter *self, cairo_t *cr, const WpChart *chart, const WpChartView *view, guint32 hovered, double width,
                          double height)
{
  Plot p = plot_of (self, cr, chart, view, width, height);

  cairo_save (cr);
  cairo_rectangle (cr, p.x, p.y, p.width, p.height);
  cairo_clip (cr);
  paint_hovered (&p, hovered);
  cairo_restore (cr);
}

void
wp_painter_chart_place (WpPainter *self, const WpChart *chart, const WpChartView *view, double width, double height, double x,
                        double y, double *chart_x, double *chart_y)
{
  Plot p = plot_of (self, NULL, chart, view, width, height);

  *chart_x = view->x0 + (x - p.x) / p.width * (view->x1 - view->x0);
  *chart_y = view->y0 + (p.y + p.height - y) / p.height * (view->y1 - view->y0);
}

guint32
wp_painter_chart_at (WpPainter *self, const WpChart *chart, const WpChartView *view, double width, double height, double x,
                     double y)
{
  Plot p = plot_of (self, NULL, chart, view, width, height);
  guint32 best = G_MAXUINT32;
  double nearest = NEAR;

  if (x < p.x - NEAR || x > p.x + p.width + NEAR || y < p.y - NEAR || y > p.y + p.height + NEAR)
    return best;
  for (guint32 i = 0; i < chart->points.len; i++)
    {
      const WpChartPoint *point = &chart->points.data[i];
      double d;

      if (plot_x (&p, point->x0) > x + NEAR || plot_x (&p, point->x1) < x - NEAR)
        continue;
      d = distance (&p, point, x, y);
      if (d < nearest)
        {
          nearest = d;
          best = i;
        }
    }
  return best;
}

/* --- pictures ------------------------------------------------------------------------------------------------------- */

typedef struct
{
  WpPainter *painter;
  const WpChart *chart;
  WpChartView view;
  double width, height;
} ChartPicture;

static void
paint_picture (cairo_t *cr, gpointer data)
{
  const ChartPicture *self = data;

  wp_painter_chart (self->painter, cr, self->chart, &self->view, G_MAXUINT32, self->width, self->height);
}

gboolean
wp_picture_write_chart (const char *path, WpPictureFormat format, const WpChart *chart, const WpChartView *view, double width,
                        double height, WpTheme theme, GError **error)
{
  g_autoptr (WpPainter) painter = wp_painter_new (NULL, theme);
  ChartPicture picture = { painter, chart, view != NULL ? *view : wp_chart_whole (chart), CLAMP (floor (width), 320, 30000),
                           CLAMP (floor (height), 240, 14000) };

  return wp_picture_paint (path, format, picture.width, picture.height, wp_chart_string (chart, chart->title), paint_picture,
                           &picture, error);
}
