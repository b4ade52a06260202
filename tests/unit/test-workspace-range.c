/* What the dialog that profiles commits decides, without a display: which commits are chosen, what they are profiled by, whether the user is asked
 * first, how far it is. */
#include "workspace/range/range-choice.h"
#include "workspace/range/range-list.h"
#include "workspace/range/range-matrix.h"
#include "workspace/range/range-trust.h"

#include "store-maker.h"

static WpStore *
open_store (const char *repository, const char *settings)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *file = g_build_filename (repository, ".perun", "local.yml", NULL);
  WpStore *store = g_file_test (file, G_FILE_TEST_EXISTS) ? NULL : wp_store_init (repository, NULL, &error);

  g_assert_no_error (error);
  g_clear_pointer (&store, wp_store_free);
  if (settings != NULL)
    RUN_IN (repository, "cat >> .perun/local.yml <<'END'\n%s\nEND", settings);
  store = wp_store_open (repository, &error);
  g_assert_no_error (error);
  return store;
}

/* The subjects of what a row of the choices comes to, or the error. */
static char *
subjects_of (const WpRangeChoices *choices, guint row, const char *text, guint newest)
{
  WpRangeChoice *choice = wp_range_choices_take (choices, row, text, newest);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) picks = wp_range_choice_read (choice, NULL, &error);
  GString *subjects = g_string_new (error != NULL ? error->message : NULL);

  wp_range_choice_free (choice);
  for (guint i = 0; picks != NULL && i < picks->len; i++)
    g_string_append_printf (subjects, "%s%s", i > 0 ? ", " : "", g_array_index (picks, WpRangePick, i).subject);
  return g_string_free (subjects, FALSE);
}

static void
assert_commits (const WpRangeChoices *choices, guint row, const char *text, guint newest, const char *expected)
{
  g_autofree char *subjects = subjects_of (choices, row, text, newest);

  g_assert_cmpstr (subjects, ==, expected);
}

static void
test_chosen (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 5), *two = commit_of (repository, "main~2"), *one = NULL, *joined = NULL;
  g_autofree char *three = commit_of (repository, "main~1"), *wrong = NULL;
  g_autoptr (WpStore) store = open_store (repository, NULL);
  g_autoptr (WpRangeChoices) choices = wp_range_choices_new (repository, (char *[]) { two, three, NULL }, store);
  g_autoptr (WpRangeChoices) unselected = wp_range_choices_new (repository, (char *[]) { NULL }, store);

  joined = g_strjoinv (", ", (char **) wp_range_choices_names (choices));
  g_assert_cmpstr (joined, ==, "2 selected, Range, main, side");
  one = g_strjoinv (", ", (char **) wp_range_choices_names (unselected));
  g_assert_cmpstr (one, ==, "Range, main, side");
  g_assert_cmpuint (wp_range_choices_first (choices, "side"), ==, 0);    /* what is selected goes before */
  g_assert_cmpuint (wp_range_choices_first (unselected, "side"), ==, 2);
  g_assert_cmpuint (wp_range_choices_first (unselected, NULL), ==, 0);
  g_assert_cmpint (wp_range_choices_sort (choices, 0), ==, WP_RANGE_BY_SELECTION);
  g_assert_cmpint (wp_range_choices_sort (choices, 1), ==, WP_RANGE_BY_TEXT);
  g_assert_cmpint (wp_range_choices_sort (choices, 2), ==, WP_RANGE_BY_BRANCH);
  g_assert_cmpint (wp_range_choices_sort (unselected, 0), ==, WP_RANGE_BY_TEXT);
  g_assert_cmpint (wp_range_choices_sort (unselected, 1), ==, WP_RANGE_BY_BRANCH);

  assert_commits (choices, 0, "", 10, "Change number 2, Change number 3");
  assert_commits (choices, 1, "main~2..main", 10, "Change number 3, Change number 4");
  assert_commits (choices, 1, " side, main~4..main~2  main~2", 10, "Begin, Change number 1, Change number 2"); /* each once */
  assert_commits (choices, 1, "", 10, "No commits are chosen");
  assert_commits (choices, 2, "", 3, "Change number 2, Change number 3, Change number 4");
  assert_commits (choices, 2, "", 10, "Begin, Change number 1, Change number 2, Change number 3, Change number 4");
  assert_commits (choices, 3, "", 10, "Begin");
  wrong = subjects_of (choices, 1, "main..nowhere", 10);
  g_assert_nonnull (strstr (wrong, "nowhere"));
}

/* --- what is recorded ------------------------------------------------------------------------------------------------------- */

static void
assert_jobs (WpRangeMatrix *matrix, guint row, const char *command, const char *expected)
{
  WpRangeOptions options = { 0 };
  g_autoptr (GString) lines = g_string_new (NULL);

  wp_range_matrix_choose (matrix, row, command, &options);
  for (guint i = 0; i < options.jobs->len; i++)
    {
      g_autofree char *line = wp_store_job_line (options.jobs->pdata[i]);

      g_string_append_printf (lines, "%s%s", i > 0 ? ", " : "", line);
    }
  g_assert_cmpstr (lines->str, ==, expected);
  g_assert_true ((options.postprocesses != NULL) == !wp_range_matrix_is_typed (matrix, row));
}

static void
test_matrix (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 1), *names = NULL, *description = NULL, *typed = NULL;
  g_autoptr (WpStore) store = open_store (repository, "cmds: [./program]\nworkloads: [1, 2]\npostprocessors:\n  - name: filter");
  g_autoptr (WpRangeMatrix) matrix = wp_range_matrix_new (store);
  g_auto (GStrv) rows = wp_range_matrix_names (matrix);

  names = g_strjoinv (", ", rows);
  g_assert_cmpstr (names, ==, "All 2 of local.yml, ./program 1, ./program 2, Another command");
  g_assert_true (wp_range_matrix_offers (matrix));
  description = wp_range_matrix_describe (matrix, 0);
  g_assert_cmpstr (description, ==, "Postprocessed: filter");
  typed = wp_range_matrix_describe (matrix, 3);
  g_assert_cmpstr (typed, ==, "");
  for (guint row = 0; row < 4; row++)
    g_assert_cmpint (wp_range_matrix_is_typed (matrix, row), ==, row == 3);
  g_assert_true (wp_range_matrix_can_run (matrix, 1, ""));
  g_assert_false (wp_range_matrix_can_run (matrix, 3, ""));
  g_assert_false (wp_range_matrix_can_run (matrix, 3, "an 'open quote"));
  g_assert_true (wp_range_matrix_can_run (matrix, 3, "./other -v"));
  assert_jobs (matrix, 0, "", "./program 1, ./program 2");
  assert_jobs (matrix, 2, "", "./program 2");
  assert_jobs (matrix, 3, "./other '-v x'", "./other -v x");
}

static void
test_no_matrix (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 1), *other = make_repository (maker, "other", 1), *why = NULL;
  g_autoptr (WpStore) store = open_store (repository, NULL);
  g_autoptr (WpStore) wrong = open_store (other, "cmds: [./program]\npostprocessors:\n  - name: odd & <b>even</b>");
  g_autoptr (WpRangeMatrix) none = wp_range_matrix_new (store), broken = wp_range_matrix_new (wrong);

  g_assert_false (wp_range_matrix_offers (none));
  g_assert_true (wp_range_matrix_is_typed (none, 0));
  g_assert_true (wp_range_matrix_offers (broken)); /* it says why */
  g_assert_true (wp_range_matrix_is_typed (broken, 0));
  why = wp_range_matrix_describe (broken, 0);
  g_assert_nonnull (strstr (why, "local.yml: postprocessors.0.name: there is no postprocessor “odd & <b>even</b>”"));
}

/* --- who is asked -------------------------------------------------------------------------------------------------------------- */

#define COMMANDS "cmds: [./program]\nexecute:\n  pre_run:\n    - touch a\n    - \"false\""

static void
test_asked (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 1);
  g_autoptr (WpStore) store = open_store (repository, COMMANDS), again = NULL;
  g_autoptr (WpRangeTrust) trust = wp_range_trust_new (store), changed = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *longer = g_strconcat ("true; ", trust->build, NULL);

  g_assert_cmpstr (trust->build, ==, "touch a && false");
  g_assert_true (wp_range_trust_asks (trust, trust->build, FALSE));
  g_assert_true (wp_range_trust_asks (trust, trust->build, TRUE)); /* the build line is the store's */
  g_assert_false (wp_range_trust_asks (trust, "", TRUE));
  g_assert_true (wp_range_trust_asks (trust, "", FALSE));          /* the programs are */
  g_assert_true (wp_range_trust_asks (trust, longer, TRUE));       /* with something before it, it is still the store's */
  g_assert_true (wp_range_trust_asks (trust, "make", TRUE));       /* as long as it was only edited */
  wp_range_trust_build_deleted (trust, trust->build, 1, -1);
  g_assert_true (wp_range_trust_asks (trust, "make", TRUE));
  wp_range_trust_build_deleted (trust, trust->build, 0, 3);
  g_assert_true (wp_range_trust_asks (trust, "make", TRUE));
  wp_range_trust_build_deleted (trust, trust->build, 0, -1);
  g_assert_false (wp_range_trust_asks (trust, "make", TRUE));      /* a line that begins anew is the user's own */
  g_assert_true (wp_range_trust_asks (trust, trust->build, TRUE)); /* the same again may be by undoing */
  wp_store_trust (trust->commands, &error);
  g_assert_no_error (error);
  g_assert_false (wp_range_trust_asks (trust, trust->build, FALSE));

  RUN_IN (repository, "sed -i 's/touch a/touch b/' .perun/local.yml");
  again = open_store (repository, NULL);
  changed = wp_range_trust_new (again);
  g_assert_true (wp_range_trust_asks (changed, changed->build, FALSE)); /* what changed is asked about again */
}

static void
test_nothing_asked (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 1);
  g_autoptr (WpStore) store = open_store (repository, NULL);
  g_autoptr (WpRangeTrust) trust = wp_range_trust_new (store);

  g_assert_cmpstr (trust->build, ==, "");
  g_assert_false (wp_range_trust_asks (trust, "make", TRUE));
}

/* --- how far it is --------------------------------------------------------------------------------------------------------------- */

static void
on_change (WpRange *range, gpointer data)
{
}

static GArray *
pick_newest_two (const char *repository, WpStore *store)
{
  g_autoptr (WpRangeChoices) choices = wp_range_choices_new (repository, (char *[]) { NULL }, store);
  WpRangeChoice *choice = wp_range_choices_take (choices, 1, "", 2);
  GArray *picks = wp_range_choice_read (choice, NULL, NULL);

  wp_range_choice_free (choice);
  return picks;
}

/* Of the commits of the list, each built by this line. */
static WpRange *
start_range (char *repository, WpStore *store, const WpRangeList *list, const char *build)
{
  g_autoptr (WpRangeMatrix) matrix = wp_range_matrix_new (store);
  WpRangeOptions options = { .folder = repository, .commits = list->hashes, .build = (char *) build };
  WpRange *range;

  wp_range_matrix_choose (matrix, 0, "true", &options);
  range = wp_range_new (&options, on_change, NULL);
  wp_range_start (range);
  return range;
}

/* Commits that have to be built are reported one after the other: the recorder is not needed to see a build that fails. */
static void
test_list (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 3), *summary = NULL, *over = NULL;
  g_autoptr (WpStore) store = open_store (repository, NULL);
  g_autoptr (GArray) picks = pick_newest_two (repository, store);
  g_autoptr (WpRangeList) list = wp_range_list_new ();
  g_autoptr (WpRange) range = NULL;

  g_assert_false (wp_range_list_is_left (list));
  g_assert_null (wp_range_list_get (list, 0));
  wp_range_list_set (list, picks);
  g_assert_cmpstr (wp_range_list_get (list, 1)->subject, ==, "Change number 2");
  g_assert_null (wp_range_list_get (list, 2));
  g_assert_true (wp_range_list_is_left (list));
  summary = wp_range_list_summary (list);
  g_assert_cmpstr (summary, ==, "0 of 2 commits: 0 registered, 0 profiled before, 0 failed");
  range = start_range (repository, store, list, "echo nothing to build >&2; exit 1");
  RUN_UNTIL (wp_range_is_over (range));
  g_assert_no_error (wp_range_error (range));
  wp_range_list_take (list, range);
  over = wp_range_list_summary (list);
  g_assert_cmpstr (over, ==, "2 of 2 commits: 0 registered, 0 profiled before, 2 failed");
  g_assert_cmpint (wp_range_list_get (list, 0)->state, ==, WP_RANGE_FAILED);
  g_assert_nonnull (wp_range_list_get (list, 0)->log);
  g_assert_nonnull (wp_range_list_get (list, 0)->problem);
  g_assert_true (wp_range_list_is_left (list)); /* what failed is tried again */
  wp_range_list_set (list, NULL);
  g_assert_null (list->hashes);
}

static WpRangeState
first_state (const WpRange *range)
{
  guint n;
  const WpRangeCommit *commits = wp_range_commits (range, &n);

  return n > 0 ? commits[0].state : WP_RANGE_WAITING;
}

/* What its user stopped has not failed. */
static void
test_stopped (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 3), *over = NULL;
  g_autoptr (WpStore) store = open_store (repository, NULL);
  g_autoptr (GArray) picks = pick_newest_two (repository, store);
  g_autoptr (WpRangeList) list = wp_range_list_new ();
  g_autoptr (WpRange) range = NULL;

  wp_range_list_set (list, picks);
  range = start_range (repository, store, list, "sleep 60");
  RUN_UNTIL (first_state (range) == WP_RANGE_BUILDING);
  wp_range_stop (range);
  RUN_UNTIL (wp_range_is_over (range));
  wp_range_list_take (list, range);
  over = wp_range_list_summary (list);
  g_assert_cmpstr (over, ==, "0 of 2 commits: 0 registered, 0 profiled before, 0 failed");
  g_assert_cmpint (wp_range_list_get (list, 0)->state, ==, WP_RANGE_STOPPED);
  g_assert_null (wp_range_list_get (list, 0)->problem);
  g_assert_cmpint (wp_range_list_get (list, 1)->state, ==, WP_RANGE_WAITING);
  g_assert_true (wp_range_list_is_left (list));
}

#define ADD(path, function) g_test_add ("/workspace/range/" path, StoreMaker, NULL, store_maker_set_up, function, store_maker_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("chosen", test_chosen);
  ADD ("matrix", test_matrix);
  ADD ("no-matrix", test_no_matrix);
  ADD ("asked", test_asked);
  ADD ("nothing-asked", test_nothing_asked);
  ADD ("list", test_list);
  ADD ("stopped", test_stopped);
  return run_tests_at_home ();
}
