/* Tracepoints that a recording has several times, with other filters, stacks or nothing else: whoever records the one event of the
 * scheduler and all of them ("-e sched:sched_switch -e 'sched:*'") is told of each firing twice. */
#include "read/perf/perf-private.h"

#include "base/hash.h"

void
wp_perf_find_same (WpPerf *self)
{
  g_autoptr (GHashTable) firsts = g_hash_table_new (wp_hash_int64, g_int64_equal); /* which tracepoint → its first event type */

  for (guint32 i = 0; i < self->attrs.len; i++)
    {
      WpPerfAttr *attr = &self->attrs.data[i], *first = g_hash_table_lookup (firsts, &attr->attr.config);

      if (attr->attr.type != PERF_TYPE_TRACEPOINT || attr->tracepoint == NULL)
        continue;
      if (first == NULL)
        g_hash_table_insert (firsts, &attr->attr.config, attr);
      else if (first->group == 0)
        attr->group = first->group = ++self->n_groups;
      else
        attr->group = first->group;
    }
}

/* Two filters of which only one lets something through never let the same through: what another event type told last, byte for byte, is
 * one firing. */
gboolean
wp_perf_told_already (WpPerf *self, const WpPerfAttr *attr, guint32 cpu, const guint8 *raw, gsize n)
{
  WpPerfTold *last;
  guint32 *row;
  gboolean same;

  if (attr->group == 0 || cpu == G_MAXUINT32 || n == 0)
    return FALSE;
  row = wp_pair_map_at (&self->told_rows, cpu, attr->group);
  if (*row == 0)
    {
      (void) wp_array_add (&self->told);
      *row = self->told.len;
    }
  last = &self->told.data[*row - 1];
  same = last->attr != NULL && last->attr != attr && last->n == n && memcmp (last->raw, raw, n) == 0;
  if (!same)
    *last = (WpPerfTold){ attr, raw, n };
  return same;
}
