/* Marks on boxes: what tells their kinds apart without colour. */
#include "paint/paint-private.h"

#include <math.h>

static guint32
argb_of (WpRgb c)
{
  guint32 r = (guint32) lround (c.r * 255), g = (guint32) lround (c.g * 255), b = (guint32) lround (c.b * 255);

  return 0xff000000u | r << 16 | g << 8 | b;
}

/* A tile in its colour: unlike a mask it repeats in every format. */
static cairo_pattern_t *
mark_tile (WpPainter *self, WpBoxKind kind, gboolean faded)
{
  cairo_pattern_t **kept = &self->tiles[kind * 2 + faded];
  const guint8 *bits = wp_mark_tile (wp_box_mark (kind));
  int h = wp_mark_is_strip (wp_box_mark (kind)) ? WP_STRIP : WP_TILE;
  guint32 argb = argb_of (wp_mark_color (self->theme, kind, faded));
  guint32 ground = wp_mark_is_strip (wp_box_mark (kind)) ? 0 : argb_of (wp_box_color (self->theme, kind, 0, faded));
  cairo_surface_t *tile;

  if (*kept != NULL)
    return *kept;
  tile = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WP_TILE, h);
  for (int y = 0; y < h; y++)
    {
      guint32 *line = (guint32 *) (cairo_image_surface_get_data (tile) + y * cairo_image_surface_get_stride (tile));

      for (int x = 0; x < WP_TILE; x++)
        line[x] = bits[y] & 0x80 >> x ? argb : ground;
    }
  cairo_surface_mark_dirty (tile);
  *kept = cairo_pattern_create_for_surface (tile);
  cairo_pattern_set_extend (*kept, CAIRO_EXTEND_REPEAT);
  cairo_pattern_set_filter (*kept, CAIRO_FILTER_NEAREST);
  cairo_surface_destroy (tile);
  return *kept;
}

/* Tiles start at a place of the rows, not of the area, so that they move with the boxes. */
static void
paint_tiles (WpPainter *self, cairo_t *cr, const WpRect *rects, guint32 n, WpBoxKind kind, gboolean faded, int phase)
{
  cairo_pattern_t *tile = mark_tile (self, kind, faded);
  gboolean strip = wp_mark_is_strip (wp_box_mark (kind));

  for (guint32 i = 0; i < n;)
    {
      int y = rects[i].y + (strip ? rects[i].h - WP_STRIP : 0), h = strip ? WP_STRIP : rects[i].h;
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

static void
cut_corners (cairo_t *cr, const WpRect *rects, guint32 n)
{
  for (guint32 i = 0; i < n; i++)
    if (rects[i].w >= 5)
      {
        int x = rects[i].x + rects[i].w, d = MIN (8, rects[i].w - 2);

        cairo_move_to (cr, x - d, rects[i].y);
        cairo_line_to (cr, x, rects[i].y);
        cairo_line_to (cr, x, rects[i].y + d);
        cairo_close_path (cr);
      }
  cairo_fill (cr);
}

void
wp_paint_marks (WpPainter *self, cairo_t *cr, const WpRect *rects, guint32 n, WpBoxKind kind, gboolean faded, int phase)
{
  WpMark mark = wp_box_mark (kind);

  if (n == 0 || rects[0].h < 10)
    return;
  wp_set_color (cr, wp_mark_color (self->theme, kind, faded), 1);
  if (wp_mark_tile (mark) != NULL)
    paint_tiles (self, cr, rects, n, kind, faded, phase);
  else if (mark == WP_MARK_TAB)
    paint_tabs (cr, rects, n);
  else if (mark == WP_MARK_CUT_CORNER)
    {
      wp_set_color (cr, wp_theme_colors (self->theme)->background, 1);
      cut_corners (cr, rects, n);
    }
}

int
wp_mark_phase (const WpRows *rows, const WpViewport *vp)
{
  double cell = (vp->end - vp->start) / vp->width;

  return -(int) fmod (floor ((vp->start - rows->start) / cell + 0.5), WP_TILE);
}
