/* Names of user functions that a recording brings along: those of the frames in its stacks, as they were known when it ended. With them it can be
 * read when the programs are no longer there.
 *
 * They are kept as texts of at most WP_CARRIED_NAMES_MAX bytes: the path of a module, its build id ("" where it has none), then for
 * each function its name, the number of its frames in 16 bits and their offsets in 64 bits each; an empty name ends the text. All
 * names end with a zero, and nothing is aligned. */
#pragma once

#include "trace/trace.h"

#define WP_CARRIED_NAMES_MAX 60000

typedef struct WpCarriedNames WpCarriedNames;

WpCarriedNames *wp_carried_names_new (void);
void wp_carried_names_free (WpCarriedNames *self);

/* Copies a text; FALSE: it is damaged, and what comes before the damage was taken. */
gboolean wp_carried_names_add (WpCarriedNames *self, const guint8 *data, gsize size);

/* NULL: it brings none for this frame. Of a file without a build id, `build_id` is "", or "-" when there is another one now. */
const char *wp_carried_names_find (WpCarriedNames *self, const char *path, const char *build_id, guint64 offset);

/* The texts (GByteArray) of all user frames that have names. */
GPtrArray *wp_carried_names_write (const WpTrace *trace);
