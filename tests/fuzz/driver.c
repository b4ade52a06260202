/* Runs a fuzz target without libFuzzer: replays what the corpus and the target's own seeds hold, then changes them
 * at random for a bounded time and number of runs, always the same ones.
 *
 *   driver [--runs N] [--seconds S] [FILE…]
 * */
#include <glib.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HANG_SECONDS 60
#define SIZE_MAX_GROWN (1 << 20)

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/* A target may bring seeds of its own: GByteArrays. */
void wp_fuzz_seeds (GPtrArray *seeds);

__attribute__ ((weak)) void
wp_fuzz_seeds (GPtrArray *seeds)
{
}

static void
run (const GByteArray *input)
{
  g_autofree guint8 *copy = g_memdup2 (input->data, input->len); /* exactly as long as it is, for the sanitizers */

  alarm (HANG_SECONDS);
  LLVMFuzzerTestOneInput (copy, input->len);
  alarm (0);
}

static void
change_bytes (GRand *rand, GByteArray *input)
{
  static const guint64 values[] = { 0, 1, 7, 8, 0xff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, G_MAXINT64,
                                    G_MAXUINT64 };
  guint width = 1 << g_rand_int_range (rand, 0, 4), at = g_rand_int_range (rand, 0, MAX (input->len, 1));
  guint64 value = values[g_rand_int_range (rand, 0, G_N_ELEMENTS (values))];

  if (g_rand_boolean (rand))
    value = g_rand_int (rand);
  memcpy (input->data + at, &value, MIN (width, input->len - at));
}

static void
cut_out (GRand *rand, GByteArray *input)
{
  guint at = g_rand_int_range (rand, 0, input->len), n = g_rand_int_range (rand, 1, 65);

  g_byte_array_remove_range (input, at, MIN (n, input->len - at));
}

static void
repeat (GRand *rand, GByteArray *input)
{
  guint at = g_rand_int_range (rand, 0, input->len), most = g_rand_int_range (rand, 1, 513);
  guint n = MIN (most, input->len - at);
  g_autofree guint8 *piece = g_memdup2 (input->data + at, n);

  if (input->len < SIZE_MAX_GROWN)
    g_byte_array_append (input, piece, n);
}

static void
cut_off (GRand *rand, GByteArray *input)
{
  g_byte_array_set_size (input, g_rand_int_range (rand, 0, input->len));
}

static GByteArray *
mutate (GRand *rand, const GPtrArray *seeds)
{
  static void (*const changes[]) (GRand *rand, GByteArray *input) = { change_bytes, change_bytes, change_bytes,
                                                                      change_bytes,
                                                                      change_bytes, cut_out,      repeat,
                                                                        cut_off };
  const GByteArray *seed = g_ptr_array_index (seeds, g_rand_int_range (rand, 0, seeds->len));
  GByteArray *input = g_byte_array_new ();
  guint n = g_rand_int_range (rand, 1, 6);

  g_byte_array_append (input, seed->data, seed->len);
  for (guint i = 0; i < n && input->len > 0; i++)
    changes[g_rand_int_range (rand, 0, G_N_ELEMENTS (changes))](rand, input);
  return input;
}

static void
add_file (GPtrArray *seeds, const char *path)
{
  g_autoptr (GError) error = NULL;
  gsize n;
  char *data;

  if (!g_file_get_contents (path, &data, &n, &error))
    g_error ("%s", error->message);
  g_ptr_array_add (seeds, g_byte_array_new_take ((guint8 *) data, n));
}

int
main (int argc, char **argv)
{
  g_autoptr (GPtrArray) seeds = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);
  g_autoptr (GRand) rand = g_rand_new_with_seed (4711);
  guint runs = 20000, seconds = 10, done = 0;
  gint64 end;

  for (int i = 1; i < argc; i++)
    if (g_str_equal (argv[i], "--runs") && i + 1 < argc)
      runs = atoi (argv[++i]);
    else if (g_str_equal (argv[i], "--seconds") && i + 1 < argc)
      seconds = atoi (argv[++i]);
    else
      add_file (seeds, argv[i]);
  wp_fuzz_seeds (seeds);
  for (guint i = 0; i < seeds->len; i++)
    run (g_ptr_array_index (seeds, i));
  end = g_get_monotonic_time () + seconds * G_USEC_PER_SEC;
  for (; seeds->len > 0 && done < runs && g_get_monotonic_time () < end; done++)
    {
      g_autoptr (GByteArray) input = mutate (rand, seeds);

      run (input);
    }
  g_print ("%u seeds and %u changed inputs read\n", seeds->len, done);
  return seeds->len > 0 && done > 0 ? 0 : 1;
}
