/* What the canvas gives to GSK: its picture as a texture, which stays the same one as long as the picture does, so that a renderer on a graphics card has it already;
 * and over it, in a node no larger than it has to be, what the pointer is on, the selection and the marked range. */
#include <math.h>

#include "app/canvas/canvas-private.h"

/* Pixels of the screen for one of the widget. */
static double
scale_of (GtkWidget *widget)
{
#if GTK_CHECK_VERSION(4, 12, 0)
  return gdk_surface_get_scale (gtk_native_get_surface (gtk_widget_get_native (widget)));
#else
  return gtk_widget_get_scale_factor (widget);
#endif
}

static GdkTexture *
texture_of (cairo_surface_t *picture)
{
  int height = cairo_image_surface_get_height (picture), stride = cairo_image_surface_get_stride (picture);
  g_autoptr (GBytes) bytes = g_bytes_new_with_free_func (cairo_image_surface_get_data (picture), (gsize) stride * (gsize) height,
                                                         (GDestroyNotify) cairo_surface_destroy, cairo_surface_reference (picture));

  return gdk_memory_texture_new (cairo_image_surface_get_width (picture), height, GDK_MEMORY_DEFAULT, bytes, stride);
}

/* GSK's own cairo renderer would copy a texture each time it draws some of it; it paints pixels of cairo where they are. */
static void
append_for_cairo (WpCanvas *self, GtkSnapshot *snapshot, cairo_surface_t *picture)
{
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) self->viewport.width, (float) self->viewport.height));

  cairo_set_source_surface (cr, picture, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_destroy (cr);
}

static gboolean
draws_with_cairo (GtkWidget *widget)
{
  GtkNative *native = gtk_widget_get_native (widget);

  return native != NULL && GSK_IS_CAIRO_RENDERER (gtk_native_get_renderer (native));
}

static void
append_picture (WpCanvas *self, GtkSnapshot *snapshot)
{
  double scale = scale_of (GTK_WIDGET (self));
  cairo_surface_t *picture = wp_plate_show (self->plate, wp_canvas_painter (self), wp_canvas_rows (self), &self->viewport, &self->state, scale);

  if (cairo_surface_status (picture) != CAIRO_STATUS_SUCCESS)
    return; /* there is no memory for it */
  if (draws_with_cairo (GTK_WIDGET (self)))
    {
      append_for_cairo (self, snapshot, picture);
      return;
    }
  if (self->texture == NULL || self->texture_of != picture)
    {
      g_clear_object (&self->texture);
      self->texture = texture_of (picture);
      self->texture_of = picture;
    }
  gtk_snapshot_append_texture (snapshot, self->texture, &GRAPHENE_RECT_INIT (0, 0, (float) (gdk_texture_get_width (self->texture) / scale),
                                                                             (float) (gdk_texture_get_height (self->texture) / scale)));
}

static void
paint_overlay (WpCanvas *self, cairo_t *cr)
{
  wp_painter_overlay (wp_canvas_painter (self), cr, wp_canvas_rows (self), &self->viewport, &self->state);
}

/* Where the overlay paints, in whole pixels within the canvas. FALSE: nowhere. */
static gboolean
measure_overlay (WpCanvas *self, graphene_rect_t *place)
{
  const WpPaintState *state = &self->state;
  const cairo_rectangle_t all = { 0, 0, self->viewport.width, self->viewport.height };
  cairo_surface_t *surface;
  double x, y, width, height;
  cairo_t *cr;

  if (state->selected == WP_NO_BOX && state->hovered == WP_NO_BOX && state->mark_start == state->mark_end && state->band_start == state->band_end)
    return FALSE;
  surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR_ALPHA, &all);
  cr = cairo_create (surface);
  paint_overlay (self, cr);
  cairo_destroy (cr);
  cairo_recording_surface_ink_extents (surface, &x, &y, &width, &height);
  cairo_surface_destroy (surface);
  if (width <= 0 || height <= 0)
    return FALSE;
  *place = GRAPHENE_RECT_INIT ((float) floor (x), (float) floor (y), (float) (ceil (x + width) - floor (x)), (float) (ceil (y + height) - floor (y)));
  return TRUE;
}

static void
append_overlay (WpCanvas *self, GtkSnapshot *snapshot)
{
  graphene_rect_t place;
  cairo_t *cr;

  if (!measure_overlay (self, &place))
    return;
  cr = gtk_snapshot_append_cairo (snapshot, &place);
  paint_overlay (self, cr);
  cairo_destroy (cr);
}

void
wp_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  WpCanvas *self = WP_CANVAS (widget);

  if (!wp_canvas_ready (self))
    return;
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) self->viewport.width, (float) self->viewport.height));
  append_picture (self, snapshot);
  append_overlay (self, snapshot);
  gtk_snapshot_pop (snapshot);
}

void
wp_canvas_forget_picture (WpCanvas *self)
{
  wp_plate_forget (self->plate);
  g_clear_object (&self->texture);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

guint64
wp_canvas_painted (WpCanvas *self)
{
  return wp_plate_painted (self->plate);
}
