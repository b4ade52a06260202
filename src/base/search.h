/* Binary searches: every search in a sorted table is one expression.
 *
 *   first = WP_SEARCH (0, ops->len, i, ops->data[i].end <= time);   // the first operation that ends after `time`
 */
#pragma once

#include <glib.h>

/* The first of the rows `first` … `end` − 1 for which `is_before`, an expression of `row`, does not hold; `end` where it holds for all. It
 * holds for all rows before the one that is found and for none behind it. */
#define WP_SEARCH(first, end, row, is_before)                                                                                            \
  ({                                                                                                                                     \
    guint32 low_ = (first), high_ = (end);                                                                                               \
    while (low_ < high_)                                                                                                                 \
      {                                                                                                                                  \
        const guint32 row = low_ + (high_ - low_) / 2;                                                                                   \
        if (is_before)                                                                                                                   \
          low_ = row + 1;                                                                                                                \
        else                                                                                                                             \
          high_ = row;                                                                                                                   \
      }                                                                                                                                  \
    low_;                                                                                                                                \
  })
