/* Counts contradictions stretch by stretch. */
#include "trace/reliability.h"

#include "trace/thresholds.h"

static void
end_stretch (WpReliability *self, gint64 time)
{
  WpLost *last = self->found.len > 0 ? &self->found.data[self->found.len - 1] : NULL;

  if (self->contradictions * WP_UNRELIABLE_SHARE <= self->switches)
    return;
  if (last != NULL && last->end == self->start)
    last->end = time;
  else
    wp_array_push (&self->found, ((WpLost) { .start = self->start, .end = time }));
}

void
wp_reliability_switch (WpReliability *self, gint64 time)
{
  if (++self->switches < WP_STRETCH_SWITCHES)
    return;
  end_stretch (self, time);
  self->start = time;
  self->switches = self->contradictions = 0;
}

void
wp_reliability_contradiction (WpReliability *self, guint weight)
{
  self->contradictions += weight;
}

/* What is left at the end is too short to be judged: it is as the stretch before it. */
void
wp_reliability_finish (WpReliability *self, WpTrace *trace)
{
  if (self->found.len > 0 && self->found.data[self->found.len - 1].end == self->start)
    self->found.data[self->found.len - 1].end = trace->end;
  for (guint32 i = 0; i < self->found.len; i++)
    wp_array_push (&trace->lost, self->found.data[i]);
  trace->diagnostics.n[WP_DIAG_UNRELIABLE] = self->found.len;
  wp_array_clear (&self->found);
}
