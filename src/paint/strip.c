/* The wait chain above a flame view: bands with what is lit in them, and arrows where the work goes from one to another. */
#include "paint/paint-private.h"

#include <math.h>

#define PITCH (17 / 1.4) /* of a band: with the space above a group of rows whole pixels */
#define ABOVE 3.0
#define NAME_LEFT 8.0
#define ARROW_EVERY 12 /* pixels between two arrows that join the same bands */
#define ARROW_ROOM 6   /* pixels of the width for each arrow, or there are none */

WpViewport
wp_strip_viewport (const WpViewport *above)
{
  return (WpViewport) { .start = above->start, .end = above->end, .y = -ABOVE, .width = above->width,
                        .height = G_MAXINT16, .row_height = PITCH };
}

double
wp_strip_height (const WpRows *strip)
{
  WpViewport vp = { .row_height = PITCH };

  return ceil (wp_rows_y (strip, &vp, strip->rows.len) + 2 * ABOVE);
}

double
wp_strip_middle (const WpRows *strip, const WpViewport *vp, guint32 row)
{
  return round (wp_rows_y (strip, vp, row) - vp->y) + floor ((vp->row_height - 1) / 2);
}

/* So that a track without anything lit is one. */
static void
paint_tracks (WpPainter *self, cairo_t *cr, const WpRows *strip, const WpViewport *vp)
{
  const WpThemeColors *colors = wp_theme_colors (self->theme);

  wp_set_color (cr, colors->background, 1);
  cairo_paint (cr);
  wp_set_color (cr, colors->grid, 1);
  for (guint32 r = 0; r < strip->rows.len; r++)
    cairo_rectangle (cr, 0, wp_strip_middle (strip, vp, r), vp->width, 1);
  cairo_fill (cr);
}

/* From edge to edge of the bands, its head on the one that the work goes to. */
WpStripArrow
wp_strip_arrow (const WpRows *strip, const WpViewport *vp, const WpLine *line)
{
  double half = floor ((vp->row_height - 1) / 2), down = line->to_row > line->from_row ? 1 : -1;
  double to = wp_strip_middle (strip, vp, line->to_row) - down * (half - 1);

  return (WpStripArrow) { floor (wp_viewport_x (vp, line->start)), wp_strip_middle (strip, vp, line->from_row),
                          to - down * WP_STRIP_HEAD, to };
}

static void
add_arrow (cairo_t *cr, const WpStripArrow *arrow)
{
  double x = arrow->x + 0.5, neck = 2 * arrow->neck - arrow->to;

  cairo_rectangle (cr, arrow->x, MIN (arrow->from, arrow->neck), 1, fabs (arrow->neck - arrow->from));
  cairo_move_to (cr, x, arrow->to);
  cairo_line_to (cr, x + arrow->neck - arrow->to, neck);
  cairo_line_to (cr, x - arrow->neck + arrow->to, neck);
  cairo_close_path (cr);
}

/* Of those that join the same bands within a few pixels the first stands for all: the same one whatever is seen. */
static void
thin_out (WpPainter *self, const WpRows *strip, const WpViewport *vp)
{
  gint64 last[WP_LAYOUT_STRIP_BANDS][WP_LAYOUT_STRIP_BANDS];
  double every = (vp->end - vp->start) / vp->width * ARROW_EVERY;
  guint32 n = 0;

  memset (last, -1, sizeof last);
  for (guint32 i = 0; i < self->lines.len; i++)
    {
      const WpLine *line = &strip->lines.data[self->lines.data[i]];
      gint64 cell = (gint64) floor ((double) (line->start - strip->start) / every);

      if (last[line->from_row][line->to_row] == cell)
        continue;
      last[line->from_row][line->to_row] = cell;
      self->lines.data[n++] = self->lines.data[i];
    }
  self->lines.len = n;
}

void
wp_strip_find_arrows (WpPainter *self, const WpRows *strip, const WpViewport *vp)
{
  wp_fold_lines (strip, vp, &self->lines);
  thin_out (self, strip, vp);
  if (self->lines.len > vp->width / ARROW_ROOM)
    self->lines.len = 0;
}

static void
paint_arrows (WpPainter *self, cairo_t *cr, const WpRows *strip, const WpViewport *vp)
{
  wp_strip_find_arrows (self, strip, vp);
  wp_set_color (cr, wp_theme_colors (self->theme)->text, 0.75);
  for (guint32 i = 0; i < self->lines.len; i++)
    {
      WpStripArrow arrow = wp_strip_arrow (strip, vp, &strip->lines.data[self->lines.data[i]]);

      add_arrow (cr, &arrow);
    }
  cairo_fill (cr);
}

void
wp_painter_strip (WpPainter *self, cairo_t *cr, const WpRows *strip, const WpViewport *above, const WpPaintState *state)
{
  const WpViewport vp = wp_strip_viewport (above);

  if (vp.width < 1 || vp.end <= vp.start)
    return;
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, vp.width, wp_strip_height (strip));
  cairo_clip (cr);
  paint_tracks (self, cr, strip, &vp);
  wp_paint_spans (self, cr, strip, &vp, state);
  paint_arrows (self, cr, strip, &vp);
  wp_paint_frame (self, cr, strip, &vp, state->hovered, FALSE);
  cairo_restore (cr);
}

double
wp_painter_strip_names_width (WpPainter *self, const WpRows *strip)
{
  double most = 0;

  wp_labels_set_size (self->labels, WP_STRIP_NAME_SIZE);
  for (guint32 r = 0; r < strip->rows.len; r++)
    most = MAX (most, wp_label_width (wp_labels_get (self->labels, wp_rows_string (strip, strip->rows.data[r].label))));
  return ceil (most + 2 * NAME_LEFT);
}

void
wp_painter_strip_names (WpPainter *self, cairo_t *cr, const WpRows *strip, double width)
{
  const WpThemeColors *colors = wp_theme_colors (self->theme);
  const WpViewport vp = { .y = -ABOVE, .row_height = PITCH };

  wp_labels_set_size (self->labels, WP_STRIP_NAME_SIZE);
  wp_set_color (cr, colors->background, 1);
  cairo_paint (cr);
  wp_set_color (cr, colors->text, 1);
  for (guint32 r = 0; r < strip->rows.len; r++)
    wp_labels_show (self->labels, cr, wp_labels_get (self->labels, wp_rows_string (strip, strip->rows.data[r].label)), NAME_LEFT,
                    wp_strip_middle (strip, &vp, r) - 8, width - 2 * NAME_LEFT + 1, 16, TRUE);
}
