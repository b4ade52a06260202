/* What a part looks like (its slices, its name), and the invariants of the table of parts. */
#include "paths/paths.h"

void
wp_part_slices (const WpPaths *self, WpId part, WpSliceArray *slices)
{
  const WpPart *p = &self->parts.data[part];
  const WpOp *op = &self->trace->ops.data[p->op];
  guint32 n = op->explained_by - op->detail;
  gint64 length = op->end - op->start;

  slices->len = 0;
  if (op->kind != WP_OP_RUN || op->detail == 0 || n == 0)
    {
      wp_array_push (slices, ((WpSlice) { p->start, p->end, op->kind == WP_OP_SLEEP ? op->detail : 0 }));
      return;
    }
  for (guint32 i = 0; i < n; i++)
    {
      gint64 start = op->start + (gint64) ((double) length * i / n);
      gint64 end = i + 1 < n ? op->start + (gint64) ((double) length * (i + 1) / n) : op->end;

      start = MAX (start, p->start);
      end = MIN (end, p->end);
      if (start < end || (length == 0 && i == 0))
        wp_array_push (slices, ((WpSlice) { start, end, self->trace->samples.data[op->detail + i].stack }));
    }
  if (slices->len == 0)
    wp_array_push (slices, ((WpSlice) { p->start, p->end, self->trace->samples.data[op->detail].stack }));
}

const char *
wp_part_name (const WpPaths *self, WpId part)
{
  const WpTrace *trace = self->trace;
  const WpTask *task = &trace->tasks.data[trace->ops.data[self->parts.data[part].op].task];

  if (self->options.merge_threads && task->leader != 0)
    return wp_trace_task_name (trace, task->leader);
  return wp_trace_string (trace, task->name);
}

/* No nanosecond of an operation is in two parts. */
static char *
check_placed_once (const WpPaths *self)
{
  g_autoptr (GHashTable) latest = g_hash_table_new (NULL, NULL); /* op → its latest part */
  g_autofree WpId *before = g_new0 (WpId, self->parts.len);

  for (WpId p = 1; p < self->parts.len; p++)
    {
      const WpPart *part = &self->parts.data[p];

      before[p] = GPOINTER_TO_UINT (g_hash_table_lookup (latest, GUINT_TO_POINTER (part->op)));
      g_hash_table_insert (latest, GUINT_TO_POINTER (part->op), GUINT_TO_POINTER (p));
      for (WpId q = before[p]; q != 0; q = before[q])
        if (self->parts.data[q].start < part->end && self->parts.data[q].end > part->start)
          return g_strdup_printf ("parts %u and %u share time of operation %u", q, p, part->op);
    }
  return NULL;
}

char *
wp_paths_check (const WpPaths *self)
{
  for (WpId p = 1; p < self->parts.len; p++)
    {
      const WpPart *part = &self->parts.data[p], *parent = &self->parts.data[part->parent];
      const WpOp *op = part->op < self->trace->ops.len ? &self->trace->ops.data[part->op] : NULL;

      if (op == NULL || part->op == 0 || part->parent >= self->parts.len || part->path == 0
          || part->path >= self->paths.len || part->next >= self->parts.len || part->first_child >= self->parts.len
          || part->waits_path >= self->paths.len || part->waits_part >= self->parts.len)
        return g_strdup_printf ("part %u refers to something that is not there", p);
      if (part->start > part->end || part->start < op->start || part->end > op->end)
        return g_strdup_printf ("part %u lies outside its operation %u", p, part->op);
      if (part->parent >= p && part->parent != 0)
        return g_strdup_printf ("part %u comes before its parent %u", p, part->parent);
      if (part->next != 0
          && (self->parts.data[part->next].parent != part->parent || self->parts.data[part->next].path != part->path
              || self->parts.data[part->next].start < part->start || part->next <= p))
        return g_strdup_printf ("part %u is followed by %u, which is no later sibling", p, part->next);
      if (part->first_child != 0 && (part->first_child <= p || self->parts.data[part->first_child].parent != p))
        return g_strdup_printf ("part %u has a first child %u of another parent", p, part->first_child);
      if (part->parent != 0 && parent->start - part->start > self->options.grace)
        return g_strdup_printf ("part %u begins more than grace before its parent %u", p, part->parent);
      if (part->parent != 0 && part->end - parent->end > MAX (self->options.grace, 0))
        return g_strdup_printf ("part %u ends more than grace after its parent %u", p, part->parent);
      if (part->parent != 0 && parent->path != part->path)
        return g_strdup_printf ("part %u is on another path than its parent %u", p, part->parent);
    }
  return check_placed_once (self);
}
