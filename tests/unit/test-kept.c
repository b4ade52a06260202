/* What is kept of repositories so that it need not be read again: it never says anything else than what it was read from, whatever became of it. */
#include "store/kept-file.h"
#include "store/kept.h"
#include "store/vcs-private.h"

#include "store-maker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define MANY 1300 /* commits: some hundreds more than those for which nothing is kept */

/* --- the file ------------------------------------------------------------------------------------------------------------- */

typedef struct
{
  WP_ARRAY (guint64) numbers;
  WP_ARRAY (char) texts;
} Rows;

static void
rows_clear (Rows *self)
{
  wp_array_clear (&self->numbers);
  wp_array_clear (&self->texts);
}

static gboolean
load (Rows *self, const char *kind, const char *place)
{
  const WpKeptColumn columns[] = { WP_KEPT_COLUMN (&self->numbers), WP_KEPT_COLUMN (&self->texts) };
  gboolean loaded = wp_kept_file_load (&(WpKeptFile) { kind, place, columns, G_N_ELEMENTS (columns) });

  g_assert_true (loaded || (self->numbers.data == NULL && self->numbers.len == 0 && self->texts.data == NULL && self->texts.len == 0));
  return loaded;
}

static gboolean
loads (const char *kind, const char *place)
{
  Rows rows = { 0 };
  gboolean loaded = load (&rows, kind, place);

  rows_clear (&rows);
  return loaded;
}

static void
save (const char *place)
{
  Rows rows = { 0 };
  const WpKeptColumn columns[] = { WP_KEPT_COLUMN (&rows.numbers), WP_KEPT_COLUMN (&rows.texts) };

  for (guint64 i = 0; i < 3; i++)
    wp_array_push (&rows.numbers, i << 40);
  for (const char *c = "five "; *c != '\0'; c++)
    wp_array_push (&rows.texts, *c);
  wp_kept_file_save (&(WpKeptFile) { "test 1", place, columns, G_N_ELEMENTS (columns) });
  rows_clear (&rows);
}

static char *
kept_folder (void)
{
  return g_build_filename (g_get_user_cache_dir (), "wakepath", "kept", NULL);
}

/* The only file of this kind; NULL: there is none. */
static char *
kept_path (const char *kind)
{
  g_autofree char *folder = kept_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  char *path = NULL;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_assert_false (g_str_has_prefix (name, "."));
      if (!g_str_has_prefix (name, kind))
        continue;
      g_assert_null (path);
      path = g_build_filename (folder, name, NULL);
    }
  return path;
}

static gboolean
is_kept (const char *kind)
{
  g_autofree char *path = kept_path (kind);

  return path != NULL;
}

static void
put (const char *path, const char *bytes, gsize n)
{
  g_assert_true (g_file_set_contents_full (path, bytes, (gssize) n, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

static void
forget (void)
{
  g_autofree char *folder = kept_folder ();

  RUN_IN ("/", "rm -rf '%s'", folder);
}

static void
test_file (StoreMaker *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *place = g_build_filename (self->folder, "place", NULL), *other = g_build_filename (self->folder, "other", NULL), *path = NULL;
  Rows rows = { 0 };
  GStatBuf st;

  forget ();
  RUN_IN (self->folder, "mkdir place other");
  g_assert_false (loads ("test 1", place));
  save (place);
  path = kept_path ("test-");
  g_assert_true (path != NULL && g_stat (path, &st) == 0 && (st.st_mode & 0777) == 0600);
  g_assert_true (load (&rows, "test 1", place));
  g_assert_cmpuint (rows.numbers.len, ==, 3);
  g_assert_cmpuint (rows.numbers.data[2], ==, G_GUINT64_CONSTANT (2) << 40);
  g_assert_cmpmem (rows.texts.data, rows.texts.len, "five ", 5);
  rows_clear (&rows);
  g_assert_false (loads ("test 2", place));
  g_assert_false (loads ("test 1", other));
  /* Another folder of the same name. */
  RUN_IN (self->folder, "mv place before; mkdir place");
  g_assert_false (loads ("test 1", place));
  g_assert_false (loads ("test 1", "/nonexistent"));
}

/* Each byte once another one, and each length. */
static void
test_damage (StoreMaker *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = NULL, *whole = NULL;
  gsize n;

  forget ();
  save (self->folder);
  path = kept_path ("test-");
  g_assert_true (g_file_get_contents (path, &whole, &n, NULL));
  for (gsize i = 0; i < n; i++)
    {
      whole[i] = (char) (whole[i] ^ (1 << i % 8));
      put (path, whole, n);
      g_assert_false (loads ("test 1", self->folder));
      whole[i] = (char) (whole[i] ^ (1 << i % 8));
      put (path, whole, i);
      g_assert_false (loads ("test 1", self->folder));
    }
  put (path, whole, n);
  g_assert_true (loads ("test 1", self->folder));
}

/* --- commits -------------------------------------------------------------------------------------------------------------- */

static guint
count_read (const WpCommits *commits)
{
  guint n = 0;

  for (guint32 i = 1; i < commits->rows.len; i++)
    n += wp_commits_has_read (commits, i);
  return n;
}

static guint
count_kept (const char *place)
{
  WpCommits commits = { 0 };
  guint n;

  wp_commits_load (&commits, place);
  n = count_read (&commits);
  wp_commits_clear (&commits);
  return n;
}

static void
add_two (WpCommits *commits)
{
  static char parent[][41] = { "00112233445566778899aabbccddeeff00112233" };
  const WpMinorVersion info = { .author = (char *) "A", .email = (char *) "a@b", .subject = (char *) "One", .n_parents = 1, .parents = parent };

  wp_commits_set (commits, wp_commits_row (commits, "ffffffffffffffffffffffffffffffffffffffff"), &info);
  wp_commits_set (commits, wp_commits_row (commits, parent[0]), &(WpMinorVersion) { .author = (char *) "B", .email = (char *) "", .subject = (char *) "" });
}

/* A file that is as it was written, and yet speaks of rows that are not there. */
static void
test_wrong_rows (StoreMaker *self, gconstpointer data G_GNUC_UNUSED)
{
  forget ();
  for (guint i = 0; i <= 10; i++)
    {
      WpCommits commits = { 0 };

      add_two (&commits);
      guint32 *const fields[] = { &commits.rows.data[1].author, &commits.rows.data[2].subject, &commits.rows.data[1].first, &commits.rows.data[1].n,
                                  &commits.people.data[1].name, &commits.people.data[2].email, &commits.parents.data[0],    &commits.ids.len,
                                  &commits.people.len,          &commits.texts.len };

      if (i < G_N_ELEMENTS (fields))
        *fields[i] = i < 7 ? 1000 : 1;
      wp_commits_save (&commits, self->folder);
      g_assert_cmpuint (count_kept (self->folder), ==, i < G_N_ELEMENTS (fields) ? 0 : 2);
      wp_commits_clear (&commits);
    }
}

/* A line for each commit, of all that a brief walk knows. */
static char *
walk (const char *repository, const char *from)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (WpVcs) vcs = wp_vcs_open (repository, NULL, &error);
  g_autoptr (WpVcsWalk) commits = NULL;
  WpMinorVersion info;
  char head[41];

  g_assert_no_error (error);
  wp_vcs_resolve (vcs, from, head, &error);
  g_assert_no_error (error);
  commits = wp_vcs_walk_new (vcs, head, WP_VCS_WALK_BRIEF, &error);
  while (wp_vcs_walk_next (commits, &info, &error))
    {
      g_assert_null (info.message);
      g_string_append_printf (out, "%s%s|%" G_GINT64_FORMAT "|%s|%s|%s|", out->len > 0 ? "\n" : "", info.hash, info.time, info.author, info.email, info.subject);
      for (guint i = 0; i < info.n_parents; i++)
        g_string_append_printf (out, "%s%s", i > 0 ? " " : "", info.parents[i]);
      wp_minor_version_clear (&info);
    }
  g_assert_no_error (error);
  return g_strdup (out->str);
}

/* As git says, without anything kept, and from what that one kept. */
static void
assert_walks (const char *repository, const char *from)
{
  g_autofree char *expected = run_in (repository, "git log --format='%%H|%%ct|%%an|%%ae|%%s|%%P' %s", from);

  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *found = walk (repository, from);

      g_assert_cmpstr (found, ==, expected);
    }
}

static char *
place_of (const char *repository)
{
  return g_build_filename (repository, ".git", NULL);
}

static void
test_walks (StoreMaker *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (self, "repo", MANY), *place = place_of (repository), *few = make_repository (self, "few", 300), *all = NULL;

  forget ();
  assert_walks (few, "HEAD");
  g_assert_false (is_kept ("commits-"));
  assert_walks (repository, "HEAD");
  g_assert_cmpuint (count_kept (place), ==, MANY);
  /* New commits, a merge among them; another branch; one that is no longer where it was. */
  RUN_IN (repository, "export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=C GIT_COMMITTER_EMAIL=c@d; git checkout -q -b other HEAD~600; "
                      "git commit -q --allow-empty -m 'Aside\n\nA body'; git checkout -q main; git merge -q -m Merged other; git commit -q --allow-empty -m Newest");
  assert_walks (repository, "HEAD");
  assert_walks (repository, "other");
  assert_walks (repository, "HEAD~700");
  RUN_IN (repository, "GIT_COMMITTER_NAME=C GIT_COMMITTER_EMAIL=c@d git commit -q --allow-empty --amend --author 'Z <z@y>' -m Amended");
  assert_walks (repository, "HEAD");
  /* What says too much is not kept. */
  forget ();
  RUN_IN (repository, "export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=C GIT_COMMITTER_EMAIL=c@d; git commit -q --allow-empty -m $(printf %%09000d 7); "
                      "git commit -q --allow-empty -m Behind");
  assert_walks (repository, "HEAD");
  all = run_in (repository, "git rev-list --count HEAD");
  g_assert_cmpuint (count_kept (place), ==, (guint) atoi (all) - 1);
  /* A second repository in the place of the first. */
  RUN_IN (self->folder, "mv repo before");
  g_clear_pointer (&repository, g_free);
  repository = make_repository (self, "repo", MANY + 5);
  g_assert_cmpuint (count_kept (place), ==, 0);
  assert_walks (repository, "HEAD");
  g_assert_cmpuint (count_kept (place), ==, MANY + 5);
}

/* Commits that are kept and no longer there. */
static void
test_gone (StoreMaker *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (self, "repo", MANY), *place = place_of (repository), *gone = NULL, *kept = NULL, *anew = NULL;

  forget ();
  assert_walks (repository, "HEAD");
  g_assert_cmpuint (count_kept (place), ==, MANY);
  gone = commit_of (repository, "HEAD~900");
  RUN_IN (repository, "mv .git/objects/pack/*.pack ../; rm .git/objects/pack/*; cat ../*.pack | git unpack-objects -q; rm .git/objects/%.2s/%s", gone, gone + 2);
  kept = walk (repository, "main");
  g_assert_cmpuint (count_kept (place), ==, MANY);
  forget ();
  anew = walk (repository, "main");
  g_assert_cmpstr (kept, ==, anew);
  g_assert_null (strstr (kept, "|Begin|"));
}

/* The parents of a commit where a clone was cut are none only as long as it is cut. */
static void
test_shallow (StoreMaker *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *repository = make_repository (self, "repo", MANY), *clone = g_build_filename (self->folder, "clone", NULL), *cut = NULL;

  forget ();
  RUN_IN (self->folder, "git clone -q --depth 700 file://$PWD/repo clone");
  cut = walk (clone, "HEAD");
  g_assert_false (is_kept ("commits-"));
  g_assert_null (strstr (cut, "|Begin|"));
  RUN_IN (clone, "git fetch -q --unshallow");
  assert_walks (clone, "HEAD");
  g_assert_true (is_kept ("commits-"));
}

/* --- stores --------------------------------------------------------------------------------------------------------------- */

#define MINOR "aa00000000000000000000000000000000000001"
#define OBJECT "bb00000000000000000000000000000000000002"
#define FIGURES 600

static const char *const postprocessors[] = { "two words", "", NULL };

/* Files of a commit and a profile; what is in them nobody reads here. */
static char *
make_files (const StoreMaker *self)
{
  char *folder = g_build_filename (self->folder, ".perun", NULL);
  g_autofree char *object = g_build_filename (folder, "objects", "bb", &OBJECT[2], NULL);
  GStatBuf st;

  RUN_IN (self->folder, "mkdir -p .perun/objects/aa .perun/objects/bb; echo > .perun/objects/aa/%s; echo > .perun/objects/bb/%s", &MINOR[2], &OBJECT[2]);
  g_assert_true (g_stat (object, &st) == 0);
  while (g_get_real_time () < ((gint64) st.st_ctim.tv_sec + 3) * G_USEC_PER_SEC) /* what changed just now is not kept */
    g_usleep (10000);
  return folder;
}

static WpStoreKept *
open_kept (const char *folder)
{
  g_autofree char *objects = g_build_filename (folder, "objects", NULL);

  return wp_store_kept_new (folder, objects);
}

static WpFigure
figure_of (guint i)
{
  g_autofree char *text = g_strdup_printf ("sum:field-%u", i);
  WpFigure figure;

  g_assert_true (wp_figure_parse (text, &figure, NULL));
  return figure;
}

static void
fill (WpStoreKept *kept)
{
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_entry_free), types = g_ptr_array_new ();
  WpStoreEntry *entry = wp_store_entry_new ();

  entry->time = -5;
  g_strlcpy (entry->sha1, OBJECT, sizeof entry->sha1);
  g_free (entry->cmd);
  entry->cmd = g_strdup ("./run");
  g_strfreev (entry->postprocessors);
  entry->postprocessors = g_strdupv ((char **) postprocessors);
  g_ptr_array_add (entries, entry);
  wp_store_kept_set_entries (kept, MINOR, entries);
  g_ptr_array_add (types, (gpointer) "cpu");
  g_ptr_array_add (types, (gpointer) "");
  wp_store_kept_set_types (kept, OBJECT, types);
  for (guint i = 0; i < FIGURES; i++)
    {
      WpFigure figure = figure_of (i);

      wp_store_kept_set_figures (kept, OBJECT, "cpu", &figure, 1, &(WpFigureValue) { i == 3 ? NAN : i + 0.5, WP_UNIT_PLAIN, "MB" });
      wp_figure_clear (&figure);
    }
}

static gboolean
find_figure (WpStoreKept *kept, const char *type, guint i, WpFigureValue *value)
{
  WpFigure figure = figure_of (i);
  gboolean found = wp_store_kept_figures (kept, OBJECT, type, &figure, 1, value);

  wp_figure_clear (&figure);
  return found;
}

static guint64
inode_of (const char *folder, const char *hash)
{
  g_autofree char *path = g_strdup_printf ("%s/objects/%.2s/%s", folder, hash, hash + 2);
  GStatBuf st;

  return g_stat (path, &st) == 0 ? st.st_ino : 0;
}

static void
assert_all_known (WpStoreKept *kept, const char *folder)
{
  g_autoptr (GPtrArray) entries = wp_store_kept_entries (kept, MINOR), types = NULL;
  const WpStoreEntry *entry;
  WpFigureValue value;
  gboolean known;

  g_assert_true (entries != NULL && entries->len == 1);
  entry = entries->pdata[0];
  g_assert_cmpint (entry->time, ==, -5);
  g_assert_cmpstr (entry->sha1, ==, OBJECT);
  g_assert_cmpstr (entry->minor, ==, MINOR);
  g_assert_cmpstr (entry->cmd, ==, "./run");
  g_assert_cmpstr (entry->args, ==, "");
  g_assert_cmpstrv (entry->postprocessors, (char **) postprocessors);
  types = wp_store_kept_types (kept, OBJECT, &known);
  g_assert_true (known && types->len == 2);
  g_assert_cmpstr (types->pdata[0], ==, "cpu");
  g_assert_cmpstr (types->pdata[1], ==, "");
  g_assert_true (find_figure (kept, "cpu", 599, &value));
  g_assert_cmpfloat (value.value, ==, 599.5);
  g_assert_cmpint (value.unit, ==, WP_UNIT_PLAIN);
  g_assert_cmpstr (value.unit_name, ==, "MB");
  g_assert_true (find_figure (kept, "cpu", 3, &value) && isnan (value.value));
  g_assert_false (find_figure (kept, "cpu", FIGURES, &value) || find_figure (kept, NULL, 5, &value) || find_figure (kept, "", 5, &value));
  g_assert_cmpint (wp_store_kept_kind (kept, MINOR, inode_of (folder, MINOR)), ==, WP_STORE_KEPT_INDEX);
  g_assert_cmpint (wp_store_kept_kind (kept, OBJECT, inode_of (folder, OBJECT)), ==, WP_STORE_KEPT_OBJECT);
  g_assert_cmpint (wp_store_kept_kind (kept, OBJECT, inode_of (folder, MINOR)), ==, WP_STORE_KEPT_UNKNOWN);
}

static void
assert_nothing_known (WpStoreKept *kept)
{
  g_autoptr (GPtrArray) entries = wp_store_kept_entries (kept, MINOR);
  WpFigureValue value;
  gboolean known;

  g_assert_null (entries);
  g_assert_null (wp_store_kept_types (kept, OBJECT, &known));
  g_assert_false (known || find_figure (kept, "cpu", 1, &value));
}

static void
test_store (StoreMaker *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *folder = make_files (self), *kept_place = kept_folder ();
  WpStoreKept *kept;

  forget ();
  kept = open_kept (folder);
  assert_nothing_known (kept);
  wp_store_kept_free (kept);
  g_assert_false (g_file_test (kept_place, G_FILE_TEST_EXISTS)); /* looking for something makes nothing */
  kept = open_kept (folder);
  fill (kept);
  assert_all_known (kept, folder);
  wp_store_kept_free (kept);
  kept = open_kept (folder);
  assert_all_known (kept, folder);
  /* What is new is not kept: it could change again within the same moment. */
  RUN_IN (folder, "echo > objects/bb/%s", &OBJECT[2]);
  assert_nothing_known (kept);
  fill (kept);
  assert_nothing_known (kept);
  wp_store_kept_free (kept);
}

/* A file that is as it was written, and yet has any number in place of another one: what it says is wrong, but all of it is there. */
static void
test_wrong_numbers (StoreMaker *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *folder = make_files (self), *path = NULL, *whole = NULL;
  WpStoreKept *kept;
  gsize n;

  forget ();
  kept = open_kept (folder);
  fill (kept);
  wp_store_kept_free (kept);
  path = kept_path ("store-");
  g_assert_true (path != NULL && g_file_get_contents (path, &whole, &n, NULL));
  for (gsize at = 0; at + 8 <= n; at += 4)
    {
      guint32 before, wrong = at % 3 == 0 ? G_MAXUINT32 : (guint32) g_test_rand_int_range (0, 1000), sum;
      WpFigureValue value;
      gboolean known;

      memcpy (&before, whole + at, 4);
      memcpy (whole + at, &wrong, 4);
      sum = (guint32) crc32_z (0, (const Bytef *) whole, n - 4);
      memcpy (whole + n - 4, &sum, 4);
      put (path, whole, n);
      memcpy (whole + at, &before, 4);
      kept = open_kept (folder);
      g_clear_pointer (&(GPtrArray *) { wp_store_kept_entries (kept, MINOR) }, g_ptr_array_unref);
      g_clear_pointer (&(GPtrArray *) { wp_store_kept_types (kept, OBJECT, &known) }, g_ptr_array_unref);
      for (guint i = 0; i < 10; i++)
        find_figure (kept, "cpu", i, &value);
      wp_store_kept_free (kept);
    }
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *name;
    void (*run) (StoreMaker *self, gconstpointer data);
  } tests[] = { { "file", test_file },   { "damage", test_damage }, { "wrong-rows", test_wrong_rows },
                { "walks", test_walks }, { "gone", test_gone },     { "shallow", test_shallow },
                { "store", test_store },   { "wrong-numbers", test_wrong_numbers } };

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/kept/", tests[i].name, NULL);

      g_test_add (path, StoreMaker, NULL, store_maker_set_up, tests[i].run, store_maker_tear_down);
    }
  return run_tests_at_home ();
}
