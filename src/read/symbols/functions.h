/* The functions of one file, by address: of an ELF file, or of code that a program made itself and listed in a map. */
#pragma once

#include "base/array.h"

#include <gio/gio.h>

typedef struct WpFunctions WpFunctions;

WpFunctions *wp_functions_new (void);
void wp_functions_free (WpFunctions *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpFunctions, wp_functions_free)

/* One more. `order` says how good a name it is, for those that share an address: less is better. A size of 0 means up to the
 * next one. The name has `n` bytes and gets the suffix. */
void wp_functions_add (WpFunctions *self, guint64 start, guint64 size, guint32 order, const char *name, gsize n,
                       const char *suffix);
/* The one that was added last names only what lies in no function. */
void wp_functions_is_label (WpFunctions *self);
guint32 wp_functions_count (const WpFunctions *self);
void wp_functions_sort (WpFunctions *self); /* when all are there, before looking up */

/* The row of the function at this address; -1: none. */
gint64 wp_functions_find (const WpFunctions *self, guint64 address);
const char *wp_functions_name (const WpFunctions *self, guint32 row);
void wp_functions_range (const WpFunctions *self, guint32 row, guint64 *start, guint64 *end); /* end: G_MAXUINT64 where it is not known */
