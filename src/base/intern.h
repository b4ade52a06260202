/* Interned strings: equal strings have equal ids; id 0 is the empty string.
 * Pointers returned by wp_strings_get() stay valid as long as the table. Not thread-safe for interning;
 * reading from several threads is fine once nothing interns any more.
 */
#pragma once

#include "base/array.h"

typedef struct WpStrings WpStrings;

WpStrings *wp_strings_new (void);
WpStrings *wp_strings_ref (WpStrings *self);
WpStrings *wp_strings_copy (const WpStrings *self); /* the same ids: to add to while others read this one */

/* All texts behind the empty one, as they can be kept: one after the other, each with a zero behind it, and where each one ends, behind that zero. */
typedef WP_ARRAY (char) WpTextArray;
typedef WP_ARRAY (guint64) WpEndArray;
gboolean wp_strings_pack (const WpStrings *self, WpTextArray *texts, WpEndArray *ends); /* FALSE: there are more than fit into an array */
WpStrings *wp_strings_unpack (const char *texts, guint64 n_texts, const guint64 *ends, guint32 n); /* copies; NULL: they do not fit each other */

void wp_strings_free (WpStrings *self); /* drops a reference; NULL is fine */

WpId wp_strings_intern (WpStrings *self, const char *s); /* NULL counts as "" */
WpId wp_strings_intern_n (WpStrings *self, const char *s, gsize n);

/* Of the bytes of such a field, up to a zero; as the kernel keeps the name of a task. Faster where the same come again and again. */
#define WP_NAME_FIELD 16
WpId wp_strings_intern_name (WpStrings *self, const guint8 *field);
WpId wp_strings_intern_text (WpStrings *self, const char *s, gssize n); /* to be shown: what is no UTF-8 is replaced; n may be -1 */
WpId wp_strings_intern_bytes (WpStrings *self, const char *s, gsize n); /* zeros are part of it; others end at the first one */
const char *wp_strings_get (const WpStrings *self, WpId id);
WpId wp_strings_find (const WpStrings *self, const char *s); /* 0 when it was never interned */
const char *wp_strings_bytes (const WpStrings *self, WpId id, gsize *n); /* with its length, zeros and all */
int wp_strings_compare (const WpStrings *self, WpId a, WpId b); /* as memcmp() has it */
guint32 wp_strings_count (const WpStrings *self);            /* ids are below this */

G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpStrings, wp_strings_free)
