#include "read/perf/perf-repeats.h"

/* What came last of one tracepoint on one CPU. */
typedef struct
{
  guint32 row; /* of its event type + 1 */
  const guint8 *raw;
  gsize n;
} Last;

struct WpPerfRepeats
{
  guint32 *groups; /* by row of the event types: 0: no other is of the same tracepoint */
  WpPairMap rows;  /* CPU, group → row of `last` + 1 */
  WP_ARRAY (Last) last;
};

WpPerfRepeats *
wp_perf_repeats_new (const WpPerfFile *file, const WpPerfEventTypes *types)
{
  WpPerfRepeats *self = g_new0 (WpPerfRepeats, 1);
  WpPairMap firsts = { 0 }; /* tracepoint's number, in halves → row of its first event type + 1 */
  guint32 n_groups = 0;

  self->groups = g_new0 (guint32, file->attrs.len);
  for (guint32 i = 0; i < file->attrs.len; i++)
    {
      const struct perf_event_attr *attr = &file->attrs.data[i].attr;
      guint32 *first;

      if (attr->type != PERF_TYPE_TRACEPOINT || wp_perf_event_type (types, i)->tracepoint == NULL)
        continue;
      first = wp_pair_map_at (&firsts, (guint32) attr->config, (guint32) (attr->config >> 32));
      if (*first == 0)
        *first = i + 1;
      else if (self->groups[*first - 1] == 0)
        self->groups[i] = self->groups[*first - 1] = ++n_groups;
      else
        self->groups[i] = self->groups[*first - 1];
    }
  wp_pair_map_clear (&firsts);
  return self;
}

void
wp_perf_repeats_free (WpPerfRepeats *self)
{
  if (self == NULL)
    return;
  g_free (self->groups);
  wp_pair_map_clear (&self->rows);
  wp_array_clear (&self->last);
  g_free (self);
}

/* Two filters of which only one lets something through never let the same through: what another event type had last, byte for byte, is one
 * firing. */
gboolean
wp_perf_repeats_seen (WpPerfRepeats *self, guint32 row, guint32 cpu, const guint8 *raw, gsize n)
{
  guint32 *at;
  Last *last;
  gboolean same;

  if (self->groups[row] == 0 || cpu == G_MAXUINT32 || n == 0)
    return FALSE;
  at = wp_pair_map_at (&self->rows, cpu, self->groups[row]);
  if (*at == 0)
    {
      (void) wp_array_add (&self->last);
      *at = self->last.len;
    }
  last = &self->last.data[*at - 1];
  same = last->row != 0 && last->row != row + 1 && last->n == n && memcmp (last->raw, raw, n) == 0;
  if (!same)
    *last = (Last){ row + 1, raw, n };
  return same;
}
