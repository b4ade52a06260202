#include "stacks/merge.h"

#include <math.h>

#include "base/pair-map.h"
#include "stacks/labels.h"
#include "stacks/maker.h"
#include "stacks/measure.h"
#include "stacks/proportion.h"
#include "stacks/sums.h"

#define SAMPLES_PER_STEP 4096
#define PAGE 4096 /* mappings that differ by less in size are the same */

/* A profile that is added. */
typedef struct
{
  WpStacks *stacks;
  gboolean is_base;      /* its values are subtracted */
  gboolean is_labelled;  /* its samples get WP_LABEL_BASE */
  const double *scale;   /* of each type of the result; NULL: none */
} Source;

/* A row of the result by what is in it: the row, found by a hash and a comparison. */
typedef struct
{
  guint32 hash;
  guint32 row; /* one more than it is; 0: free */
} Slot;

typedef WP_TABLE (Slot) Slots;

typedef struct
{
  WpStacksMaker maker;
  Slots modules, functions, locations;
  WpIdArray first_rows; /* stack → one more than its first sample; 0: none yet */
  WpPairMap other_rows; /* stack and set of labels → one more than a sample that is not the first one of the stack */
  /* Of the profile that is added: its rows → those of the result, 0: not yet. */
  const Source *source;
  const WpStacks *from; /* of it */
  WpId *texts, *sets;   /* set: one more than it is */
  guint32 *module_rows, *function_rows, *location_rows;
  guint32 *types;  /* type of the result → its own */
  double *ratios;  /* by which its values are multiplied */
  gint64 *values;
  WpIdArray stack;      /* at hand */
  WpIdArray stacks;     /* its stack → that of the result */
  guint8 *known;        /* stacks that are, or will be, in it */
  GHashTable *comments; /* texts that are there */
} Merger;

/* --- rows --------------------------------------------------------------------------------------------------------- */

/* The slot of the row for which `is_same` holds, an expression of `row`; or a free one, in which the caller puts the row. */
#define FIND_SLOT(table, wanted, is_same)                                                                                                \
  ({                                                                                                                                     \
    WP_TABLE_RESERVE ((table), 256, 2, slot, slot->row != 0, slot->hash);                                                                 \
    Slot *slot_ = WP_TABLE_FIND ((table), (wanted), slot, slot->row == 0 || (slot->hash == (wanted) && ({                                 \
                                                            const guint32 row = slot->row - 1;                                           \
                                                            is_same;                                                                     \
                                                          })));                                                                          \
    if (slot_->row == 0)                                                                                                                 \
      {                                                                                                                                  \
        slot_->hash = (wanted);                                                                                                          \
        (table)->n++;                                                                                                                    \
      }                                                                                                                                  \
    slot_;                                                                                                                               \
  })

static WpId
map_text (Merger *self, WpId text)
{
  if (text != 0 && self->texts[text] == 0)
    {
      gsize n;
      const char *bytes = wp_strings_bytes (self->from->strings, text, &n);

      self->texts[text] = wp_strings_intern_bytes (self->maker.stacks->strings, bytes, n);
    }
  return self->texts[text];
}

static guint64
rounded_size (const WpStackModule *module)
{
  guint64 size = module->limit - module->start + PAGE - 1;

  return size - size % PAGE;
}

static WpId
identity (const WpStackModule *module)
{
  return module->build_id != 0 ? module->build_id : module->file;
}

static guint32
map_module (Merger *self, WpId id)
{
  WpFrames *frames = self->maker.stacks->frames;
  WpStackModule module;
  guint32 hash;
  Slot *found;

  if (id == 0 || self->module_rows[id] != 0)
    return id != 0 ? self->module_rows[id] : 0;
  module = self->from->frames->modules.data[id];
  module.file = map_text (self, module.file);
  module.build_id = map_text (self, module.build_id);
  hash = (guint32) wp_hash_pair (wp_hash_pair (rounded_size (&module), module.offset), identity (&module));
  found = FIND_SLOT (&self->modules, hash, rounded_size (&frames->modules.data[row]) == rounded_size (&module)
                                            && frames->modules.data[row].offset == module.offset
                                            && identity (&frames->modules.data[row]) == identity (&module));
  if (found->row == 0)
    {
      wp_array_push (&frames->modules, module);
      found->row = frames->modules.len;
    }
  return self->module_rows[id] = found->row - 1;
}

static guint32
map_function (Merger *self, WpId id)
{
  WpFrames *frames = self->maker.stacks->frames;
  WpStackFunction function;
  guint32 hash;
  Slot *found;

  if (self->function_rows[id] != 0)
    return self->function_rows[id];
  function = self->from->frames->functions.data[id];
  function.name = map_text (self, function.name);
  function.system_name = map_text (self, function.system_name);
  function.file = map_text (self, function.file);
  hash = (guint32) wp_hash_pair (wp_hash_pair (function.name, function.system_name), wp_hash_pair (function.file, function.start_line));
  found = FIND_SLOT (&self->functions, hash, frames->functions.data[row].name == function.name
                                              && frames->functions.data[row].system_name == function.system_name
                                              && frames->functions.data[row].file == function.file
                                              && frames->functions.data[row].start_line == function.start_line);
  if (found->row == 0)
    {
      wp_array_push (&frames->functions, function);
      found->row = frames->functions.len;
    }
  return self->function_rows[id] = found->row - 1;
}

/* Columns but for the last line's are not looked at. */
static gboolean
is_same_location (const WpFrames *frames, const WpLocation *a, const WpLocation *b)
{
  if (a->module != b->module || a->address != b->address || a->folded != b->folded || a->n_lines != b->n_lines)
    return FALSE;
  for (guint32 i = 0; i < a->n_lines; i++)
    {
      const WpStackLine *x = &frames->lines.data[a->first_line + i], *y = &frames->lines.data[b->first_line + i];

      if (x->function != y->function || x->line != y->line || (i + 1 == a->n_lines && x->column != y->column))
        return FALSE;
    }
  return TRUE;
}

static guint32
hash_of_location (const WpFrames *frames, const WpLocation *location)
{
  guint64 hash = wp_hash_pair (location->address, (guint64) location->module << 1 | location->folded);

  for (guint32 i = 0; i < location->n_lines; i++)
    {
      const WpStackLine *line = &frames->lines.data[location->first_line + i];

      hash = wp_hash_pair (hash, wp_hash_pair (line->function, line->line));
    }
  return (guint32) hash;
}

/* Addresses are those of the module that was there first. */
static guint32
map_location (Merger *self, WpId id)
{
  WpFrames *frames = self->maker.stacks->frames;
  const WpFrames *from = self->from->frames;
  WpLocation location;
  guint32 hash;
  Slot *found;

  if (self->location_rows[id] != 0)
    return self->location_rows[id];
  location = from->locations.data[id];
  location.module = map_module (self, location.module);
  if (location.module != 0)
    location.address += frames->modules.data[location.module].start - from->modules.data[from->locations.data[id].module].start;
  location.first_line = frames->lines.len;
  for (guint32 i = 0; i < location.n_lines; i++)
    {
      WpStackLine line = from->lines.data[from->locations.data[id].first_line + i];

      line.function = map_function (self, line.function);
      wp_array_push (&frames->lines, line);
    }
  hash = hash_of_location (frames, &location);
  found = FIND_SLOT (&self->locations, hash, is_same_location (frames, &frames->locations.data[row], &location));
  if (found->row == 0)
    {
      wp_array_push (&frames->locations, location);
      found->row = frames->locations.len;
    }
  else
    frames->lines.len = location.first_line;
  return self->location_rows[id] = found->row - 1;
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

static WpId
map_labels (Merger *self, WpId set)
{
  const WpLabelSets *sets = self->from->labels;
  const WpLabelSet *row = &sets->sets.data[set];

  if (self->sets[set] != 0)
    return self->sets[set] - 1;
  for (guint32 i = row->first; i < row->first + row->n; i++)
    {
      const WpLabel *label = &sets->labels.data[i];

      if (label->is_number)
        wp_stacks_maker_number (&self->maker, map_text (self, label->key), label->number, map_text (self, label->unit));
      else
        wp_stacks_maker_label (&self->maker, map_text (self, label->key), map_text (self, label->text));
    }
  if (self->source->is_labelled)
    wp_stacks_maker_label (&self->maker, wp_strings_intern (self->maker.stacks->strings, WP_LABEL_BASE),
                           wp_strings_intern (self->maker.stacks->strings, "true"));
  self->sets[set] = wp_stacks_maker_label_set (&self->maker) + 1;
  return self->sets[set] - 1;
}

/* Its values in the result's types and units; FALSE where all are 0. */
static gboolean
read_values (Merger *self, guint32 sample)
{
  const WpStacks *from = self->from;
  gboolean any = FALSE;

  for (guint32 t = 0; t < self->maker.stacks->types.len; t++)
    {
      gint64 value = from->values[self->types[t]].data[sample];

      if (self->ratios[t] != 1)
        value = wp_whole (round ((double) value * self->ratios[t]));
      if (self->source->scale != NULL)
        value = wp_whole (round ((double) value * self->source->scale[t]));
      self->values[t] = self->source->is_base ? wp_negative (value) : value;
      any = any || self->values[t] != 0;
    }
  return any;
}

/* Its locations are met from the innermost one on, which is the order in which they stand in the result. */
static void
map_stack (Merger *self, WpId stack)
{
  const WpFrames *from = self->from->frames;
  guint32 n = 0;

  if (self->known[stack])
    return;
  self->known[stack] = TRUE;
  for (WpId at = stack; at != 0; at = from->nodes.data[at].prefix)
    n += from->nodes.data[at].n;
  wp_array_resize (&self->stack, n);
  for (WpId at = stack; at != 0; at = from->nodes.data[at].prefix)
    {
      const WpStackNode *node = &from->nodes.data[at];

      for (guint32 i = node->n; i-- > 0;)
        {
          WpId location = wp_runs_get (&from->runs, node->first + i), row = self->location_rows[location];

          self->stack.data[--n] = row != 0 ? row : map_location (self, location);
        }
    }
  wp_stacks_maker_stack_ahead (&self->maker, self->stack.data, self->stack.len, &self->stacks, stack);
}

/* The place of the sample with a stack and labels: one more than its row; 0: there is none yet, and the next one is to be put there. */
static guint32 *
row_of (Merger *self, WpId stack, WpId set)
{
  guint32 *first;

  if (stack >= self->first_rows.len)
    wp_array_resize (&self->first_rows, self->maker.stacks->frames->nodes.len);
  first = &self->first_rows.data[stack];
  return *first == 0 || self->maker.stacks->sample_labels.data[*first - 1] == set ? first : wp_pair_map_at (&self->other_rows, stack, set);
}

static void
add_sample (Merger *self, guint32 sample)
{
  WpStacks *stacks = self->maker.stacks;
  WpId stack, set;
  guint32 *row;

  if (!read_values (self, sample))
    return;
  stack = self->stacks.data[self->from->sample_stacks.data[sample]];
  set = self->sets[self->from->sample_labels.data[sample]] - 1;
  row = row_of (self, stack, set);
  if (*row == 0)
    {
      wp_stacks_maker_sample (&self->maker, stack, self->values);
      stacks->sample_labels.data[stacks->n_samples - 1] = set;
      *row = stacks->n_samples;
      return;
    }
  for (guint32 t = 0; t < stacks->types.len; t++)
    stacks->values[t].data[*row - 1] = wp_sum (stacks->values[t].data[*row - 1], self->values[t]);
}

/* What a sample refers to goes to the result, before any sample does. */
static void
map_sample (Merger *self, guint32 sample)
{
  if (!read_values (self, sample))
    return;
  map_stack (self, self->from->sample_stacks.data[sample]);
  map_labels (self, self->from->sample_labels.data[sample]);
}

static gboolean
for_each_sample (Merger *self, void (*func) (Merger *self, guint32 sample), WpProgress *progress, GError **error)
{
  guint32 n = self->from->n_samples;

  for (guint32 i = 0; i < n; i++)
    {
      if (i % SAMPLES_PER_STEP == 0 && !wp_progress_step (progress, (double) i / n, error))
        return FALSE;
      func (self, i);
    }
  return TRUE;
}

/* --- types and headers -------------------------------------------------------------------------------------------- */

/* "cpu" and "cpus" are one. */
static gboolean
is_same_type (const char *a, const char *b)
{
  gsize n_a = strlen (a), n_b = strlen (b);

  n_a -= n_a > 0 && a[n_a - 1] == 's';
  n_b -= n_b > 0 && b[n_b - 1] == 's';
  return n_a == n_b && memcmp (a, b, n_a) == 0;
}

static int
type_named (const WpStacks *stacks, const char *name)
{
  for (guint32 t = 0; t < stacks->types.len; t++)
    if (g_str_equal (wp_stacks_text (stacks, stacks->types.data[t].type), name))
      return (int) t;
  return -1;
}

static const char *
unit_of (const WpStacks *stacks, const char *type)
{
  return wp_stacks_text (stacks, stacks->types.data[type_named (stacks, type)].unit);
}

/* The finest unit of one type in all profiles; NULL and an error where two do not fit. */
static const char *
finest_unit (const Source *sources, guint n, const char *type, GError **error)
{
  const char *finest = NULL;

  for (guint i = 0; i < n; i++)
    {
      const char *unit = unit_of (sources[i].stacks, type);

      if (finest != NULL && !g_str_equal (unit, finest) && !wp_measure_is_alike (unit, finest))
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "the profiles cannot be put together: %s is counted in “%s” and in “%s”", type,
                       finest, unit);
          return NULL;
        }
      if (finest == NULL || wp_measure_ratio (unit, finest) < 1)
        finest = unit;
    }
  return finest;
}

static gboolean
find_types (Merger *self, const Source *sources, guint n, GError **error)
{
  const WpStacks *first = sources[0].stacks;
  WpStrings *strings = self->maker.stacks->strings;

  for (guint32 t = 0; t < first->types.len; t++)
    {
      const char *type = wp_stacks_text (first, first->types.data[t].type), *unit;
      gboolean common = type_named (first, type) == (int) t;

      for (guint i = 1; i < n && common; i++)
        common = type_named (sources[i].stacks, type) >= 0;
      if (!common)
        continue;
      unit = finest_unit (sources, n, type, error);
      if (unit == NULL)
        return FALSE;
      wp_stacks_maker_type (&self->maker, wp_strings_intern (strings, type), wp_strings_intern (strings, unit));
    }
  if (self->maker.stacks->types.len == 0)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "the profiles have no value type in common, and cannot be put together");
  return self->maker.stacks->types.len > 0;
}

/* Periods: in the finest unit, the longest one. */
static gboolean
merge_period (WpStacks *stacks, const WpStacks *from, WpStrings *strings, GError **error)
{
  WpStacksHeader *header = &stacks->header;
  const char *type = wp_stacks_text (from, from->header.period_type.type), *unit = wp_stacks_text (from, from->header.period_type.unit);
  const char *before = wp_stacks_text (stacks, header->period_type.type), *unit_before = wp_stacks_text (stacks, header->period_type.unit);
  double ratio = wp_measure_ratio (unit, unit_before);
  gint64 period = from->header.period;

  if (!is_same_type (type, before) || (!g_str_equal (unit, unit_before) && !wp_measure_is_alike (unit, unit_before)))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "the profiles cannot be put together: their periods are of “%s %s” and “%s %s”",
                   before, unit_before, type, unit);
      return FALSE;
    }
  if (ratio < 1)
    {
      header->period = wp_whole ((double) header->period / ratio);
      header->period_type.unit = wp_strings_intern (strings, unit);
    }
  else
    period = wp_whole ((double) period * ratio);
  header->period = MAX (header->period, period);
  return TRUE;
}

static gboolean
merge_header (Merger *self, gboolean first, GError **error)
{
  WpStacks *stacks = self->maker.stacks;
  WpStacksHeader *header = &stacks->header;
  const WpStacksHeader *from = &self->from->header;

  if (first)
    {
      header->period_type = (WpValueType) { map_text (self, from->period_type.type), map_text (self, from->period_type.unit) };
      header->period = from->period;
      header->drop = map_text (self, from->drop);
      header->keep = map_text (self, from->keep);
    }
  else if (!merge_period (stacks, self->from, stacks->strings, error))
    return FALSE;
  if (header->time == 0 || from->time < header->time)
    header->time = from->time;
  header->duration = wp_sum (header->duration, from->duration);
  if (header->default_type == 0)
    header->default_type = map_text (self, from->default_type);
  if (header->doc_url == 0)
    header->doc_url = map_text (self, from->doc_url);
  for (guint32 i = 0; i < self->from->comments.len; i++)
    {
      WpId comment = map_text (self, self->from->comments.data[i]);

      if (g_hash_table_add (self->comments, GUINT_TO_POINTER (comment)))
        wp_array_push (&stacks->comments, comment);
    }
  return TRUE;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void
begin_profile (Merger *self, const Source *source)
{
  const WpStacks *from = source->stacks;
  const WpStacks *stacks = self->maker.stacks;

  self->source = source;
  self->from = from;
  self->texts = g_new0 (WpId, wp_strings_count (from->strings));
  self->sets = g_new0 (WpId, from->labels->sets.len);
  self->known = g_new0 (guint8, from->frames->nodes.len);
  wp_array_resize (&self->stacks, from->frames->nodes.len);
  self->stacks.data[0] = 0;
  self->module_rows = g_new0 (guint32, from->frames->modules.len);
  self->function_rows = g_new0 (guint32, from->frames->functions.len);
  self->location_rows = g_new0 (guint32, from->frames->locations.len);
  for (guint32 t = 0; t < stacks->types.len; t++)
    {
      WpValueType type = stacks->types.data[t];

      self->types[t] = (guint32) type_named (from, wp_stacks_text (stacks, type.type));
      self->ratios[t] = wp_measure_ratio (wp_stacks_text (from, from->types.data[self->types[t]].unit), wp_stacks_text (stacks, type.unit));
    }
}

static void
end_profile (Merger *self)
{
  g_clear_pointer (&self->texts, g_free);
  g_clear_pointer (&self->sets, g_free);
  g_clear_pointer (&self->known, g_free);
  g_clear_pointer (&self->module_rows, g_free);
  g_clear_pointer (&self->function_rows, g_free);
  g_clear_pointer (&self->location_rows, g_free);
}

/* The first module of the first profile that has any is the program. */
static gboolean
add_profile (Merger *self, const Source *source, gboolean first, WpProgress *progress, GError **error)
{
  const WpStacks *from = source->stacks;
  gboolean done;

  begin_profile (self, source);
  done = merge_header (self, first, error);
  if (done && self->maker.stacks->frames->modules.len == 1 && from->frames->modules.len > 1)
    map_module (self, 1);
  done = done && for_each_sample (self, map_sample, progress, error);
  wp_stacks_maker_catch_up (&self->maker);
  done = done && for_each_sample (self, add_sample, progress, error);
  end_profile (self);
  return done;
}

static gboolean
has_zero_samples (const WpStacks *stacks)
{
  for (guint32 i = 0; i < stacks->n_samples; i++)
    {
      gboolean any = FALSE;

      for (guint32 t = 0; t < stacks->types.len; t++)
        any = any || stacks->values[t].data[i] != 0;
      if (!any)
        return TRUE;
    }
  return FALSE;
}

static WpStacks *
merge_sources (const Source *sources, guint n, WpProgress *progress, GError **error)
{
  const guint most = sources[0].stacks->types.len + 1;
  Merger self = { .types = g_new0 (guint32, most), .ratios = g_new0 (double, most), .values = g_new0 (gint64, most),
                  .comments = g_hash_table_new (wp_hash_pointer, g_direct_equal) };
  WpStacks *stacks = NULL;
  gboolean done;

  wp_stacks_maker_init (&self.maker);
  done = find_types (&self, sources, n, error);
  for (guint i = 0; i < n && done; i++)
    done = add_profile (&self, &sources[i], i == 0, progress, error);
  if (done)
    stacks = wp_stacks_maker_take (&self.maker);
  wp_stacks_maker_clear (&self.maker);
  WP_TABLE_CLEAR (&self.modules);
  WP_TABLE_CLEAR (&self.functions);
  WP_TABLE_CLEAR (&self.locations);
  wp_array_clear (&self.first_rows);
  wp_pair_map_clear (&self.other_rows);
  wp_array_clear (&self.stack);
  wp_array_clear (&self.stacks);
  g_hash_table_unref (self.comments);
  g_free (self.types);
  g_free (self.ratios);
  g_free (self.values);
  return stacks;
}

/* A default type that not all have gives way to the first one. What became zero goes with a second merging. */
static WpStacks *
merge (const Source *sources, guint n, WpProgress *progress, GError **error)
{
  WpStacks *stacks, *again;

  for (guint i = 0; i < n; i++)
    if (!wp_stacks_check_proportion (sources[i].stacks, WP_EACH_SAMPLE, error))
      return NULL;
  stacks = merge_sources (sources, n, progress, error);
  if (stacks == NULL)
    return NULL;
  if (stacks->header.default_type != 0 && type_named (stacks, wp_stacks_text (stacks, stacks->header.default_type)) < 0)
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
      int other = type_named (base, type);
      gint64 sum = sum_of (stacks, t);

      if (type_named (stacks, type) == (int) t && other >= 0)
        scale[n++] = sum != 0 ? (double) sum_of (base, (guint32) other) / (double) sum * wp_measure_ratio (unit_of (base, type), unit_of (stacks, type))
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
