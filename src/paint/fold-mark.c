/* The mark of a box in which frames are folded: three dots at its end, behind its label, where one clicks to open it. */
#include "paint/paint-private.h"

#include <math.h>

#define LEAST_WIDTH 64      /* pixels of a box that are seen */
#define LEAST_ROW_HEIGHT 14
#define WIDTH 20
#define N_DOTS 3
#define DOT 2               /* pixels, and the room between two */
#define QUIET 0.5           /* how much of the ink, until it is pointed at */

gboolean
wp_painter_fold_mark (WpPainter *self, const WpRows *rows, const WpViewport *vp, guint32 box, cairo_rectangle_t *place)
{
  guint32 row;
  double x0, x1;

  if (box >= rows->boxes.len || rows->boxes.data[box].hidden == 0 || vp->row_height < LEAST_ROW_HEIGHT)
    return FALSE;
  x0 = MAX (wp_viewport_x (vp, (double) rows->boxes.data[box].start), 0);
  x1 = MIN (wp_viewport_x (vp, (double) rows->boxes.data[box].end), vp->width);
  row = x1 - x0 >= LEAST_WIDTH ? wp_rows_row_of (rows, box) : G_MAXUINT32;
  if (row == G_MAXUINT32)
    return FALSE;
  *place = (cairo_rectangle_t) { round (wp_painter_from_right (self) ? x0 : x1 - WIDTH), round (wp_rows_y (rows, vp, row) - vp->y), WIDTH,
                                 round (vp->row_height) - 1 };
  return TRUE;
}

static void
paint_dots (cairo_t *cr, const cairo_rectangle_t *place)
{
  double x = place->x + round ((place->width - (2 * N_DOTS - 1) * DOT) / 2), y = place->y + round ((place->height - DOT) / 2);

  for (guint i = 0; i < N_DOTS; i++)
    cairo_rectangle (cr, x + i * 2 * DOT, y, DOT, DOT);
  cairo_fill (cr);
}

/* Of boxes that stand alone: neighbours that are drawn as one have a mark each where there is room for them. */
void
wp_paint_fold_marks (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp, const WpPaintState *state, const WpWideArray *wide)
{
  for (guint32 i = 0; i < wide->len && rows->hidden.len > 0; i++)
    {
      const WpWide *r = &wide->data[i];
      cairo_rectangle_t place;

      if (!r->alone || r->w + 1 < LEAST_WIDTH || !wp_painter_fold_mark (self, rows, vp, r->box, &place))
        continue;
      wp_set_color (cr, wp_box_ink (self->theme, wp_painter_look (self, rows, &rows->boxes.data[r->box], wp_is_faded (state, r->box))), QUIET);
      paint_dots (cr, &place);
    }
}

void
wp_paint_fold_hovered (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp, const WpPaintState *state)
{
  cairo_rectangle_t place;
  WpRgb ink;

  if (!wp_painter_fold_mark (self, rows, vp, state->hovered, &place))
    return;
  ink = wp_box_ink (self->theme, wp_painter_look (self, rows, &rows->boxes.data[state->hovered], wp_is_faded (state, state->hovered)));
  cairo_rectangle (cr, place.x + 2, place.y + 2, place.width - 4, place.height - 4);
  wp_set_color (cr, ink, 0.16);
  cairo_fill (cr);
  wp_set_color (cr, ink, 1);
  paint_dots (cr, &place);
}
