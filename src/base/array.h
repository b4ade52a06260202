/* Growable columns: a typed, contiguous array of plain rows.
 *
 *   typedef WP_ARRAY (WpSample) WpSampleArray;
 *   WpSampleArray a = { 0 };
 *   wp_array_push (&a, ((WpSample) { .time = 1 }));
 *   WpSample *s = wp_array_add (&a);       // a zeroed row; valid until the next add or push
 *   wp_array_clear (&a);
 *
 * Ids are 32-bit indexes into such columns; row 0 is kept empty where an id of 0 means "none".
 * A column may be *lent* rows that belong to somebody else, who keeps them as long as it: they stand where they are, are not written to, and
 * are copied when rows are added. Such a column has rows and no room (`cap` 0).
 * Running out of memory or of 2^32 rows aborts, as GLib does.
 */
#pragma once

#include <glib.h>
#include <string.h>

#define WP_ARRAY(T) \
  struct            \
  {                 \
    T *data;        \
    guint32 len;    \
    guint32 cap;    \
  }

/* Bytes. What grows beyond the first is taken to become large, and has room for the second at once: that is a mapping of its own (own-mappings.h), which grows
 * without being copied. Room that nobody touches is none. */
#define WP_ARRAY_GROWING_ ((guint64) 1 << 20)
#define WP_ARRAY_LARGE_ ((guint64) 8 << 20)

static inline void
wp_array_grow_ (void **data, guint32 len, guint32 *cap, guint64 need, gsize row_size)
{
  guint64 n = MAX (need, (guint64) *cap + *cap / 2 + 8);
  const void *lent = *cap == 0 ? *data : NULL;

  if (n * row_size >= WP_ARRAY_GROWING_ && n * row_size < WP_ARRAY_LARGE_)
    n = WP_ARRAY_LARGE_ / row_size + 1;
  n = MIN (n, (guint64) G_MAXUINT32);
  g_assert (need <= n);
  *data = g_realloc_n (lent != NULL ? NULL : *data, n, row_size);
  if (lent != NULL)
    memcpy (*data, lent, (gsize) len * row_size);
  *cap = (guint32) n;
}

/* Makes room for `n` rows in all. */
#define wp_array_reserve(a, n)                                                                     \
  G_STMT_START                                                                                     \
  {                                                                                                \
    if ((guint64) (n) > (a)->cap)                                                                  \
      wp_array_grow_ ((void **) &(a)->data, (a)->len, &(a)->cap, (n), sizeof *(a)->data);          \
  }                                                                                                \
  G_STMT_END

#define wp_array_push(a, v)                                                                        \
  G_STMT_START                                                                                     \
  {                                                                                                \
    wp_array_reserve ((a), (guint64) (a)->len + 1);                                                \
    (a)->data[(a)->len++] = (v);                                                                   \
  }                                                                                                \
  G_STMT_END

/* Appends a zeroed row and returns a pointer to it. */
#define wp_array_add(a)                                                                            \
  (((a)->len < (a)->cap                                                                            \
      ? (void) 0                                                                                   \
      : wp_array_grow_ ((void **) &(a)->data, (a)->len, &(a)->cap, (guint64) (a)->len + 1,         \
                        sizeof *(a)->data)),                                                       \
   memset (&(a)->data[(a)->len], 0, sizeof *(a)->data), &(a)->data[(a)->len++])

/* Sets the length, zeroing what is added. */
#define wp_array_resize(a, n)                                                                      \
  G_STMT_START                                                                                     \
  {                                                                                                \
    guint32 n_ = (n);                                                                              \
    wp_array_reserve ((a), n_);                                                                    \
    if (n_ > (a)->len)                                                                             \
      memset ((a)->data + (a)->len, 0, (gsize) (n_ - (a)->len) * sizeof *(a)->data);               \
    (a)->len = n_;                                                                                 \
  }                                                                                                \
  G_STMT_END

/* Makes one array hold the rows of another one of the same type. */
#define wp_array_copy(to, from)                                                                    \
  G_STMT_START                                                                                     \
  {                                                                                                \
    (to)->len = 0;                                                                                 \
    wp_array_reserve ((to), (from)->len);                                                          \
    if ((from)->len > 0)                                                                           \
      memcpy ((to)->data, (from)->data, (gsize) (from)->len * sizeof *(from)->data);               \
    (to)->len = (from)->len;                                                                       \
  }                                                                                                \
  G_STMT_END

/* Gives unused room back. */
#define wp_array_trim(a)                                                                           \
  G_STMT_START                                                                                     \
  {                                                                                                \
    if ((a)->len < (a)->cap)                                                                       \
      {                                                                                            \
        (a)->data = g_realloc_n ((a)->data, (a)->len, sizeof *(a)->data);                          \
        (a)->cap = (a)->len;                                                                       \
      }                                                                                            \
  }                                                                                                \
  G_STMT_END

/* Lends `n` rows to an array that has none. */
#define wp_array_lend(a, rows, n)                                                                  \
  G_STMT_START                                                                                     \
  {                                                                                                \
    (a)->len = (n);                                                                                \
    (a)->data = (a)->len > 0 ? (rows) : NULL;                                                      \
    (a)->cap = 0;                                                                                  \
  }                                                                                                \
  G_STMT_END

#define wp_array_clear(a)                                                                          \
  G_STMT_START                                                                                     \
  {                                                                                                \
    if ((a)->cap > 0)                                                                              \
      g_free ((a)->data);                                                                          \
    (a)->data = NULL;                                                                              \
    (a)->len = (a)->cap = 0;                                                                       \
  }                                                                                                \
  G_STMT_END

typedef guint32 WpId; /* an index into a column; 0 means none */
typedef WP_ARRAY (WpId) WpIdArray;
