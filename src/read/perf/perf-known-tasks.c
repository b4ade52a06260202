#include "read/perf/perf-known-tasks.h"

#include "base/hash.h"
#include "trace/assembler.h"

#define KTHREADD 2 /* the parent of all kernel threads */

typedef struct
{
  gint32 tid, pid;
  WpId comm;
} KnownTask;

struct WpPerfKnownTasks
{
  const WpPerfFile *file;
  WP_ARRAY (KnownTask) tasks;
  GHashTable *parents; /* pid → its parent */
};

WpPerfKnownTasks *
wp_perf_known_tasks_new (const WpPerfFile *file)
{
  WpPerfKnownTasks *self = g_new0 (WpPerfKnownTasks, 1);

  self->file = file;
  self->parents = g_hash_table_new (wp_hash_pointer, NULL);
  return self;
}

void
wp_perf_known_tasks_free (WpPerfKnownTasks *self)
{
  if (self == NULL)
    return;
  wp_array_clear (&self->tasks);
  g_hash_table_unref (self->parents);
  g_free (self);
}

void
wp_perf_known_tasks_take (WpPerfKnownTasks *self, const WpPerfRecord *header)
{
  WpStrings *strings = self->file->reader->trace->strings;
  WpPerfTask task;

  if (header->type != PERF_RECORD_COMM && header->type != PERF_RECORD_FORK)
    return;
  if (!wp_perf_task (header, &task))
    wp_perf_file_damaged (self->file);
  else if (header->type == PERF_RECORD_COMM)
    wp_array_push (&self->tasks, ((KnownTask){ .pid = task.pid, .tid = task.tid,
                                               .comm = wp_strings_intern_n (strings, task.comm, task.comm_length) }));
  else if (task.pid != task.parent)
    g_hash_table_insert (self->parents, GINT_TO_POINTER (task.pid), GINT_TO_POINTER (task.parent));
}

/* A kernel thread is a child of kthreadd. Where nobody says whose child it is, it is one without mappings, provided that others have some. */
static gboolean
is_kernel_thread (const WpPerfKnownTasks *self, const WpSpaces *spaces, gint32 pid)
{
  gpointer parent;

  if (pid == KTHREADD)
    return TRUE;
  if (g_hash_table_lookup_extended (self->parents, GINT_TO_POINTER (pid), NULL, &parent))
    return GPOINTER_TO_INT (parent) == KTHREADD;
  return wp_spaces_any (spaces) && !wp_spaces_has_maps (spaces, pid);
}

void
wp_perf_known_tasks_give (const WpPerfKnownTasks *self, WpAssembler *assembler, const WpSpaces *spaces)
{
  for (guint32 i = 0; i < self->tasks.len; i++)
    {
      const KnownTask *task = &self->tasks.data[i];

      wp_assembler_known_task (assembler, task->tid, task->pid, task->comm, is_kernel_thread (self, spaces, task->pid));
    }
}
