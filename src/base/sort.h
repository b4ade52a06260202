/* Comparisons for qsort(), g_array_sort() and their like. */
#pragma once

#include "base/array.h"
#include "base/progress.h"

#include <stdlib.h>

#define WP_COMPARE(x, y) (((x) > (y)) - ((x) < (y)))

/* Defines a comparison of rows by one member, smallest first; by one and, where that is the same, by another. */
#define WP_DEFINE_COMPARE(name, Row, member)                                                                                             \
  static int name (const void *a, const void *b)                                                                                         \
  {                                                                                                                                      \
    const Row *x = a, *y = b;                                                                                                            \
    return WP_COMPARE (x->member, y->member);                                                                                            \
  }

#define WP_DEFINE_COMPARE_2(name, Row, member, other)                                                                                    \
  static int name (const void *a, const void *b)                                                                                         \
  {                                                                                                                                      \
    const Row *x = a, *y = b;                                                                                                            \
    return x->member != y->member ? (x->member < y->member ? -1 : 1) : WP_COMPARE (x->other, y->other);                                  \
  }

/* Of plain numbers; of pointers to texts, by bytes. */
int wp_compare_doubles (const void *a, const void *b);
int wp_compare_ids (const void *a, const void *b);
int wp_compare_texts (const void *a, const void *b);

/* Sorts many rows and looks at the progress meanwhile: FALSE when cancelled, and then they are in no order. */
gboolean wp_sort_many (gpointer rows, gsize n, gsize size, int (*compare) (const void *, const void *), WpProgress *progress, GError **error);

/* qsort() takes no NULL, not even for no rows. */
#define wp_array_sort(array, compare)                                                                                                    \
  G_STMT_START                                                                                                                           \
  {                                                                                                                                      \
    if ((array)->len > 1)                                                                                                                \
      qsort ((array)->data, (array)->len, sizeof *(array)->data, (compare));                                                             \
  }                                                                                                                                      \
  G_STMT_END
