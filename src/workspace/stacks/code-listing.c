#include "workspace/stacks/listing.h"

#include <glib/gi18n.h>

#include "base/pair-map.h"
#include "base/search.h"
#include "base/sort.h"
#include "read/symbols/elf-symbols.h"

#define CODE_MAX (16 * 1024 * 1024) /* bytes in all: a pattern may match every function there is */

/* A file with code, opened when it is first needed. */
typedef struct
{
  WpId path;
  WpCodeFile *file;
  WpFunctions *functions;
  gboolean is_told; /* that something is wrong with it */
} Module;

typedef struct
{
  guint32 module;
  guint64 address; /* in the file */
  WpInstructionValue value;
} Place;

typedef struct
{
  const WpStacks *stacks;
  WpCodeListing *result;
  WpDemangler *demangler;
  WP_ARRAY (Module) modules;
  WpPairMap known; /* texts of path and build id → one more than the module */
  WP_ARRAY (Place) places;
  gsize code; /* bytes so far */
} Maker;

/* --- files ---------------------------------------------------------------------------------------------------------- */

static guint32
module_of (Maker *self, const WpStackModule *mapped, GCancellable *cancellable)
{
  guint32 *known = wp_pair_map_at (&self->known, mapped->file, mapped->build_id);
  Module *module;

  if (*known != 0)
    return *known - 1;
  module = wp_array_add (&self->modules);
  *known = self->modules.len;
  module->path = mapped->file;
  module->file = wp_code_file_open (wp_stacks_text (self->stacks, mapped->file), wp_stacks_text (self->stacks, mapped->build_id), NULL);
  module->functions = wp_functions_new ();
  wp_elf_symbols_read (module->functions, module->file->main, module->file->debug, cancellable);
  wp_functions_sort (module->functions);
  return self->modules.len - 1;
}

/* Where nothing is known of the mapping, addresses are those of the file. */
static guint64
address_in (const WpCodeFile *file, const WpStackModule *mapped, guint64 address)
{
  if (mapped->start == 0 && mapped->limit == 0)
    return address;
  return wp_code_file_address (file, address - mapped->start + mapped->offset);
}

WP_DEFINE_COMPARE_2 (compare_places, Place, module, address)

static void
add_places (Maker *self, const WpAddressValues *values, GCancellable *cancellable)
{
  for (guint32 i = 0; i < values->len; i++)
    {
      const WpAddressValue *value = &values->data[i];
      const WpStackModule *mapped = &self->stacks->frames->modules.data[value->module];
      guint32 module = module_of (self, mapped, cancellable);

      wp_array_push (&self->places, ((Place) { module, address_in (self->modules.data[module].file, mapped, value->address),
                                               { value->flat, value->cum } }));
    }
  wp_array_sort (&self->places, compare_places);
}

/* --- blocks --------------------------------------------------------------------------------------------------------- */

static void
add (WpGraphValue *value, WpGraphValue more)
{
  value->sum = wp_sum (value->sum, more.sum);
  value->divisor = wp_sum (value->divisor, more.divisor);
}

/* Of the places from `first` on, those that lie in this function. Returns the first one behind it. */
static guint32
add_block (Maker *self, guint32 first, WpInstructions *instructions)
{
  const Place *place = &self->places.data[first];
  const WpInstruction *rows = instructions->rows.data, *last = rows + instructions->rows.len - 1;
  const WpCodeBlock block = { self->modules.data[place->module].path, instructions, g_new0 (WpInstructionValue, instructions->rows.len) };
  guint32 i = first;

  for (; i < self->places.len && self->places.data[i].module == place->module && self->places.data[i].address < last->address + last->size; i++)
    {
      guint64 address = self->places.data[i].address;
      guint32 row = WP_SEARCH (0, instructions->rows.len, r, rows[r].address <= address);

      add (&block.values[row - 1].flat, self->places.data[i].value.flat);
      add (&block.values[row - 1].cum, self->places.data[i].value.cum);
    }
  wp_array_push (&self->result->blocks, block);
  self->code += last->address + last->size - instructions->start;
  return MAX (i, first + 1); /* of a function that is cut it may lie behind the end */
}

/* One reason for each file. */
static void
tell (Maker *self, Module *module, const char *reason)
{
  g_autofree char *changed = NULL;
  const char *path = wp_stacks_shown (self->stacks, module->path, &changed);

  if (!module->is_told && *path == '\0')
    g_ptr_array_add (self->result->problems, g_strdup (_("the profile does not say which file the code was mapped from")));
  else if (!module->is_told)
    g_ptr_array_add (self->result->problems, g_strdup_printf ("%s: %s", path, reason));
  module->is_told = TRUE;
}

static gboolean
add_blocks (Maker *self, WpProgress *progress, GError **error)
{
  for (guint32 i = 0; i < self->places.len;)
    {
      const Place *place = &self->places.data[i];
      Module *module = &self->modules.data[place->module];
      g_autoptr (GError) wrong = NULL;
      WpInstructions *instructions = NULL;

      if (!wp_progress_step (progress, (double) i / self->places.len, error))
        return FALSE;
      if (self->code < CODE_MAX)
        instructions = wp_instructions_read (module->file, module->functions, place->address, self->demangler, progress, &wrong);
      else
        tell (self, module, _("more code than is shown at once; choose fewer functions"));
      if (wrong != NULL && wrong->code == G_IO_ERROR_CANCELLED)
        {
          g_propagate_error (error, g_steal_pointer (&wrong));
          return FALSE;
        }
      if (wrong != NULL)
        tell (self, module, wrong->message);
      i = instructions != NULL ? add_block (self, i, instructions) : i + 1;
    }
  return TRUE;
}

WpCodeListing *
wp_code_listing_new (const WpStacks *stacks, const WpRoutineOptions *options, WpProgress *progress, GError **error)
{
  g_autoptr (WpCodeListing) result = g_new0 (WpCodeListing, 1);
  GCancellable *cancellable = progress != NULL ? progress->cancellable : NULL;
  Maker self = { .stacks = stacks, .result = result, .demangler = wp_demangler_new (cancellable) };
  WpAddressValues values = { 0 };
  gboolean done;

  result->problems = g_ptr_array_new_with_free_func (g_free);
  done = wp_address_values (stacks, options, &values, progress, error);
  if (done)
    {
      add_places (&self, &values, cancellable);
      done = add_blocks (&self, progress, error);
    }
  for (guint32 i = 0; i < self.modules.len; i++)
    {
      wp_code_file_free (self.modules.data[i].file);
      wp_functions_free (self.modules.data[i].functions);
    }
  wp_array_clear (&self.modules);
  wp_array_clear (&self.places);
  wp_array_clear (&values);
  wp_pair_map_clear (&self.known);
  wp_demangler_free (self.demangler);
  return done ? g_steal_pointer (&result) : NULL;
}

void
wp_code_listing_free (WpCodeListing *self)
{
  for (guint32 i = 0; i < self->blocks.len; i++)
    {
      wp_instructions_free (self->blocks.data[i].instructions);
      g_free (self->blocks.data[i].values);
    }
  wp_array_clear (&self->blocks);
  g_ptr_array_unref (self->problems);
  g_free (self);
}
