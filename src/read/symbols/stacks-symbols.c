/* The addresses become frames of a trace that has nothing else, which is given names like any other. */
#include "read/symbols/stacks-symbols.h"

#include "base/bytes.h"
#include "base/pair-map.h"
#include "read/symbols/debug-files.h"
#include "read/symbols/jit-map.h"
#include "read/symbols/kernel-symbols.h"
#include "read/symbols/source-lines.h"
#include "stacks/derive.h"

#include <elf.h>
#include <sys/utsname.h>

#define LOCATIONS_PER_STEP 256
#define NOTES_MAX 65536
#define KERNELS_MAX 4 /* a profile has one, a merged one some: all symbols are read for each */

/* Where the addresses of a module lead. */
typedef struct
{
  WpId module;             /* of the trace, 0: nowhere */
  WpElfFile *layout;       /* closed; its addresses are the linker's: by this they become offsets */
  WpKernelSymbols *kernel; /* or it is the kernel's */
} Place;

typedef struct
{
  const WpStacks *origin;
  const WpReadOptions *options;
  const guint8 *wanted; /* functions of which lines are; NULL: names of whatever has none */
  WpTrace *trace;
  Place *places; /* by module */
  guint n_kernels;
  WpId *frames;  /* by location; 0: none */
  /* What is made of them: */
  WpStrings *strings;
  WpFrames *made;
  WpPairMap functions; /* name, file → row */
} Namer;

static gboolean
is_kernel (const char *file)
{
  return g_str_has_prefix (file, "[kernel");
}

/* Whether it says as little as this is about. */
static gboolean
is_bare (const Namer *self, const WpLocation *location)
{
  const WpFrames *frames = self->origin->frames;
  const WpStackLine *line = &frames->lines.data[location->first_line];

  if (self->wanted == NULL)
    return location->n_lines == 0;
  return location->n_lines == 1 && line->line == 0 && self->wanted[line->function] && frames->functions.data[line->function].file == 0;
}

static gboolean
wants_lines (const Namer *self, const WpLocation *location)
{
  const char *file = wp_stacks_text (self->origin, self->origin->frames->modules.data[location->module].file);

  return location->module != 0 && is_bare (self, location) && (is_kernel (file) || (file[0] == '/' && wp_jit_module_pid (file) < 0));
}

static gboolean
wants_any (const Namer *self)
{
  const WpFrames *frames = self->origin->frames;

  for (WpId i = 1; i < frames->locations.len; i++)
    if (wants_lines (self, &frames->locations.data[i]))
      return TRUE;
  return FALSE;
}

/* --- the kernel --------------------------------------------------------------------------------------------------- */

/* The build id in notes as the kernel shows its own: name's and content's length, type, name, content. Free with g_free(). */
static char *
id_of_notes (const guint8 *notes, gsize n)
{
  WpCursor cursor = { notes, notes + n };
  const guint8 *head;

  while ((head = wp_cursor_take (&cursor, 12)) != NULL)
    {
      guint32 name = wp_read_u32 (head), content = wp_read_u32 (head + 4);
      const guint8 *text = wp_cursor_take (&cursor, ((guint64) name + 3) / 4 * 4), *bytes = wp_cursor_take (&cursor, content);
      GString *hex;

      if (text == NULL || bytes == NULL)
        return NULL;
      if (wp_read_u32 (head + 8) == NT_GNU_BUILD_ID && name == 4 && memcmp (text, "GNU", 4) == 0)
        {
          hex = g_string_new (NULL);
          for (guint32 i = 0; i < content; i++)
            g_string_append_printf (hex, "%02x", bytes[i]);
          return g_string_free (hex, FALSE);
        }
      wp_cursor_take (&cursor, MIN ((4 - content % 4) % 4, (guint64) (cursor.end - cursor.p)));
    }
  return NULL;
}

static gboolean
runs_build (const char *root, const char *build_id)
{
  g_autofree char *path = g_strconcat (root != NULL ? root : "", "/sys/kernel/notes", NULL), *notes = NULL, *id = NULL;
  gsize n;

  if (!g_file_get_contents (path, &notes, &n, NULL))
    return FALSE;
  id = id_of_notes ((const guint8 *) notes, MIN (n, NOTES_MAX));
  return id != NULL && g_ascii_strcasecmp (id, build_id) == 0;
}

/* "[kernel.kallsyms]_stext" names the symbol whose address perf writes where a file has its offset; else the module begins with one. */
static gboolean
same_boot (WpKernelSymbols *symbols, const WpStackModule *module, const char *symbol)
{
  const char *const names[] = { symbol, "_stext", "_text" };
  const guint64 addresses[] = { module->offset, module->start };

  for (guint i = *symbol != '\0' ? 0 : 1; i < G_N_ELEMENTS (names); i++)
    for (guint k = 0; k < G_N_ELEMENTS (addresses); k++)
      {
        wp_kernel_symbols_set_reference (symbols, names[i], addresses[k]);
        if (addresses[k] != 0 && wp_kernel_symbols_same_boot (symbols)) /* to whom the kernel hides addresses, all are 0 */
          return TRUE;
      }
  return FALSE;
}

/* NULL: it is another kernel, or nothing says that it is not. */
static WpKernelSymbols *
open_kernel (const Namer *self, const WpStackModule *module)
{
  const char *file = wp_stacks_text (self->origin, module->file), *build_id = wp_stacks_text (self->origin, module->build_id);
  const char *root = self->options->symbol_root, *end = strrchr (file, ']'), *symbol = end != NULL ? end + 1 : "";
  WpKernelSymbols *symbols;
  struct utsname running;

  if (*build_id != '\0' && !runs_build (root, build_id))
    return NULL;
  symbols = wp_kernel_symbols_new (self->trace, root);
  if (same_boot (symbols, module, symbol))
    return symbols;
  if (*build_id == '\0' || *symbol == '\0' || uname (&running) != 0)
    {
      wp_kernel_symbols_free (symbols);
      return NULL;
    }
  wp_kernel_symbols_set_reference (symbols, symbol, module->offset >> 63 != 0 ? module->offset : module->start);
  if (self->trace->kernel == NULL)
    self->trace->kernel = g_strdup (running.release);
  return symbols;
}

/* --- addresses ---------------------------------------------------------------------------------------------------- */

/* Of a module that reaches over all addresses pprof says that they are the linker's. */
static gboolean
has_linked_addresses (const WpStackModule *module)
{
  return module->start == 0 && module->offset == 0 && (module->limit == 0 || module->limit == G_MAXUINT64);
}

static void
find_place (Namer *self, WpId id)
{
  const WpStackModule *module = &self->origin->frames->modules.data[id];
  const char *file = wp_stacks_text (self->origin, module->file);
  g_autofree char *build_id = g_ascii_strdown (wp_stacks_text (self->origin, module->build_id), -1);
  g_autofree char *path = g_strconcat (self->options->symbol_root != NULL ? self->options->symbol_root : "", file, NULL);
  Place *place = &self->places[id];

  if (place->module != 0)
    return;
  place->module = wp_trace_module (self->trace, file, build_id);
  if (is_kernel (file) && self->n_kernels++ < KERNELS_MAX)
    place->kernel = open_kernel (self, module);
  else if (has_linked_addresses (module))
    place->layout = wp_main_file_open (path, build_id, self->options->symbol_root);
  if (place->layout != NULL)
    wp_elf_file_close (place->layout);
}

/* The frame of a location, 0: nothing is known of it. */
static WpId
frame_of (const Namer *self, const WpLocation *location)
{
  const WpStackModule *module = &self->origin->frames->modules.data[location->module];
  const Place *place = &self->places[location->module];
  guint64 offset = location->address;

  if (is_kernel (wp_stacks_text (self->origin, module->file)))
    return place->kernel != NULL ? wp_kernel_symbols_frame (place->kernel, location->address) : 0;
  if (place->layout != NULL)
    offset = wp_elf_file_offset (place->layout, location->address);
  else if (location->address >= module->start)
    offset = location->address - module->start + module->offset;
  return offset != 0 ? wp_trace_user_frame (self->trace, place->module, offset) : 0;
}

static void
find_frames (Namer *self)
{
  const WpFrames *frames = self->origin->frames;

  self->places = g_new0 (Place, frames->modules.len);
  self->frames = g_new0 (WpId, frames->locations.len);
  for (WpId i = 1; i < frames->locations.len; i++)
    if (wants_lines (self, &frames->locations.data[i]))
      {
        find_place (self, frames->locations.data[i].module);
        self->frames[i] = frame_of (self, &frames->locations.data[i]);
      }
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static WpId
function_of (Namer *self, const char *name, const char *file)
{
  WpStackFunction row = { .name = wp_strings_intern (self->strings, name), .file = wp_strings_intern (self->strings, file) };
  guint32 *known = wp_pair_map_at (&self->functions, row.name, row.file);

  row.system_name = row.name;
  if (*known == 0)
    {
      wp_array_push (&self->made->functions, row);
      *known = self->made->functions.len - 1;
    }
  return *known;
}

/* Whether the frame has a function of its own name. */
static gboolean
is_named (const WpTrace *trace, const WpFrame *frame)
{
  return !(trace->functions.data[frame->function].flags & WP_FUNCTION_NO_SYMBOL)
         && !((frame->flags & WP_FRAME_KERNEL) && g_str_equal (wp_trace_function_name (trace, frame->function), "[unknown]"));
}

/* The outermost function has the name that its symbol has, as in recordings. */
static void
add_lines (Namer *self, WpLocation *location, WpId id, WpSourceLines *source)
{
  const WpFrame *frame = &self->trace->frames.data[id];
  const GArray *found = wp_source_lines_find (source, self->trace, id);
  gboolean named = is_named (self->trace, frame);

  if (found == NULL && location->n_lines > 0)
    return; /* it keeps its name */
  location->first_line = self->made->lines.len;
  for (guint i = 0; found != NULL && i < found->len; i++)
    {
      const WpSourceLine *line = &g_array_index (found, WpSourceLine, i);
      const char *name = named && i + 1 == found->len ? wp_trace_function_name (self->trace, frame->function) : line->function;

      wp_array_push (&self->made->lines, ((WpStackLine) { .function = function_of (self, name, line->file), .line = line->line }));
    }
  if (found == NULL && named)
    wp_array_push (&self->made->lines, ((WpStackLine) { .function = function_of (self, wp_trace_function_name (self->trace, frame->function), NULL) }));
  location->n_lines = self->made->lines.len - location->first_line;
}

static gboolean
add_all_lines (Namer *self, WpProgress *progress, GError **error)
{
  WpSourceLines *source = wp_source_lines_new (self->options->symbol_root);
  WpFrames *made = self->made;
  gboolean go_on = TRUE;

  wp_progress_phase (progress, "Looking up source lines");
  for (WpId i = 1; go_on && i < made->locations.len; i++)
    {
      go_on = i % LOCATIONS_PER_STEP != 0 || wp_progress_step (progress, (double) i / made->locations.len, error);
      if (self->frames[i] != 0)
        add_lines (self, &made->locations.data[i], self->frames[i], source);
    }
  wp_source_lines_free (source);
  return go_on;
}

/* What is known of a location. */
static guint8
known_of (const WpFrames *frames, const WpLocation *location)
{
  guint8 has = location->n_lines > 0 ? WP_MODULE_HAS_FUNCTIONS | WP_MODULE_HAS_FILES | WP_MODULE_HAS_LINES | WP_MODULE_HAS_INLINED : 0;

  for (guint32 i = location->first_line; i < location->first_line + location->n_lines; i++)
    {
      const WpStackLine *line = &frames->lines.data[i];

      if (frames->functions.data[line->function].file == 0)
        has &= (guint8) ~(WP_MODULE_HAS_FILES | WP_MODULE_HAS_INLINED);
      if (line->line == 0)
        has &= (guint8) ~WP_MODULE_HAS_LINES;
    }
  return has;
}

/* Of the modules that something was looked up in. */
static void
tell_known (Namer *self)
{
  WpFrames *made = self->made;

  for (WpId m = 1; m < made->modules.len; m++)
    if (self->places[m].module != 0)
      made->modules.data[m].has = WP_MODULE_HAS_FUNCTIONS | WP_MODULE_HAS_FILES | WP_MODULE_HAS_LINES | WP_MODULE_HAS_INLINED;
  for (WpId i = 1; i < made->locations.len; i++)
    if (self->places[made->locations.data[i].module].module != 0)
      made->modules.data[made->locations.data[i].module].has &= known_of (made, &made->locations.data[i]);
}

static WpStacks *
make (Namer *self, WpProgress *progress, GError **error)
{
  WpStacks *stacks;

  self->strings = wp_strings_copy (self->origin->strings);
  self->made = wp_frames_copy (self->origin->frames);
  if (!add_all_lines (self, progress, error))
    {
      wp_strings_free (self->strings);
      wp_frames_unref (self->made);
      return NULL;
    }
  tell_known (self);
  stacks = wp_stacks_relocated (self->origin, self->made);
  wp_strings_free (stacks->strings);
  stacks->strings = self->strings;
  return stacks;
}

static void
clear (Namer *self)
{
  for (WpId i = 0; i < self->origin->frames->modules.len; i++)
    {
      wp_elf_file_free (self->places[i].layout);
      wp_kernel_symbols_free (self->places[i].kernel);
    }
  wp_pair_map_clear (&self->functions);
  wp_trace_free (self->trace);
  g_free (self->places);
  g_free (self->frames);
}

/* A profile in which those have lines that want them. */
static WpStacks *
run (Namer *self, WpStacks *stacks, WpProgress *progress, GError **error)
{
  GError *problem = NULL;
  WpStacks *named = NULL;

  if (self->options->no_symbols || !wants_any (self))
    return wp_stacks_ref (stacks);
  self->trace = wp_trace_new ();
  find_frames (self);
  wp_read_symbols (self->trace, self->options, progress, &problem);
  if (problem == NULL)
    named = make (self, progress, error);
  else
    g_propagate_error (error, problem);
  clear (self);
  return named;
}

static const WpReadOptions defaults = { 0 };

WpStacks *
wp_read_stacks_symbols (WpStacks *stacks, const WpReadOptions *options, WpProgress *progress, GError **error)
{
  Namer self = { .origin = stacks, .options = options != NULL ? options : &defaults };

  return run (&self, stacks, progress, error);
}

WpStacks *
wp_read_stacks_lines (WpStacks *stacks, const guint8 *functions, const WpReadOptions *options, WpProgress *progress, GError **error)
{
  Namer self = { .origin = stacks, .wanted = functions, .options = options != NULL ? options : &defaults };

  return run (&self, stacks, progress, error);
}
