/* Names of user functions that a recording brings along, so that it can be read when the programs are no longer there: those
 * of the frames in its stacks, as they were known when it ended.
 *
 * They are kept as texts of at most WP_OWN_NAMES_MAX bytes: the path of a module, its build id ("" where it has none), then for
 * each function its name, the number of its frames in 16 bits and their offsets in 64 bits each; an empty name ends the text. All
 * names end with a zero, and nothing is aligned. */
#pragma once

#include "trace/trace.h"

#define WP_OWN_NAMES_MAX 60000

typedef struct WpOwnNames WpOwnNames;

WpOwnNames *wp_own_names_new (void);
void wp_own_names_free (WpOwnNames *self);

/* Copies a text; FALSE: it is damaged, and what comes before the damage was taken. */
gboolean wp_own_names_add (WpOwnNames *self, const guint8 *data, gsize size);

/* NULL: it brings none for this frame. Of a file without a build id, `build_id` is "", or "-" when there is another one now. */
const char *wp_own_names_find (WpOwnNames *self, const char *path, const char *build_id, guint64 offset);

/* The texts (GByteArray) of all user frames that have names. */
GPtrArray *wp_own_names_write (const WpTrace *trace);
