/* Links: fine lines from the row of whoever woke to the row of who was woken. */
#include "paint/paint-private.h"

#include <math.h>

#define MANY 150    /* from so many lines on they fade … */
#define FAINTEST 0.12
#define ARROWS_MAX 300
#define SLANTED_MAX 800 /* slanted lines a frame: they cost most */

typedef struct
{
  double x0, y0, x1, y1;
} Stroke;

/* From edge to edge of the rows' boxes, cut to a little beyond the area. */
static gboolean
place_line (const WpRows *rows, const WpViewport *vp, const WpLine *line, Stroke *s)
{
  double from = wp_rows_y (rows, vp, line->from_row) - vp->y, to = wp_rows_y (rows, vp, line->to_row) - vp->y;
  double down = line->to_row > line->from_row, dx, dy, low = 0, high = 1;

  s->x0 = wp_viewport_x (vp, line->start);
  s->x1 = wp_viewport_x (vp, line->end);
  s->y0 = from + (down ? vp->row_height - 1 : 0);
  s->y1 = to + (down ? 0 : vp->row_height - 1);
  dx = s->x1 - s->x0;
  dy = s->y1 - s->y0;
  if (dy != 0)
    {
      double a = (-50 - s->y0) / dy, b = (vp->height + 50 - s->y0) / dy;

      low = MAX (low, MIN (a, b));
      high = MIN (high, MAX (a, b));
    }
  if (dx != 0)
    {
      double a = (-50 - s->x0) / dx, b = (vp->width + 50 - s->x0) / dx;

      low = MAX (low, MIN (a, b));
      high = MIN (high, MAX (a, b));
    }
  *s = (Stroke) { s->x0 + low * dx, s->y0 + low * dy, s->x0 + high * dx, s->y0 + high * dy };
  return low < high;
}

static void
add_arrow (cairo_t *cr, const Stroke *s)
{
  double dx = s->x1 - s->x0, dy = s->y1 - s->y0, d = hypot (dx, dy);

  if (d < 7)
    return;
  dx /= d;
  dy /= d;
  cairo_move_to (cr, s->x1, s->y1);
  cairo_line_to (cr, s->x1 - 6 * dx + 2.6 * dy, s->y1 - 6 * dy - 2.6 * dx);
  cairo_line_to (cr, s->x1 - 6 * dx - 2.6 * dy, s->y1 - 6 * dy + 2.6 * dx);
  cairo_close_path (cr);
}

/* Upright lines are columns of pixels, which fill as fast as boxes; the others are strokes. */
static void
draw_lines (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp)
{
  guint32 slanted = 0;

  cairo_set_line_width (cr, 1);
  for (guint pass = 0; pass < 2; pass++)
    {
      for (guint32 i = 0; i < self->lines.len; i++)
        {
          Stroke s;

          if (!place_line (rows, vp, &rows->lines.data[self->lines.data[i]], &s)
              || (fabs (s.x1 - s.x0) < 1.5) != (pass == 0))
            continue;
          if (pass == 0)
            cairo_rectangle (cr, floor (s.x1), round (MIN (s.y0, s.y1)), 1, round (fabs (s.y1 - s.y0)));
          else if (slanted++ < SLANTED_MAX)
            {
              cairo_move_to (cr, s.x0, s.y0);
              cairo_line_to (cr, s.x1, s.y1);
            }
          if (i % 64 == 63)
            (pass == 0 ? cairo_fill : cairo_stroke) (cr);
        }
      (pass == 0 ? cairo_fill : cairo_stroke) (cr);
    }
}

void
wp_paint_lines (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp)
{
  double alpha;

  wp_fold_lines (rows, vp, &self->lines);
  if (self->lines.len == 0)
    return;
  alpha = CLAMP (0.6 * MANY / self->lines.len, FAINTEST, 0.6);
  wp_set_color (cr, wp_theme_colors (self->theme)->link, alpha);
  draw_lines (self, cr, rows, vp);
  if (self->lines.len > ARROWS_MAX)
    return;
  wp_set_color (cr, wp_theme_colors (self->theme)->link, MIN (1, alpha + 0.25));
  for (guint32 i = 0; i < self->lines.len; i++)
    {
      Stroke s;

      if (place_line (rows, vp, &rows->lines.data[self->lines.data[i]], &s))
        add_arrow (cr, &s);
    }
  cairo_fill (cr);
}
