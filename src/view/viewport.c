#include "view/viewport.h"

#include <math.h>

#define NS_PER_PIXEL_MIN (1.0 / 16)
#define HISTORY_MAX 200

/* Of a double's 53 bits: what a pixel is takes so many at most, so that its multiples are exact; what a place takes, with one to spare. */
#define CELL_BITS 24
#define PLACE_BITS 51

static double
full_span (const WpRows *rows)
{
  return MAX (1.0, (double) rows->end - (double) rows->start);
}

static double
usable_width (const WpViewport *self)
{
  return MAX (1.0, self->width);
}

/* Keeps `span` within its limits and the viewport within the rows. */
static void
place (WpViewport *self, const WpRows *rows, double start, double span)
{
  self->start = CLAMP (start, (double) rows->start, MAX ((double) rows->start, rows->start + full_span (rows) - span));
  self->end = self->start + span;
}

static double
clamp_span (const WpViewport *self, const WpRows *rows, double span)
{
  double least = MIN (full_span (rows), usable_width (self) * NS_PER_PIXEL_MIN);

  return CLAMP (span, least, full_span (rows));
}

static void
clamp_y (WpViewport *self, const WpRows *rows)
{
  self->y = CLAMP (self->y, 0, MAX (0.0, wp_rows_y (rows, self, rows->rows.len) - self->height));
}

void
wp_viewport_fit (WpViewport *self, const WpRows *rows)
{
  self->start = (double) rows->start;
  self->end = self->start + full_span (rows);
  self->y = 0;
  if (self->height >= self->row_height && rows->home < rows->rows.len)
    wp_viewport_show_row (self, rows, rows->home);
}

void
wp_viewport_zoom (WpViewport *self, const WpRows *rows, double factor, double x)
{
  double at = CLAMP (x, 0, usable_width (self)) / usable_width (self);
  double here = self->start + at * (self->end - self->start);
  double span = clamp_span (self, rows, (self->end - self->start) / MAX (factor, 1e-12));

  place (self, rows, here - at * span, span);
}

void
wp_viewport_pan (WpViewport *self, const WpRows *rows, double dx, double dy)
{
  double span = self->end - self->start;

  place (self, rows, self->start + dx / usable_width (self) * span, span);
  self->y += dy;
  clamp_y (self, rows);
}

void
wp_viewport_snap (WpViewport *self, const WpRows *rows)
{
  double far = MAX (fabs ((double) rows->start), fabs ((double) rows->end)), cell = wp_viewport_cell (self), grain;
  int of_place, of_cell;

  if (!(self->width >= 1) || !(cell > 0) || !isfinite (cell))
    return;
  frexp (far, &of_place);
  frexp (cell, &of_cell);
  grain = ldexp (1, MAX (of_cell - CELL_BITS, of_place - PLACE_BITS));
  cell = MAX (ceil (cell / grain - 0.25), 1) * grain; /* not more, where it is that already but for what panning rounds */
  self->start = (double) rows->start + floor ((self->start - (double) rows->start) / cell + 0.5) * cell;
  self->end = self->start + self->width * cell;
  self->y = floor (self->y + 0.5);
}

gboolean
wp_viewport_shows_all (const WpViewport *self, const WpRows *rows)
{
  double cell = wp_viewport_cell (self);

  return self->start < (double) rows->start + cell && self->end > (double) rows->end - cell;
}

void
wp_viewport_show (WpViewport *self, const WpRows *rows, double start, double end)
{
  double span = clamp_span (self, rows, (end - start) * (1 + 2 * WP_VIEWPORT_MARGIN));

  place (self, rows, (start + end) / 2 - span / 2, span);
}

double
wp_viewport_fitting_height (const WpViewport *self, const WpRows *rows, double most)
{
  WpViewport unit = *self;

  unit.row_height = 1;
  return CLAMP (floor (self->height / MAX (wp_rows_y (rows, &unit, rows->rows.len), 1)), WP_ROW_HEIGHT_LEAST, most);
}

void
wp_viewport_show_row (WpViewport *self, const WpRows *rows, guint32 row)
{
  double top = wp_rows_y (rows, self, row);

  if (top < self->y)
    self->y = top;
  else if (top + self->row_height > self->y + self->height)
    self->y = top + self->row_height - self->height;
  clamp_y (self, rows);
}

/* --- history ------------------------------------------------------------------------------------------------------ */

struct WpZoomTrail
{
  WP_ARRAY (WpViewport) past; /* all the places, also those that are forward */
  guint32 here;               /* which one is shown; meaningless while there is none */
};

WpZoomTrail *
wp_zoom_trail_new (void)
{
  return g_new0 (WpZoomTrail, 1);
}

void
wp_zoom_trail_free (WpZoomTrail *self)
{
  if (self == NULL)
    return;
  wp_array_clear (&self->past);
  g_free (self);
}

void
wp_zoom_trail_push (WpZoomTrail *self, const WpViewport *viewport)
{
  if (self->past.len > 0)
    {
      const WpViewport *now = &self->past.data[self->here];

      if (now->start == viewport->start && now->end == viewport->end && now->y == viewport->y)
        return;
      self->past.len = self->here + 1;
    }
  if (self->past.len == HISTORY_MAX)
    memmove (self->past.data, self->past.data + 1, --self->past.len * sizeof *self->past.data);
  wp_array_push (&self->past, *viewport);
  self->here = self->past.len - 1;
}

gboolean
wp_zoom_trail_can (const WpZoomTrail *self, int direction)
{
  return direction < 0 ? self->past.len > 0 && self->here > 0 : (guint64) self->here + 1 < self->past.len;
}

static gboolean
go (WpZoomTrail *self, int direction, WpViewport *viewport)
{
  const WpViewport *there;

  if (!wp_zoom_trail_can (self, direction))
    return FALSE;
  self->here += direction;
  there = &self->past.data[self->here];
  viewport->start = there->start;
  viewport->end = there->end;
  viewport->y = there->y;
  return TRUE;
}

gboolean
wp_zoom_trail_back (WpZoomTrail *self, WpViewport *viewport)
{
  return go (self, -1, viewport);
}

gboolean
wp_zoom_trail_forward (WpZoomTrail *self, WpViewport *viewport)
{
  return go (self, 1, viewport);
}
