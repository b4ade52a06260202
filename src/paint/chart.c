/* A chart: its plot within axes and legend, what is at a place of it, and the whole of it as a picture. */
#include "paint/chart-drawing.h"

#include <math.h>

#define LEFT 84.0
#define LEFT_ADDRESS 132.0
#define RIGHT 18.0
#define TOP 38.0
#define BOTTOM 46.0
#define NEAR 12.0 /* pixels: how far a point may be from the pointer */

static WpChartDrawing
plot_of (WpPainter *painter, cairo_t *cr, const WpChartPlace *place)
{
  WpChartDrawing p = { .painter = painter, .cr = cr, .chart = place->chart, .view = place->view, .y = TOP };

  p.x = place->chart->y.unit == WP_UNIT_ADDRESS ? LEFT_ADDRESS : LEFT;
  p.width = MAX (place->width - p.x - RIGHT, 20);
  p.legend_lines = wp_drawing_legend (&p, p.x, p.width, 0, FALSE);
  p.height = place->height - TOP - BOTTOM - p.legend_lines * WP_PLOT_LEGEND_LINE - (p.legend_lines == WP_PLOT_LEGEND_LINES ? 12 : 0);
  p.height = MAX (p.height, 20);
  return p;
}

void
wp_painter_chart (WpPainter *self, cairo_t *cr, const WpChartPlace *place, guint32 hovered)
{
  WpChartDrawing p = plot_of (self, cr, place);

  wp_labels_trim (self->labels);
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, place->width, place->height);
  cairo_clip (cr);
  wp_set_color (cr, wp_theme_colors (self->theme)->background, 1);
  cairo_paint (cr);
  wp_labels_set_size (self->labels, 14);
  wp_set_color (cr, wp_theme_colors (self->theme)->text, 1);
  wp_drawing_text (&p, wp_chart_string (place->chart, place->chart->title), p.x, 10, p.width, 0);
  wp_drawing_axes (&p);
  cairo_save (cr);
  cairo_rectangle (cr, p.x, p.y, p.width, p.height);
  cairo_clip (cr);
  wp_drawing_series (&p);
  wp_drawing_hovered (&p, hovered);
  cairo_restore (cr);
  wp_drawing_legend (&p, p.x, p.width, p.y + p.height + BOTTOM, TRUE);
  cairo_restore (cr);
}

void
wp_painter_chart_hovered (WpPainter *self, cairo_t *cr, const WpChartPlace *place, guint32 hovered)
{
  WpChartDrawing p = plot_of (self, cr, place);

  cairo_save (cr);
  cairo_rectangle (cr, p.x, p.y, p.width, p.height);
  cairo_clip (cr);
  wp_drawing_hovered (&p, hovered);
  cairo_restore (cr);
}

/* --- what is at a place --------------------------------------------------------------------------------------------- */

/* How far a place is from a point in pixels; within a rectangle: 0. */
static double
distance (const WpChartDrawing *p, const WpChartPoint *point, double x, double y)
{
  double x0 = wp_drawing_x (p, point->x0), x1 = wp_drawing_x (p, point->x1), ya = wp_drawing_y (p, point->y0), yb = wp_drawing_y (p, point->y1);
  double dx = MAX (MAX (x0 - x, x - x1), 0), dy = MAX (MAX (MIN (ya, yb) - y, y - MAX (ya, yb)), 0);

  return hypot (dx, dy);
}

void
wp_painter_chart_place (WpPainter *self, const WpChartPlace *place, double x, double y, double *chart_x, double *chart_y)
{
  WpChartDrawing p = plot_of (self, NULL, place);
  const WpChartView *view = place->view;

  *chart_x = view->x0 + (x - p.x) / p.width * (view->x1 - view->x0);
  *chart_y = view->y0 + (p.y + p.height - y) / p.height * (view->y1 - view->y0);
}

guint32
wp_painter_chart_at (WpPainter *self, const WpChartPlace *place, double x, double y)
{
  WpChartDrawing p = plot_of (self, NULL, place);
  guint32 best = G_MAXUINT32;
  double nearest = NEAR;

  if (x < p.x - NEAR || x > p.x + p.width + NEAR || y < p.y - NEAR || y > p.y + p.height + NEAR)
    return best;
  for (guint32 i = 0; i < place->chart->points.len; i++)
    {
      const WpChartPoint *point = &place->chart->points.data[i];
      double d;

      if (wp_drawing_x (&p, point->x0) > x + NEAR || wp_drawing_x (&p, point->x1) < x - NEAR)
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
  WpChartPlace place;
} ChartPicture;

static void
paint_picture (cairo_t *cr, gpointer data)
{
  const ChartPicture *self = data;

  wp_painter_chart (self->painter, cr, &self->place, G_MAXUINT32);
}

gboolean
wp_picture_write_chart (const char *path, WpPictureFormat format, const WpChartPlace *place, WpTheme theme, GError **error)
{
  g_autoptr (WpPainter) painter = wp_painter_new (NULL, theme);
  const WpChartView whole = wp_chart_whole (place->chart);
  ChartPicture picture = { painter, { .chart = place->chart,
                                      .view = place->view != NULL ? place->view : &whole,
                                      .width = wp_picture_width (place->width),
                                      .height = CLAMP (floor (place->height), 240, WP_PICTURE_HEIGHT_MAX) } };

  return wp_picture_paint (path, format, picture.place.width, picture.place.height, wp_chart_string (place->chart, place->chart->title),
                           paint_picture, &picture, error);
}
