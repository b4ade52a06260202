#include "paint/raster.h"

#include <math.h>

#define DOT_ALPHA 0.55
#define DOT_EDGE_ALPHA 0.25

gboolean
wp_raster_begin (WpRaster *self, double width, double height)
{
  self->width = (int) ceil (width);
  self->height = (int) ceil (height);
  self->surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, self->width, self->height);
  if (cairo_surface_status (self->surface) != CAIRO_STATUS_SUCCESS)
    {
      cairo_surface_destroy (self->surface);
      return FALSE;
    }
  self->pixels = cairo_image_surface_get_data (self->surface);
  self->stride = cairo_image_surface_get_stride (self->surface);
  return TRUE;
}

/* One channel, as cairo makes it: the high byte of 16 bits. */
static guint32
channel_of (double value)
{
  return (guint32) (value * 65535 + 0.5) >> 8;
}

guint32
wp_raster_pixel (WpRgb color, double alpha)
{
  return channel_of (alpha) << 24 | channel_of (color.r * alpha) << 16 | channel_of (color.g * alpha) << 8 | channel_of (color.b * alpha);
}

static inline guint32 *
row_of (const WpRaster *self, int y)
{
  return (guint32 *) (gpointer) (self->pixels + (gsize) y * (gsize) self->stride);
}

void
wp_raster_dot (WpRaster *self, double x, double y, WpRgb color)
{
  guint32 middle = wp_raster_pixel (color, DOT_ALPHA), edge = wp_raster_pixel (color, DOT_EDGE_ALPHA);

  if (!(x >= -1 && y >= -1 && x < self->width + 1 && y < self->height + 1))
    return;
  for (int py = MAX ((int) floor (y) - 1, 0); py <= MIN ((int) floor (y) + 1, self->height - 1); py++)
    for (int px = MAX ((int) floor (x) - 1, 0); px <= MIN ((int) floor (x) + 1, self->width - 1); px++)
      wp_raster_blend_one (&row_of (self, py)[px], px == (int) floor (x) && py == (int) floor (y) ? middle : edge);
}

void
wp_raster_line (WpRaster *self, int y, const guint32 *pixels, int n)
{
  memcpy (row_of (self, y), pixels, (gsize) n * sizeof *pixels);
}

void
wp_raster_blend (guint32 *pixels, int n, guint32 pixel)
{
  for (int i = 0; i < n; i++)
    wp_raster_blend_one (&pixels[i], pixel);
}

void
wp_raster_fill (WpRaster *self, double x0, double y0, double x1, double y1, WpRgb color, double alpha)
{
  int left = (int) ceil (CLAMP (x0 - 0.5, 0, self->width)), right = (int) ceil (CLAMP (x1 - 0.5, 0, self->width));
  int top = (int) ceil (CLAMP (y0 - 0.5, 0, self->height)), bottom = (int) ceil (CLAMP (y1 - 0.5, 0, self->height));
  guint32 pixel = wp_raster_pixel (color, alpha);

  for (int y = top; y < bottom; y++)
    {
      guint32 *row = row_of (self, y);

      if (pixel >> 24 == 0xff)
        for (int x = left; x < right; x++)
          row[x] = pixel;
      else
        wp_raster_blend (row + left, right - left, pixel);
    }
}

void
wp_raster_end (WpRaster *self, cairo_t *cr, double x, double y)
{
  cairo_surface_mark_dirty (self->surface);
  cairo_set_source_surface (cr, self->surface, x, y);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_surface_destroy (self->surface);
}

/* --- the picture itself ------------------------------------------------------------------------------------------- */

static gboolean
is_whole (double value)
{
  return value == floor (value) && fabs (value) < G_MAXINT / 64;
}

gboolean
wp_ground_begin (WpGround *self, cairo_t *cr)
{
  cairo_surface_t *surface = cairo_get_group_target (cr);
  cairo_rectangle_list_t *clip;
  double scale, scale_y, dx, dy;
  cairo_matrix_t matrix;
  gboolean fits;

  if (cairo_surface_get_type (surface) != CAIRO_SURFACE_TYPE_IMAGE
      || (cairo_image_surface_get_format (surface) != CAIRO_FORMAT_ARGB32 && cairo_image_surface_get_format (surface) != CAIRO_FORMAT_RGB24))
    return FALSE;
  cairo_surface_get_device_scale (surface, &scale, &scale_y);
  cairo_surface_get_device_offset (surface, &dx, &dy);
  cairo_get_matrix (cr, &matrix);
  if (scale != scale_y || !is_whole (scale) || dx != 0 || dy != 0 || matrix.xx != 1 || matrix.yy != 1 || matrix.xy != 0 || matrix.yx != 0
      || !is_whole (matrix.x0) || !is_whole (matrix.y0))
    return FALSE;
  clip = cairo_copy_clip_rectangle_list (cr);
  fits = clip->status == CAIRO_STATUS_SUCCESS && clip->num_rectangles == 1;
  if (fits)
    {
      const cairo_rectangle_t *r = &clip->rectangles[0];

      fits = is_whole (r->x) && is_whole (r->y) && is_whole (r->width) && is_whole (r->height);
      *self = (WpGround) { .surface = surface, .x = (int) (matrix.x0 * scale), .y = (int) (matrix.y0 * scale), .scale = (int) scale };
      self->left = MAX (self->x + (int) (r->x * scale), 0);
      self->top = MAX (self->y + (int) (r->y * scale), 0);
      self->right = MIN (self->x + (int) ((r->x + r->width) * scale), cairo_image_surface_get_width (surface));
      self->bottom = MIN (self->y + (int) ((r->y + r->height) * scale), cairo_image_surface_get_height (surface));
    }
  cairo_rectangle_list_destroy (clip);
  if (!fits)
    return FALSE;
  cairo_surface_flush (surface);
  self->pixels = cairo_image_surface_get_data (surface);
  self->stride = cairo_image_surface_get_stride (surface);
  return TRUE;
}

void
wp_ground_end (const WpGround *self)
{
  cairo_surface_mark_dirty (self->surface);
}
