/* source: what each line and each instruction of functions took. */
#include "base/json-writer.h"
#include "cli/output.h"
#include "cli/stacks.h"
#include "read/symbols/stacks-symbols.h"
#include "stacks/measure.h"
#include "stacks/pattern.h"
#include "workspace/stacks/listing.h"

typedef struct
{
  WpCliStacksOptions stacks;
  char *source_path, *trim_path, *source_map, *format, *output;
  gboolean disassembly;
} Options;

typedef struct
{
  const WpCliStacks *profile;
  const char *unit; /* that values are shown in */
  const WpListing *listing;
  const WpCodeListing *code; /* NULL: not wanted */
  GString *out;
} Listing;

/* --- text, as pprof's -list ----------------------------------------------------------------------------------------- */

static void
put_value (const Listing *self, WpGraphValue value, const char *nothing)
{
  gint64 amount = wp_graph_value (value);
  g_autofree char *text = wp_measure_text (amount, self->profile->unit, self->unit);

  g_string_append_printf (self->out, "%10s ", amount != 0 ? text : nothing);
}

static void
put_values (const Listing *self, const WpLineValue *values)
{
  put_value (self, values != NULL ? values->flat : (WpGraphValue) { 0 }, ".");
  put_value (self, values != NULL ? values->cum : (WpGraphValue) { 0 }, ".");
}

/* Lines that have values and are not to be seen: without a number, or behind the end of the file. */
static void
put_other_lines (const Listing *self, guint32 routine, gint64 first, gint64 last)
{
  const WpRoutine *row = &self->listing->routines->routines.data[routine];

  for (guint32 i = 0; i < row->lines.len; i++)
    {
      const WpLineValue *line = &row->lines.data[i];

      if (line->line >= first && line->line <= last)
        continue;
      put_values (self, line);
      if (line->line > 0)
        g_string_append_printf (self->out, "%6" G_GINT64_FORMAT ":\n", line->line);
      else
        g_string_append (self->out, "     ?:\n");
    }
}

static void
put_missing (const Listing *self, const WpSourceFile *source)
{
  if (source == NULL)
    {
      g_string_append (self->out, " The profile does not say which file it is in\n");
      return;
    }
  g_string_append (self->out, " The source was not found. --source-path says where sources are; looked for:\n");
  for (guint i = 0; i < source->tried->len; i++)
    wp_cli_append_line (self->out, "   ", source->tried->pdata[i]);
}

static void
put_routine (const Listing *self, guint32 routine)
{
  const WpRoutine *row = &self->listing->routines->routines.data[routine];
  const WpSourceFile *source = self->listing->sources[routine];
  const WpStacks *stacks = self->profile->stacks;
  gint64 end = wp_listing_end (self->listing, routine);
  g_autofree char *changed = NULL, *changed_file = NULL;
  char share[WP_FORMAT_MAX];

  g_string_append_printf (self->out, "ROUTINE ======================== %s", wp_stacks_shown (stacks, row->name, &changed));
  if (source != NULL)
    g_string_append_printf (self->out, " in %s", wp_stacks_shown (stacks, row->file, &changed_file));
  g_string_append_c (self->out, '\n');
  put_value (self, row->flat, "0");
  put_value (self, row->cum, "0");
  g_string_append_printf (self->out, "(flat, cum) %s of Total\n",
                          wp_measure_share (wp_graph_value (row->cum), self->profile->total, share));
  if (source == NULL || source->path == NULL)
    {
      put_missing (self, source);
      put_other_lines (self, routine, 1, 0);
      return;
    }
  for (gint64 line = row->start; line <= end; line++)
    {
      g_autofree char *text = wp_source_file_line (source, line);

      put_values (self, wp_routine_line (row, line));
      g_string_append_printf (self->out, "%6" G_GINT64_FORMAT ":%s\n", line, text);
    }
  put_other_lines (self, routine, row->start, end);
}

static void
put_block (const Listing *self, const WpCodeBlock *block)
{
  g_autofree char *changed = NULL;
  const char *file = NULL;
  guint32 line = 0;

  g_string_append_printf (self->out, "CODE =========================== %s in %s\n", block->instructions->function,
                          wp_stacks_shown (self->profile->stacks, block->module_file, &changed));
  for (guint32 i = 0; i < block->instructions->rows.len; i++)
    {
      const WpInstruction *row = &block->instructions->rows.data[i];

      put_value (self, block->values[i].flat, ".");
      put_value (self, block->values[i].cum, ".");
      g_string_append_printf (self->out, "%10" G_GINT64_MODIFIER "x: %s", row->address, row->text);
      if (row->file != NULL && row->line > 0 && (row->line != line || g_strcmp0 (row->file, file) != 0))
        {
          g_autofree char *base = g_path_get_basename (row->file);

          g_string_append_printf (self->out, "%*s; %s:%u", MAX (40 - (int) strlen (row->text), 2), "", base, row->line);
        }
      file = row->file;
      line = row->line;
      g_string_append_c (self->out, '\n');
    }
}

static void
put_text (const Listing *self)
{
  g_autofree char *total = wp_measure_text (self->profile->total, self->profile->unit, self->unit);

  g_string_append_printf (self->out, "Total: %s\n", total);
  for (guint32 i = 0; i < self->listing->routines->routines.len; i++)
    put_routine (self, i);
  for (guint32 i = 0; self->code != NULL && i < self->code->blocks.len; i++)
    put_block (self, &self->code->blocks.data[i]);
}

/* --- JSON ----------------------------------------------------------------------------------------------------------- */

static void
write_values (WpJsonWriter *json, WpGraphValue flat, WpGraphValue cum)
{
  wp_json_writer_int (json, "flat", wp_graph_value (flat));
  wp_json_writer_int (json, "cum", wp_graph_value (cum));
}

/* A line with a value, or in the range to be seen. */
static void
write_line (const Listing *self, WpJsonWriter *json, guint32 routine, gint64 line)
{
  const WpLineValue *values = wp_routine_line (&self->listing->routines->routines.data[routine], line);
  const WpSourceFile *source = self->listing->sources[routine];
  g_autofree char *text = source != NULL ? wp_source_file_line (source, line) : NULL;

  wp_json_writer_line (json);
  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_int (json, "line", line);
  write_values (json, values != NULL ? values->flat : (WpGraphValue) { 0 }, values != NULL ? values->cum : (WpGraphValue) { 0 });
  wp_json_writer_string_or_null (json, "text", text);
  wp_json_writer_end (json);
}

static void
write_routine (const Listing *self, WpJsonWriter *json, guint32 routine)
{
  const WpRoutine *row = &self->listing->routines->routines.data[routine];
  const WpSourceFile *source = self->listing->sources[routine];
  gboolean is_found = source != NULL && source->path != NULL;
  gint64 start = row->start, end = is_found ? wp_listing_end (self->listing, routine) : 0;

  wp_json_writer_line (json);
  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_string (json, "function", wp_stacks_text (self->profile->stacks, row->name));
  wp_json_writer_string_or_null (json, "file", source != NULL ? source->name : NULL);
  wp_json_writer_string_or_null (json, "found", is_found ? source->path : NULL);
  write_values (json, row->flat, row->cum);
  wp_json_writer_array (json, "lines", WP_JSON_SPACED);
  for (guint32 i = 0; i < row->lines.len && row->lines.data[i].line < start; i++)
    write_line (self, json, routine, row->lines.data[i].line);
  for (gint64 line = start; line <= end; line++)
    write_line (self, json, routine, line);
  for (guint32 i = 0; i < row->lines.len; i++)
    if (row->lines.data[i].line >= start && row->lines.data[i].line > end)
      write_line (self, json, routine, row->lines.data[i].line);
  wp_json_writer_end (json);
  wp_json_writer_end (json);
}

static void
write_block (const Listing *self, WpJsonWriter *json, const WpCodeBlock *block)
{
  wp_json_writer_line (json);
  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_string (json, "function", block->instructions->function);
  wp_json_writer_string (json, "module", wp_stacks_text (self->profile->stacks, block->module_file));
  wp_json_writer_array (json, "instructions", WP_JSON_SPACED);
  for (guint32 i = 0; i < block->instructions->rows.len; i++)
    {
      const WpInstruction *row = &block->instructions->rows.data[i];

      wp_json_writer_line (json);
      wp_json_writer_object (json, NULL, WP_JSON_SPACED);
      wp_json_writer_uint (json, "address", row->address);
      write_values (json, block->values[i].flat, block->values[i].cum);
      wp_json_writer_string (json, "text", row->text);
      wp_json_writer_string_or_null (json, "file", row->file);
      wp_json_writer_uint (json, "line", row->line);
      wp_json_writer_end (json);
    }
  wp_json_writer_end (json);
  wp_json_writer_end (json);
}

static void
put_json (const Listing *self)
{
  g_autoptr (WpJsonWriter) json = wp_json_writer_new_text (self->out);
  const WpStacks *stacks = self->profile->stacks;

  wp_json_writer_object (json, NULL, WP_JSON_SPACED);
  wp_json_writer_string (json, "type", wp_stacks_text (stacks, stacks->types.data[self->profile->type].type));
  wp_json_writer_string (json, "unit", self->profile->unit);
  wp_json_writer_int (json, "total", self->profile->total);
  wp_json_writer_array (json, "functions", WP_JSON_SPACED);
  for (guint32 i = 0; i < self->listing->routines->routines.len; i++)
    write_routine (self, json, i);
  wp_json_writer_end (json);
  if (self->code != NULL)
    {
      wp_json_writer_array (json, "code", WP_JSON_SPACED);
      for (guint32 i = 0; i < self->code->blocks.len; i++)
        write_block (self, json, &self->code->blocks.data[i]);
      wp_json_writer_end (json);
    }
  wp_json_writer_end (json);
}

/* --- the command ---------------------------------------------------------------------------------------------------- */

static char **
split (const char *list)
{
  return list != NULL ? g_strsplit (list, G_SEARCHPATH_SEPARATOR_S, -1) : NULL;
}

/* Functions of recordings have names only; their lines are looked up now. */
static gboolean
find_lines (WpCliStacks *profile, const WpRoutineOptions *which, GError **error)
{
  g_autoptr (WpStacks) before = profile->stacks;
  g_autofree guint8 *functions = wp_routine_functions (before, which);

  profile->stacks = wp_read_stacks_lines (before, functions, NULL, NULL, error);
  if (profile->stacks == NULL)
    return FALSE;
  profile->unit = wp_stacks_text (profile->stacks, profile->stacks->types.data[profile->type].unit);
  return TRUE;
}

static WpListing *
list (const WpCliStacks *profile, const WpRoutineOptions *which, const Options *options, const char *file, GError **error)
{
  g_auto (GStrv) folders = split (options->source_path), trims = split (options->trim_path), mappings = split (options->source_map);
  g_autofree char *beside = g_path_get_dirname (file);
  const WpSourcePlaces places = { .folders = folders, .trims = trims, .mappings = mappings, .beside = beside };
  g_autoptr (WpListing) listing = wp_listing_new (profile->stacks, which, &places, NULL, error);

  if (listing == NULL || listing->routines->routines.len > 0)
    return g_steal_pointer (&listing);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "no function matches “%s”; see them all with top",
               g_regex_get_pattern (which->pattern));
  return NULL;
}

/* What was looked for and is not there: on standard error, beside what is. */
static void
tell_missing_code (const WpCodeListing *code)
{
  for (guint i = 0; i < code->problems->len; i++)
    g_printerr ("wakepath-cli: no instructions of %s\n", (char *) code->problems->pdata[i]);
  if (code->blocks.len == 0 && code->problems->len == 0)
    g_printerr ("wakepath-cli: no instructions: the profile has no addresses of these functions\n");
}

static int
put_listing (WpCliStacks *profile, const Options *options, const GRegex *pattern, const char *file)
{
  const WpRoutineOptions which = { .pattern = pattern, .type = profile->type, .mean = options->stacks.mean,
                                   .without_inlined = options->stacks.without_inlined };
  GError *error = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (WpListing) listing = find_lines (profile, &which, &error) ? list (profile, &which, options, file, &error) : NULL;
  g_autoptr (WpCodeListing) code = listing != NULL && options->disassembly ? wp_code_listing_new (profile->stacks, &which, NULL, &error) : NULL;
  const Listing self = { profile, options->stacks.unit != NULL ? options->stacks.unit : "minimum", listing, code, out };

  if (error != NULL)
    return wp_cli_fail (error);
  if (g_strcmp0 (options->format, "json") == 0)
    put_json (&self);
  else
    put_text (&self);
  if (code != NULL)
    tell_missing_code (code);
  return wp_cli_put (out, options->output);
}

static int
run (gpointer data, int n, char **operands)
{
  Options *options = data;
  g_auto (WpCliStacks) profile = { 0 };
  GError *error = NULL;
  g_autoptr (GRegex) pattern = wp_pattern_new (operands[n - 1], &error);
  int status;

  if (pattern == NULL)
    return wp_cli_fail (error);
  status = wp_cli_stacks_open (&profile, &options->stacks, operands, (guint) n - 1);
  return status != 0 ? status : put_listing (&profile, options, pattern, operands[0]);
}

static const WpOption rows[] = {
  { "source-path", 0, G_OPTION_ARG_STRING, offsetof (Options, source_path), "FOLDER:FOLDER", "Where sources are: any end of their paths may be there" },
  { "trim-path", 0, G_OPTION_ARG_STRING, offsetof (Options, trim_path), "FOLDER:FOLDER", "Take these beginnings off paths" },
  { "source-map", 0, G_OPTION_ARG_STRING, offsetof (Options, source_map), "FROM=TO:FROM=TO", "Paths that begin with the folder _FROM_ begin with _TO_ here" },
  { "disassembly", 0, G_OPTION_ARG_NONE, offsetof (Options, disassembly), NULL, "Instructions, too" },
  WP_OPTIONS_STACKS (Options, stacks),
  WP_OPTIONS_STACKS_BASE (Options, stacks),
  { "no-inlines", 0, G_OPTION_ARG_NONE, offsetof (Options, stacks.without_inlined), NULL, "Count inlined functions as those that they stand in" },
  WP_OPTIONS_STACKS_VALUES (Options, stacks),
  WP_OPTION_TEXT_FORMAT (Options, format, "text|json"),
  WP_OPTION_OUTPUT (Options, output),
  WP_OPTION_END,
};

const WpCommand wp_cmd_source = {
  .name = "source",
  .group = WP_GROUP_PROFILES,
  .operands = "FILE… PATTERN",
  .summary = "What each line and each instruction of functions took",
  .description = WP_STACKS_MERGED " Of each function that matches, its lines with what they took themselves and with all that they called; a "
                 "sample counts once for a line.\n\nSources are looked for by _--source-map_, at their paths less _--trim-path_, in the folders of "
                 "_--source-path_ and those above them, beside the profile and in the working folder, and by build id where "
                 "*DEBUGINFOD_URLS* says.",
  .options = rows,
  .size = sizeof (Options),
  .least = 2,
  .most = WP_ANY_NUMBER,
  .run = run,
};
