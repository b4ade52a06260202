#include "stacks/chrome-parts.h"

#include "base/sort.h"
#include "stacks/sums.h"

/* What is open while samples are made. */
typedef struct
{
  WpChromeRows *rows;
  WpIdArray nodes; /* stacks, each on top of the one before it */
  WP_ARRAY (gint64) ends;
} Open;

void
wp_chrome_spans_add (WpChromeSpans *self, guint32 thread, WpId location, gint64 start, gint64 end)
{
  wp_array_push (&self->spans, ((WpChromeSpan) { .start = start, .end = end, .thread = thread, .order = self->spans.len, .location = location }));
}

void
wp_chrome_spans_begin (WpChromeSpans *self, guint32 thread, WpId location, gint64 start)
{
  wp_chrome_spans_add (self, thread, location, start, G_MAXINT64);
  if (self->open.len <= thread)
    wp_array_resize (&self->open, thread + 1);
  self->spans.data[self->spans.len - 1].outer = self->open.data[thread];
  self->open.data[thread] = self->spans.len;
}

void
wp_chrome_spans_end (WpChromeSpans *self, guint32 thread, gint64 at)
{
  if (thread < self->open.len && self->open.data[thread] != 0)
    {
      WpChromeSpan *span = &self->spans.data[self->open.data[thread] - 1];

      span->end = MAX (at, span->start);
      self->open.data[thread] = span->outer;
    }
}

/* By thread and time; of those that begin together the longer one is outside. */
static int
compare_spans (const void *a, const void *b)
{
  const WpChromeSpan *x = a, *y = b;

  if (x->thread != y->thread)
    return WP_COMPARE (x->thread, y->thread);
  if (x->start != y->start)
    return WP_COMPARE (x->start, y->start);
  return x->end != y->end ? WP_COMPARE (y->end, x->end) : WP_COMPARE (x->order, y->order);
}

/* What is open until a moment gets its time, and closes where it ends. */
static void
advance (Open *self, guint32 thread, gint64 *at, gint64 to)
{
  while (self->nodes.len > 0 && *at < to)
    {
      gint64 end = MIN (self->ends.data[self->ends.len - 1], to);

      wp_chrome_sample (self->rows, thread, self->nodes.data[self->nodes.len - 1], *at, wp_sum (end, wp_negative (*at)));
      *at = MAX (*at, end);
      if (self->ends.data[self->ends.len - 1] > *at)
        break;
      self->nodes.len--;
      self->ends.len--;
    }
  while (self->ends.len > 0 && self->ends.data[self->ends.len - 1] <= to)
    {
      self->nodes.len--;
      self->ends.len--;
    }
  *at = MAX (*at, to);
}

/* What was never ended lasts as long as anything else of its thread. */
static void
end_all (WpChromeSpans *self, guint32 n_threads)
{
  g_autofree gint64 *last = g_new0 (gint64, n_threads);

  for (guint32 i = 0; i < self->spans.len; i++)
    {
      const WpChromeSpan *span = &self->spans.data[i];
      gint64 end = span->end != G_MAXINT64 ? span->end : span->start;

      last[span->thread] = MAX (last[span->thread], end);
    }
  for (guint32 i = 0; i < self->spans.len; i++)
    if (self->spans.data[i].end == G_MAXINT64)
      self->spans.data[i].end = last[self->spans.data[i].thread];
}

void
wp_chrome_spans_take (WpChromeSpans *self, WpChromeRows *rows)
{
  Open open = { .rows = rows };
  gint64 at = 0;

  end_all (self, rows->maker.stacks->threads.len);
  wp_array_sort (&self->spans, compare_spans);
  for (guint32 i = 0; i < self->spans.len; i++)
    {
      const WpChromeSpan *span = &self->spans.data[i];
      gint64 end = span->end;
      WpId stack;

      if (i > 0 && span[-1].thread != span->thread)
        advance (&open, span[-1].thread, &at, G_MAXINT64);
      if (i == 0 || span[-1].thread != span->thread)
        at = span->start;
      advance (&open, span->thread, &at, span->start);
      if (open.ends.len > 0)
        end = MIN (end, open.ends.data[open.ends.len - 1]); /* nothing outlasts what it stands in */
      stack = wp_stacks_maker_stack (&rows->maker, open.nodes.len > 0 ? open.nodes.data[open.nodes.len - 1] : 0, &span->location, 1);
      wp_array_push (&open.nodes, stack);
      wp_array_push (&open.ends, end);
    }
  if (self->spans.len > 0)
    advance (&open, self->spans.data[self->spans.len - 1].thread, &at, G_MAXINT64);
  wp_array_clear (&open.nodes);
  wp_array_clear (&open.ends);
}

void
wp_chrome_spans_clear (WpChromeSpans *self)
{
  wp_array_clear (&self->spans);
  wp_array_clear (&self->open);
}
