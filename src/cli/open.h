/* What the commands on a file share: their options, opening, and the paths of the wanted task. */
#pragma once

#include "profile/model/document.h"
#include "profile/model/profile.h"

typedef struct
{
  const char *file;
  char *task;        /* --task */
  char *format;      /* --format, or the command's default */
  char *output;      /* -o */
  char *idle_task;   /* --idle-task */
  char *from, *to;   /* --from, --to */
  char *cut;         /* --cut */
  gboolean merge_threads;
  gboolean started_work;
  gboolean consolidated;
  gboolean inverted, collapse_recursion, icicle; /* of what is consolidated */
  gint64 from_ns, to_ns; /* 0 … G_MAXINT64 */
  WpIdArray cuts;    /* sorted */
} WpCliOptions;

/* What a command does with its file; returns the exit status. */
typedef int (*WpCliFileFunc) (WpDocument *document, const WpCliOptions *options);
typedef int (*WpCliProfileFunc) (const WpProfile *profile, const WpCliOptions *options);
typedef int (*WpCliPathsFunc) (WpDocument *document, const WpPaths *paths, const WpCliOptions *options);

/* Parses the options of a command on one file, opens it, with `symbols` looks those up, and does what the command does.
 * `formats` are the names that --format takes, the default first, NULL-terminated. Returns the exit status. */
int wp_cli_with_file (int argc, char **argv, const char *const *formats, gboolean symbols, WpCliFileFunc func);

/* The same, and with another function where the file is a profile that explains no process. */
int wp_cli_with_any (int argc, char **argv, const char *const *formats, gboolean symbols, WpCliFileFunc func, WpCliProfileFunc profile_func);

/* The same with the paths of the wanted task; `more`, when not NULL, are options that only this command has. wp_cli_paths() is for
 * who has the document already. */
int wp_cli_with_paths (int argc, char **argv, const char *const *formats, const GOptionEntry *more, WpCliPathsFunc func);
int wp_cli_paths (WpDocument *document, const WpCliOptions *options, WpCliPathsFunc func);

/* The format that a file's name ends with; the first one where it ends with none of these. `file` may be NULL. */
const char *wp_cli_format_of (const char *file, const char *const *formats);

/* What a file for these is called where nobody says: after the process. */
char *wp_cli_file_of (const WpPaths *paths, const char *suffix);

/* Prints and empties the string. */
void wp_cli_flush (GString *out);

/* Prints it too, or puts it into this file; `file` may be NULL. Returns the exit status. */
int wp_cli_put (GString *out, const char *file);

/* The tasks with their times, in the format of that name (tsv, json, text). */
void wp_cli_tasks (GString *out, const WpDocument *document, const char *format);
