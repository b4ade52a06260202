/* Perun's JSON profile format with its `chunks` region: how the explanation of one process is saved and opened again.
 * Written and read as a stream: memory does not grow with the document. Field by field in FORMAT.md.
 */
#pragma once

#include "paths/explain.h"

/* The first of a saved recording's postprocessors: the analysis and its parameters. */
#define WP_PERUN_POSTPROCESSOR "wakepath-paths"

/* Writes to a temporary file in the same folder, syncs, renames. Numbers are saved so that reopening changes none. */
gboolean wp_perun_save (const char *path, const WpPaths *paths, const WpExplanation *explanation, WpProgress *progress,
                        GError **error);

/* Reads a profile that was saved from a trace. `*paths` refers to `*trace`; free both. Fails with file and place
 * ("FILE: global.resources[17].amount: not a number") on anything else. */
gboolean wp_perun_load (const char *path, WpTrace **trace, WpPaths **paths, WpProgress *progress, GError **error);

/* The same of a text in memory; `name` is for messages. */
gboolean wp_perun_load_text (const char *name, const char *text, gsize n, WpTrace **trace, WpPaths **paths,
                             WpProgress *progress, GError **error);
