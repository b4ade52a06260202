#include "trace/trace.h"

#include "base/format.h"
#include "base/table.h"
#include "trace/files.h"
#include "trace/kernel-names.h"
#include "trace/notes.h"
#include "trace/carried-names.h"

#include <sys/mman.h>

#define MODULE_NAME_MAX 96 /* of a file, in the names of functions that have none: each address has one */

/* Ids; the rows themselves are the keys. */
struct WpTraceIndex
{
  WP_TABLE (WpId) modules, functions, frames, stacks;
};

static const char *const cause_ids[WP_CAUSE_COUNT] = {
  [WP_CAUSE_UNKNOWN] = "unknown", [WP_CAUSE_NONE] = "none",     [WP_CAUSE_TASK] = "task",
  [WP_CAUSE_TIMER] = "timer",     [WP_CAUSE_DISK] = "disk",     [WP_CAUSE_NET] = "net",
  [WP_CAUSE_DEVICE] = "device",   [WP_CAUSE_IPI] = "ipi",       [WP_CAUSE_SIGNAL] = "signal",
  [WP_CAUSE_KERNEL] = "kernel",   [WP_CAUSE_PREEMPTED] = "preempted", [WP_CAUSE_FORK] = "fork",
  [WP_CAUSE_EXEC] = "exec",
};

static const char *const op_kind_ids[WP_OP_KIND_COUNT] = {
  [WP_OP_NONE] = "none", [WP_OP_RUN] = "run", [WP_OP_SLEEP] = "sleep", [WP_OP_DISK] = "disk",
  [WP_OP_DISK_QUEUE] = "disk-queue", [WP_OP_NET] = "network",
};

static const char *const state_ids[WP_STATE_COUNT] = {
  [WP_STATE_UNKNOWN] = "?", [WP_STATE_PREEMPTED] = "R", [WP_STATE_SLEEPING] = "S", [WP_STATE_DISK] = "D",
  [WP_STATE_STOPPED] = "T", [WP_STATE_IDLE] = "I", [WP_STATE_DEAD] = "X",
};

const char *
wp_cause_id (WpCause cause)
{
  return cause_ids[cause];
}

const char *
wp_op_kind_id (WpOpKind kind)
{
  return op_kind_ids[kind];
}

const char *
wp_state_id (WpState state)
{
  return state_ids[state];
}

WpState
wp_switch_state (guint32 prev_state)
{
  static const struct
  {
    guint32 bits;
    WpState state;
  } states[] = { { 0x30, WP_STATE_DEAD }, { 0x0c, WP_STATE_STOPPED }, { 0x02, WP_STATE_DISK },
                 { 0x01, WP_STATE_SLEEPING }, { 0x80, WP_STATE_IDLE }, { 0x40, WP_STATE_IDLE } };

  if ((prev_state & 0xff) == 0)
    return WP_STATE_PREEMPTED;
  for (guint i = 0; i < G_N_ELEMENTS (states); i++)
    if (prev_state & states[i].bits)
      return states[i].state;
  return WP_STATE_UNKNOWN;
}

/* --- interning ---------------------------------------------------------------------------------------------------- */

static inline guint32
module_hash (const WpModule *m)
{
  return (guint32) wp_hash_pair (m->path, m->build_id);
}

static inline guint32
function_hash (const WpFunction *f)
{
  return (guint32) wp_hash_pair (f->name, f->module);
}

static inline guint32
frame_hash (const WpFrame *f)
{
  /* A frame is known by its place, or where it has none by its function. */
  return (guint32) wp_hash_pair (f->offset != 0 ? f->offset : f->function, f->module | (guint64) (f->offset == 0) << 32);
}

static inline guint32
stack_hash (const WpStack *s)
{
  return (guint32) wp_hash_pair (s->parent, s->frame);
}

#define SAME_MODULE(a, b) ((a)->path == (b)->path && (a)->build_id == (b)->build_id)
#define SAME_FUNCTION(a, b) ((a)->name == (b)->name && (a)->module == (b)->module)
#define SAME_FRAME(a, b)                                                                                               \
  ((a)->offset == (b)->offset && (a)->module == (b)->module && ((a)->offset != 0 || (a)->function == (b)->function))
#define SAME_STACK(a, b) ((a)->parent == (b)->parent && (a)->frame == (b)->frame)

/* Rows that nobody interned here, since they come from a sidecar, are entered when the first one is looked for. */
#define ENTER_ALL(table, index, hash_of)                                                                               \
  for (WpId row_ = 1; row_ < (table)->len; row_++)                                                                     \
    {                                                                                                                  \
      WP_TABLE_RESERVE (index, 256, 2, slot, *slot != 0, hash_of (&(table)->data[*slot]));                             \
      *WP_TABLE_FIND (index, hash_of (&(table)->data[row_]), slot, *slot == 0) = row_;                                 \
      (index)->n++;                                                                                                    \
    }

/* Interns `row`: its id, new or old. `added` says which. */
#define INTERN(table, index, row, hash_of, same, id, added)                                                            \
  G_STMT_START                                                                                                         \
  {                                                                                                                    \
    WpId *found_;                                                                                                      \
                                                                                                                       \
    if ((index)->slots == NULL)                                                                                        \
      ENTER_ALL (table, index, hash_of);                                                                               \
    WP_TABLE_RESERVE (index, 256, 2, slot, *slot != 0, hash_of (&(table)->data[*slot]));                               \
    found_ = WP_TABLE_FIND (index, hash_of (row), slot, *slot == 0 || same (&(table)->data[*slot], row));              \
    added = *found_ == 0;                                                                                              \
    if (added)                                                                                                         \
      {                                                                                                                \
        wp_array_push (table, *(row));                                                                                 \
        *found_ = (table)->len - 1;                                                                                    \
        (index)->n++;                                                                                                  \
      }                                                                                                                \
    id = *found_;                                                                                                      \
  }                                                                                                                    \
  G_STMT_END

WpTrace *
wp_trace_new (void)
{
  WpTrace *self = g_new0 (WpTrace, 1);

  self->strings = wp_strings_new ();
  self->notes = wp_notes_new ();
  self->index = g_new0 (struct WpTraceIndex, 1);
  wp_array_resize (&self->tasks, 1);
  wp_array_resize (&self->ops, 1);
  wp_array_resize (&self->links, 1);
  wp_array_resize (&self->samples, 1);
  wp_array_resize (&self->stacks, 1);
  wp_array_resize (&self->frames, 1);
  wp_array_resize (&self->functions, 1);
  wp_array_resize (&self->modules, 1);
  wp_array_resize (&self->disks, 1);
  wp_array_resize (&self->nets, 1);
  wp_array_resize (&self->devices, 1);
  return self;
}

void
wp_trace_free (WpTrace *self)
{
  if (self == NULL)
    return;
  wp_strings_free (self->strings);
  wp_array_clear (&self->tasks);
  wp_array_clear (&self->ops);
  wp_array_clear (&self->links);
  wp_array_clear (&self->samples);
  wp_array_clear (&self->stacks);
  wp_array_clear (&self->frames);
  wp_array_clear (&self->functions);
  wp_array_clear (&self->modules);
  wp_array_clear (&self->disks);
  wp_array_clear (&self->nets);
  wp_array_clear (&self->devices);
  wp_array_clear (&self->lost);
  wp_array_clear (&self->interrupts);
  wp_array_clear (&self->rates);
  wp_array_clear (&self->events);
  wp_array_clear (&self->marks);
  WP_TABLE_CLEAR (&self->index->modules);
  WP_TABLE_CLEAR (&self->index->functions);
  WP_TABLE_CLEAR (&self->index->frames);
  WP_TABLE_CLEAR (&self->index->stacks);
  g_free (self->index);
  g_free (self->format);
  g_free (self->command);
  g_free (self->host);
  g_free (self->kernel);
  g_free (self->missing);
  g_clear_pointer (&self->arguments, g_hash_table_unref);
  g_clear_pointer (&self->block_devices, g_hash_table_unref);
  g_clear_pointer (&self->backing, g_hash_table_unref);
  wp_trace_free_files (self);
  wp_carried_names_free (self->own_names);
  wp_notes_free (self->notes);
  g_clear_pointer (&self->extra, g_hash_table_unref);
  if (self->lent != NULL)
    munmap (self->lent, self->lent_size);
  g_free (self);
}

WpId
wp_trace_module (WpTrace *self, const char *path, const char *build_id)
{
  WpModule row = { .path = wp_strings_intern (self->strings, path),
                   .build_id = wp_strings_intern (self->strings, build_id) };
  gboolean added;
  WpId id;

  INTERN (&self->modules, &self->index->modules, &row, module_hash, SAME_MODULE, id, added);
  (void) added;
  return id;
}

WpId
wp_trace_function (WpTrace *self, WpId module, const char *name, guint8 flags)
{
  WpFunction row = { .name = wp_strings_intern_text (self->strings, name, -1), .module = module, .flags = flags };
  gboolean added;
  WpId id;

  INTERN (&self->functions, &self->index->functions, &row, function_hash, SAME_FUNCTION, id, added);
  if (added && (flags & WP_FUNCTION_KERNEL))
    self->functions.data[id].role = wp_kernel_name_role (name);
  return id;
}

static WpId
intern_frame (WpTrace *self, const WpFrame *row, gboolean *added)
{
  WpId id;

  INTERN (&self->frames, &self->index->frames, row, frame_hash, SAME_FRAME, id, *added);
  return id;
}

WpId
wp_trace_kernel_frame (WpTrace *self, WpId module, const char *name)
{
  WpFrame row = { .module = module, .function = wp_trace_function (self, module, name, WP_FUNCTION_KERNEL),
                  .flags = WP_FRAME_KERNEL };
  gboolean added;

  return intern_frame (self, &row, &added);
}

WpId
wp_trace_named_frame (WpTrace *self, WpId module, const char *name)
{
  WpFrame row = { .module = module, .function = wp_trace_function (self, module, name, 0) };
  gboolean added;

  return intern_frame (self, &row, &added);
}

WpId
wp_trace_user_frame (WpTrace *self, WpId module, guint64 offset)
{
  WpFrame row = { .module = module, .offset = offset };
  gboolean added;
  WpId id;

  if (offset == 0)
    return wp_trace_named_frame (self, module, wp_trace_module_name (self, module));
  id = intern_frame (self, &row, &added);
  if (added)
    {
      const char *file = wp_trace_module_name (self, module);
      gsize n = strnlen (file, MODULE_NAME_MAX);
      char name[MODULE_NAME_MAX + 32];

      while (n > 0 && ((guchar) file[n] & 0xc0) == 0x80) /* no letter is cut */
        n--;
      g_snprintf (name, sizeof name, "%.*s+0x%" G_GINT64_MODIFIER "x", (int) n, file, offset);
      self->frames.data[id].function = wp_trace_function (self, module, name, WP_FUNCTION_NO_SYMBOL);
    }
  return id;
}

WpId
wp_trace_stack (WpTrace *self, WpId parent, WpId frame)
{
  WpStack row = { .parent = parent, .frame = frame };
  gboolean added;
  WpId id;

  INTERN (&self->stacks, &self->index->stacks, &row, stack_hash, SAME_STACK, id, added);
  (void) added;
  return id;
}

void
wp_trace_name_frame (WpTrace *self, WpId frame, WpId function)
{
  g_return_if_fail (frame < self->frames.len && self->frames.data[frame].offset != 0);
  self->frames.data[frame].function = function;
}

/* --- looking things up ---------------------------------------------------------------------------------------------- */

const char *
wp_trace_function_name (const WpTrace *self, WpId function)
{
  return wp_trace_string (self, self->functions.data[function].name);
}

const char *
wp_trace_task_name (const WpTrace *self, WpId task)
{
  return wp_trace_string (self, self->tasks.data[task].name);
}

const char *
wp_trace_module_name (const WpTrace *self, WpId module)
{
  const char *path = wp_trace_string (self, self->modules.data[module].path);
  const char *slash = strrchr (path, '/');

  return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

WpId
wp_trace_next_op (const WpTrace *self, WpId op)
{
  const WpTask *task = &self->tasks.data[self->ops.data[op].task];

  return op + 1 < task->first_op + task->n_ops ? op + 1 : 0;
}

WpId
wp_trace_prev_op (const WpTrace *self, WpId op)
{
  return op > self->tasks.data[self->ops.data[op].task].first_op ? op - 1 : 0;
}

gint64
wp_trace_woken (const WpTrace *self, WpId sleep)
{
  const WpOp *op = &self->ops.data[sleep];

  if (op->state == WP_STATE_PREEMPTED || (op->flags & WP_OP_NEW_TASK))
    return op->start;
  return op->link != 0 ? CLAMP (self->links.data[op->link].start, op->start, op->end) : op->end;
}

gint64
wp_trace_link_out (const WpTrace *self, WpId link)
{
  const WpLink *l = &self->links.data[link];

  return l->source != 0 ? MAX (self->ops.data[l->source].end, l->start) : l->start;
}

gint64
wp_trace_link_end (const WpTrace *self, WpId link)
{
  const WpLink *l = &self->links.data[link];

  return l->target != 0 ? self->ops.data[l->target].start : l->start;
}

WpId
wp_trace_describe_stack (const WpTrace *self, WpId stack)
{
  WpId outermost = 0;

  for (; stack != 0; stack = self->stacks.data[stack].parent)
    {
      const WpFrame *frame = &self->frames.data[self->stacks.data[stack].frame];

      if (!(frame->flags & WP_FRAME_KERNEL))
        return frame->function;
      if (!(self->functions.data[frame->function].role & WP_ROLE_ENTRY))
        outermost = frame->function;
    }
  return outermost;
}

WpId
wp_trace_user_stack (const WpTrace *self, WpId stack)
{
  while (stack != 0 && (self->frames.data[self->stacks.data[stack].frame].flags & WP_FRAME_KERNEL))
    stack = self->stacks.data[stack].parent;
  return stack;
}

static char *
describe_disk (const WpTrace *self, const char *device, const WpDisk *disk, const char *queued)
{
  const char *what = strchr (wp_trace_string (self, disk->rwbs), 'R') != NULL ? "read" : "write";

  if (disk->sectors == 0)
    return g_strdup_printf ("%s: flush%s", device, queued);
  return g_strdup_printf ("%s: %s of %u sectors at %" G_GUINT64_FORMAT "%s%s%s", device, what, disk->sectors, disk->sector,
                          disk->file != 0 ? ", " : "", wp_trace_string (self, disk->file), queued);
}

static char *
describe_net (const WpTrace *self, const char *network, const WpNet *net)
{
  return g_strdup_printf ("%s: %s%s%s", network, net->handshake ? "connection" : "exchange", net->remote != 0 ? " with " : "",
                          wp_trace_string (self, net->remote));
}

char *
wp_trace_describe_op (const WpTrace *self, WpId id)
{
  const WpOp *op = &self->ops.data[id];
  const char *task = wp_trace_task_name (self, op->task);

  switch (op->kind)
    {
    case WP_OP_SLEEP:
      {
        WpId function = wp_trace_describe_stack (self, op->detail);
        const char *what = wp_slept_throughout (op) ? "asleep all the time" : "sleep";

        return function != 0 ? g_strdup_printf ("%s: %s%s in %s", task, what, wp_slept_throughout (op) ? "," : "",
                                                wp_trace_function_name (self, function))
                             : g_strdup_printf ("%s: %s", task, what);
      }
    case WP_OP_DISK:
    case WP_OP_DISK_QUEUE:
      return describe_disk (self, task, &self->disks.data[op->detail], op->kind == WP_OP_DISK_QUEUE ? ", queued" : "");
    case WP_OP_NET:
      return describe_net (self, task, &self->nets.data[op->detail]);
    default:
      return g_strdup_printf ("%s: run", task);
    }
}

char *
wp_trace_check (const WpTrace *self)
{
  for (WpId t = 1; t < self->tasks.len; t++)
    {
      const WpTask *task = &self->tasks.data[t];

      if ((guint64) task->first_op + task->n_ops > self->ops.len)
        return g_strdup_printf ("task %u: operations %u + %u of %u", t, task->first_op, task->n_ops, self->ops.len);
      for (WpId o = task->first_op; o < task->first_op + task->n_ops; o++)
        {
          const WpOp *op = &self->ops.data[o], *before = o > task->first_op ? op - 1 : NULL;

          if (op->task != t)
            return g_strdup_printf ("operation %u is of task %u, not %u", o, op->task, t);
          if (op->start > op->end)
            return g_strdup_printf ("operation %u of %s ends before it starts", o, wp_trace_task_name (self, t));
          if (task->kind != WP_TASK_THREAD || before == NULL)
            continue;
          if (self->partial && op->start >= before->end)
            continue;
          if (op->start != before->end)
            return g_strdup_printf ("operation %u of %s (%d) starts at %" G_GINT64_FORMAT ", the one before ends at %" G_GINT64_FORMAT,
                                    o, wp_trace_task_name (self, t), task->tid, op->start, before->end);
          if (op->kind == before->kind)
            return g_strdup_printf ("operations %u and %u of %s are both %s", o - 1, o, wp_trace_task_name (self, t),
                                    wp_op_kind_id (op->kind));
        }
    }
  for (WpId l = 1; l < self->links.len; l++)
    if (self->links.data[l].source >= self->ops.len || self->links.data[l].target >= self->ops.len)
      return g_strdup_printf ("link %u: its ends are out of range", l);
  for (WpId s = 1; s < self->stacks.len; s++)
    if (self->stacks.data[s].parent >= s || self->stacks.data[s].frame >= self->frames.len)
      return g_strdup_printf ("stack %u: parent or frame out of range", s);
  for (guint32 i = 0; i < self->interrupts.len; i++)
    {
      const WpInterrupt *interrupt = &self->interrupts.data[i], *before = i > 0 ? interrupt - 1 : NULL;

      if (interrupt->cpu == 0 || interrupt->start >= interrupt->end
          || (before != NULL && (interrupt->cpu < before->cpu || (interrupt->cpu == before->cpu && interrupt->start < before->end))))
        return g_strdup_printf ("interrupt %u: not in its place", i);
    }
  return NULL;
}
