/* Where the canvas is: zooming, panning, and the way back. */
#include "app/canvas/canvas-private.h"

#define HISTORY_DELAY_MS 450
#define ROW_HEIGHT 22.0

static gboolean
remember_place (gpointer data)
{
  WpCanvas *self = data;

  self->trail_source = 0;
  wp_plate_rest (self->plate);
  wp_zoom_trail_push (self->trail, &self->viewport);
  wp_canvas_emit_place_changed (self);
  wp_canvas_emit_place_kept (self);
  return G_SOURCE_REMOVE;
}

void
wp_canvas_snap (WpCanvas *self)
{
  WpViewport wanted = self->viewport;

  if (wp_canvas_ready (self))
    {
      wp_viewport_snap (&self->viewport, wp_canvas_rows (self));
      self->rest_x = wanted.start - self->viewport.start;
      self->rest_y = wanted.y - self->viewport.y;
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Where it would be if it did not stand on whole pixels: what moves on from there adds up, however little it moves at a time. */
static WpViewport *
exact_place (WpCanvas *self)
{
  self->viewport.start += self->rest_x;
  self->viewport.end += self->rest_x;
  self->viewport.y += self->rest_y;
  self->rest_x = self->rest_y = 0;
  return &self->viewport;
}

/* After the viewport changed in small steps. */
static void
moved (WpCanvas *self)
{
  wp_canvas_snap (self);
  g_clear_handle_id (&self->trail_source, g_source_remove);
  self->trail_source = g_timeout_add (HISTORY_DELAY_MS, remember_place, self);
  wp_canvas_emit_place_changed (self);
}

/* After it changed at once: the place goes into the history. What was still waiting to be remembered has been left already: only where one
 * goes counts. */
static void
jumped (WpCanvas *self)
{
  wp_canvas_snap (self);
  g_clear_handle_id (&self->trail_source, g_source_remove);
  remember_place (self);
}

gboolean
wp_canvas_ready (WpCanvas *self)
{
  return self->rows != NULL && self->placed;
}

void
wp_canvas_zoom (WpCanvas *self, double factor)
{
  wp_canvas_zoom_at (self, factor, self->pointer_x >= 0 ? self->pointer_x : self->viewport.width / 2);
}

void
wp_canvas_zoom_at (WpCanvas *self, double factor, double x)
{
  if (!wp_canvas_ready (self))
    return;
  wp_viewport_zoom (exact_place (self), wp_canvas_rows (self), factor, x);
  moved (self);
}

void
wp_canvas_pan (WpCanvas *self, double dx, double dy)
{
  if (!wp_canvas_ready (self))
    return;
  wp_viewport_pan (exact_place (self), wp_canvas_rows (self), dx, dy);
  moved (self);
}

void
wp_canvas_fit (WpCanvas *self)
{
  if (!wp_canvas_ready (self))
    return;
  wp_viewport_fit (&self->viewport, wp_canvas_rows (self));
  jumped (self);
}

gboolean
wp_canvas_fits_height (WpCanvas *self)
{
  return self->fits_height;
}

void
wp_canvas_size_rows (WpCanvas *self)
{
  const WpRows *rows = wp_canvas_rows (self);
  double before = self->viewport.row_height;

  self->viewport.row_height = self->fits_height && rows != NULL
                                ? wp_viewport_fitting_height (&self->viewport, rows, ROW_HEIGHT)
                                : ROW_HEIGHT;
  self->viewport.y *= self->viewport.row_height / before;
  if (wp_canvas_ready (self))
    wp_viewport_pan (&self->viewport, rows, 0, 0); /* back inside, should the rows be fewer or lower */
}

void
wp_canvas_set_fits_height (WpCanvas *self, gboolean fits)
{
  const WpRows *rows = wp_canvas_rows (self);
  double bottom = (self->viewport.y + self->viewport.height) / self->viewport.row_height;

  if (self->fits_height == fits)
    return;
  self->fits_height = fits;
  wp_canvas_size_rows (self);
  if (rows != NULL && rows->home > 0) /* its roots are at the bottom */
    self->viewport.y = bottom * self->viewport.row_height - self->viewport.height;
  wp_canvas_pan (self, 0, 0);
}

void
wp_canvas_step (WpCanvas *self, int direction)
{
  if (direction == 0)
    wp_canvas_fit (self);
  else
    wp_canvas_zoom (self, direction > 0 ? WP_ZOOM_STEP : 1 / WP_ZOOM_STEP);
}

void
wp_canvas_show_range (WpCanvas *self, double start, double end)
{
  if (!wp_canvas_ready (self) || end <= start)
    return;
  wp_viewport_show (&self->viewport, wp_canvas_rows (self), start, end);
  jumped (self);
}

void
wp_canvas_show_exactly (WpCanvas *self, double start, double end)
{
  double margin = (end - start) * WP_VIEWPORT_MARGIN / (1 + 2 * WP_VIEWPORT_MARGIN);

  wp_canvas_show_range (self, start + margin, end - margin);
}

void
wp_canvas_fit_box (WpCanvas *self, guint box)
{
  const WpRows *rows = wp_canvas_rows (self);

  if (!wp_canvas_ready (self) || box >= rows->boxes.len)
    return;
  wp_viewport_show_row (&self->viewport, rows, wp_rows_row_of (rows, box));
  wp_canvas_show_range (self, rows->boxes.data[box].start, rows->boxes.data[box].end);
}

void
wp_canvas_fit_selection (WpCanvas *self)
{
  if (self->state.selected != WP_NO_BOX)
    wp_canvas_fit_box (self, self->state.selected);
  else if (self->state.mark_end > self->state.mark_start)
    wp_canvas_show_range (self, self->state.mark_start, self->state.mark_end);
  else
    wp_canvas_fit (self);
}

void
wp_canvas_center (WpCanvas *self, double time)
{
  double half = (self->viewport.end - self->viewport.start) / 2;

  if (!wp_canvas_ready (self))
    return;
  wp_viewport_pan (&self->viewport, wp_canvas_rows (self),
                   wp_viewport_x (&self->viewport, time) - wp_viewport_x (&self->viewport, self->viewport.start + half), 0);
  moved (self);
}

void
wp_canvas_set_y (WpCanvas *self, double y)
{
  if (wp_canvas_ready (self) && ABS (y - self->viewport.y) >= 0.5)
    {
      wp_viewport_pan (&self->viewport, wp_canvas_rows (self), 0, y - self->viewport.y);
      moved (self);
    }
}

void
wp_canvas_settle (WpCanvas *self)
{
  if (self->trail_source != 0)
    jumped (self);
}

void
wp_canvas_return_to (WpCanvas *self, double start, double end, double y)
{
  if (!wp_canvas_ready (self) || end <= start)
    return;
  g_clear_handle_id (&self->trail_source, g_source_remove);
  self->viewport.start = start;
  self->viewport.end = end;
  self->viewport.y = y;
  wp_viewport_pan (&self->viewport, wp_canvas_rows (self), 0, 0); /* these may be other rows */
  wp_canvas_snap (self);
  wp_canvas_emit_place_changed (self);
}

void
wp_canvas_go (WpCanvas *self, int direction)
{
  WpViewport place = self->viewport;

  wp_canvas_settle (self);
  if (!(direction < 0 ? wp_zoom_trail_back : wp_zoom_trail_forward) (self->trail, &place))
    return;
  place.width = self->viewport.width;
  place.height = self->viewport.height;
  self->viewport = place;
  wp_viewport_pan (&self->viewport, wp_canvas_rows (self), 0, 0); /* rows may have had another height then */
  wp_canvas_snap (self);
  wp_canvas_emit_place_changed (self);
}

gboolean
wp_canvas_can_go (WpCanvas *self, int direction)
{
  return self->rows != NULL && wp_zoom_trail_can (self->trail, direction);
}

void
wp_canvas_reveal (WpCanvas *self, guint box)
{
  const WpRows *rows = wp_canvas_rows (self);
  const WpBox *b = &rows->boxes.data[box];
  double x0 = wp_viewport_x (&self->viewport, b->start), x1 = wp_viewport_x (&self->viewport, b->end);

  if (x1 < 4 || x0 > self->viewport.width - 4)
    wp_viewport_pan (&self->viewport, rows, (x0 + x1) / 2 - self->viewport.width / 2, 0);
  wp_viewport_show_row (&self->viewport, rows, wp_rows_row_of (rows, box));
  moved (self);
}

void
wp_canvas_place_first (WpCanvas *self)
{
  if (self->rows == NULL || self->placed || self->viewport.width < 1)
    return;
  wp_viewport_fit (&self->viewport, wp_canvas_rows (self));
  self->placed = TRUE;
  wp_canvas_snap (self);
  wp_zoom_trail_free (self->trail);
  self->trail = wp_zoom_trail_new ();
  wp_zoom_trail_push (self->trail, &self->viewport);
  wp_canvas_emit_place_kept (self);
}

void
wp_canvas_keep_bottom (WpCanvas *self, double height)
{
  const WpRows *rows = wp_canvas_rows (self);
  guint32 row = self->state.selected != WP_NO_BOX ? wp_rows_row_of (rows, self->state.selected) : G_MAXUINT32;
  double y = row < rows->rows.len ? wp_rows_y (rows, &self->viewport, row) - self->viewport.y : -1;
  gboolean in_sight = y >= 0 && y + self->viewport.row_height <= self->viewport.height;
  double less = self->viewport.height - height;

  self->viewport.height = height;
  wp_viewport_pan (&self->viewport, rows, 0, rows->home > 0 ? less : 0);
  if (in_sight)
    wp_viewport_show_row (&self->viewport, rows, row);
}

void
wp_canvas_middle (WpCanvas *self, guint box, double *x, double *y)
{
  const WpRows *rows = wp_canvas_rows (self);

  *x = self->viewport.width / 2;
  *y = self->viewport.height / 2;
  if (rows == NULL || box == WP_NO_BOX)
    return;
  *x = wp_viewport_x (&self->viewport, (rows->boxes.data[box].start + rows->boxes.data[box].end) / 2.0);
  *y = wp_rows_y (rows, &self->viewport, wp_rows_row_of (rows, box)) - self->viewport.y + self->viewport.row_height / 2;
  *x = CLAMP (*x, 0, self->viewport.width);
  *y = CLAMP (*y, 0, self->viewport.height);
}
