/* What is written on boxes: a name each, where there is room for it. */
#include "paint/paint-private.h"

#include <math.h>

#define LABEL_MIN_WIDTH 22 /* pixels a box needs to be labelled at all */
#define LABELS_MAX 1600    /* a frame; the narrowest go without */
#define LABEL_PADDING 4

void
wp_add_wide (const WpPainter *self, const WpRows *rows, const WpViewport *vp, WpWideArray *wide, int x, int y)
{
  double cell = wp_viewport_cell (vp);

  for (guint32 i = 0; i < self->rects.len; i++)
    {
      const WpRect *r = &self->rects.data[i];
      const WpSpan *span = &self->spans.data[r->span];

      if (r->w >= LABEL_MIN_WIDTH)
        wp_array_push (wide, ((WpWide) { .x = r->x + x, .y = r->y + y, .w = r->w, .h = r->h, .row = span->row, .box = span->box,
                                         .alone = (double) wp_rows_length_of (rows, span->box) >= cell }));
    }
}

static inline double
seen_width (const WpWide *r, const WpViewport *vp)
{
  return MIN (r->x + r->w, vp->width) - MAX (r->x, 0);
}

/* How wide a box must be for its label so that not too many are drawn. */
static int
least_width (const WpWideArray *wide, const WpViewport *vp)
{
  guint32 n[256] = { 0 }, sum = 0;

  for (guint32 i = 0; i < wide->len; i++)
    {
      double w = seen_width (&wide->data[i], vp);

      if (w >= LABEL_MIN_WIDTH)
        n[MIN (255, (int) w)]++;
    }
  for (int w = 255; w >= LABEL_MIN_WIDTH; w--)
    if ((sum += n[w]) > LABELS_MAX)
      return w;
  return LABEL_MIN_WIDTH;
}

/* Marks along the bottom edge push the text up a little. */
static inline double
label_height (const WpWide *r)
{
  return r->h >= 18 ? r->h - 2 : r->h;
}

/* One label, at the left end of what is seen of the box: more of them would look like several calls. */
static void
paint_label (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp, const WpWide *r, gboolean folds)
{
  const WpBox *box = &rows->boxes.data[r->box];
  const WpBoxLabel *label = wp_labels_get (self->labels, wp_rows_string (rows, box->label));
  double left = MAX (r->x, 0) + LABEL_PADDING + (box->kind == WP_BOX_PROCESS && r->x >= 0 ? 2 : 0);
  double right = MIN (r->x + r->w, vp->width) - (LABEL_PADDING - 1);
  cairo_rectangle_t mark;

  if (folds && wp_painter_fold_mark (self, rows, vp, r->box, &mark))
    {
      left = wp_painter_from_right (self) ? mark.x + mark.width : left;
      right = wp_painter_from_right (self) ? right : mark.x;
    }
  wp_labels_show (self->labels, cr, label, left, r->y, right - left, label_height (r), FALSE);
}

void
wp_paint_labels (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp, const WpPaintState *state, const WpWideArray *wide)
{
  int least = least_width (wide, vp), bucket = -1;

  if (vp->row_height < 9)
    return;
  for (guint32 i = 0; i < wide->len; i++)
    {
      const WpWide *r = &wide->data[i];
      const WpBox *box = &rows->boxes.data[r->box];
      gboolean faded = wp_is_faded (state, r->box);
      int wanted;

      if (seen_width (r, vp) < least || box->label == 0)
        continue;
      wanted = 2 * (int) wp_bucket (wp_painter_look (self, rows, box, faded)) + (box->ghost && !faded);
      if (bucket != wanted)
        wp_set_color (cr, wp_painter_ink (self, rows, box, faded), 1);
      bucket = wanted;
      paint_label (self, cr, rows, vp, r, state->folds && r->alone);
    }
}
