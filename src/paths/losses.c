#include "paths/losses.h"

#include "base/search.h"

#define FEW 16

void
wp_losses_find (const WpTrace *trace, gint64 shortest, WpStretches *losses)
{
  for (guint32 i = 0; i < trace->lost.len; i++)
    {
      WpLost lost = trace->lost.data[i];
      WpStretch *last = losses->len > 0 ? &losses->data[losses->len - 1] : NULL;

      if (lost.end - lost.start < shortest)
        continue;
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

gint64
wp_losses_known_since (const WpStretches *bursts, gint64 start, gint64 end)
{
  guint32 next = wp_losses_after (bursts, end);

  if (next < bursts->len && bursts->data[next].start < end)
    next++;
  for (guint32 i = next; i-- > 0 && next - i <= FEW && bursts->data[i].end > start;)
    if (bursts->data[i].end - bursts->data[i].start >= (end - start) / WP_BURST_SHARE)
      return MIN (bursts->data[i].end, end);
  return start;
}
