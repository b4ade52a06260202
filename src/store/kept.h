/* What was read of a store, kept for the next time (kept-file.h): the entries of indexes, which value types profiles have that were made of stacks,
 * and figures of profiles.
 *
 * Each counts as long as the files that it was read from are the same: by inode, size and times, an index also by its checksum's file and by the objects
 * that it names. What changed shortly before the store was opened, or since, is not kept: it could change again within the same tick of the
 * clock. Only what was read without any trouble is kept. */
#pragma once

#include "profile/model/figures.h"
#include "store/store.h"

typedef struct WpStoreKept WpStoreKept;

/* With what is kept of this store, `folder` being the `.perun`; and `objects` those in it. */
WpStoreKept *wp_store_kept_new (const char *folder, const char *objects);
void wp_store_kept_free (WpStoreKept *self); /* keeps what is new, where it is worth a file; NULL is fine */

/* What a file among the objects is, when it has this inode still. */
typedef enum
{
  WP_STORE_KEPT_UNKNOWN,
  WP_STORE_KEPT_INDEX,
  WP_STORE_KEPT_OBJECT,
} WpStoreKeptKind;
WpStoreKeptKind wp_store_kept_kind (const WpStoreKept *self, const char *hash, guint64 inode);

/* A commit's entries in the order of its index; NULL: they have to be read. */
GPtrArray *wp_store_kept_entries (WpStoreKept *self, const char *minor);
void wp_store_kept_set_entries (WpStoreKept *self, const char *minor, const GPtrArray *entries); /* as they were read, none with a problem */

/* The names of a profile's value types; *known FALSE: they have to be read. NULL: it was not made of stacks. */
GPtrArray *wp_store_kept_types (WpStoreKept *self, const char *sha1, gboolean *known);
void wp_store_kept_set_types (WpStoreKept *self, const char *sha1, const GPtrArray *types);

/* Figures of a profile, each by its wp_figure_id(); `type` may be NULL. FALSE: not all of them are known. */
gboolean wp_store_kept_figures (WpStoreKept *self, const char *sha1, const char *type, const WpFigure *figures, guint n, WpFigureValue *values);
void wp_store_kept_set_figures (WpStoreKept *self, const char *sha1, const char *type, const WpFigure *figures, guint n,
                                const WpFigureValue *values);
