/* A map from pairs of ids, or numbers of 64 bits in halves, to an id. */
#pragma once

#include "base/table.h"

typedef struct
{
  guint32 a, b, value;
} WpPair;

typedef WP_TABLE (WpPair) WpPairMap; /* value 0: free */

/* The value of a pair, 0 for a new one, which the caller then sets to another. Valid until the next call. */
static inline guint32 *
wp_pair_map_at (WpPairMap *self, guint32 a, guint32 b)
{
  WpPair *found;

  WP_TABLE_RESERVE (self, 1024, 2, slot, slot->value != 0, wp_hash_pair (slot->a, slot->b));
  found = WP_TABLE_FIND (self, wp_hash_pair (a, b), slot, slot->value == 0 || (slot->a == a && slot->b == b));
  if (found->value == 0)
    {
      found->a = a;
      found->b = b;
      self->n++;
    }
  return &found->value;
}

/* The value of a pair, 0 for one that is not there. */
static inline guint32
wp_pair_map_get (const WpPairMap *self, guint32 a, guint32 b)
{
  return self->slots == NULL ? 0
                             : WP_TABLE_FIND (self, wp_hash_pair (a, b), slot, slot->value == 0 || (slot->a == a && slot->b == b))->value;
}

static inline void
wp_pair_map_clear (WpPairMap *self)
{
  WP_TABLE_CLEAR (self);
}
