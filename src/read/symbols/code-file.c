#include "read/symbols/code-file.h"

#include "base/search.h"
#include "base/sort.h"
#include "read/symbols/debug-files.h"

#include <dwarf.h>

#define UNITS_MAX (1 << 20)

void
wp_code_file_free (WpCodeFile *self)
{
  wp_dwarf_end (&self->files);
  wp_elf_file_free (self->main);
  wp_elf_file_free (self->debug);
  wp_array_clear (&self->ranges);
  g_free (self);
}

WpCodeFile *
wp_code_file_open (const char *path, const char *build_id, const char *root)
{
  WpCodeFile *self = g_new0 (WpCodeFile, 1);

  if (path[0] != '/')
    return self;
  self->main = wp_main_file_open (path, build_id, root);
  self->files = wp_dwarf_begin (self->main, root);
  if (self->files.dwarf == NULL)
    {
      self->debug = wp_debug_file_open (self->main, build_id, root);
      self->files = wp_dwarf_begin (self->debug, root);
    }
  self->dwarf = self->files.dwarf;
  return self;
}

guint64
wp_code_file_address (const WpCodeFile *self, guint64 offset)
{
  const WpElfFile *layout = self->main != NULL ? self->main : self->debug;

  return layout != NULL ? wp_elf_file_address (layout, offset) : offset;
}

/* --- the unit of an address --------------------------------------------------------------------------------------- */

WP_DEFINE_COMPARE_2 (compare_ranges, WpUnitRange, start, end)

static void
add_unit (WpCodeFile *self, Dwarf_Die *unit)
{
  Dwarf_Addr base, start, end;
  ptrdiff_t at = 0;

  while ((at = dwarf_ranges (unit, at, &base, &start, &end)) > 0)
    if (end > start && self->ranges.len < G_MAXINT32)
      wp_array_push (&self->ranges, ((WpUnitRange) { .start = start, .end = end, .unit = dwarf_dieoffset (unit) }));
}

static void
read_ranges (WpCodeFile *self)
{
  Dwarf_Off at = 0, next;
  size_t header;
  Dwarf_Die unit;

  for (guint i = 0; i < UNITS_MAX && dwarf_nextcu (self->dwarf, at, &next, &header, NULL, NULL, NULL) == 0; i++)
    {
      if (dwarf_offdie (self->dwarf, at + header, &unit) != NULL)
        add_unit (self, &unit);
      at = next;
    }
  wp_array_sort (&self->ranges, compare_ranges);
}

/* Some compilers write no table of addresses, or one without some units. */
gboolean
wp_code_file_unit (WpCodeFile *self, Dwarf_Addr address, Dwarf_Die *unit)
{
  guint32 low;

  if (dwarf_addrdie (self->dwarf, address, unit) != NULL)
    return TRUE;
  if (!self->has_ranges)
    read_ranges (self);
  self->has_ranges = TRUE;
  low = WP_SEARCH (0, self->ranges.len, i, self->ranges.data[i].start <= address);
  return low > 0 && address < self->ranges.data[low - 1].end
         && dwarf_offdie (self->dwarf, self->ranges.data[low - 1].unit, unit) != NULL;
}

/* Names of files are relative to where the compiler ran, which may be made relative too, so that builds are alike. */
char *
wp_code_file_source (Dwarf_Die *unit, const char *file)
{
  Dwarf_Attribute attribute;
  const char *folder = dwarf_attr (unit, DW_AT_comp_dir, &attribute) != NULL ? dwarf_formstring (&attribute) : NULL;
  g_autofree char *root = NULL, *joined = NULL;

  if (file == NULL)
    return NULL;
  if (file[0] == '/' || folder == NULL)
    return g_utf8_make_valid (file, -1);
  root = g_canonicalize_filename (folder, "/");
  joined = g_canonicalize_filename (file, root);
  return g_utf8_make_valid (joined + (folder[0] != '/'), -1);
}
