/* What the files of charts share: the place of the plot in the picture, and the look of a series. */
#pragma once

#include "paint/paint-private.h"

#define WP_PLOT_LEGEND_LINE 22.0
#define WP_PLOT_LEGEND_LINES 4
#define WP_PLOT_POINT 3.5 /* radius */

typedef struct
{
  WpPainter *painter;
  cairo_t *cr;
  const WpChart *chart;
  const WpChartView *view;
  double x, y, width, height; /* of the plot */
  guint legend_lines;
} WpPlot;

static inline double
wp_plot_x (const WpPlot *p, double x)
{
  return p->x + (x - p->view->x0) / (p->view->x1 - p->view->x0) * p->width;
}

static inline double
wp_plot_y (const WpPlot *p, double y)
{
  return p->y + p->height - (y - p->view->y0) / (p->view->y1 - p->view->y0) * p->height;
}

/* chart-axes.c */
void wp_plot_axes (WpPlot *p);
void wp_plot_text (WpPlot *p, const char *text, double x, double y, double width, double align); /* align: 0 … 1 */

/* Goes through the legend; with `paint` it is drawn. Returns how many lines it has; what does not fit is counted. */
guint wp_plot_legend (WpPlot *p, double left, double width, double top, gboolean paint);

/* chart-series.c */
void wp_plot_series (WpPlot *p);
void wp_plot_hovered (WpPlot *p, guint32 hovered);
WpRgb wp_plot_color (const WpPainter *self, guint color);
void wp_plot_add_mark (cairo_t *cr, guint shape, double x, double y, double r); /* of that shape, to the path */
void wp_plot_set_line (WpPlot *p, const WpChartSeries *series, double width);   /* with the dashes of a series */
