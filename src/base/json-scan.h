/* Finds what gives a JSON text its structure, 64 bytes at a time, before anybody reads it: where strings stop being plain, and the brackets
 * outside of strings. Each machine has its way of looking at a block; all find the same, and the plain one works anywhere.
 *
 * It knows nothing of grammar. Where a text is JSON up to some byte, everything found there is right. Behind a mistake the brackets
 * may be wrong, so who uses them must see by other means whether they are; `special` is always right. */
#pragma once

#include <glib.h>

#define WP_JSON_SCAN_BLOCK 64
#define WP_JSON_SCAN_MAX (64 * 1024) /* bytes at once */

/* Of one block; bit i is byte i. */
typedef struct
{
  guint64 special; /* quotes, backslashes, control characters and bytes beyond ASCII: whatever is not plain in a string */
  guint64 quotes, backslashes, brackets;
} WpJsonBlock;

typedef struct
{
  gboolean in_string, escaped; /* what the bytes so far leave open; zero where the first ones stand outside of strings */
  guint32 n_brackets;
  WpJsonBlock blocks[WP_JSON_SCAN_MAX / WP_JSON_SCAN_BLOCK];
  guint16 brackets[WP_JSON_SCAN_MAX + 8]; /* where { } [ ] stand outside of strings */
} WpJsonScan;

/* One way of looking at blocks. */
typedef struct
{
  const char *name;
  gboolean (*works) (void);
  void (*look) (const guint8 *data, gsize n_blocks, WpJsonBlock *blocks);
} WpJsonScanWay;

const WpJsonScanWay *wp_json_scan_ways (guint *n); /* those that were built, best first; the last one is the plain one */

/* The next n bytes of a text; `data` can be read up to a whole number of blocks, and what follows the n bytes there is blank. `way`: NULL is the
 * best one that works here. */
void wp_json_scan (WpJsonScan *self, const guint8 *data, gsize n, const WpJsonScanWay *way);

/* The first special byte from `at` on, at most `n`, where what was scanned ends. */
static inline gsize
wp_json_scan_special (const WpJsonScan *self, gsize at, gsize n)
{
  gsize block = at / WP_JSON_SCAN_BLOCK;
  guint64 bits;

  if (at >= n)
    return n;
  bits = self->blocks[block].special >> at % WP_JSON_SCAN_BLOCK;
  if (bits != 0)
    return at + (gsize) __builtin_ctzll (bits);
  for (block++; block * WP_JSON_SCAN_BLOCK < n; block++)
    if (self->blocks[block].special != 0)
      return block * WP_JSON_SCAN_BLOCK + (gsize) __builtin_ctzll (self->blocks[block].special);
  return n;
}
