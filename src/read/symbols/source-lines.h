/* Source lines and inlined functions of frames, looked up when somebody wants to see them: DWARF is slow to read.
 *
 * One WpSourceLines belongs to one trace and keeps what it has opened. It may be used from one thread at a time; never on
 * the main thread. */
#pragma once

#include "base/progress.h"
#include "trace/trace.h"

typedef struct WpSourceLines WpSourceLines;

typedef struct
{
  char *function; /* demangled; of an inlined one its own name */
  char *file;     /* as the compiler was told, joined with its folder; NULL: not known */
  guint32 line;   /* 0: not known */
  gboolean inlined; /* it stands within the next entry */
} WpSourceLine;

WpSourceLines *wp_source_lines_new (const char *symbol_root); /* prefix for the files of modules, or NULL */
void wp_source_lines_free (WpSourceLines *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpSourceLines, wp_source_lines_free)

/* What a frame stands for, innermost (most inlined) first; the last one is the function itself. An array of WpSourceLine
 * that is owned by `self` and lives as long, or NULL when there is no debugging information (also: a kernel frame). Needs the
 * module's file with the recorded build id, or its separate debug file. */
const GArray *wp_source_lines_find (WpSourceLines *self, const WpTrace *trace, WpId frame);
