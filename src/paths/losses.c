/* Finds the stretches in which events were lost. */
#include "paths/losses.h"

#include "base/search.h"

void
wp_losses_find (const WpTrace *trace, WpStretches *losses)
{
  for (guint32 i = 0; i < trace->lost.len; i++)
    {
      WpLost lost = trace->lost.data[i];
      WpStretch *last = losses->len > 0 ? &losses->data[losses->len - 1] : NULL;

      if (last != NULL && lost.start <= last->end)
        last->end = MAX (last->end, lost.end);
      else
        wp_array_push (losses, ((WpStretch) { lost.start, lost.end }));
    }
}

guint32
wp_losses_after (const WpStretches *losses, gint64 time)
{
  return WP_SEARCH (0, losses->len, i, losses->data[i].end <= time);
}

guint32
wp_losses_from (const WpStretches *losses, gint64 time)
{
  return WP_SEARCH (0, losses->len, i, losses->data[i].start < time);
}
