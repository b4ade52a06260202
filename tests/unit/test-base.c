/* Columns, tables, searches, interned strings, rows by their names, durations, sums, and who asks for files. */
#include "base/asked-files.h"
#include "base/beside.h"
#include "base/checksum.h"
#include "base/find.h"
#include "base/format.h"
#include "base/free-aside.h"
#include "base/intern.h"
#include "base/moments.h"
#include "base/pair-map.h"
#include "base/quote.h"
#include "base/search.h"
#include "base/sort.h"

#include <string.h>
#include <unistd.h>

static void
test_array (void)
{
  WP_ARRAY (guint64) a = { 0 };

  for (guint64 i = 0; i < 100000; i++)
    wp_array_push (&a, i * i);
  g_assert_cmpuint (a.len, ==, 100000);
  for (guint64 i = 0; i < a.len; i++)
    g_assert_cmpuint (a.data[i], ==, i * i);
  *wp_array_add (&a) += 7; /* added rows are zeroed */
  g_assert_cmpuint (a.data[a.len - 1], ==, 7);
  wp_array_resize (&a, 10);
  wp_array_resize (&a, 20);
  g_assert_cmpuint (a.data[19], ==, 0);
  wp_array_trim (&a);
  g_assert_cmpuint (a.cap, ==, 20);
  wp_array_clear (&a);
  g_assert_null (a.data);
}

/* Rows of somebody else stay as they are, whatever is added. */
static void
test_lent (void)
{
  static const guint64 rows[] = { 1, 2, 3 };
  WP_ARRAY (guint64) a = { 0 };

  wp_array_lend (&a, (guint64 *) rows, 3);
  g_assert_true (a.data == rows);
  wp_array_trim (&a);
  wp_array_push (&a, 4);
  g_assert_cmpuint (a.len, ==, 4);
  g_assert_cmpuint (a.data[0], ==, 1);
  g_assert_cmpuint (a.data[3], ==, 4);
  wp_array_clear (&a);
  wp_array_lend (&a, (guint64 *) rows, 3);
  wp_array_resize (&a, 2);
  g_assert_cmpuint (a.data[1], ==, 2);
  wp_array_clear (&a);
  wp_array_lend (&a, (guint64 *) rows, 3);
  *wp_array_add (&a) = 5;
  g_assert_cmpuint (a.data[2], ==, 3);
  wp_array_clear (&a);
  wp_array_lend (&a, (guint64 *) rows, 3);
  wp_array_clear (&a); /* gives nothing back */
  wp_array_lend (&a, (guint64 *) rows, 0);
  wp_array_push (&a, 6);
  g_assert_cmpuint (a.len, ==, 1);
  wp_array_clear (&a);
}

/* In rows of 0, 0, 2, 2, 4, 4, …, of any number. */
static void
test_search (void)
{
  guint32 rows[9];

  for (guint32 n = 0; n <= G_N_ELEMENTS (rows); n++)
    for (guint32 wanted = 0; wanted < 12; wanted++)
      {
        guint32 found, expected = 0;

        for (guint32 i = 0; i < n; i++)
          rows[i] = i / 2 * 2;
        while (expected < n && rows[expected] < wanted)
          expected++;
        found = WP_SEARCH (0, n, i, rows[i] < wanted);
        g_assert_cmpuint (found, ==, expected);
        found = WP_SEARCH (MIN (2, n), n, i, rows[i] < wanted);
        g_assert_cmpuint (found, ==, MAX (expected, MIN (2, n)));
      }
}

typedef struct
{
  guint32 first;
  double second;
} Sorted;

WP_DEFINE_COMPARE (compare_first, Sorted, first)
WP_DEFINE_COMPARE_2 (compare_both, Sorted, first, second)

static void
test_sort (void)
{
  WP_ARRAY (Sorted) rows = { 0 };
  const Sorted one = { 1, 2 }, other = { 1, 3 }, last = { G_MAXUINT32, 0 };

  wp_array_sort (&rows, compare_both); /* there is nothing to sort */
  wp_array_push (&rows, last);
  wp_array_push (&rows, other);
  wp_array_push (&rows, one);
  wp_array_sort (&rows, compare_both);
  g_assert_cmpfloat (rows.data[0].second, ==, 2);
  g_assert_cmpfloat (rows.data[1].second, ==, 3);
  g_assert_cmpuint (rows.data[2].first, ==, G_MAXUINT32);
  g_assert_cmpint (compare_first (&one, &other), ==, 0);
  g_assert_cmpint (compare_first (&one, &last), <, 0);
  g_assert_cmpint (compare_first (&last, &one), >, 0);
  wp_array_clear (&rows);
}

/* Of every length around that of its blocks, and cancelled: no row is lost or doubled. */
static void
test_sort_many (void)
{
  static const gsize lengths[] = { 0, 1, 2, 8191, 8192, 8193, 16384, 16385, 50000, 100000 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  WpProgress progress = { .cancellable = cancellable };
  g_autofree double *rows = g_new (double, 100000), *plain = g_new (double, 100000);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    for (guint kind = 0; kind < 3; kind++)
      {
        for (gsize k = 0; k < lengths[i]; k++)
          plain[k] = rows[k] = kind == 0 ? (double) k : kind == 1 ? -(double) k : g_test_rand_int_range (0, 1000);
        if (lengths[i] > 1)
          qsort (plain, lengths[i], sizeof *plain, wp_compare_doubles);
        g_assert_true (wp_sort_many (rows, lengths[i], sizeof *rows, wp_compare_doubles, NULL, NULL));
        g_assert_cmpmem (rows, lengths[i] * sizeof *rows, plain, lengths[i] * sizeof *plain);
      }
  g_cancellable_cancel (cancellable);
  for (gsize k = 0; k < 100000; k++)
    plain[k] = rows[k] = g_test_rand_double ();
  g_assert_false (wp_sort_many (rows, 100000, sizeof *rows, wp_compare_doubles, &progress, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  qsort (plain, 100000, sizeof *plain, wp_compare_doubles);
  qsort (rows, 100000, sizeof *rows, wp_compare_doubles);
  g_assert_cmpmem (rows, 100000 * sizeof *rows, plain, 100000 * sizeof *plain);
}

/* Beside a stable sort: in order, backwards, anyhow, nearly all at once, and over all of time; equal ones keep their order. */
static void
test_moments (void)
{
  static const guint32 lengths[] = { 0, 1, 2, 3, 50, 5000, 70000 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  WpProgress progress = { .cancellable = cancellable };
  g_autoptr (GError) error = NULL;
  WpMoments moments = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    for (guint kind = 0; kind < 5; kind++)
      {
        moments.len = 0;
        for (guint32 k = 0; k < lengths[i]; k++)
          {
            gint64 anyhow = g_test_rand_int_range (0, 1000);
            const gint64 at[] = { k, -(gint64) k, anyhow, k == 0 ? G_MAXINT64 : anyhow, k % 3 == 0 ? G_MININT64 + anyhow : G_MAXINT64 - anyhow };

            wp_array_push (&moments, ((WpMoment) { .at = at[kind], .id = k, .what = ~k }));
          }
        g_assert_true (wp_moments_sort (&moments, NULL, NULL));
        g_assert_cmpuint (moments.len, ==, lengths[i]);
        for (guint32 k = 1; k < moments.len; k++)
          {
            const WpMoment *before = &moments.data[k - 1], *moment = &moments.data[k];

            g_assert_cmpuint (moment->what, ==, ~moment->id);
            g_assert_true (before->at < moment->at || (before->at == moment->at && before->id < moment->id));
          }
      }
  g_cancellable_cancel (cancellable);
  for (guint32 k = 0; k < moments.len; k++)
    moments.data[k].at = g_test_rand_int_range (0, 1000);
  g_assert_false (wp_moments_sort (&moments, &progress, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  wp_array_clear (&moments);
}

/* Each one's in the order of time, equal ones as they came; of the last there are none. */
static void
test_moment_groups (void)
{
  enum { N = 12, LENGTH = 70000 };
  g_auto (WpMomentGroups) groups = { 0 };
  g_autofree gint64 *at = g_new (gint64, LENGTH);
  WpMoments moments = { 0 };

  for (guint32 k = 0; k < LENGTH; k++)
    {
      at[k] = g_test_rand_int_range (0, 1000);
      wp_array_push (&moments, ((WpMoment) { .at = at[k], .id = k, .what = k % 7 == 0 ? 3 : k % (N - 1) }));
    }
  g_assert_true (wp_moments_group (&moments, N, &groups, NULL, NULL));
  g_assert_cmpuint (groups.first[0], ==, 0);
  g_assert_cmpuint (groups.first[N - 1], ==, LENGTH);
  g_assert_cmpuint (groups.first[N], ==, LENGTH);
  for (guint32 what = 0; what < N; what++)
    for (guint32 i = groups.first[what]; i < groups.first[what + 1]; i++)
      {
        guint32 k = groups.ids.data[i], before = groups.ids.data[MAX (i, groups.first[what] + 1) - 1];

        g_assert_cmpuint (k % 7 == 0 ? 3 : k % (N - 1), ==, what);
        g_assert_true (at[before] < at[k] || (at[before] == at[k] && before <= k));
      }
  wp_array_clear (&moments);
}

static gboolean
count_to (gpointer data, WpProgress *progress, GError **error)
{
  for (guint i = 0; i < 1000; i++)
    if (!wp_progress_step (progress, 0, error))
      return FALSE;
    else
      ++*(guint *) data;
  return TRUE;
}

/* It is done once it is joined, and cancelled with its starter. */
static void
test_beside (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  WpProgress progress = { .cancellable = cancellable };
  g_autoptr (GError) error = NULL;
  WpBeside beside;
  guint counted = 0;

  wp_beside_start (&beside, count_to, &counted, NULL);
  g_assert_true (wp_beside_join (&beside, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (counted, ==, 1000);
  g_cancellable_cancel (cancellable);
  wp_beside_start (&beside, count_to, &counted, &progress);
  g_assert_false (wp_beside_join (&beside, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (counted, ==, 1000);
  wp_beside_start (&beside, count_to, &counted, &progress);
  g_assert_false (wp_beside_join (&beside, &error)); /* of two errors the first */
}

static void
note_freed (gpointer data)
{
  g_async_queue_push (data, g_thread_self ());
}

/* What is large by another thread, what is small at once. */
static void
test_free_aside (void)
{
  g_autoptr (GAsyncQueue) freed = g_async_queue_new ();

  wp_free_many_aside (freed, 3, note_freed);
  g_assert_true (g_async_queue_try_pop (freed) == g_thread_self ());
  wp_free_many_aside (freed, 1000000, note_freed);
  g_assert_true (g_async_queue_pop (freed) != g_thread_self ());
  wp_free_aside (NULL, note_freed);
  wp_free_many_aside (NULL, 0, note_freed);
  g_assert_null (g_async_queue_timeout_pop (freed, 1000));
}

/* Beside GLib's: as many keys as make the table grow several times, a third of them twice. */
static void
test_pair_map (void)
{
  WpPairMap map = { 0 };
  g_autoptr (GHashTable) other = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);

  g_assert_cmpuint (wp_pair_map_get (&map, 1, 2), ==, 0);
  for (guint32 i = 1; i < 20000; i++)
    {
      guint32 a = i % 3 == 0 ? i / 2 : i, b = a * 7919 % 64, *value = wp_pair_map_at (&map, a, b);
      gint64 key = (gint64) a << 32 | b;

      g_assert_cmpuint (*value, ==, GPOINTER_TO_UINT (g_hash_table_lookup (other, &key)));
      *value = i;
      g_hash_table_insert (other, g_memdup2 (&key, sizeof key), GUINT_TO_POINTER (i));
    }
  g_assert_cmpuint (map.n, ==, g_hash_table_size (other));
  g_assert_cmpuint ((guint64) map.n * 2, <=, (guint64) map.mask + 1);
  for (guint32 a = 1; a < 20000; a++)
    {
      guint32 b = a * 7919 % 64;
      gint64 key = (gint64) a << 32 | b;

      g_assert_cmpuint (wp_pair_map_get (&map, a, b), ==, GPOINTER_TO_UINT (g_hash_table_lookup (other, &key)));
      g_assert_cmpuint (wp_pair_map_get (&map, a, 64), ==, 0);
    }
  wp_pair_map_clear (&map);
  g_assert_cmpuint (wp_pair_map_get (&map, 1, 2), ==, 0);
}

static void
test_intern (void)
{
  g_autoptr (WpStrings) strings = wp_strings_new ();
  WpId ids[20000];

  g_assert_cmpuint (wp_strings_intern (strings, NULL), ==, 0);
  g_assert_cmpuint (wp_strings_intern (strings, ""), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autofree char *text = g_strdup_printf ("name-%u", i);

      ids[i] = wp_strings_intern (strings, text);
      g_assert_cmpuint (ids[i], ==, i + 1);
    }
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autofree char *text = g_strdup_printf ("name-%u", i);

      g_assert_cmpuint (wp_strings_intern (strings, text), ==, ids[i]);
      g_assert_cmpuint (wp_strings_find (strings, text), ==, ids[i]);
      g_assert_cmpstr (wp_strings_get (strings, ids[i]), ==, text);
    }
  g_assert_cmpuint (wp_strings_intern_n (strings, "name-1 and more", 6), ==, ids[1]);
  g_assert_cmpuint (wp_strings_intern_text (strings, "name-1 and more", 6), ==, ids[1]);
  g_assert_cmpuint (wp_strings_intern_text (strings, "name-1", -1), ==, ids[1]);
  g_assert_cmpstr (wp_strings_get (strings, wp_strings_intern_text (strings, "a\xff" "b", -1)), ==, "a\uFFFD" "b");
  g_assert_cmpuint (wp_strings_find (strings, "name"), ==, 0);
  g_assert_cmpstr (wp_strings_get (strings, 4000000000u), ==, "");
}

/* A field's bytes behind the zero say nothing, an empty one is no name, a full one has no zero; many of them share a place. */
static void
test_names (void)
{
  g_autoptr (WpStrings) strings = wp_strings_new ();
  char field[WP_NAME_FIELD + 1] = "name\0rest of one";

  for (guint round = 0; round < 3; round++)
    for (guint i = 0; i < 5000; i++)
      {
        g_autofree char *text = g_strdup_printf ("name-%u", i);
        guint8 bytes[WP_NAME_FIELD] = { 0 };

        memcpy (bytes, text, strlen (text));
        g_assert_cmpuint (wp_strings_intern_name (strings, bytes), ==, wp_strings_intern (strings, text));
      }
  g_assert_cmpuint (wp_strings_intern_name (strings, (const guint8 *) field), ==, wp_strings_intern (strings, "name"));
  field[6] = '!';
  g_assert_cmpuint (wp_strings_intern_name (strings, (const guint8 *) field), ==, wp_strings_intern (strings, "name"));
  g_assert_cmpuint (wp_strings_intern_name (strings, (const guint8 *) "\0no name at all!"), ==, 0);
  g_assert_cmpuint (wp_strings_intern_name (strings, (const guint8 *) "sixteen letters!"), ==, wp_strings_intern (strings, "sixteen letters!"));
}

static void
test_durations (void)
{
  static const struct
  {
    gint64 ns;
    const char *text;
  } rows[] = {
    { 0, "0 ns" },           { 999, "999 ns" },         { 4711, "4.71 µs" },       { 16200000, "16.2 ms" },
    { 999700, "1.00 ms" },   { 312000, "312 µs" },      { 1250000000, "1.25 s" },  { G_GINT64_CONSTANT (125000000000), "2 min 5 s" },
    { -4711, "−4.71 µs" },   { G_GINT64_CONSTANT (3780000000000), "1 h 3 min" },
  };
  char buffer[WP_FORMAT_MAX];

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpstr (wp_format_ns (rows[i].ns, buffer), ==, rows[i].text);
  g_assert_cmpstr (wp_format_ns (-400000, buffer), ==, "−400 µs");
  g_assert_cmpstr (wp_format_time (-6000000, 2000000, buffer), ==, "−6 ms"); /* the same sign */
  g_assert_cmpstr (wp_format_time (-500, 100, buffer), ==, "−500 ns");
  g_assert_cmpstr (wp_format_share (0, buffer), ==, "0 %");
  g_assert_cmpstr (wp_format_share (0.0001, buffer), ==, "< 0.1 %");
  g_assert_cmpstr (wp_format_share (0.842, buffer), ==, "84.2 %");
}

/* Two neighbouring ticks of an axis never read alike. */
static void
test_axis_times (void)
{
  char a[WP_FORMAT_MAX], b[WP_FORMAT_MAX];

  for (gint64 step = 1; step < G_GINT64_CONSTANT (10000000000); step *= 10)
    for (gint64 t = 0; t < 5 * step; t += step)
      g_assert_cmpstr (wp_format_time (t, step, a), !=, wp_format_time (t + step, step, b));
}

static void
test_parse_duration (void)
{
  static const struct
  {
    const char *text;
    gint64 ns;
  } rows[] = { { "1.5s", 1500000000 }, { "20ms", 20000000 }, { "300us", 300000 }, { "300 µs", 300000 },
               { "4711ns", 4711 },     { "12", G_GINT64_CONSTANT (12000000000) }, { "2min", G_GINT64_CONSTANT (120000000000) } };
  static const char *const bad[] = { "", "s", "1.5x", "12 parsecs", "nan", "1e300" };
  gint64 ns;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_assert_true (wp_parse_duration (rows[i].text, &ns));
      g_assert_cmpint (ns, ==, rows[i].ns);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (wp_parse_duration (bad[i], &ns));
}

static void
test_find (void)
{
  static const char *const names[] = { "a", NULL, "b" };
  static const struct
  {
    guint8 number;
    const char *name;
  } rows[] = { { 1, "one" }, { 2, "two" }, { 2, "two" } };

  g_assert_cmpuint (WP_FIND_NAME (names, "a"), ==, 0);
  g_assert_cmpuint (WP_FIND_NAME (names, "b"), ==, 2);
  g_assert_cmpuint (WP_FIND_NAME (names, ""), ==, 3);
  g_assert_cmpuint (WP_FIND_ROW (rows, name, "one"), ==, 0);
  g_assert_cmpuint (WP_FIND_ROW (rows, name, "two"), ==, 1);
  g_assert_cmpuint (WP_FIND_ROW (rows, name, "three"), ==, 3);
  g_assert_cmpuint (WP_FIND_ROW (rows, name, NULL), ==, 3);
}

/* Of these, a terminal obeys nothing; what it only shows stays to the byte. */
static void
test_quote_terminal (void)
{
  static const struct
  {
    const char *text;
    gsize n;
    const char *quoted;
  } rows[] = {
    { "plain\ttext\n", 11, "plain\ttext\n" },
    { "caf\303\251 \342\200\234\360\237\230\200", 13, "caf\303\251 \342\200\234\360\237\230\200" },
    { "\033[2J\a\177", 6, "\\u001b[2J\\u0007\\u007f" },
    { "\302\233m \302\205", 6, "\\u009bm \\u0085" },
    { "\233m \377\351", 5, "\\u009bm \377\351" },
    { "a\0b", 3, "a\\u0000b" },
    { "line\r\nover\rwritten\r", 19, "line\r\nover\\u000dwritten\\u000d" },
    { "\342\200\256abc\342\201\246\342\200\250", 12, "\\u202eabc\\u2066\\u2028" },
    { "cut \342\200", 6, "cut \342\\u0080" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);

      wp_quote_terminal (out, rows[i].text, rows[i].n);
      g_assert_cmpstr (out->str, ==, rows[i].quoted);
    }
}

static void
test_quote_csv (void)
{
  static const char *const rows[][2] = {
    { "", "" }, { "plain", "plain" }, { "a,b", "\"a,b\"" }, { "a \"b\"", "\"a \"\"b\"\"\"" }, { "two\nlines", "\"two\nlines\"" },
    { "=1+1", "\"'=1+1\"" }, { "-5.25e-3", "-5.25e-3" }, { "+1", "+1" }, { "-", "\"'-\"" }, { "-1-1", "\"'-1-1\"" }, { "@x", "\"'@x\"" },
    { "\t=x", "\"'\t=x\"" }, { "\r=x", "\"'\r=x\"" }, { "-inf", "\"'-inf\"" }, { "-0x10", "\"'-0x10\"" }, { "1=1", "1=1" },
    { "=\"x\",1", "\"'=\"\"x\"\",1\"" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);

      wp_quote_csv (out, rows[i][0]);
      g_assert_cmpstr (out->str, ==, rows[i][1]);
    }
}

static void
test_pack_strings (void)
{
  static const char zeros[] = { 'a', '\0', 'b' };
  g_autoptr (WpStrings) strings = wp_strings_new (), again = NULL;
  const WpId one = wp_strings_intern (strings, "one"), odd = wp_strings_intern_bytes (strings, zeros, sizeof zeros),
             two = wp_strings_intern (strings, "two");
  WpTextArray texts = { 0 };
  WpEndArray ends = { 0 };
  gsize n;

  g_assert_true (wp_strings_pack (strings, &texts, &ends));
  again = wp_strings_unpack (texts.data, texts.len, ends.data, ends.len);
  g_assert_cmpuint (wp_strings_count (again), ==, 4);
  g_assert_cmpstr (wp_strings_get (again, one), ==, "one");
  g_assert_cmpmem (wp_strings_bytes (again, odd, &n), n, zeros, sizeof zeros);
  g_assert_cmpuint (wp_strings_intern (again, "two"), ==, two);
  g_assert_cmpuint (wp_strings_intern_bytes (again, zeros, sizeof zeros), ==, odd);
  g_assert_cmpuint (wp_strings_intern (again, "new"), ==, 4);
  /* What does not fit. */
  g_assert_null (wp_strings_unpack (texts.data, texts.len - 1, ends.data, ends.len));
  g_assert_null (wp_strings_unpack (texts.data, texts.len, ends.data, ends.len - 1));
  ends.data[1]--;
  g_assert_null (wp_strings_unpack (texts.data, texts.len, ends.data, ends.len));
  ends.data[1] = ends.data[0];
  g_assert_null (wp_strings_unpack (texts.data, texts.len, ends.data, ends.len));
  ends.data[1] = G_MAXUINT64;
  g_assert_null (wp_strings_unpack (texts.data, texts.len, ends.data, ends.len));
  wp_array_clear (&texts);
  wp_array_clear (&ends);
}

/* Of each length, with any bit changed, or one byte more. */
static void
test_checksum (void)
{
  guint8 bytes[300] = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (bytes); i++)
    bytes[i] = (guint8) (i * i);
  for (gsize n = 0; n < sizeof bytes; n++)
    {
      const guint64 sum = wp_checksum (bytes, n);

      g_assert_cmpuint (wp_checksum (bytes, n + 1), !=, sum);
      for (gsize bit = 0; bit < n * 8; bit++)
        {
          bytes[bit / 8] ^= (guint8) (1 << bit % 8);
          g_assert_cmpuint (wp_checksum (bytes, n), !=, sum);
          bytes[bit / 8] ^= (guint8) (1 << bit % 8);
        }
      g_assert_cmpuint (wp_checksum (bytes, n), ==, sum);
    }
}

static const WpAskedFile *
asked_file (const WpAskedFiles *asked, const char *path)
{
  GArray *files = wp_asked_files_list (asked);

  for (guint i = 0; i < files->len; i++)
    if (g_str_equal (g_array_index (files, WpAskedFile, i).path, path))
      return &g_array_index (files, WpAskedFile, i);
  return NULL;
}

/* All who listen hear of a file, as it is when it is asked for first. */
static void
test_asked_files (void)
{
  g_autofree char *path = NULL;
  const int fd = g_file_open_tmp ("wakepath-asked-XXXXXX", &path, NULL);
  WpAskedFiles *one, *two;
  WpFileStamp before = wp_file_stamp (path), now;

  wp_asked_files_note (path);
  one = wp_asked_files_listen ();
  g_assert_cmpuint (wp_asked_files_list (one)->len, ==, 0);
  wp_asked_files_note (path);
  g_assert_cmpint (write (fd, "more", 4), ==, 4);
  two = wp_asked_files_listen ();
  wp_asked_files_note (path);
  wp_asked_files_note ("/nonexistent/file");
  wp_asked_files_note ("/proc/kallsyms");
  wp_asked_files_note ("/sys/dev/block/");
  wp_asked_files_stop (one);
  wp_asked_files_note_passing ();
  now = wp_file_stamp (path);
  g_assert_cmpuint (wp_asked_files_list (one)->len, ==, 3);
  g_assert_cmpuint (wp_asked_files_list (two)->len, ==, 3);
  g_assert_true (wp_file_stamp_equal (&asked_file (one, path)->stamp, &before));
  g_assert_true (wp_file_stamp_equal (&asked_file (two, path)->stamp, &now));
  g_assert_false (wp_file_stamp_equal (&before, &now));
  g_assert_true (wp_file_stamp_equal (&asked_file (one, "/nonexistent/file")->stamp, &(WpFileStamp) { 0 }));
  now = wp_file_stamp ("/proc");
  g_assert_true (now.inode != 0 && wp_file_stamp_equal (&asked_file (one, "/proc")->stamp, &now));
  g_assert_true (!wp_asked_files_is_passing (one) && wp_asked_files_is_passing (two));
  wp_asked_files_free (one);
  wp_asked_files_free (two);
  wp_asked_files_note (path);
  close (fd);
  unlink (path);
}

/* Clocks of file systems tick; some count seconds. */
static void
test_fresh (void)
{
  const gint64 ms = 1000000, second = 1000 * ms, now = 1700000000 * second + 500 * ms;
  const WpFileStamp fine = { 1, 1, now - 30 * ms, now - 30 * ms }, changed = { 1, 1, now - second, now - 10 * ms },
                    coarse = { 1, 1, now - 1500 * ms, now - second * 9 }, none = { 0 };

  g_assert_false (wp_file_stamp_is_fresh (&fine, now));
  g_assert_true (wp_file_stamp_is_fresh (&changed, now));
  g_assert_true (wp_file_stamp_is_fresh (&coarse, now));
  g_assert_false (wp_file_stamp_is_fresh (&coarse, now + second));
  g_assert_false (wp_file_stamp_is_fresh (&none, now));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/base/quote-terminal", test_quote_terminal);
  g_test_add_func ("/base/quote-csv", test_quote_csv);
  g_test_add_func ("/base/array", test_array);
  g_test_add_func ("/base/lent", test_lent);
  g_test_add_func ("/base/search", test_search);
  g_test_add_func ("/base/sort", test_sort);
  g_test_add_func ("/base/sort-many", test_sort_many);
  g_test_add_func ("/base/moments", test_moments);
  g_test_add_func ("/base/moments-groups", test_moment_groups);
  g_test_add_func ("/base/beside", test_beside);
  g_test_add_func ("/base/free-aside", test_free_aside);
  g_test_add_func ("/base/pair-map", test_pair_map);
  g_test_add_func ("/base/intern", test_intern);
  g_test_add_func ("/base/pack-strings", test_pack_strings);
  g_test_add_func ("/base/names", test_names);
  g_test_add_func ("/base/checksum", test_checksum);
  g_test_add_func ("/base/asked-files", test_asked_files);
  g_test_add_func ("/base/fresh", test_fresh);
  g_test_add_func ("/base/find", test_find);
  g_test_add_func ("/base/durations", test_durations);
  g_test_add_func ("/base/axis-times", test_axis_times);
  g_test_add_func ("/base/parse-duration", test_parse_duration);
  return g_test_run ();
}
