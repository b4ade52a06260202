#include "base/checksum.h"

#include "base/bytes.h"

#define LANES 8 /* as many multiplications are under way at a time */
#define ODD G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)

/* For each word another result, and for each sum before it, too: what is odd can be divided by. */
static inline guint64
add_word (guint64 sum, guint64 word)
{
  sum ^= word;
  return (sum << 29 | sum >> 35) * ODD;
}

guint64
wp_checksum (gconstpointer data, gsize n)
{
  const guint8 *p = data;
  guint64 lanes[LANES], sum = add_word (ODD, n), rest = 0;

  for (guint i = 0; i < LANES; i++)
    lanes[i] = i + 1;
  for (; n >= sizeof lanes; n -= sizeof lanes, p += sizeof lanes)
    for (guint i = 0; i < LANES; i++)
      lanes[i] = add_word (lanes[i], wp_read_u64 (p + 8 * i));
  for (guint i = 0; i < LANES; i++)
    sum = add_word (sum, lanes[i]);
  for (; n >= 8; n -= 8, p += 8)
    sum = add_word (sum, wp_read_u64 (p));
  memcpy (&rest, p, n);
  return add_word (sum, rest);
}
