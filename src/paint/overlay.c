/* What lies on a picture of boxes and changes without them: what the pointer is on and its links, the selection, the marked range. */
#include "paint/paint-private.h"

#include "base/format.h"

#include <math.h>

static gboolean
box_rect (const WpRows *rows, const WpViewport *vp, guint32 box, double *x, double *y, double *w, double *h)
{
  guint32 row = wp_rows_row_of (rows, box);
  double x0, x1;

  if (row == G_MAXUINT32)
    return FALSE;
  x0 = floor (CLAMP (wp_viewport_x (vp, rows->boxes.data[box].start), -10, vp->width + 10) + 0.5);
  x1 = floor (CLAMP (wp_viewport_x (vp, rows->boxes.data[box].end), -10, vp->width + 10) + 0.5);
  *x = x0;
  *w = MAX (2, x1 - x0);
  *y = round (wp_rows_y (rows, vp, row) - vp->y);
  *h = MAX (1, round (vp->row_height) - 1);
  return x1 >= -5 && x0 <= vp->width + 5 && *y + *h > 0 && *y < vp->height;
}

void
wp_paint_frame (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp, guint32 box, gboolean selected)
{
  const WpThemeColors *colors = wp_theme_colors (self->theme);
  double x, y, w, h;

  if (box == G_MAXUINT32 || !box_rect (rows, vp, box, &x, &y, &w, &h))
    return;
  if (selected)
    {
      cairo_rectangle (cr, x - 2, y - 2, w + 3, h + 4);
      wp_set_color (cr, colors->background, 1);
      cairo_set_line_width (cr, 4);
      cairo_stroke_preserve (cr);
      wp_set_color (cr, colors->accent, 1);
      cairo_set_line_width (cr, 2.5);
      cairo_stroke (cr);
      return;
    }
  cairo_rectangle (cr, x + 0.5, y + 0.5, w - 1, h - 1);
  wp_set_color (cr, colors->text, 0.08);
  cairo_fill_preserve (cr);
  wp_set_color (cr, colors->text, 0.85);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

/* How long the marked range is, on a plate at its top. */
static void
paint_range_length (WpPainter *self, cairo_t *cr, const WpViewport *vp, const WpPaintState *state)
{
  const WpThemeColors *colors = wp_theme_colors (self->theme);
  double x0 = MAX (wp_viewport_x (vp, state->mark_start), 0), x1 = MIN (wp_viewport_x (vp, state->mark_end), vp->width);
  double ns = state->mark_end - state->mark_start;
  char text[WP_FORMAT_MAX];
  const WpBoxLabel *label = wp_labels_get (self->labels, wp_format_ns ((gint64) llround (ns), text));
  double width = ceil (wp_label_width (label)) + 16, height = 20;
  double x = round (CLAMP ((x0 + x1 - width) / 2, 2, MAX (2, vp->width - width - 2))), y = 4;

  cairo_new_sub_path (cr);
  cairo_arc (cr, x + height / 2, y + height / 2, height / 2, G_PI / 2, G_PI * 3 / 2);
  cairo_arc (cr, x + width - height / 2, y + height / 2, height / 2, -G_PI / 2, G_PI / 2);
  cairo_close_path (cr);
  wp_set_color (cr, colors->accent, 1);
  cairo_fill (cr);
  wp_set_color (cr, colors->background, 1);
  wp_labels_show (self->labels, cr, label, x + 8, y, width - 8, height, FALSE);
}

/* What is not drawn out fades: it will be gone. */
static void
paint_band (WpPainter *self, cairo_t *cr, const WpViewport *vp, const WpPaintState *state)
{
  const WpThemeColors *colors = wp_theme_colors (self->theme);
  double x0 = floor (CLAMP (wp_viewport_x (vp, MIN (state->band_start, state->band_end)), 0, vp->width));
  double x1 = ceil (CLAMP (wp_viewport_x (vp, MAX (state->band_start, state->band_end)), 0, vp->width));

  if (state->band_start == state->band_end)
    return;
  cairo_rectangle (cr, 0, 0, x0, vp->height);
  cairo_rectangle (cr, x1, 0, vp->width - x1, vp->height);
  wp_set_color (cr, colors->background, 0.6);
  cairo_fill (cr);
  cairo_rectangle (cr, x0 + 0.5, 0.5, MAX (x1 - x0 - 1, 0), vp->height - 1);
  wp_set_color (cr, colors->text, 0.8);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

static void
paint_range (WpPainter *self, cairo_t *cr, const WpViewport *vp, const WpPaintState *state)
{
  const WpThemeColors *colors = wp_theme_colors (self->theme);
  double x0 = wp_viewport_x (vp, MIN (state->mark_start, state->mark_end));
  double x1 = wp_viewport_x (vp, MAX (state->mark_start, state->mark_end));

  if (state->mark_start == state->mark_end || x1 < 0 || x0 > vp->width)
    return;
  x0 = floor (MAX (x0, -5));
  x1 = ceil (MIN (x1, vp->width + 5));
  cairo_rectangle (cr, x0, 0, x1 - x0, vp->height);
  wp_set_color (cr, colors->accent, 0.14);
  cairo_fill (cr);
  cairo_rectangle (cr, x0, 0, 1, vp->height);
  cairo_rectangle (cr, x1 - 1, 0, 1, vp->height);
  wp_set_color (cr, colors->accent, 0.9);
  cairo_fill (cr);
}

void
wp_painter_overlay (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp, const WpPaintState *state)
{
  gboolean marked = state->mark_end > state->mark_start && wp_viewport_x (vp, state->mark_end) >= 0
                    && wp_viewport_x (vp, state->mark_start) <= vp->width;

  wp_labels_set_size (self->labels, wp_label_size (vp));
  if (state->folds && state->fold_hovered)
    wp_paint_fold_hovered (self, cr, rows, vp, state);
  if (state->lines)
    wp_paint_lines_of (self, cr, rows, vp, state->hovered != G_MAXUINT32 ? state->hovered : state->selected);
  paint_range (self, cr, vp, state);
  if (state->hovered != state->selected)
    wp_paint_frame (self, cr, rows, vp, state->hovered, FALSE);
  wp_paint_frame (self, cr, rows, vp, state->selected, TRUE);
  if (rows->is_time && marked)
    paint_range_length (self, cr, vp, state);
  paint_band (self, cr, vp, state);
}
