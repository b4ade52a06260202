/* Very many boxes, filled without cairo: a row of boxes is one line of pixels, which is repeated as often as the row is high. The lines go into the picture itself
 * where that is made of pixels that stand where they do, else into a raster first. */
#include <math.h>

#include "paint/raster.h"

#define BAND_HEIGHT 256 /* lines of a raster that are put onto the picture in one go, at least: large pictures need no more memory */

typedef struct
{
  WpPainter *painter;
  int width, height;      /* of a row's boxes */
  int scale;              /* so many pixels of a line for each of these, and so many lines */
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
  for (int i = left * self->scale; i < right * self->scale; i++)
    self->line[i] = self->edge[i] = color;
  if (left == right || !wp_rect_is_rounded (width, self->height))
    return;
  if (left == x)
    memset (self->edge + left * self->scale, 0, (gsize) self->scale * sizeof *self->edge);
  if (right == x + width)
    memset (self->edge + (right - 1) * self->scale, 0, (gsize) self->scale * sizeof *self->edge);
}

static void
add_shade (Lines *self, const WpShade *shade)
{
  int left = CLAMP ((int) floorf (shade->x0 + 0.5f), 0, self->width), right = CLAMP ((int) floorf (shade->x1 + 0.5f), left, self->width);

  wp_raster_blend (self->line + left * self->scale, (right - left) * self->scale, self->shades[shade->share]);
  wp_raster_blend (self->edge + left * self->scale, (right - left) * self->scale, self->shades[shade->share]);
}

/* The row of `*span`: moves that and `*shade` to those of the next. */
static void
make_lines (Lines *self, guint32 *span, guint32 *shade)
{
  const WpSpanArray *spans = &self->painter->spans;
  const WpShadeArray *shades = &self->painter->shades;
  guint32 row = spans->data[*span].row;

  memset (self->line, 0, (gsize) self->width * (gsize) self->scale * sizeof *self->line);
  memset (self->edge, 0, (gsize) self->width * (gsize) self->scale * sizeof *self->edge);
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

/* FALSE: there is no memory for it. */
static gboolean
fill_by_raster (Lines *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp)
{
  const WpSpanArray *spans = &self->painter->spans;
  double left, first, right, end;
  gboolean begun = FALSE;
  WpRaster raster;
  int top = 0;

  cairo_clip_extents (cr, &left, &first, &right, &end);
  for (guint32 span = 0, shade = 0; span < spans->len;)
    {
      int y = (int) round (wp_rows_y (rows, vp, spans->data[span].row) - vp->y);

      if (y >= end)
        break;
      if (begun && y + self->height > top + raster.height)
        {
          wp_raster_end (&raster, cr, 0, top);
          begun = FALSE;
        }
      if (!begun)
        {
          top = MAX (y, (int) floor (MAX (first, 0)));
          if (!wp_raster_begin (&raster, self->width, CLAMP (MIN (end, vp->height) - top, 1, MAX (BAND_HEIGHT, self->height))))
            return FALSE;
          begun = TRUE;
        }
      make_lines (self, &span, &shade);
      put_lines (self, &raster, top, y);
    }
  if (begun)
    wp_raster_end (&raster, cr, 0, top);
  return TRUE;
}

/* What is nothing in the line stays as it is. */
static void
lay_line (guint32 *to, const guint32 *line, int n)
{
  for (int i = 0; i < n;)
    {
      int first = i;

      while (i < n && line[i] >> 24 == 0xff)
        i++;
      if (i > first)
        memcpy (to + first, line + first, (gsize) (i - first) * sizeof *to);
      for (; i < n && line[i] >> 24 != 0xff; i++)
        if (line[i] != 0)
          wp_raster_blend (to + i, 1, line[i]);
    }
}

static void
fill_ground (Lines *self, const WpGround *ground, const WpRows *rows, const WpViewport *vp)
{
  const WpSpanArray *spans = &self->painter->spans;
  int left = MAX (ground->left, ground->x), right = MIN (ground->right, ground->x + self->width * ground->scale);

  for (guint32 span = 0, shade = 0; span < spans->len && left < right;)
    {
      int y = (int) round (wp_rows_y (rows, vp, spans->data[span].row) - vp->y) * ground->scale + ground->y, end = y + self->height * ground->scale;

      make_lines (self, &span, &shade);
      for (int at = MAX (y, ground->top); at < MIN (end, ground->bottom); at++)
        lay_line (wp_ground_line (ground, at) + left, (at < y + ground->scale || at >= end - ground->scale ? self->edge : self->line) + left - ground->x,
                  right - left);
    }
  wp_ground_end (ground);
}

gboolean
wp_fill_pixels (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp)
{
  int width = (int) ceil (vp->width);
  g_autofree Lines *lines = g_new0 (Lines, 1);
  g_autofree guint32 *line = NULL, *edge = NULL;
  WpGround ground = { .scale = 1 };
  gboolean direct = wp_ground_begin (&ground, cr);

  lines->painter = self;
  lines->width = width;
  lines->height = (int) MAX (1, round (vp->row_height) - 1);
  lines->scale = direct ? ground.scale : 1;
  lines->line = line = g_new (guint32, (gsize) width * (gsize) lines->scale);
  lines->edge = edge = g_new (guint32, (gsize) width * (gsize) lines->scale);
  for (guint share = 1; share < WP_SHARES; share++)
    lines->shades[share] = wp_raster_pixel (wp_theme_colors (self->theme)->background, wp_shade_alpha (share));
  if (!direct)
    return fill_by_raster (lines, cr, rows, vp);
  fill_ground (lines, &ground, rows, vp);
  return TRUE;
}
