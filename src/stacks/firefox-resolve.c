#include "stacks/firefox-resolve.h"

#include <math.h>

#include "base/search.h"
#include "stacks/sums.h"

/* A location has a line for each function that is inlined in it: so many in all, for each frame that there is. */
#define LINES_ALWAYS 65536
#define LINES_PER_FRAME 32

/* --- cells -------------------------------------------------------------------------------------------------------- */

static void G_GNUC_PRINTF (5, 6)
fail_at (const WpFirefoxResolver *self, const WpFirefoxCode *code, WpFirefoxColumnId column, guint32 row, const char *format, ...)
{
  g_autofree char *name = wp_firefox_column_name (column), *place = g_strdup_printf ("%s%s[%u]", code->place, name, row);
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  wp_json_reader_fail (self->json, place, "%s", message);
}

/* NaN where there is no such column or row. */
static double
cell (const WpFirefoxCode *code, WpFirefoxColumnId column, guint32 row)
{
  const WpFirefoxColumn *cells = &code->tables.columns[column];

  return row < cells->len ? cells->data[row] : NAN;
}

static gint64
whole_cell (const WpFirefoxCode *code, WpFirefoxColumnId column, guint32 row)
{
  double value = cell (code, column, row);

  return value >= 0 ? wp_whole (value) : 0;
}

guint32
wp_firefox_row (const WpFirefoxResolver *self, const WpFirefoxCode *code, WpFirefoxColumnId column, guint32 row, guint32 n)
{
  double value = cell (code, column, row);

  if (isnan (value) || value == -1)
    return 0;
  if (value >= 0 && value < n && value == floor (value))
    return (guint32) value + 1;
  fail_at (self, code, column, row, "%.17g is none of the %u rows that there are", value, n);
  return 0;
}

/* The tables that have this column: these, else those that all share. */
static const WpFirefoxCode *
owner_of (const WpFirefoxCode *code, WpFirefoxColumnId column)
{
  return code->tables.columns[column].len > 0 || code->outer == NULL ? code : code->outer;
}

static WpId
text_cell (const WpFirefoxResolver *self, const WpFirefoxCode *code, WpFirefoxColumnId column, guint32 row)
{
  const WpIdArray *strings = code->tables.strings.len > 0 || code->outer == NULL ? &code->tables.strings : &code->outer->tables.strings;
  guint32 found = wp_firefox_row (self, code, column, row, strings->len);

  return found > 0 ? strings->data[found - 1] : 0;
}

static WpId
lib_cell (const WpFirefoxResolver *self, const WpFirefoxCode *code, WpFirefoxColumnId column, guint32 row)
{
  const WpIdArray *libs = code->tables.libs.len > 0 || code->outer == NULL ? &code->tables.libs : &code->outer->tables.libs;
  guint32 found = wp_firefox_row (self, code, column, row, libs->len);

  return found > 0 ? libs->data[found - 1] : 0;
}

/* --- functions ---------------------------------------------------------------------------------------------------- */

static WpId
file_of (const WpFirefoxResolver *self, const WpFirefoxCode *code, guint32 func)
{
  const WpFirefoxCode *sources = owner_of (code, WP_FIREFOX_SOURCE_FILE);
  guint32 source = wp_firefox_row (self, code, WP_FIREFOX_FUNC_SOURCE, func, sources->tables.columns[WP_FIREFOX_SOURCE_FILE].len);

  return source > 0 ? text_cell (self, sources, WP_FIREFOX_SOURCE_FILE, source - 1) : text_cell (self, code, WP_FIREFOX_FUNC_FILE, func);
}

static WpId
add_function (const WpFirefoxResolver *self, WpId name, WpId file, gint64 line)
{
  WpFrames *frames = self->maker->stacks->frames;

  wp_array_push (&frames->functions, ((WpStackFunction) { .name = name, .system_name = name, .file = file, .start_line = line }));
  return frames->functions.len - 1;
}

/* One for each text that functions are told by, and kind of it. */
static WpId
function_called (const WpFirefoxResolver *self, WpFirefoxMemory *memory, WpId text, guint32 kind, const WpStackFunction *function)
{
  WpId *known = wp_pair_map_at (&memory->functions, text, kind);

  if (*known == 0)
    *known = add_function (self, function->name, function->file, function->start_line);
  return *known;
}

static WpId
function_of (const WpFirefoxResolver *self, WpFirefoxCode *code, guint32 func)
{
  WpId *known = &code->functions.data[func];

  if (*known == 0)
    {
      WpId name = text_cell (self, code, WP_FIREFOX_FUNC_NAME, func);

      *known = add_function (self, name, file_of (self, code, func), whole_cell (code, WP_FIREFOX_FUNC_LINE, func));
    }
  return *known;
}

/* --- locations ---------------------------------------------------------------------------------------------------- */

static WpId
add_location (const WpFirefoxResolver *self, WpLocation location, const WpStackLine *line)
{
  WpFrames *frames = self->maker->stacks->frames;

  location.first_line = frames->lines.len;
  location.n_lines = line != NULL;
  if (line != NULL)
    wp_array_push (&frames->lines, *line);
  wp_array_push (&frames->locations, location);
  return frames->locations.len - 1;
}

/* The row of funcTable, one more; 0 and an error where there is none. */
static guint32
func_of (const WpFirefoxResolver *self, const WpFirefoxCode *code, guint32 frame)
{
  guint32 func = wp_firefox_row (self, code, WP_FIREFOX_FRAME_FUNC, frame, code->functions.len);

  if (func == 0 && !wp_json_reader_failed (self->json))
    fail_at (self, code, WP_FIREFOX_FRAME_FUNC, frame, "every frame has a function");
  return func;
}

static WpId
module_of (const WpFirefoxResolver *self, const WpFirefoxCode *code, guint32 frame, guint32 func)
{
  WpId lib = lib_cell (self, code, WP_FIREFOX_FRAME_LIB, frame);
  guint32 resource;

  if (lib != 0)
    return lib;
  /* The column ends with the last resource that has a lib. */
  resource = wp_firefox_row (self, code, WP_FIREFOX_FUNC_RESOURCE, func, G_MAXUINT32);
  return resource > 0 ? lib_cell (self, code, WP_FIREFOX_RESOURCE_LIB, resource - 1) : 0;
}

/* A function without a name is called by its address. */
static gboolean
is_named_by_address (const WpFirefoxResolver *self, WpId function, guint64 address)
{
  const WpStacks *stacks = self->maker->stacks;
  guint64 said;

  return wp_gecko_is_address (wp_stacks_text (stacks, stacks->frames->functions.data[function].name), &said) && said == address;
}

/* The name of the symbol that covers it; 0: none. */
static WpId
symbol_of (const WpFirefoxResolver *self, const WpFirefoxCode *code, guint32 frame)
{
  guint32 row = wp_firefox_row (self, code, WP_FIREFOX_FRAME_SYMBOL, frame, code->tables.columns[WP_FIREFOX_SYMBOL_NAME].len);

  return row > 0 ? text_cell (self, code, WP_FIREFOX_SYMBOL_NAME, row - 1) : 0;
}

static WpStackLine
line_of (const WpFirefoxCode *code, guint32 frame, WpId function)
{
  return (WpStackLine) { function, whole_cell (code, WP_FIREFOX_FRAME_LINE, frame), whole_cell (code, WP_FIREFOX_FRAME_COLUMN, frame) };
}

static WpId
add_processed (const WpFirefoxResolver *self, WpFirefoxCode *code, guint32 frame)
{
  guint32 func = func_of (self, code, frame);
  gboolean has_address = cell (code, WP_FIREFOX_FRAME_ADDRESS, frame) >= 0;
  WpLocation location = { .address = (guint64) whole_cell (code, WP_FIREFOX_FRAME_ADDRESS, frame) };
  WpStackLine line;

  if (func == 0)
    return 0;
  location.module = module_of (self, code, frame, func - 1);
  line = line_of (code, frame, function_of (self, code, func - 1));
  if (has_address && is_named_by_address (self, line.function, location.address))
    {
      WpId symbol = symbol_of (self, code, frame);

      line.function = symbol != 0 ? function_called (self, code->memory, symbol, 1, &(WpStackFunction) { .name = symbol }) : 0;
    }
  return add_location (self, location, line.function != 0 ? &line : NULL);
}

static WpId
module_at (const WpFirefoxMemory *memory, guint64 address)
{
  guint32 behind = WP_SEARCH (0, memory->ranges.len, i, memory->ranges.data[i].start <= address);

  return behind > 0 && address < memory->ranges.data[behind - 1].limit ? memory->ranges.data[behind - 1].module : 0;
}

static WpId
add_gecko (const WpFirefoxResolver *self, WpFirefoxCode *code, guint32 frame)
{
  const WpFirefoxColumn *sources = &owner_of (code, WP_FIREFOX_SOURCE_FILE)->tables.columns[WP_FIREFOX_SOURCE_FILE];
  WpStacks *stacks = self->maker->stacks;
  WpId text = text_cell (self, code, WP_FIREFOX_FRAME_LOCATION, frame), function;
  WpGeckoLocation said;
  WpStackLine line;

  wp_gecko_location_parse (wp_stacks_text (stacks, text), stacks->strings, &said);
  if (said.name == 0)
    return add_location (self, (WpLocation) { .address = said.address, .module = module_at (code->memory, said.address) }, NULL);
  if (said.source > 0 && said.source <= sources->len && sources->data[said.source - 1] >= 0
      && sources->data[said.source - 1] < wp_strings_count (stacks->strings))
    said.file = (WpId) sources->data[said.source - 1];
  function = function_called (self, code->memory, text, 0, &(WpStackFunction) { .name = said.name, .file = said.file, .start_line = said.line });
  line = line_of (code, frame, function);
  return add_location (self, (WpLocation) { .module = said.lib != 0 ? wp_pair_map_get (&code->memory->modules, said.lib, 0) : 0 }, &line);
}

static WpId
location_of (const WpFirefoxResolver *self, WpFirefoxCode *code, guint32 frame)
{
  WpId *known = &code->locations.data[frame];

  if (*known == 0)
    *known = code->tables.columns[WP_FIREFOX_FRAME_LOCATION].len > 0 ? add_gecko (self, code, frame) : add_processed (self, code, frame);
  return *known;
}

/* --- inlined functions -------------------------------------------------------------------------------------------- */

/* Whether a frame is of a function that was inlined in that of the other one: at the same address, one deeper. */
static gboolean
is_inlined_in (const WpFirefoxCode *code, guint32 frame, guint32 outer)
{
  gint64 depth = whole_cell (code, WP_FIREFOX_FRAME_INLINE_DEPTH, frame);

  return depth > 0 && whole_cell (code, WP_FIREFOX_FRAME_INLINE_DEPTH, outer) == depth - 1
         && cell (code, WP_FIREFOX_FRAME_ADDRESS, frame) == cell (code, WP_FIREFOX_FRAME_ADDRESS, outer);
}

/* The location with one more line, before the others. */
static WpId
inlined_location (const WpFirefoxResolver *self, WpFirefoxCode *code, WpId outer, guint32 frame)
{
  WpFrames *frames = self->maker->stacks->frames;
  WpId *known = wp_pair_map_at (&code->inlined, outer, frame);
  WpLocation location = frames->locations.data[outer];
  guint32 func = func_of (self, code, frame);
  WpStackLine line;

  if (*known != 0 || func == 0)
    return *known;
  if (frames->lines.len > LINES_ALWAYS + (guint64) LINES_PER_FRAME * code->locations.len)
    {
      fail_at (self, code, WP_FIREFOX_FRAME_INLINE_DEPTH, frame, "functions are inlined in each other out of all proportion");
      return 0;
    }
  line = line_of (code, frame, function_of (self, code, func - 1));
  wp_array_push (&frames->lines, line);
  for (guint32 i = 0; i < location.n_lines; i++)
    {
      const WpStackLine copied = frames->lines.data[location.first_line + i];

      wp_array_push (&frames->lines, copied);
    }
  location.n_lines++;
  location.first_line = frames->lines.len - location.n_lines;
  wp_array_push (&frames->locations, location);
  return *known = frames->locations.len - 1;
}

/* --- stacks ------------------------------------------------------------------------------------------------------- */

static guint32
n_stacks (const WpFirefoxCode *code)
{
  return code->tables.columns[WP_FIREFOX_STACK_FRAME].len;
}

void
wp_firefox_want (WpFirefoxCode *self, guint32 row)
{
  if (self->wanted == NULL)
    self->wanted = g_new0 (guint8, n_stacks (self));
  self->wanted[row] = TRUE;
}

/* What a row stands on, one more than its number; 0: nothing, or an error. Those come first: so nothing stands on itself. */
static guint32
prefix_of (const WpFirefoxResolver *self, const WpFirefoxCode *code, guint32 row)
{
  double offset = cell (code, WP_FIREFOX_STACK_PREFIX_OFFSET, row);

  if (isnan (offset))
    {
      guint32 prefix = wp_firefox_row (self, code, WP_FIREFOX_STACK_PREFIX, row, n_stacks (code));

      if (prefix <= row)
        return prefix;
      fail_at (self, code, WP_FIREFOX_STACK_PREFIX, row, "a stack stands on one that comes before it, and %u does not", prefix - 1);
      return 0;
    }
  if (offset >= 0 && offset <= row && offset == floor (offset))
    return offset > 0 ? row - (guint32) offset + 1 : 0;
  fail_at (self, code, WP_FIREFOX_STACK_PREFIX_OFFSET, row, "there is no row %.17g before it", offset);
  return 0;
}

static void
make_stack (const WpFirefoxResolver *self, WpFirefoxCode *code, guint32 row)
{
  guint32 prefix = prefix_of (self, code, row), n_frames = code->locations.len;
  guint32 frame = wp_firefox_row (self, code, WP_FIREFOX_STACK_FRAME, row, n_frames), outer = 0;
  WpId location, below = prefix > 0 ? code->stacks.data[prefix - 1] : 0;

  if (frame == 0)
    {
      if (!wp_json_reader_failed (self->json))
        fail_at (self, code, WP_FIREFOX_STACK_FRAME, row, "every stack has a frame");
      return;
    }
  if (prefix > 0)
    outer = wp_firefox_row (self, code, WP_FIREFOX_STACK_FRAME, prefix - 1, n_frames);
  location = code->stack_locations.data[row];
  if (outer > 0 && is_inlined_in (code, frame - 1, outer - 1))
    {
      below = code->below.data[prefix - 1];
      location = inlined_location (self, code, code->stack_locations.data[prefix - 1], frame - 1);
    }
  else
    location = location_of (self, code, frame - 1);
  if (location == 0)
    return;
  code->below.data[row] = below;
  code->stack_locations.data[row] = location;
  code->stacks.data[row] = wp_stacks_maker_stack (self->maker, below, &location, 1);
}

static guint32
n_frames (const WpFirefoxCode *code)
{
  return MAX (code->tables.columns[WP_FIREFOX_FRAME_FUNC].len, code->tables.columns[WP_FIREFOX_FRAME_LOCATION].len);
}

void
wp_firefox_make_stacks (const WpFirefoxResolver *self, WpFirefoxCode *code)
{
  guint32 n = n_stacks (code);

  if (code->done || code->wanted == NULL)
    return;
  code->done = TRUE;
  wp_array_resize (&code->stacks, n);
  wp_array_resize (&code->below, n);
  wp_array_resize (&code->stack_locations, n);
  wp_array_resize (&code->locations, n_frames (code));
  wp_array_resize (&code->functions, code->tables.columns[WP_FIREFOX_FUNC_NAME].len);
  for (guint32 row = n; row-- > 0 && !wp_json_reader_failed (self->json);)
    if (code->wanted[row])
      {
        guint32 prefix = prefix_of (self, code, row);

        if (prefix > 0)
          code->wanted[prefix - 1] = TRUE;
      }
  for (guint32 row = 0; row < n && !wp_json_reader_failed (self->json); row++)
    if (code->wanted[row])
      make_stack (self, code, row);
}

void
wp_firefox_code_clear (WpFirefoxCode *self)
{
  wp_firefox_tables_clear (&self->tables);
  g_free (self->place);
  g_free (self->wanted);
  wp_array_clear (&self->stacks);
  wp_array_clear (&self->below);
  wp_array_clear (&self->stack_locations);
  wp_array_clear (&self->locations);
  wp_array_clear (&self->functions);
  wp_pair_map_clear (&self->inlined);
}
