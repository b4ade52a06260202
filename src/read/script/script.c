/* Reads the text that `perf script` prints: one line an event, "comm pid/tid [cpu] seconds: period system:event:
 * fields", then a line for each frame of its stack and an empty one. Columns may be missing, names may hold blanks;
 * what makes no sense is counted and skipped. */
#include "read/script/script-private.h"

#include "base/hash.h"

#include <stdio.h>

#define LINES_PER_STEP 2048 /* between two looks at the progress */
#define STEPS_BACK 16       /* fewer prove nothing */

typedef struct
{
  WpId name;
  guint32 counted;
  gboolean record;                /* a PERF_RECORD_…: not an event of its own */
  const WpTracepoint *tracepoint; /* NULL: none we know */
  gboolean sample;
} EventName;

typedef struct
{
  WpReader *reader;
  WpScriptStack *stack;
  WP_ARRAY (EventName) names; /* by row of `name_texts` */
  WpStrings *name_texts;
  GHashTable *child_pids;     /* tid → pid, of PERF_RECORD_FORK */
  WP_ARRAY (gint64) current;  /* by CPU: who runs there + 1, for text without a column of tids */
  WpEvent event;              /* read, but its stack may still follow */
  gboolean pending;
  gboolean no_switches;       /* all events are samples */
  gboolean no_cpu;            /* an event had no CPU */
  guint64 no_event;           /* lines with a time but without an event's name */
  guint64 no_trace;           /* switches without what they say */
  guint64 switches;           /* with it */
  gint64 last_time;           /* of the event before */
  guint64 events, steps_back; /* all, and those whose time is before that of the one before */
  gboolean begun;             /* there was an event: task records before it only say who was there */
  gboolean has_ids;           /* there is a column of tids: else a name that ends with a number must not be taken for one */
  int has_forks;              /* whether there are sched_process_fork lines: -1 not looked yet */
} Script;

static void
flush (Script *self)
{
  if (self->pending)
    {
      self->event.stack = wp_script_stack_take (self->stack);
      wp_assembler_event (self->reader->assembler, &self->event);
    }
  self->pending = FALSE;
}

static void
damaged (Script *self)
{
  self->reader->trace->diagnostics.n[WP_DIAG_DAMAGED_RECORDS]++;
}

/* --- the event's name --------------------------------------------------------------------------------------------- */

/* "sched:sched_switch", and as oldest versions print it: "sched_switch". */
static const WpTracepoint *
find_tracepoint (const char *name)
{
  if (strchr (name, ':') != NULL)
    return wp_tracepoint_find (name);
  for (const WpTracepoint *row = wp_tracepoint_table (); row->name != NULL; row++)
    if (g_str_equal (strchr (row->name, ':') + 1, name))
      return row;
  return NULL;
}

static EventName *
event_name (Script *self, const char *name, gsize n)
{
  WpId id = wp_strings_intern_n (self->name_texts, name, n);
  const char *modifiers;
  EventName *row;

  if (id < self->names.len && self->names.data[id].name != 0)
    return &self->names.data[id];
  if (id >= self->names.len)
    wp_array_resize (&self->names, id + 1);
  row = &self->names.data[id];
  name = wp_strings_get (self->name_texts, id);
  row->name = wp_strings_intern_text (self->reader->trace->strings, name, -1);
  row->counted = G_MAXUINT32;
  row->record = g_str_has_prefix (name, "PERF_RECORD_");
  row->tracepoint = find_tracepoint (name);
  if (row->tracepoint != NULL)
    row->name = wp_strings_intern (self->reader->trace->strings, row->tracepoint->name);
  /* "cycles:u" is a sample too, "syscalls:sys_enter_read" is not: modifiers are at most a few of these letters. */
  modifiers = strchr (name, ':');
  row->sample = modifiers == NULL || strspn (modifiers + 1, "ukhHGpPSDIWe") == strlen (modifiers + 1);
  return row;
}

/* "  250000 cpu-clock:ppp: fields": the period, the name without its last colon, and where the fields begin. */
const char *
wp_script_event (const char *p, gint64 *period, const char **name, gsize *n)
{
  const char *word = wp_skip_blanks (p), *end = word + strcspn (word, " \t");

  *period = 1;
  if (end > word && strspn (word, "0123456789") == (gsize) (end - word))
    {
      *period = g_ascii_strtoll (word, NULL, 10);
      word = wp_skip_blanks (end);
      end = word + strcspn (word, " \t");
    }
  /* "PERF_RECORD_FORK(12:12):(1:1)" and "PERF_RECORD_COMM: name" */
  if (g_str_has_prefix (word, "PERF_RECORD_"))
    end = word + strspn (word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  else if (end <= word + 1 || end[-1] != ':')
    return NULL;
  *name = word;
  *n = end - word - (end[-1] == ':');
  return end;
}

/* --- records that are not events ---------------------------------------------------------------------------------- */

/* "PERF_RECORD_COMM exec: name:pid/tid" */
static void
on_comm (Script *self, const char *text, WpEvent *event)
{
  gboolean exec = g_str_has_prefix (text, " exec:");
  const char *name = strchr (text, ':'), *colon = strrchr (text, ':');
  gint32 pid, tid;

  if (name == NULL || colon <= name || sscanf (colon + 1, "%d/%d", &pid, &tid) != 2)
    {
      damaged (self);
      return;
    }
  name = wp_skip_blanks (name + 1);
  event->kind = WP_EVENT_COMM;
  event->program.tid = event->program.old_tid = tid;
  event->program.comm = wp_strings_intern_n (self->reader->trace->strings, name, colon > name ? colon - name : 0);
  event->program.exec = exec;
  event->comm = 0;
  event->tid = tid;
  event->pid = pid;
  if (!self->begun)
    wp_assembler_known_task (self->reader->assembler, tid, pid, event->program.comm, FALSE);
  else
    self->pending = TRUE;
}

static gboolean
has_fork_lines (Script *self)
{
  if (self->has_forks < 0)
    self->has_forks = memmem (self->reader->data, self->reader->size, " sched:sched_process_fork: ", 27) != NULL;
  return self->has_forks;
}

/* "PERF_RECORD_FORK(pid:tid):(ppid:ptid)" */
static void
on_fork (Script *self, const char *text, WpEvent *event)
{
  gint32 pid, tid, parent, parent_tid;

  if (sscanf (text, "(%d:%d):(%d:%d)", &pid, &tid, &parent, &parent_tid) != 4)
    {
      damaged (self);
      return;
    }
  if (event->time == 0)
    return;
  if (!self->begun)
    wp_assembler_known_task (self->reader->assembler, tid, pid, event->comm, FALSE);
  else
    g_hash_table_insert (self->child_pids, GINT_TO_POINTER (tid), GINT_TO_POINTER (pid));
  if (!self->begun || (!self->no_switches && has_fork_lines (self)))
    return;
  event->kind = WP_EVENT_FORK;
  event->fork.parent_tid = parent_tid;
  event->fork.child_tid = tid;
  event->fork.child_pid = pid;
  event->fork.child_comm = event->comm;
  self->pending = TRUE;
}

/* "PERF_RECORD_LOST lost 17" */
static void
on_lost (Script *self, const char *text, WpEvent *event)
{
  const char *n = strstr (text, "lost ");

  if (n == NULL)
    {
      damaged (self);
      return;
    }
  event->kind = WP_EVENT_LOST;
  event->lost.events = g_ascii_strtoull (n + 5, NULL, 10);
  event->lost.since = event->time;
  self->pending = TRUE;
}

static void
on_record (Script *self, const char *name, const char *text, WpEvent *event)
{
  static const struct
  {
    const char *name;
    void (*func) (Script *self, const char *text, WpEvent *event);
  } records[] = {
    { "PERF_RECORD_COMM", on_comm },
    { "PERF_RECORD_FORK", on_fork },
    { "PERF_RECORD_LOST", on_lost },
    { "PERF_RECORD_LOST_SAMPLES", on_lost },
  };

  for (guint i = 0; i < G_N_ELEMENTS (records); i++)
    if (g_str_equal (name, records[i].name))
      records[i].func (self, text, event);
}

/* --- events ------------------------------------------------------------------------------------------------------- */

/* Who runs on this CPU, as the switches say. */
static gint64 *
current_on (Script *self, guint32 cpu)
{
  if (cpu >= self->current.len)
    wp_array_resize (&self->current, cpu + 1);
  return &self->current.data[cpu];
}

static void
complete_event (Script *self, WpEvent *event)
{
  gpointer pid;

  if (event->tid == G_MININT32) /* the text has no column of tids */
    event->tid = event->kind == WP_EVENT_SWITCH ? event->sw.prev_tid : (gint32) (*current_on (self, event->cpu) - 1);
  if (event->kind == WP_EVENT_SWITCH)
    *current_on (self, event->cpu) = (gint64) event->sw.next_tid + 1;
  if (event->kind == WP_EVENT_FORK
      && g_hash_table_steal_extended (self->child_pids, GINT_TO_POINTER (event->fork.child_tid), NULL, &pid))
    event->fork.child_pid = GPOINTER_TO_INT (pid);
}

static void
on_event (Script *self, const EventName *name, const char *text, WpEvent *event)
{
  const WpTracepoint *tracepoint = name->tracepoint;

  if (self->no_switches)
    tracepoint = NULL;
  event->kind = tracepoint != NULL ? tracepoint->kind : name->sample || self->no_switches ? WP_EVENT_SAMPLE : WP_EVENT_OTHER;
  event->event = name->counted + 1;
  text = wp_skip_blanks (text);
  if (tracepoint != NULL && !wp_script_fields (self->reader->trace->strings, tracepoint, text, event))
    {
      self->no_trace += event->kind == WP_EVENT_SWITCH && *text == '\0';
      damaged (self);
      return;
    }
  self->switches += event->kind == WP_EVENT_SWITCH;
  complete_event (self, event);
  self->event = *event;
  self->pending = TRUE;
  if (event->kind == WP_EVENT_SAMPLE && name->sample && *text != '\0') /* a sample without a call chain: its one frame is on the line */
    wp_script_stack_line (self->stack, text, strlen (text));
}

static void
check_time (Script *self, gint64 time)
{
  self->events++;
  self->steps_back += time < self->last_time;
  self->last_time = time;
}

/* FALSE: no event. */
static gboolean
parse_line (Script *self, const char *line)
{
  WpStrings *strings = self->reader->trace->strings;
  WpEvent event = { 0 };
  WpScriptHead head = { 0 };
  const char *rest = wp_script_head (line, self->has_ids, &head), *name, *fields;
  EventName *row;
  gsize n;

  fields = rest != NULL ? wp_script_event (rest, &event.period, &name, &n) : NULL;
  self->no_event += rest != NULL && fields == NULL;
  if (fields == NULL)
    return FALSE;
  flush (self);
  row = event_name (self, name, n);
  self->no_cpu = self->no_cpu || head.cpu < 0;
  event.time = head.time;
  event.tid = head.tid;
  event.pid = head.pid < 0 ? -1 : head.pid;
  event.cpu = MAX (head.cpu, 0);
  event.comm = head.comm[0] == ':' ? 0 : wp_strings_intern_n (strings, head.comm, head.comm_length);
  if (row->record)
    {
      on_record (self, wp_strings_get (self->name_texts, wp_strings_intern_n (self->name_texts, name, n)), fields,
                 &event);
      self->event = event;
      return TRUE;
    }
  wp_reader_count_event (self->reader, row->name, &row->counted);
  self->begun = TRUE;
  check_time (self, event.time);
  on_event (self, row, fields, &event);
  return TRUE;
}

/* "# os release : 6.18": what perf script --header says of the recording. */
static void
on_comment (Script *self, const char *line)
{
  WpTrace *trace = self->reader->trace;
  const struct
  {
    const char *key;
    char **value;
  } keys[] = { { "# hostname : ", &trace->host }, { "# os release : ", &trace->kernel },
               { "# cmdline : ", &trace->command } };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (g_str_has_prefix (line, keys[i].key) && *keys[i].value == NULL)
      *keys[i].value = g_strchomp (g_utf8_make_valid (line + strlen (keys[i].key), -1));
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

/* A line that is none of perf's fields: with blanks in front it is the source line of the frame above it. */
static void
on_other_line (Script *self, const char *line, gboolean complete)
{
  WpDiagnostics *diagnostics = &self->reader->trace->diagnostics;

  if (!complete)
    diagnostics->n[WP_DIAG_TRUNCATED] = 1;
  else if (!self->pending || (line[0] != ' ' && line[0] != '|'))
    damaged (self);
}

static void
on_line (Script *self, const char *line, gsize n, gboolean complete)
{
  char text[WP_SCRIPT_LINE_MAX];

  if (n > 0 && line[n - 1] == '\r')
    n--;
  if (n == 0)
    flush (self);
  else if (line[0] == '\t')
    {
      if (!self->pending || !wp_script_stack_line (self->stack, line, n))
        damaged (self);
    }
  else
    {
      n = MIN (n, sizeof text - 1);
      memcpy (text, line, n);
      text[n] = '\0';
      if (text[0] == '#')
        on_comment (self, text);
      else if (!parse_line (self, text))
        on_other_line (self, text, complete);
    }
}

static gboolean
read_lines (Script *self, GError **error)
{
  const char *start = (const char *) self->reader->data, *p = start, *end = p + self->reader->size;

  for (guint count = 0; p < end; count++)
    {
      const char *newline = memchr (p, '\n', end - p);
      gsize n = (newline != NULL ? newline : end) - p;

      if (count % LINES_PER_STEP == 0
          && !wp_progress_step (self->reader->progress, (double) (p - start) / self->reader->size, error))
        return FALSE;
      on_line (self, p, n, newline != NULL);
      p = newline != NULL ? newline + 1 : end;
    }
  flush (self);
  return TRUE;
}

/* perf script puts events in order: where so many are before their predecessor, their times are distances. */
static gboolean
has_distances (const Script *self)
{
  return self->steps_back >= STEPS_BACK && self->steps_back >= self->events / 8;
}

/* Without some columns nothing can be made of it. */
static gboolean
check_columns (const Script *self, GError **error)
{
  const char *missing = NULL, *field = NULL;

  if (has_distances (self))
    {
      g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_EVENTS,
                   "%s: the times of its events are distances, not moments; print it with perf script without --deltatime",
                   self->reader->path);
      return FALSE;
    }
  if (self->no_cpu && !self->no_switches)
    missing = "does not say on which CPU things happened", field = "cpu";
  else if (!self->begun && self->no_event > 0)
    missing = "does not say which event each line is", field = "event";
  else if (self->no_trace > 0 && self->switches == 0)
    missing = "does not say what the events hold: who is switched in and out", field = "trace";
  if (missing != NULL)
    g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_EVENTS,
                 "%s %s; print it with perf script -F +%s, best with --ns -F " WP_SCRIPT_FIELDS, self->reader->path, missing,
                 field);
  return missing == NULL;
}

/* Oldest versions leave the system's name out. */
static gboolean
has_switch_lines (const WpReader *reader)
{
  return memmem (reader->data, reader->size, "sched_switch: ", 14) != NULL;
}

gboolean
wp_script_read (WpReader *reader, GError **error)
{
  Script self = { .reader = reader, .has_forks = -1 };
  gboolean done;

  self.stack = wp_script_stack_new (reader->trace, reader->progress != NULL ? reader->progress->cancellable : NULL);
  self.name_texts = wp_strings_new ();
  self.has_ids = wp_script_has_ids ((const char *) reader->data, reader->size);
  self.child_pids = g_hash_table_new (wp_hash_pointer, NULL);
  self.no_switches = reader->options->all_samples && !has_switch_lines (reader);
  if (self.no_switches)
    wp_reader_has_switches (reader, FALSE);
  done = read_lines (&self, error);
  done = done && check_columns (&self, error);
  wp_script_stack_free (self.stack);
  wp_strings_free (self.name_texts);
  wp_array_clear (&self.names);
  wp_array_clear (&self.current);
  g_hash_table_unref (self.child_pids);
  return done;
}
