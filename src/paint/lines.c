/* Links: fine lines from the row of whoever woke to the row of who was woken. They are faint, but for those of the
 * box that the pointer is on, or that is selected. */
#include <math.h>

#include "paint/raster.h"

#define MANY 150      /* more lines are bundled … */
#define BUNDLE 8.0    /* … so many pixels wide */
#define FAINT 0.3
#define FAINT_ARROW 0.55
#define LIT_MAX 300   /* of the box that is looked at */
#define SLANTED_MAX 800 /* slanted lines a frame: they cost most */

typedef struct
{
  double x0, y0, x1, y1;
} Stroke;

/* From edge to edge of the rows' boxes, cut to a little beyond the area. */
static gboolean
place_line (const WpRows *rows, const WpViewport *vp, const WpLine *line, Stroke *s)
{
  double from = wp_rows_y (rows, vp, line->from_row) - vp->y, to = wp_rows_y (rows, vp, line->to_row) - vp->y;
  double down = line->to_row > line->from_row, dx, dy, low = 0, high = 1;

  s->x0 = wp_viewport_x (vp, line->start);
  s->x1 = wp_viewport_x (vp, line->end);
  s->y0 = from + (down ? vp->row_height - 1 : 0);
  s->y1 = to + (down ? 0 : vp->row_height - 1);
  dx = s->x1 - s->x0;
  dy = s->y1 - s->y0;
  if (dy != 0)
    {
      double a = (-50 - s->y0) / dy, b = (vp->height + 50 - s->y0) / dy;

      low = MAX (low, MIN (a, b));
      high = MIN (high, MAX (a, b));
    }
  if (dx != 0)
    {
      double a = (-50 - s->x0) / dx, b = (vp->width + 50 - s->x0) / dx;

      low = MAX (low, MIN (a, b));
      high = MIN (high, MAX (a, b));
    }
  *s = (Stroke) { s->x0 + low * dx, s->y0 + low * dy, s->x0 + high * dx, s->y0 + high * dy };
  return low < high;
}

static void
add_arrow (cairo_t *cr, const Stroke *s)
{
  double dx = s->x1 - s->x0, dy = s->y1 - s->y0, d = hypot (dx, dy);

  if (d < 7)
    return;
  dx /= d;
  dy /= d;
  cairo_move_to (cr, s->x1, s->y1);
  cairo_line_to (cr, s->x1 - 6 * dx + 2.6 * dy, s->y1 - 6 * dy - 2.6 * dx);
  cairo_line_to (cr, s->x1 - 6 * dx - 2.6 * dy, s->y1 - 6 * dy + 2.6 * dx);
  cairo_close_path (cr);
}

static gboolean
is_upright (const Stroke *s)
{
  return fabs (s->x1 - s->x0) < 1.5;
}

/* Whether a link leaves or reaches a box, or what stands with it in the rows of one task or path. */
static gboolean
touches (const WpRows *rows, const WpLine *line, guint32 box)
{
  const WpBox *b = &rows->boxes.data[box];
  const WpRow *row = &rows->rows.data[wp_rows_row_of (rows, box)];
  const WpRow *from = &rows->rows.data[line->from_row], *to = &rows->rows.data[line->to_row];

  return ((from == row || (from->ref == row->ref && row->ref != 0)) && line->start >= b->start && line->start <= b->end)
         || ((to == row || (to->ref == row->ref && row->ref != 0)) && line->end >= b->start && line->end <= b->end);
}

/* Upright lines are columns of pixels, which fill as fast as boxes; the others are strokes. */
static void
draw_lines (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp)
{
  guint32 slanted = 0;

  for (guint pass = 0; pass < 2; pass++)
    {
      for (guint32 i = 0; i < self->lines.len; i++)
        {
          Stroke s;

          if (!place_line (rows, vp, &rows->lines.data[self->lines.data[i]], &s) || is_upright (&s) != (pass == 0))
            continue;
          if (pass == 0)
            cairo_rectangle (cr, floor (s.x1), round (MIN (s.y0, s.y1)), 1, round (fabs (s.y1 - s.y0)));
          else if (slanted++ < SLANTED_MAX)
            {
              cairo_move_to (cr, s.x0, s.y0);
              cairo_line_to (cr, s.x1, s.y1);
            }
          if (i % 64 == 63)
            (pass == 0 ? cairo_fill : cairo_stroke) (cr);
        }
      (pass == 0 ? cairo_fill : cairo_stroke) (cr);
    }
}

/* A column of pixels; height 0: none. */
typedef struct
{
  int x, y, width, height;
} Column;

static void
fill_columns (cairo_t *cr, const Column *columns, guint32 n)
{
  for (guint32 i = 0; i < n; i++)
    cairo_rectangle (cr, columns[i].x, columns[i].y, columns[i].width, columns[i].height);
  cairo_fill (cr);
}

/* In the picture's own pixels, as far as they may be drawn on; those of which nothing is there go. Returns how many are left. */
static guint32
place_columns (const WpGround *ground, Column *columns, guint32 n)
{
  guint32 kept = 0;

  for (guint32 i = 0; i < n; i++)
    {
      int x = ground->x + columns[i].x * ground->scale, y = ground->y + columns[i].y * ground->scale;
      int left = MAX (x, ground->left), right = MIN (x + columns[i].width * ground->scale, ground->right);
      int top = MAX (y, ground->top), bottom = MIN (y + columns[i].height * ground->scale, ground->bottom);

      if (left < right && top < bottom)
        columns[kept++] = (Column) { left, top, right - left, bottom - top };
    }
  return kept;
}

/* The same as fill_columns(), line by line: columns lie far from themselves in memory, and near to each other. */
static void
blend_columns (const WpGround *ground, Column *columns, guint32 n, guint32 pixel)
{
  n = place_columns (ground, columns, n);
  for (int y = ground->top; y < ground->bottom; y++)
    {
      guint32 *line = wp_ground_line (ground, y);

      for (guint32 i = 0; i < n; i++)
        if (y >= columns[i].y && y < columns[i].y + columns[i].height)
          for (int k = 0; k < columns[i].width; k++)
            wp_raster_blend_one (&line[columns[i].x + k], pixel);
    }
  wp_ground_end (ground);
}

/* Where there are too many to be told apart, those that stand within a few pixels are one column, from the highest to the lowest of
 * them: most of what is under them stays as it is. */
static void
draw_bundles (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp)
{
  guint32 n = (guint32) (vp->width / BUNDLE) + 1;
  g_autofree Stroke *bundles = g_new0 (Stroke, n);
  g_autofree Column *columns = g_new (Column, n);
  WpGround ground;

  for (guint32 i = 0; i < self->lines.len; i++)
    {
      Stroke s, *bundle;

      if (!place_line (rows, vp, &rows->lines.data[self->lines.data[i]], &s) || s.x1 < 0 || s.x1 >= vp->width)
        continue;
      bundle = &bundles[(guint32) (s.x1 / BUNDLE)];
      if (bundle->y1 == bundle->y0)
        *bundle = (Stroke) { .y0 = MIN (s.y0, s.y1), .y1 = MAX (s.y0, s.y1) };
      bundle->y0 = MIN (bundle->y0, MIN (s.y0, s.y1));
      bundle->y1 = MAX (bundle->y1, MAX (s.y0, s.y1));
    }
  for (guint32 i = 0; i < n; i++)
    columns[i] = (Column) { (int) ((i + 0.5) * BUNDLE), (int) round (bundles[i].y0), 1, (int) round (bundles[i].y1 - bundles[i].y0) };
  if (wp_ground_begin (&ground, cr))
    blend_columns (&ground, columns, n, wp_raster_pixel (wp_theme_colors (self->theme)->link, FAINT));
  else
    fill_columns (cr, columns, n);
}

static void
draw_arrows (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp)
{
  for (guint32 i = 0; i < self->lines.len; i++)
    {
      Stroke s;

      if (place_line (rows, vp, &rows->lines.data[self->lines.data[i]], &s))
        add_arrow (cr, &s);
    }
  cairo_fill (cr);
}

/* The links of a box stay, the others go. */
static void
keep_lines_of (WpPainter *self, const WpRows *rows, guint32 box)
{
  guint32 n = 0;

  for (guint32 i = 0; i < self->lines.len && n < LIT_MAX; i++)
    if (touches (rows, &rows->lines.data[self->lines.data[i]], box))
      self->lines.data[n++] = self->lines.data[i];
  self->lines.len = n;
}

void
wp_paint_lines (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp)
{
  const WpRgb color = wp_theme_colors (self->theme)->link;

  wp_fold_lines (rows, vp, &self->lines);
  if (self->lines.len == 0)
    return;
  cairo_set_line_width (cr, 1);
  wp_set_color (cr, color, FAINT);
  if (self->lines.len > MANY)
    draw_bundles (self, cr, rows, vp);
  else
    {
      draw_lines (self, cr, rows, vp);
      wp_set_color (cr, color, FAINT_ARROW);
      draw_arrows (self, cr, rows, vp);
    }
}

void
wp_paint_lines_of (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp, guint32 box)
{
  if (box == G_MAXUINT32)
    return;
  wp_fold_lines (rows, vp, &self->lines);
  keep_lines_of (self, rows, box);
  cairo_set_line_width (cr, 1);
  wp_set_color (cr, wp_theme_colors (self->theme)->link, 1);
  draw_lines (self, cr, rows, vp);
  draw_arrows (self, cr, rows, vp);
}
