/* Call graphs of stacks: what each sample took, in units that divide it, and where on its stack that went. */
#include <math.h>

#include "calls/calls-private.h"
#include "stacks/frame-names.h"
#include "stacks/measure.h"
#include "stacks/proportion.h"

#define STACKS_PER_STEP 1024

/* What the samples of one thread took in one stack. */
typedef struct
{
  WpId stack;
  guint32 thread;
  WpExact time;
} Spent;

typedef struct
{
  WpCallsEdge edge;
  guint32 stack; /* one more than that of the row of `spent` in which it was met last */
} EdgeSum;

typedef struct
{
  guint32 frame, thread;
} NodeThread;

typedef struct
{
  const WpStacks *stacks;
  const WpCallsOptions *options;
  WpCalls *calls;
  WpFrameNames *names;
  guint32 n_threads;
  WpExact one;                  /* of a millisecond or unit, in the units of `spent` */
  WP_ARRAY (Spent) spent;       /* thread by thread, in the order in which their stacks came */
  WpIdArray frames, locations;  /* of the stack at hand, innermost first; frames are rows of the names + 1 */
  guint32 *counts;              /* frame → how often it stands on that stack */
  WP_ARRAY (guint8) occurring;  /* whether any frame stands on a stack so often */
  WpExact scale;                /* what units are divided into */
  WP_ARRAY (EdgeSum) edges;     /* nodes are rows of the names + 1; 0: node 0 */
  WpPairMap known;              /* caller, callee → one more than the row of `edges` */
  WpExact *totals, *selfs;      /* of frames */
  guint32 *last_threads;        /* frame → one more than the last thread that had it */
  WP_ARRAY (NodeThread) node_threads;
} Analysis;

/* --- what samples took -------------------------------------------------------------------------------------------- */

/* Threads are numbered by their rows; what has none comes behind them. */
static guint32
thread_of (const Analysis *self, guint32 sample)
{
  WpId row = self->stacks->sample_threads.len > 0 ? self->stacks->sample_threads.data[sample] : 1;

  return row > 0 ? row - 1 : self->n_threads - 1;
}

static void
count_threads (Analysis *self)
{
  const WpStacks *stacks = self->stacks;

  self->n_threads = stacks->n_samples > 0 ? 1 : 0;
  if (stacks->threads.len == 0 || stacks->sample_threads.len == 0)
    return;
  self->n_threads = stacks->threads.len - 1;
  for (guint32 i = 0; i < stacks->n_samples; i++)
    if (stacks->sample_threads.data[i] == 0)
      {
        self->n_threads = stacks->threads.len;
        return;
      }
}

static gboolean
is_wanted (const Analysis *self, guint32 thread)
{
  return self->options->threads == NULL || self->options->threads[thread + 1 < self->stacks->threads.len ? thread + 1 : 0];
}

/* Samples by thread, each thread's in their order. `first` has one more row than there are threads. */
static guint32 *
sort_samples (const Analysis *self, guint32 *first)
{
  guint32 n = self->stacks->n_samples;
  guint32 *sorted = g_new (guint32, MAX (n, 1));

  for (guint32 i = 0; i < n; i++)
    first[thread_of (self, i) + 1]++;
  for (guint32 t = 0; t < self->n_threads; t++)
    first[t + 1] += first[t];
  for (guint32 i = n; i-- > 0;)
    sorted[--first[thread_of (self, i) + 1]] = i;
  for (guint32 t = 0; t < self->n_threads; t++)
    first[t] = first[t + 1];
  first[self->n_threads] = n;
  return sorted;
}

/* Twice half of the distance from the one before it to the one behind it. */
static WpExact
distance (const gint64 *moments, const guint32 *samples, guint32 i, guint32 n)
{
  guint32 before = i > 0 ? i - 1 : i, behind = i + 1 < n ? i + 1 : i;
  WpExact apart = (WpExact) moments[samples[behind]] - moments[samples[before]];

  return behind - before == 2 ? apart : 2 * apart;
}

/* Adds what the samples of a thread took. slots: stack → one more than its row of `spent`, for those rows that are of this thread. */
static void
add_thread (Analysis *self, guint32 thread, const guint32 *samples, guint32 n, gboolean distances, WpExact factor, guint32 *slots)
{
  const WpStacks *stacks = self->stacks;
  const gint64 *values = distances ? NULL : stacks->values[self->options->type].data;
  guint32 first = self->spent.len;
  WpExact all = 0;

  for (guint32 i = 0; i < n; i++)
    {
      WpExact time = distances ? distance (stacks->moments.data, samples, i, n) : values[samples[i]] * factor;
      WpId stack = stacks->sample_stacks.data[samples[i]];

      all += time;
      if (stack == 0)
        continue;
      if (slots[stack] <= first)
        {
          wp_array_push (&self->spent, ((Spent) { stack, thread, 0 }));
          slots[stack] = self->spent.len;
        }
      self->spent.data[slots[stack] - 1].time += time;
    }
  self->calls->total += all;
  wp_array_push (&self->calls->threads, ((WpCallsThread) { thread, all }));
}

static gboolean
use_distances (const WpStacks *stacks, const WpCallsOptions *options)
{
  if (options->times == WP_CALLS_AUTO)
    return stacks->moments.len == stacks->n_samples
           && (stacks->types.len == 0 || g_str_equal (wp_stacks_text (stacks, stacks->types.data[options->type].type), "samples"));
  return options->times == WP_CALLS_DISTANCES;
}

/* Sets the type and what one of it is. Values of times are multiplied so that a millisecond is a whole number of them. */
static WpExact
choose_unit (Analysis *self, gboolean distances)
{
  const WpValueType type = distances ? (WpValueType) { 0 } : self->stacks->types.data[self->options->type];
  const char *unit = wp_stacks_text (self->stacks, type.unit);
  gboolean is_time = distances || wp_measure_is_alike (unit, "ms");
  double factor = distances || !is_time ? 1 : wp_measure_ratio (unit, "ms");

  self->one = distances ? 2 * 1000000 : is_time && factor < 1 ? (WpExact) round (1 / factor) : 1;
  self->calls->type = wp_strings_intern_text (self->calls->strings, distances ? "cpu" : wp_stacks_text (self->stacks, type.type), -1);
  self->calls->unit = wp_strings_intern_text (self->calls->strings, is_time ? "ms" : unit, -1);
  return factor > 1 ? (WpExact) round (factor) : 1;
}

static gboolean
find_spent (Analysis *self, GError **error)
{
  const WpStacks *stacks = self->stacks;
  gboolean distances = use_distances (stacks, self->options);
  g_autofree guint32 *slots = g_new0 (guint32, stacks->frames->nodes.len), *first = NULL, *samples = NULL;
  WpExact factor;

  if (distances && stacks->moments.len == 0 && stacks->n_samples > 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "samples have no moments, so there are no distances between them; take their values");
      return FALSE;
    }
  factor = choose_unit (self, distances);
  count_threads (self);
  first = g_new0 (guint32, self->n_threads + 1);
  samples = sort_samples (self, first);
  for (guint32 t = 0; t < self->n_threads; t++)
    {
      guint32 n = first[t + 1] - first[t];

      if (!is_wanted (self, t))
        continue;
      self->calls->n_samples += n;
      /* The only one of a thread is at no distance from any, and stands for nothing. */
      add_thread (self, t, samples + first[t], distances && n == 1 ? 0 : n, distances, factor, slots);
    }
  return TRUE;
}

/* In the largest unit that divides all. */
static void
divide_times (Analysis *self)
{
  WpExact unit = self->one;

  for (guint32 i = 0; i < self->calls->threads.len && unit > 1; i++)
    unit = wp_exact_gcd (self->calls->threads.data[i].time, unit);
  for (guint32 i = 0; i < self->spent.len && unit > 1; i++)
    if (self->spent.data[i].time % unit != 0)
      unit = wp_exact_gcd (self->spent.data[i].time, unit);
  for (guint32 i = 0; i < self->spent.len; i++)
    self->spent.data[i].time /= unit;
  for (guint32 i = 0; i < self->calls->threads.len; i++)
    self->calls->threads.data[i].time /= unit;
  self->calls->total /= unit;
  self->one /= unit;
}

/* --- stacks ------------------------------------------------------------------------------------------------------- */

/* Frames of a stack, and how often each stands there. */
static void
expand (Analysis *self, WpId stack)
{
  const WpFrameNames *names = self->names;

  wp_frames_stack (self->stacks->frames, stack, &self->locations);
  self->frames.len = 0;
  for (guint32 i = 0; i < self->locations.len; i++)
    {
      WpId location = self->locations.data[i];

      for (guint32 n = names->first[location + 1]; n-- > names->first[location];)
        {
          guint32 frame = names->frames.data[n] + 1;

          wp_array_push (&self->frames, frame);
          self->counts[frame]++;
        }
    }
}

static gboolean
count_occurrences (Analysis *self, WpProgress *progress, GError **error)
{
  guint32 deepest = 1;
  double bound = 0;

  for (guint32 i = 0; i < self->spent.len; i++)
    {
      if (i % STACKS_PER_STEP == 0 && !wp_progress_step (progress, 0.5 * i / self->spent.len, error))
        return FALSE;
      expand (self, self->spent.data[i].stack);
      for (guint32 f = 0; f < self->frames.len; f++)
        {
          guint32 *count = &self->counts[self->frames.data[f]];

          if (*count >= self->occurring.len)
            wp_array_resize (&self->occurring, *count + 1);
          self->occurring.data[*count] = TRUE;
          *count = 0;
        }
      deepest = MAX (deepest, self->frames.len);
      bound += fabs ((double) self->spent.data[i].time);
    }
  for (guint32 i = 0; i < self->calls->threads.len; i++)
    bound += fabs ((double) self->calls->threads.data[i].time);
  bound *= deepest;
  self->scale = 1;
  for (guint32 c = 2; c < self->occurring.len; c++)
    {
      WpExact factor = self->occurring.data[c] ? c / wp_exact_gcd (self->scale, c) : 1;

      if (bound * (double) self->scale * (double) factor <= (double) WP_EXACT_LIMIT)
        self->scale *= factor;
      else
        self->calls->exact = FALSE;
    }
  return TRUE;
}

/* --- sums --------------------------------------------------------------------------------------------------------- */

static EdgeSum *
edge_of (Analysis *self, guint32 caller, guint32 callee)
{
  guint32 *known = wp_pair_map_at (&self->known, caller, callee);

  if (*known == 0)
    {
      wp_array_push (&self->edges, ((EdgeSum) { .edge = { .caller = caller, .callee = callee } }));
      *known = self->edges.len;
    }
  return &self->edges.data[*known - 1];
}

static inline WpExact
share (WpExact time, guint32 count)
{
  return count == 1 ? time : wp_exact_round (time, count);
}

static void
connect (Analysis *self, guint32 row, guint32 caller, guint32 callee, WpExact time)
{
  EdgeSum *sum = edge_of (self, caller, callee);

  sum->edge.caller_time += share (time, self->counts[callee]);
  sum->edge.callee_time += share (time, self->counts[caller]);
  if (sum->stack != row + 1)
    sum->edge.total += time;
  sum->stack = row + 1;
}

static void
add_frame (Analysis *self, guint32 frame, guint32 thread, WpExact time)
{
  self->totals[frame] += time;
  if (self->last_threads[frame] != thread + 1)
    wp_array_push (&self->node_threads, ((NodeThread) { frame, thread }));
  self->last_threads[frame] = thread + 1;
}

/* Edges are made in this order, which decides among equal ones. */
static void
add_stack (Analysis *self, guint32 row)
{
  const Spent *spent = &self->spent.data[row];
  WpExact time = spent->time * self->scale;

  expand (self, spent->stack);
  if (self->frames.len == 0)
    return;
  self->counts[0] = 1;
  connect (self, row, 0, self->frames.data[self->frames.len - 1], time);
  connect (self, row, self->frames.data[0], 0, time);
  for (guint32 i = 1; i < self->frames.len; i++)
    connect (self, row, self->frames.data[i], self->frames.data[i - 1], time);
  self->selfs[self->frames.data[0]] += time;
  for (guint32 i = 0; i < self->frames.len; i++)
    {
      guint32 frame = self->frames.data[i];

      if (self->counts[frame] > 0)
        add_frame (self, frame, spent->thread, time);
      self->counts[frame] = 0;
    }
}

static gboolean
add_stacks (Analysis *self, WpProgress *progress, GError **error)
{
  for (guint32 i = 0; i < self->spent.len; i++)
    {
      if (i % STACKS_PER_STEP == 0 && !wp_progress_step (progress, 0.5 + 0.5 * i / self->spent.len, error))
        return FALSE;
      add_stack (self, i);
    }
  return TRUE;
}

/* --- the graph ---------------------------------------------------------------------------------------------------- */

static WpId
shown (const Analysis *self, WpId text)
{
  g_autofree char *changed = NULL;

  return wp_strings_intern (self->calls->strings, wp_stacks_shown (self->stacks, text, &changed));
}

/* A frame of which nothing is known but the module is called by that. */
static WpCallsNode
node_of (const Analysis *self, guint32 frame)
{
  const WpFrameName *name = &self->names->names.data[frame - 1];
  const WpStackFunction *function = &self->stacks->frames->functions.data[name->function];
  WpCallsNode node = { .column = -1, .total = self->totals[frame], .self = self->selfs[frame] };

  node.name = name->function != 0 ? shown (self, function->name) : wp_strings_intern (self->calls->strings, name->name);
  node.file = shown (self, function->file);
  node.line = MAX (self->options->lines ? name->line : function->start_line, 0);
  if (self->options->lines && name->column > 0)
    node.column = name->column - 1;
  return node;
}

/* Frames that no sample met are none of the graph. */
static void
take_sums (Analysis *self)
{
  WpCalls *calls = self->calls;
  g_autofree guint32 *nodes = g_new0 (guint32, self->names->names.len + 1); /* frame → node */

  calls->one = self->one * self->scale;
  calls->total *= self->scale;
  for (guint32 i = 0; i < calls->threads.len; i++)
    calls->threads.data[i].time *= self->scale;
  calls->nodes.data[0].total = calls->total;
  for (guint32 f = 1; f <= self->names->names.len; f++)
    if (self->last_threads[f] != 0)
      {
        nodes[f] = calls->nodes.len;
        wp_array_push (&calls->nodes, node_of (self, f));
      }
  for (guint32 i = 0; i < self->edges.len; i++)
    {
      WpCallsEdge edge = self->edges.data[i].edge;

      edge.caller = nodes[edge.caller];
      edge.callee = nodes[edge.callee];
      wp_array_push (&calls->edges, edge);
    }
  for (guint32 i = 0; i < self->node_threads.len; i++)
    calls->nodes.data[nodes[self->node_threads.data[i].frame]].n_threads++;
  for (guint32 i = 1; i < calls->nodes.len; i++)
    {
      calls->nodes.data[i].first_thread = calls->node_threads.len;
      wp_array_resize (&calls->node_threads, calls->node_threads.len + calls->nodes.data[i].n_threads);
      calls->nodes.data[i].n_threads = 0;
    }
  for (guint32 i = self->node_threads.len; i-- > 0;) /* newest first */
    {
      WpCallsNode *node = &calls->nodes.data[nodes[self->node_threads.data[i].frame]];

      calls->node_threads.data[node->first_thread + node->n_threads++] = self->node_threads.data[i].thread;
    }
}

static void
clear (Analysis *self)
{
  wp_frame_names_free (self->names);
  wp_array_clear (&self->spent);
  wp_array_clear (&self->frames);
  wp_array_clear (&self->locations);
  wp_array_clear (&self->occurring);
  wp_array_clear (&self->edges);
  wp_array_clear (&self->node_threads);
  wp_pair_map_clear (&self->known);
  g_free (self->counts);
  g_free (self->totals);
  g_free (self->selfs);
  g_free (self->last_threads);
}

WpCalls *
wp_calls_of_stacks (const WpStacks *stacks, const WpCallsOptions *options, WpProgress *progress, GError **error)
{
  const WpFrameNameOptions frames = { .by = options->lines ? WP_FRAMES_BY_LINE : WP_FRAMES_BY_FILE_FUNCTION, .columns = options->lines,
                                      .starts = !options->lines, .without_inlined = options->without_inlined };
  Analysis self = { .stacks = stacks, .options = options };
  WpCalls *calls = self.calls = wp_calls_new ();
  guint32 n;

  wp_progress_phase (progress, "Counting functions");
  if (!wp_stacks_check_proportion (stacks, WP_EACH_SAMPLE, error))
    {
      wp_calls_free (calls);
      return NULL;
    }
  self.names = wp_frame_names_new (stacks, &frames);
  n = self.names->names.len + 1;
  self.counts = g_new0 (guint32, n);
  self.last_threads = g_new0 (guint32, n);
  self.totals = g_new0 (WpExact, n);
  self.selfs = g_new0 (WpExact, n);
  if (find_spent (&self, error) && (divide_times (&self), count_occurrences (&self, progress, error)) && add_stacks (&self, progress, error))
    {
      take_sums (&self);
      wp_calls_order (calls);
      calls->cpu_time = stacks->header.duration != 0 && wp_calls_are_times (calls) ? stacks->header.duration / 1e6 : wp_calls_real (calls, calls->total);
    }
  else
    g_clear_pointer (&calls, wp_calls_free);
  clear (&self);
  return calls;
}
