/* Hashes: what GLib's and FNV's put into one slot is spread, and no two runs spread it alike. */
#include "base/hash.h"

#include <stdlib.h>

#define N 65536

typedef guint64 (*Hash) (guint64 i);

/* All equal for g_direct_hash(), which looks at 32 bits. */
static guint64
high_halves (guint64 i)
{
  return wp_hash_pointer (GSIZE_TO_POINTER (i << 32));
}

/* One slot of a table that multiplies by the golden ratio and takes the upper half. */
static guint64
golden_multiples (guint64 i)
{
  guint64 inverse = G_GUINT64_CONSTANT (0xf1de83e19937733d);

  g_assert_cmpuint (inverse * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15), ==, 1);
  return wp_hash_number (i * inverse);
}

static guint64
pairs (guint64 i)
{
  return wp_hash_pair (i & 0xff, i >> 8);
}

static guint64
texts (guint64 i)
{
  char text[64];

  g_snprintf (text, sizeof text, "a name that all have in common %" G_GUINT64_FORMAT, i);
  return wp_hash_string (text);
}

static guint64
short_texts (guint64 i)
{
  char text[4] = { (char) (1 + i % 255), (char) (1 + i / 255 % 255), (char) (1 + i / 255 / 255), '\0' };

  return wp_hash_string (text);
}

static guint64
zeros (guint64 i)
{
  static guint8 nothing[N];

  return wp_hash_bytes (nothing, i);
}

static const struct
{
  const char *name;
  Hash hash;
} hashes[] = {
  { "high-halves", high_halves }, { "golden-multiples", golden_multiples }, { "pairs", pairs },
  { "texts", texts },             { "short-texts", short_texts },           { "zeros", zeros },
};

/* Of as many slots as there are keys about 63 % are taken by chance. */
static void
test_spread (gconstpointer data)
{
  Hash hash = hashes[GPOINTER_TO_UINT (data)].hash;
  g_autofree guint8 *slots = g_new0 (guint8, N);
  guint taken = 0, most = 0;

  for (guint64 i = 0; i < N; i++)
    {
      guint8 *slot = &slots[hash (i) % N];

      taken += *slot == 0;
      *slot += *slot < G_MAXUINT8;
      most = MAX (most, *slot);
    }
  g_assert_cmpuint (taken, >, N * 6 / 10);
  g_assert_cmpuint (most, <, 16);
}

static void
test_seeded (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL), *first = NULL, *second = NULL;
  char *argv[] = { program, (char *) "--print", NULL };

  g_assert_true (g_spawn_sync (NULL, argv, NULL, 0, NULL, NULL, &first, NULL, NULL, NULL));
  g_assert_true (g_spawn_sync (NULL, argv, NULL, 0, NULL, NULL, &second, NULL, NULL, NULL));
  g_assert_cmpuint (strlen (first), >, 10);
  g_assert_cmpstr (first, !=, second);
}

int
main (int argc, char **argv)
{
  if (argc > 1 && g_str_equal (argv[1], "--print"))
    {
      g_print ("%" G_GUINT64_FORMAT "\n", wp_hash_bytes ("key", 3));
      return 0;
    }
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (hashes); i++)
    {
      g_autofree char *path = g_strconcat ("/hash/spread/", hashes[i].name, NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_spread);
    }
  g_test_add_func ("/hash/seeded", test_seeded);
  return g_test_run ();
}
