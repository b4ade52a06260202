#include "base/hash.h"

#include "base/bytes.h"

#include <sys/auxv.h>
#include <sys/random.h>

guint64 wp_hash_seeds[2];

/* Where the kernel has no randomness yet, what it gave this process for its stack's canary is better than nothing. */
__attribute__ ((constructor)) static void
draw_seeds (void)
{
  const void *given = (const void *) getauxval (AT_RANDOM);

  if (getrandom (wp_hash_seeds, sizeof wp_hash_seeds, GRND_NONBLOCK) != sizeof wp_hash_seeds && given != NULL)
    memcpy (wp_hash_seeds, given, sizeof wp_hash_seeds);
  for (guint i = 0; i < G_N_ELEMENTS (wp_hash_seeds); i++)
    wp_hash_seeds[i] |= G_GUINT64_CONSTANT (1) << (63 * i); /* lowest bit of one, highest of the other: never 0 */
}

/* Sixteen bytes a step, each multiplied by what came before; the last 16 or fewer are read from both ends. */
guint64
wp_hash_bytes (const void *data, gsize n)
{
  const guint8 *p = data;
  guint64 h = wp_hash_number (n), low = 0, high = 0;

  for (; n > 16; n -= 16, p += 16)
    h = wp_hash_fold (wp_read_u64 (p) ^ wp_hash_seeds[0], wp_read_u64 (p + 8) ^ h);
  if (n >= 8)
    low = wp_read_u64 (p), high = wp_read_u64 (p + n - 8);
  else if (n >= 4)
    low = wp_read_u32 (p), high = wp_read_u32 (p + n - 4);
  else if (n > 0)
    low = (guint64) p[0] << 16 | (guint64) p[n / 2] << 8 | p[n - 1];
  return wp_hash_mix (wp_hash_fold (low ^ wp_hash_seeds[1], high ^ h));
}

guint
wp_hash_string (gconstpointer key)
{
  return (guint) wp_hash_bytes (key, strlen (key));
}

guint
wp_hash_pointer (gconstpointer key)
{
  return (guint) wp_hash_number (GPOINTER_TO_SIZE (key));
}

guint
wp_hash_int64 (gconstpointer key)
{
  return (guint) wp_hash_number (*(const guint64 *) key);
}
