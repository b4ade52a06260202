#include "stacks/derive.h"

#define NODES_PER_STEP 8192

#define COPY(from, to, column)                                                                                                           \
  G_STMT_START                                                                                                                           \
  {                                                                                                                                      \
    wp_array_resize (&(to)->column, (from)->column.len);                                                                                 \
    if ((from)->column.len > 0)                                                                                                          \
      memcpy ((to)->column.data, (from)->column.data, (from)->column.len * sizeof *(from)->column.data);                                  \
  }                                                                                                                                      \
  G_STMT_END

static WpRuns
copy_runs (const WpRuns *self)
{
  return (WpRuns) { .n = self->n, .room = self->n, .narrow = g_memdup2 (self->narrow, self->n * sizeof *self->narrow),
                    .wide = g_memdup2 (self->wide, self->n * sizeof *self->wide) };
}

WpFrames *
wp_frames_copy (const WpFrames *self)
{
  WpFrames *copy = wp_frames_new ();

  COPY (self, copy, modules);
  COPY (self, copy, functions);
  COPY (self, copy, lines);
  COPY (self, copy, locations);
  return copy;
}

void
wp_stacks_add_like (WpStacks *self, const WpStacks *origin, guint32 sample, WpId stack)
{
  for (guint32 t = 0; t < self->types.len; t++)
    wp_array_push (&self->values[t], origin->values[t].data[sample]);
  wp_array_push (&self->sample_stacks, stack);
  wp_array_push (&self->sample_labels, origin->sample_labels.data[sample]);
  if (origin->moments.len > 0)
    wp_array_push (&self->moments, origin->moments.data[sample]);
  if (origin->sample_threads.len > 0)
    wp_array_push (&self->sample_threads, origin->sample_threads.data[sample]);
  self->n_samples++;
}

static gboolean
has_marked (const WpFrames *frames, const WpStackNode *node, const guint8 *marked)
{
  for (guint32 i = 0; i < node->n; i++)
    if (marked[wp_runs_get (&frames->runs, node->first + i)])
      return TRUE;
  return FALSE;
}

guint8 *
wp_frames_find (const WpFrames *self, const guint8 *marked)
{
  guint8 *found = g_new0 (guint8, self->nodes.len);

  for (WpId i = 1; i < self->nodes.len; i++)
    found[i] = found[self->nodes.data[i].prefix] || has_marked (self, &self->nodes.data[i], marked);
  return found;
}

WpStacks *
wp_stacks_select (const WpStacks *origin, const guint8 *marked, gboolean others)
{
  WpStacks *self = wp_stacks_new_like (origin, wp_frames_ref (origin->frames));

  for (guint32 i = 0; i < origin->n_samples; i++)
    if (marked[origin->sample_stacks.data[i]] != others)
      wp_stacks_add_like (self, origin, i, origin->sample_stacks.data[i]);
  return self;
}

WpStacks *
wp_stacks_without_inlined (const WpStacks *origin)
{
  WpFrames *frames = wp_frames_copy (origin->frames);
  WpStacks *self;

  for (WpId i = 1; i < frames->locations.len; i++)
    {
      WpLocation *location = &frames->locations.data[i];

      if (location->n_lines == 0)
        continue;
      location->first_line += location->n_lines - 1;
      location->n_lines = 1;
      frames->lines.data[location->first_line].column = 0;
    }
  for (WpId i = 1; i < frames->modules.len; i++)
    frames->modules.data[i].has &= (guint8) ~WP_MODULE_HAS_INLINED;
  COPY (origin->frames, frames, nodes);
  frames->runs = copy_runs (&origin->frames->runs);
  self = wp_stacks_new_like (origin, frames);
  for (guint32 i = 0; i < origin->n_samples; i++)
    wp_stacks_add_like (self, origin, i, origin->sample_stacks.data[i]);
  return self;
}

/* Gives each sample the stack that its old one became. */
static WpStacks *
take_samples (WpStacksMaker *maker, const WpStacks *origin, const WpId *places, gboolean drop_empty)
{
  WpStacks *self = wp_stacks_maker_take (maker);

  for (guint32 i = 0; i < origin->n_samples; i++)
    {
      WpId stack = places[origin->sample_stacks.data[i]];

      if (stack != 0 || !drop_empty)
        wp_stacks_add_like (self, origin, i, stack);
    }
  return self;
}

static gboolean
step (WpProgress *progress, WpId node, guint32 n, GError **error)
{
  return node % NODES_PER_STEP != 0 || wp_progress_step (progress, (double) node / n, error);
}

WpStacks *
wp_stacks_rebuild (const WpStacks *origin, WpFrames *frames, WpKeepFunc keep, gconstpointer data, gboolean drop_empty, WpProgress *progress,
                   GError **error)
{
  const WpFrames *old = origin->frames;
  g_autofree WpId *places = g_new0 (WpId, old->nodes.len);
  g_autofree guint8 *states = g_new0 (guint8, old->nodes.len);
  g_auto (WpStacksMaker) maker = { .stacks = wp_stacks_new_like (origin, frames) };
  WpIdArray run = { 0 };
  gboolean done = TRUE;

  for (WpId i = 1; i < old->nodes.len && done; i++)
    {
      const WpStackNode *node = &old->nodes.data[i];

      run.len = 0;
      states[i] = states[node->prefix];
      for (guint32 l = 0; l < node->n; l++)
        {
          WpId location = wp_runs_get (&old->runs, node->first + l);

          if (keep (data, location, &states[i]))
            wp_array_push (&run, location);
        }
      places[i] = wp_stacks_maker_stack (&maker, places[node->prefix], run.data, run.len);
      done = step (progress, i, old->nodes.len, error);
    }
  wp_array_clear (&run);
  return done ? take_samples (&maker, origin, places, drop_empty) : NULL;
}

WpStacks *
wp_stacks_cut (const WpStacks *origin, WpFrames *frames, const guint8 *marked, WpProgress *progress, GError **error)
{
  const WpFrames *old = origin->frames;
  g_autofree WpId *whole = g_new0 (WpId, old->nodes.len), *places = g_new0 (WpId, old->nodes.len);
  g_autofree guint8 *is_cut = g_new0 (guint8, old->nodes.len);
  g_auto (WpStacksMaker) maker = { .stacks = wp_stacks_new_like (origin, frames) };
  WpIdArray run = { 0 };
  gboolean done = TRUE;

  for (WpId i = 1; i < old->nodes.len && done; i++)
    {
      const WpStackNode *node = &old->nodes.data[i];
      guint32 last = 0; /* one more than where it is */

      run.len = 0;
      for (guint32 l = 0; l < node->n; l++)
        {
          wp_array_push (&run, wp_runs_get (&old->runs, node->first + l));
          if (marked[run.data[l]])
            last = l + 1;
        }
      is_cut[i] = last > 0 || is_cut[node->prefix];
      whole[i] = wp_stacks_maker_stack (&maker, whole[node->prefix], run.data, run.len);
      places[i] = last > 0 ? wp_stacks_maker_stack (&maker, whole[node->prefix], run.data, last)
                           : is_cut[i] ? places[node->prefix] : whole[i];
      done = step (progress, i, old->nodes.len, error);
    }
  wp_array_clear (&run);
  return done ? take_samples (&maker, origin, places, FALSE) : NULL;
}
