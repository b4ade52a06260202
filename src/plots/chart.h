/* A chart: series of points, lines, bars or cells in a plane with two axes; what a view of a profile is where it is not rows of
 * boxes. Plain data: whoever paints it asks for nothing else. */
#pragma once

#include "base/array.h"
#include "base/intern.h"
#include "base/unit.h"

typedef enum
{
  WP_SERIES_POINTS, /* a mark each */
  WP_SERIES_LINE,   /* joined in their order */
  WP_SERIES_AREA,   /* a step each from `y0` up to `y1`, x0 to x1; the top edge is a line */
  WP_SERIES_BARS,   /* a rectangle each */
  WP_SERIES_CELLS,  /* a rectangle each, the darker the higher its value */
  WP_SERIES_SPREADS, /* a mark each at its value, with a line from y0 to y1; marks joined in their order */
  WP_SERIES_RINGS,  /* a ring each with the series' name above it; not in the legend */
} WpSeriesKind;

typedef struct
{
  WpId name;    /* string of the chart; what the legend says; 0: the axis says it, it is not in the legend */
  WpId details; /* string: what a tooltip adds, or 0 */
  guint8 kind;
  guint8 color; /* a model has that of its points */
  guint32 first, n;
} WpChartSeries;

typedef struct
{
  double x0, x1, y0, y1; /* a point: x0 == x1, y0 == y1 */
  double value;          /* of a cell, bar or spread: what it stands for; else y */
} WpChartPoint;

typedef struct
{
  WpId name; /* what a value on it is */
  WpUnit unit;
  gboolean whole; /* values between whole numbers have no meaning */
} WpChartAxis;

typedef struct
{
  WpStrings *strings;
  WpId title;
  WpChartAxis x, y;
  WpId value_name;      /* what the cells' value is */
  WpIdArray categories; /* names of x = 0, 1, 2, …; empty: x is a number */
  WP_ARRAY (WpChartSeries) series;
  WP_ARRAY (WpChartPoint) points; /* series by series */
  WpIdArray texts; /* what a tooltip says of each of the first points, strings; empty: made from the axes */

  /* What wp_chart_finish() works out. */
  double x0, x1, y0, y1; /* the extent, with a little room; x0 < x1 and y0 < y1 */
  double highest;        /* of the values of cells */
} WpChart;

/* What of a chart is seen. */
typedef struct
{
  double x0, x1, y0, y1;
} WpChartView;

WpChart *wp_chart_new (const char *title, const char *x_name, const char *y_name);
void wp_chart_free (WpChart *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpChart, wp_chart_free)

void wp_chart_begin (WpChart *self, WpSeriesKind kind, const char *name, guint color);
void wp_chart_add (WpChart *self, double x0, double x1, double y0, double y1, double value); /* nothing unless all are finite */
void wp_chart_point (WpChart *self, double x, double y);
void wp_chart_category (WpChart *self, const char *name);
void wp_chart_finish (WpChart *self);

static inline const char *
wp_chart_string (const WpChart *self, WpId id)
{
  return wp_strings_get (self->strings, id);
}

static inline WpChartView
wp_chart_whole (const WpChart *self)
{
  return (WpChartView) { self->x0, self->x1, self->y0, self->y1 };
}

/* Zooms by `factor` (> 1: closer) about a place, within what there is. */
void wp_chart_view_zoom (WpChartView *view, const WpChart *chart, double factor, double x, double y, gboolean both);
void wp_chart_view_pan (WpChartView *view, const WpChart *chart, double dx, double dy);

/* A tooltip: several lines of plain text about a point. Free with g_free(). */
char *wp_chart_describe (const WpChart *self, guint32 point);
/* Which series a point is in. Logarithmic. */
guint32 wp_chart_series_of (const WpChart *self, guint32 point);
