/* What each record of a perf.data means: address spaces and names, and the events that go to the assembler in the order of time. */
#include "read/perf/perf-feeder.h"

#include "base/format.h"
#include "base/hash.h"
#include "read/perf/perf-ahead.h"
#include "read/perf/perf-decode.h"
#include "read/perf/perf-known-tasks.h"
#include "read/perf/perf-names.h"
#include "read/perf/perf-parts.h"
#include "read/perf/perf-repeats.h"

#define RECORDS_PER_STEP 2048
#define CLOCK_NS_MIN 10000

typedef struct
{
  WpPerfFile *file;
  WpPerfQueues *queues;
  WpPerfEventTypes *types;
  WpPerfRepeats *repeats;
  WpSpaces *spaces;
  WpPerfAhead *ahead;
  WP_ARRAY (guint32) counted; /* by event type: see wp_reader_count_event() */
  WP_ARRAY (gint64) last_times; /* by CPU: of its last event */
  GHashTable *child_pids;       /* tid → pid of those just forked */
  gboolean has_fork, has_comm;
  gboolean no_switches; /* all events are samples */
  guint32 next_pause, next_rate;
  gint64 rate;          /* of CPU samples, since it was changed; 0: it was not yet */
  guint64 lost, lost_without_time, lost_in_all; /* events: told by the kernel with a time, and without; as counted at the end, or 0 */
  gboolean begun; /* there was a sample, or one was lost: what came before it is no part of the recording's time */
  /* The record at hand: */
  const WpPerfReady *ready;
  const WpPerfAttr *attr;
  WpPerfWhere where;
} Feeder;

/* --- records whose bytes are laid out by the kernel --------------------------------------------------------------- */

static gboolean
has_room (const WpPerfRecord *header, gsize n)
{
  return header->size >= sizeof *header + n;
}

static inline const guint8 *
body_of (const WpPerfRecord *header)
{
  return (const guint8 *) (header + 1);
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
on_kernel_map (WpKernelSymbols *kernel, const char *path, guint64 start, guint64 size, guint64 reference)
{
  const char *symbol = strrchr (path, ']');
  g_autofree char *module = NULL;

  if (g_str_has_prefix (path, "[kernel.kallsyms]") || g_str_has_prefix (path, "[kernel]"))
    {
      if (symbol[1] != '\0' && reference != 0)
        wp_kernel_symbols_set_reference (kernel, symbol + 1, reference);
      return;
    }
  module = module_of_path (path);
  wp_kernel_symbols_add_module (kernel, module, start, size);
}

static void
on_mapping (Feeder *self, const WpPerfRecord *header)
{
  WpPerfMapping mapping;

  wp_perf_names_mapped (self->file, header);
  if (!wp_perf_mapping (self->file, header, &mapping))
    wp_perf_file_damaged (self->file);
  else if (mapping.is_kernel)
    on_kernel_map (self->file->kernel, mapping.path, mapping.start, mapping.size, mapping.offset);
  else
    wp_perf_map_space (self->file, self->spaces, &mapping);
}

/* --- records in the order of time --------------------------------------------------------------------------------- */

static WpEvent
begin_event (const Feeder *self, WpEventKind kind)
{
  return (WpEvent){ .kind = kind, .time = self->where.time, .tid = self->where.tid, .pid = self->where.pid,
                    .cpu = self->where.cpu == G_MAXUINT32 ? 0 : self->where.cpu };
}

static guint32
row_of (const Feeder *self)
{
  return (guint32) (self->attr - self->file->attrs.data);
}

static const WpPerfEventType *
type_of (const Feeder *self)
{
  return wp_perf_event_type (self->types, row_of (self));
}

static void
give (Feeder *self, const WpEvent *event)
{
  wp_assembler_event (self->file->reader->assembler, event);
}

static void
on_comm (Feeder *self, const WpPerfRecord *header)
{
  WpEvent event = begin_event (self, WP_EVENT_COMM);
  WpPerfTask task;

  if (!wp_perf_task (header, &task))
    {
      wp_perf_file_damaged (self->file);
      return;
    }
  event.pid = task.pid;
  event.program.tid = event.program.old_tid = task.tid;
  event.program.comm = wp_strings_intern_n (self->file->reader->trace->strings, task.comm, task.comm_length);
  event.program.exec = task.exec;
  wp_perf_task_spaces (self->spaces, header, &task);
  if (self->begun)
    give (self, &event);
  else
    wp_assembler_known_task (self->file->reader->assembler, event.program.tid, event.pid, event.program.comm, FALSE);
}

static void
on_fork (Feeder *self, const WpPerfRecord *header)
{
  WpEvent event = begin_event (self, WP_EVENT_FORK);
  WpPerfTask task;

  if (!wp_perf_task (header, &task))
    {
      wp_perf_file_damaged (self->file);
      return;
    }
  event.fork.child_pid = task.pid;
  event.fork.child_tid = task.tid;
  event.fork.parent_tid = task.parent_tid;
  wp_perf_task_spaces (self->spaces, header, &task);
  if (self->has_fork)
    g_hash_table_insert (self->child_pids, GINT_TO_POINTER (task.tid), GINT_TO_POINTER (task.pid));
  else if (self->begun)
    give (self, &event);
}

static void
on_task_exit (Feeder *self, const WpPerfRecord *header)
{
  WpPerfTask task;

  if (!wp_perf_task (header, &task))
    return;
  wp_perf_task_spaces (self->spaces, header, &task);
  wp_assembler_ended (self->file->reader->assembler, task.tid);
}

static gint64 *
last_time (Feeder *self, guint32 cpu)
{
  if (cpu >= self->last_times.len)
    wp_array_resize (&self->last_times, cpu + 1);
  return &self->last_times.data[cpu];
}

static void
give_lost (Feeder *self, guint64 events)
{
  WpEvent event = begin_event (self, WP_EVENT_LOST);
  gint64 since = *last_time (self, event.cpu);

  event.lost.events = events;
  event.lost.since = since != 0 ? since : event.time;
  self->begun = TRUE;
  give (self, &event);
}

static void
on_lost (Feeder *self, const WpPerfRecord *header)
{
  if (!has_room (header, 16))
    return;
  self->lost += wp_read_u64 (body_of (header) + 8);
  give_lost (self, wp_read_u64 (body_of (header) + 8));
}

static void
on_lost_samples (Feeder *self, const WpPerfRecord *header)
{
  if (has_room (header, 8))
    give_lost (self, wp_read_u64 (body_of (header)));
}

/* Since 6.1 perf writes at its end how many records of each event found no room. The kernel has told most of them before, when there was room
 * again, but not of which event they were. */
static void
take_lost_without_time (Feeder *self, const WpPerfRecord *header)
{
  if (header->type == PERF_RECORD_LOST && has_room (header, 16))
    self->lost_without_time += wp_read_u64 (body_of (header) + 8);
  else if (header->type == PERF_RECORD_LOST_SAMPLES && has_room (header, 8) && !(header->misc & WP_PERF_MISC_LOST_SAMPLES_BPF))
    self->lost_in_all += wp_read_u64 (body_of (header));
}

/* Nobody knows when that was, so that no stretch of time is marked. */
static void
count_lost_without_time (Feeder *self)
{
  guint64 rest = self->lost_in_all > self->lost ? self->lost_in_all - self->lost : 0;

  self->file->reader->trace->diagnostics.n[WP_DIAG_LOST] += MAX (rest, self->lost_without_time);
}

/* Those that are over by then. What lies before the first event is no part of the recording. */
static void
give_pauses (Feeder *self, gint64 time)
{
  const WpPerfFile *file = self->file;

  for (; self->next_pause < file->pauses.len && file->pauses.data[self->next_pause].end <= time; self->next_pause++)
    {
      const WpPerfPause *pause = &file->pauses.data[self->next_pause];
      const gboolean more = self->next_pause + 1 < file->pauses.len && pause[1].end <= time;
      WpEvent event = { .kind = WP_EVENT_PAUSE, .time = pause->end, .tid = -1, .pid = -1, .lost = { .since = pause->start, .more = more } };

      if (self->begun)
        give (self, &event);
    }
}

/* Those that are changed by then. What was so before the first event is not told. */
static void
give_rates (Feeder *self, gint64 time)
{
  const WpPerfFile *file = self->file;

  for (; self->next_rate < file->rates.len && file->rates.data[self->next_rate].time <= time; self->next_rate++)
    {
      const WpPerfRate *rate = &file->rates.data[self->next_rate];
      WpEvent event = { .kind = WP_EVENT_RATE, .time = rate->time, .tid = -1, .pid = -1, .rate = rate->rate };

      self->rate = rate->rate;
      if (self->begun)
        give (self, &event);
    }
}

/* From one CPU sample to the next, where that is a time; 0 where it is not. No clock of the kernel ticks faster. */
static gint64
pace_of (const struct perf_event_attr *attr, gint64 rate)
{
  gboolean clock = attr->type == PERF_TYPE_SOFTWARE && attr->config <= PERF_COUNT_SW_TASK_CLOCK;
  guint64 pace = 0;

  if (rate > 0)
    pace = (guint64) (WP_NS_PER_S / rate);
  else if (attr->freq && attr->sample_freq > 0)
    pace = (guint64) WP_NS_PER_S / MIN (attr->sample_freq, (guint64) WP_NS_PER_S);
  else if (!attr->freq && clock)
    pace = MIN (attr->sample_period, G_MAXINT32);
  return pace > 0 ? MAX (pace, CLOCK_NS_MIN) : 0;
}

static void
on_throttle (Feeder *self, const WpPerfRecord *header)
{
  WpEvent event = begin_event (self, WP_EVENT_THROTTLE);

  if (!self->begun || type_of (self)->kind != WP_EVENT_SAMPLE || self->where.cpu == G_MAXUINT32)
    return;
  event.throttle.on = header->type == PERF_RECORD_THROTTLE;
  event.throttle.pace = pace_of (&self->attr->attr, self->rate);
  give (self, &event);
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

static void
complete_event (Feeder *self, WpEvent *event)
{
  gpointer pid;
  const char *path, *slash;

  if (event->kind == WP_EVENT_FORK
      && g_hash_table_steal_extended (self->child_pids, GINT_TO_POINTER (event->fork.child_tid), NULL, &pid))
    event->fork.child_pid = GPOINTER_TO_INT (pid);
  if (event->kind != WP_EVENT_EXEC)
    return;
  /* The name comes with the COMM record; without those it is the file's, cut as the kernel does. */
  path = wp_strings_get (self->file->reader->trace->strings, event->program.comm);
  slash = strrchr (path, '/');
  path = slash != NULL ? slash + 1 : path;
  event->program.comm = self->has_comm ? 0 : wp_strings_intern_n (self->file->reader->trace->strings, path,
                                                                  strnlen (path, 15));
}

/* What runs in a virtual machine has addresses of its own. */
static gboolean
is_guest (const WpPerfRecord *header)
{
  guint mode = header->misc & PERF_RECORD_MISC_CPUMODE_MASK;

  return mode == PERF_RECORD_MISC_GUEST_KERNEL || mode == PERF_RECORD_MISC_GUEST_USER || mode == PERF_RECORD_MISC_HYPERVISOR;
}

static WpId
stack_of (const Feeder *self, const WpPerfRecord *header, WpEventKind kind)
{
  const WpPerfReady *ready = self->ready;
  WpCallChain unwound;

  if (is_guest (header))
    {
      self->file->reader->trace->diagnostics.n[WP_DIAG_GUEST_SAMPLES]++;
      return 0;
    }
  if (ready->only_place && kind != WP_EVENT_SAMPLE)
    return 0;
  if (ready->n_unwound == 0)
    return wp_spaces_stack (self->spaces, self->where.pid, &ready->chain);
  wp_call_chain_split ((const guint8 *) ready->unwound, ready->n_unwound, &unwound);
  return wp_spaces_stack (self->spaces, self->where.pid, &unwound);
}

/* How much of its event a sample stands for. */
static gint64
period_of (const Feeder *self, const WpPerfRecord *header)
{
  const WpPerfAttr *attr = self->attr;
  guint64 period = attr->period >= 0 ? wp_read_u64 (body_of (header) + attr->period) : attr->attr.freq ? 1 : attr->attr.sample_period;

  return (gint64) MIN (period, (guint64) G_MAXINT64);
}

static void
on_sample (Feeder *self, const WpPerfRecord *header)
{
  const WpPerfEventType *type = type_of (self);
  const WpPerfReady *ready = self->ready;
  WpEvent event = begin_event (self, self->no_switches ? WP_EVENT_SAMPLE : type->kind);

  if (!ready->whole
      || (event.kind != WP_EVENT_SAMPLE && self->attr->attr.type == PERF_TYPE_TRACEPOINT
          && !wp_perf_decode (self->file->reader->trace->strings, type, ready->raw, ready->n_raw, &event)))
    {
      wp_perf_file_damaged (self->file);
      return;
    }
  wp_reader_count_event (self->file->reader, type->name, &self->counted.data[row_of (self)]);
  event.event = self->counted.data[row_of (self)] + 1;
  event.period = period_of (self, header);
  if (!self->no_switches && wp_perf_repeats_seen (self->repeats, row_of (self), self->where.cpu, ready->raw, ready->n_raw))
    return;
  self->begun = TRUE;
  event.stack = stack_of (self, header, event.kind);
  complete_event (self, &event);
  give (self, &event);
}

static void
on_record (Feeder *self, const WpPerfReady *ready)
{
  static void (*const funcs[]) (Feeder *self, const WpPerfRecord *header) = {
    [PERF_RECORD_MMAP] = on_mapping,
    [PERF_RECORD_MMAP2] = on_mapping,
    [PERF_RECORD_COMM] = on_comm,
    [PERF_RECORD_FORK] = on_fork,
    [PERF_RECORD_EXIT] = on_task_exit,
    [PERF_RECORD_LOST] = on_lost,
    [PERF_RECORD_LOST_SAMPLES] = on_lost_samples,
    [PERF_RECORD_THROTTLE] = on_throttle,
    [PERF_RECORD_UNTHROTTLE] = on_throttle,
    [PERF_RECORD_SAMPLE] = on_sample,
  };
  const WpPerfRecord *header = wp_perf_file_record (self->file, ready->entry.offset);

  self->ready = ready;
  self->attr = &self->file->attrs.data[ready->entry.attr];
  self->where = (WpPerfWhere){ .pid = ready->pid, .tid = ready->tid, .time = ready->entry.time, .cpu = ready->cpu };
  if (header->type < G_N_ELEMENTS (funcs) && funcs[header->type] != NULL)
    funcs[header->type](self, header);
  if (self->where.cpu != G_MAXUINT32)
    *last_time (self, self->where.cpu) = self->where.time;
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

/* perf asks for the CPU of what it records of all processes; and it starts with the exec of its command only where it records but that. */
static gboolean
is_of_chosen_processes (const WpPerfFile *file)
{
  for (guint32 i = 0; i < file->attrs.len; i++)
    if (!file->attrs.data[i].attr.enable_on_exec && (file->attrs.data[i].attr.sample_type & PERF_SAMPLE_CPU))
      return FALSE;
  return file->attrs.len > 0;
}

/* Of perf's own choice each CPU has a clock of its own. */
static gboolean
has_one_clock (const WpPerfFile *file)
{
  for (guint32 i = 0; i < file->attrs.len; i++)
    if (!file->attrs.data[i].attr.use_clockid)
      return FALSE;
  return TRUE;
}

/* Those of a recording that is seen as stacks come in the order in which they were asked for. */
static void
learn_event_type (Feeder *self, guint32 row)
{
  const WpPerfEventType *type = wp_perf_event_type (self->types, row);
  WpReader *reader = self->file->reader;

  wp_array_push (&self->counted, reader->options->all_samples ? wp_reader_event_row (reader, type->name) : G_MAXUINT32);
  self->no_switches = self->no_switches && type->kind != WP_EVENT_SWITCH;
  self->has_fork = self->has_fork || type->kind == WP_EVENT_FORK;
  self->has_comm = self->has_comm || self->file->attrs.data[row].attr.comm;
}

/* FALSE: nothing can be made of them. */
static gboolean
learn_event_types (Feeder *self)
{
  WpPerfFile *file = self->file;

  self->no_switches = TRUE;
  if (!wp_perf_formats_any (file->formats) && wp_kernel_symbols_same_boot (file->kernel))
    wp_perf_formats_read_local (file->formats);
  self->types = wp_perf_event_types_new (file);
  self->repeats = wp_perf_repeats_new (file, self->types);
  for (guint32 i = 0; i < file->attrs.len; i++)
    learn_event_type (self, i);
  self->has_fork = self->has_fork && !self->no_switches;
  file->reader->one_clock = has_one_clock (file);
  if (is_of_chosen_processes (file))
    file->reader->trace->diagnostics.n[WP_DIAG_CHOSEN_PROCESSES] = 1;
  return wp_reader_has_switches (file->reader, !self->no_switches);
}

static WpId
stack_of_functions (WpTrace *trace, WpId stack, const char *functions)
{
  g_auto (GStrv) names = g_strsplit (functions, ";", -1);
  WpId module = wp_trace_module (trace, "[kernel]", NULL);

  for (guint i = 0; names[i] != NULL && i < WP_PERF_WAIT_FUNCTIONS_MAX; i++)
    if (*names[i] != '\0')
      stack = wp_trace_stack (trace, stack, wp_trace_kernel_frame (trace, module, names[i]));
  return stack;
}

/* As stacks: the call as a function of the program, the kernel's functions above it. */
static void
give_waits (const WpPerfFile *file)
{
  WpTrace *trace = file->reader->trace;

  for (guint32 i = 0; i < file->waits.len; i++)
    {
      const WpPerfWait *wait = &file->waits.data[i];
      WpId stack = 0;

      if (wait->call != 0)
        stack = wp_trace_stack (trace, stack, wp_trace_named_frame (trace, wp_trace_module (trace, WP_MODULE_SYSTEM_CALL, NULL),
                                                                    wp_trace_string (trace, wait->call)));
      if (wait->functions != 0)
        stack = stack_of_functions (trace, stack, wp_trace_string (trace, wait->functions));
      wp_assembler_known_wait (file->reader->assembler, &(WpKnownWait) { .tid = wait->tid, .pid = wait->pid, .parent = wait->parent,
                                                                         .state = wait->state, .stack = stack });
    }
}

/* What was there before the first event. */
static void
feed_early (Feeder *self)
{
  WpPerfKnownTasks *known = wp_perf_known_tasks_new (self->file);

  for (guint32 i = 0; i < self->queues->early.len; i++)
    {
      const WpPerfRecord *header = self->queues->early.data[i];

      if (header->type == PERF_RECORD_MMAP || header->type == PERF_RECORD_MMAP2)
        on_mapping (self, header);
      else
        wp_perf_known_tasks_take (known, header);
      take_lost_without_time (self, header);
    }
  wp_perf_names_local (self->file);
  wp_perf_known_tasks_give (known, self->file->reader->assembler, self->spaces);
  wp_perf_known_tasks_free (known);
  if (!self->no_switches)
    give_waits (self->file);
}

static gboolean
feed_timed (Feeder *self, GError **error)
{
  const WpPerfReady *ready;
  WpReader *reader = self->file->reader;

  self->ahead = wp_perf_ahead_new (self->file, self->queues, reader->options->threads);
  for (guint64 count = 0; (ready = wp_perf_ahead_next (self->ahead)) != NULL; count++)
    {
      if (count % RECORDS_PER_STEP == 0 && !wp_progress_step (reader->progress, 0.25 + 0.75 * count / self->queues->n_entries, error))
        return FALSE;
      give_pauses (self, ready->entry.time);
      give_rates (self, ready->entry.time);
      reader->trace->diagnostics.n[WP_DIAG_STACKS_COMPLETED] += ready->end == WP_UNWIND_COMPLETED;
      on_record (self, ready);
    }
  give_pauses (self, G_MAXINT64); /* it may have ended in one */
  count_lost_without_time (self);
  return TRUE;
}

gboolean
wp_perf_feed (WpPerfFile *file, WpPerfQueues *queues, GError **error)
{
  Feeder self = { .file = file, .queues = queues };
  gboolean done = TRUE;

  self.spaces = wp_spaces_new (file->reader->trace, file->kernel);
  self.child_pids = g_hash_table_new (wp_hash_pointer, NULL);
  if (learn_event_types (&self))
    {
      feed_early (&self);
      done = feed_timed (&self, error);
    }
  wp_perf_ahead_free (self.ahead);
  wp_perf_repeats_free (self.repeats);
  wp_perf_event_types_free (self.types);
  wp_spaces_free (self.spaces);
  g_hash_table_unref (self.child_pids);
  wp_array_clear (&self.counted);
  wp_array_clear (&self.last_times);
  return done;
}
