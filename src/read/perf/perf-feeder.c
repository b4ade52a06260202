/* What each record of a perf.data means: address spaces and names, and the events that go to the assembler in the
 * order of time. */
#include "read/perf/perf-private.h"

#include "base/format.h"
#include "base/hash.h"

#define RECORDS_PER_STEP 2048
#define CLOCK_NS_MIN 10000
#define KTHREADD 2 /* the parent of all kernel threads */

typedef struct
{
  WpPerf *perf;
  WP_ARRAY (gint64) last_times; /* by CPU: of its last event */
  GHashTable *child_pids;       /* tid → pid of those just forked */
  gboolean has_fork, has_comm;
  gboolean begun; /* there was a sample, or one was lost: what came before it is no part of the recording's time */
  const WpRecord *header;
  const WpPerfAttr *attr; /* of the event that the record is of */
  WpPerfWhere where;
  WpPerfChain unwound;
} Records;

/* --- records whose bytes are laid out by the kernel --------------------------------------------------------------- */

static gboolean
has_room (const WpRecord *header, gsize n)
{
  return header->size >= sizeof *header + n;
}

static inline const guint8 *
body_of (const WpRecord *header)
{
  return (const guint8 *) (header + 1);
}

/* A text that begins `at` in the body and ends within the record. */
static gsize
text_length (const WpRecord *header, gsize at)
{
  return strnlen ((const char *) body_of (header) + at, header->size - sizeof *header - at);
}

/* "[nf_tables]" of a module's mapping: its name in brackets, or its file. */
static char *
module_of_path (const char *path)
{
  const char *slash = strrchr (path, '/'), *end;

  if (slash == NULL)
    return g_strdup (path);
  end = strstr (slash, ".ko");
  return g_strdup_printf ("[%.*s]", (int) (end != NULL ? end - slash - 1 : (glong) strlen (slash + 1)), slash + 1);
}

static void
on_kernel_map (WpPerf *self, const char *path, guint64 start, guint64 size, guint64 reference)
{
  const char *symbol = strrchr (path, ']');
  g_autofree char *module = NULL;

  if (g_str_has_prefix (path, "[kernel.kallsyms]") || g_str_has_prefix (path, "[kernel]"))
    {
      if (symbol[1] != '\0' && reference != 0)
        wp_kernel_symbols_set_reference (self->kernel, symbol + 1, reference);
      return;
    }
  module = module_of_path (path);
  wp_kernel_symbols_add_module (self->kernel, module, start, size);
}

static void
on_mapping (WpPerf *self, const WpRecord *header)
{
  WpPerfMapping mapping;

  wp_perf_mapped_file (self, header);
  if (!wp_perf_mapping (self, header, &mapping))
    wp_perf_damaged (self);
  else if (mapping.is_kernel)
    on_kernel_map (self, mapping.path, mapping.start, mapping.size, mapping.offset);
  else if (!mapping.is_data
           && !wp_spaces_map (self->spaces, mapping.pid, mapping.start, mapping.size, mapping.offset,
                              wp_trace_module (self->reader->trace, mapping.module, mapping.build_id)))
    wp_perf_damaged (self);
}

/* --- before the first event --------------------------------------------------------------------------------------- */

static void
early_comm (WpPerf *self, const WpRecord *header)
{
  WpPerfKnown *known;
  WpPerfTask task;

  if (!wp_perf_task (header, &task))
    {
      wp_perf_damaged (self);
      return;
    }
  known = wp_array_add (&self->known);
  known->pid = task.pid;
  known->tid = task.tid;
  known->comm = wp_strings_intern_n (self->reader->trace->strings, (const char *) body_of (header) + 8,
                                    text_length (header, 8));
}

/* Existing threads: who their parents are. */
static void
early_fork (WpPerf *self, const WpRecord *header)
{
  WpPerfTask task;

  if (!wp_perf_task (header, &task))
    wp_perf_damaged (self);
  else if (task.pid != task.parent)
    g_hash_table_insert (self->parents, GINT_TO_POINTER (task.pid), GINT_TO_POINTER (task.parent));
}

void
wp_perf_early_record (WpPerf *self, const WpRecord *header)
{
  static const struct
  {
    guint32 type;
    void (*func) (WpPerf *self, const WpRecord *header);
  } records[] = {
    { PERF_RECORD_COMM, early_comm }, { PERF_RECORD_FORK, early_fork },
  };

  wp_array_push (&self->early, header);
  for (guint i = 0; i < G_N_ELEMENTS (records); i++)
    if (header->type == records[i].type)
      records[i].func (self, header);
}

/* Builds are told of mapped files behind all records, too. */
static void
map_early (WpPerf *self)
{
  for (guint32 i = 0; i < self->early.len; i++)
    if (self->early.data[i]->type == PERF_RECORD_MMAP || self->early.data[i]->type == PERF_RECORD_MMAP2)
      on_mapping (self, self->early.data[i]);
}

/* A kernel thread is a child of kthreadd. Where nobody says whose child it is, it is one without mappings, provided
 * that others have some. */
static gboolean
is_kernel_thread (const WpPerf *self, gint32 pid)
{
  gpointer parent;

  if (pid == KTHREADD)
    return TRUE;
  if (g_hash_table_lookup_extended (self->parents, GINT_TO_POINTER (pid), NULL, &parent))
    return GPOINTER_TO_INT (parent) == KTHREADD;
  return wp_spaces_any (self->spaces) && !wp_spaces_has_maps (self->spaces, pid);
}

static void
tell_known_tasks (WpPerf *self)
{
  for (guint32 i = 0; i < self->known.len; i++)
    {
      const WpPerfKnown *task = &self->known.data[i];

      wp_assembler_known_task (self->reader->assembler, task->tid, task->pid, task->comm,
                               is_kernel_thread (self, task->pid));
    }
}

/* --- records in the order of time --------------------------------------------------------------------------------- */

static WpEvent
begin_event (const Records *self, WpEventKind kind)
{
  return (WpEvent){ .kind = kind, .time = self->where.time, .tid = self->where.tid, .pid = self->where.pid,
                    .cpu = self->where.cpu == G_MAXUINT32 ? 0 : self->where.cpu };
}

static void
give (Records *self, const WpEvent *event)
{
  wp_assembler_event (self->perf->reader->assembler, event);
}

static void
on_comm (Records *self, const WpRecord *header)
{
  WpEvent event = begin_event (self, WP_EVENT_COMM);
  WpPerfTask task;

  if (!wp_perf_task (header, &task))
    {
      wp_perf_damaged (self->perf);
      return;
    }
  event.pid = task.pid;
  event.program.tid = event.program.old_tid = task.tid;
  event.program.comm = wp_strings_intern_n (self->perf->reader->trace->strings, (const char *) body_of (header) + 8,
                                            text_length (header, 8));
  event.program.exec = task.exec;
  wp_perf_task_spaces (self->perf, header, &task);
  if (self->begun)
    give (self, &event);
  else
    wp_assembler_known_task (self->perf->reader->assembler, event.program.tid, event.pid, event.program.comm, FALSE);
}

static void
on_fork (Records *self, const WpRecord *header)
{
  WpEvent event = begin_event (self, WP_EVENT_FORK);
  WpPerfTask task;

  if (!wp_perf_task (header, &task))
    {
      wp_perf_damaged (self->perf);
      return;
    }
  event.fork.child_pid = task.pid;
  event.fork.child_tid = task.tid;
  event.fork.parent_tid = task.parent_tid;
  wp_perf_task_spaces (self->perf, header, &task);
  if (self->has_fork)
    g_hash_table_insert (self->child_pids, GINT_TO_POINTER (task.tid), GINT_TO_POINTER (task.pid));
  else if (self->begun)
    give (self, &event);
}

static void
on_task_exit (Records *self, const WpRecord *header)
{
  WpPerfTask task;

  if (wp_perf_task (header, &task))
    wp_perf_task_spaces (self->perf, header, &task);
}

static gint64 *
last_time (Records *self, guint32 cpu)
{
  if (cpu >= self->last_times.len)
    wp_array_resize (&self->last_times, cpu + 1);
  return &self->last_times.data[cpu];
}

static void
give_lost (Records *self, guint64 events)
{
  WpEvent event = begin_event (self, WP_EVENT_LOST);
  gint64 since = *last_time (self, event.cpu);

  event.lost.events = events;
  event.lost.since = since != 0 ? since : event.time;
  self->begun = TRUE;
  give (self, &event);
}

static void
on_lost (Records *self, const WpRecord *header)
{
  if (has_room (header, 16))
    give_lost (self, wp_read_u64 (body_of (header) + 8));
}

static void
on_lost_samples (Records *self, const WpRecord *header)
{
  if (has_room (header, 8))
    give_lost (self, wp_read_u64 (body_of (header)));
}

/* From one CPU sample to the next, where that is a time; 0 where it is not. No clock of the kernel ticks faster. */
static gint64
pace_of (const struct perf_event_attr *attr)
{
  gboolean clock = attr->type == PERF_TYPE_SOFTWARE && attr->config <= PERF_COUNT_SW_TASK_CLOCK;
  guint64 pace = 0;

  if (attr->freq && attr->sample_freq > 0)
    pace = (guint64) WP_NS_PER_S / MIN (attr->sample_freq, (guint64) WP_NS_PER_S);
  else if (!attr->freq && clock)
    pace = MIN (attr->sample_period, G_MAXINT32);
  return pace > 0 ? MAX (pace, CLOCK_NS_MIN) : 0;
}

static void
on_throttle (Records *self, const WpRecord *header)
{
  WpEvent event = begin_event (self, WP_EVENT_THROTTLE);

  if (!self->begun || self->attr->kind != WP_EVENT_SAMPLE || self->where.cpu == G_MAXUINT32)
    return;
  event.throttle.on = header->type == PERF_RECORD_THROTTLE;
  event.throttle.pace = pace_of (&self->attr->attr);
  give (self, &event);
}

static void
on_timed_mapping (Records *self, const WpRecord *header)
{
  on_mapping (self->perf, header);
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

static void
complete_event (Records *self, WpEvent *event)
{
  gpointer pid;
  const char *path, *slash;

  if (event->kind == WP_EVENT_FORK
      && g_hash_table_steal_extended (self->child_pids, GINT_TO_POINTER (event->fork.child_tid), NULL, &pid))
    event->fork.child_pid = GPOINTER_TO_INT (pid);
  if (event->kind != WP_EVENT_EXEC)
    return;
  /* The name comes with the COMM record; without those it is the file's, cut as the kernel does. */
  path = wp_strings_get (self->perf->reader->trace->strings, event->program.comm);
  slash = strrchr (path, '/');
  path = slash != NULL ? slash + 1 : path;
  event->program.comm = self->has_comm ? 0 : wp_strings_intern_n (self->perf->reader->trace->strings, path,
                                                                  strnlen (path, 15));
}

/* An event without a call chain still has the address where it happened. */
static WpId
stack_of (const Records *self, const WpPerfAttr *attr, const WpPerfSample *sample)
{
  const guint8 *body = body_of (self->header);

  if (self->unwound.n > 0)
    return wp_spaces_stack (self->perf->spaces, self->where.pid, (const guint8 *) self->unwound.chain, self->unwound.n,
                            FALSE);
  if (sample->n_chain > 0)
    return wp_spaces_stack (self->perf->spaces, self->where.pid, sample->chain, sample->n_chain, TRUE);
  if (attr->kind == WP_EVENT_SAMPLE && (attr->attr.sample_type & PERF_SAMPLE_IP)
      && !(attr->attr.sample_type & PERF_SAMPLE_CALLCHAIN))
    return wp_spaces_stack (self->perf->spaces, self->where.pid,
                            body + (attr->attr.sample_type & PERF_SAMPLE_IDENTIFIER ? 8 : 0), 1, TRUE);
  return 0;
}

static void
on_sample (Records *self, const WpRecord *header, WpPerfAttr *attr)
{
  WpEvent event = begin_event (self, attr->kind);
  WpPerfSample sample;

  if (!wp_perf_sample (attr, header, &sample)
      || (attr->attr.type == PERF_TYPE_TRACEPOINT
          && !wp_perf_fields (self->perf, attr, sample.raw, sample.n_raw, &event)))
    {
      wp_perf_damaged (self->perf);
      return;
    }
  wp_reader_count_event (self->perf->reader, attr->name, &attr->counted);
  if (wp_perf_told_already (self->perf, attr, self->where.cpu, sample.raw, sample.n_raw))
    return;
  self->begun = TRUE;
  event.stack = stack_of (self, attr, &sample);
  complete_event (self, &event);
  give (self, &event);
}

static void
on_entry (Records *self, const WpPerfEntry *entry)
{
  static void (*const funcs[]) (Records *self, const WpRecord *header) = {
    [PERF_RECORD_MMAP] = on_timed_mapping, [PERF_RECORD_MMAP2] = on_timed_mapping, [PERF_RECORD_COMM] = on_comm,
    [PERF_RECORD_FORK] = on_fork,       [PERF_RECORD_EXIT] = on_task_exit,         [PERF_RECORD_LOST] = on_lost,
    [PERF_RECORD_LOST_SAMPLES] = on_lost_samples, [PERF_RECORD_THROTTLE] = on_throttle, [PERF_RECORD_UNTHROTTLE] = on_throttle,
  };
  WpPerfAttr *attr;

  self->header = (const WpRecord *) (self->perf->reader->data + entry->offset);
  if (!wp_perf_where (self->perf, self->header, &self->where, &attr))
    return;
  self->attr = attr;
  if (self->header->type == PERF_RECORD_SAMPLE)
    on_sample (self, self->header, attr);
  else if (self->header->type < G_N_ELEMENTS (funcs) && funcs[self->header->type] != NULL)
    funcs[self->header->type](self, self->header);
  if (self->where.cpu != G_MAXUINT32)
    *last_time (self, self->where.cpu) = self->where.time;
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

/* perf asks for the CPU of what it records of all processes; and it starts with the exec of its command only where it records but that. */
static gboolean
is_of_chosen_processes (const WpPerf *perf)
{
  for (guint32 i = 0; i < perf->attrs.len; i++)
    if (!perf->attrs.data[i].attr.enable_on_exec && (perf->attrs.data[i].attr.sample_type & PERF_SAMPLE_CPU))
      return FALSE;
  return perf->attrs.len > 0;
}

/* Of perf's own choice each CPU has a clock of its own. */
static gboolean
has_one_clock (const WpPerf *perf)
{
  for (guint32 i = 0; i < perf->attrs.len; i++)
    if (!perf->attrs.data[i].attr.use_clockid)
      return FALSE;
  return TRUE;
}

static void
resolve_attrs (Records *self)
{
  WpPerf *perf = self->perf;

  if (!perf->has_tracing_data && wp_kernel_symbols_same_boot (perf->kernel))
    wp_perf_local_formats (perf);
  for (guint32 i = 0; i < perf->attrs.len; i++)
    {
      wp_perf_resolve_attr (perf, &perf->attrs.data[i]);
      perf->tracepoints = perf->tracepoints || perf->attrs.data[i].attr.type == PERF_TYPE_TRACEPOINT;
      perf->timed = perf->timed || (perf->attrs.data[i].time >= 0 && perf->attrs.data[i].cpu >= 0);
      self->has_fork = self->has_fork || perf->attrs.data[i].kind == WP_EVENT_FORK;
      self->has_comm = self->has_comm || perf->attrs.data[i].attr.comm;
    }
  wp_perf_find_same (perf);
  perf->reader->one_clock = has_one_clock (perf);
  if (is_of_chosen_processes (perf))
    perf->reader->trace->diagnostics.n[WP_DIAG_CHOSEN_PROCESSES] = 1;
}

static gboolean
next_entry (Records *self, WpPerfEntry *entry)
{
  if (self->perf->unwind == NULL)
    return wp_perf_next (self->perf, entry);
  if (!wp_perf_unwind_next (self->perf->unwind, entry, &self->unwound))
    return FALSE;
  self->perf->reader->trace->diagnostics.n[WP_DIAG_STACKS_COMPLETED] += self->unwound.end == WP_UNWIND_COMPLETED;
  return TRUE;
}

static gboolean
merge (Records *self, GError **error)
{
  WpPerf *perf = self->perf;
  WpPerfEntry entry;

  wp_perf_begin_merge (perf);
  perf->unwind = wp_perf_unwind_new (perf);
  for (guint64 count = 0; next_entry (self, &entry); count++)
    {
      if (count % RECORDS_PER_STEP == 0
          && !wp_progress_step (perf->reader->progress, 0.25 + 0.75 * count / perf->n_entries, error))
        return FALSE;
      on_entry (self, &entry);
    }
  return TRUE;
}

gboolean
wp_perf_assemble (WpPerf *perf, GError **error)
{
  Records self = { .perf = perf };
  gboolean done;

  self.child_pids = g_hash_table_new (wp_hash_pointer, NULL);
  resolve_attrs (&self);
  map_early (perf);
  wp_perf_local_devices (perf);
  tell_known_tasks (perf);
  done = merge (&self, error);
  g_hash_table_unref (self.child_pids);
  wp_array_clear (&self.last_times);
  return done;
}
