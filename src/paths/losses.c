/* Finds the stretches in which events were lost, or not wanted. */
#include "paths/losses.h"

#include "base/search.h"

/* Of pauses or of losses alone. */
static void
join (const WpTrace *trace, gboolean paused, WpStretches *joined)
{
  for (guint32 i = 0; i < trace->lost.len; i++)
    {
      WpLost lost = trace->lost.data[i];
      WpStretch *last = joined->len > 0 ? &joined->data[joined->len - 1] : NULL;

      if (lost.paused != paused)
        continue;
      if (last != NULL && lost.start <= last->end)
        last->end = MAX (last->end, lost.end);
      else
        wp_array_push (joined, ((WpStretch) { lost.start, lost.end, paused }));
    }
}

/* What of it lies behind those that are there. */
static void
push (WpStretches *losses, WpStretch stretch)
{
  if (losses->len > 0)
    stretch.start = MAX (stretch.start, losses->data[losses->len - 1].end);
  if (stretch.start < stretch.end)
    wp_array_push (losses, stretch);
}

void
wp_losses_find (const WpTrace *trace, WpStretches *losses)
{
  WpStretches pauses = { 0 }, others = { 0 };
  guint32 next = 0;

  join (trace, TRUE, &pauses);
  join (trace, FALSE, &others);
  for (guint32 i = 0; i < others.len; i++)
    {
      WpStretch loss = others.data[i];

      for (; next < pauses.len && pauses.data[next].start < loss.end; next++)
        {
          push (losses, ((WpStretch) { loss.start, pauses.data[next].start }));
          push (losses, pauses.data[next]);
        }
      push (losses, loss);
    }
  for (; next < pauses.len; next++)
    push (losses, pauses.data[next]);
  wp_array_clear (&pauses);
  wp_array_clear (&others);
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
