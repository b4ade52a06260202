/* Pixels that are set one by one: what a hundred thousand marks of a chart, or boxes, are drawn with, in the time of one look at
 * each. What overlaps adds up, so that the more marks are at a place the stronger it is. */
#pragma once

#include "paint/paint-private.h"

typedef struct
{
  cairo_surface_t *surface;
  guint8 *pixels; /* ARGB, premultiplied */
  int width, height, stride;
} WpRaster;

gboolean wp_raster_begin (WpRaster *self, double width, double height); /* FALSE: there is no memory for it */

/* A dot of three by three pixels about a place. */
void wp_raster_dot (WpRaster *self, double x, double y, WpRgb color);

guint32 wp_raster_pixel (WpRgb color, double alpha); /* as the raster has it */

/* The first `n` pixels of a line of it. */
void wp_raster_line (WpRaster *self, int y, const guint32 *pixels, int n);

/* Lays this colour over a pixel. Two channels at a time, each in 16 bits; rounded as pixman does. */
static inline void
wp_raster_blend_one (guint32 *pixel, guint32 color)
{
  guint32 rest = 255 - (color >> 24), even = (*pixel & 0xff00ff) * rest + 0x800080, odd = (*pixel >> 8 & 0xff00ff) * rest + 0x800080;

  even = (even + (even >> 8 & 0xff00ff)) >> 8 & 0xff00ff;
  odd = (odd + (odd >> 8 & 0xff00ff)) & 0xff00ff00;
  *pixel = color + (even | odd);
}

/* The same of several. */
void wp_raster_blend (guint32 *pixels, int n, guint32 pixel);

/* Fills each pixel whose middle is within: of what is smaller than a pixel as many are seen as their sizes add up to. */
void wp_raster_fill (WpRaster *self, double x0, double y0, double x1, double y1, WpRgb color, double alpha);

void wp_raster_end (WpRaster *self, cairo_t *cr, double x, double y); /* paints all of it at a place */

/* The pixels of the picture itself that a context draws on, where they stand in whole pixels and nothing but a rectangle limits what is drawn. */
typedef struct
{
  cairo_surface_t *surface;
  guint8 *pixels;
  int stride;
  int left, top, right, bottom; /* what may be drawn on, in its pixels */
  int x, y;                     /* where (0, 0) is, likewise */
  int scale;                    /* so many pixels are one of the context, in each direction */
} WpGround;

gboolean wp_ground_begin (WpGround *self, cairo_t *cr); /* FALSE: it is no such picture */
void wp_ground_end (const WpGround *self);              /* the context may be used again */

static inline guint32 *
wp_ground_line (const WpGround *self, int y)
{
  return (guint32 *) (gpointer) (self->pixels + (gssize) y * self->stride);
}
