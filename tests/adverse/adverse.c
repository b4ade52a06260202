/* adverse [OPTION…] FILE…: damages recordings in all ways that there are, and says what becomes of the explanation.
 *
 *   --task T        the process of interest; the recorded command's if not given
 *   --idle-task T   what plays the idle task
 *   --seeds N       so many times each damage (3)
 *   --others N      so many other tasks are explained, too (5)
 *   --random N      instead: N random damages of every kind from --seed on, all tasks explained
 *   --stretch N     … each of so many records somewhere, the others are left out: for large recordings
 *   --truncate      instead: cut at every 4 KiB
 *   --step N        … at every N bytes
 *   --last N        … of the last N bytes only
 *   --seconds S     end --random and --truncate then
 *   --typical       a damage fails only if a category grows with most seeds
 *   --damage NAME   only this one, and with --keep OUT: its first damaged recording is left there
 *   --seed N        the first seed (1)
 *   --repeat N      instead: with --keep OUT, the recording N times one after the other, for what is large; nothing is damaged
 *
 * A category other than unaccounted that grows by more than 5 % of the total fails, as does all that must not be.
 */
#include "chain.h"
#include "damage.h"

#include <glib/gstdio.h>
#include <stdlib.h>

#define GROWTH 0.05

static char *task, *idle_task, *only, *keep, **files;
static int seeds = 3, first_seed = 1, others = 5, random_damages, repeat, stretch = G_MAXINT, seconds = 3600, step = 4096, last = G_MAXINT;
static gboolean truncate_all, typical;
static char *folder;

static const GOptionEntry entries[] = {
  { "task", 0, 0, G_OPTION_ARG_STRING, &task, NULL, NULL },
  { "idle-task", 0, 0, G_OPTION_ARG_STRING, &idle_task, NULL, NULL },
  { "seeds", 0, 0, G_OPTION_ARG_INT, &seeds, NULL, NULL },
  { "others", 0, 0, G_OPTION_ARG_INT, &others, NULL, NULL },
  { "random", 0, 0, G_OPTION_ARG_INT, &random_damages, NULL, NULL },
  { "stretch", 0, 0, G_OPTION_ARG_INT, &stretch, NULL, NULL },
  { "seconds", 0, 0, G_OPTION_ARG_INT, &seconds, NULL, NULL },
  { "typical", 0, 0, G_OPTION_ARG_NONE, &typical, NULL, NULL },
  { "damage", 0, 0, G_OPTION_ARG_STRING, &only, NULL, NULL },
  { "keep", 0, 0, G_OPTION_ARG_FILENAME, &keep, NULL, NULL },
  { "seed", 0, 0, G_OPTION_ARG_INT, &first_seed, NULL, NULL },
  { "repeat", 0, 0, G_OPTION_ARG_INT, &repeat, NULL, NULL },
  { "truncate", 0, 0, G_OPTION_ARG_NONE, &truncate_all, NULL, NULL },
  { "step", 0, 0, G_OPTION_ARG_INT, &step, NULL, NULL },
  { "last", 0, 0, G_OPTION_ARG_INT, &last, NULL, NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, NULL },
  { NULL },
};

static void
run (const GByteArray *data, guint n_others, gboolean symbols, ChainResult *result)
{
  ChainOptions options = { .task = task, .idle_task = idle_task, .others = n_others, .symbols = symbols };

  chain_run (data->data, data->len, folder, &options, result);
}

/* The category that grew most, and by what share of the total. */
static double
worst_growth (const ChainResult *whole, const ChainResult *damaged, WpCategory *worst)
{
  double most = 0;

  for (guint c = 0; c < WP_CATEGORY_COUNT; c++)
    {
      double growth = whole->total > 0 ? (double) (damaged->ns[c] - whole->ns[c]) / whole->total : 0;

      if (c != WP_CATEGORY_UNACCOUNTED && growth > most)
        {
          most = growth;
          *worst = c;
        }
    }
  return most;
}

static void
print_categories (const char *name, int seed, const ChainResult *result)
{
  g_print ("  %-22s %2d total %9.3f ms:", name, seed, result->total / 1e6);
  for (guint c = 0; c < WP_CATEGORY_COUNT; c++)
    if (result->total > 0 && result->ns[c] * 1000 > result->total)
      g_print (" %s %.1f %%", wp_category_id (c), 100.0 * result->ns[c] / result->total);
  g_print ("\n");
}

/* What must not be is bad for sure; a category that has grown, or a total that has gone, may be seen again or not. */
typedef enum
{
  GOOD,
  GROWN,
  BAD,
} Verdict;

/* What is hardly there any more cannot grow, so it must be there, unless what was done may take most of its time away. */
static gboolean
has_shrunk (const Damage *damage, const ChainResult *whole, const ChainResult *damaged)
{
  return !damage->may_grow && (!damaged->found || damaged->total < whole->total / 2);
}

/* Whether what came out is as it may be; says what it is. */
static Verdict
judge (const Damage *damage, int seed, const ChainResult *whole, const ChainResult *damaged)
{
  WpCategory worst = WP_CATEGORY_UNACCOUNTED;
  double growth = worst_growth (whole, damaged, &worst);
  gboolean shrunk = has_shrunk (damage, whole, damaged), grown = growth > GROWTH && !damage->may_grow;

  print_categories (damage->name, seed, damaged);
  if (shrunk)
    g_print ("    GROWN: what is missing: the process of interest is %s\n", damaged->found ? "less than half" : "not found");
  if (damaged->wrong != NULL)
    g_print ("    WRONG: %s\n", damaged->wrong);
  if (grown)
    g_print ("    GROWN: %s by %.1f %% of the total\n", wp_category_id (worst), 100 * growth);
  return damaged->wrong != NULL || !damaged->opened ? BAD : grown || shrunk ? GROWN : GOOD;
}

static Verdict
one_damage (const Damage *damage, int seed, Stream *stream, const ChainResult *whole)
{
  g_autoptr (GByteArray) data = damage_apply (damage, stream, seed);
  ChainResult result;
  Verdict verdict;

  if (keep != NULL && seed == first_seed && !g_file_set_contents (keep, (char *) data->data, data->len, NULL))
    g_error ("%s cannot be written", keep);
  run (data, others, FALSE, &result);
  verdict = judge (damage, seed, whole, &result);
  chain_result_clear (&result);
  return verdict;
}

static guint
all_damages (Stream *stream, const ChainResult *whole)
{
  guint bad = 0;

  for (const Damage *damage = damages; damage->name != NULL; damage++)
    {
      guint counts[BAD + 1] = { 0 };

      for (int seed = first_seed; seed < first_seed + seeds && (only == NULL || g_str_equal (only, damage->name)); seed++)
        counts[one_damage (damage, seed, stream, whole)]++;
      bad += counts[BAD] + (!typical || 2 * counts[GROWN] > seeds ? counts[GROWN] : 0);
    }
  return bad;
}

static gboolean
say_wrong (const char *what, guint number, const ChainResult *result)
{
  if (result->wrong != NULL)
    g_print ("  %s %u: WRONG: %s\n", what, number, result->wrong);
  return result->wrong != NULL;
}

static guint
many_random (Stream *stream, gint64 until)
{
  guint bad = 0, opened = 0, done = 0;

  for (; done < random_damages && g_get_monotonic_time () < until; done++)
    {
      guint32 seed = first_seed + done;
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      g_autoptr (GByteArray) data = NULL;
      ChainResult result;

      stream_keep_stretch (stream, stretch, rand);
      data = damage_at_random (stream, rand);
      run (data, G_MAXUINT, done % 8 == 0, &result);
      opened += result.opened;
      bad += say_wrong ("random damage", seed, &result);
      chain_result_clear (&result);
    }
  g_print ("  %u random damages, %u of which could be opened\n", done, opened);
  return bad + (opened == 0);
}

static guint
truncations (const Stream *stream, gint64 until)
{
  guint bad = 0, opened = 0, done = 0;

  /* from the end: what is cut off early has nothing in it */
  for (gsize size = stream->data->len / step * step, end = size - MIN (size, last); g_get_monotonic_time () < until; size -= step, done++)
    {
      GByteArray cut = { .data = stream->data->data, .len = size };
      ChainResult result;

      run (&cut, others, FALSE, &result);
      opened += result.opened;
      bad += say_wrong ("cut at byte", size, &result);
      chain_result_clear (&result);
      if (size < end + step)
        break;
    }
  g_print ("  cut at %u places, %u of which could be opened\n", done, opened);
  return bad + (opened == 0);
}

static guint
check_file (const char *path)
{
  static const Damage none = { "as it was" };
  gint64 until = g_get_monotonic_time () + (gint64) seconds * G_USEC_PER_SEC;
  g_autoptr (GError) error = NULL;
  g_autoptr (Stream) stream = stream_new (path, &error);
  ChainResult whole;
  guint bad;

  if (stream == NULL)
    g_error ("%s", error->message);
  if (repeat > 0)
    return !stream_repeat (stream, repeat, keep);
  run (stream->data, others, TRUE, &whole);
  g_print ("%s: %u records\n", path, stream->records.len);
  bad = judge (&none, 0, &whole, &whole) != GOOD || !whole.found;
  if (random_damages > 0)
    bad += many_random (stream, until);
  else if (truncate_all)
    bad += truncations (stream, until);
  else
    bad += all_damages (stream, &whole);
  chain_result_clear (&whole);
  return bad;
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new ("FILE…");
  g_autoptr (GError) error = NULL;
  guint bad = 0;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || files == NULL)
    g_error ("%s", error != NULL ? error->message : "no file");
  if (repeat > 0 && keep == NULL)
    g_error ("--repeat needs --keep");
  folder = g_dir_make_tmp ("wakepath-adverse-XXXXXX", NULL);
  for (guint i = 0; files[i] != NULL; i++)
    bad += check_file (files[i]);
  for (guint i = 0; i < 3; i++)
    {
      static const char *const made[] = { "damaged.data", "first.perf", "second.perf" };
      g_autofree char *path = g_build_filename (folder, made[i], NULL);

      g_unlink (path);
    }
  g_rmdir (folder);
  g_print ("%u bad\n", bad);
  return bad == 0 ? 0 : 1;
}
