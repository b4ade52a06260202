/* What the commands on a file share: their options, opening, and the paths of the wanted task. */
#pragma once

#include "profile/document.h"

typedef struct
{
  const char *file;
  char *task;        /* --task */
  char *format;      /* --format, or the command's default */
  char *output;      /* -o */
  char *idle_task;   /* --idle-task */
  char *from, *to;   /* --from, --to */
  gboolean merge_threads;
  gboolean consolidated;
  gint64 from_ns, to_ns; /* 0 … G_MAXINT64 */
} WpCliOptions;

void wp_cli_options_clear (WpCliOptions *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpCliOptions, wp_cli_options_clear)

/* Parses the options of a command on one file; `formats` are the names it accepts, the default first, NULL-terminated.
 * Returns 0, or the exit status of what has been told already. */
int wp_cli_parse (int argc, char **argv, const char *const *formats, WpCliOptions *options);

/* Opens the file with its symbols. */
WpDocument *wp_cli_open (const WpCliOptions *options, GError **error);

/* The paths of the wanted task; errors name the file. */
WpPaths *wp_cli_paths (WpDocument *document, const WpCliOptions *options, gboolean *owned, GError **error);

/* Appends a JSON string with its quotes. */
void wp_cli_json_string (GString *out, const char *text);
/* Appends a field of a TSV line: tabs and newlines become spaces. */
void wp_cli_tsv_field (GString *out, const char *text);
/* Prints and empties the string. */
void wp_cli_flush (GString *out);
/* The tasks with their times, in the format of that name (tsv, json, text). */
void wp_cli_tasks (GString *out, const WpDocument *document, const char *format);
/* "diagnostics": { … } as in `report`. */
void wp_cli_json_diagnostics (GString *out, const WpDiagnostics *diagnostics);
