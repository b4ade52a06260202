/* Tracepoints that a recording has several times, with other filters, stacks or nothing else: whoever records the one event of the
 * scheduler and all of them ("-e sched:sched_switch -e 'sched:*'") is told of each firing twice. */
#include "read/perf-private.h"

#include "base/hash.h"

/* Beyond what is real, so that no file makes the table large. */
#define CPUS_MAX 8192
#define GROUPS_MAX 256

void
wp_perf_find_same (WpPerf *self)
{
  g_autoptr (GHashTable) firsts = g_hash_table_new (wp_hash_int64, g_int64_equal); /* which tracepoint → its first event type */

  for (guint32 i = 0; i < self->attrs.len; i++)
    {
      WpPerfAttr *attr = &self->attrs.data[i], *first = g_hash_table_lookup (firsts, &attr->attr.config);

      if (attr->attr.type != PERF_TYPE_TRACEPOINT || attr->tracepoint == NULL || self->n_groups == GROUPS_MAX)
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
  gboolean same;

  if (attr->group == 0 || cpu >= CPUS_MAX || n == 0)
    return FALSE;
  if ((cpu + 1) * self->n_groups > self->told.len)
    wp_array_resize (&self->told, (cpu + 1) * self->n_groups);
  last = &self->told.data[cpu * self->n_groups + attr->group - 1];
  same = last->attr != NULL && last->attr != attr && last->n == n && memcmp (last->raw, raw, n) == 0;
  if (!same)
    *last = (WpPerfTold){ attr, raw, n };
  return same;
}
