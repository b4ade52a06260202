/* Changes of bytes, whatever they are. */
#include "fuzz.h"

#include <string.h>

#define GROWN_MAX (1 << 20)

void
fuzz_replace (GByteArray *input, gsize at, gsize n, gconstpointer with, gsize n_with)
{
  gsize behind = input->len - at - n;
  g_autofree guint8 *copy = g_memdup2 (with, n_with); /* it may be of this very array */

  if (n_with > n)
    g_byte_array_set_size (input, (guint) (input->len + n_with - n));
  memmove (input->data + at + n_with, input->data + at + n, behind);
  if (n_with < n)
    g_byte_array_set_size (input, (guint) (input->len + n_with - n));
  if (n_with > 0)
    memcpy (input->data + at, copy, n_with);
}

static void
put (GByteArray *input, FuzzRandom *random)
{
  gsize at = fuzz_below (random, input->len), width = (gsize) 1 << fuzz_below (random, 4);
  guint64 value = fuzz_number (random);

  memcpy (input->data + at, &value, MIN (width, input->len - at));
}

static void
flip (GByteArray *input, FuzzRandom *random)
{
  input->data[fuzz_below (random, input->len)] ^= 1 << fuzz_below (random, 8);
}

static void
count (GByteArray *input, FuzzRandom *random)
{
  input->data[fuzz_below (random, input->len)] += fuzz_one_in (random, 2) ? 1 : -1;
}

static void
cut_out (GByteArray *input, FuzzRandom *random)
{
  guint at = fuzz_below (random, input->len), n = 1 + fuzz_below (random, 64);

  fuzz_replace (input, at, MIN (n, input->len - at), NULL, 0);
}

static void
repeat (GByteArray *input, FuzzRandom *random)
{
  guint at = fuzz_below (random, input->len), n = 1 + fuzz_below (random, 512);

  if (input->len < GROWN_MAX)
    fuzz_replace (input, fuzz_below (random, input->len), 0, input->data + at, MIN (n, input->len - at));
}

static void
write_word (GByteArray *input, FuzzRandom *random)
{
  const char *word = fuzz_word (random);
  guint at = fuzz_below (random, input->len);

  fuzz_replace (input, at, fuzz_one_in (random, 2) ? MIN (strlen (word), input->len - at) : 0, word, strlen (word));
}

static void
cut_off (GByteArray *input, FuzzRandom *random)
{
  g_byte_array_set_size (input, fuzz_below (random, input->len));
}

void
fuzz_change_bytes (GByteArray *input, FuzzRandom *random)
{
  static const FuzzChange changes[] = { put, put, put, flip, count, cut_out, repeat, write_word, cut_off };

  if (input->len == 0)
    g_byte_array_append (input, (const guint8 *) fuzz_word (random), 1);
  else
    changes[fuzz_below (random, G_N_ELEMENTS (changes))](input, random);
}

void
fuzz_splice_bytes (GByteArray *input, const guint8 *other, gsize n, FuzzRandom *random)
{
  gsize from = fuzz_below (random, n), at = fuzz_below (random, input->len + 1);

  fuzz_replace (input, at, fuzz_below (random, input->len - at + 1), other + from, fuzz_below (random, n - from + 1));
}
