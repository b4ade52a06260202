/* The file that code was mapped from, with its debugging information, wherever that is. */
#pragma once

#include "base/array.h"
#include "read/symbols/dwarf-files.h"

typedef struct
{
  guint64 start, end;
  Dwarf_Off unit;
} WpUnitRange;

typedef struct
{
  WpElfFile *main, *debug; /* either may be NULL */
  WpDwarf files;           /* of one of them */
  Dwarf *dwarf;            /* NULL: no debugging information */
  WP_ARRAY (WpUnitRange) ranges; /* sorted; made when the file has no table of its own */
  gboolean has_ranges;
} WpCodeFile;

/* `path` must be absolute, with `root` in front of it already where there is one; else there is neither file. Needs the file with this build
 * id, or its separate debug file. */
WpCodeFile *wp_code_file_open (const char *path, const char *build_id, const char *root);
void wp_code_file_free (WpCodeFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpCodeFile, wp_code_file_free)

/* The address in the file of what stands at this offset in it. */
guint64 wp_code_file_address (const WpCodeFile *self, guint64 offset);

/* The compilation unit of an address; FALSE: none. There must be debugging information. */
gboolean wp_code_file_unit (WpCodeFile *self, Dwarf_Addr address, Dwarf_Die *unit);

/* The name of a source file joined with the folder that its compiler ran in. NULL gives NULL; free with g_free(). */
char *wp_code_file_source (Dwarf_Die *unit, const char *file);
