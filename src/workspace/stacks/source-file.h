/* Source files that a profile or debugging information names: where they are found, and their lines. */
#pragma once

#include <gio/gio.h>

#include "base/array.h"

/* Where they are looked for. All may be NULL. */
typedef struct
{
  char **mappings;    /* "FROM=TO": paths that begin with the folder FROM begin with TO here; "=TO": those that are not absolute */
  char **trims;       /* folders that are taken off from the beginning of paths, as pprof's -trim_path */
  char **folders;     /* which sources are in, as pprof's -source_path: any end of a path may be there */
  const char *beside; /* the folder of the profile */
} WpSourcePlaces;

typedef struct
{
  char *name;       /* as the profile has it */
  char *path;       /* where it was found; NULL: nowhere */
  GPtrArray *tried; /* char *: all places that it is not at, and why not where it is not just missing */
  char *text;
  WP_ARRAY (gsize) starts; /* plain list: of lines; one more at the end */
} WpSourceFile;

/* Looks for it in this order: by mappings; by the path less what is to be trimmed, in folders and in those above them; at the path itself. A
 * path that is not absolute is looked for in the folder of the profile and in the working folder, and in those above them. Never NULL. */
WpSourceFile *wp_source_file_find (const char *name, const WpSourcePlaces *places);

/* Reads what was found elsewhere; FALSE: it is not there, and `tried` says so. */
gboolean wp_source_file_read (WpSourceFile *self, const char *path);

void wp_source_file_free (WpSourceFile *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpSourceFile, wp_source_file_free)

static inline gint64
wp_source_file_lines (const WpSourceFile *self)
{
  return self->starts.len > 0 ? self->starts.len - 1 : 0;
}

/* A line, from 1 on, as it is shown: UTF-8 without its end, cut where it is very long. NULL: there is no such line. Free with g_free(). */
char *wp_source_file_line (const WpSourceFile *self, gint64 line);

/* "FROM=TO" that leads from the path of a profile to a file with the same name in or below this folder, as the longest common end has it. NULL:
 * there is none. Free with g_free(). */
char *wp_source_mapping (const char *name, const char *folder);
