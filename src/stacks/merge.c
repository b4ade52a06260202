#include "stacks/merge.h"

#include <math.h>

#include "stacks/measure.h"
#include "stacks/merge-parts.h"
#include "stacks/proportion.h"
#include "stacks/sums.h"

#define SAMPLES_PER_STEP 4096

/* So many samples may wait before equal ones become one. */
#define SAMPLES_AHEAD (1u << 22)

/* A profile that is added. */
typedef struct
{
  WpStacks *stacks;
  gboolean is_base;      /* its values are subtracted */
  gboolean is_labelled;  /* its samples get WP_LABEL_BASE */
  const double *scale;   /* of each type of the result; NULL: none */
} Source;

/* Labels, and the stack that they were met with last. */
typedef struct
{
  WpId stack;     /* one more than it is; 0: none */
  guint32 sample; /* the first one with both */
} Met;

typedef struct
{
  WpStacksMaker maker;
  WpMergeRows rows;
  guint32 n_united;     /* the first samples, of which no two are equal */
  /* Of the profile that is added: */
  const Source *source;
  WpIdArray stacks;     /* its stack → that of the result */
  guint8 *known;        /* stacks that are, or will be, in it */
  WpIdArray stack;      /* at hand */
} Merger;

/* --- stacks ------------------------------------------------------------------------------------------------------- */

/* Puts the rows of a run's locations into `out`. FALSE: a location has none yet. */
#define MAP_RUN(run, n_run, rows, out)                                                                                                   \
  ({                                                                                                                                     \
    gboolean all_ = TRUE;                                                                                                                \
    for (guint32 i_ = 0; i_ < (n_run); i_++)                                                                                             \
      {                                                                                                                                  \
        WpId row_ = (rows)[(run)[i_]];                                                                                                   \
        (out)[i_] = row_;                                                                                                                \
        all_ &= row_ != 0;                                                                                                               \
      }                                                                                                                                  \
    all_;                                                                                                                                \
  })

static gboolean
map_run (const Merger *self, const WpStackNode *node, WpId *out)
{
  const WpRuns *runs = &self->source->stacks->frames->runs;
  const WpId *rows = self->rows.location_rows;

  return runs->narrow != NULL ? MAP_RUN (runs->narrow + node->first, node->n, rows, out) : MAP_RUN (runs->wide + node->first, node->n, rows, out);
}

/* Locations that were not met yet: from the innermost one on, which is the order in which they stand in the result. */
static void
map_locations (Merger *self, const WpStackNode *node)
{
  for (guint32 i = node->n; i-- > 0;)
    {
      WpId location = wp_runs_get (&self->source->stacks->frames->runs, node->first + i);

      if (self->rows.location_rows[location] == 0)
        wp_merge_location (&self->rows, location);
    }
}

static void
map_stack (Merger *self, WpId stack)
{
  const WpStackNode *nodes = self->source->stacks->frames->nodes.data;
  guint32 n = 0;

  if (self->known[stack])
    return;
  self->known[stack] = TRUE;
  for (WpId at = stack; at != 0; at = nodes[at].prefix)
    n += nodes[at].n;
  wp_array_reserve (&self->stack, n);
  self->stack.len = n;
  for (WpId at = stack; at != 0; at = nodes[at].prefix)
    {
      n -= nodes[at].n;
      if (map_run (self, &nodes[at], self->stack.data + n))
        continue;
      map_locations (self, &nodes[at]);
      map_run (self, &nodes[at], self->stack.data + n);
    }
  wp_stacks_maker_stack_ahead (&self->maker, self->stack.data, self->stack.len, &self->stacks, stack);
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

/* Appends all its values of a type, in the unit of the result. */
static void
append_values (Merger *self, guint32 t)
{
  const WpStacks *from = self->source->stacks, *to = self->maker.stacks;
  const WpValueType type = to->types.data[t];
  const guint32 own = (guint32) wp_merge_type_named (from, wp_stacks_text (to, type.type)), n = from->n_samples;
  const double ratio = wp_measure_ratio (wp_stacks_text (from, from->types.data[own].unit), wp_stacks_text (to, type.unit));
  gint64 *values;

  wp_array_reserve (&to->values[t], (guint64) to->n_samples + n);
  values = to->values[t].data + to->n_samples;
  if (n > 0)
    memcpy (values, from->values[own].data, n * sizeof *values);
  for (guint32 i = 0; i < n && ratio != 1; i++)
    values[i] = wp_whole (round ((double) values[i] * ratio));
  for (guint32 i = 0; i < n && self->source->scale != NULL; i++)
    values[i] = wp_whole (round ((double) values[i] * self->source->scale[t]));
  for (guint32 i = 0; i < n && self->source->is_base; i++)
    values[i] = wp_negative (values[i]);
}

static gboolean
has_value (const WpStacks *stacks, guint32 sample)
{
  for (guint32 t = 0; t < stacks->types.len; t++)
    if (stacks->values[t].data[sample] != 0)
      return TRUE;
  return FALSE;
}

static void
set_n_samples (WpStacks *stacks, guint32 n)
{
  for (guint32 t = 0; t < stacks->types.len; t++)
    stacks->values[t].len = n;
  stacks->sample_stacks.len = stacks->sample_labels.len = stacks->n_samples = n;
}

/* Samples that have a value, with the stacks that they have there: not all stacks are found yet. */
static gboolean
append_samples (Merger *self, WpProgress *progress, GError **error)
{
  const WpStacks *from = self->source->stacks;
  WpStacks *to = self->maker.stacks;
  const guint32 first = to->n_samples;
  guint32 n = first;

  for (guint32 t = 0; t < to->types.len; t++)
    append_values (self, t);
  wp_array_reserve (&to->sample_stacks, (guint64) first + from->n_samples);
  wp_array_reserve (&to->sample_labels, (guint64) first + from->n_samples);
  for (guint32 i = 0; i < from->n_samples; i++)
    {
      if (i % SAMPLES_PER_STEP == 0 && !wp_progress_step (progress, (double) i / from->n_samples, error))
        return FALSE;
      if (!has_value (to, first + i))
        continue;
      map_stack (self, from->sample_stacks.data[i]);
      for (guint32 t = 0; t < to->types.len; t++)
        to->values[t].data[n] = to->values[t].data[first + i];
      to->sample_stacks.data[n] = from->sample_stacks.data[i];
      to->sample_labels.data[n] = wp_merge_labels (&self->rows, from->sample_labels.data[i], self->source->is_labelled);
      n++;
    }
  wp_stacks_maker_catch_up (&self->maker);
  for (guint32 i = first; i < n; i++)
    to->sample_stacks.data[i] = self->stacks.data[to->sample_stacks.data[i]];
  set_n_samples (to, n);
  return TRUE;
}

/* --- equal samples ------------------------------------------------------------------------------------------------ */

static void
move_sample (WpStacks *stacks, guint32 from, guint32 to)
{
  for (guint32 t = 0; t < stacks->types.len; t++)
    stacks->values[t].data[to] = stacks->values[t].data[from];
  stacks->sample_stacks.data[to] = stacks->sample_stacks.data[from];
  stacks->sample_labels.data[to] = stacks->sample_labels.data[from];
}

static void
add_sample (WpStacks *stacks, guint32 from, guint32 to)
{
  for (guint32 t = 0; t < stacks->types.len; t++)
    stacks->values[t].data[to] = wp_sum (stacks->values[t].data[to], stacks->values[t].data[from]);
}

/* For each sample the first one with its stack and labels: samples are gone through stack by stack. */
static guint32 *
find_equal (const WpStacks *stacks)
{
  const WpId *of_stack = stacks->sample_stacks.data, *of_set = stacks->sample_labels.data;
  const guint32 n = stacks->n_samples, n_stacks = stacks->frames->nodes.len;
  g_autofree guint32 *first = g_new0 (guint32, n_stacks); /* stack → one more than its first sample */
  g_autofree Met *met = g_new0 (Met, stacks->labels->sets.len);
  guint32 *next = g_new (guint32, MAX (n, 1)); /* sample → one more than the next one of its stack; where that is known, the equal one */

  for (guint32 i = n; i-- > 0;)
    {
      next[i] = first[of_stack[i]];
      first[of_stack[i]] = i + 1;
    }
  for (WpId stack = 0; stack < n_stacks; stack++)
    for (guint32 at = first[stack], behind; at != 0; at = behind)
      {
        Met *labels = &met[of_set[at - 1]];

        behind = next[at - 1];
        if (labels->stack != stack + 1)
          *labels = (Met) { stack + 1, at - 1 };
        next[at - 1] = labels->sample;
      }
  return next;
}

/* Samples with the same stack and labels become one, where the first of them stands. */
static void
unite_samples (WpStacks *stacks)
{
  g_autofree guint32 *places = find_equal (stacks);
  guint32 n = 0;

  for (guint32 i = 0; i < stacks->n_samples; i++)
    if (places[i] == i)
      {
        move_sample (stacks, i, n);
        places[i] = n++;
      }
    else
      add_sample (stacks, i, places[places[i]]);
  set_n_samples (stacks, n);
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

/* The first module of the first profile that has any is the program. */
static gboolean
add_profile (Merger *self, const Source *source, gboolean is_first, WpProgress *progress, GError **error)
{
  const WpFrames *frames = source->stacks->frames;
  gboolean done;

  self->source = source;
  self->known = g_new0 (guint8, frames->nodes.len);
  wp_array_resize (&self->stacks, frames->nodes.len);
  self->stacks.data[0] = 0;
  wp_merge_rows_begin (&self->rows, source->stacks);
  done = wp_merge_header (&self->rows, is_first, error);
  if (done && self->maker.stacks->frames->modules.len == 1 && frames->modules.len > 1)
    wp_merge_module (&self->rows, 1);
  done = done && append_samples (self, progress, error);
  wp_merge_rows_end (&self->rows);
  g_clear_pointer (&self->known, g_free);
  return done;
}

/* Before they are too many, and whenever they are twice as many: so each is looked at a few times only. */
static void
unite_some (Merger *self, gboolean all)
{
  guint32 n = self->maker.stacks->n_samples - self->n_united;

  if (!all && n < MAX (self->n_united, SAMPLES_AHEAD))
    return;
  unite_samples (self->maker.stacks);
  self->n_united = self->maker.stacks->n_samples;
}

static gboolean
has_zero_samples (const WpStacks *stacks)
{
  for (guint32 i = 0; i < stacks->n_samples; i++)
    if (!has_value (stacks, i))
      return TRUE;
  return FALSE;
}

static void
reserve (Merger *self, const Source *sources, guint n)
{
  guint32 most = 0;

  for (guint i = 0; i < n; i++)
    most = MAX (most, sources[i].stacks->n_samples);
  wp_stacks_maker_reserve (&self->maker, most);
}

static WpStacks *
merge_sources (const Source *sources, guint n, WpProgress *progress, GError **error)
{
  g_autofree WpStacks **profiles = g_new (WpStacks *, n);
  Merger self = { 0 };
  WpStacks *stacks = NULL;
  gboolean done;

  for (guint i = 0; i < n; i++)
    profiles[i] = sources[i].stacks;
  wp_stacks_maker_init (&self.maker);
  wp_merge_rows_init (&self.rows, &self.maker);
  done = wp_merge_types (&self.maker, profiles, n, error);
  reserve (&self, sources, n);
  for (guint i = 0; i < n && done; i++)
    {
      done = add_profile (&self, &sources[i], i == 0, progress, error);
      if (done)
        unite_some (&self, i + 1 == n);
    }
  if (done)
    stacks = wp_stacks_maker_take (&self.maker);
  wp_stacks_maker_clear (&self.maker);
  wp_merge_rows_clear (&self.rows);
  wp_array_clear (&self.stacks);
  wp_array_clear (&self.stack);
  return stacks;
}

/* A default type that not all have gives way to the first one. What became zero goes with a second merging. */
static WpStacks *
merge (const Source *sources, guint n, WpProgress *progress, GError **error)
{
  WpStacks *stacks, *again;

  for (guint i = 0; i < n; i++)
    if (!wp_stacks_check_proportion (sources[i].stacks, WP_EACH_STACK_WHOLE, error))
      return NULL;
  stacks = merge_sources (sources, n, progress, error);
  if (stacks == NULL)
    return NULL;
  if (stacks->header.default_type != 0 && wp_merge_type_named (stacks, wp_stacks_text (stacks, stacks->header.default_type)) < 0)
    stacks->header.default_type = stacks->types.data[0].type;
  if (!has_zero_samples (stacks))
    return stacks;
  again = merge_sources (&(Source) { .stacks = stacks }, 1, progress, error);
  wp_stacks_unref (stacks);
  return again;
}

WpStacks *
wp_stacks_merge (WpStacks *const *profiles, guint n, WpProgress *progress, GError **error)
{
  g_autofree Source *sources = g_new0 (Source, n);

  for (guint i = 0; i < n; i++)
    sources[i].stacks = profiles[i];
  return merge (sources, n, progress, error);
}

static gint64
sum_of (const WpStacks *stacks, guint32 type)
{
  gint64 sum = 0;

  for (guint32 i = 0; i < stacks->n_samples; i++)
    sum = wp_sum (sum, stacks->values[type].data[i]);
  return sum;
}

/* For each type that both have: by what it becomes as much as that of the base. */
static double *
scale_to (const WpStacks *stacks, const WpStacks *base)
{
  double *scale = g_new0 (double, stacks->types.len + 1);
  guint32 n = 0;

  for (guint32 t = 0; t < stacks->types.len; t++)
    {
      const char *type = wp_stacks_text (stacks, stacks->types.data[t].type);
      int other = wp_merge_type_named (base, type);
      gint64 sum = sum_of (stacks, t);

      if (wp_merge_type_named (stacks, type) == (int) t && other >= 0)
        scale[n++] = sum != 0 ? (double) sum_of (base, (guint32) other) / (double) sum * wp_measure_ratio (wp_merge_unit_of (base, type), wp_merge_unit_of (stacks, type))
                              : 0;
    }
  return scale;
}

WpStacks *
wp_stacks_subtract (WpStacks *stacks, WpStacks *base, WpDifference kind, gboolean normalize, WpProgress *progress, GError **error)
{
  g_autofree double *scale = normalize ? scale_to (stacks, base) : NULL;
  const Source sources[2] = { { .stacks = stacks, .scale = scale },
                              { .stacks = base, .is_base = TRUE, .is_labelled = kind == WP_DIFFERENCE_OF_BASE } };

  return merge (sources, 2, progress, error);
}
