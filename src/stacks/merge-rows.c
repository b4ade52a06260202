#include "stacks/merge-parts.h"

#include "stacks/labels.h"

#define PAGE 4096 /* mappings that differ by less in size are the same */

/* The slot of the row for which `is_same` holds, an expression of `row`; or a free one, in which the caller puts the row. */
#define FIND_SLOT(table, wanted, is_same)                                                                                                \
  ({                                                                                                                                     \
    WP_TABLE_RESERVE ((table), 256, 2, slot, slot->row != 0, slot->hash);                                                                 \
    WpMergeSlot *slot_ = WP_TABLE_FIND ((table), (wanted), slot, slot->row == 0 || (slot->hash == (wanted) && ({                         \
                                                                   const guint32 row = slot->row - 1;                                    \
                                                                   is_same;                                                              \
                                                                 })));                                                                   \
    if (slot_->row == 0)                                                                                                                 \
      {                                                                                                                                  \
        slot_->hash = (wanted);                                                                                                          \
        (table)->n++;                                                                                                                    \
      }                                                                                                                                  \
    slot_;                                                                                                                               \
  })

WpId
wp_merge_text (WpMergeRows *self, WpId text)
{
  if (text != 0 && self->text_rows[text] == 0)
    {
      gsize n;
      const char *bytes = wp_strings_bytes (self->from->strings, text, &n);

      self->text_rows[text] = wp_strings_intern_bytes (self->to->strings, bytes, n);
    }
  return self->text_rows[text];
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

WpId
wp_merge_module (WpMergeRows *self, WpId id)
{
  WpFrames *frames = self->to->frames;
  WpStackModule module;
  guint32 hash;
  WpMergeSlot *found;

  if (id == 0 || self->module_rows[id] != 0)
    return id != 0 ? self->module_rows[id] : 0;
  module = self->from->frames->modules.data[id];
  module.file = wp_merge_text (self, module.file);
  module.build_id = wp_merge_text (self, module.build_id);
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
map_function (WpMergeRows *self, WpId id)
{
  WpFrames *frames = self->to->frames;
  WpStackFunction function;
  guint32 hash;
  WpMergeSlot *found;

  if (self->function_rows[id] != 0)
    return self->function_rows[id];
  function = self->from->frames->functions.data[id];
  function.name = wp_merge_text (self, function.name);
  function.system_name = wp_merge_text (self, function.system_name);
  function.file = wp_merge_text (self, function.file);
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
WpId
wp_merge_location (WpMergeRows *self, WpId id)
{
  WpFrames *frames = self->to->frames;
  const WpFrames *from = self->from->frames;
  WpLocation location;
  guint32 hash;
  WpMergeSlot *found;

  if (self->location_rows[id] != 0)
    return self->location_rows[id];
  location = from->locations.data[id];
  location.module = wp_merge_module (self, location.module);
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

WpId
wp_merge_labels (WpMergeRows *self, WpId set, gboolean of_base)
{
  const WpLabelSets *sets = self->from->labels;
  const WpLabelSet *row = &sets->sets.data[set];

  if (self->set_rows[set] != 0)
    return self->set_rows[set] - 1;
  for (guint32 i = row->first; i < row->first + row->n; i++)
    {
      const WpLabel *label = &sets->labels.data[i];

      if (label->is_number)
        wp_stacks_maker_number (self->maker, wp_merge_text (self, label->key), label->number, wp_merge_text (self, label->unit));
      else
        wp_stacks_maker_label (self->maker, wp_merge_text (self, label->key), wp_merge_text (self, label->text));
    }
  if (of_base)
    wp_stacks_maker_label (self->maker, wp_strings_intern (self->to->strings, WP_LABEL_BASE),
                           wp_strings_intern (self->to->strings, "true"));
  self->set_rows[set] = wp_stacks_maker_label_set (self->maker) + 1;
  return self->set_rows[set] - 1;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

void
wp_merge_rows_init (WpMergeRows *self, WpStacksMaker *maker)
{
  *self = (WpMergeRows) { .maker = maker, .to = maker->stacks, .comments = g_hash_table_new (wp_hash_pointer, g_direct_equal) };
}

void
wp_merge_rows_begin (WpMergeRows *self, const WpStacks *from)
{
  self->from = from;
  self->text_rows = g_new0 (WpId, wp_strings_count (from->strings));
  self->module_rows = g_new0 (WpId, from->frames->modules.len);
  self->function_rows = g_new0 (WpId, from->frames->functions.len);
  self->location_rows = g_new0 (WpId, from->frames->locations.len);
  self->set_rows = g_new0 (WpId, from->labels->sets.len);
}

void
wp_merge_rows_end (WpMergeRows *self)
{
  g_clear_pointer (&self->text_rows, g_free);
  g_clear_pointer (&self->module_rows, g_free);
  g_clear_pointer (&self->function_rows, g_free);
  g_clear_pointer (&self->location_rows, g_free);
  g_clear_pointer (&self->set_rows, g_free);
}

void
wp_merge_rows_clear (WpMergeRows *self)
{
  WP_TABLE_CLEAR (&self->modules);
  WP_TABLE_CLEAR (&self->functions);
  WP_TABLE_CLEAR (&self->locations);
  g_hash_table_unref (self->comments);
}
