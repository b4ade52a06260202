/* What the tables of a saved profile say of one another: every id in range, every time in order, no cycles. Only then
 * may the rest of the program trust them. */
#include "base/search.h"
#include "base/sort.h"
#include "profile/perun/perun-loader.h"

#include <stdlib.h>

/* A row of wakepath.<table>, or a resource, in messages; rows count from 0 there, as in JSON. */
#define FAIL(self, place_format, row, ...)                                                                             \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    g_autofree char *place_ = g_strdup_printf (place_format, (guint) (row) -1);                                        \
    wp_json_reader_fail ((self)->reader, place_, __VA_ARGS__);                                                         \
    return FALSE;                                                                                                      \
  }                                                                                                                    \
  G_STMT_END

/* --- chunks -------------------------------------------------------------------------------------------------------- */

WP_DEFINE_COMPARE (compare_chunks, WpChunk, chunk)

static gboolean
sort_chunks (WpPerunLoader *self)
{
  wp_array_sort (&self->chunks, compare_chunks);
  for (guint32 i = 1; i < self->chunks.len; i++)
    if (self->chunks.data[i].chunk == self->chunks.data[i - 1].chunk)
      FAIL (self, "chunks.t%u", self->chunks.data[i].chunk + 1, "stands there twice");
  return TRUE;
}

/* Turns the number of a chunk into a stack. */
static gboolean
join_stack (const WpPerunLoader *self, WpId *stack)
{
  guint32 row;

  if (*stack == 0)
    return TRUE;
  row = WP_SEARCH (0, self->chunks.len, i, self->chunks.data[i].chunk < *stack);
  if (row == self->chunks.len || self->chunks.data[row].chunk != *stack)
    return FALSE;
  *stack = self->chunks.data[row].stack;
  return TRUE;
}

/* --- tasks and operations ------------------------------------------------------------------------------------------ */

static gboolean
join_tasks (WpPerunLoader *self)
{
  const WpTrace *trace = self->trace;

  for (WpId t = 1; t < trace->tasks.len; t++)
    {
      const WpTask *task = &trace->tasks.data[t];

      if (task->before >= t || task->after >= trace->tasks.len || (task->after != 0 && task->after <= t))
        FAIL (self, "wakepath.tasks[%u]", t, "the tasks before and after it are not in order");
      if (task->forked_by >= trace->ops.len)
        FAIL (self, "wakepath.tasks[%u].forked_by", t, "there is no operation %u", task->forked_by);
      if (task->leader >= trace->tasks.len)
        FAIL (self, "wakepath.tasks[%u].leader", t, "there is no task %u", task->leader);
    }
  return TRUE;
}

/* Operations of one task stand together and, for a thread, one after the other. */
static gboolean
add_to_task (WpPerunLoader *self, WpId id)
{
  const WpOp *op = &self->trace->ops.data[id];
  WpTask *task = &self->trace->tasks.data[op->task];

  if (task->n_ops == 0)
    task->first_op = id;
  else if (task->first_op + task->n_ops != id)
    FAIL (self, "wakepath.operations[%u].task", id, "the operations of task %u do not stand together", op->task);
  else if (op->start < (task->kind == WP_TASK_THREAD ? op[-1].end : op[-1].start))
    FAIL (self, "wakepath.operations[%u].start", id, "earlier than the operation before it allows");
  task->n_ops++;
  return TRUE;
}

static gboolean
is_device_op (guint8 kind)
{
  return kind == WP_OP_DISK || kind == WP_OP_DISK_QUEUE || kind == WP_OP_NET;
}

/* The row that an operation's detail leads to. Runs get theirs with their samples. */
static gboolean
join_detail (WpPerunLoader *self, WpId id, const WpSavedOp *saved)
{
  WpOp *op = &self->trace->ops.data[id];

  op->detail = op->kind == WP_OP_SLEEP ? saved->trace : op->kind == WP_OP_NET ? saved->net : saved->disk;
  if (op->kind == WP_OP_RUN)
    op->detail = 0;
  else if (op->kind == WP_OP_SLEEP && !join_stack (self, &op->detail))
    FAIL (self, "wakepath.operations[%u].trace", id, "there is no chunk t%u", saved->trace);
  else if (op->kind == WP_OP_NET && (op->detail == 0 || op->detail >= self->trace->nets.len))
    FAIL (self, "wakepath.operations[%u].net", id, "there is no network exchange %u", op->detail);
  else if ((op->kind == WP_OP_DISK || op->kind == WP_OP_DISK_QUEUE)
           && (op->detail == 0 || op->detail >= self->trace->disks.len))
    FAIL (self, "wakepath.operations[%u].disk", id, "there is no request %u", op->detail);
  return TRUE;
}

static gboolean
join_operation (WpPerunLoader *self, WpId id, const WpSavedOp *saved)
{
  WpOp *op = &self->trace->ops.data[id];

  if (op->kind == WP_OP_NONE)
    FAIL (self, "wakepath.operations[%u].kind", id, "an operation of no kind");
  if (op->task == 0 || op->task >= self->trace->tasks.len)
    FAIL (self, "wakepath.operations[%u].task", id, "there is no task %u", op->task);
  if (op->end < op->start)
    FAIL (self, "wakepath.operations[%u].end", id, "earlier than its start");
  if (op->link >= self->trace->links.len)
    FAIL (self, "wakepath.operations[%u].link", id, "there is no link %u", op->link);
  if (op->kind != WP_OP_SLEEP)
    op->explained_by = 0;
  if (op->explained_by >= self->trace->ops.len)
    FAIL (self, "wakepath.operations[%u].explained_by", id, "there is no operation %u", op->explained_by);
  return add_to_task (self, id) && join_detail (self, id, saved);
}

/* A device's of the kind that its cause says; or of what is waited for in vain, whatever a child did last. */
static gboolean
may_explain (const WpOp *sleep, guint8 kind)
{
  if (wp_unfinished (sleep))
    return kind == WP_OP_RUN || kind == WP_OP_SLEEP;
  return is_device_op (kind) && (sleep->cause == WP_CAUSE_NET) == (kind == WP_OP_NET);
}

static gboolean
check_explained (WpPerunLoader *self)
{
  const WpTrace *trace = self->trace;

  for (WpId o = 1; o < trace->ops.len; o++)
    {
      const WpOp *op = &trace->ops.data[o];

      if (op->kind == WP_OP_SLEEP && op->explained_by != 0 && !may_explain (op, trace->ops.data[op->explained_by].kind))
        FAIL (self, "wakepath.operations[%u].explained_by", o, "operation %u cannot have ended it", op->explained_by);
    }
  return TRUE;
}

static gboolean
join_operations (WpPerunLoader *self)
{
  wp_array_reserve (&self->trace->ops, (guint64) self->ops.len + 1);
  for (guint32 i = 0; i < self->ops.len; i++)
    wp_array_push (&self->trace->ops, self->ops.data[i].op);
  for (WpId o = 1; o < self->trace->ops.len; o++)
    if (!join_operation (self, o, &self->ops.data[o - 1]))
      return FALSE;
  return check_explained (self);
}

/* --- devices, samples, links, losses, interrupts -------------------------------------------------------------------------- */

static gboolean
is_request (const WpTrace *trace, WpId op, WpId disk, guint8 kind)
{
  return op == 0 || (op < trace->ops.len && trace->ops.data[op].kind == kind && trace->ops.data[op].detail == disk);
}

static gboolean
join_devices (WpPerunLoader *self)
{
  const WpTrace *trace = self->trace;

  for (WpId d = 1; d < trace->disks.len; d++)
    {
      const WpDisk *disk = &trace->disks.data[d];

      if (disk->task >= trace->tasks.len)
        FAIL (self, "wakepath.disks[%u].task", d, "there is no task %u", disk->task);
      if (!is_request (trace, disk->queue, d, WP_OP_DISK_QUEUE) || !is_request (trace, disk->active, d, WP_OP_DISK))
        FAIL (self, "wakepath.disks[%u]", d, "its operations are not of this request");
    }
  for (WpId n = 1; n < trace->nets.len; n++)
    if (trace->nets.data[n].task >= trace->tasks.len)
      FAIL (self, "wakepath.nets[%u].task", n, "there is no task %u", trace->nets.data[n].task);
  return TRUE;
}

static gboolean
join_sample (WpPerunLoader *self, WpId id)
{
  WpSample *sample = &self->trace->samples.data[id];
  const WpId chunk = sample->stack;
  WpOp *run = sample->run < self->trace->ops.len ? &self->trace->ops.data[sample->run] : NULL;

  if (run == NULL || run->kind != WP_OP_RUN)
    FAIL (self, "sample %u of global.resources", id, "operation %u is no run", sample->run);
  if (!join_stack (self, &sample->stack))
    FAIL (self, "sample %u of global.resources", id, "there is no chunk t%u", chunk);
  if (run->detail == 0)
    run->detail = id;
  else if (run->explained_by != id)
    FAIL (self, "sample %u of global.resources", id, "the samples of operation %u do not stand together", sample->run);
  else if (sample->time < sample[-1].time)
    FAIL (self, "sample %u of global.resources", id, "earlier than the one before it");
  run->explained_by = id + 1;
  return TRUE;
}

static gboolean
join_link (WpPerunLoader *self, WpId id)
{
  WpLink *link = &self->trace->links.data[id];
  const WpId chunk = link->stack;

  if (link->source >= self->trace->ops.len || link->target >= self->trace->ops.len)
    FAIL (self, "link %u of global.resources", id, "its operations %u and %u are not there", link->source, link->target);
  if (!join_stack (self, &link->stack))
    FAIL (self, "link %u of global.resources", id, "there is no chunk t%u", chunk);
  return TRUE;
}

static gboolean
join_lost (WpPerunLoader *self)
{
  for (guint32 i = 0; i < self->trace->lost.len; i++)
    {
      const WpLost *lost = &self->trace->lost.data[i];

      if (lost->end < lost->start || (i > 0 && lost->start < lost[-1].start))
        FAIL (self, "wakepath.lost[%u]", i + 1, "its times are not in order");
    }
  return TRUE;
}

static gboolean
join_interrupts (WpPerunLoader *self)
{
  for (guint32 i = 0; i < self->trace->interrupts.len; i++)
    {
      const WpInterrupt *interrupt = &self->trace->interrupts.data[i], *before = i > 0 ? interrupt - 1 : NULL;

      if (interrupt->cpu == 0)
        FAIL (self, "wakepath.interrupts[%u].cpu", i + 1, "CPUs count from 1 here");
      if (interrupt->end <= interrupt->start)
        FAIL (self, "wakepath.interrupts[%u].end", i + 1, "not later than its start");
      if (before != NULL && (interrupt->cpu < before->cpu || (interrupt->cpu == before->cpu && interrupt->start < before->end)))
        FAIL (self, "wakepath.interrupts[%u]", i + 1, "not behind the one before it");
    }
  return TRUE;
}

static gboolean
join_events (WpPerunLoader *self)
{
  for (WpId s = 1; s < self->trace->samples.len; s++)
    if (!join_sample (self, s))
      return FALSE;
  for (WpId l = 1; l < self->trace->links.len; l++)
    if (!join_link (self, l))
      return FALSE;
  return join_lost (self) && join_interrupts (self);
}

/* --- control paths ------------------------------------------------------------------------------------------------- */

static gboolean
join_cuts (WpPerunLoader *self)
{
  WpPaths *paths = self->paths;

  for (guint32 i = 0; i < paths->cuts.len; i++)
    if (paths->cuts.data[i] >= self->trace->ops.len || paths->cuts.data[i] <= (i > 0 ? paths->cuts.data[i - 1] : 0))
      FAIL (self, WP_PERUN_POSTPROCESSOR ".cuts[%u]", i + 1, "there is no such operation, or not in this place");
  if (paths->cuts.len > 0)
    paths->options.cuts = &paths->cuts;
  return TRUE;
}

static gboolean
join_paths (WpPerunLoader *self)
{
  WpPaths *paths = self->paths;

  for (WpId p = 1; p < paths->paths.len; p++)
    {
      const WpPath *path = &paths->paths.data[p];

      if (path->task == 0 || path->task >= self->trace->tasks.len)
        FAIL (self, "wakepath.paths[%u].task", p, "there is no task %u", path->task);
      if (path->lane >= paths->paths.len)
        FAIL (self, "wakepath.paths[%u].lane", p, "more lanes than paths");
      if (path->end < path->start)
        FAIL (self, "wakepath.paths[%u].end", p, "earlier than its start");
      paths->n_lanes = MAX (paths->n_lanes, path->lane + 1);
    }
  for (guint32 i = 0; i < paths->base_tasks.len; i++)
    if (paths->base_tasks.data[i] == 0 || paths->base_tasks.data[i] >= self->trace->tasks.len)
      FAIL (self, "wakepath.base_tasks[%u]", i + 1, "there is no task %u", paths->base_tasks.data[i]);
  if (paths->wall_end < paths->wall_start)
    wp_json_reader_fail (self->reader, "wakepath.wall_end", "earlier than wall_start");
  return paths->wall_end >= paths->wall_start;
}

/* Parts came in the order of their ids: `next` still holds the kind that the resource said. */
static gboolean
check_part (WpPerunLoader *self, WpId id)
{
  const WpPaths *paths = self->paths;
  WpPart *part = &paths->parts.data[id];
  const WpOp *op = part->op < self->trace->ops.len ? &self->trace->ops.data[part->op] : NULL;

  if (op == NULL || op->kind != part->next)
    FAIL (self, "part %u of global.resources", id, "operation %u is not of its kind", part->op);
  if (part->start < op->start || part->end > op->end)
    FAIL (self, "part %u of global.resources", id, "it lies outside of operation %u", part->op);
  if (part->path == 0 || part->path >= paths->paths.len)
    FAIL (self, "part %u of global.resources", id, "there is no path %u", part->path);
  if (part->parent >= id || (part->parent != 0 && paths->parts.data[part->parent].path != part->path))
    FAIL (self, "part %u of global.resources", id, "%u cannot be its parent", part->parent);
  if (part->waits_path >= paths->paths.len || part->waits_part >= paths->parts.len)
    FAIL (self, "part %u of global.resources", id, "what it waits for is not there");
  part->next = 0;
  return TRUE;
}

/* Puts a part behind its siblings. */
static gboolean
append_part (WpPerunLoader *self, WpId id, WpId *last_child)
{
  WpPaths *paths = self->paths;
  const WpPart *part = &paths->parts.data[id];
  WpPath *path = &paths->paths.data[part->path];
  WpId *first = part->parent != 0 ? &paths->parts.data[part->parent].first_child : &path->first_part;
  WpId *last = part->parent != 0 ? &last_child[part->parent] : &path->last_part;

  if (*last != 0 && paths->parts.data[*last].start > part->start)
    FAIL (self, "part %u of global.resources", id, "it begins before the one that it follows");
  *(*last != 0 ? &paths->parts.data[*last].next : first) = id;
  *last = id;
  return TRUE;
}

static gboolean
join_parts (WpPerunLoader *self)
{
  WpPaths *paths = self->paths;
  g_autofree WpId *last_child = g_new0 (WpId, paths->parts.len);
  gint64 total = 0;

  for (WpId p = 1; p < paths->parts.len; p++)
    {
      const WpPart *part = &paths->parts.data[p];

      if (!check_part (self, p) || !append_part (self, p, last_child))
        return FALSE;
      if (__builtin_add_overflow (total, part->end - part->start, &total) || total > WP_SAVED_TIME_MAX)
        FAIL (self, "part %u of global.resources", p, "more time than there is");
    }
  for (WpId p = 1; p < paths->paths.len; p++)
    if (paths->paths.data[p].first_part == 0)
      FAIL (self, "wakepath.paths[%u]", p, "it has no parts");
  return TRUE;
}

gboolean
wp_perun_join (WpPerunLoader *self)
{
  g_autofree char *problem = NULL;

  if (!sort_chunks (self) || !join_operations (self) || !join_tasks (self) || !join_devices (self)
      || !join_events (self) || !join_paths (self) || !join_cuts (self) || !join_parts (self))
    return FALSE;
  problem = wp_trace_check (self->trace);
  if (problem == NULL)
    problem = wp_paths_check (self->paths);
  if (problem != NULL)
    wp_json_reader_fail (self->reader, "", "%s", problem);
  wp_array_clear (&self->ops);
  return problem == NULL;
}
