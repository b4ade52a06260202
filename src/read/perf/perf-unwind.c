#include "read/perf/perf-unwind.h"

#include "read/perf/perf-parts.h"
#include "read/symbols/kernel-symbols.h"


#define PREFETCHED 2048 /* bytes of a stack */

struct WpPerfUnwind
{
  const WpPerfFile *file;
  WpUnwinder *unwinder;
  guint32 stack_room; /* bytes in each record */
};

gboolean
wp_perf_has_stacks (const WpPerfAttr *attr)
{
  return (attr->attr.sample_type & PERF_SAMPLE_STACK_USER) != 0;
}

/* --- one record --------------------------------------------------------------------------------------------------- */

static void
on_mapping (WpPerfUnwind *self, const WpPerfRecord *header)
{
  WpPerfMapping mapping;

  if (wp_perf_mapping (self->file, header, &mapping) && !mapping.is_kernel && !mapping.is_data)
    wp_unwinder_map (self->unwinder, mapping.pid, mapping.start, mapping.size, mapping.offset, mapping.module,
                     mapping.build_id);
}

static void
on_task (WpPerfUnwind *self, const WpPerfRecord *header)
{
  WpPerfTask task;

  if (!wp_perf_task (header, &task))
    return;
  if (task.exec)
    wp_unwinder_exec (self->unwinder, task.pid, task.tid);
  else if (header->type == PERF_RECORD_FORK)
    wp_unwinder_fork (self->unwinder, task.parent, task.pid);
  else if (header->type == PERF_RECORD_EXIT)
    wp_unwinder_exit (self->unwinder, task.pid, task.tid);
}

static void
on_other (WpPerfUnwind *self, const WpPerfRecord *header)
{
  if (header->type == PERF_RECORD_MMAP || header->type == PERF_RECORD_MMAP2)
    on_mapping (self, header);
  else
    on_task (self, header);
}

/* Copies what of a recorded chain is not the user's. */
static gsize
copy_kernel_part (const WpPerfSample *sample, guint64 *chain)
{
  gboolean is_user = FALSE;
  gsize n = 0;

  for (gsize i = 0; i < MIN (sample->n_chain, WP_PERF_CHAIN_MAX - WP_STACK_DEPTH_MAX - 1); i++)
    {
      guint64 address = wp_read_u64 (sample->chain + 8 * i);

      if (address >= PERF_CONTEXT_MAX)
        is_user = address == PERF_CONTEXT_USER;
      if (!is_user)
        chain[n++] = address;
    }
  return n;
}

static gsize
on_sample (WpPerfUnwind *self, const WpPerfAttr *attr, const WpPerfWhere *where, const WpPerfRecord *header, guint64 *chain,
           WpUnwindEnd *end)
{
  WpPerfSample sample;
  gsize n;
  guint n_user;

  if (!wp_perf_sample (attr, header, &sample) || sample.user.registers == NULL)
    return 0;
  n = copy_kernel_part (&sample, chain);
  n_user = wp_unwind (self->unwinder, where->pid, where->tid, &sample.user, chain + n + 1, end);
  chain[n] = PERF_CONTEXT_USER;
  return n_user > 0 ? n + 1 + n_user : 0;
}

/* Stack bytes are read here and there only, faster than the processor sees what comes next. */
void
wp_perf_unwind_ahead (const WpPerfUnwind *self, const WpPerfEntry *entry, const WpPerfEntry *later)
{
  const guint8 *record = self->file->reader->data + entry->offset, *end, *stack;

  __builtin_prefetch (self->file->reader->data + later->offset);
  __builtin_prefetch (self->file->reader->data + later->offset + 64);
  end = record + ((const WpPerfRecord *) record)->size;
  if (end - record < self->stack_room)
    return;
  stack = end - 8 - self->stack_room;
  __builtin_prefetch (end - 8);
  for (guint i = 0; i < PREFETCHED && i < self->stack_room; i += 64)
    __builtin_prefetch (stack + i);
}

gsize
wp_perf_unwind_record (WpPerfUnwind *self, const WpPerfEntry *entry, guint64 *chain, WpUnwindEnd *end)
{
  const WpPerfRecord *header = wp_perf_file_record (self->file, entry->offset);
  WpPerfWhere where;
  const WpPerfAttr *attr;

  *end = WP_UNWIND_NONE;
  if (!wp_perf_file_where (self->file, header, &where, &attr))
    return 0;
  if (header->type == PERF_RECORD_SAMPLE)
    return wp_perf_has_stacks (attr) ? on_sample (self, attr, &where, header, chain, end) : 0;
  on_other (self, header);
  return 0;
}

/* --- begin and end ------------------------------------------------------------------------------------------------ */

/* How many stack bytes the events have room for; 0: none has any. */
static guint32
stack_room (const WpPerfFile *file)
{
  guint32 room = 0;

  for (guint32 i = 0; i < file->attrs.len; i++)
    if (wp_perf_has_stacks (&file->attrs.data[i]))
      room = MAX (room, file->attrs.data[i].attr.sample_stack_user);
  return room;
}

WpPerfUnwind *
wp_perf_unwind_new (const WpPerfFile *file, const WpPerfQueues *queues)
{
  WpPerfUnwind *self;

  if (file->arch == NULL || stack_room (file) == 0)
    return NULL;
  self = g_new0 (WpPerfUnwind, 1);
  self->file = file;
  self->stack_room = stack_room (file);
  /* the vdso comes with the kernel, and has no file */
  self->unwinder = wp_unwinder_new (file->arch, file->reader->options->symbol_root, wp_kernel_runs_here (file->reader->trace));
  wp_unwinder_set_builds (self->unwinder, file->builds);
  for (guint32 i = 0; i < queues->early.len; i++)
    on_other (self, queues->early.data[i]);
  return self;
}

void
wp_perf_unwind_free (WpPerfUnwind *self)
{
  if (self == NULL)
    return;
  wp_unwinder_free (self->unwinder);
  g_free (self);
}
