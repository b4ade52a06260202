/* Figures by name, what they are of a profile, their history over commits, and checks of sets as a table. */
#include "store/history.h"
#include "plots/compare-grids.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define PROFILE "{\"header\": {\"type\": \"time\", \"cmd\": \"c\", \"args\": \"\", \"workload\": \"\", \"units\": {\"time\": \"ms\"}}, " \
                "\"collector_info\": {\"name\": \"time\", \"params\": {}}, \"postprocessors\": [], \"global\": {\"resources\": [%s]}}"

/* --- figures ---------------------------------------------------------------------------------------------------------------- */

static void
test_names (void)
{
  static const char *const ids[] = { "total", "wall", "accounted", "self:main", "total:a:b", "sum:amount", "mean:x", "max:y" };
  static const char *const wrong[] = { "", "odd", "self:", "sum:", ":", "totally" };

  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      WpFigure figure = { 0 };
      g_autofree char *id = NULL;

      g_assert_true (wp_figure_parse (ids[i], &figure, NULL));
      id = wp_figure_id (&figure);
      g_assert_cmpstr (id, ==, ids[i]);
      wp_figure_clear (&figure);
    }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      WpFigure figure = { 0 };

      g_assert_false (wp_figure_parse (wrong[i], &figure, &error));
      g_assert_nonnull (error);
    }
}

/* The value of a figure of a profile with these resources. */
static double
figure_of (const char *id, const char *resources)
{
  g_autofree char *text = g_strdup_printf (PROFILE, resources);
  g_autoptr (GError) error = NULL;
  WpFigure figure = { 0 };
  WpFigureValue value = { 0 };

  g_assert_true (wp_figure_parse (id, &figure, NULL));
  g_assert_true (wp_figures_read (&figure, 1, NULL, "p.perf", text, strlen (text), TRUE, &value, NULL, &error));
  g_assert_no_error (error);
  wp_figure_clear (&figure);
  return value.value;
}

static void
test_values (void)
{
  static const char resources[] = "{\"uid\": \"f\", \"amount\": 1, \"n\": 8}, {\"uid\": \"g\", \"amount\": 4, \"n\": \"x\"}";

  g_assert_cmpfloat (figure_of ("sum:n", resources), ==, 8);
  g_assert_cmpfloat (figure_of ("mean:n", resources), ==, 8);
  g_assert_cmpfloat (figure_of ("max:n", resources), ==, 8);
  g_assert_cmpfloat (figure_of ("max:amount", resources) / figure_of ("mean:amount", resources), ==, 1.6);
  g_assert_cmpfloat (figure_of ("sum:amount", resources), ==, figure_of ("total", resources));
  g_assert_true (isnan (figure_of ("sum:none", resources)));
  g_assert_true (isnan (figure_of ("wall", resources)));
}

/* --- what most of a saved recording is --------------------------------------------------------------------------------------- */

/* What the head of a saved recording with this answer says; "": nothing. */
static char *
most_of (const char *answer)
{
  g_autofree char *text = g_strdup_printf ("{\"wakepath\": {\"version\": 1, %s%s\"total\": 7, \"tasks\": []}}", answer, *answer != '\0' ? ", " : "");
  g_autoptr (WpJsonReader) reader = wp_json_reader_new ("p.perf", text, strlen (text), NULL);
  g_auto (WpFigureHead) head = { 0 };

  g_assert_true (wp_figure_read_head (reader, &head));
  g_assert_cmpint (head.total, ==, 7); /* whatever stands before it */
  return g_strdup (head.most != NULL ? head.most : "");
}

static void
test_most (void)
{
  g_autofree char *path = g_strnfill (5000, 'x'), *far = g_strdup_printf ("\"answer\": {\"words\": \"reads %%s\", \"of\": \"%s\"}", path);
  const char *cases[][2] = {
    { "", "" }, /* an older version */
    { "\"answer\": {\"words\": \"waits for %s\", \"of\": \"vda\", \"percent\": 80}", "mostly waits for vda" },
    { "\"answer\": {\"words\": \"runs\", \"percent\": 50, \"later\": [1]}", "runs 50 % of the time" },
    { "\"answer\": {\"words\": \"reads %s\", \"of\": \"/a\", \"on\": \"vda\", \"percent\": 80}", "mostly reads /a on vda" },
    { "\"answer\": {\"words\": \"fsync\", \"on\": \"vda\", \"percent\": 80}", "mostly fsync on vda" },
    { "\"answer\": {\"words\": \"reads a pipe\", \"end\": \"open\", \"percent\": 80}", "mostly still reads a pipe" },
    { "\"answer\": {\"words\": \"waits in poll\", \"end\": \"limit\", \"percent\": 80}", "mostly waits in poll until a time limit" },
    { "\"answer\": {\"words\": \"reads\", \"end\": \"never\", \"percent\": 80}", "mostly reads" },
    { "\"answer\": {\"words\": \"reads %s\", \"of\": \"/a\\n%s%n\", \"percent\": 60}", "mostly reads /a %s%n" },
    { "\"answer\": {\"words\": \"%s%s%n\", \"percent\": 60}", "mostly %s%s%n" }, /* no format, whatever it looks like */
    { "\"answer\": {\"words\": \"\", \"percent\": 60}", "" },
    { "\"answer\": {\"words\": 7, \"of\": {}}", "" },
    { "\"answer\": [\"runs\"]", "" },
    { "\"answer\": {}", "" },
    { far, "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *said = most_of (cases[i][0]);

      g_assert_cmpstr (said, ==, cases[i][1]);
    }
}

/* --- history ---------------------------------------------------------------------------------------------------------------- */

static void
test_points (void)
{
  WpHistoryProfile profiles[] = { { .commit = 0 }, { .commit = 0 }, { .commit = 0 }, { .commit = 1 }, { .commit = 2 }, { .commit = 2 } };
  WpHistoryCommit commits[3] = { 0 };
  WpHistoryLine lines[] = { { .name = (char *) "a", .first = 0, .n = 4 }, { .name = (char *) "b", .first = 4, .n = 2 } };
  WpHistory history = { .commits = { commits, 3, 3 }, .profiles = { profiles, 6, 6 }, .lines = { lines, 2, 2 } };
  WpFigureValue values[] = { { .value = 5 }, { .value = 1 }, { .value = 3 }, { .value = NAN }, { .value = 2 }, { .value = 4 } };
  WpHistoryPoints points = { 0 };

  wp_history_points (&history, values, WP_HISTORY_ALL, &points);
  g_assert_cmpuint (points.points.len, ==, 2); /* of the commit in the middle nothing is known */
  g_assert_cmpfloat (points.points.data[0].median, ==, 3);
  g_assert_cmpfloat (points.points.data[0].low, ==, 1);
  g_assert_cmpfloat (points.points.data[0].high, ==, 5);
  g_assert_cmpuint (points.points.data[0].known, ==, 3);
  g_assert_cmpuint (points.points.data[1].commit, ==, 2);
  g_assert_cmpfloat (points.points.data[1].median, ==, 3);
  wp_history_points_clear (&points);
  wp_history_points (&history, values, 1, &points);
  g_assert_cmpuint (points.points.len, ==, 1);
  g_assert_cmpuint (points.points.data[0].line, ==, 1);
  wp_history_points_clear (&points);
  values[4].unit = WP_UNIT_BYTES;
  wp_history_points (&history, values, WP_HISTORY_ALL, &points);
  g_assert_cmpuint (points.other_units, ==, 1);
  g_assert_cmpuint (points.points.len, ==, 2); /* each line has the unit of its first value */
  g_assert_cmpfloat (points.points.data[1].median, ==, 2);
  g_assert_cmpint (points.points.data[1].unit, ==, WP_UNIT_BYTES);
  wp_history_points_of_one_unit (&points);
  g_assert_cmpuint (points.points.len, ==, 1);
  g_assert_cmpuint (points.other_units, ==, 2);
  wp_history_points_clear (&points);
}

/* --- checks of sets as a table ---------------------------------------------------------------------------------------------- */

static char **
make_files (const char *folder, const char *side, const double *amounts, guint n)
{
  char **paths = g_new0 (char *, n + 1);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *resource = g_strdup_printf ("{\"uid\": \"f\", \"type\": \"time\", \"amount\": %.2f}", amounts[i]);
      g_autofree char *text = g_strdup_printf (PROFILE, resource);

      paths[i] = g_strdup_printf ("%s/%s%u.perf", folder, side, i);
      g_assert_true (g_file_set_contents (paths[i], text, -1, NULL));
    }
  return paths;
}

static void
remove_files (char **paths)
{
  for (char **path = paths; *path != NULL; path++)
    g_unlink (*path);
  g_strfreev (paths);
}

/* How many changes of a kind all checks see. */
static guint
count_changes (const double *a, guint n_a, const double *b, guint n_b, WpCheckChange change)
{
  g_autofree char *folder = g_dir_make_tmp ("wakepath-figures-XXXXXX", NULL);
  char **before = make_files (folder, "a", a, n_a), **now = make_files (folder, "b", b, n_b);
  g_autoptr (GError) error = NULL;
  g_autoptr (WpChecked) checked = wp_checked_new ((const char *const *) before, (const char *const *) now, NULL, &error);
  guint n;

  g_assert_no_error (error);
  g_assert_cmpuint (checked->applied + checked->failed, ==, WP_N_CHECKS);
  n = checked->n[change];
  remove_files (before);
  remove_files (now);
  g_rmdir (folder);
  return n;
}

static void
test_sets (void)
{
  const double low[] = { 1, 1.2, 0.9, 1.1 }, high[] = { 4, 4.1, 3.9, 4.2 }, wild[] = { 9, 1, 9, 0.2 };

  g_assert_cmpuint (count_changes (low, 1, wild, 1, WP_CHANGE_DEGRADATION), ==, 1);
  g_assert_cmpuint (count_changes (low, 4, high, 4, WP_CHANGE_DEGRADATION), ==, 1);
  g_assert_cmpuint (count_changes (high, 4, low, 4, WP_CHANGE_OPTIMIZATION), ==, 1);
  g_assert_cmpuint (count_changes (wild, 4, high, 4, WP_CHANGE_NONE), ==, 1);
  g_assert_cmpuint (count_changes (low, 2, high, 1, WP_CHANGE_DEGRADATION), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figures/names", test_names);
  g_test_add_func ("/figures/values", test_values);
  g_test_add_func ("/figures/most", test_most);
  g_test_add_func ("/history/points", test_points);
  g_test_add_func ("/checks/sets", test_sets);
  return g_test_run ();
}
