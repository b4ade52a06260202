/* The store as a window shows it, without a display: reading it, its rows, what can be done with them and what comes of it. */
#include "base/sort.h"
#include "profile/model/document.h"
#include "plots/plots.h"
#include "profile/perun/perun.h"
#include "workspace/store/store-pairs.h"
#include "workspace/store/store-row-words.h"
#include "workspace/store/store-selection.h"
#include "workspace/store/store-words.h"

#include "store-maker.h"

#include <math.h>
#include <unistd.h>

/* --- the model under test ----------------------------------------------------------------------------------------------- */

typedef struct
{
  WpStoreModel *model;
  guint found;
  char *failed, *said;
  GPtrArray *opened; /* names of tabs */
  guint compared;    /* tabs */
  guint n_changes;
} Shown;

static void
on_changed (WpStoreModel *model, Shown *self)
{
  self->n_changes++;
}

static void
on_found (WpStoreModel *model, guint position, Shown *self)
{
  self->found = position;
}

static void
on_failed (WpStoreModel *model, const char *text, Shown *self)
{
  g_free (self->failed);
  self->failed = g_strdup (text);
}

static void
on_done (WpStoreModel *model, const WpStoreOutcome *outcome, Shown *self)
{
  g_free (self->said);
  self->said = g_strdup (outcome->text != NULL ? outcome->text : "");
  for (guint i = 0; i < outcome->paths->len; i++)
    {
      g_assert_true (g_file_test (outcome->paths->pdata[i], G_FILE_TEST_IS_REGULAR));
      g_ptr_array_add (self->opened, g_strdup (outcome->names->pdata[i]));
    }
  self->compared += outcome->sides->len / 2;
}

/* As long as it reads or works. */
static void
settle (Shown *self)
{
  RUN_UNTIL (!wp_store_model_is_reading (self->model) && !wp_store_model_is_working (self->model)
             && (wp_store_model_session (self->model) != NULL || wp_store_model_failure (self->model) != NULL));
}

static Shown *
show (const char *folder)
{
  Shown *self = g_new0 (Shown, 1);

  self->model = wp_store_model_new ();
  self->opened = g_ptr_array_new_with_free_func (g_free);
  self->found = G_MAXUINT;
  g_signal_connect (self->model, "changed", G_CALLBACK (on_changed), self);
  g_signal_connect (self->model, "found", G_CALLBACK (on_found), self);
  g_signal_connect (self->model, "failed", G_CALLBACK (on_failed), self);
  g_signal_connect (self->model, "done", G_CALLBACK (on_done), self);
  wp_store_model_open (self->model, folder);
  settle (self);
  return self;
}

static void
shown_free (Shown *self)
{
  g_object_unref (self->model);
  wp_store_unpacked_clear (); /* else the next test's profile of the same commit is there already */
  g_ptr_array_unref (self->opened);
  g_free (self->failed);
  g_free (self->said);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Shown, shown_free)

/* With a store in it. */
static Shown *
show_new_store (const char *folder)
{
  Shown *self = show (folder);

  g_assert_cmpint (wp_store_place (self->model), ==, WP_STORE_PLACE_EMPTY);
  wp_store_model_create (self->model);
  g_assert_cmpint (wp_store_place (self->model), ==, WP_STORE_PLACE_BUSY);
  settle (self);
  return self;
}

static guint
n_rows (Shown *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (wp_store_model_rows (self->model)));
}

/* What a row is, in a word: “Pending 2”, a commit's subject, “  type command”, of repeats “  2 × type command”, each of which is “    type
 * command”; what cannot be read as “  !name”. */
static char *
row_text (Shown *self, guint position)
{
  g_autoptr (WpStoreRow) row = g_list_model_get_item (G_LIST_MODEL (wp_store_model_rows (self->model)), position);
  const WpStoreProfile *profile = wp_store_row_profile (row);

  if (wp_store_row_kind (row) == WP_STORE_ROW_HEADING)
    return g_strdup_printf ("Pending %u", wp_store_row_count (row));
  if (wp_store_row_runs (row) != NULL)
    {
      const WpStoreEntry *first = ((const WpStoreProfile *) wp_store_row_runs (row)->pdata[0])->entry;

      return g_strdup_printf ("  %u × %s %s", wp_store_row_runs (row)->len, first->type, first->cmd);
    }
  if (profile == NULL)
    return g_strdup (wp_store_row_commit (row)->subject);
  if (profile->entry->problem != NULL)
    {
      g_autofree char *name = g_path_get_basename (profile->entry->path);

      return g_strdup_printf ("  !%s", name);
    }
  return g_strdup_printf ("%s%s %s", wp_store_row_run (row) > 0 ? "    " : "  ", profile->entry->type, profile->entry->cmd);
}

/* The first rows, a line each. */
static void
assert_rows (Shown *self, guint n, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < MIN (n, n_rows (self)); i++)
    {
      g_autofree char *row = row_text (self, i);

      g_string_append_printf (text, "%s\n", row);
    }
  g_assert_cmpstr (text->str, ==, expected);
}

static guint
find_row (Shown *self, const char *wanted)
{
  for (guint i = 0; i < n_rows (self); i++)
    {
      g_autofree char *text = row_text (self, i);

      if (g_str_equal (text, wanted))
        return i;
    }
  g_error ("there is no row “%s”", wanted);
}

/* Rows by what they are, NULL-terminated, in the list's order. */
static GPtrArray *
select_rows (Shown *self, const char *const *wanted)
{
  g_autoptr (GArray) positions = g_array_new (FALSE, FALSE, sizeof (guint));

  for (; *wanted != NULL; wanted++)
    {
      guint position = find_row (self, *wanted);

      g_array_append_val (positions, position);
    }
  return wp_store_selected_rows (self->model, (const guint *) positions->data, positions->len);
}
#define SELECT(self, ...) select_rows (self, (const char *const[]) { __VA_ARGS__, NULL })

/* `tree`: what becomes known of the work tree. */
static void
assert_position (Shown *self, WpStoreTree tree, const char *expected)
{
  g_autofree char *text = NULL;

  RUN_UNTIL (wp_store_model_tree (self->model) == tree);
  text = wp_store_position (self->model);
  g_assert_cmpstr (text, ==, expected);
}

static void
assert_emptiness (Shown *self, const char *title, const char *text, const char *create)
{
  WpStoreEmptiness words;

  g_assert_cmpint (wp_store_place (self->model), ==, WP_STORE_PLACE_EMPTY);
  wp_store_emptiness (self->model, &words);
  g_assert_cmpstr (words.title, ==, title);
  if (text != NULL)
    g_assert_cmpstr (words.text, ==, text);
  g_assert_cmpstr (words.create, ==, create);
  g_free (words.text);
}

/* --- folders ------------------------------------------------------------------------------------------------------------- */

static void
test_folders (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *plain = g_build_filename (maker->folder, "plain", NULL), *unborn = make_repository (maker, "unborn", 0);
  g_autoptr (Shown) shown = show (NULL);

  g_mkdir (plain, 0755);
  assert_emptiness (shown, "No Folder Chosen", NULL, NULL);
  wp_store_model_open (shown->model, plain);
  g_assert_cmpint (wp_store_place (shown->model), ==, WP_STORE_PLACE_BUSY);
  settle (shown);
  assert_emptiness (shown, "Not a Git Repository", "“plain” is not under version control. Profiles are kept with commits.",
                    "Create Repository and Store");
  wp_store_model_open (shown->model, unborn);
  settle (shown);
  assert_emptiness (shown, "No Store Yet", "Profiles of “unborn” can be kept with its commits, in a folder named .perun.", "Create Store");
  wp_store_model_create (shown->model);
  settle (shown);
  assert_emptiness (shown, "No Commits Yet", "“unborn” has no commit. Profiles are kept with commits: make the first one.", NULL);
  assert_position (shown, WP_STORE_TREE_CLEAN, "no commit yet · no changes");
}

static void
test_created (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 3), *head = commit_of (repository, "HEAD");
  g_autofree char *clean = g_strdup_printf ("HEAD is main at %.7s · no changes", head);
  g_autofree char *dirty = g_strdup_printf ("HEAD is main at %.7s · uncommitted changes", head);
  g_autoptr (Shown) shown = show_new_store (repository);

  assert_rows (shown, 10, "Change number 2\nChange number 1\nBegin\n");
  assert_position (shown, WP_STORE_TREE_CLEAN, clean);
  RUN_IN (repository, "echo changed >> main.c");
  wp_store_model_read (shown->model);
  settle (shown);
  assert_position (shown, WP_STORE_TREE_DIRTY, dirty);
}

/* Started within a project the store above is found; a folder without one changes nothing. */
static void
test_suggested (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 1), *other = make_repository (maker, "other", 1);
  g_autofree char *inner = g_build_filename (repository, "some", "folder", NULL);
  g_autoptr (Shown) shown = NULL;

  shown_free (show_new_store (repository));
  shown = show (NULL);
  g_mkdir_with_parents (inner, 0755);
  wp_store_model_suggest (shown->model, inner);
  RUN_UNTIL (wp_store_model_folder (shown->model) != NULL);
  g_assert_cmpstr (wp_store_model_folder (shown->model), ==, repository);
  settle (shown);
  RUN_UNTIL (wp_store_model_tree (shown->model) != WP_STORE_TREE_UNKNOWN); /* else that changes, too */
  shown->n_changes = 0;
  wp_store_model_suggest (shown->model, other); /* has no store */
  RUN_UNTIL (shown->n_changes == 1);
  g_assert_cmpstr (wp_store_model_folder (shown->model), ==, repository);
  assert_rows (shown, 10, "Begin\n");
}

static void
test_other_repositories (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 5), *shallow = g_build_filename (maker->folder, "shallow", NULL);
  g_autofree char *bare = g_build_filename (maker->folder, "bare.git", NULL), *tree = g_build_filename (maker->folder, "tree", NULL);
  g_autofree char *side = commit_of (repository, "side"), *detached = commit_of (repository, "main~2");
  g_autofree char *at_side = g_strdup_printf ("HEAD is side at %.7s · no changes", side);
  g_autofree char *at_none = g_strdup_printf ("HEAD is detached at %.7s · no changes", detached);
  g_autoptr (Shown) shown = NULL;

  RUN_IN (maker->folder, "git clone -q --depth 2 file://%s shallow; git clone -q --bare %s bare.git; git -C %s worktree add -q %s side",
          repository, repository, repository, tree);
  g_clear_pointer (&shown, shown_free);
  shown = show_new_store (shallow);
  assert_rows (shown, 10, "Change number 4\nChange number 3\n");
  g_clear_pointer (&shown, shown_free);
  shown = show_new_store (tree);
  assert_rows (shown, 10, "Begin\n");
  assert_position (shown, WP_STORE_TREE_CLEAN, at_side);
  g_clear_pointer (&shown, shown_free);
  shown = show (bare);
  wp_store_model_create (shown->model);
  RUN_UNTIL (!wp_store_model_is_reading (shown->model));
  assert_rows (shown, 1, "Change number 4\n");
  g_clear_pointer (&shown, shown_free);
  RUN_IN (repository, "git checkout -q --detach main~2");
  shown = show_new_store (repository);
  assert_rows (shown, 10, "Change number 2\nChange number 1\nBegin\n");
  assert_position (shown, WP_STORE_TREE_CLEAN, at_none);
}

static void
test_another_owner (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *theirs = make_repository (maker, "theirs", 1);
  g_autoptr (Shown) shown = NULL;
  WpStoreEmptiness words;

  if (getuid () != 0)
    {
      g_test_skip ("only root can give a repository to somebody else");
      return;
    }
  RUN_IN (maker->folder, "chown -R 65534:65534 %s", theirs);
  shown = show (theirs);
  assert_emptiness (shown, "Another User’s Repository", NULL, NULL);
  wp_store_emptiness (shown->model, &words);
  g_assert_nonnull (strstr (words.text, "git config --global --add safe.directory "));
  g_free (words.text);
}

/* Settings that name another repository are asked about; until they are trusted there are no commits. */
static void
test_trusted (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 2), *beside = g_build_filename (maker->folder, "beside", NULL);
  g_autoptr (Shown) shown = NULL;
  gboolean asks;

  shown_free (show_new_store (repository));
  RUN_IN (maker->folder, "mkdir beside; cp -a project/.perun beside; printf 'vcs:\\n  type: git\\n  url: ../../project\\n' > beside/.perun/local.yml");
  shown = show (beside);
  g_assert_cmpuint (n_rows (shown), ==, 0);
  g_assert_nonnull (wp_store_notice_text (shown->model, &asks));
  g_assert_true (asks);
  wp_store_model_trust (shown->model, wp_store_model_session (shown->model));
  settle (shown);
  assert_rows (shown, 10, "Change number 1\nBegin\n");
  g_assert_null (wp_store_notice_text (shown->model, &asks));
  g_assert_false (asks);
}

/* --- commits -------------------------------------------------------------------------------------------------------------- */

static void
test_reading_on (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 1300), *begin = commit_of (repository, "side");
  g_autoptr (Shown) shown = show_new_store (repository);

  g_assert_cmpuint (n_rows (shown), ==, 100);
  wp_store_model_read_more (shown->model, FALSE); /* nobody is near the end */
  g_assert_false (wp_store_model_is_reading (shown->model));
  wp_store_model_read_more (shown->model, TRUE);
  g_assert_true (wp_store_model_is_reading (shown->model));
  settle (shown);
  g_assert_cmpuint (n_rows (shown), ==, 1100);
  g_assert_true (wp_store_model_has_more (shown->model));
  wp_store_model_seek (shown->model, begin);
  settle (shown);
  g_assert_cmpuint (shown->found, ==, 1299);
  g_assert_false (wp_store_model_has_more (shown->model));
  wp_store_model_read (shown->model); /* all that is there stays */
  settle (shown);
  g_assert_cmpuint (n_rows (shown), ==, 1300);
}

static void
test_branches (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 3);
  g_autoptr (Shown) shown = show_new_store (repository);

  g_assert_cmpuint (wp_store_model_last (shown->model)->branches->len, ==, 2);
  wp_store_model_choose_branch (shown->model, "side");
  settle (shown);
  assert_rows (shown, 10, "Begin\n");
  g_assert_cmpstr (wp_store_model_last (shown->model)->branch, ==, "side");
  g_assert_cmpstr (wp_store_model_last (shown->model)->head_branch, ==, "main");
  wp_store_model_choose_branch (shown->model, "main");
  settle (shown);
  assert_rows (shown, 1, "Change number 2\n");
}

/* --- profiles --------------------------------------------------------------------------------------------------------------- */

/* A commit that somebody makes, and a file that somebody puts there, is seen without asking. */
static void
test_another_tool (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 1), *broken = NULL, *path = NULL;
  g_autoptr (Shown) shown = show_new_store (repository);
  g_autoptr (GPtrArray) rows = NULL;

  path = add_pending (repository, "a.perf", "", "time", "./a", "");
  broken = g_build_filename (repository, ".perun", "jobs", "broken.perf", NULL);
  g_file_set_contents (broken, "{", -1, NULL);
  RUN_UNTIL (n_rows (shown) == 4);
  settle (shown);
  g_assert_cmpuint (find_row (shown, "Pending 2"), ==, 0);
  find_row (shown, "  time ./a");
  find_row (shown, "  !broken.perf");
  rows = SELECT (shown, "  !broken.perf");
  wp_store_model_change (shown->model, wp_store_model_work_new (shown->model, rows), wp_store_work_remove);
  RUN_UNTIL (n_rows (shown) == 3);
  g_assert_false (g_file_test (broken, G_FILE_TEST_EXISTS));
  assert_rows (shown, 3, "Pending 1\n  time ./a\nBegin\n");
}

static void
filter (Shown *self, WpStoreFilter filter)
{
  wp_store_rows_set_filter (wp_store_model_rows (self->model), &filter);
  for (gboolean reads = TRUE; reads; settle (self))
    {
      wp_store_model_read_more (self->model, FALSE);
      reads = wp_store_model_is_reading (self->model);
    }
}

/* A filter looks through all commits, one for those with profiles no further than these. */
static void
test_filters (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 1300), *first = NULL, *second = NULL;
  g_autofree char *hash = commit_of (repository, "side"), *beginning = g_strndup (hash, 8);
  g_autoptr (Shown) shown = show_new_store (repository);
  g_autoptr (GPtrArray) types = NULL, commands = NULL;

  first = add_pending (repository, "first.perf", "", "time", "./work", "");
  second = add_pending (repository, "second.perf", "", "memory", "./leaky", "thousand-pages");
  RUN_UNTIL (n_rows (shown) == 103);
  settle (shown);
  types = wp_store_rows_distinct (wp_store_model_rows (shown->model), FALSE);
  commands = wp_store_rows_distinct (wp_store_model_rows (shown->model), TRUE);
  g_assert_cmpuint (types->len, ==, 2);
  g_assert_cmpstr (types->pdata[0], ==, "memory");
  g_assert_cmpstr (commands->pdata[1], ==, "./work");
  filter (shown, (WpStoreFilter) { .with_profiles = TRUE });
  g_assert_true (wp_store_model_has_more (shown->model)); /* no commit has any, which the first thousand say */
  g_assert_cmpuint (n_rows (shown), ==, 3);
  filter (shown, (WpStoreFilter) { .type = (char *) "memory" });
  g_assert_false (wp_store_model_has_more (shown->model));
  assert_rows (shown, 10, "Pending 1\n  memory ./leaky\n");
  filter (shown, (WpStoreFilter) { .command = (char *) "./work" });
  assert_rows (shown, 10, "Pending 1\n  time ./work\n");
  filter (shown, (WpStoreFilter) { .text = (char *) "Thousand-Pages" });
  assert_rows (shown, 10, "Pending 1\n  memory ./leaky\n");
  filter (shown, (WpStoreFilter) { .text = (char *) "begin Ada" });
  assert_rows (shown, 10, "Begin\n");
  filter (shown, (WpStoreFilter) { .text = (char *) "number 129" }); /* neither hashes nor 1129 have it */
  assert_rows (shown, 20, "Change number 1299\nChange number 1298\nChange number 1297\nChange number 1296\nChange number 1295\nChange number 1294\n"
                          "Change number 1293\nChange number 1292\nChange number 1291\nChange number 1290\nChange number 129\n");
  filter (shown, (WpStoreFilter) { .text = beginning });
  assert_rows (shown, 10, "Begin\n");
  filter (shown, (WpStoreFilter) { .text = (char *) "first.perf" });
  assert_rows (shown, 10, "Pending 1\n  time ./work\n");
  filter (shown, (WpStoreFilter) { .text = (char *) "no such thing" });
  g_assert_cmpint (wp_store_place (shown->model), ==, WP_STORE_PLACE_NOTHING);
  filter (shown, (WpStoreFilter) { 0 });
  g_assert_cmpuint (n_rows (shown), ==, 1303);
}

static void
test_registered (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 2), *path = NULL;
  g_autoptr (Shown) shown = show_new_store (repository);
  g_autoptr (GPtrArray) pending = NULL, registered = NULL, commits = NULL;
  WpStoreRows *rows = wp_store_model_rows (shown->model);

  path = add_pending (repository, "a.perf", "", "time", "./a", "");
  RUN_UNTIL (n_rows (shown) == 4);
  settle (shown);
  pending = SELECT (shown, "  time ./a");
  g_assert_true (wp_store_model_change (shown->model, wp_store_model_work_new (shown->model, pending), wp_store_work_register));
  g_assert_false (wp_store_model_change (shown->model, wp_store_model_work_new (shown->model, pending), wp_store_work_register));
  settle (shown);
  g_assert_cmpstr (shown->said, ==, "Registered 1 profile");
  assert_rows (shown, 10, "Change number 1\n  time ./a\nBegin\n");
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));

  commits = SELECT (shown, "Change number 1");
  wp_store_rows_toggle_folded (rows, commits->pdata[0]);
  assert_rows (shown, 10, "Change number 1\nBegin\n");
  wp_store_rows_toggle_folded (rows, commits->pdata[0]);
  registered = SELECT (shown, "  time ./a");
  wp_store_model_unpack (shown->model, wp_store_model_work_new (shown->model, registered));
  settle (shown);
  g_assert_cmpuint (shown->opened->len, ==, 1);
  g_assert_true (g_str_has_prefix (shown->opened->pdata[0], "a.perf @ "));

  wp_store_model_change (shown->model, wp_store_model_work_new (shown->model, registered), wp_store_work_remove);
  settle (shown);
  g_assert_cmpstr (shown->said, ==, "Removed 1 profile");
  assert_rows (shown, 10, "Change number 1\nBegin\n");
}

/* As a drop does it; where local.yml wants that it is registered at once. */
static void
test_added (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 1), *path = g_build_filename (maker->folder, "dropped.perf", NULL);
  g_autoptr (Shown) shown = show_new_store (repository);
  WpStoreWork *work;

  write_profile (path, "", "time", "./a", "", 10);
  for (guint at_once = 0; at_once < 2; at_once++)
    {
      work = wp_store_model_work_new (shown->model, NULL);
      g_ptr_array_add (work->paths, g_strdup (path));
      wp_store_model_change (shown->model, work, wp_store_work_add);
      settle (shown);
      g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
      if (at_once == 0)
        {
          assert_rows (shown, 10, "Pending 1\n  time ./a\nBegin\n");
          RUN_IN (repository, "rm .perun/jobs/*.perf; printf 'profiles:\\n  register_after_run: true\\n' >> .perun/local.yml");
          wp_store_model_open (shown->model, repository);
          settle (shown);
        }
    }
  g_assert_true (g_str_has_prefix (shown->said, "Registered “"));
  assert_rows (shown, 10, "Begin\n  time ./a\n");
}

/* What is added is what is shown: a profile with the models that were made of it, of which its file knows nothing. */
static void
test_changed_added (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  static const char text[] = "{\"header\": {\"type\": \"time\", \"cmd\": \"./a\", \"units\": {\"time\": \"s\"}}, \"global\": {\"resources\": [%s]}}";
  g_autofree char *repository = make_repository (maker, "project", 1);
  g_autoptr (Shown) shown = show_new_store (repository);
  WpStoreWork *work = wp_store_model_work_new (shown->model, NULL);
  WpPostprocess what = { WP_POSTPROCESS_REGRESSION, WP_REGRESSION_DEFAULTS, WP_CLUSTERS_DEFAULTS };
  g_autoptr (GString) resources = g_string_new (NULL);
  g_autofree char *all = NULL, *stored = NULL;
  g_autoptr (GError) error = NULL;
  WpPlots *plots;
  guint32 skipped;

  for (guint i = 1; i <= 20; i++)
    g_string_append_printf (resources, "%s{\"type\": \"time\", \"uid\": \"f\", \"amount\": %u, \"structure-unit-size\": %u}", i > 1 ? ", " : "", 3 * i, i);
  all = g_strdup_printf (text, resources->str);
  plots = wp_plots_new (wp_profile_parse ("text", all, strlen (all), NULL, &error), NULL, &error);
  g_assert_no_error (error);
  g_assert_true (wp_plots_postprocess (plots, &what, &skipped, NULL, &error));
  work->plots = wp_shared_new (plots, (GDestroyNotify) wp_plots_free);
  wp_store_model_change (shown->model, work, wp_store_work_add);
  settle (shown);
  assert_rows (shown, 10, "Pending 1\n  time ./a\nBegin\n");
  stored = run_in (repository, "cat .perun/jobs/*.perf");
  g_assert_nonnull (strstr (stored, "regression_analysis"));
}

/* Of what is damaged only that is refused, by name. */
static void
test_damaged (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 2), *head = commit_of (repository, "HEAD"), *path = NULL, *other = NULL;
  g_autofree char *index = g_strdup_printf ("%s/.perun/objects/%.2s/%s", repository, head, head + 2);
  g_autoptr (Shown) shown = show_new_store (repository);
  g_autoptr (GPtrArray) pending = NULL, damaged = NULL, sound = NULL, lost = NULL;
  const WpStoreEntry *entry;

  path = add_pending (repository, "a.perf", "", "time", "./a", "");
  other = add_pending (repository, "b.perf", "", "time", "./b", "");
  RUN_UNTIL (n_rows (shown) == 5);
  settle (shown);
  pending = SELECT (shown, "  time ./a", "  time ./b");
  wp_store_model_change (shown->model, wp_store_model_work_new (shown->model, pending), wp_store_work_register);
  settle (shown);
  damaged = SELECT (shown, "  time ./a");
  sound = SELECT (shown, "  time ./b");
  entry = wp_store_row_profile (damaged->pdata[0])->entry;
  RUN_IN (repository, "f=.perun/objects/%.2s/%s; chmod 644 $f; printf 'xxxxxxxx' | dd of=$f bs=1 seek=40 conv=notrunc 2>&1", entry->sha1,
          entry->sha1 + 2);
  wp_store_model_unpack (shown->model, wp_store_model_work_new (shown->model, damaged));
  settle (shown);
  g_assert_nonnull (shown->failed);
  g_assert_nonnull (strstr (shown->failed, entry->sha1 + 2));
  g_assert_cmpuint (shown->opened->len, ==, 0);
  wp_store_model_unpack (shown->model, wp_store_model_work_new (shown->model, sound));
  settle (shown);
  g_assert_cmpuint (shown->opened->len, ==, 1);

  RUN_IN (repository, "printf '\\377\\377\\377\\377\\377\\377' | dd of=%s bs=1 seek=10 conv=notrunc 2>&1", index);
  RUN_UNTIL (n_rows (shown) == 3);
  assert_rows (shown, 3, "Change number 1\n  !Unreadable index\nBegin\n");
  lost = SELECT (shown, "  !Unreadable index");
  g_assert_false (wp_store_allows (shown->model, "store.remove", wp_store_facts (shown->model, lost, FALSE)));
}

/* --- what is selected --------------------------------------------------------------------------------------------------------- */

#define ALWAYS "choose-folder create refresh trust history profile-commits "

/* Which actions can be used, in the order of this list. */
static void
assert_allowed (Shown *self, const GPtrArray *rows, gboolean savable, const char *expected)
{
  static const char *const names[] = { "choose-folder", "create", "refresh", "trust", "history", "profile-commits", "open", "save-here",
                                       "register", "remove", "copy-name", "reveal", "compare" };
  WpStoreFacts facts = wp_store_facts (self->model, rows, savable);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *action = g_strconcat ("store.", names[i], NULL);

      if (wp_store_allows (self->model, action, facts))
        g_string_append_printf (text, "%s ", names[i]);
    }
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_allowed (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 2), *a = NULL, *b = NULL, *broken = NULL;
  g_autoptr (GPtrArray) none = g_ptr_array_new (), registering = NULL, pending = NULL, both = NULL, registered = NULL, mixed = NULL,
                        commit = NULL, commits = NULL, wrong = NULL;
  g_autoptr (Shown) nowhere = show (NULL), shown = show_new_store (repository);

  assert_allowed (nowhere, none, TRUE, "choose-folder ");
  a = add_pending (repository, "a.perf", "", "time", "./a", "");
  b = add_pending (repository, "b.perf", "", "time", "./b", "");
  broken = g_build_filename (repository, ".perun", "jobs", "broken.perf", NULL);
  g_file_set_contents (broken, "{", -1, NULL);
  RUN_UNTIL (n_rows (shown) == 6);
  settle (shown);
  registering = SELECT (shown, "  time ./b");
  wp_store_model_change (shown->model, wp_store_model_work_new (shown->model, registering), wp_store_work_register);
  assert_allowed (shown, registering, TRUE, "choose-folder "); /* while it works */
  settle (shown);

  assert_allowed (shown, none, FALSE, ALWAYS);
  assert_allowed (shown, none, TRUE, ALWAYS "save-here ");
  pending = SELECT (shown, "  time ./a");
  assert_allowed (shown, pending, FALSE, ALWAYS "open register remove copy-name reveal ");
  registered = SELECT (shown, "  time ./b");
  assert_allowed (shown, registered, FALSE, ALWAYS "open remove copy-name reveal ");
  mixed = SELECT (shown, "  time ./a", "  time ./b");
  assert_allowed (shown, mixed, FALSE, ALWAYS "open copy-name compare ");
  both = SELECT (shown, "  time ./a", "  !broken.perf");
  assert_allowed (shown, both, FALSE, ALWAYS "register remove copy-name ");
  wrong = SELECT (shown, "  !broken.perf");
  assert_allowed (shown, wrong, FALSE, ALWAYS "register remove copy-name reveal ");
  commit = SELECT (shown, "Begin");
  assert_allowed (shown, commit, FALSE, ALWAYS "copy-name ");
  commits = SELECT (shown, "Change number 1", "Begin"); /* one of them has none */
  assert_allowed (shown, commits, FALSE, ALWAYS "copy-name ");
}

/* The heading is selected with all others, and is no profile. */
static void
test_all_selected (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 2), *a = NULL, *newer = commit_of (repository, "main");
  g_autofree char *older = commit_of (repository, "side"), *expected = g_strdup_printf ("a.perf\n%s\n%s", newer, older), *names = NULL;
  g_autofree char *oldest_first = g_strdup_printf ("%s %s", older, newer), *joined = NULL;
  const guint all[] = { 0, 1, 2, 3 };
  g_autoptr (Shown) shown = show_new_store (repository);
  g_autoptr (GPtrArray) rows = NULL;
  g_auto (GStrv) commits = NULL;

  a = add_pending (repository, "a.perf", "", "time", "./a", "");
  RUN_UNTIL (n_rows (shown) == 4);
  settle (shown);
  rows = wp_store_selected_rows (shown->model, all, G_N_ELEMENTS (all));
  names = wp_store_selected_names (rows);
  g_assert_cmpstr (names, ==, expected);
  commits = wp_store_selected_commits (rows);
  joined = g_strjoinv (" ", commits);
  g_assert_cmpstr (joined, ==, oldest_first);
}

static void
register_file (Shown *self, const char *commit, const char *path)
{
  g_autoptr (GError) error = NULL;
  char sha1[41];

  wp_store_session_take (wp_store_model_session (self->model));
  wp_store_add (wp_store_model_session (self->model)->store, commit, path, WP_STORE_ADD_FORCE, sha1, &error);
  wp_store_session_leave (wp_store_model_session (self->model));
  g_assert_no_error (error);
}

static void
register_for (Shown *self, const char *repository, const char *commit, guint commands)
{
  for (guint i = 0; i < commands; i++)
    {
      g_autofree char *name = g_strdup_printf ("%.7s-%u.perf", commit, i), *command = g_strdup_printf ("./%u", i);
      g_autofree char *path = add_pending (repository, name, commit, "time", command, "");

      register_file (self, commit, path);
    }
  wp_store_model_read (self->model);
  settle (self);
}

/* Of two commits what both have profiles of: each command a tab, no more than six, as the filter lets through. */
static void
test_compared (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 3), *newer = commit_of (repository, "main");
  g_autofree char *older = commit_of (repository, "main~1"), *oldest = commit_of (repository, "side");
  g_autoptr (Shown) shown = show_new_store (repository);
  WpStoreRows *rows = wp_store_model_rows (shown->model);
  g_autoptr (GPtrArray) commits = NULL, pairs = NULL, none = NULL, one = NULL, profiles = NULL, of_profiles = NULL;
  g_autoptr (GError) error = NULL;
  const WpStorePair *pair;
  WpStoreWork *work;

  register_for (shown, repository, newer, 7);
  register_for (shown, repository, older, 8);
  register_for (shown, repository, oldest, 1);
  commits = SELECT (shown, "Change number 2", "Change number 1");
  g_assert_null (wp_store_pairs_of_rows (rows, commits->pdata[0], commits->pdata[1], &error));
  g_assert_cmpstr (error->message, ==, "The two commits have profiles of 7 commands: choose one above the list");
  g_clear_error (&error);
  wp_store_rows_set_filter (rows, &(WpStoreFilter) { .command = (char *) "./3" });
  pairs = wp_store_pairs_of_rows (rows, commits->pdata[0], commits->pdata[1], &error);
  g_assert_cmpuint (pairs->len, ==, 1);
  pair = pairs->pdata[0];
  g_assert_cmpstr (((const WpStoreProfile *) pair->a->pdata[0])->minor, ==, older);
  g_assert_cmpstr (((const WpStoreProfile *) pair->b->pdata[0])->minor, ==, newer);
  wp_store_rows_set_filter (rows, &(WpStoreFilter) { 0 });
  none = SELECT (shown, "Change number 2", "Begin");
  one = wp_store_pairs_of_rows (rows, none->pdata[0], none->pdata[1], &error);
  g_assert_cmpuint (one->len, ==, 1);
  wp_store_rows_set_filter (rows, &(WpStoreFilter) { .command = (char *) "./7" });
  g_assert_null (wp_store_pairs_of_rows (rows, commits->pdata[0], commits->pdata[1], &error));
  g_assert_cmpstr (error->message, ==, "The two commits have no profiles of the same command");
  wp_store_rows_set_filter (rows, &(WpStoreFilter) { 0 });
  profiles = SELECT (shown, "  time ./1", "  time ./2");
  of_profiles = wp_store_pairs_of_rows (rows, profiles->pdata[0], profiles->pdata[1], NULL);
  g_assert_cmpuint (of_profiles->len, ==, 1);
  work = wp_store_model_work_new (shown->model, NULL);
  work->pairs = g_steal_pointer (&of_profiles);
  wp_store_model_unpack (shown->model, work);
  settle (shown);
  g_assert_cmpuint (shown->compared, ==, 1);
}

/* --- figures -------------------------------------------------------------------------------------------------------------------- */

static void
test_figures (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 1), *a = NULL;
  g_autoptr (Shown) shown = show_new_store (repository);
  WpStoreFigures *figures = wp_store_model_figures (shown->model);
  g_autoptr (GPtrArray) rows = NULL;
  WpStoreProfile *profile;

  a = add_pending (repository, "a.perf", "", "time", "./a", "");
  RUN_UNTIL (n_rows (shown) == 3);
  settle (shown);
  rows = SELECT (shown, "  time ./a");
  profile = wp_store_row_profile (rows->pdata[0]);
  RUN_UNTIL (wp_store_figures_get (figures, profile) != NULL);
  g_assert_cmpint (wp_store_figures_get (figures, profile)->total, ==, 10 * 1000 * 1000);
  g_assert_cmpfloat (wp_store_figures_get (figures, profile)->percent, ==, -1);
  g_assert_cmpint (wp_store_figures_longest (figures), ==, 10 * 1000 * 1000);
}

/* What most of a saved recording is, it says itself; in the store as well as pending. */
static void
test_saved_figures (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 1), *head = commit_of (repository, "HEAD"), *file = NULL;
  g_autoptr (Shown) shown = show_new_store (repository);
  WpStoreFigures *figures = wp_store_model_figures (shown->model);
  g_autoptr (WpDocument) document = wp_document_open (g_getenv ("WP_SCENARIO"), NULL, NULL, NULL);
  WpIdArray tasks = { 0 };
  g_autoptr (WpPaths) paths = NULL;
  g_autoptr (WpExplanation) explanation = NULL;

  g_assert_true (wp_paths_find_tasks (document->trace, "A", &tasks, NULL));
  paths = wp_paths_new (document->trace, tasks.data, tasks.len, NULL, NULL, NULL);
  wp_array_clear (&tasks);
  explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);
  file = g_build_filename (repository, ".perun", "jobs", "a.perf", NULL);
  g_assert_true (wp_perun_save (file, paths, explanation, NULL, NULL));
  RUN_UNTIL (n_rows (shown) == 3);
  for (guint registered = 0; registered < 2; registered++)
    {
      g_autoptr (GPtrArray) rows = NULL;
      WpStoreProfile *profile;

      settle (shown);
      rows = SELECT (shown, "  time ");
      profile = wp_store_row_profile (rows->pdata[0]);
      RUN_UNTIL (wp_store_figures_get (figures, profile) != NULL);
      g_assert_cmpstr (wp_store_figures_get (figures, profile)->most, ==, "mostly waits for child B");
      g_assert_cmpint (wp_store_row_kind (rows->pdata[0]), ==, registered ? WP_STORE_ROW_PROFILE : WP_STORE_ROW_PENDING);
      if (!registered)
        register_file (shown, head, file);
      wp_store_model_read (shown->model);
    }
  settle (shown);
}

/* --- what a row says ----------------------------------------------------------------------------------------------------------- */

static void
assert_row_says (Shown *self, const char *wanted, const WpStoreFigure *figure, const char *pattern)
{
  g_autoptr (GPtrArray) rows = SELECT (self, wanted);
  WpStoreRowWords words;
  g_autofree char *name = NULL;

  wp_store_row_words (rows->pdata[0], &(WpStoreRowFigures) { .figure = figure }, &words);
  name = wp_store_row_name (&words);
  if (!g_regex_match_simple (pattern, name, 0, 0))
    g_error ("“%s” does not match “%s”", name, pattern);
  wp_store_row_words_clear (&words);
}

/* --- repeats ---------------------------------------------------------------------------------------------------------------------- */

/* Of a command at a commit, one for each time in ms, registered. */
static void
register_runs (Shown *self, const char *repository, const char *commit, const char *command, const double *times, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/.perun/jobs/%.7s-%s-%u.perf", repository, commit, command, i);

      write_profile (path, commit, "time", command, "", times[i]);
      register_file (self, commit, path);
    }
  wp_store_model_read (self->model);
  settle (self);
}

static WpStoreRuns
runs_of (Shown *self, const char *wanted)
{
  g_autoptr (GPtrArray) rows = SELECT (self, wanted);
  WpStoreRuns runs = { 0 };

  while (!wp_store_figures_get_runs (wp_store_model_figures (self->model), wp_store_row_runs (rows->pdata[0]), &runs))
    g_main_context_iteration (NULL, TRUE);
  return runs;
}

/* In any order: that of the index hangs on when each profile was registered. */
static void
assert_lines_end (const char *text, const char *const *ends)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  g_assert_cmpuint (g_strv_length (lines), ==, g_strv_length ((char **) ends));
  qsort (lines, g_strv_length (lines), sizeof *lines, wp_compare_texts);
  for (guint i = 0; lines[i] != NULL; i++)
    g_assert_true (g_str_has_suffix (lines[i], ends[i]));
}

/* Repeats are one row, which opens to the single ones, beside each other wherever the index has them. */
static void
test_repeats (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  static const double times[] = { 44, 49, 46, 47 };
  g_autofree char *repository = make_repository (maker, "project", 2), *head = commit_of (repository, "HEAD"), *older = commit_of (repository, "side");
  g_autofree char *pending = NULL, *again = NULL, *other = NULL, *names = NULL;
  g_autoptr (Shown) shown = show_new_store (repository);
  WpStoreRows *rows = wp_store_model_rows (shown->model);
  g_autoptr (GPtrArray) runs = NULL, single = NULL, both = NULL, pairs = NULL, files = NULL;
  const WpStorePair *pair;
  WpStoreRuns figures;
  WpStoreRowWords words;
  WpStoreWork *work;

  register_runs (shown, repository, head, "b", (const double[]) { 5 }, 1);
  register_runs (shown, repository, head, "a", times, 4);
  register_runs (shown, repository, older, "a", times, 3);
  assert_rows (shown, 20, "Change number 1\n  4 × time a\n  time b\nBegin\n  3 × time a\n");
  runs = SELECT (shown, "  4 × time a");
  g_assert_true (wp_store_rows_is_folded (rows, runs->pdata[0]));
  wp_store_rows_toggle_folded (rows, runs->pdata[0]);
  assert_rows (shown, 20, "Change number 1\n  4 × time a\n    time a\n    time a\n    time a\n    time a\n  time b\nBegin\n  3 × time a\n");
  single = SELECT (shown, "    time a");
  g_assert_cmpuint (wp_store_row_run (single->pdata[0]), ==, 1);

  figures = runs_of (shown, "  4 × time a");
  g_assert_cmpfloat (figures.median, ==, 46.5e6);
  wp_store_row_words (runs->pdata[0], &(WpStoreRowFigures) { .runs = &figures }, &words);
  g_assert_cmpstr (words.title, ==, "a");
  g_assert_cmpstr (words.figure, ==, "4 runs · 46.5 ms");
  g_assert_cmpstr (words.facts, ==, "44.0 ms … 49.0 ms · time · hand");
  wp_store_row_words_clear (&words);
  wp_store_runs_clear (&figures);
  assert_row_says (shown, "    time a", &(WpStoreFigure) { 44000000, -1 }, "^Run 1, 44\\.0 ms, time · hand, ");

  both = SELECT (shown, "  4 × time a", "  3 × time a"); /* all of one with all of the other */
  pairs = wp_store_pairs_of_rows (rows, both->pdata[0], both->pdata[1], NULL);
  pair = pairs->pdata[0];
  g_assert_cmpuint (pair->a->len, ==, 3);
  g_assert_cmpuint (pair->b->len, ==, 4);
  g_assert_cmpstr (pair->names[0], ==, "Begin");
  g_assert_cmpstr (pair->names[1], ==, "Change number 1");
  files = SELECT (shown, "  4 × time a", "    time a");
  names = wp_store_selected_names (runs);
  assert_lines_end (names, (const char *const[]) { "-a-0.perf", "-a-1.perf", "-a-2.perf", "-a-3.perf", NULL });
  work = wp_store_model_work_new (shown->model, files); /* none of them twice */
  g_assert_cmpuint (work->profiles->len, ==, 4);
  wp_store_work_free (work);

  wp_store_rows_set_folded (rows, runs->pdata[0], TRUE);
  assert_rows (shown, 20, "Change number 1\n  4 × time a\n  time b\nBegin\n  3 × time a\n");
  pending = add_pending (repository, "x.perf", head, "time", "./x", "");
  other = add_pending (repository, "y.perf", head, "time", "./y", "");
  again = add_pending (repository, "z.perf", head, "time", "./x", "");
  RUN_UNTIL (n_rows (shown) == 8);
  settle (shown);
  assert_rows (shown, 3, "Pending 3\n  2 × time ./x\n  time ./y\n");
}

static WpStoreBadge
badge_of (Shown *self, const char *wanted)
{
  WpStoreRows *rows = wp_store_model_rows (self->model);
  g_autoptr (GPtrArray) row = SELECT (self, wanted);
  WpStoreCommit *commit = wp_store_row_commit (row->pdata[0]);
  const WpStoreBadge *badge;

  while ((badge = wp_store_badges_get (wp_store_model_badges (self->model), commit, wp_store_rows_before (rows, commit))) == NULL)
    g_main_context_iteration (NULL, TRUE);
  return *badge;
}

/* A commit is slower or faster than the nearest one before it that has profiles, where a test says so. */
static void
test_badges (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  static const double fast[] = { 10, 11, 12, 13, 14 }, slow[] = { 20, 21, 22, 23, 24 }, noise[] = { 10.5, 11.5, 12.5, 9, 15 };
  g_autofree char *repository = make_repository (maker, "project", 5), *head = commit_of (repository, "HEAD"), *three = commit_of (repository, "HEAD~1");
  g_autofree char *one = commit_of (repository, "HEAD~3"), *begin = commit_of (repository, "side"), *before = g_strdup_printf ("%.7s Begin", begin);
  g_autoptr (Shown) shown = show_new_store (repository);
  g_autoptr (GPtrArray) commit = NULL;
  g_autofree char *tip = NULL;
  WpStoreRowWords words;
  WpStoreBadge badge;

  register_runs (shown, repository, begin, "a", fast, 5);
  register_runs (shown, repository, one, "a", slow, 5);
  register_runs (shown, repository, one, "b", slow, 5); /* there is nothing before it */
  register_runs (shown, repository, three, "a", fast, 5);
  register_runs (shown, repository, three, "b", slow, 5);
  register_runs (shown, repository, head, "a", noise, 5);
  g_assert_cmpfloat (badge_of (shown, "Begin").by, ==, 0);
  badge = badge_of (shown, "Change number 1");
  g_assert_cmpfloat (fabs (badge.by - 10.0 / 12), <, 1e-9);
  g_assert_cmpfloat (fabs (badge.p - 2.0 / 252), <, 1e-9);
  g_assert_cmpstr (badge.what, ==, "a");
  g_assert_cmpstr (badge.before, ==, before);
  commit = SELECT (shown, "Change number 1");
  wp_store_row_words (commit->pdata[0], &(WpStoreRowFigures) { .badge = &badge }, &words);
  g_assert_cmpstr (words.change, ==, "83 % slower");
  wp_store_row_words_clear (&words);
  tip = wp_store_row_tip (commit->pdata[0], &(WpStoreRowFigures) { .badge = &badge });
  g_assert_nonnull (strstr (tip, "a: 83 % slower than at "));
  badge = badge_of (shown, "Change number 3"); /* the commit between them has no profiles; of two commands one changed */
  g_assert_cmpfloat (badge.by, <, 0);
  g_assert_cmpuint (badge.n_tested, ==, 2);
  g_assert_cmpfloat (fabs (badge.p - 4.0 / 252), <, 1e-9); /* adjusted */
  g_assert_cmpfloat (badge_of (shown, "Change number 4").by, ==, 0);
  wp_store_badges_set_threshold (wp_store_model_badges (shown->model), 0.9); /* more than it changed by */
  g_assert_cmpfloat (badge_of (shown, "Change number 1").by, ==, 0);
}

/* --- words of rows --------------------------------------------------------------------------------------------------------------- */

static void
test_row_words (StoreMaker *maker, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (maker, "project", 2), *head = commit_of (repository, "HEAD"), *a = NULL;
  g_autofree char *broken = NULL, *of_head = NULL, *tip = NULL, *tip_of_broken = NULL;
  g_autoptr (Shown) shown = show_new_store (repository);
  g_autoptr (WpStoreRow) heading = NULL;
  g_autoptr (GPtrArray) commit = NULL, wrong = NULL;
  const WpStoreRowFigures none = { 0 };
  WpStoreRowWords words;

  a = add_pending (repository, "a.perf", "", "time", "./a", "small.txt");
  broken = g_build_filename (repository, ".perun", "jobs", "broken.perf", NULL);
  g_file_set_contents (broken, "{", -1, NULL);
  RUN_UNTIL (n_rows (shown) == 5);
  settle (shown);
  heading = g_list_model_get_item (G_LIST_MODEL (wp_store_model_rows (shown->model)), 0);
  wp_store_row_words (heading, &none, &words);
  g_assert_cmpstr (words.title, ==, "Pending");
  g_assert_cmpstr (words.figure, ==, "2");
  g_assert_cmpstr (words.facts, ==, "Not registered with a commit yet");
  g_assert_cmpstr (words.badge, ==, "");
  wp_store_row_words_clear (&words);
  assert_row_says (shown, "  time ./a", NULL, "^\\./a small\\.txt, time · hand, just now$");
  assert_row_says (shown, "  time ./a", &(WpStoreFigure) { 20000000, -1 }, "^\\./a small\\.txt, 20\\.0 ms, time · hand, just now$");
  assert_row_says (shown, "  time ./a", &(WpStoreFigure) { 20000000, 95 }, ", 95\\.0 % explained · just now$");
  assert_row_says (shown, "  time ./a", &(WpStoreFigure) { 20000000, 95, (char *) "mostly runs" },
                   "^\\./a small\\.txt, 20\\.0 ms, mostly runs · time · hand · 95\\.0 % explained, just now$");
  assert_row_says (shown, "  !broken.perf", NULL, "^broken\\.perf, [^/]*, just now$"); /* what is wrong, without the path again */
  of_head = g_strdup_printf ("^Change number 1, HEAD, %.7s, Grace · [^,]*$", head);
  assert_row_says (shown, "Change number 1", NULL, of_head);
  assert_row_says (shown, "Begin", NULL, "^Begin, [0-9a-f]{7}, Ada · [^,]*$");
  commit = SELECT (shown, "Change number 1");
  tip = wp_store_row_tip (commit->pdata[0], &none);
  g_assert_true (g_str_has_prefix (tip, head));
  g_assert_true (g_str_has_suffix (tip, "\nGrace\n\nChange number 1"));
  wrong = SELECT (shown, "  !broken.perf");
  tip_of_broken = wp_store_row_tip (wrong->pdata[0], &none);
  g_assert_nonnull (strstr (tip_of_broken, broken)); /* the whole message */
  g_assert_null (wp_store_row_tip (heading, &none));
  register_for (shown, repository, head, 2);
  assert_row_says (shown, "Change number 1", NULL, ", 2 profiles$");
}

#define ADD(path, function) g_test_add ("/workspace/store/" path, StoreMaker, NULL, store_maker_set_up, function, store_maker_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("folders", test_folders);
  ADD ("created", test_created);
  ADD ("suggested", test_suggested);
  ADD ("other-repositories", test_other_repositories);
  ADD ("another-owner", test_another_owner);
  ADD ("trusted", test_trusted);
  ADD ("reading-on", test_reading_on);
  ADD ("branches", test_branches);
  ADD ("another-tool", test_another_tool);
  ADD ("filters", test_filters);
  ADD ("registered", test_registered);
  ADD ("added", test_added);
  ADD ("changed-added", test_changed_added);
  ADD ("damaged", test_damaged);
  ADD ("allowed", test_allowed);
  ADD ("all-selected", test_all_selected);
  ADD ("compared", test_compared);
  ADD ("figures", test_figures);
  ADD ("saved-figures", test_saved_figures);
  ADD ("repeats", test_repeats);
  ADD ("badges", test_badges);
  ADD ("row-words", test_row_words);
  return run_tests_at_home ();
}
