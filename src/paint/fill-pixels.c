/* Very many boxes, filled without cairo: a row of boxes is one line of pixels, which is repeated as often as the row is high. */
#include <math.h>

#include "paint/raster.h"

#define BAND_HEIGHT 256 /* lines of pixels that are put onto the picture in one go, at least: large pictures need no more memory */

typedef struct
{
  WpPainter *painter;
  int width, height;      /* of a row's boxes */
  guint32 *line, *edge;   /* of a row: its inner lines; its first and its last, where boxes have no corners */
  guint32 colors[WP_N_BUCKETS]; /* 0: not known yet */
  guint32 shades[WP_SHARES];
} Lines;

static guint32
color_of (Lines *self, guint bucket)
{
  if (self->colors[bucket] == 0)
    self->colors[bucket] = wp_raster_pixel (wp_box_color (self->painter->theme, wp_look_of_bucket (bucket)), 1);
  return self->colors[bucket];
}

static void
add_span (Lines *self, guint32 span)
{
  guint32 color = color_of (self, self->painter->buckets.data[span]);
  int x, width, left, right;

  wp_place_span (self->painter, span, &x, &width);
  left = CLAMP (x, 0, self->width);
  right = CLAMP (x + width, 0, self->width);
  for (int i = left; i < right; i++)
    self->line[i] = self->edge[i] = color;
  if (left == right || !wp_rect_is_rounded (width, self->height))
    return;
  if (left == x)
    self->edge[left] = 0;
  if (right == x + width)
    self->edge[right - 1] = 0;
}

static void
add_shade (Lines *self, const WpShade *shade)
{
  int left = CLAMP ((int) floorf (shade->x0 + 0.5f), 0, self->width), right = CLAMP ((int) floorf (shade->x1 + 0.5f), left, self->width);

  wp_raster_blend (self->line + left, right - left, self->shades[shade->share]);
  wp_raster_blend (self->edge + left, right - left, self->shades[shade->share]);
}

/* The row of `*span`: moves that and `*shade` to those of the next. */
static void
make_lines (Lines *self, guint32 *span, guint32 *shade)
{
  const WpSpanArray *spans = &self->painter->spans;
  const WpShadeArray *shades = &self->painter->shades;
  guint32 row = spans->data[*span].row;

  memset (self->line, 0, (gsize) self->width * sizeof *self->line);
  memset (self->edge, 0, (gsize) self->width * sizeof *self->edge);
  for (; *span < spans->len && spans->data[*span].row == row; ++*span)
    add_span (self, *span);
  for (; *shade < shades->len && shades->data[*shade].span < *span; ++*shade)
    add_shade (self, &shades->data[*shade]);
}

/* What of the row is within the raster, whose first line is `top`. */
static void
put_lines (const Lines *self, WpRaster *raster, int top, int y)
{
  int end = MIN (y + self->height, top + raster->height);

  for (int at = MAX (y, top); at < end; at++)
    wp_raster_line (raster, at - top, at == y || at == y + self->height - 1 ? self->edge : self->line, self->width);
}

gboolean
wp_fill_pixels (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp)
{
  int width = (int) ceil (vp->width), height = (int) MAX (1, round (vp->row_height) - 1), top = 0;
  g_autofree Lines *lines = g_new0 (Lines, 1);
  g_autofree guint32 *line = g_new (guint32, width), *edge = g_new (guint32, width);
  double left, first, right, end;
  gboolean begun = FALSE;
  WpRaster raster;

  cairo_clip_extents (cr, &left, &first, &right, &end);
  lines->painter = self;
  lines->width = width;
  lines->height = height;
  lines->line = line;
  lines->edge = edge;
  for (guint share = 1; share < WP_SHARES; share++)
    lines->shades[share] = wp_raster_pixel (wp_theme_colors (self->theme)->background, wp_shade_alpha (share));
  for (guint32 span = 0, shade = 0; span < self->spans.len;)
    {
      int y = (int) round (wp_rows_y (rows, vp, self->spans.data[span].row) - vp->y);

      if (y >= end)
        break;
      if (begun && y + height > top + raster.height)
        {
          wp_raster_end (&raster, cr, 0, top);
          begun = FALSE;
        }
      if (!begun)
        {
          top = MAX (y, (int) floor (MAX (first, 0)));
          if (!wp_raster_begin (&raster, width, CLAMP (MIN (end, vp->height) - top, 1, MAX (BAND_HEIGHT, height))))
            return FALSE;
          begun = TRUE;
        }
      make_lines (lines, &span, &shade);
      put_lines (lines, &raster, top, y);
    }
  if (begun)
    wp_raster_end (&raster, cr, 0, top);
  return TRUE;
}
