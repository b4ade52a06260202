#include "plots/chart.h"

#include "base/search.h"

#include <math.h>

WpChart *
wp_chart_new (const char *title, const char *x_name, const char *y_name)
{
  WpChart *self = g_new0 (WpChart, 1);

  self->strings = wp_strings_new ();
  self->title = wp_strings_intern (self->strings, title);
  self->x = (WpChartAxis) { .name = wp_strings_intern (self->strings, x_name), .unit = WP_UNIT_PLAIN };
  self->y = (WpChartAxis) { .name = wp_strings_intern (self->strings, y_name), .unit = WP_UNIT_PLAIN };
  return self;
}

void
wp_chart_free (WpChart *self)
{
  if (self == NULL)
    return;
  wp_strings_free (self->strings);
  wp_array_clear (&self->categories);
  wp_array_clear (&self->series);
  wp_array_clear (&self->points);
  wp_array_clear (&self->texts);
  g_free (self);
}

void
wp_chart_begin (WpChart *self, WpSeriesKind kind, const char *name, guint color)
{
  wp_array_push (&self->series, ((WpChartSeries) { .name = wp_strings_intern (self->strings, name),
                                              .kind = (guint8) kind,
                                              .color = (guint8) color,
                                              .first = self->points.len }));
}

void
wp_chart_add (WpChart *self, double x0, double x1, double y0, double y1, double value)
{
  if (!isfinite (x0) || !isfinite (x1) || !isfinite (y0) || !isfinite (y1) || !isfinite (value))
    return;
  wp_array_push (&self->points, ((WpChartPoint) { x0, x1, y0, y1, value }));
  self->series.data[self->series.len - 1].n++;
}

void
wp_chart_point (WpChart *self, double x, double y)
{
  wp_chart_add (self, x, x, y, y, y);
}

void
wp_chart_category (WpChart *self, const char *name)
{
  wp_array_push (&self->categories, wp_strings_intern (self->strings, name));
}

static gboolean
starts_at_zero (const WpChartSeries *series)
{
  return series->kind == WP_SERIES_BARS || series->kind == WP_SERIES_AREA;
}

/* An extent has a length, and marks at its edges have room. */
static void
widen (double *a, double *b, double room)
{
  double length = *b - *a;

  if (!(length > 0))
    length = MAX (fabs (*a), 1);
  *a -= length * room;
  *b += length * room;
  if (!(*b > *a))
    *b = *a + 1;
}

/* Models far beyond their points must not hide those: a chart with points is as large as they are, and some more. */
static gboolean
counts (const WpChartSeries *series, gboolean points)
{
  return !points || series->kind != WP_SERIES_LINE;
}

static void
find_extent (WpChart *self)
{
  gboolean points = FALSE, cells = FALSE, zero = FALSE, first = TRUE;

  for (guint32 s = 0; s < self->series.len; s++)
    {
      points |= self->series.data[s].kind == WP_SERIES_POINTS && self->series.data[s].n > 0;
      cells |= self->series.data[s].kind == WP_SERIES_CELLS;
      zero |= starts_at_zero (&self->series.data[s]);
    }
  for (guint32 s = 0; s < self->series.len; s++)
    for (guint32 i = 0; i < self->series.data[s].n && counts (&self->series.data[s], points); i++)
      {
        const WpChartPoint *p = &self->points.data[self->series.data[s].first + i];

        self->x0 = first ? p->x0 : MIN (self->x0, p->x0);
        self->x1 = first ? p->x1 : MAX (self->x1, p->x1);
        self->y0 = first ? MIN (p->y0, p->y1) : MIN (self->y0, MIN (p->y0, p->y1));
        self->y1 = first ? MAX (p->y0, p->y1) : MAX (self->y1, MAX (p->y0, p->y1));
        self->highest = MAX (self->highest, p->value);
        first = FALSE;
      }
  if (self->categories.len > 0)
    {
      self->x0 = -0.5;
      self->x1 = self->categories.len - 0.5;
    }
  else if (!cells)
    widen (&self->x0, &self->x1, zero ? 0 : 0.03);
  if (cells)
    return;
  if (zero || (self->y0 > 0 && self->y0 < self->y1 * 0.4))
    self->y0 = MIN (self->y0, 0);
  widen (&self->y0, &self->y1, 0.04);
  if (self->y0 < 0 && zero)
    self->y0 = self->y0 > -0.05 * self->y1 ? 0 : self->y0;
}

#define FEW_BARS 6 /* that are no wider than if they were so many */

static void
keep_narrow (WpChart *self)
{
  double middle = (self->categories.len - 1) / 2.;

  if (self->categories.len == 0 || self->categories.len >= FEW_BARS || self->series.len == 0 || self->series.data[0].kind != WP_SERIES_BARS)
    return;
  self->x0 = middle - FEW_BARS / 2.;
  self->x1 = middle + FEW_BARS / 2.;
}

void
wp_chart_finish (WpChart *self)
{
  find_extent (self);
  keep_narrow (self);
  if (!(self->x1 > self->x0))
    self->x1 = self->x0 + 1;
  if (!(self->y1 > self->y0))
    self->y1 = self->y0 + 1;
}

/* --- what is seen --------------------------------------------------------------------------------------------------- */

/* Not closer than floating point numbers tell apart, not farther than everything. */
static void
zoom_axis (double *a, double *b, double least, double most, double factor, double about)
{
  double length = CLAMP ((*b - *a) / factor, MAX (most - least, 1e-300) * 1e-9, most - least);
  double share = *b > *a ? CLAMP ((about - *a) / (*b - *a), 0, 1) : 0.5;

  *a = CLAMP (about - length * share, least, most - length);
  *b = *a + length;
}

void
wp_chart_view_zoom (WpChartView *view, const WpChart *chart, double factor, double x, double y, gboolean both)
{
  zoom_axis (&view->x0, &view->x1, chart->x0, chart->x1, factor, x);
  if (both)
    zoom_axis (&view->y0, &view->y1, chart->y0, chart->y1, factor, y);
}

static void
pan_axis (double *a, double *b, double least, double most, double by)
{
  double length = *b - *a;

  *a = CLAMP (*a + by, least, MAX (least, most - length));
  *b = *a + length;
}

void
wp_chart_view_pan (WpChartView *view, const WpChart *chart, double dx, double dy)
{
  pan_axis (&view->x0, &view->x1, chart->x0, chart->x1, dx);
  pan_axis (&view->y0, &view->y1, chart->y0, chart->y1, dy);
}

/* --- what a point says ---------------------------------------------------------------------------------------------- */

guint32
wp_chart_series_of (const WpChart *self, guint32 point)
{
  const guint32 next = WP_SEARCH (0, self->series.len, i, self->series.data[i].first <= point);

  return next > 0 ? next - 1 : 0;
}

static void
append_value (GString *text, const char *name, WpUnit unit, double value)
{
  char buffer[WP_FORMAT_MAX];

  g_string_append_printf (text, "\n%s: %s", name, wp_unit_format (unit, value, buffer));
}

/* Of a cell: x is how far it is from the beginning of its line, which is y. */
static void
append_range (const WpChart *self, GString *text, const WpChartPoint *p)
{
  char a[WP_FORMAT_MAX], b[WP_FORMAT_MAX];

  g_string_append_printf (text, "%s – %s", wp_unit_format (self->y.unit, p->x0 + p->y0, a),
                          wp_unit_format (self->y.unit, p->x1 + p->y0, b));
  append_value (text, wp_chart_string (self, self->value_name), WP_UNIT_PLAIN, p->value);
}

char *
wp_chart_describe (const WpChart *self, guint32 point)
{
  const WpChartPoint *p = &self->points.data[point];
  const WpChartSeries *series = &self->series.data[wp_chart_series_of (self, point)];
  GString *text = g_string_new (NULL);

  if (point < self->texts.len)
    {
      g_string_append (text, wp_chart_string (self, self->texts.data[point]));
      return g_string_free (text, FALSE);
    }
  if (series->kind == WP_SERIES_CELLS)
    {
      append_range (self, text, p);
      return g_string_free (text, FALSE);
    }
  g_string_append (text, wp_chart_string (self, series->name));
  if (self->categories.len > 0)
    g_string_append_printf (text, "\n%s: %s", wp_chart_string (self, self->x.name),
                            wp_chart_string (self, self->categories.data[(guint32) CLAMP (round ((p->x0 + p->x1) / 2), 0,
                                                                                          self->categories.len - 1)]));
  else
    append_value (text, wp_chart_string (self, self->x.name), self->x.unit, p->x0);
  append_value (text, wp_chart_string (self, self->y.name), self->y.unit, p->value);
  if (series->details != 0)
    g_string_append_printf (text, "\n%s", wp_chart_string (self, series->details));
  if (series->name == 0)
    g_string_erase (text, 0, 1); /* the end of a first line without a word */
  return g_string_free (text, FALSE);
}
