#include "stacks/derive.h"

#define NODES_PER_STEP 8192

WpRuns
wp_runs_copy (const WpRuns *self)
{
  return (WpRuns) { .n = self->n, .room = self->n, .narrow = g_memdup2 (self->narrow, self->n * sizeof *self->narrow),
                    .wide = g_memdup2 (self->wide, self->n * sizeof *self->wide) };
}

WpFrames *
wp_frames_copy (const WpFrames *self)
{
  WpFrames *copy = wp_frames_new ();

  wp_array_copy (&copy->modules, &self->modules);
  wp_array_copy (&copy->functions, &self->functions);
  wp_array_copy (&copy->lines, &self->lines);
  wp_array_copy (&copy->locations, &self->locations);
  return copy;
}

/* The rows of a column that are listed, or all of it. */
#define TAKE(to, from, rows)                                                                                                             \
  G_STMT_START                                                                                                                           \
  {                                                                                                                                      \
    if ((rows) == NULL)                                                                                                                  \
      wp_array_copy ((to), (from));                                                                                                      \
    else if ((from)->len > 0)                                                                                                            \
      {                                                                                                                                  \
        wp_array_reserve ((to), (rows)->len);                                                                                            \
        for (guint32 i_ = 0; i_ < (rows)->len; i_++)                                                                                     \
          (to)->data[i_] = (from)->data[(rows)->data[i_]];                                                                               \
        (to)->len = (rows)->len;                                                                                                         \
      }                                                                                                                                  \
  }                                                                                                                                      \
  G_STMT_END

void
wp_stacks_take (WpStacks *self, const WpStacks *origin, const WpIdArray *samples)
{
  for (guint32 t = 0; t < self->types.len; t++)
    TAKE (&self->values[t], &origin->values[t], samples);
  TAKE (&self->sample_stacks, &origin->sample_stacks, samples);
  TAKE (&self->sample_labels, &origin->sample_labels, samples);
  TAKE (&self->moments, &origin->moments, samples);
  TAKE (&self->sample_threads, &origin->sample_threads, samples);
  self->n_samples = samples != NULL ? samples->len : origin->n_samples;
}

WpStacks *
wp_stacks_with_comment (const WpStacks *origin, const char *comment)
{
  WpStacks *self = wp_stacks_new_like (origin, wp_frames_ref (origin->frames));

  wp_strings_free (self->strings);
  self->strings = wp_strings_copy (origin->strings);
  wp_stacks_take (self, origin, NULL);
  wp_array_push (&self->comments, wp_strings_intern (self->strings, comment));
  return self;
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
wp_stacks_select (const WpStacks *origin, const WpIdArray *column, const guint8 *marked, gboolean others)
{
  WpStacks *self = wp_stacks_new_like (origin, wp_frames_ref (origin->frames));
  WpIdArray samples = { 0 };

  for (guint32 i = 0; i < origin->n_samples; i++)
    if (marked[column->data[i]] != others)
      wp_array_push (&samples, i);
  wp_stacks_take (self, origin, &samples);
  wp_array_clear (&samples);
  return self;
}

WpStacks *
wp_stacks_relocated (const WpStacks *origin, WpFrames *frames)
{
  WpStacks *self = wp_stacks_new_like (origin, frames);

  wp_array_copy (&frames->nodes, &origin->frames->nodes);
  frames->runs = wp_runs_copy (&origin->frames->runs);
  wp_stacks_take (self, origin, NULL);
  return self;
}

WpStacks *
wp_stacks_without_inlined (const WpStacks *origin)
{
  WpFrames *frames = wp_frames_copy (origin->frames);

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
  return wp_stacks_relocated (origin, frames);
}

/* --- stacks of fewer locations ------------------------------------------------------------------------------------ */

/* The samples, each with the stack that its old one became. Takes `frames`. */
static WpStacks *
with_stacks (const WpStacks *origin, WpFrames *frames, const WpId *places, gboolean drop_empty)
{
  WpStacks *self = wp_stacks_new_like (origin, frames);
  WpIdArray samples = { 0 };

  for (guint32 i = 0; i < origin->n_samples && drop_empty; i++)
    if (places[origin->sample_stacks.data[i]] != 0)
      wp_array_push (&samples, i);
  wp_stacks_take (self, origin, drop_empty ? &samples : NULL);
  for (guint32 i = 0; i < self->n_samples; i++)
    self->sample_stacks.data[i] = places[self->sample_stacks.data[i]];
  wp_array_clear (&samples);
  return self;
}

static gboolean
step (WpProgress *progress, WpId node, guint32 n, GError **error)
{
  return node % NODES_PER_STEP != 0 || wp_progress_step (progress, (double) node / n, error);
}

/* The locations of a run that stay, and the state behind it. */
#define KEEP(run, n_run, out, fates, state)                                                                                              \
  ({                                                                                                                                     \
    __typeof__ (out) to_ = (out);                                                                                                        \
    for (guint32 i_ = 0; i_ < (n_run); i_++)                                                                                             \
      {                                                                                                                                  \
        WpFate fate_ = (WpFate) ((fates)[(run)[i_]] >> (state));                                                                         \
        *to_ = (run)[i_];                                                                                                                \
        to_ += fate_ & 1;                                                                                                                \
        (state) = fate_ & 12;                                                                                                            \
      }                                                                                                                                  \
    (guint32) (to_ - (out));                                                                                                             \
  })

static guint32
keep_run (const WpRuns *from, const WpStackNode *node, WpRuns *to, const WpFate *fates, guint8 *state)
{
  guint32 behind = *state;
  guint32 n = from->narrow != NULL ? KEEP (from->narrow + node->first, node->n, to->narrow + to->n, fates, behind)
                                   : KEEP (from->wide + node->first, node->n, to->wide + to->n, fates, behind);

  *state = (guint8) behind;
  return n;
}

WpStacks *
wp_stacks_rebuild (const WpStacks *origin, WpFrames *frames, const WpFate *fates, gboolean drop_empty, WpProgress *progress, GError **error)
{
  const WpFrames *old = origin->frames;
  g_autofree WpId *places = g_new0 (WpId, old->nodes.len);
  g_autofree guint8 *states = g_new0 (guint8, old->nodes.len);
  gboolean done = TRUE;

  frames->runs.wide = old->runs.wide != NULL ? g_new (WpId, 1) : NULL;
  wp_runs_reserve (&frames->runs, old->runs.n);
  for (WpId i = 1; i < old->nodes.len && done; i++)
    {
      const WpStackNode *node = &old->nodes.data[i];
      guint32 n;

      states[i] = states[node->prefix];
      wp_runs_reserve (&frames->runs, node->n);
      n = keep_run (&old->runs, node, &frames->runs, fates, &states[i]);
      places[i] = places[node->prefix];
      if (n > 0)
        {
          wp_array_push (&frames->nodes, ((WpStackNode) { places[i], n, frames->runs.n }));
          frames->runs.n += n;
          places[i] = frames->nodes.len - 1;
        }
      done = step (progress, i, old->nodes.len, error);
    }
  if (done)
    return with_stacks (origin, frames, places, drop_empty);
  wp_frames_unref (frames);
  return NULL;
}

/* One more than where the innermost marked location of a run is; 0: there is none. */
static guint32
behind_marked (const WpRuns *runs, const WpStackNode *node, const guint8 *marked)
{
  guint32 n = node->n;

  while (n > 0 && !marked[wp_runs_get (runs, node->first + n - 1)])
    n--;
  return n;
}

/* A run that is cut is the beginning of the old one. */
WpStacks *
wp_stacks_cut (const WpStacks *origin, WpFrames *frames, const guint8 *marked, WpProgress *progress, GError **error)
{
  const WpFrames *old = origin->frames;
  g_autofree WpId *places = g_new0 (WpId, old->nodes.len);
  g_autofree guint8 *is_cut = g_new0 (guint8, old->nodes.len);
  gboolean done = TRUE;

  wp_array_copy (&frames->nodes, &old->nodes);
  for (WpId i = 1; i < old->nodes.len && done; i++)
    {
      const WpStackNode node = old->nodes.data[i];
      guint32 n = behind_marked (&old->runs, &node, marked);

      is_cut[i] = n > 0 || is_cut[node.prefix];
      places[i] = n == 0 && is_cut[node.prefix] ? places[node.prefix] : i;
      if (n > 0 && n < node.n)
        {
          wp_array_push (&frames->nodes, ((WpStackNode) { node.prefix, n, node.first }));
          places[i] = frames->nodes.len - 1;
        }
      done = step (progress, i, old->nodes.len, error);
    }
  frames->runs = wp_runs_copy (&old->runs);
  if (done)
    return with_stacks (origin, frames, places, FALSE);
  wp_frames_unref (frames);
  return NULL;
}
