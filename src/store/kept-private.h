/* The rows of what is kept of a store: kept-rows.c finds and makes them, kept.c loads and saves them, kept-entries.c and kept-figures.c say what they
 * mean. */
#pragma once

#include "base/table.h"
#include "store/hash-id.h"
#include "store/kept.h"

#define WP_KEPT_NS G_GINT64_CONSTANT (1000000000)
#define WP_KEPT_TEXTS (256u << 20) /* bytes */

/* Which state of a file something was read from. All 0: there was none. */
typedef struct
{
  guint64 inode;
  gint64 size, modified, changed; /* ns since 1970 */
} WpKeptStamp;

typedef struct
{
  WpKeptStamp index, sum;
  guint32 first, n; /* of `entries` */
} WpKeptIndex;

typedef struct
{
  gint64 time;
  guint32 object;
  guint32 path, type, cmd, args, workload, collector, label; /* texts */
  guint32 first, n;                                          /* postprocessors: of `lists` */
} WpKeptEntry;

typedef struct
{
  WpKeptStamp stamp;
  guint32 first, n; /* value types: of `lists` */
  guint32 asked;    /* whether these are known; then WP_KEPT_TYPES_NONE: it was not made of stacks */
  guint32 unused;
} WpKeptObject;

enum { WP_KEPT_TYPES_UNKNOWN, WP_KEPT_TYPES_NONE, WP_KEPT_TYPES_LISTED };

typedef struct
{
  double value;
  guint32 object;
  guint32 figure, type, unit_name; /* texts; type 0: none was meant */
  guint32 unit;
  guint32 unused;
} WpKeptFigure;

/* As they lie here they are kept: without a gap. */
G_STATIC_ASSERT (sizeof (WpKeptIndex) == 72 && sizeof (WpKeptEntry) == 48 && sizeof (WpKeptObject) == 48 && sizeof (WpKeptFigure) == 32);

/* Names of rows. A name that came again is that of the last of its rows. */
typedef struct
{
  WP_ARRAY (WpHashId) ids; /* a row each */
  WP_TABLE (guint32) rows;
} WpKeptNames;

/* Rows 0 of indexes, objects and figures are none. One that was read anew has another row: what was read from the old one is never found. */
struct WpStoreKept
{
  int folder;    /* `.perun`; -1: nothing can be said of its files, so that nothing counts */
  char *objects; /* its folder of objects */
  gint64 before; /* ns since 1970: what changed since is not kept */
  WpKeptNames index_names, object_names;
  WP_ARRAY (WpKeptIndex) indexes;
  WP_ARRAY (WpKeptEntry) entries;
  WP_ARRAY (WpKeptObject) all_objects;
  WP_ARRAY (WpKeptFigure) figures;
  WP_ARRAY (guint32) lists; /* of texts */
  WP_ARRAY (char) texts;    /* each ends with a NUL; the first one is "" */
  WP_TABLE (guint32) by_figure, by_text;
  guint n_new;
};

/* --- kept-rows.c ---------------------------------------------------------------------------------------------------------- */

/* The state that a file has now: of an index or object by its name; of the checksum of an index. FALSE: nobody can tell. */
gboolean wp_kept_stamp_object (const WpStoreKept *self, const WpHashId *id, WpKeptStamp *stamp);
gboolean wp_kept_stamp_sum (const WpStoreKept *self, const WpHashId *minor, WpKeptStamp *stamp);
gboolean wp_kept_is_same (const WpKeptStamp *a, const WpKeptStamp *b);
gboolean wp_kept_is_settled (const WpStoreKept *self, const WpKeptStamp *stamp); /* it cannot have changed unseen */

static inline const char *
wp_kept_text (const WpStoreKept *self, guint32 at)
{
  return self->texts.data + at;
}

guint32 wp_kept_find_text (const WpStoreKept *self, const char *text); /* 0: it is "", or nowhere among the texts */
guint32 wp_kept_add_text (WpStoreKept *self, const char *text);

/* A store of little size may have texts of any length: when there are too many nothing more is kept. */
static inline gboolean
wp_kept_has_room (const WpStoreKept *self)
{
  return self->texts.len < WP_KEPT_TEXTS;
}

/* The last row of an index, whatever became of its files; 0: there is none. */
guint32 wp_kept_find_index (const WpStoreKept *self, const WpHashId *minor);
void wp_kept_add_index (WpStoreKept *self, const WpHashId *minor, const WpKeptIndex *index);

/* The row of an object whose file is still as it was; 0: there is none. The second makes one; 0: it cannot be kept. */
guint32 wp_kept_find_object (const WpStoreKept *self, const WpHashId *id);
guint32 wp_kept_add_object (WpStoreKept *self, const WpHashId *id);
gboolean wp_kept_has_object (const WpStoreKept *self, const WpHashId *id, guint64 inode); /* whether one had this inode */

/* That of the same object, figure and type; 0: there is none. */
guint32 wp_kept_find_figure (const WpStoreKept *self, const WpKeptFigure *figure);
void wp_kept_add_figure (WpStoreKept *self, const WpKeptFigure *figure);

void wp_kept_fill_tables (WpStoreKept *self); /* of rows that were loaded */
