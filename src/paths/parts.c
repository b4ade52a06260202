/* What a part looks like (its slices, its name), and the invariants of the table of parts. */
#include "paths/paths.h"

/* Of a run's n samples one whose share of it does not begin after `time`, and hardly before: a run may have as many parts as samples. */
static guint32
first_sample (const WpOp *op, gint64 time, guint32 n)
{
  double at = op->end > op->start ? (double) (time - op->start) / (double) (op->end - op->start) * n - 2 : 0;

  return (guint32) CLAMP (at, 0, n - 1);
}

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
  for (guint32 i = first_sample (op, p->start, n); i < n; i++)
    {
      gint64 start = wp_run_share (op, i, n), end = wp_run_share (op, i + 1, n);

      if (start > p->end)
        break;
      start = MAX (start, p->start);
      end = MIN (end, p->end);
      if (start < end || (length == 0 && i == 0))
        wp_array_push (slices, ((WpSlice) { start, end, self->trace->samples.data[op->detail + i].stack }));
    }
  if (slices->len == 0)
    wp_array_push (slices, ((WpSlice) { p->start, p->end, self->trace->samples.data[op->detail].stack }));
}

WpId
wp_paths_task_name (const WpPaths *self, WpId task)
{
  const WpTask *tasks = self->trace->tasks.data;

  return tasks[self->options.merge_threads && tasks[task].leader != 0 ? tasks[task].leader : task].name;
}

const char *
wp_part_name (const WpPaths *self, WpId part)
{
  return wp_trace_string (self->trace, wp_paths_task_name (self, self->trace->ops.data[self->parts.data[part].op].task));
}

static int
compare_places (const void *a, const void *b, void *data)
{
  const WpPart *parts = data, *x = &parts[*(const WpId *) a], *y = &parts[*(const WpId *) b];

  if (x->op != y->op)
    return x->op < y->op ? -1 : 1;
  return (x->start > y->start) - (x->start < y->start);
}

/* No nanosecond of an operation is in two parts. */
static char *
check_placed_once (const WpPaths *self)
{
  guint32 n = self->parts.len - 1;
  g_autofree WpId *order = g_new (WpId, n + 1);
  WpId latest = 0; /* of this operation, the part that ends last so far */

  for (guint32 i = 0; i < n; i++)
    order[i] = i + 1;
  g_qsort_with_data (order, n, sizeof *order, (GCompareDataFunc) compare_places, self->parts.data);
  for (guint32 i = 0; i < n; i++)
    {
      const WpPart *part = &self->parts.data[order[i]], *before = &self->parts.data[latest];

      if (before->op == part->op && before->end > part->start && part->end > part->start)
        return g_strdup_printf ("parts %u and %u share time of operation %u", latest, order[i], part->op);
      if (before->op != part->op || part->end > before->end)
        latest = order[i];
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
      if (part->first_child != 0 && self->parts.data[part->first_child].parent != p)
        return g_strdup_printf ("part %u has a first child %u of another parent", p, part->first_child);
      if (part->parent != 0 && parent->start - part->start > self->options.grace)
        return g_strdup_printf ("part %u begins more than grace before its parent %u", p, part->parent);
      if (part->parent != 0 && part->end - parent->end > self->options.grace)
        return g_strdup_printf ("part %u ends more than grace after its parent %u", p, part->parent);
      if (part->parent != 0 && parent->path != part->path)
        return g_strdup_printf ("part %u is on another path than its parent %u", p, part->parent);
    }
  return check_placed_once (self);
}
