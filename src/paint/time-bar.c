/* What an explanation's time was spent on as one bar: its categories beside one another, as boxes of the picture. */
#include "paint/paint-private.h"

/* What boxes of a picture are, where most of this time is drawn. */
static const WpBoxKind kinds[WP_CATEGORY_COUNT] = {
  [WP_CATEGORY_UNDERSTOOD] = WP_BOX_RUN,          [WP_CATEGORY_BLOCKING_IO] = WP_BOX_DISK,
  [WP_CATEGORY_NOT_SAMPLED] = WP_BOX_RUN,         [WP_CATEGORY_IO_QUEUE] = WP_BOX_QUEUE,
  [WP_CATEGORY_SCHEDULER] = WP_BOX_RUNNABLE,      [WP_CATEGORY_HARDWARE] = WP_BOX_INTERRUPT,
  [WP_CATEGORY_INVOLUNTARY] = WP_BOX_RUNNABLE,    [WP_CATEGORY_KERNEL_BLOCK] = WP_BOX_SLEEP,
  [WP_CATEGORY_DELIBERATE_SLEEP] = WP_BOX_SLEEP,  [WP_CATEGORY_TIMED_OUT] = WP_BOX_SLEEP,
  [WP_CATEGORY_OTHER_PATH] = WP_BOX_OTHER_PATH,   [WP_CATEGORY_UNFINISHED] = WP_BOX_SLEEP,
  [WP_CATEGORY_UNACCOUNTED] = WP_BOX_UNKNOWN,     [WP_CATEGORY_INTERRUPTS] = WP_BOX_INTERRUPT,
};

void
wp_time_bar_init (WpTimeBar *self, const WpExplanation *explanation, gboolean longest_first)
{
  gint64 at = 0;

  wp_time_bar_clear (self);
  self->rows = wp_rows_new ();
  self->n = wp_explanation_order (explanation, longest_first, self->categories);
  for (guint i = 0; i < self->n; i++)
    {
      WpCategory c = self->categories[i];

      self->ends[i] = at + explanation->ns[c];
      wp_array_push (&self->rows->boxes, ((WpBox) { .start = at, .end = self->ends[i], .kind = kinds[c] }));
      at = self->ends[i];
    }
  wp_array_push (&self->rows->rows, ((WpRow) { .n = self->n }));
  wp_rows_finish (self->rows);
}

void
wp_time_bar_clear (WpTimeBar *self)
{
  g_clear_pointer (&self->rows, wp_rows_free);
  self->n = 0;
}

void
wp_painter_time_bar (WpPainter *self, cairo_t *cr, const WpTimeBar *bar, WpCategory chosen, double width, double height)
{
  WpViewport vp = { .width = width, .height = height, .row_height = height, .end = bar->n > 0 ? (double) bar->ends[bar->n - 1] : 1 };
  WpPaintState state = WP_PAINT_STATE_DEFAULT;

  for (guint i = 0; i < bar->n; i++)
    if (bar->categories[i] == chosen)
      state.selected = i;
  if (bar->rows != NULL)
    wp_painter_boxes (self, cr, bar->rows, &vp, &state);
}

void
wp_category_colors (WpTheme theme, WpCategory category, double fill[3], double edge[3])
{
  const WpLook look = { .kind = kinds[category] };
  WpRgb inside = wp_box_color (theme, look), ink = wp_box_ink (theme, look);

  memcpy (fill, (double[3]) { inside.r, inside.g, inside.b }, sizeof (double[3]));
  memcpy (edge, (double[3]) { (inside.r + ink.r) / 2, (inside.g + ink.g) / 2, (inside.b + ink.b) / 2 }, sizeof (double[3]));
}

WpCategory
wp_time_bar_at (const WpTimeBar *self, double x, double width)
{
  for (guint i = 0; i < self->n && x >= 0; i++)
    if (x / width < (double) self->ends[i] / (double) self->ends[self->n - 1])
      return self->categories[i];
  return WP_CATEGORY_COUNT;
}
