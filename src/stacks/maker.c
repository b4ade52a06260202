#include "stacks/maker.h"

void
wp_stacks_maker_init (WpStacksMaker *self)
{
  *self = (WpStacksMaker) { .stacks = wp_stacks_new (wp_strings_new (), wp_frames_new (), wp_label_sets_new ()) };
}

void
wp_stacks_maker_clear (WpStacksMaker *self)
{
  g_clear_pointer (&self->stacks, wp_stacks_unref);
  WP_TABLE_CLEAR (&self->nodes);
  WP_TABLE_CLEAR (&self->sets);
  wp_array_clear (&self->label_row);
  wp_array_clear (&self->narrow);
  for (guint i = 0; i < WP_STACKS_AHEAD; i++)
    {
      wp_array_clear (&self->ahead[i].narrow);
      wp_array_clear (&self->ahead[i].wide);
    }
}

void
wp_stacks_maker_type (WpStacksMaker *self, WpId type, WpId unit)
{
  wp_array_push (&self->stacks->types, ((WpValueType) { type, unit }));
}

/* Types are known once the first sample comes. */
static void
make_columns (WpStacks *stacks)
{
  if (stacks->values == NULL)
    stacks->values = g_new0 (WpNumbers, MAX (stacks->types.len, 1));
}

void
wp_stacks_maker_reserve (WpStacksMaker *self, guint64 samples)
{
  WpStacks *stacks = self->stacks;
  guint32 slots = 1024;

  make_columns (stacks);
  for (guint32 t = 0; t < stacks->types.len; t++)
    wp_array_reserve (&stacks->values[t], samples);
  wp_array_reserve (&stacks->sample_stacks, samples);
  wp_array_reserve (&stacks->sample_labels, samples);
  while (slots < G_MAXUINT32 / 2 && slots / 2 <= samples)
    slots *= 2;
  WP_TABLE_RESERVE (&self->nodes, slots, 2, slot, slot->node != 0, slot->hash);
}

/* --- stacks ------------------------------------------------------------------------------------------------------- */

/* Locations above G_MAXUINT16 need four bytes each. */
static void
widen (WpRuns *runs)
{
  runs->wide = g_new (WpId, runs->room);
  for (guint64 i = 0; i < runs->n; i++)
    runs->wide[i] = runs->narrow[i];
  g_clear_pointer (&runs->narrow, g_free);
}

/* In `narrow` if that is wide enough. */
static WpRun
run_of (WpNarrowIds *narrow, const WpId *locations, guint32 n)
{
  WpId all = 0;

  wp_array_reserve (narrow, n);
  for (guint32 i = 0; i < n; i++)
    {
      all |= locations[i];
      narrow->data[i] = (guint16) locations[i];
    }
  return all <= G_MAXUINT16 ? (WpRun) { narrow->data, NULL, n } : (WpRun) { NULL, locations, n };
}

static inline WpId
run_get (const WpRun *run, guint32 i)
{
  return run->narrow != NULL ? run->narrow[i] : run->wide[i];
}

static void
append_run (WpRuns *runs, const WpRun *run)
{
  wp_runs_reserve (runs, run->n);
  if (run->wide != NULL && runs->wide == NULL)
    widen (runs);
  if (runs->narrow != NULL)
    memcpy (runs->narrow + runs->n, run->narrow, run->n * sizeof *run->narrow);
  else
    for (guint32 i = 0; i < run->n; i++)
      runs->wide[runs->n + i] = run_get (run, i);
  runs->n += run->n;
}

static gboolean
is_node (const WpFrames *frames, WpId id, WpId prefix, const WpRun *run)
{
  const WpStackNode *node = &frames->nodes.data[id];
  guint32 i = 0;

  if (node->prefix != prefix || node->n != run->n)
    return FALSE;
  if (frames->runs.narrow != NULL)
    return run->narrow != NULL && memcmp (frames->runs.narrow + node->first, run->narrow, run->n * sizeof *run->narrow) == 0;
  while (i < run->n && frames->runs.wide[node->first + i] == run_get (run, i))
    i++;
  return i == run->n;
}

static guint32
hash_of_stack (WpId prefix, const WpRun *run)
{
  return (guint32) wp_hash_pair (prefix, run->narrow != NULL ? wp_hash_bytes (run->narrow, run->n * sizeof *run->narrow)
                                                             : wp_hash_bytes (run->wide, run->n * sizeof *run->wide));
}

static WpId
find_stack (WpStacksMaker *self, guint32 hash, WpId prefix, const WpRun *run)
{
  WpFrames *frames = self->stacks->frames;
  WpNodeSlot *found;

  WP_TABLE_RESERVE (&self->nodes, 1024, 2, slot, slot->node != 0, slot->hash);
  found = WP_TABLE_FIND (&self->nodes, hash, slot, slot->node == 0 || (slot->hash == hash && is_node (frames, slot->node, prefix, run)));
  if (found->node == 0)
    {
      *found = (WpNodeSlot) { hash, frames->nodes.len };
      self->nodes.n++;
      wp_array_push (&frames->nodes, ((WpStackNode) { prefix, run->n, frames->runs.n }));
      append_run (&frames->runs, run);
    }
  return found->node;
}

WpId
wp_stacks_maker_stack (WpStacksMaker *self, WpId prefix, const WpId *locations, guint32 n)
{
  WpRun run = run_of (&self->narrow, locations, n);

  return n > 0 ? find_stack (self, hash_of_stack (prefix, &run), prefix, &run) : prefix;
}

/* --- stacks, a few ahead ------------------------------------------------------------------------------------------ */

static const WpStackNode *
likely_node (const WpStacksMaker *self, guint64 number)
{
  guint32 hash = self->ahead[number % WP_STACKS_AHEAD].hash;
  const WpNodeSlot *slot = &self->nodes.slots[hash & self->nodes.mask];

  return slot->node != 0 && slot->hash == hash ? &self->stacks->frames->nodes.data[slot->node] : NULL;
}

/* First what stands in the table, then the row of the stack, then its run: each tells where the next one is. Always inline: a
 * function that has no other effect is left out by gcc. */
static inline __attribute__ ((always_inline)) void
fetch_ahead (const WpStacksMaker *self)
{
  const WpRuns *runs = &self->stacks->frames->runs;
  const WpStackNode *node;

  if (self->nodes.slots == NULL)
    return;
  __builtin_prefetch (&self->nodes.slots[self->ahead[self->n_ahead % WP_STACKS_AHEAD].hash & self->nodes.mask]);
  if (self->n_ahead - self->n_found > 5 && (node = likely_node (self, self->n_ahead - 5)) != NULL)
    __builtin_prefetch (node);
  if (self->n_ahead - self->n_found > 10 && (node = likely_node (self, self->n_ahead - 10)) != NULL)
    for (guint32 i = 0; i < node->n && i < 128; i += 32)
      __builtin_prefetch (runs->narrow != NULL ? (void *) &runs->narrow[node->first + i] : (void *) &runs->wide[node->first + i]);
}

static void
find_first (WpStacksMaker *self)
{
  const WpStackAhead *ahead = &self->ahead[self->n_found++ % WP_STACKS_AHEAD];

  ahead->out->data[ahead->at] = find_stack (self, ahead->hash, 0, &ahead->run);
}

void
wp_stacks_maker_stack_ahead (WpStacksMaker *self, const WpId *locations, guint32 n, WpIdArray *out, guint32 at)
{
  WpStackAhead *ahead = &self->ahead[self->n_ahead % WP_STACKS_AHEAD];

  out->data[at] = 0;
  if (n == 0)
    return;
  if (self->n_ahead - self->n_found == WP_STACKS_AHEAD)
    find_first (self);
  ahead->run = run_of (&ahead->narrow, locations, n);
  if (ahead->run.wide != NULL)
    {
      wp_array_reserve (&ahead->wide, n);
      ahead->run.wide = memcpy (ahead->wide.data, locations, n * sizeof *locations);
    }
  ahead->hash = hash_of_stack (0, &ahead->run);
  ahead->out = out;
  ahead->at = at;
  fetch_ahead (self);
  self->n_ahead++;
}

void
wp_stacks_maker_catch_up (WpStacksMaker *self)
{
  while (self->n_found < self->n_ahead)
    find_first (self);
}

/* --- labels ------------------------------------------------------------------------------------------------------- */

/* Texts before numbers, by key; values of one key stay in their order: the sort is stable. */
static int
compare_labels (gconstpointer a, gconstpointer b, gpointer strings)
{
  const WpLabel *x = a, *y = b;

  if (x->is_number != y->is_number)
    return x->is_number ? 1 : -1;
  return x->key == y->key ? 0 : wp_strings_compare (strings, x->key, y->key);
}

void
wp_stacks_maker_label (WpStacksMaker *self, WpId key, WpId text)
{
  wp_array_push (&self->label_row, ((WpLabel) { .key = key, .text = text }));
}

void
wp_stacks_maker_number (WpStacksMaker *self, WpId key, gint64 number, WpId unit)
{
  wp_array_push (&self->label_row, ((WpLabel) { .key = key, .is_number = TRUE, .number = number, .unit = unit }));
}

static inline guint32
hash_of_labels (const WpLabel *labels, guint32 n)
{
  return (guint32) wp_hash_bytes (labels, n * sizeof *labels);
}

static inline guint32
hash_of_set (const WpLabelSets *sets, WpId set)
{
  const WpLabelSet *row = &sets->sets.data[set];

  return hash_of_labels (&sets->labels.data[row->first], row->n);
}

static gboolean
is_set (const WpLabelSets *sets, WpId set, const WpLabel *labels, guint32 n)
{
  const WpLabelSet *row = &sets->sets.data[set];

  return row->n == n && memcmp (&sets->labels.data[row->first], labels, n * sizeof *labels) == 0;
}

WpId
wp_stacks_maker_label_set (WpStacksMaker *self)
{
  WpLabelSets *sets = self->stacks->labels;
  const WpLabel *labels = self->label_row.data;
  guint32 n = self->label_row.len;
  WpId *set;

  if (n == 0)
    return 0;
  if (n > 1)
    g_qsort_with_data (self->label_row.data, (int) n, sizeof *labels, compare_labels, self->stacks->strings);
  WP_TABLE_RESERVE (&self->sets, 256, 2, slot, *slot != 0, hash_of_set (sets, *slot));
  set = WP_TABLE_FIND (&self->sets, hash_of_labels (labels, n), slot, *slot == 0 || is_set (sets, *slot, labels, n));
  if (*set == 0)
    {
      wp_array_push (&sets->sets, ((WpLabelSet) { sets->labels.len, n }));
      for (guint32 i = 0; i < n; i++)
        wp_array_push (&sets->labels, labels[i]);
      *set = sets->sets.len - 1;
      self->sets.n++;
    }
  self->label_row.len = 0;
  return *set;
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

void
wp_stacks_maker_sample (WpStacksMaker *self, WpId stack, const gint64 *values)
{
  WpStacks *stacks = self->stacks;

  make_columns (stacks);
  for (guint32 t = 0; t < stacks->types.len; t++)
    wp_array_push (&stacks->values[t], values[t]);
  wp_array_push (&stacks->sample_stacks, stack);
  wp_array_push (&stacks->sample_labels, wp_stacks_maker_label_set (self));
  stacks->n_samples++;
}

void
wp_stacks_maker_whole_sample (WpStacksMaker *self, const WpId *locations, guint32 n, const gint64 *values)
{
  wp_stacks_maker_sample (self, 0, values);
  wp_stacks_maker_stack_ahead (self, locations, n, &self->stacks->sample_stacks, self->stacks->n_samples - 1);
}

void
wp_stacks_maker_drop_types (WpStacksMaker *self, const gboolean *has, guint32 otherwise)
{
  WpStacks *stacks = self->stacks;
  guint32 n = 0, all = stacks->types.len;
  gboolean any = FALSE;

  make_columns (stacks);
  for (guint32 t = 0; t < all; t++)
    any = any || has[t];
  for (guint32 t = 0; t < all; t++)
    if (has[t] || (!any && t == otherwise))
      {
        const WpNumbers values = stacks->values[t];

        stacks->types.data[n] = stacks->types.data[t];
        stacks->values[t] = (WpNumbers) { 0 };
        stacks->values[n++] = values;
      }
    else
      wp_array_clear (&stacks->values[t]);
  stacks->types.len = n;
}

WpStacks *
wp_stacks_maker_take (WpStacksMaker *self)
{
  WpStacks *stacks;

  wp_stacks_maker_catch_up (self);
  stacks = g_steal_pointer (&self->stacks);
  make_columns (stacks);
  wp_stacks_maker_clear (self);
  return stacks;
}
