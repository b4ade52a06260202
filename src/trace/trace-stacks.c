#include "trace/trace-stacks.h"

#include "base/pair-map.h"
#include "stacks/labels.h"
#include "stacks/maker.h"
#include "trace/marks.h"

#include <string.h>

#define ROWS_PER_STEP 65536
#define OWN_TYPES_MAX 16 /* each row has a value of each type */

/* The columns of one sampled event: rows of the types + 1, 0: it has none. */
typedef struct
{
  guint32 value, samples;
  gboolean joined; /* with others, from which a label tells it */
} EventTypes;

typedef struct
{
  const WpTrace *trace;
  WpStacksMaker maker;
  WpStacks *stacks; /* the maker's */
  EventTypes *events; /* by row of the trace's events */
  guint32 on_cpu, off_cpu; /* rows of the types + 1, 0: the trace has no operations */
  WpId *labels;     /* task → set */
  WpMarkTimes *marks;
  WpPairMap contexts;     /* event or 0, path of marks or 0 → context */
  guint32 n_contexts;
  WpPairMap context_labels; /* task, context → set with the event's name, and the marks */
  WpId *nodes;      /* stack → that of the stacks; while they are chosen, whether it is one */
  WpProgress *progress;
  guint64 done, all; /* rows */
} Converter;

static WpId
text (Converter *self, const char *string)
{
  return wp_strings_intern (self->stacks->strings, string);
}

static gboolean
step (Converter *self, GError **error)
{
  return self->done++ % ROWS_PER_STEP != 0 || wp_progress_step (self->progress, (double) self->done / (double) (self->all + 1), error);
}

/* --- types -------------------------------------------------------------------------------------------------------- */

static guint32
add_type (Converter *self, const char *name, const char *unit)
{
  wp_stacks_maker_type (&self->maker, text (self, name), text (self, unit));
  return self->stacks->types.len;
}

/* "cpu-clock:ppp" counts nanoseconds. */
static gboolean
is_clock (const char *event)
{
  gsize n = strcspn (event, ":");

  return (n == 9 && strncmp (event, "cpu-clock", n) == 0) || (n == 10 && strncmp (event, "task-clock", n) == 0);
}

enum
{
  SAMPLED = 1,
  HAS_PERIODS = 2, /* some sample stands for more than one */
};

static guint8 *
judge_events (const WpTrace *trace)
{
  guint8 *marks = g_malloc0 (trace->events.len + 1);

  for (guint32 i = 1; i < trace->samples.len; i++)
    if (trace->samples.data[i].event != 0)
      marks[trace->samples.data[i].event - 1] |= trace->samples.data[i].period != 1 ? SAMPLED | HAS_PERIODS : SAMPLED;
  return marks;
}

static void
add_event_types (Converter *self)
{
  const WpTrace *trace = self->trace;
  g_autofree guint8 *marks = judge_events (trace);
  guint32 n = 0, joined = 0;

  for (guint32 i = 0; i < trace->events.len; i++)
    n += marks[i] != 0;
  self->events = g_new0 (EventTypes, trace->events.len + 1);
  for (guint32 i = 0; i < trace->events.len; i++)
    {
      const char *name = wp_trace_string (trace, trace->events.data[i].name);
      g_autofree char *samples = n > 1 ? g_strconcat (name, "_samples", NULL) : g_strdup ("samples");

      if (marks[i] == 0)
        continue;
      self->events[i].joined = n > OWN_TYPES_MAX && (!(marks[i] & HAS_PERIODS) || self->stacks->types.len >= 2 * OWN_TYPES_MAX);
      if (self->events[i].joined)
        {
          joined = joined != 0 ? joined : add_type (self, "events", "count");
          self->events[i].value = joined;
          continue;
        }
      if (marks[i] & HAS_PERIODS)
        self->events[i].samples = add_type (self, samples, "count");
      self->events[i].value = add_type (self, name, is_clock (name) ? "nanoseconds" : "count");
    }
}

static void
add_types (Converter *self)
{
  WpStacks *stacks = self->stacks;

  add_event_types (self);
  for (guint32 i = 0; i < self->trace->events.len && stacks->header.default_type == 0; i++)
    if (self->events[i].value != 0)
      stacks->header.default_type = stacks->types.data[self->events[i].value - 1].type;
  if (self->trace->ops.len == 1)
    return;
  self->on_cpu = add_type (self, "on-cpu", "nanoseconds");
  self->off_cpu = add_type (self, "off-cpu", "nanoseconds");
  stacks->header.default_type = stacks->types.data[self->on_cpu - 1].type;
}

/* --- code --------------------------------------------------------------------------------------------------------- */

/* Which stacks become nodes: those of rows, and where they part. All others are within the runs of these. */
enum
{
  PASSED = 1, /* another stack stands on it */
  NODE = 2,
};

static void
choose_nodes (Converter *self)
{
  const WpTrace *trace = self->trace;

  self->nodes = g_new0 (WpId, trace->stacks.len);
  for (guint32 i = 1; i < trace->samples.len; i++)
    self->nodes[trace->samples.data[i].stack] = NODE;
  for (guint32 i = 1; i < trace->ops.len; i++)
    if (trace->ops.data[i].kind == WP_OP_SLEEP)
      self->nodes[trace->ops.data[i].detail] = NODE;
  for (WpId i = trace->stacks.len; i-- > 1;) /* what a stack stands on comes before it */
    if (self->nodes[i] != 0)
      {
        WpId *parent = &self->nodes[trace->stacks.data[i].parent];

        *parent = *parent == 0 ? PASSED : NODE;
      }
}

/* Addresses are offsets in the file. It reaches as far as any file may, so that it is the same module in every recording; a limit of all bits
 * would say that they are what the linker gave. */
static WpId
add_module (Converter *self, const WpModule *module)
{
  WpStackModule row = { .limit = G_MAXINT64, .file = text (self, wp_trace_string (self->trace, module->path)),
                        .build_id = text (self, wp_trace_string (self->trace, module->build_id)), .has = WP_MODULE_HAS_FUNCTIONS };

  wp_array_push (&self->stacks->frames->modules, row);
  return self->stacks->frames->modules.len - 1;
}

static WpId
add_function (Converter *self, const WpFunction *function)
{
  WpId name = text (self, wp_trace_string (self->trace, function->name));

  wp_array_push (&self->stacks->frames->functions, ((WpStackFunction) { .name = name, .system_name = name }));
  return self->stacks->frames->functions.len - 1;
}

/* Rows that are made as they are met. */
typedef struct
{
  WpId *modules, *functions, *locations; /* of the trace → of the stacks; 0: not made yet */
} Rows;

static WpId
location_of (Converter *self, Rows *rows, WpId id)
{
  WpFrames *frames = self->stacks->frames;
  const WpFrame *frame = &self->trace->frames.data[id];
  const WpFunction *function = &self->trace->functions.data[frame->function];
  WpLocation row = { .address = frame->offset, .first_line = frames->lines.len };

  if (rows->locations[id] != 0)
    return rows->locations[id];
  if (rows->modules[frame->module] == 0)
    rows->modules[frame->module] = add_module (self, &self->trace->modules.data[frame->module]);
  row.module = rows->modules[frame->module];
  if (function->flags & WP_FUNCTION_NO_SYMBOL)
    frames->modules.data[row.module].has = 0;
  else
    {
      if (rows->functions[frame->function] == 0)
        rows->functions[frame->function] = add_function (self, function);
      wp_array_push (&frames->lines, ((WpStackLine) { .function = rows->functions[frame->function] }));
      row.n_lines = 1;
    }
  wp_array_push (&frames->locations, row);
  return rows->locations[id] = frames->locations.len - 1;
}

/* The run of locations from the stack back to the node that it stands on. */
static void
add_node (Converter *self, Rows *rows, WpId stack, WpIdArray *run)
{
  const WpTrace *trace = self->trace;
  WpId below = stack;

  run->len = 0;
  do
    {
      wp_array_push (run, location_of (self, rows, trace->stacks.data[below].frame));
      below = trace->stacks.data[below].parent;
    }
  while (below != 0 && self->nodes[below] == 0);
  wp_stack_reverse (run);
  self->nodes[stack] = wp_stacks_maker_stack (&self->maker, self->nodes[below], run->data, run->len);
}

static gboolean
add_stacks (Converter *self, GError **error)
{
  const WpTrace *trace = self->trace;
  Rows rows = { .modules = g_new0 (WpId, trace->modules.len), .functions = g_new0 (WpId, trace->functions.len),
                .locations = g_new0 (WpId, trace->frames.len) };
  WpIdArray run = { 0 };
  gboolean go_on = TRUE;

  choose_nodes (self);
  self->nodes[0] = 0;
  for (WpId i = 1; go_on && i < trace->stacks.len; i++)
    {
      go_on = step (self, error);
      if (self->nodes[i] == NODE)
        add_node (self, &rows, i, &run);
      else
        self->nodes[i] = 0;
    }
  wp_array_clear (&run);
  g_free (rows.modules);
  g_free (rows.functions);
  g_free (rows.locations);
  return go_on;
}

/* --- who ---------------------------------------------------------------------------------------------------------- */

static void
add_label (Converter *self, const char *key, WpId value)
{
  if (value != 0)
    wp_stacks_maker_label (&self->maker, text (self, key), value);
}

static void
add_number (Converter *self, const char *key, gint64 number)
{
  if (number > 0)
    wp_stacks_maker_number (&self->maker, text (self, key), number, 0);
}

static void
add_labels_of (Converter *self, WpId task)
{
  const WpStackThread *row = &self->stacks->threads.data[task];

  add_label (self, "process", row->process);
  add_label (self, "thread", row->name);
  add_number (self, "pid", row->pid);
  add_number (self, "tid", row->tid);
}

/* Rows of threads are those of tasks. */
static void
add_thread (Converter *self, WpId id)
{
  const WpTask *task = &self->trace->tasks.data[id];
  WpStackThread row = { .name = text (self, wp_trace_task_name (self->trace, id)),
                        .process = text (self, wp_trace_task_name (self->trace, task->leader)),
                        .tid = task->tid, .pid = MAX (task->pid, 0) };

  wp_array_push (&self->stacks->threads, row);
  add_labels_of (self, id);
  self->labels[id] = wp_stacks_maker_label_set (&self->maker);
}

static void
add_threads (Converter *self)
{
  self->labels = g_new0 (WpId, self->trace->tasks.len);
  wp_array_add (&self->stacks->threads);
  for (WpId i = 1; i < self->trace->tasks.len; i++)
    add_thread (self, i);
}

static void
add_marks_of (Converter *self, guint32 path)
{
  WpId names[2 * WP_MARKS_DEEP];
  guint n = wp_mark_times_names (self->marks, path, names);

  for (guint m = 0; m < n; m++)
    add_label (self, WP_LABEL_MARK, text (self, wp_trace_string (self->trace, names[m])));
}

/* Of a row of a sampled event that has no type of its own, or 0, at a moment. */
static WpId
labels_at (Converter *self, WpId task, WpId event, gint64 moment)
{
  const WpStackThread *row = &self->stacks->threads.data[task];
  guint32 path = wp_mark_times_at (self->marks, (gint32) row->pid, (gint32) row->tid, moment), *context, *known;

  if (event == 0 && path == 0)
    return self->labels[task];
  context = wp_pair_map_at (&self->contexts, event, path);
  if (*context == 0)
    *context = ++self->n_contexts;
  known = wp_pair_map_at (&self->context_labels, task, *context);
  if (*known == 0)
    {
      if (event != 0)
        add_label (self, "event", text (self, wp_trace_string (self->trace, self->trace->events.data[event - 1].name)));
      add_labels_of (self, task);
      add_marks_of (self, path);
      *known = wp_stacks_maker_label_set (&self->maker);
    }
  return *known;
}

/* --- rows --------------------------------------------------------------------------------------------------------- */

/* Appends a row without values; its number. event: see labels_at(). */
static guint32
add_row (Converter *self, WpId task, WpId event, WpId stack, gint64 moment)
{
  WpStacks *stacks = self->stacks;

  wp_array_push (&stacks->sample_stacks, self->nodes[stack]);
  wp_array_push (&stacks->sample_labels, labels_at (self, task, event, moment));
  wp_array_push (&stacks->sample_threads, task);
  wp_array_push (&stacks->moments, moment);
  return stacks->n_samples++;
}

static void
set_value (Converter *self, guint32 type, guint32 row, gint64 value)
{
  if (type != 0)
    self->stacks->values[type - 1].data[row] = value;
}

static gboolean
is_explained (const WpTrace *trace, const WpOp *op)
{
  const WpTask *task = &trace->tasks.data[op->task];

  return task->kind == WP_TASK_THREAD && !(task->flags & WP_TASK_IDLE) && !(op->flags & WP_OP_LOST);
}

static void
add_sample (Converter *self, WpId id)
{
  const WpSample *sample = &self->trace->samples.data[id];
  const WpOp *run = &self->trace->ops.data[sample->run];
  const EventTypes *event = sample->event != 0 ? &self->events[sample->event - 1] : NULL;
  WpId task = sample->run != 0 ? run->task : sample->task;
  guint32 row = add_row (self, task, event != NULL && event->joined ? sample->event : 0, sample->stack, sample->time), at = id - run->detail;

  if (event != NULL)
    {
      set_value (self, event->value, row, event->joined ? 1 : sample->period);
      set_value (self, event->samples, row, 1);
    }
  if (sample->run != 0 && is_explained (self->trace, run))
    set_value (self, self->on_cpu, row,
               wp_run_share (run, at + 1, run->explained_by - run->detail) - wp_run_share (run, at, run->explained_by - run->detail));
}

/* Runs that were never sampled, and sleeps. Of a sleep that nobody saw begin it is not known what it was, nor whether it was only one. */
static void
add_operation (Converter *self, const WpOp *op)
{
  gboolean run = op->kind == WP_OP_RUN && op->detail == 0, sleep = op->kind == WP_OP_SLEEP && !wp_start_unseen (op);

  if (op->end > op->start && (run || sleep) && is_explained (self->trace, op))
    set_value (self, run ? self->on_cpu : self->off_cpu, add_row (self, op->task, 0, run ? 0 : op->detail, op->start), op->end - op->start);
}

static gboolean
add_rows (Converter *self, GError **error)
{
  const WpTrace *trace = self->trace;
  WpStacks *stacks = self->stacks;
  guint64 most = MIN ((guint64) trace->samples.len + trace->ops.len, G_MAXUINT32);

  stacks->values = g_new0 (WpNumbers, MAX (stacks->types.len, 1));
  for (guint32 t = 0; t < stacks->types.len; t++)
    wp_array_resize (&stacks->values[t], (guint32) most);
  for (WpId i = 1; i < trace->samples.len; i++)
    {
      if (!step (self, error))
        return FALSE;
      add_sample (self, i);
    }
  for (WpId i = 1; i < trace->ops.len; i++)
    {
      if (!step (self, error))
        return FALSE;
      add_operation (self, &trace->ops.data[i]);
    }
  for (guint32 t = 0; t < stacks->types.len; t++)
    {
      stacks->values[t].len = stacks->n_samples;
      wp_array_trim (&stacks->values[t]);
    }
  if (trace->end == 0) /* nothing says when anything was */
    wp_array_clear (&stacks->moments);
  return TRUE;
}

WpStacks *
wp_trace_stacks (const WpTrace *trace, WpProgress *progress, GError **error)
{
  Converter self = { .trace = trace, .progress = progress, .all = (guint64) trace->stacks.len + trace->samples.len + trace->ops.len };
  WpStacks *result = NULL;

  wp_progress_phase (progress, "Gathering stacks");
  wp_stacks_maker_init (&self.maker);
  self.stacks = self.maker.stacks;
  self.stacks->header.duration = trace->end;
  self.stacks->header.of_recording = TRUE;
  self.stacks->header.host = trace->host != NULL ? wp_strings_intern (self.stacks->strings, trace->host) : 0;
  self.marks = wp_mark_times_new (trace);
  add_types (&self);
  add_threads (&self);
  if (add_stacks (&self, error) && add_rows (&self, error))
    result = wp_stacks_maker_take (&self.maker);
  wp_stacks_maker_clear (&self.maker);
  wp_mark_times_free (self.marks);
  wp_pair_map_clear (&self.contexts);
  wp_pair_map_clear (&self.context_labels);
  g_free (self.events);
  g_free (self.labels);
  g_free (self.nodes);
  return result;
}
