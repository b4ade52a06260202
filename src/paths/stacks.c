#include "paths/stacks.h"

#include "paths/pseudo-stacks.h"
#include "stacks/labels.h"
#include "trace/marks.h"

#define STEP 8192 /* rows from one look at the progress to the next */

typedef struct
{
  WpPseudoStacks pseudo;
  WpStacksMaker *maker; /* the pseudo-stacks' */
  WpStacks *stacks;     /* the maker's */
  const WpPaths *paths;
  const WpTrace *trace;
  const WpExplanation *explanation;
  guint32 *threads; /* task → thread + 1 */
  WpMarkTimes *marks;
  WpPairMap contexts; /* row of the explanation, path of marks → context */
  guint32 n_contexts;
  WpPairMap labels; /* task, context → set of labels + 1 */
  WpSliceArray slices;
} Maker;

static WpId
intern (Maker *self, const char *text)
{
  return wp_strings_intern (self->stacks->strings, text);
}

static void
add_label (Maker *self, const char *key, const char *text)
{
  wp_stacks_maker_label (self->maker, intern (self, key), intern (self, text));
}

static void
add_thread_labels (Maker *self, WpId task)
{
  const WpTask *row = &self->trace->tasks.data[task];
  const char *name = wp_trace_task_name (self->trace, task);
  g_autofree char *thread = g_strdup_printf ("%s:%d", name, row->tid);

  if (row->kind != WP_TASK_THREAD)
    return;
  add_label (self, "process", row->leader != 0 ? wp_trace_task_name (self->trace, row->leader) : name);
  add_label (self, "thread", thread);
}

static void
add_mark_labels (Maker *self, guint32 path)
{
  WpId names[2 * WP_MARKS_DEEP];
  guint n = wp_mark_times_names (self->marks, path, names);

  for (guint i = 0; i < n; i++)
    add_label (self, WP_LABEL_MARK, wp_trace_string (self->trace, names[i]));
}

static WpId
labels_at (Maker *self, WpId task, guint32 row, gboolean running, gint64 moment)
{
  const WpExplanationRow *explained = &self->explanation->rows.data[row];
  guint32 path = wp_mark_times_at (self->marks, self->trace->tasks.data[task].pid, self->trace->tasks.data[task].tid, moment);
  guint32 *context = wp_pair_map_at (&self->contexts, row, path), *set;

  if (*context == 0)
    *context = ++self->n_contexts;
  set = wp_pair_map_at (&self->labels, task, *context);
  if (*set != 0)
    return *set - 1;
  add_thread_labels (self, task);
  add_label (self, "category", wp_category_id (explained->category));
  if (explained->category == WP_CATEGORY_SCHEDULER || explained->category == WP_CATEGORY_INVOLUNTARY)
    add_label (self, "waited_for", "CPU");
  else if (!running)
    add_label (self, "waited_for", explained->name);
  add_mark_labels (self, path);
  *set = wp_stacks_maker_label_set (self->maker) + 1;
  return *set - 1;
}

static guint32
thread_of (Maker *self, WpId task)
{
  const WpTask *row = &self->trace->tasks.data[task];

  if (self->threads[task] == 0)
    {
      self->threads[task] = self->stacks->threads.len;
      wp_array_push (&self->stacks->threads, ((WpStackThread) { .name = intern (self, wp_trace_task_name (self->trace, task)),
                                                                .process = intern (self, wp_trace_task_name (self->trace, row->leader)),
                                                                .tid = row->tid, .pid = row->pid }));
    }
  return self->threads[task];
}

static void
add_piece (Maker *self, const WpPiece *piece)
{
  const WpOp *op = &self->trace->ops.data[self->paths->parts.data[piece->part].op];
  gboolean running = op->kind == WP_OP_RUN;

  wp_pseudo_stacks_of_piece (&self->pseudo, piece, &self->slices);
  for (guint32 i = 0; i < self->slices.len; i++)
    {
      const WpSlice *slice = &self->slices.data[i];
      gint64 values[WP_VALUES_OF_EXPLAINED] = { 0 };

      values[running ? WP_TIME_RUNNING : WP_TIME_WAITING] = slice->end - slice->start;
      values[WP_TIME_LATENCY] = wp_explanation_latency (self->explanation, piece, slice->start, slice->end);
      wp_stacks_maker_sample (self->maker, slice->stack, values);
      self->stacks->sample_labels.data[self->stacks->n_samples - 1] = labels_at (self, op->task, piece->row, running, slice->start);
      wp_array_push (&self->stacks->moments, slice->start);
      wp_array_push (&self->stacks->sample_threads, thread_of (self, op->task));
    }
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

/* FALSE when cancelled. */
static gboolean
add_everything (Maker *self, WpProgress *progress, GError **error)
{
  guint32 n_parts = self->paths->parts.len, n_pieces = self->explanation->pieces.len;
  double steps = (double) n_parts + n_pieces;

  wp_progress_phase (progress, "Gathering stacks");
  for (WpId p = 1; p < n_parts; p++)
    {
      wp_pseudo_stacks_place (&self->pseudo, p);
      if (p % STEP == 0 && !wp_progress_step (progress, p / steps, error))
        return FALSE;
    }
  for (guint32 i = 0; i < n_pieces; i++)
    {
      add_piece (self, &self->explanation->pieces.data[i]);
      if (i % STEP == 0 && !wp_progress_step (progress, (n_parts + i) / steps, error))
        return FALSE;
    }
  return TRUE;
}

/* FALSE when cancelled; to be cleared even then. */
static gboolean
maker_init (Maker *self, const WpPaths *paths, const WpExplanation *explanation, WpDepthChoice depth, WpProgress *progress, GError **error)
{
  const WpTrace *trace = paths->trace;
  gboolean done;

  *self = (Maker) { .paths = paths, .trace = trace, .explanation = explanation };
  done = wp_pseudo_stacks_init (&self->pseudo, paths, depth, progress, error);
  self->maker = &self->pseudo.maker;
  self->stacks = self->maker->stacks;
  wp_stacks_maker_type (self->maker, intern (self, "running"), intern (self, "nanoseconds"));
  wp_stacks_maker_type (self->maker, intern (self, "waiting"), intern (self, "nanoseconds"));
  wp_stacks_maker_type (self->maker, intern (self, "latency"), intern (self, "nanoseconds"));
  self->stacks->header.default_type = intern (self, "waiting");
  self->stacks->header.duration = explanation->wall;
  self->stacks->header.host = trace->host != NULL ? intern (self, trace->host) : 0;
  if (trace->command != NULL)
    wp_array_push (&self->stacks->comments, intern (self, trace->command));
  wp_array_add (&self->stacks->threads);
  self->threads = g_new0 (guint32, trace->tasks.len);
  self->marks = wp_mark_times_new (trace);
  return done;
}

WpStacks *
wp_paths_stacks (const WpPaths *paths, const WpExplanation *explanation, WpDepthChoice depth, WpProgress *progress, GError **error)
{
  Maker self;
  WpStacks *stacks = NULL;

  if (maker_init (&self, paths, explanation, depth, progress, error) && add_everything (&self, progress, error))
    stacks = wp_stacks_maker_take (self.maker);
  wp_pseudo_stacks_clear (&self.pseudo);
  g_free (self.threads);
  wp_mark_times_free (self.marks);
  wp_pair_map_clear (&self.contexts);
  wp_pair_map_clear (&self.labels);
  wp_array_clear (&self.slices);
  return stacks;
}
