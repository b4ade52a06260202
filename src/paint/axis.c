/* The axis over rows of boxes: its ticks and what they say. */
#include "paint/paint-private.h"

#include <math.h>

#include "base/format.h"

double
wp_nice_step (double span, double width, double label_width)
{
  double least = span * MIN (1, (label_width + 24) / MAX (width, 1)), power;

  least = MAX (least, 1);
  power = pow (10, floor (log10 (least)));
  for (guint i = 0; i < 3; i++)
    {
      static const double factors[] = { 1, 2, 5 };

      if (factors[i] * power >= least * 0.999999)
        return factors[i] * power;
    }
  return 10 * power;
}

double
wp_painter_origin (const WpPainter *self, const WpRows *rows)
{
  return (double) (rows->is_time && rows->of_recording ? self->origin : rows->start);
}

const char *
wp_axis_label (const WpRows *rows, double t, double step, char buffer[64])
{
  char text[WP_FORMAT_MAX], share[WP_FORMAT_MAX];
  double scale = rows->scale > 0 ? rows->scale : 1, from = rows->x_unit == WP_UNIT_ADDRESS ? (double) rows->start : 0;

  wp_unit_format_tick (rows->x_unit, (from + t) / scale, step / scale, text);
  if (rows->is_time || rows->x_unit == WP_UNIT_ADDRESS || rows->end <= rows->start)
    g_strlcpy (buffer, text, 64);
  else
    g_snprintf (buffer, 64, "%s · %s", text, wp_format_share (t / (double) wp_rows_all (rows), share));
  return buffer;
}

/* Of memory a power of two. */
static double
nice_step (const WpRows *rows, double span, double width, double label_width)
{
  double step = wp_nice_step (span, width, label_width);

  return rows->x_unit == WP_UNIT_TIME || rows->x_unit == WP_UNIT_PLAIN ? step : wp_unit_step (rows->x_unit, step);
}

double
wp_axis_step (WpPainter *self, const WpRows *rows, const WpViewport *vp)
{
  double span = vp->end - vp->start, step = nice_step (rows, span, vp->width, 50), width = 0;

  /* Finer steps have longer labels: a second look with the width they really have. */
  for (guint i = 0; i < 2; i++)
    {
      char a[64], b[64];
      double last = floor ((vp->end - wp_painter_origin (self, rows)) / step) * step;

      width = MAX (width, wp_label_width (wp_labels_get (self->labels, wp_axis_label (rows, last, step, a))));
      wp_axis_label (rows, MAX (0, last - step), step, b);
      width = MAX (width, wp_label_width (wp_labels_get (self->labels, b)));
      step = nice_step (rows, span, vp->width, width);
    }
  return step;
}

WpTicks
wp_ticks (double from, double to, double step, double most)
{
  WpTicks self = { .first = ceil (from / step - 1e-9) * step, .step = step };
  double n = floor ((to - self.first) / step + 1e-9) + 1;

  if (isfinite (self.first) && isfinite (n) && n > 0)
    self.n = (guint) MIN (n, CLAMP (most, 0, G_MAXINT));
  return self;
}

double
wp_tick (const WpTicks *self, guint i)
{
  return self->first + i * self->step;
}

/* --- flags -------------------------------------------------------------------------------------------------------- */

#define FLAG_WIDTH 7
#define FLAG_HEIGHT 6

static double
flag_x (const WpFlags *flags, guint i)
{
  return ((double) flags->times[i] - flags->from) / MAX (flags->to - flags->from, 1e-9) * flags->width;
}

void
wp_painter_flags (WpPainter *self, cairo_t *cr, const WpFlags *flags)
{
  const WpThemeColors *colors = wp_theme_colors (self->theme);

  for (guint i = 0; i < flags->n; i++)
    {
      double x = floor (flag_x (flags, i));

      if (x < -FLAG_WIDTH || x > flags->width)
        continue;
      cairo_rectangle (cr, x, 0, 1, flags->height);
      cairo_move_to (cr, x + 1, 0);
      cairo_line_to (cr, x + 1 + FLAG_WIDTH, FLAG_HEIGHT / 2.0);
      cairo_line_to (cr, x + 1, FLAG_HEIGHT);
      cairo_close_path (cr);
    }
  wp_set_color (cr, colors->accent, 1);
  cairo_fill (cr);
}

guint
wp_flags_at (const WpFlags *flags, double x)
{
  guint best = G_MAXUINT;
  double nearest = FLAG_WIDTH + 2;

  for (guint i = 0; i < flags->n; i++)
    {
      double distance = fabs (x - flag_x (flags, i) - FLAG_WIDTH / 2.0);

      if (distance < nearest)
        {
          nearest = distance;
          best = i;
        }
    }
  return best;
}

/* --- the axis ----------------------------------------------------------------------------------------------------- */

void
wp_painter_axis (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp, double height)
{
  const WpThemeColors *colors = wp_theme_colors (self->theme);
  double step, origin = wp_painter_origin (self, rows), from = vp->start - origin;
  WpTicks ticks;

  if (vp->width < 1 || vp->end <= vp->start)
    return;
  wp_labels_set_size (self->labels, CLAMP (round (vp->row_height * 0.56), 11, 18));
  step = wp_axis_step (self, rows, vp);
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, vp->width, height);
  cairo_clip (cr);
  wp_set_color (cr, colors->background, 1);
  cairo_paint (cr);
  ticks = wp_ticks (floor (from / step) * step, vp->end - origin, step, vp->width + 2);
  for (guint k = 0; k < ticks.n; k++)
    {
      double t = wp_tick (&ticks, k), x = floor (wp_viewport_x (vp, origin + t));
      char text[64];
      const WpBoxLabel *label = wp_labels_get (self->labels, wp_axis_label (rows, t, step, text));

      wp_set_color (cr, colors->dim_text, 0.9);
      cairo_rectangle (cr, x, height - 7, 1, 7);
      for (guint i = 1; i < 5; i++)
        cairo_rectangle (cr, floor (wp_viewport_x (vp, origin + t + step * i / 5)), height - 3, 1, 3);
      cairo_fill (cr);
      wp_set_color (cr, colors->text, 1);
      if (x >= -4 && x + 4 + wp_label_width (label) <= vp->width) /* a part of a figure is another one */
        wp_labels_show (self->labels, cr, label, x + 4, 0, wp_label_width (label) + 1, height - 3, FALSE);
    }
  wp_set_color (cr, colors->separator, 1);
  cairo_rectangle (cr, 0, height - 1, vp->width, 1);
  cairo_fill (cr);
  cairo_restore (cr);
}
