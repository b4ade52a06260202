/* The history of a figure, without a display: points as they become known, figures that can be chosen, picked points, files of both sides, what
 * is saved. The same profiles as tests/gui/test-history.py draws. */
#include "workspace/history/history-choices.h"
#include "workspace/history/history-model.h"
#include "workspace/history/history-save.h"

#include "store-maker.h"

#include <math.h>

#define COMMITS 30
#define REPEATS 4

typedef struct
{
  WpHistoryModel *model;
  GPtrArray *a, *b; /* files that were unpacked */
  char *name, *failed;
} Shown;

static void
on_unpacked (WpHistoryModel *model, WpHistoryFiles *files, Shown *self)
{
  g_ptr_array_set_size (self->a, 0);
  g_ptr_array_set_size (self->b, 0);
  for (guint i = 0; files->paths[0]->pdata[i] != NULL; i++)
    g_ptr_array_add (self->a, g_strdup (files->paths[0]->pdata[i]));
  for (guint i = 0; files->paths[1]->pdata[i] != NULL; i++)
    g_ptr_array_add (self->b, g_strdup (files->paths[1]->pdata[i]));
  g_free (self->name);
  self->name = g_strdup (files->names[0]->pdata[0]);
}

static void
on_failed (WpHistoryModel *model, const char *text, Shown *self)
{
  g_free (self->failed);
  self->failed = g_strdup (text);
}

static void
settle (Shown *self)
{
  RUN_UNTIL (!wp_history_model_is_gathering (self->model) && wp_history_model_left (self->model) == 0
             && !wp_history_model_is_unpacking (self->model));
}

static Shown *
show (const char *folder, const char *branch)
{
  Shown *self = g_new0 (Shown, 1);

  self->model = wp_history_model_new (folder, branch);
  self->a = g_ptr_array_new_with_free_func (g_free);
  self->b = g_ptr_array_new_with_free_func (g_free);
  g_signal_connect (self->model, "unpacked", G_CALLBACK (on_unpacked), self);
  g_signal_connect (self->model, "failed", G_CALLBACK (on_failed), self);
  g_assert_true (wp_history_model_is_gathering (self->model));
  settle (self);
  return self;
}

static void
shown_free (Shown *self)
{
  g_object_unref (self->model);
  wp_store_unpacked_clear ();
  g_ptr_array_unref (self->a);
  g_ptr_array_unref (self->b);
  g_free (self->name);
  g_free (self->failed);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Shown, shown_free)

/* Four profiles each of ./work at the first commit, the tenth and the last one, which is slower; one of ./other at the tenth. */
static char *
make_history (const StoreMaker *maker, char hashes[3][41])
{
  static const guint at[] = { 0, 10, COMMITS - 1 };
  char *repository = make_repository (maker, "project", COMMITS);
  g_autofree char *path = g_build_filename (maker->folder, "a.perf", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStore) store = wp_store_init (repository, NULL, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("main~%u", COMMITS - 1 - at[i]), *hash = commit_of (repository, name);

      g_strlcpy (hashes[i], hash, 41);
      for (guint repeat = 0; repeat < REPEATS + (i == 1); repeat++)
        {
          g_autofree char *file = g_strdup_printf ("%s/%u-%u.perf", maker->folder, i, repeat);
          char sha1[41];

          if (repeat < REPEATS)
            write_profile (file, hash, "time", "./work", "", (i == 2 ? 90 : 70) + repeat);
          else
            write_profile (file, hash, "time", "./other", "", 500);
          wp_store_add (store, hash, file, 0, sha1, &error);
          g_assert_no_error (error);
        }
    }
  return repository;
}

static void
assert_message (Shown *self, const char *expected)
{
  const char *icon, *title, *text;

  wp_history_model_message (self->model, &icon, &title, &text);
  g_assert_cmpstr (title, ==, expected);
}

/* By the name that a user sees. */
static guint
choice_of (const char *name)
{
  for (guint i = 0; i < wp_history_n_choices (); i++)
    {
      g_autofree char *other = wp_history_choice_name (i);

      if (g_str_equal (other, name))
        return i;
    }
  g_error ("there is no figure “%s”", name);
}

static void
choose (Shown *self, const char *figure, const char *of, guint32 line)
{
  WpFigure chosen = wp_history_choice_figure (choice_of (figure), of);

  wp_history_model_choose (self->model, &chosen, line);
  settle (self);
}

static const WpHistoryPoint *
point_at (Shown *self, guint32 row)
{
  const WpHistoryPoints *points = wp_history_model_points (self->model);

  g_assert_cmpuint (row, <, points->points.len);
  return &points->points.data[row];
}

/* --- the tests --------------------------------------------------------------------------------------------------------------- */

static void
test_nothing (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 2), *none = make_repository (maker, "none", 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (WpStore) store = wp_store_init (repository, NULL, &error);
  g_autoptr (Shown) shown = NULL, failed = NULL;

  shown = show (repository, NULL);
  assert_message (shown, "No Profiles Yet");
  g_assert_cmpuint (wp_history_model_history (shown->model)->profiles.len, ==, 0);
  failed = show (none, NULL);
  assert_message (failed, "Cannot Show the History");
  g_assert_null (wp_history_model_history (failed->model));
}

static void
test_points (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  char hashes[3][41];
  g_autofree char *repository = make_history (maker, hashes), *foot = NULL;
  g_autoptr (Shown) shown = show (repository, NULL), side = NULL;
  const WpHistory *history = wp_history_model_history (shown->model);
  g_autoptr (WpChart) chart = NULL;

  assert_message (shown, NULL);
  g_assert_cmpuint (history->lines.len, ==, 2);
  g_assert_cmpstr (history->lines.data[0].name, ==, "./work");
  g_assert_cmpuint (wp_history_model_points (shown->model)->points.len, ==, 4);
  choose (shown, "Total", NULL, 0);
  g_assert_cmpuint (wp_history_model_points (shown->model)->points.len, ==, 3);
  g_assert_cmpfloat (point_at (shown, 0)->median, ==, 71.5e6);
  g_assert_cmpfloat (point_at (shown, 0)->low, ==, 70e6);
  g_assert_cmpfloat (point_at (shown, 0)->high, ==, 73e6);
  g_assert_cmpuint (point_at (shown, 0)->known, ==, REPEATS);
  g_assert_cmpfloat (point_at (shown, 2)->median, ==, 91.5e6);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpstr (history->commits.data[point_at (shown, i)->commit].hash, ==, hashes[i]);
  foot = wp_history_model_foot (shown->model);
  g_assert_cmpstr (foot, ==, "Click a point to see its commit, another one with Shift to compare the two");
  chart = wp_history_model_chart (shown->model);
  g_assert_nonnull (chart);
  side = show (repository, "side"); /* ends at the first commit */
  g_assert_cmpuint (wp_history_model_points (side->model)->points.len, ==, 1);
}

static void
test_figures (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  char hashes[3][41];
  g_autofree char *repository = make_history (maker, hashes);
  g_autoptr (Shown) shown = show (repository, NULL);

  g_assert_null (wp_history_choice_asks (choice_of ("Total")));
  g_assert_cmpstr (wp_history_choice_asks (choice_of ("Function itself")), ==, "Function");
  g_assert_cmpstr (wp_history_choice_asks (choice_of ("Sum of a field")), ==, "Field, such as amount");
  choose (shown, "Function itself", "", 0);
  assert_message (shown, "Which One?");
  choose (shown, "Function itself", "nothing", 0);
  g_assert_cmpfloat (point_at (shown, 0)->median, ==, 0);
  choose (shown, "Sum of a field", "nothing", 0);
  assert_message (shown, "No Such Figure");
  choose (shown, "Function itself", "work", 0);
  assert_message (shown, NULL);
  g_assert_cmpfloat (point_at (shown, 1)->median, ==, 71.5e6);
  choose (shown, "Largest of a field", "amount", 0);
  g_assert_cmpuint (wp_history_model_points (shown->model)->points.len, ==, 3);
  for (guint i = 0; i < wp_history_n_choices (); i++) /* each row of the list is a figure of its own */
    for (guint k = 0; k < i; k++)
      {
        WpFigure a = wp_history_choice_figure (i, "x"), b = wp_history_choice_figure (k, "x");
        g_autofree char *id_a = wp_figure_id (&a), *id_b = wp_figure_id (&b);

        g_assert_cmpstr (id_a, !=, id_b);
      }
}

static void
assert_picked (Shown *self, guint32 first, guint32 second)
{
  guint32 rows[2];

  wp_history_model_picked (self->model, rows);
  g_assert_cmpuint (rows[0], ==, first);
  g_assert_cmpuint (rows[1], ==, second);
}

static void
test_picks (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  char hashes[3][41];
  g_autofree char *repository = make_history (maker, hashes);
  g_autoptr (Shown) shown = show (repository, NULL);

  choose (shown, "Total", NULL, 0);
  assert_picked (shown, G_MAXUINT32, G_MAXUINT32);
  g_assert_null (wp_history_model_pick (shown->model, 3, FALSE)); /* there is none */
  g_assert_cmpstr (wp_history_model_pick (shown->model, 2, TRUE), ==, hashes[2]); /* beside none it is the first */
  assert_picked (shown, 2, G_MAXUINT32);
  g_assert_null (wp_history_model_pick (shown->model, 2, TRUE)); /* not beside itself */
  g_assert_cmpstr (wp_history_model_pick (shown->model, 1, TRUE), ==, hashes[1]);
  assert_picked (shown, 1, 2); /* the older one first */
  g_assert_cmpstr (wp_history_model_pick (shown->model, 0, TRUE), ==, hashes[0]); /* the second one changes */
  assert_picked (shown, 0, 2);
  choose (shown, "Total", NULL, WP_HISTORY_ALL); /* the same points in other rows */
  assert_picked (shown, 0, 2);
  choose (shown, "Total", NULL, 1); /* a line that has neither */
  assert_picked (shown, G_MAXUINT32, G_MAXUINT32);
  choose (shown, "Total", NULL, 0);
  g_assert_cmpstr (wp_history_model_pick (shown->model, 1, FALSE), ==, hashes[1]);
  assert_picked (shown, 1, G_MAXUINT32);
}

/* All profiles of both points are compared; one is opened that is nearest to the median. */
static void
test_unpacked (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  char hashes[3][41];
  g_autofree char *repository = make_history (maker, hashes), *text = NULL;
  g_autoptr (Shown) shown = show (repository, NULL);
  g_autoptr (GError) error = NULL;

  choose (shown, "Total", NULL, 0);
  wp_history_model_pick (shown->model, 2, FALSE);
  wp_history_model_pick (shown->model, 1, TRUE);
  wp_history_model_compare_picked (shown->model);
  settle (shown);
  g_assert_cmpuint (shown->a->len, ==, REPEATS);
  g_assert_cmpuint (shown->b->len, ==, REPEATS);
  g_assert_nonnull (strstr (shown->name, " @ "));
  g_file_get_contents (shown->b->pdata[0], &text, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (strstr (text, hashes[2])); /* B is now */
  wp_history_model_open_picked (shown->model);
  settle (shown);
  g_assert_cmpuint (shown->a->len, ==, 1);
  g_assert_cmpuint (shown->b->len, ==, 0);
  g_clear_pointer (&text, g_free);
  g_file_get_contents (shown->a->pdata[0], &text, NULL, &error);
  g_assert_true (strstr (text, "\"amount\": 91,") != NULL || strstr (text, "\"amount\": 92,") != NULL);
  RUN_IN (repository, "find .perun/objects -type f -exec chmod u+w '{}' +; find .perun/objects -type f -size -2"
                      " -exec dd if=/dev/zero of='{}' bs=1 seek=30 count=4 conv=notrunc ';' 2>&1");
  wp_store_unpacked_clear ();
  wp_history_model_open_picked (shown->model);
  settle (shown);
  g_assert_nonnull (shown->failed);
}

static void
on_saved (gpointer result, const GError *error, gpointer said)
{
  *(char **) said = result != NULL ? g_strconcat ("saved ", result, NULL) : g_strdup (error->message);
  g_free (result);
}

static char *
save (const char *path, WpShared *chart, const char *text)
{
  char *said = NULL;

  wp_history_save (path, chart, WP_THEME_LIGHT, text, on_saved, &said);
  RUN_UNTIL (said != NULL);
  return said;
}

static void
test_saved (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  char hashes[3][41];
  g_autofree char *repository = make_history (maker, hashes), *csv = NULL, *json = NULL, *said = NULL, *wrong = NULL, *drawn = NULL;
  g_autofree char *table = g_build_filename (maker->folder, "h.csv", NULL), *picture = g_build_filename (maker->folder, "h.svg", NULL);
  g_autofree char *other = g_build_filename (maker->folder, "h.txt", NULL), *kept = NULL;
  g_autoptr (Shown) shown = show (repository, NULL);
  g_autoptr (WpShared) chart = NULL;
  g_auto (GStrv) lines = NULL;
  WpHistoryFormat format;

  choose (shown, "Function itself", "work", 0);
  g_assert_true (wp_history_save_as_text (table, &format));
  g_assert_cmpint (format, ==, WP_HISTORY_CSV);
  g_assert_false (wp_history_save_as_text (picture, &format));
  csv = wp_history_model_text (shown->model, WP_HISTORY_CSV);
  json = wp_history_model_text (shown->model, WP_HISTORY_JSON);
  lines = g_strsplit (csv, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 1 + 3 + 1);
  for (guint i = 0; i < 3; i++)
    g_assert_nonnull (strstr (lines[1 + i], hashes[i]));
  g_assert_nonnull (strstr (lines[1], "71500000"));
  g_assert_true (g_str_has_prefix (json, "{"));
  said = save (table, NULL, csv);
  g_assert_true (g_str_has_prefix (said, "saved "));
  g_assert_true (g_file_get_contents (table, &kept, NULL, NULL));
  g_assert_cmpstr (kept, ==, csv);
  chart = wp_shared_new (wp_history_model_chart (shown->model), (GDestroyNotify) wp_chart_free);
  g_free (said);
  said = save (picture, chart, NULL);
  g_assert_true (g_file_get_contents (picture, &drawn, NULL, NULL));
  g_assert_nonnull (strstr (drawn, "<svg"));
  wrong = save (other, chart, NULL);
  g_assert_nonnull (strstr (wrong, "it must end in .svg, .png, .pdf, .csv, .tsv or .json"));
  g_assert_false (g_file_test (other, G_FILE_TEST_EXISTS));
}

#define ADD(path, function) g_test_add ("/workspace/history/" path, StoreMaker, NULL, store_maker_set_up, function, store_maker_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("nothing", test_nothing);
  ADD ("points", test_points);
  ADD ("figures", test_figures);
  ADD ("picks", test_picks);
  ADD ("unpacked", test_unpacked);
  ADD ("saved", test_saved);
  return run_tests_at_home ();
}
