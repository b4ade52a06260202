/* Hash tables with open addressing, in one block of memory, whatever stands in their slots.
 *
 *   WP_TABLE (WpId) ids = { 0 };               // free slots are zero
 *   WP_TABLE_RESERVE (&ids, 256, 2, slot, *slot != 0, hash_of (&rows[*slot]));
 *   slot = WP_TABLE_FIND (&ids, hash, slot, *slot == 0 || is_same (&rows[*slot], row));
 *   if (*slot == 0)
 *     { *slot = new_row; ids.n++; }
 *
 * WpPairMap (base/pair-map.h) is one for pairs of numbers, WpStrings (base/intern.h) one for texts. */
#pragma once

#include "base/array.h"
#include "base/hash.h"

#define WP_TABLE(Slot)                                                                                                                   \
  struct                                                                                                                                 \
  {                                                                                                                                      \
    Slot *slots;                                                                                                                         \
    guint32 mask, n; /* n: slots that are taken; who takes one counts it */                                                              \
  }

/* The first slot, from where `hash` points to, for which `wanted` holds, an expression of the pointer `slot`; it must hold for free ones. The
 * table must have slots. */
#define WP_TABLE_FIND(table, hash, slot, wanted)                                                                                         \
  ({                                                                                                                                     \
    guint32 at_ = (guint32) (hash) & (table)->mask;                                                                                      \
    __typeof__ ((table)->slots + 0) slot = &(table)->slots[at_];                                                                          \
    while (!(wanted))                                                                                                                    \
      {                                                                                                                                  \
        at_ = (at_ + 1) & (table)->mask;                                                                                                 \
        slot = &(table)->slots[at_];                                                                                                     \
      }                                                                                                                                  \
    slot;                                                                                                                                \
  })

/* Makes room for one more: at first so many slots (a power of two), then twice as many whenever more than so many quarters of them are taken.
 * `is_taken` and `hash_of` are expressions of the pointer `slot`. Slots move. */
#define WP_TABLE_RESERVE(table, least, quarters, slot, is_taken, hash_of)                                                                \
  G_STMT_START                                                                                                                           \
  {                                                                                                                                      \
    if ((table)->slots == NULL || (table)->n >= ((guint64) (table)->mask + 1) / 4 * (quarters))                                          \
      {                                                                                                                                  \
        __typeof__ ((table)->slots + 0) slot = (table)->slots, old_ = slot;                                                              \
        const gsize n_old_ = old_ != NULL ? (gsize) (table)->mask + 1 : 0;                                                               \
        (table)->mask = old_ != NULL ? (table)->mask * 2 + 1 : (least) - 1;                                                              \
        (table)->slots = g_malloc0_n ((gsize) (table)->mask + 1, sizeof *old_);                                                          \
        for (gsize i_ = 0; i_ < n_old_; i_++, slot++)                                                                                    \
          if (is_taken)                                                                                                                  \
            {                                                                                                                            \
              guint32 to_ = (guint32) (hash_of) & (table)->mask;                                                                         \
              static const __typeof__ (*old_) free_;                                                                                     \
              while (memcmp (&(table)->slots[to_], &free_, sizeof free_) != 0)                                                           \
                to_ = (to_ + 1) & (table)->mask;                                                                                         \
              (table)->slots[to_] = *slot;                                                                                               \
            }                                                                                                                            \
        g_free (old_);                                                                                                                   \
      }                                                                                                                                  \
  }                                                                                                                                      \
  G_STMT_END

#define WP_TABLE_CLEAR(table)                                                                                                            \
  G_STMT_START                                                                                                                           \
  {                                                                                                                                      \
    g_clear_pointer (&(table)->slots, g_free);                                                                                           \
    (table)->mask = (table)->n = 0;                                                                                                      \
  }                                                                                                                                      \
  G_STMT_END
