/* Comparisons of hand-made profiles, and of saved ones of our own. */
#include "profile-fixture.h"
#include "profile/compare/compare-private.h"
#include "view/layout.h"

#include <math.h>

static WpProfile *
parse (const char *name, const char *text)
{
  g_autoptr (GError) error = NULL;
  WpProfile *profile = wp_profile_parse (name, text, strlen (text), NULL, &error);

  g_assert_no_error (error);
  return profile;
}

/* A profile of times with one resource for each pair of stack ("main;f", outermost first) and amount. */
static char *
profile_text (const char *unit, const char *const *stacks, const int *amounts)
{
  GString *text = g_string_new (NULL);

  g_string_printf (text,
                   "{\"header\": {\"type\": \"time\", \"cmd\": \"x\", \"args\": \"\", \"workload\": \"w\", "
                   "\"units\": {\"time\": \"%s\"}}, \"collector_info\": {\"name\": \"t\", \"params\": {}}, "
                   "\"global\": {\"resources\": [",
                   unit);
  for (guint i = 0; stacks[i] != NULL; i++)
    {
      g_auto (GStrv) frames = g_strsplit (stacks[i], ";", -1);
      guint n = g_strv_length (frames);

      g_string_append_printf (text, "%s{\"amount\": %d, \"type\": \"time\", \"subtype\": \"run\", \"uid\": \"%s\", \"trace\": [",
                              i > 0 ? ", " : "", amounts[i], frames[n - 1]);
      for (guint k = n; k-- > 0;)
        g_string_append_printf (text, "%s{\"function\": \"%s\", \"source\": \"/src/%c.c\", \"line\": %u}", k + 1 < n ? ", " : "",
                                frames[k], frames[k][0], i + k);
      g_string_append (text, "]}");
    }
  g_string_append (text, "]}}");
  return g_string_free (text, FALSE);
}

static void
add (WpComparer *comparer, WpSide side, const char *unit, const char *const *stacks, const int *amounts)
{
  g_autofree char *text = profile_text (unit, stacks, amounts);
  g_autoptr (WpProfile) profile = parse (side == WP_SIDE_A ? "/tmp/a.perf" : "/tmp/b.perf", text);
  g_autoptr (GError) error = NULL;

  g_assert_true (wp_comparer_add_profile (comparer, side, profile, &error));
  g_assert_no_error (error);
}

static const char *const stacks[] = { "main;f", "main;f;f", "main;g", "main;g;h", "main;k", NULL };

/* f 30 → 30 of which 10 recursive, g 5 → 15, h 20 → 0 (vanished), k 0 → 7 (new). */
static const int amounts_a[] = { 20, 10, 5, 20, 0 }, amounts_b[] = { 20, 10, 15, 0, 7 };

static WpComparison *
compare_pair (const int *a, const int *b, gboolean normalise)
{
  g_autoptr (WpComparer) comparer = wp_comparer_new (1, 1);

  add (comparer, WP_SIDE_A, "us", stacks, a);
  add (comparer, WP_SIDE_B, "us", stacks, b);
  return wp_comparer_finish (comparer, normalise);
}

static const WpComparedFrame *
frame_of (const WpComparison *c, const char *name)
{
  for (WpId f = 1; f < c->frames.len; f++)
    if (g_str_equal (wp_strings_get (c->strings, c->frames.data[f].name), name))
      return &c->frames.data[f];
  g_error ("no frame %s", name);
}

static void
assert_change (const WpChange *change, double a, double b)
{
  g_assert_cmpfloat_with_epsilon (change->mean[WP_SIDE_A], a, 1e-6);
  g_assert_cmpfloat_with_epsilon (change->mean[WP_SIDE_B], b, 1e-6);
}

static void
test_pair (void)
{
  g_autoptr (WpComparison) c = compare_pair (amounts_a, amounts_b, FALSE);

  g_assert_cmpint (c->unit, ==, WP_UNIT_TIME);
  g_assert_cmpstr (c->rows.data[0].id, ==, "total");
  assert_change (&c->rows.data[0].change, 55000, 52000);
  assert_change (&frame_of (c, "f")->self, 30000, 30000);
  assert_change (&frame_of (c, "f")->total, 30000, 30000); /* recursion counts once */
  assert_change (&frame_of (c, "g")->total, 25000, 15000);
  assert_change (&frame_of (c, "main")->total, 55000, 52000);
  assert_change (&frame_of (c, "main")->self, 0, 0);
  g_assert_cmpint (wp_frame_presence (frame_of (c, "h")), ==, WP_PRESENCE_VANISHED);
  g_assert_cmpint (wp_frame_presence (frame_of (c, "k")), ==, WP_PRESENCE_NEW);
  g_assert_cmpint (wp_frame_presence (frame_of (c, "f")), ==, WP_PRESENCE_COMMON);
  /* the largest change of self is first */
  g_assert_true (&c->frames.data[1] == frame_of (c, "h"));
  g_assert_cmpint (c->rows.data[0].change.evidence, ==, WP_EVIDENCE_NONE);
  g_assert_cmpint (wp_comparison_verdict (c, 0), ==, WP_VERDICT_UNKNOWN);
  g_assert_cmpint (wp_comparison_verdict (c, 0.05), ==, WP_VERDICT_OPTIMIZATION);
  g_assert_cmpint (wp_comparison_verdict (c, 0.06), ==, WP_VERDICT_NO_CHANGE);
  g_assert_cmpuint (c->warnings->len, ==, 0);
}

static void
test_order (void)
{
  g_autoptr (WpComparison) c = compare_pair (amounts_b, amounts_a, FALSE);

  assert_change (&c->rows.data[0].change, 52000, 55000);
  g_assert_cmpint (wp_frame_presence (frame_of (c, "h")), ==, WP_PRESENCE_NEW);
  g_assert_cmpint (wp_frame_presence (frame_of (c, "k")), ==, WP_PRESENCE_VANISHED);
  g_assert_cmpint (wp_comparison_verdict (c, 0.05), ==, WP_VERDICT_DEGRADATION);
}

static void
test_normalised (void)
{
  static const int twice[] = { 40, 20, 10, 40, 0 };
  g_autoptr (WpComparison) c = compare_pair (amounts_a, twice, TRUE);

  assert_change (&c->rows.data[0].change, 55000, 110000); /* the table never is */
  for (WpId f = 1; f < c->frames.len; f++)
    {
      g_assert_cmpfloat_with_epsilon (wp_change_absolute (&c->frames.data[f].self), 0, 1e-6);
      g_assert_cmpfloat_with_epsilon (wp_change_absolute (&c->frames.data[f].total), 0, 1e-6);
    }
  g_assert_cmpfloat_with_epsilon (c->factor, 2, 1e-12);
}

/* Amounts of the same unit are the same whatever it is called; others are refused. */
static void
test_units (void)
{
  static const int in_ms[] = { 20, 10, 5, 20, 0 }, in_us[] = { 20000, 10000, 5000, 20000, 0 };
  g_autoptr (WpComparer) comparer = wp_comparer_new (1, 2);
  g_autofree char *text = profile_text ("sample", stacks, in_ms);
  g_autoptr (WpProfile) profile = parse ("/tmp/c.perf", text);
  g_autoptr (GError) error = NULL;

  add (comparer, WP_SIDE_A, "ms", stacks, in_ms);
  add (comparer, WP_SIDE_B, "us", stacks, in_us);
  g_assert_cmpfloat (comparer->result->nodes.data[0].total[WP_SIDE_A], ==, 2 * comparer->result->nodes.data[0].total[WP_SIDE_B]);
  g_assert_false (wp_comparer_add_profile (comparer, WP_SIDE_B, profile, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED);
  g_assert_nonnull (strstr (error->message, "/tmp/c.perf: amounts are in sample, those before in ms"));
}

static WpComparison *
compare_sets (const int *times_a, const int *times_b, guint n)
{
  g_autoptr (WpComparer) comparer = wp_comparer_new (n, n);

  for (guint side = 0; side < WP_N_SIDES; side++)
    for (guint i = 0; i < n; i++)
      {
        int amounts[] = { side == WP_SIDE_A ? times_a[i] : times_b[i], 0, 1000, 0, 0 };

        add (comparer, side, "ns", stacks, amounts);
      }
  return wp_comparer_finish (comparer, FALSE);
}

/* Noise is told from change: g is always the same, f is clearly slower. */
static void
test_sets (void)
{
  static const int before[] = { 10000, 10400, 9800, 10200, 10100 }, after[] = { 12000, 11800, 12500, 12300, 12100 };
  static const int again[] = { 10050, 10300, 9900, 10250, 10150 };
  g_autoptr (WpComparison) slower = compare_sets (before, after, 5), same = compare_sets (before, again, 5);
  g_autoptr (WpComparison) few = compare_sets (before, after, 3);
  g_autofree char *text = wp_comparison_verdict_text (slower, 0), *few_text = wp_comparison_verdict_text (few, 0);
  g_autofree char *headline = wp_comparison_headline (slower, 0), *same_headline = wp_comparison_headline (same, 0);

  g_assert_cmpint (wp_comparison_verdict (slower, 0), ==, WP_VERDICT_DEGRADATION);
  g_assert_cmpint (wp_comparison_verdict (slower, 0.15), ==, WP_VERDICT_DEGRADATION);
  g_assert_cmpint (wp_comparison_verdict (slower, 0.25), ==, WP_VERDICT_NO_CHANGE); /* shift 2000 of 11100 */
  g_assert_cmpstr (headline, ==, "Slower: +2.04 µs (+18.4 %)");
  g_assert_cmpstr (same_headline, ==, "About the same: +30 ns (+0.3 %)");
  g_assert_nonnull (strstr (text, "Degradation: Total +18.4 %. Mann–Whitney U test, two-sided, exact: p = 0.008, n = 5 and 5"));
  g_assert_cmpint (frame_of (slower, "f")->self.evidence, ==, WP_EVIDENCE_CHANGE);
  g_assert_cmpfloat_with_epsilon (frame_of (slower, "f")->self.shift, 2000, 150);
  g_assert_cmpint (frame_of (slower, "g")->self.evidence, ==, WP_EVIDENCE_NOISE);
  g_assert_cmpint (wp_comparison_verdict (same, 0), ==, WP_VERDICT_NO_CHANGE);
  g_assert_cmpint (frame_of (same, "f")->self.evidence, ==, WP_EVIDENCE_NOISE);
  g_assert_cmpint (wp_comparison_verdict (few, 0), ==, WP_VERDICT_UNKNOWN);
  g_assert_nonnull (strstr (few_text, "Too few profiles to tell change from noise: "));
}

/* Five profiles a side: of `n` lines the first is slower in each of B's, the others are as they were. One more is too little to be tested. */
static WpComparison *
compare_lines (guint n)
{
  g_autoptr (WpComparer) comparer = wp_comparer_new (5, 5);
  double factor;

  for (guint i = 0; i < 10; i++)
    {
      WpSide side = i < 5 ? WP_SIDE_A : WP_SIDE_B;

      g_assert_nonnull (wp_comparer_begin (comparer, side, "/tmp/lines.perf", "ns", &factor, NULL));
      wp_comparer_row (comparer, WP_ROW_FIGURE, "total", "Total", 100000 + i);
      for (guint line = 0; line < n; line++)
        {
          g_autofree char *name = g_strdup_printf ("line %u", line);

          wp_comparer_row (comparer, WP_ROW_CATEGORY, name, name, 1000 + (line == 0 && side == WP_SIDE_B ? 100 + i : (i * 3 + line) % 5));
        }
      wp_comparer_row (comparer, WP_ROW_CATEGORY, "little", "little", side == WP_SIDE_A ? 1 : 2);
      wp_comparer_end (comparer);
    }
  return wp_comparer_finish (comparer, FALSE);
}

static const WpChange *
change_of (const WpComparison *self, const char *id)
{
  for (guint32 r = 0; r < self->rows.len; r++)
    if (g_str_equal (self->rows.data[r].id, id))
      return &self->rows.data[r].change;
  g_assert_not_reached ();
}

/* One of four lines stands out; of forty one would do so by chance. */
static void
test_many_lines (void)
{
  g_autoptr (WpComparison) few = compare_lines (4), many = compare_lines (40);
  const WpChange *in_few = change_of (few, "line 0"), *in_many = change_of (many, "line 0");
  g_autofree char *text = wp_comparison_tests_text (many), *evidence = wp_change_evidence_text (in_many);

  g_assert_cmpuint (few->n_tested, ==, 4); /* neither the total nor what is little */
  g_assert_cmpuint (many->n_tested, ==, 40);
  g_assert_cmpfloat_with_epsilon (in_few->p, 2.0 / 252, 1e-12);
  g_assert_cmpfloat_with_epsilon (in_few->adjusted, 8.0 / 252, 1e-12);
  g_assert_cmpint (in_few->evidence, ==, WP_EVIDENCE_CHANGE);
  g_assert_cmpfloat_with_epsilon (in_many->p, 2.0 / 252, 1e-12);
  g_assert_cmpfloat_with_epsilon (in_many->adjusted, 80.0 / 252, 1e-12);
  g_assert_cmpint (in_many->evidence, ==, WP_EVIDENCE_NOISE);
  g_assert_cmpstr (evidence, ==, "noise (p = 0.32)");
  g_assert_cmpint (change_of (few, "little")->evidence, ==, WP_EVIDENCE_NONE);
  g_assert_nonnull (strstr (text, "40 lines are tested besides. Their p are adjusted for that (Benjamini and Hochberg)"));
}

/* The stacks of profiles with `func` stand the other way round, and their uid is on top. */
static void
test_new_traces (void)
{
  static const char text[]
    = "{\"header\": {\"type\": \"time\", \"cmd\": \"ls\", \"workload\": \"\", \"units\": {\"time\": \"sample\"}}, "
      "\"collector_info\": {\"name\": \"kperf\", \"params\": {}}, \"resources\": {\"leaf#0\": {\"amount\": [2, 3]}}, "
      "\"resource_type_map\": {\"leaf#0\": {\"type\": \"time\", \"uid\": \"leaf\", \"trace\": [{\"func\": \"outer\"}, {\"func\": "
      "\"inner\"}]}}}";
  g_autoptr (WpProfile) profile = parse ("/tmp/k.perf", text);
  g_autoptr (WpComparer) comparer = wp_comparer_new (1, 1);
  g_autoptr (WpComparison) c = NULL;
  g_autoptr (GString) out = g_string_new (NULL);

  g_assert_true (wp_comparer_add_profile (comparer, WP_SIDE_A, profile, NULL));
  g_assert_true (wp_comparer_add_profile (comparer, WP_SIDE_B, profile, NULL));
  c = wp_comparer_finish (comparer, FALSE);
  wp_comparison_write (out, c, WP_COMPARE_FOLDED, 0);
  g_assert_cmpstr (out->str, ==, "outer;inner;leaf 5 5\n");
}

/* --- our own --------------------------------------------------------------------------------------------------------- */

static WpComparison *
compare_own (WpTrace *a, WpTrace *b, const char *task)
{
  g_autoptr (WpComparer) comparer = wp_comparer_new (1, 1);
  WpDocument documents[] = { { .path = (char *) "/tmp/a.perf", .trace = a }, { .path = (char *) "/tmp/b.perf", .trace = b } };

  for (guint side = 0; side < WP_N_SIDES; side++)
    {
      g_autoptr (WpPaths) paths = fixture_paths (documents[side].trace, fixture_task (documents[side].trace, task));

      g_assert_true (wp_comparer_add_paths (comparer, side, &documents[side], paths, (WpDepthChoice) { 0 }, NULL, NULL, NULL));
    }
  return wp_comparer_finish (comparer, FALSE);
}

static void
test_same_recording (void)
{
  WpTrace *trace = fixture_everything ();
  g_autoptr (WpComparison) c = compare_own (trace, trace, "client");
  double categories = 0, own = 0;

  g_assert_cmpstr (c->rows.data[0].id, ==, "wall");
  g_assert_cmpuint (c->warnings->len, ==, 0);
  for (guint32 r = 0; r < c->rows.len; r++)
    {
      g_assert_cmpfloat (wp_change_absolute (&c->rows.data[r].change), ==, 0);
      if (c->rows.data[r].level == WP_ROW_CATEGORY)
        categories += c->rows.data[r].change.mean[WP_SIDE_A];
    }
  for (WpId f = 1; f < c->frames.len; f++)
    own += c->frames.data[f].self.mean[WP_SIDE_B];
  g_assert_cmpfloat (categories, >, 0);
  g_assert_cmpfloat (categories, ==, c->rows.data[1].change.mean[WP_SIDE_A]); /* both add up to the total */
  g_assert_cmpfloat (own, ==, categories);
  g_assert_cmpfloat (c->nodes.data[0].total[WP_SIDE_B], ==, categories);
  wp_trace_free (trace);
}

static void
test_warnings (void)
{
  WpTrace *a = fixture_everything (), *b = fixture_everything ();
  g_autoptr (WpComparison) c = NULL;
  g_autoptr (GString) all = g_string_new (NULL);

  g_free (b->host);
  b->host = g_strdup ("elsewhere");
  g_free (b->kernel);
  b->kernel = g_strdup ("7.0");
  g_free (b->command);
  b->command = g_strdup ("another 100 %s");
  c = compare_own (a, b, "client");
  for (guint i = 0; i < c->warnings->len; i++)
    g_string_append_printf (all, "%s\n", (char *) c->warnings->pdata[i]);
  if (a->host != NULL)
    g_assert_nonnull (strstr (all->str, "B is of elsewhere"));
  if (a->kernel != NULL)
    g_assert_nonnull (strstr (all->str, "B on 7.0"));
  if (a->command != NULL)
    g_assert_nonnull (strstr (all->str, "B ran another 100 %s"));
  g_assert_cmpuint (c->warnings->len, ==, (a->host != NULL) + (a->kernel != NULL) + (a->command != NULL));
  g_assert_cmpuint (c->warnings->len, >, 0);
  wp_trace_free (a);
  wp_trace_free (b);
}

/* --- in words ---------------------------------------------------------------------------------------------------------- */

/* What one side's explanation says of itself. */
typedef struct
{
  GHashTable *spent; /* words → gint64 */
  GHashTable *waits, *counts; /* "who words" → gint64 */
  gint64 total, wall;
} Told;

static void
told_clear (Told *self)
{
  g_hash_table_unref (self->spent);
  g_hash_table_unref (self->waits);
  g_hash_table_unref (self->counts);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Told, told_clear)

static void
add_to (GHashTable *sums, const char *words, gint64 ns)
{
  gint64 *sum = g_hash_table_lookup (sums, words);

  if (sum == NULL)
    g_hash_table_insert (sums, g_strdup (words), sum = g_new0 (gint64, 1));
  *sum += ns;
}

static gint64
sum_of (GHashTable *sums, const char *words)
{
  const gint64 *ns = g_hash_table_lookup (sums, words);

  return ns != NULL ? *ns : 0;
}

static void
tell (Told *self, const char *words, gint64 ns)
{
  add_to (self->spent, words, ns);
  self->total += ns;
}

static gint64
told (const Told *self, const char *words)
{
  return sum_of (self->spent, words);
}

static void
add_told (WpComparer *comparer, WpSide side, WpDocument *document, WpId task, Told *out)
{
  g_autoptr (WpPaths) paths = fixture_paths (document->trace, task);
  g_autoptr (WpExplanation) e = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  g_autoptr (WpAnswer) answer = wp_answer_new (paths, e, NULL, NULL);

  out->spent = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint32 i = 0; i < answer->spent.len; i++)
    tell (out, wp_spent_words (answer, &answer->spent.data[i]), answer->spent.data[i].ns);
  tell (out, "does what the recording does not tell", answer->unknown);
  out->waits = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  out->counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint32 i = 0; i < answer->waits.len; i++)
    {
      const WpWait *wait = &answer->waits.data[i];
      g_autofree char *name = g_strdup_printf ("%s %s", wp_trace_string (document->trace, wait->who),
                                               wp_strings_get (answer->words.strings, wait->words));

      add_to (out->waits, name, wait->ns);
      add_to (out->counts, name, wait->count);
    }
  out->wall = e->wall;
  g_assert_true (wp_comparer_add_paths (comparer, side, document, paths, (WpDepthChoice) { 0 }, NULL, NULL, NULL));
}

/* The words of the clause: the longest of both sides that it has. */
static const char *
words_of (const char *text, const Told *sides)
{
  const char *found = NULL;

  for (guint side = 0; side < WP_N_SIDES; side++)
    {
      GHashTableIter iter;
      gpointer words;

      g_hash_table_iter_init (&iter, sides[side].spent);
      while (g_hash_table_iter_next (&iter, &words, NULL))
        if (strstr (text, words) != NULL && (found == NULL || strlen (words) > strlen (found)))
          found = words;
    }
  return found;
}

/* Each sentence names the difference of what both sides say of one thing; with the rest they are all of the difference. Returns how many name one. */
static guint
assert_answer (const WpComparison *c, const Told *sides)
{
  gint64 total = sides[WP_SIDE_B].total - sides[WP_SIDE_A].total, largest = G_MAXINT64;
  double sum = 0;
  guint named = 0;

  g_assert_cmpuint (c->answer.len, >, 0);
  g_assert_cmpfloat (c->answer.data[0].ns, ==, (double) total);
  if (sides[WP_SIDE_A].total == sides[WP_SIDE_A].wall && sides[WP_SIDE_B].total == sides[WP_SIDE_B].wall)
    g_assert_null (strstr (c->answer.data[0].text, "Its threads"));
  for (guint32 i = 1; i < c->answer.len; i++)
    {
      const WpComparedClause *clause = &c->answer.data[i];
      const char *words = words_of (clause->text, sides);
      gint64 by = words != NULL ? told (&sides[WP_SIDE_B], words) - told (&sides[WP_SIDE_A], words) : 0;

      sum += clause->ns;
      if (g_str_has_prefix (clause->text, "All else together"))
        {
          g_assert_cmpuint (i, ==, c->answer.len - 1);
          continue;
        }
      if (strstr (clause->text, "different files or calls") == NULL)
        {
          g_assert_nonnull (words);
          g_assert_cmpfloat (clause->ns, ==, (double) by);
          g_assert_cmpint (strstr (clause->text, "did not do before") != NULL, ==, told (&sides[WP_SIDE_A], words) == 0);
          g_assert_cmpint (strstr (clause->text, "does no longer") != NULL, ==, told (&sides[WP_SIDE_B], words) == 0);
        }
      g_assert_cmpint ((gint64) fabs (clause->ns), <=, largest);
      largest = (gint64) fabs (clause->ns);
      named++;
    }
  g_assert_cmpuint (named, <=, 3);
  if (named > 0)
    g_assert_cmpfloat_with_epsilon (sum, c->answer.data[0].ns, 0.5);
  return named;
}

/* Waits have both sides' times and counts, the largest change first, and none that is left out has a larger one. */
static void
assert_waits (const WpComparison *c, const Told *sides)
{
  gint64 least = G_MAXINT64;
  g_autoptr (GHashTable) listed = g_hash_table_new (g_str_hash, g_str_equal);

  g_assert_cmpuint (c->waits.len, <=, WP_COMPARED_WAITS);
  for (guint32 i = 0; i < c->waits.len; i++)
    {
      const WpComparedWait *wait = &c->waits.data[i];
      gint64 by = (gint64) fabs (wp_change_absolute (&wait->row.change));

      for (guint side = 0; side < WP_N_SIDES; side++)
        {
          g_assert_cmpfloat (wait->row.change.mean[side], ==, (double) sum_of (sides[side].waits, wait->row.name));
          g_assert_cmpfloat (wait->count[side], ==, (double) sum_of (sides[side].counts, wait->row.name));
        }
      g_assert_cmpint (by, <=, least);
      least = by;
      g_hash_table_add (listed, wait->row.name);
    }
  for (guint side = 0; side < WP_N_SIDES; side++)
    {
      GHashTableIter iter;
      gpointer name;

      g_hash_table_iter_init (&iter, sides[side].waits);
      while (g_hash_table_iter_next (&iter, &name, NULL))
        if (!g_hash_table_contains (listed, name))
          {
            g_assert_cmpuint (c->waits.len, ==, WP_COMPARED_WAITS);
            g_assert_cmpint (ABS (sum_of (sides[WP_SIDE_B].waits, name) - sum_of (sides[WP_SIDE_A].waits, name)), <=, least);
          }
    }
}

/* Each scenario with the one before it. */
static void
test_answers (gconstpointer folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (WpDocument) before = NULL;
  guint named = 0, alone = 0;

  g_assert_nonnull (dir);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      WpDocument *document = g_str_has_suffix (name, ".trace") ? wp_document_open (path, NULL, NULL, NULL) : NULL;

      if (document == NULL)
        continue;
      for (WpId t = 1; before != NULL && t < MIN (before->trace->tasks.len, document->trace->tasks.len); t++)
        {
          g_autoptr (WpComparer) comparer = wp_comparer_new (1, 1);
          g_autoptr (WpComparison) c = NULL;
          g_auto (Told) a = { 0 }, b = { 0 };

          add_told (comparer, WP_SIDE_A, before, t, &a);
          add_told (comparer, WP_SIDE_B, document, t, &b);
          c = wp_comparer_finish (comparer, FALSE);
          named += assert_answer (c, (const Told[]) { a, b });
          assert_waits (c, (const Told[]) { a, b });
          alone += a.total == a.wall && b.total == b.wall;
        }
      g_clear_pointer (&before, wp_document_free);
      before = document;
    }
  g_assert_cmpuint (named, >, 200);
  g_assert_cmpuint (alone, >, 50); /* of one thread each: then it is the difference of what it took */
}

/* The same is as long as before, and nothing else is said. */
static void
test_same_answer (void)
{
  WpTrace *trace = fixture_everything ();
  g_autoptr (WpComparison) c = compare_own (trace, trace, "client");
  g_autofree char *text = wp_comparison_answer_text (c, 0);

  g_assert_cmpuint (c->answer.len, ==, 1);
  g_assert_true (g_str_has_prefix (text, "client takes as long as before: "));
  wp_trace_free (trace);
}

typedef struct
{
  const char *words; /* NULL: it runs */
  gint64 ms;
  gboolean disk;
} Spent;

/* A profile of a process of one thread whose time went to these. */
static void
add_spent (WpComparer *comparer, WpSide side, WpTrace *trace, const Spent *spent, guint n)
{
  WpAnswer answer = { .words = { .trace = trace, .strings = wp_strings_new () } };
  double factor, wall = 0;
  WpCompared *profile = wp_comparer_begin (comparer, side, "/tmp/x.perf", "ns", &factor, NULL);

  for (guint i = 0; i < n; i++)
    {
      WpId words = spent[i].words != NULL ? wp_strings_intern (answer.words.strings, spent[i].words) : 0;

      wp_array_push (&answer.spent, ((WpSpent) { .words = words, .ns = spent[i].ms * 1000000, .device = spent[i].disk ? 1 : 0 }));
      wall += (double) spent[i].ms * 1e6;
    }
  wp_compared_set_fact (profile, WP_FACT_TASK, "shop");
  wp_comparer_row (comparer, WP_ROW_FIGURE, "wall", "Took", wall);
  wp_comparer_add_answer (comparer, &answer);
  wp_comparer_end (comparer);
  wp_array_clear (&answer.spent);
  wp_strings_free (answer.words.strings);
}

static char *
answer_of (const Spent *a, guint n_a, const Spent *b, guint n_b)
{
  WpTrace *trace = fixture_everything ();
  g_autoptr (WpComparer) comparer = wp_comparer_new (1, 1);
  g_autoptr (WpComparison) c = NULL;
  char *text;

  trace->tasks.data[1].name = wp_strings_intern (trace->strings, "vda");
  add_spent (comparer, WP_SIDE_A, trace, a, n_a);
  add_spent (comparer, WP_SIDE_B, trace, b, n_b);
  c = wp_comparer_finish (comparer, FALSE);
  text = wp_comparison_answer_text (c, 0);
  wp_trace_free (trace);
  return text;
}

/* What was not there before, what is no longer there, what is longer, and the rest; places in the list say nothing. */
static void
test_sentences (void)
{
  static const Spent before[] = { { NULL, 200 }, { "waits for a CPU", 50 }, { "reads pipe from server", 90 }, { "fsync", 4 } };
  static const Spent after[] = { { "fsync", 1 }, { "reads /index.db on vda", 700, TRUE }, { "waits for a CPU", 199 }, { NULL, 190 } };
  static const Spent nearly[] = { { NULL, 202 }, { "waits for a CPU", 49 }, { "reads pipe from server", 90 }, { "fsync", 4 } };
  g_autofree char *slower = answer_of (before, 4, after, 4), *same = answer_of (before, 4, nearly, 4);

  g_assert_cmpstr (slower, ==, "shop takes 746 ms more: 1.09 s, before it was 344 ms. For 700 ms it reads /index.db on vda, which it did not do before. "
                               "For 149 ms more it waits for a CPU. For 90.0 ms less it reads pipe from server, which it does no longer. "
                               "All else together: 13.0 ms less.");
  g_assert_cmpstr (same, ==, "shop takes about as long as before: 345 ms, before it was 344 ms.");
}

/* Of a cold start none of the files is worth a sentence, and their disk is. */
static void
test_cold_start (void)
{
  static const Spent warm[] = { { NULL, 100 } };
  Spent cold[41] = { { NULL, 110 } };
  g_autofree char *text = NULL;
  char *names[41];

  for (guint i = 1; i < 41; i++)
    cold[i] = (Spent) { names[i] = g_strdup_printf ("reads /lib/%u on vda", i), 10, TRUE };
  text = answer_of (warm, 1, cold, 41);
  g_assert_cmpstr (text, ==, "shop takes 410 ms more: 510 ms, before it was 100 ms. For 400 ms it waits for vda, 40 different files or calls together, "
                             "which it did not do before. For 10.0 ms more it runs.");
  for (guint i = 1; i < 41; i++)
    g_free (names[i]);
}

/* Of several profiles the test says what is noise, whatever the means are. */
static void
test_means (void)
{
  static const gint64 runs[WP_N_SIDES][4] = { { 100, 101, 102, 103 }, { 200, 201, 202, 203 } };
  static const gint64 waits[WP_N_SIDES][4] = { { 10, 80, 20, 70 }, { 75, 15, 85, 25 } };
  WpTrace *trace = fixture_everything ();
  g_autoptr (WpComparer) comparer = wp_comparer_new (4, 4);
  g_autoptr (WpComparison) c = NULL;
  g_autofree char *text = NULL;

  for (guint side = 0; side < WP_N_SIDES; side++)
    for (guint i = 0; i < 4; i++)
      add_spent (comparer, side, trace, (const Spent[]) { { NULL, runs[side][i] }, { "waits for a CPU", waits[side][i] } }, 2);
  c = wp_comparer_finish (comparer, FALSE);
  text = wp_comparison_answer_text (c, 0);
  g_assert_cmpstr (text, ==, "shop takes 105 ms more: 252 ms, before it was 146 ms. All times are means. For 100 ms more it runs. "
                             "All else together: 5.00 ms more.");
  wp_trace_free (trace);
}

/* --- the picture ----------------------------------------------------------------------------------------------------- */

static const WpBox *
box_of (const WpRows *rows, const char *label)
{
  for (guint32 b = 0; b < rows->boxes.len; b++)
    if (g_str_equal (wp_rows_string (rows, rows->boxes.data[b].label), label))
      return &rows->boxes.data[b];
  return NULL;
}

static void
test_layout (void)
{
  g_autoptr (WpComparison) c = compare_pair (amounts_a, amounts_b, FALSE);
  g_autoptr (WpRows) b = wp_layout_diff (c, WP_DIFF_B, FALSE), a = wp_layout_diff (c, WP_DIFF_A, FALSE);
  g_autoptr (WpRows) gone = wp_layout_diff (c, WP_DIFF_VANISHED, TRUE);

  g_assert_cmpint (b->end, ==, 52000);
  g_assert_cmpint (a->end, ==, 55000);
  g_assert_cmpint (gone->end, ==, 20000);
  g_assert_cmpint (box_of (b, "k  new")->kind, ==, WP_BOX_NEW);
  g_assert_null (box_of (b, "h  vanished"));
  g_assert_cmpint (box_of (a, "h  vanished")->kind, ==, WP_BOX_VANISHED);
  g_assert_null (box_of (a, "k  new"));
  g_assert_cmpint (box_of (b, "f")->kind, ==, WP_BOX_SAME);
  g_assert_cmpint (box_of (b, "g  −40.0 %")->kind, ==, WP_BOX_MUCH_LESS);
  g_assert_cmpint (box_of (b, "main  −5.5 %")->kind, ==, WP_BOX_LESS);
  g_assert_cmpuint (gone->rows.len, ==, 3); /* main, g, h: an icicle */
  g_assert_cmpuint (gone->boxes.len, ==, 3);
  g_assert_cmpint (gone->boxes.data[0].end, ==, 20000);
  for (guint32 r = 0; r < b->rows.len; r++)
    for (guint32 i = b->rows.data[r].first; i + 1 < b->rows.data[r].first + b->rows.data[r].n; i++)
      g_assert_cmpint (b->boxes.data[i].end, <=, b->boxes.data[i + 1].start);
}

/* Beside each other both have one scale and one base, whatever either is as long and as high as. */
static void
test_sides (void)
{
  static const char *const uneven[] = { "main;f;deep", "main;g", NULL };
  g_autoptr (WpComparer) comparer = wp_comparer_new (1, 1);
  g_autoptr (WpComparison) c = NULL;
  WpRows *sides[WP_N_SIDES];

  add (comparer, WP_SIDE_A, "ns", uneven, (const int[]) { 30, 20 });
  add (comparer, WP_SIDE_B, "ns", uneven, (const int[]) { 0, 80 });
  c = wp_comparer_finish (comparer, FALSE);
  wp_layout_diff_sides (c, sides);
  for (guint side = 0; side < WP_N_SIDES; side++)
    {
      const WpRows *rows = sides[side];

      g_assert_cmpint (rows->end, ==, 80);
      g_assert_cmpint (wp_rows_all (rows), ==, side == WP_SIDE_A ? 50 : 80);
      g_assert_cmpuint (rows->rows.len, ==, 3);
      g_assert_cmpuint (rows->home, ==, 2);
      g_assert_cmpuint (wp_rows_box_at (rows, 2, 10), !=, G_MAXUINT32);
      g_assert_cmpuint (wp_rows_row_of (rows, 0), ==, side == WP_SIDE_A ? 0 : 1);
    }
  g_assert_cmpuint (wp_rows_box_at (sides[WP_SIDE_A], 2, 60), ==, G_MAXUINT32);
  wp_rows_free (sides[WP_SIDE_A]);
  wp_rows_free (sides[WP_SIDE_B]);
}

static void
test_formats (void)
{
  g_autoptr (WpComparison) c = compare_pair (amounts_a, amounts_b, FALSE);
  g_autoptr (GString) out = g_string_new (NULL);

  wp_comparison_write (out, c, WP_COMPARE_FOLDED, 0);
  g_assert_nonnull (strstr (out->str, "main;g;h 20000 0\n"));
  g_assert_nonnull (strstr (out->str, "main;k 0 7000\n"));
  g_string_truncate (out, 0);
  wp_comparison_write (out, c, WP_COMPARE_TEXT, 0);
  g_assert_nonnull (strstr (out->str, "Unknown: Total −5.5 %. Too few profiles to tell change from noise: 1 and 1"));
  g_string_truncate (out, 0);
  wp_comparison_write (out, c, WP_COMPARE_MARKDOWN, 0.01);
  g_assert_nonnull (strstr (out->str, "**Faster: −3.00 µs (−5.5 %)**\n\nOptimization: Total −5.5 %."));
  g_assert_nonnull (strstr (out->str, "| h  h.c | 20.0 µs | 0 ns | −20.0 µs | vanished |  |\n"));
  g_string_truncate (out, 0);
  wp_comparison_write (out, c, WP_COMPARE_TSV, 0);
  g_assert_nonnull (strstr (out->str, "self\th\th.c\t20000\t0\t-20000\t-1\t\t\t\t\t\n"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compare/pair", test_pair);
  g_test_add_func ("/compare/order", test_order);
  g_test_add_func ("/compare/normalised", test_normalised);
  g_test_add_func ("/compare/units", test_units);
  g_test_add_func ("/compare/sets", test_sets);
  g_test_add_func ("/compare/many-lines", test_many_lines);
  g_test_add_func ("/compare/new-traces", test_new_traces);
  g_test_add_func ("/compare/same-recording", test_same_recording);
  g_test_add_func ("/compare/warnings", test_warnings);
  g_test_add_data_func ("/compare/answers", g_getenv ("WP_SCENARIOS"), test_answers);
  g_test_add_func ("/compare/same-answer", test_same_answer);
  g_test_add_func ("/compare/sentences", test_sentences);
  g_test_add_func ("/compare/cold-start", test_cold_start);
  g_test_add_func ("/compare/means", test_means);
  g_test_add_func ("/compare/layout", test_layout);
  g_test_add_func ("/compare/sides", test_sides);
  g_test_add_func ("/compare/formats", test_formats);
  return g_test_run ();
}
