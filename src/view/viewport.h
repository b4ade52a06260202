/* Zooming, panning and their history. Pure arithmetic: no drawing, no GTK. */
#pragma once

#include "view/fold.h"

/* Shows all of the rows in the given width, scrolled so that their home row is in sight. */
void wp_viewport_fit (WpViewport *self, const WpRows *rows);

/* Zooms by `factor` (> 1 is nearer) so that what is under pixel `x` stays there; never nearer than 1 ns a pixel ÷ 16,
 * never further than everything. */
void wp_viewport_zoom (WpViewport *self, const WpRows *rows, double factor, double x);

/* Pans by pixels: positive shows what is further right and down; the contents cannot leave the area. */
void wp_viewport_pan (WpViewport *self, const WpRows *rows, double dx, double dy);

/* Shows start … end with this margin of them at either side. */
#define WP_VIEWPORT_MARGIN 0.02
void wp_viewport_show (WpViewport *self, const WpRows *rows, double start, double end);

/* How high rows are: so that all of them fit the area, but neither lower than can be read nor higher than `most`. */
#define WP_ROW_HEIGHT_LEAST 15.0
double wp_viewport_fitting_height (const WpViewport *self, const WpRows *rows, double most);

/* Scrolls up or down so that a row is in sight. */
void wp_viewport_show_row (WpViewport *self, const WpRows *rows, guint32 row);

/* Moves to whole pixels: down, and to the right as the fold counts them from the start of the rows. A pixel is then so much time that all places on that grid
 * are exact numbers, so pictures of two such viewports that are as near are the same where they overlap. Differs by less than a pixel from where it was; at the
 * nearest there is, hours from the start, the width of a pixel changes by a few percent. */
void wp_viewport_snap (WpViewport *self, const WpRows *rows);

/* Whether it shows the rows from their start to their end, but for the part of a pixel that wp_viewport_snap() may take away. */
gboolean wp_viewport_shows_all (const WpViewport *self, const WpRows *rows);

/* How much of the rows' unit a pixel is. */
static inline double
wp_viewport_cell (const WpViewport *self)
{
  return (self->end - self->start) / self->width;
}

static inline double
wp_viewport_x (const WpViewport *self, double t)
{
  return (t - self->start) / wp_viewport_cell (self); /* exact where the place is on the grid of wp_viewport_snap() */
}

static inline double
wp_viewport_time (const WpViewport *self, double x)
{
  return self->start + x / self->width * (self->end - self->start);
}

/* Back and forward through where one has been. Going there changes start, end and y only. */
typedef struct WpZoomTrail WpZoomTrail;
WpZoomTrail *wp_zoom_trail_new (void);
void wp_zoom_trail_free (WpZoomTrail *self);
/* Call when a zoom or jump is over; drops what was forward. */
void wp_zoom_trail_push (WpZoomTrail *self, const WpViewport *viewport);
gboolean wp_zoom_trail_back (WpZoomTrail *self, WpViewport *viewport);
gboolean wp_zoom_trail_forward (WpZoomTrail *self, WpViewport *viewport);
gboolean wp_zoom_trail_can (const WpZoomTrail *self, int direction); /* -1 back, +1 forward */
