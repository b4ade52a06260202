/* Marks on boxes: what tells their kinds apart without colour. */
#include "paint/paint-private.h"

#include <math.h>

static guint32
argb_of (WpRgb c)
{
  guint32 r = (guint32) lround (c.r * 255), g = (guint32) lround (c.g * 255), b = (guint32) lround (c.b * 255);

  return 0xff000000u | r << 16 | g << 8 | b;
}

/* A tile in its colour: unlike a mask it repeats in every format. Along the edge of boxes it leaves the rest of them as it is. */
static cairo_pattern_t *
tile_new (WpMark mark, WpRgb color, WpRgb ground_color)
{
  const guint8 *bits = wp_mark_tile (mark);
  int h = wp_mark_is_strip (mark) ? WP_STRIP : WP_TILE;
  guint32 argb = argb_of (color), ground = wp_mark_is_strip (mark) ? 0 : argb_of (ground_color);
  cairo_surface_t *tile = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WP_TILE, h);
  cairo_pattern_t *pattern;

  for (int y = 0; y < h; y++)
    {
      guint32 *line = (guint32 *) (cairo_image_surface_get_data (tile) + y * cairo_image_surface_get_stride (tile));

      for (int x = 0; x < WP_TILE; x++)
        line[x] = bits[y] & 0x80 >> x ? argb : ground;
    }
  cairo_surface_mark_dirty (tile);
  pattern = cairo_pattern_create_for_surface (tile);
  cairo_pattern_set_extend (pattern, CAIRO_EXTEND_REPEAT);
  cairo_pattern_set_filter (pattern, CAIRO_FILTER_NEAREST);
  cairo_surface_destroy (tile);
  return pattern;
}

static cairo_pattern_t *
mark_tile (WpPainter *self, WpLook look)
{
  cairo_pattern_t **kept = &self->tiles[((look.kind * WP_BODY_COUNT + look.body) * 2 + look.pale) * 2 + look.faded];

  look.shade = 0;
  if (*kept == NULL)
    *kept = tile_new (wp_box_mark (look.kind), wp_mark_color (self->theme, look), wp_box_color (self->theme, look));
  return *kept;
}

static cairo_pattern_t *
band_tile (WpPainter *self, WpBoxKind kind)
{
  WpRgb color = wp_state_color (self->theme, kind);

  if (self->bands[kind] == NULL)
    self->bands[kind] = tile_new (wp_state_mark (kind), color, color);
  return self->bands[kind];
}

/* Tiles start at a place of the rows, not of the area, so that they move with the boxes; those along the edge `above` it. */
static void
paint_tiles (cairo_t *cr, const WpRect *rects, guint32 n, WpMark mark, cairo_pattern_t *tile, int above, int phase)
{
  gboolean strip = wp_mark_is_strip (mark);

  for (guint32 i = 0; i < n;)
    {
      int y = rects[i].y + (strip ? rects[i].h - WP_STRIP - above : 0), h = strip ? WP_STRIP : rects[i].h;
      guint32 end = i;
      cairo_matrix_t matrix;

      for (; end < n && rects[end].y == rects[i].y; end++)
        if (rects[end].w >= 6)
          cairo_rectangle (cr, rects[end].x + 1, y + !strip, rects[end].w - 2, h - 2 * !strip);
      i = end;
      if (!cairo_has_current_point (cr))
        continue;
      cairo_matrix_init_translate (&matrix, -phase, -y);
      cairo_pattern_set_matrix (tile, &matrix);
      cairo_set_source (cr, tile);
      cairo_fill (cr);
    }
}

static void
paint_tabs (cairo_t *cr, const WpRect *rects, guint32 n)
{
  for (guint32 i = 0; i < n; i++)
    if (rects[i].w >= 8)
      cairo_rectangle (cr, rects[i].x, rects[i].y + 1, 3, rects[i].h - 2);
  cairo_fill (cr);
}

static int
cut_of (const WpRect *rect)
{
  return MIN (8, rect->w - 2);
}

/* Whether what is whole there is whole pixels of a picture. */
static gboolean
has_whole_pixels (cairo_t *cr)
{
  cairo_surface_t *surface = cairo_get_group_target (cr);
  double scale;

  cairo_surface_get_device_scale (surface, &scale, NULL);
  return cairo_surface_get_type (surface) == CAIRO_SURFACE_TYPE_IMAGE && scale == floor (scale);
}

/* Whole pixels, then those that are cut in two. So a corner is the same where a part of it is painted. */
static void
add_corners (cairo_t *cr, const WpRect *rects, guint32 n, gboolean halves)
{
  double scale, pixel;

  cairo_surface_get_device_scale (cairo_get_group_target (cr), &scale, NULL);
  pixel = 1 / scale;
  for (guint32 i = 0; i < n; i++)
    if (rects[i].w >= 5)
      {
        int right = rects[i].x + rects[i].w;

        for (double k = 0; k < cut_of (&rects[i]); k += pixel)
          {
            double left = right - cut_of (&rects[i]) + k;

            cairo_rectangle (cr, halves ? left : left + pixel, rects[i].y + k, halves ? pixel : right - left - pixel, pixel);
          }
        if (i % 16 == 15)
          cairo_fill (cr);
      }
  cairo_fill (cr);
}

static void
cut_corners_of_pixels (cairo_t *cr, const WpRect *rects, guint32 n, WpRgb color)
{
  wp_set_color (cr, color, 1);
  add_corners (cr, rects, n, FALSE);
  wp_set_color (cr, color, 0.5);
  add_corners (cr, rects, n, TRUE);
}

static void
cut_corners (cairo_t *cr, const WpRect *rects, guint32 n, WpRgb color)
{
  wp_set_color (cr, color, 1);
  for (guint32 i = 0; i < n; i++)
    if (rects[i].w >= 5)
      {
        int x = rects[i].x + rects[i].w, d = cut_of (&rects[i]);

        cairo_move_to (cr, x - d, rects[i].y);
        cairo_line_to (cr, x, rects[i].y);
        cairo_line_to (cr, x, rects[i].y + d);
        cairo_close_path (cr);
      }
  cairo_fill (cr);
}

/* A band of one colour without gaps needs no tile. */
static void
paint_line (cairo_t *cr, const WpRect *rects, guint32 n, int above)
{
  for (guint32 i = 0; i < n; i++)
    if (rects[i].w >= 3)
      {
        cairo_rectangle (cr, rects[i].x + 1, rects[i].y + rects[i].h - WP_BAND - above, rects[i].w - 2, WP_BAND);
        if (i % 64 == 63)
          cairo_fill (cr);
      }
  cairo_fill (cr);
}

/* Above the outline, where boxes have one. */
static void
paint_bands (WpPainter *self, cairo_t *cr, const WpRect *rects, guint32 n, WpBoxKind kind, int phase)
{
  WpMark mark = wp_state_mark (kind);
  int above = wp_theme_colors (self->theme)->outlines;

  if (mark == WP_MARK_SOLID)
    {
      wp_set_color (cr, wp_state_color (self->theme, kind), 1);
      paint_line (cr, rects, n, above);
    }
  else if (mark != WP_MARK_NONE)
    paint_tiles (cr, rects, n, mark, band_tile (self, kind), above, phase);
}

void
wp_paint_marks (WpPainter *self, cairo_t *cr, const WpRect *rects, guint32 n, WpLook look, int phase)
{
  WpMark mark = wp_box_mark (look.kind);

  if (n == 0 || rects[0].h < 10)
    return;
  if (mark == WP_MARK_CUT_CORNER)
    (has_whole_pixels (cr) ? cut_corners_of_pixels : cut_corners) (cr, rects, n, wp_theme_colors (self->theme)->background);
  else if (mark == WP_MARK_TAB)
    {
      wp_set_color (cr, wp_mark_color (self->theme, look), 1);
      paint_tabs (cr, rects, n);
    }
  else if (wp_mark_tile (mark) != NULL && !(look.body != WP_BODY_NONE && wp_mark_is_strip (mark)))
    paint_tiles (cr, rects, n, mark, mark_tile (self, look), 0, phase);
  if (look.body != WP_BODY_NONE && !look.faded)
    paint_bands (self, cr, rects, n, look.kind, phase);
}

int
wp_mark_phase (const WpRows *rows, const WpViewport *vp)
{
  double cell = (vp->end - vp->start) / vp->width;

  return -(int) fmod (floor ((vp->start - rows->start) / cell + 0.5), WP_TILE);
}
