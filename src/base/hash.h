/* Hashes for all tables whose keys come from outside. Each run of the program draws a seed of its own, so that nobody can write a
 * file whose keys fall into one slot: who uses GLib's own (g_str_hash, g_direct_hash, …) there lets a small file take hours. */
#pragma once

#include <glib.h>
#include <string.h>

/* Drawn before main(); both sides of a product, so neither is 0. */
extern guint64 wp_hash_seeds[2];

__extension__ typedef unsigned __int128 WpHashProduct;

static inline guint64
wp_hash_fold (guint64 a, guint64 b)
{
  WpHashProduct product = (WpHashProduct) a * b;

  return (guint64) product ^ (guint64) (product >> 64);
}

/* Keys at equal distances stay so after one product: all bits are mixed once more (as MurmurHash3 ends). */
static inline guint64
wp_hash_mix (guint64 h)
{
  h = (h ^ h >> 33) * G_GUINT64_CONSTANT (0xff51afd7ed558ccd);
  h = (h ^ h >> 33) * G_GUINT64_CONSTANT (0xc4ceb9fe1a85ec53);
  return h ^ h >> 33;
}

static inline guint64
wp_hash_pair (guint64 a, guint64 b)
{
  return wp_hash_mix (wp_hash_fold (a ^ wp_hash_seeds[0], b ^ wp_hash_seeds[1]));
}

static inline guint64
wp_hash_number (guint64 x)
{
  return wp_hash_mix (wp_hash_fold (x ^ wp_hash_seeds[0], wp_hash_seeds[1]));
}

guint64 wp_hash_bytes (const void *data, gsize n);

/* For GHashTable, in place of g_str_hash(), g_direct_hash() (or NULL) and g_int64_hash(). */
guint wp_hash_string (gconstpointer key);
guint wp_hash_pointer (gconstpointer key);
guint wp_hash_int64 (gconstpointer key);
