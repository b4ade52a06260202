/* What the files of charts share: the place of the plot in the picture, and the look of a series. */
#pragma once

#include "paint/paint-private.h"

#define WP_PLOT_LEGEND_LINE 22.0
#define WP_PLOT_LEGEND_LINES 4
#define WP_DRAWING_POINT 3.5 /* radius */

typedef struct
{
  WpPainter *painter;
  cairo_t *cr;
  const WpChart *chart;
  const WpChartView *view;
  double x, y, width, height; /* of the plot */
  guint legend_lines;
} WpChartDrawing;

static inline double
wp_drawing_x (const WpChartDrawing *p, double x)
{
  return p->x + (x - p->view->x0) / (p->view->x1 - p->view->x0) * p->width;
}

static inline double
wp_drawing_y (const WpChartDrawing *p, double y)
{
  return p->y + p->height - (y - p->view->y0) / (p->view->y1 - p->view->y0) * p->height;
}

/* chart-axes.c */
void wp_drawing_axes (WpChartDrawing *p);
void wp_drawing_text (WpChartDrawing *p, const char *text, double x, double y, double width, double align); /* align: 0 … 1 */

/* Goes through the legend; with `paint` it is drawn. Returns how many lines it has; what does not fit is counted. */
guint wp_drawing_legend (WpChartDrawing *p, double left, double width, double top, gboolean paint);

/* chart-series.c */
void wp_drawing_series (WpChartDrawing *p);
void wp_drawing_hovered (WpChartDrawing *p, guint32 hovered);
WpRgb wp_drawing_color (const WpPainter *self, guint color);
void wp_drawing_add_mark (cairo_t *cr, guint shape, double x, double y, double r); /* of that shape, to the path */
void wp_drawing_set_line (WpChartDrawing *p, const WpChartSeries *series, double width);   /* with the dashes of a series */
