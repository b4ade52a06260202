/* A map from pairs of ids to an id: open addressing, in one block of memory. */
#pragma once

#include "base/array.h"
#include "base/hash.h"

typedef struct
{
  guint32 a, b, value;
} WpPair;

typedef struct
{
  WpPair *slots; /* value 0: free */
  guint32 mask, n;
} WpPairMap;

static inline WpPair *
wp_pair_map_slot (const WpPairMap *self, guint32 a, guint32 b)
{
  guint32 i = (guint32) wp_hash_pair (a, b) & self->mask;

  while (self->slots[i].value != 0 && (self->slots[i].a != a || self->slots[i].b != b))
    i = (i + 1) & self->mask;
  return &self->slots[i];
}

static inline void
wp_pair_map_grow (WpPairMap *self)
{
  WpPairMap grown = { .mask = MAX (self->mask * 2 + 1, 1023), .n = self->n };

  grown.slots = g_new0 (WpPair, (gsize) grown.mask + 1);
  for (gsize i = 0; self->slots != NULL && i <= self->mask; i++)
    if (self->slots[i].value != 0)
      *wp_pair_map_slot (&grown, self->slots[i].a, self->slots[i].b) = self->slots[i];
  g_free (self->slots);
  *self = grown;
}

/* The value of a pair, 0 for a new one, which the caller then sets to another. Valid until the next call. */
static inline guint32 *
wp_pair_map_at (WpPairMap *self, guint32 a, guint32 b)
{
  WpPair *slot;

  if (self->slots == NULL || (guint64) self->n * 2 > self->mask)
    wp_pair_map_grow (self);
  slot = wp_pair_map_slot (self, a, b);
  if (slot->value == 0)
    {
      slot->a = a;
      slot->b = b;
      self->n++;
    }
  return &slot->value;
}

static inline void
wp_pair_map_clear (WpPairMap *self)
{
  g_clear_pointer (&self->slots, g_free);
  self->mask = self->n = 0;
}
