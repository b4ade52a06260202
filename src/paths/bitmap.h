/* A set of ids that answers "the largest member at or below x" in a few steps: a bitmap with summaries of 64. */
#pragma once

#include "base/array.h"

#define WP_BITMAP_LEVELS 6

typedef struct
{
  guint64 *words[WP_BITMAP_LEVELS];
  guint levels;
} WpBitmap;

static inline void
wp_bitmap_init (WpBitmap *self, guint32 n)
{
  gsize size = n;

  self->levels = 0;
  do
    {
      size = size / 64 + 1;
      self->words[self->levels++] = g_new0 (guint64, size);
    }
  while (size > 1);
}

static inline void
wp_bitmap_clear (WpBitmap *self)
{
  for (guint l = 0; l < self->levels; l++)
    g_free (self->words[l]);
  self->levels = 0;
}

static inline void
wp_bitmap_add (WpBitmap *self, guint32 x)
{
  for (guint l = 0; l < self->levels; l++, x /= 64)
    self->words[l][x / 64] |= G_GUINT64_CONSTANT (1) << (x % 64);
}

static inline gboolean
wp_bitmap_has (const WpBitmap *self, guint32 x)
{
  return self->words[0][x / 64] >> (x % 64) & 1;
}

/* The largest member at or below x, or 0 (0 itself is never a member). */
static inline guint32
wp_bitmap_at_or_below (const WpBitmap *self, guint32 x)
{
  guint32 at = x;

  for (guint l = 0; l < self->levels; l++)
    {
      guint64 word = self->words[l][at / 64] & (~G_GUINT64_CONSTANT (0) >> (63 - at % 64));

      if (word != 0)
        {
          at = at / 64 * 64 + 63 - __builtin_clzll (word);
          while (l-- > 0)
            at = at * 64 + 63 - __builtin_clzll (self->words[l][at]);
          return at;
        }
      if (at < 64)
        return 0;
      at = at / 64 - 1;
    }
  return 0;
}
