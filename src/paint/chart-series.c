/* Series of a chart: points, lines, areas, bars, cells, spreads and rings. */
#include "paint/chart-drawing.h"

#include <math.h>

#include "paint/raster.h"

#define N_COLORS 8
#define NARROW 4.0   /* pixels: bars below it stand without gaps */
#define GAPLESS 1.25 /* of a bar: up to the next one, see BAR_WIDTH of the bars' view */
#define BESIDE 20.0  /* pixels: so far lines go on beside the plot */
#define MANY 20000   /* marks: from here on they are set pixel by pixel */

#define HEX(c) { ((c) >> 16) / 255.0, ((c) >> 8 & 255) / 255.0, ((c) & 255) / 255.0 }

/* Told apart by people who see colours differently, too, and by the shape of the marks and the dashes of the lines. */
static const WpRgb colors_of[2][N_COLORS] = {
  { HEX (0x0072b2), HEX (0xd55e00), HEX (0x00795a), HEX (0xb0478c), HEX (0x8a6a00), HEX (0x2d86b8), HEX (0x7a2048),
    HEX (0x555555) },
  { HEX (0x5ab4e6), HEX (0xf0a030), HEX (0x34c79e), HEX (0xe79ac6), HEX (0xf0e442), HEX (0x9fd4f7), HEX (0xe08aa8),
    HEX (0xcccccc) },
};

static const double dashes[][4] = { { 0 }, { 7, 4 }, { 2, 3 }, { 9, 3, 2, 3 } };

WpRgb
wp_drawing_color (const WpPainter *self, guint color)
{
  return colors_of[self->theme == WP_THEME_DARK || self->theme == WP_THEME_DARK_CONTRAST][color % N_COLORS];
}

void
wp_drawing_add_mark (cairo_t *cr, guint shape, double x, double y, double r)
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

void
wp_drawing_set_line (WpChartDrawing *p, const WpChartSeries *series, double width)
{
  guint32 index = (guint32) (series - p->chart->series.data);
  const double *dash = dashes[index % G_N_ELEMENTS (dashes)];
  int n = 0;

  while (n < 4 && dash[n] > 0)
    n++;
  cairo_set_dash (p->cr, dash, n, 0);
  cairo_set_line_width (p->cr, width);
}

static void
set_points (WpChartDrawing *p, WpRaster *raster, const WpChartSeries *series)
{
  WpRgb color = wp_drawing_color (p->painter, series->color);

  for (guint32 i = series->first; i < series->first + series->n; i++)
    wp_raster_dot (raster, wp_drawing_x (p, p->chart->points.data[i].x0) - p->x, wp_drawing_y (p, p->chart->points.data[i].y0) - p->y, color);
}

/* From the ground's colour to the accent's: the more, the stronger. */
static double
strength_of (const WpChartDrawing *p, const WpChartPoint *cell)
{
  return 0.18 + 0.82 * (cell->value / p->chart->highest);
}

/* Bars, areas with their upper edges, and cells. */
static void
set_rectangles (WpChartDrawing *p, WpRaster *raster, const WpChartSeries *series)
{
  WpRgb color = wp_drawing_color (p->painter, series->color), accent = wp_theme_colors (p->painter->theme)->accent;

  for (guint32 i = series->first; i < series->first + series->n; i++)
    {
      const WpChartPoint *point = &p->chart->points.data[i];
      double x0 = wp_drawing_x (p, point->x0) - p->x, x1 = wp_drawing_x (p, point->x1) - p->x;
      double top = wp_drawing_y (p, MAX (point->y0, point->y1)) - p->y, bottom = wp_drawing_y (p, MIN (point->y0, point->y1)) - p->y;

      if (series->kind == WP_SERIES_BARS && x1 - x0 < NARROW) /* the gap beside it would be there for some and not for others */
        x1 = x0 + (x1 - x0) * GAPLESS;
      if (series->kind == WP_SERIES_CELLS && point->value > 0)
        wp_raster_fill (raster, x0, top, x1, bottom, accent, strength_of (p, point));
      else if (series->kind == WP_SERIES_BARS)
        wp_raster_fill (raster, x0, top, x1, bottom, color, 1);
      else if (series->kind == WP_SERIES_AREA)
        {
          wp_raster_fill (raster, x0, top, x1, bottom, color, 0.45);
          wp_raster_fill (raster, x0, wp_drawing_y (p, point->y1) - p->y - 0.5, x1, wp_drawing_y (p, point->y1) - p->y + 0.5, color, 1);
        }
    }
}

/* Points that fall on the same pixel are one: a million of them cost no more than the pixels. */
static void
paint_points (WpChartDrawing *p, const WpChartSeries *series)
{
  int width = (int) ceil (p->width) + 1, height = (int) ceil (p->height) + 1;
  g_autofree guint8 *taken = g_malloc0 ((gsize) width * (gsize) height);
  guint batch = 0;

  for (guint32 i = series->first; i < series->first + series->n; i++)
    {
      const WpChartPoint *point = &p->chart->points.data[i];
      double x = wp_drawing_x (p, point->x0), y = wp_drawing_y (p, point->y0);
      int px = (int) floor (CLAMP (x - p->x, -1, width)), py = (int) floor (CLAMP (y - p->y, -1, height));

      if (px < 0 || py < 0 || px >= width || py >= height || taken[(gsize) py * (gsize) width + (gsize) px])
        continue;
      taken[(gsize) py * (gsize) width + (gsize) px] = 1;
      wp_drawing_add_mark (p->cr, series->color, x, y, WP_DRAWING_POINT);
      if (++batch % 64 == 0)
        cairo_fill (p->cr);
    }
  cairo_fill (p->cr);
}

/* Which stretch of a way is within a range, as shares of it; those that are known so far become smaller. FALSE: nothing is left. */
static gboolean
clip (double from, double to, double low, double high, double *enter, double *leave)
{
  double way = to - from;

  if (way == 0 || !isfinite (way))
    return from >= low && from <= high && way == 0;
  *enter = MAX (*enter, MIN ((low - from) / way, (high - from) / way));
  *leave = MIN (*leave, MAX ((low - from) / way, (high - from) / way));
  return *enter <= *leave;
}

/* What of a segment is seen. Close up the rest is miles, whose dashes would all be worked out. */
static void
add_segment (const WpChartDrawing *p, double x0, double y0, double x1, double y1)
{
  double enter = 0, leave = 1;

  if (!clip (x0, x1, p->x - BESIDE, p->x + p->width + BESIDE, &enter, &leave)
      || !clip (y0, y1, p->y - BESIDE, p->y + p->height + BESIDE, &enter, &leave))
    return;
  if (enter > 0 || !cairo_has_current_point (p->cr))
    cairo_move_to (p->cr, x0 + enter * (x1 - x0), y0 + enter * (y1 - y0));
  cairo_line_to (p->cr, leave < 1 ? x0 + leave * (x1 - x0) : x1, leave < 1 ? y0 + leave * (y1 - y0) : y1);
}

static void
paint_line (WpChartDrawing *p, const WpChartSeries *series)
{
  const WpChartPoint *points = p->chart->points.data;

  for (guint32 i = series->first + 1; i < series->first + series->n; i++)
    add_segment (p, wp_drawing_x (p, points[i - 1].x0), wp_drawing_y (p, points[i - 1].y0), wp_drawing_x (p, points[i].x0),
                 wp_drawing_y (p, points[i].y0));
  wp_drawing_set_line (p, series, 2);
  cairo_stroke (p->cr);
  cairo_set_dash (p->cr, NULL, 0, 0);
}

static void
add_rectangle (const WpChartDrawing *p, const WpChartPoint *point, double gap)
{
  double x0 = CLAMP (wp_drawing_x (p, point->x0), p->x - 10, p->x + p->width + 10);
  double x1 = CLAMP (wp_drawing_x (p, point->x1), p->x - 10, p->x + p->width + 10);
  double y0 = CLAMP (wp_drawing_y (p, MAX (point->y0, point->y1)), p->y - 10, p->y + p->height + 10);
  double y1 = CLAMP (wp_drawing_y (p, MIN (point->y0, point->y1)), p->y - 10, p->y + p->height + 10);

  if (x1 - x0 < NARROW)
    gap = 0;
  cairo_rectangle (p->cr, x0, y0, MAX (x1 - x0 - gap, 0.5), MAX (y1 - y0, point->y0 == point->y1 ? 0 : 0.5));
}

static void
paint_bars (WpChartDrawing *p, const WpChartSeries *series)
{
  WpRgb color = wp_drawing_color (p->painter, series->color);
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
      cairo_line_to (p->cr, wp_drawing_x (p, p->chart->points.data[i].x0), wp_drawing_y (p, p->chart->points.data[i].y1));
      cairo_line_to (p->cr, wp_drawing_x (p, p->chart->points.data[i].x1), wp_drawing_y (p, p->chart->points.data[i].y1));
    }
  wp_set_color (p->cr, color, 1);
  cairo_set_line_width (p->cr, 1.5);
  cairo_stroke (p->cr);
}

/* What is zero is the ground. */
static void
paint_cells (WpChartDrawing *p, const WpChartSeries *series)
{
  const WpThemeColors *colors = wp_theme_colors (p->painter->theme);

  cairo_set_antialias (p->cr, CAIRO_ANTIALIAS_NONE);
  for (guint32 i = series->first; i < series->first + series->n; i++)
    {
      const WpChartPoint *point = &p->chart->points.data[i];

      if (point->value <= 0)
        continue;
      wp_set_color (p->cr, colors->accent, strength_of (p, point));
      add_rectangle (p, point, 0);
      cairo_fill (p->cr);
    }
  cairo_set_antialias (p->cr, CAIRO_ANTIALIAS_DEFAULT);
}

/* Of spreads that fall on the same pixel column one stands for all: the line through them goes from the lowest to the highest. */
static void
paint_whiskers (WpChartDrawing *p, const WpChartSeries *series)
{
  double last = -1e9, low = 0, high = 0;

  for (guint32 i = series->first; i < series->first + series->n; i++)
    {
      const WpChartPoint *point = &p->chart->points.data[i];
      double x = round (wp_drawing_x (p, point->x0)), y0 = wp_drawing_y (p, point->y0), y1 = wp_drawing_y (p, point->y1);

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
paint_spreads (WpChartDrawing *p, const WpChartSeries *series)
{
  WpRgb color = wp_drawing_color (p->painter, series->color);
  double x, last = -1e9;

  wp_set_color (p->cr, color, 0.5);
  paint_whiskers (p, series);
  for (guint32 i = series->first; i < series->first + series->n; i++)
    cairo_line_to (p->cr, wp_drawing_x (p, p->chart->points.data[i].x0), CLAMP (wp_drawing_y (p, p->chart->points.data[i].value), -1e5, 1e5));
  wp_set_color (p->cr, color, 1);
  cairo_set_line_width (p->cr, 1.5);
  cairo_stroke (p->cr);
  for (guint32 i = series->first; i < series->first + series->n; i++)
    {
      x = wp_drawing_x (p, p->chart->points.data[i].x0);
      if (x - last < 0.5 || x < p->x - 10 || x > p->x + p->width + 10)
        continue; /* the line goes there anyway */
      last = x;
      wp_drawing_add_mark (p->cr, series->color, x, wp_drawing_y (p, p->chart->points.data[i].value), WP_DRAWING_POINT);
      cairo_fill (p->cr);
    }
}

static void
paint_rings (WpChartDrawing *p, const WpChartSeries *series)
{
  const WpBoxLabel *label = wp_labels_get (p->painter->labels, wp_chart_string (p->chart, series->name));

  wp_set_color (p->cr, wp_theme_colors (p->painter->theme)->text, 1);
  for (guint32 i = series->first; i < series->first + series->n; i++)
    {
      double x = wp_drawing_x (p, p->chart->points.data[i].x0), y = wp_drawing_y (p, p->chart->points.data[i].y0);
      double above = y - 26 < p->y ? y + 10 : y - 26, w = ceil (wp_label_width (label)) + 1;

      cairo_new_sub_path (p->cr);
      cairo_arc (p->cr, x, y, WP_DRAWING_POINT + 4, 0, 2 * G_PI);
      cairo_set_line_width (p->cr, 2);
      cairo_stroke (p->cr);
      wp_labels_show (p->painter->labels, p->cr, label, x - w / 2, above, w, 16, FALSE);
    }
}

typedef void (*PaintSeries) (WpChartDrawing *p, const WpChartSeries *series);

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

/* All but lines, rings and spreads, pixel by pixel. FALSE: they are too few for that, or there is no memory for it. */
static gboolean
set_series (WpChartDrawing *p)
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

void
wp_drawing_series (WpChartDrawing *p)
{
  gboolean set = set_series (p);

  for (guint32 s = 0; s < p->chart->series.len; s++)
    if (!set || !is_set (&p->chart->series.data[s]))
      {
        wp_set_color (p->cr, wp_drawing_color (p->painter, p->chart->series.data[s].color), 1);
        series_painters[p->chart->series.data[s].kind](p, &p->chart->series.data[s]);
      }
}

void
wp_drawing_hovered (WpChartDrawing *p, guint32 hovered)
{
  const WpChartPoint *point;
  gboolean spread;

  if (hovered >= p->chart->points.len)
    return;
  point = &p->chart->points.data[hovered];
  spread = p->chart->series.data[wp_chart_series_of (p->chart, hovered)].kind == WP_SERIES_SPREADS;
  if (point->x0 == point->x1)
    cairo_arc (p->cr, wp_drawing_x (p, point->x0), wp_drawing_y (p, spread ? point->value : point->y0), WP_DRAWING_POINT + 3, 0, 2 * G_PI);
  else
    add_rectangle (p, point, 0);
  wp_set_color (p->cr, wp_theme_colors (p->painter->theme)->text, 1);
  cairo_set_line_width (p->cr, 1.5);
  cairo_stroke (p->cr);
}
