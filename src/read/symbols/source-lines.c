#include "read/symbols/source-lines.h"

#include "base/hash.h"
#include "read/read-private.h"
#include "read/symbols/code-file.h"
#include "read/symbols/demangle.h"

#include <dwarf.h>

#define INLINE_DEPTH_MAX 256

struct WpSourceLines
{
  char *symbol_root;
  const WpTrace *trace; /* the one that the caches are of */
  GHashTable *modules;  /* row + 1 → WpCodeFile */
  GHashTable *frames;   /* id → GArray, or NULL */
  WpDemangler *demangler;
};

/* --- modules ------------------------------------------------------------------------------------------------------ */

static WpCodeFile *
open_module (const WpSourceLines *self, const WpModule *row)
{
  const char *path = wp_trace_string (self->trace, row->path), *build_id = wp_trace_string (self->trace, row->build_id);
  g_autofree char *full = g_strconcat (self->symbol_root != NULL ? self->symbol_root : "", path, NULL);

  return wp_code_file_open (path[0] == '/' ? full : path, build_id, self->symbol_root);
}

static WpCodeFile *
find_module (WpSourceLines *self, WpId id)
{
  gpointer key = GUINT_TO_POINTER (id + 1);
  WpCodeFile *module = g_hash_table_lookup (self->modules, key);

  if (module == NULL)
    {
      module = open_module (self, &self->trace->modules.data[id]);
      g_hash_table_insert (self->modules, key, module);
    }
  return module;
}

/* --- one address -------------------------------------------------------------------------------------------------- */

static char *
name_of (const WpSourceLines *self, Dwarf_Die *die)
{
  Dwarf_Attribute attribute;
  const char *linkage = NULL, *name;
  g_autofree char *plain = NULL;

  if (dwarf_attr_integrate (die, DW_AT_linkage_name, &attribute) != NULL
      || dwarf_attr_integrate (die, DW_AT_MIPS_linkage_name, &attribute) != NULL)
    linkage = dwarf_formstring (&attribute);
  if (linkage != NULL)
    plain = wp_demangle (self->demangler, linkage);
  name = plain != NULL ? plain : dwarf_diename (die);
  return g_utf8_make_valid (name != NULL ? name : linkage != NULL ? linkage : "?", -1);
}

static void
add_line (GArray *lines, Dwarf_Die *unit, const char *function, const char *file, int line, gboolean inlined)
{
  WpSourceLine row = { .function = g_strdup (function), .file = wp_code_file_source (unit, file), .line = MAX (line, 0),
                       .inlined = inlined };

  g_array_append_val (lines, row);
}

/* Where an inlined function was called from. */
static void
call_place (Dwarf_Die *unit, Dwarf_Die *die, const char **file, int *line)
{
  Dwarf_Attribute attribute;
  Dwarf_Files *files;
  Dwarf_Word value;
  size_t n;

  *file = NULL;
  *line = 0;
  if (dwarf_formudata (dwarf_attr (die, DW_AT_call_line, &attribute), &value) == 0 && value <= G_MAXINT32)
    *line = value;
  if (dwarf_formudata (dwarf_attr (die, DW_AT_call_file, &attribute), &value) == 0
      && dwarf_getsrcfiles (unit, &files, &n) == 0 && value < n)
    *file = dwarf_filesrc (files, value, NULL, NULL);
}

/* The innermost scope, then all that it stands within: inlined functions up to the one that is there as itself. */
static void
add_functions (const WpSourceLines *self, GArray *lines, Dwarf_Die *unit, Dwarf_Die *scope, const char *file, int line)
{
  Dwarf_Die *chain = NULL;
  int n = dwarf_getscopes_die (scope, &chain);

  for (int i = 0; i < n && lines->len < INLINE_DEPTH_MAX; i++)
    {
      int tag = dwarf_tag (&chain[i]);
      g_autofree char *name = NULL;

      if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
        continue;
      name = name_of (self, &chain[i]);
      add_line (lines, unit, name, file, line, tag == DW_TAG_inlined_subroutine);
      if (tag == DW_TAG_subprogram)
        break;
      call_place (unit, &chain[i], &file, &line);
    }
  free (chain);
}

/* In split DWARF the unit has only the lines; functions are in a file of its own. */
static void
scopes_unit (const WpCodeFile *module, Dwarf_Die *unit, Dwarf_Die *result)
{
  Dwarf_Die split;
  uint8_t type;

  *result = *unit;
  if (wp_dwarf_split_is_plain (module->debug != NULL ? module->debug : module->main, unit)
      && dwarf_cu_info (unit->cu, NULL, &type, NULL, &split, NULL, NULL, NULL) == 0 && type == DW_UT_skeleton
      && dwarf_tag (&split) != DW_TAG_invalid)
    *result = split;
}

static void
clear_line (gpointer data)
{
  WpSourceLine *line = data;

  g_free (line->function);
  g_free (line->file);
}

static GArray *
look_up (const WpSourceLines *self, WpCodeFile *module, guint64 offset)
{
  Dwarf_Addr address = wp_code_file_address (module, offset);
  Dwarf_Die unit, code, *scopes = NULL;
  const char *file = NULL;
  GArray *lines;
  Dwarf_Line *line;
  int n = 0, number = 0;

  if (!wp_code_file_unit (module, address, &unit))
    return NULL;
  lines = g_array_new (FALSE, FALSE, sizeof (WpSourceLine));
  g_array_set_clear_func (lines, clear_line);
  scopes_unit (module, &unit, &code);
  line = dwarf_getsrc_die (&unit, address);
  if (line != NULL)
    {
      file = dwarf_linesrc (line, NULL, NULL);
      dwarf_lineno (line, &number);
    }
  if ((n = dwarf_getscopes (&code, address, &scopes)) > 0)
    add_functions (self, lines, &unit, &scopes[0], file, number);
  free (scopes);
  if (lines->len == 0)
    g_clear_pointer (&lines, g_array_unref);
  return lines;
}

/* --- all of them -------------------------------------------------------------------------------------------------- */

static void
unref_lines (gpointer lines)
{
  if (lines != NULL)
    g_array_unref (lines);
}

WpSourceLines *
wp_source_lines_new (const char *symbol_root)
{
  WpSourceLines *self = g_new0 (WpSourceLines, 1);

  self->symbol_root = g_strdup (symbol_root);
  self->demangler = wp_demangler_new (NULL);
  self->modules = g_hash_table_new_full (wp_hash_pointer, NULL, NULL, (GDestroyNotify) wp_code_file_free);
  self->frames = g_hash_table_new_full (wp_hash_pointer, NULL, NULL, unref_lines);
  return self;
}

void
wp_source_lines_free (WpSourceLines *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->frames);
  wp_demangler_free (self->demangler);
  g_hash_table_unref (self->modules);
  g_free (self->symbol_root);
  g_free (self);
}

const GArray *
wp_source_lines_find (WpSourceLines *self, const WpTrace *trace, WpId frame)
{
  const WpFrame *row = &trace->frames.data[frame];
  gpointer lines = NULL;
  WpCodeFile *module;

  if (self->trace != trace)
    {
      g_hash_table_remove_all (self->frames);
      g_hash_table_remove_all (self->modules);
      self->trace = trace;
    }
  if (frame == 0 || (row->flags & WP_FRAME_KERNEL) || row->offset == 0)
    return NULL;
  if (g_hash_table_lookup_extended (self->frames, GUINT_TO_POINTER (frame), NULL, &lines))
    return lines;
  module = find_module (self, row->module);
  lines = module->dwarf != NULL ? look_up (self, module, row->offset) : NULL;
  g_hash_table_insert (self->frames, GUINT_TO_POINTER (frame), lines);
  return lines;
}
