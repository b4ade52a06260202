/* Version control: repositories of every kind, made with the git program, looked at and changed with ours. */
#include "store/vcs.h"

#include "store-maker.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct
{
  char *folder; /* of this test; all repositories are within */
} Fixture;

static void
set_up (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;

  self->folder = g_dir_make_tmp ("wakepath-vcs-XXXXXX", &error);
  g_assert_no_error (error);
  /* Three commits, a branch and a tag. */
  RUN_IN (self->folder,
       "git init -q -b main plain; cd plain; for i in 1 2 3; do echo $i > a; echo same > b; git add a b;"
       " GIT_COMMITTER_DATE=\"2020-01-0$i 12:00 +0200\" git commit -q -m \"Commit $i\n\nBody $i\"; done;"
       " git branch side HEAD~1; git tag -a -m tagged v1 HEAD~2");
}

static void
tear_down (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  RUN_IN ("/", "rm -rf %s", self->folder);
  g_free (self->folder);
}

static WpVcs *
open_in (const Fixture *self, const char *name)
{
  g_autofree char *folder = g_build_filename (self->folder, name, NULL);
  g_autoptr (GError) error = NULL;
  WpVcs *vcs = wp_vcs_open (folder, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (vcs);
  return vcs;
}

/* Our walk from HEAD, a hash a line. */
static char *
walk (WpVcs *vcs)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (WpVcsWalk) commits = NULL;
  WpMinorVersion info;
  char head[41];

  g_assert_true (wp_vcs_head (vcs, head, &error));
  commits = wp_vcs_walk_new (vcs, head, WP_VCS_WALK_WHOLE, &error);
  g_assert_no_error (error);
  while (wp_vcs_walk_next (commits, &info, &error))
    {
      g_string_append_printf (out, "%s%s", out->len > 0 ? "\n" : "", info.hash);
      wp_minor_version_clear (&info);
    }
  g_assert_no_error (error);
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static void
assert_walk_is_git_log (const Fixture *self, const char *name)
{
  g_autofree char *folder = g_build_filename (self->folder, name, NULL), *expected = run_in (folder, "git log --format=%%H");
  g_autoptr (WpVcs) vcs = open_in (self, name);
  g_autofree char *found = walk (vcs);

  g_assert_cmpstr (found, ==, expected);
}

static void
assert_resolves (const Fixture *self, WpVcs *vcs, const char *folder, const char *name)
{
  g_autofree char *path = g_build_filename (self->folder, folder, NULL);
  g_autofree char *expected = run_in (path, "git rev-parse '%s^{commit}'", name);
  g_autoptr (GError) error = NULL;
  char hash[41];

  wp_vcs_resolve (vcs, name, hash, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (hash, ==, expected);
}

static void
test_plain (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (WpVcs) vcs = open_in (self, "plain");
  g_autoptr (GError) error = NULL;
  g_autofree char *root = g_build_filename (self->folder, "plain", NULL), *branch = wp_vcs_head_branch (vcs, NULL);
  g_autofree char *abbreviated = run_in (root, "git rev-parse --short HEAD~1");
  g_autoptr (GArray) branches = wp_vcs_branches (vcs, &error);
  static const char *const names[] = { "HEAD", "HEAD~2", "main", "side", "v1", "refs/heads/side", "main^" };
  WpMinorVersion info;
  char head[41], hash[41];
  gboolean dirty;

  g_assert_cmpstr (wp_vcs_type (vcs), ==, "git");
  g_assert_cmpstr (wp_vcs_folder (vcs), ==, root);
  g_assert_cmpstr (branch, ==, "main");
  g_assert_cmpuint (branches->len, ==, 2);
  g_assert_cmpstr (g_array_index (branches, WpMajorVersion, 0).name, ==, "main");
  g_assert_cmpstr (g_array_index (branches, WpMajorVersion, 1).name, ==, "side");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    assert_resolves (self, vcs, "plain", names[i]);
  assert_resolves (self, vcs, "plain", abbreviated);
  g_assert_false (wp_vcs_resolve (vcs, "nothing", hash, &error));
  g_assert_error (error, WP_VCS_ERROR, WP_VCS_ERROR_UNKNOWN);
  g_clear_error (&error);
  g_assert_true (wp_vcs_head (vcs, head, NULL));
  g_assert_true (wp_vcs_info (vcs, head, &info, NULL));
  g_assert_cmpstr (info.subject, ==, "Commit 3");
  g_assert_cmpstr (info.message, ==, "Commit 3\n\nBody 3\n");
  g_assert_cmpstr (info.author, ==, "A U Thor");
  g_assert_cmpint (info.time, ==, 1578045600); /* 2020-01-03 10:00 UTC */
  g_assert_cmpuint (info.n_parents, ==, 1);
  wp_minor_version_clear (&info);
  g_assert_false (wp_vcs_info (vcs, "0123456789012345678901234567890123456789", &info, &error));
  g_assert_error (error, WP_VCS_ERROR, WP_VCS_ERROR_UNKNOWN);
  g_assert_true (wp_vcs_is_dirty (vcs, &dirty, NULL));
  g_assert_false (dirty);
  RUN_IN (root, "echo new > untracked");
  g_assert_true (wp_vcs_is_dirty (vcs, &dirty, NULL) && !dirty);
  RUN_IN (root, "echo changed > a");
  g_assert_true (wp_vcs_is_dirty (vcs, &dirty, NULL) && dirty);
  RUN_IN (root, "git add a");
  g_assert_true (wp_vcs_is_dirty (vcs, &dirty, NULL) && dirty);
}

static void
test_kinds (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *hash = NULL, *name = NULL, *plain = g_build_filename (self->folder, "plain", NULL), *main_head = NULL;
  char head[41];

  RUN_IN (self->folder,
       "git clone -q --bare plain bare.git; git clone -q plain detached; git -C detached checkout -q HEAD~1;"
       " git init -q -b main unborn; git clone -q --depth 2 file://$PWD/plain shallow; git -C plain worktree add -q ../linked side;"
       " git clone -q plain outer; cd outer; git -c protocol.file.allow=always submodule add -q $PWD/../plain inner;"
       " git commit -q -m 'A submodule'; mkdir -p inner/deep/down");
  g_assert_false (wp_vcs_open (self->folder, NULL, &error));
  g_assert_error (error, WP_VCS_ERROR, WP_VCS_ERROR_NONE_HERE);
  g_clear_error (&error);
  g_assert_false (wp_vcs_open (plain, "cvs", &error));
  g_assert_error (error, WP_VCS_ERROR, WP_VCS_ERROR_UNKNOWN);
  g_clear_error (&error);
  static const char *const walked[] = { "bare.git", "detached", "shallow", "linked", "outer", "outer/inner", "outer/inner/deep/down" };
  for (guint i = 0; i < G_N_ELEMENTS (walked); i++)
    assert_walk_is_git_log (self, walked[i]);

  g_autoptr (WpVcs) detached = open_in (self, "detached"), unborn = open_in (self, "unborn"), bare = open_in (self, "bare.git");
  g_autoptr (WpVcs) linked = open_in (self, "linked"), inner = open_in (self, "outer/inner/deep/down");
  gboolean dirty = TRUE;

  name = wp_vcs_head_branch (detached, NULL);
  g_assert_cmpstr (name, ==, "HEAD");
  g_free (name);
  name = wp_vcs_head_branch (unborn, NULL);
  g_assert_cmpstr (name, ==, "main");
  g_free (name);
  name = wp_vcs_head_branch (linked, NULL);
  g_assert_cmpstr (name, ==, "side");
  g_assert_false (wp_vcs_head (unborn, head, &error));
  g_assert_error (error, WP_VCS_ERROR, WP_VCS_ERROR_UNBORN);
  g_assert_true (wp_vcs_is_dirty (bare, &dirty, NULL) && !dirty);
  g_assert_true (g_str_has_suffix (wp_vcs_folder (bare), "/bare.git"));
  g_assert_true (g_str_has_suffix (wp_vcs_folder (linked), "/linked"));
  g_assert_true (g_str_has_suffix (wp_vcs_folder (inner), "/outer/inner"));
}

/* Merges, equal times, times that go backward: the order is git's. */
static void
test_order (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4711);
  g_autoptr (GString) stream = g_string_new (NULL);
  g_autofree char *path = g_build_filename (self->folder, "stream", NULL);

  for (guint i = 1; i <= 400; i++)
    {
      int parent = (int) i - g_rand_int_range (rand, 1, 9);
      gint64 time = 1600000000 + (gint64) i * 10 + (g_rand_int_range (rand, 0, 3) == 0 ? g_rand_int_range (rand, -500, 500) : 0);

      g_string_append_printf (stream, "commit refs/heads/main\nmark :%u\ncommitter A <a@b> %" G_GINT64_FORMAT " +0000\ndata 1\nx\n", i,
                              time / 20 * 20);
      if (i > 1)
        g_string_append_printf (stream, "from :%d\n", MAX (1, parent));
      if (i > 20 && i % 3 == 0)
        g_string_append_printf (stream, "merge :%u\n", i - (guint) g_rand_int_range (rand, 1, 20));
    }
  g_assert_true (g_file_set_contents (path, stream->str, (gssize) stream->len, NULL));
  RUN_IN (self->folder, "git init -q -b main order; cd order; git fast-import --quiet --force < ../stream");
  assert_walk_is_git_log (self, "order");
}

/* What git calls the same range, across merges; one name; a side left out; names of nothing. */
static void
test_ranges (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const ranges[] = { "v1..main", "side..HEAD", "..main", "v1..", "main..main", "main..side", "merged~1..merged", "v1..merged" };
  static const char *const wrong[] = { "nobody..main", "main..nobody", "nobody", "v1...main", "" };
  g_autoptr (WpVcs) vcs = NULL;
  g_autofree char *folder = g_build_filename (self->folder, "plain", NULL), *main_hash = NULL;

  RUN_IN (folder, "git checkout -q -b merged side; GIT_COMMITTER_DATE='2020-02-01 12:00' git commit -q --allow-empty -m aside;"
               " GIT_COMMITTER_DATE='2020-02-02 12:00' git merge -q -m merged main; git checkout -q main");
  vcs = open_in (self, "plain");
  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      g_autofree char *expected = run_in (folder, "git log --reverse --format=%%H '%s'", ranges[i]), *found = NULL;
      g_autoptr (GError) error = NULL;
      g_auto (GStrv) commits = wp_vcs_range (vcs, ranges[i], &error);

      g_assert_no_error (error);
      found = g_strjoinv ("\n", commits);
      g_assert_cmpstr (found, ==, expected);
    }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (wp_vcs_range (vcs, wrong[i], &error));
      g_assert_error (error, WP_VCS_ERROR, WP_VCS_ERROR_UNKNOWN);
    }
  main_hash = run_in (folder, "git rev-parse main");
  {
    g_auto (GStrv) one = wp_vcs_range (vcs, "main", NULL);

    g_assert_cmpuint (g_strv_length (one), ==, 1);
    g_assert_cmpstr (one[0], ==, main_hash);
  }
}

static void
test_another_owner (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *folder = g_build_filename (self->folder, "plain", NULL);
  g_autoptr (GError) error = NULL;

  if (geteuid () != 0)
    {
      g_test_skip ("only root can give a repository away");
      return;
    }
  RUN_IN (folder, "chown -R 12345 .");
  g_assert_null (wp_vcs_open (folder, NULL, &error));
  g_assert_error (error, WP_VCS_ERROR, WP_VCS_ERROR_REFUSED);
  g_assert_nonnull (strstr (error->message, "safe.directory"));
}

static void
test_init (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *folder = g_build_filename (self->folder, "new", NULL), *inside = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (wp_vcs_init (folder, NULL, &error));
  inside = run_in (folder, "git rev-parse --is-inside-work-tree");
  g_assert_cmpstr (inside, ==, "true");
}

/* --- work trees of our own ----------------------------------------------------------------------------------------------- */

static void
assert_refused (gboolean done, GError **error)
{
  g_assert_false (done);
  g_assert_nonnull (*error);
  g_clear_error (error);
}

#define TRACES "git worktree list | wc -l; git branch --list | wc -l; ls .git/worktrees 2>/dev/null | wc -l; git status --porcelain"

/* What we keep outside of repositories: folders, and the records of them. */
static char *
kept (void)
{
  return run_in ("/", "find '%s/wakepath/ranges' '%s/wakepath/ranges' -mindepth 1", g_get_user_cache_dir (),
              g_get_user_state_dir ());
}

static void
assert_nothing_left (const char *folder, const char *clean)
{
  g_autofree char *text = run_in (folder, TRACES), *left = kept ();

  g_assert_cmpstr (text, ==, clean);
  g_assert_cmpstr (left, ==, "");
}

static void
test_worktree (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *folder = g_build_filename (self->folder, "plain", NULL), *clean = run_in (folder, TRACES);
  g_autofree char *text = NULL, *tree = NULL, *mode = NULL;
  g_autoptr (WpVcs) vcs = open_in (self, "plain");
  g_autoptr (GError) error = NULL;
  WpWorkFolder *work = wp_vcs_work_folder (vcs, &error);
  char hash[41];

  g_assert_no_error (error);
  g_assert_true (wp_vcs_resolve (vcs, "v1", hash, NULL));
  for (guint i = 0; i < 2; i++) /* one commit after the other */
    {
      g_assert_true (wp_vcs_worktree_add (vcs, hash, work, &error));
      g_assert_no_error (error);
      g_free (tree);
      g_free (text);
      tree = wp_work_folder_tree (work);
      text = run_in (tree, "cat a; git status --porcelain; git branch --show-current; git rev-parse HEAD; git -C %s branch --list | wc -l", folder);
      g_assert_true (g_str_has_prefix (text, "1\n") && strstr (text, hash) != NULL && g_str_has_suffix (text, "\n2"));
      RUN_IN (tree, "mkdir -p built/deep; echo x > built/x; echo y > a; ln -s / built/deep/root; chmod 0500 built/deep");
      wp_vcs_worktrees_clean (vcs); /* whoever made it is alive */
      g_assert_true (g_file_test (tree, G_FILE_TEST_IS_DIR));
      g_assert_true (wp_vcs_worktree_remove (vcs, work, &error));
      g_assert_false (g_file_test (tree, G_FILE_TEST_EXISTS));
    }
  mode = run_in ("/", "stat -c %%a '%s' '%s/wakepath/ranges'", wp_work_folder_path (work), g_get_user_state_dir ());
  g_assert_cmpstr (mode, ==, "700\n700");
  RUN_IN (wp_work_folder_path (work), "echo half > .recording.data.X1Y2Z3; mkdir %s; echo x > %s/x", WP_WORK_TREE, WP_WORK_TREE);
  assert_refused (wp_vcs_worktree_add (vcs, hash, work, &error), &error);
  wp_work_folder_free (work);
  assert_nothing_left (folder, clean);
}

/* What was made of it by others stays, and so does what only looks like ours. */
static void
test_worktree_of_others (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *folder = g_build_filename (self->folder, "plain", NULL), *tree = NULL;
  g_autoptr (WpVcs) vcs = open_in (self, "plain");
  g_autoptr (GError) error = NULL;
  WpWorkFolder *work = wp_vcs_work_folder (vcs, &error);
  char hash[41];

  g_assert_true (wp_vcs_resolve (vcs, "v1", hash, NULL));
  g_assert_true (wp_vcs_worktree_add (vcs, hash, work, &error));
  tree = wp_work_folder_tree (work);
  RUN_IN (self->folder, "git -C plain worktree add -q ../users side; mkdir home; echo thesis > home/thesis; touch home/.bashrc");
  RUN_IN (folder, "for n in 000000000000-4000000000-00000000 0123456789abcdef; do mkdir .git/worktrees/wakepath-$n; cd .git/worktrees/wakepath-$n;"
               " echo ../.. > commondir; echo ref: refs/heads/main > HEAD; echo %s/home/.bashrc > gitdir; cd ../../..; done;"
               " git branch wakepath-000000000000-4000000000-00000000", self->folder);
  wp_vcs_worktrees_clean (vcs);
  RUN_IN (self->folder, "test -e users/a; test -e home/thesis; test -e plain/.git/worktrees/wakepath-0123456789abcdef/gitdir;"
                     " git -C plain rev-parse -q --verify wakepath-000000000000-4000000000-00000000");
  /* An entry of our own that was made to name another folder. */
  RUN_IN (folder, "echo %s/home/.bashrc > .git/worktrees/%s/gitdir", self->folder, wp_work_folder_name (work));
  assert_refused (wp_vcs_worktree_remove (vcs, work, &error), &error);
  RUN_IN (self->folder, "test -e home/thesis; test -e plain/.git/worktrees/%s", wp_work_folder_name (work));
  g_assert_false (g_file_test (tree, G_FILE_TEST_EXISTS));
  /* A repository that somebody has begun in our folder. */
  RUN_IN (folder, "rm -r .git/worktrees/%s", wp_work_folder_name (work));
  g_assert_true (wp_vcs_worktree_add (vcs, hash, work, &error));
  RUN_IN (tree, "rm .git; git init -q; echo work > work");
  assert_refused (wp_vcs_worktree_remove (vcs, work, &error), &error);
  wp_work_folder_free (work);
  wp_vcs_worktrees_clean (vcs);
  RUN_IN (tree, "test -e work; cd ../..; rm -r wakepath-*; rm '%s'/wakepath/ranges/*", g_get_user_state_dir ());
}

/* Leaves a work tree as a crash does. Returns its path. */
static char *
crash (Fixture *self, const char *then)
{
  g_autofree char *name = NULL;
  int status;
  pid_t child = fork ();

  if (child == 0)
    {
      g_autoptr (WpVcs) own = open_in (self, "plain");
      WpWorkFolder *work = wp_vcs_work_folder (own, NULL);
      char hash[41];

      _exit (work != NULL && wp_vcs_resolve (own, "side", hash, NULL) && wp_vcs_worktree_add (own, hash, work, NULL) ? 0 : 1);
    }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
  name = run_in ("/", "ls '%s/wakepath/ranges'", g_get_user_state_dir ());
  g_assert_true (g_str_has_prefix (name, "wakepath-") && strchr (name, '\n') == NULL);
  RUN_IN (self->folder, "cd '%s/wakepath/ranges/%s'; test -e tree/a; test -e %s/plain/.git/worktrees/%s; echo half > .recording.data.X1Y2Z3; %s",
       g_get_user_cache_dir (), name, self->folder, name, then);
  return g_build_filename (g_get_user_cache_dir (), "wakepath", "ranges", name, NULL);
}

static void
test_worktree_after_a_crash (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const then[] = { "", "rm -r tree", "rm -r ../*", ": > $(sed 's/gitdir: //' tree/.git)/gitdir; : > tree/.git",
                                      "printf gitd > tree/.git" };
  g_autofree char *folder = g_build_filename (self->folder, "plain", NULL), *clean = run_in (folder, TRACES);
  g_autoptr (WpVcs) vcs = open_in (self, "plain");

  RUN_IN (folder, "git branch wakepath-0123456789ab-4000000000-0123abcd"); /* once made by us, or by somebody else */
  g_free (clean);
  clean = run_in (folder, TRACES);
  for (guint i = 0; i < G_N_ELEMENTS (then); i++)
    {
      g_free (crash (self, then[i]));
      wp_vcs_worktrees_clean (vcs);
      assert_nothing_left (folder, clean);
    }
}

/* A folder that came into the place of ours, and a link, are left alone; a record that was never finished goes with its empty folder. */
static void
test_worktree_exchanged (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *path = crash (self, "cd ..; mkdir kept; for i in wakepath-*; do mv $i kept/; mkdir $i; echo x > $i/precious; done");
  g_autofree char *link = NULL, *precious = g_build_filename (self->folder, "home", NULL);
  g_autoptr (WpVcs) vcs = open_in (self, "plain");

  wp_vcs_worktrees_clean (vcs);
  RUN_IN (path, "test -e precious; cd ..; rm -r kept wakepath-*");
  link = crash (self, "");
  RUN_IN (self->folder, "mkdir home; echo thesis > home/recording.data; rm -r %s; ln -s %s %s", link, precious, link);
  wp_vcs_worktrees_clean (vcs);
  RUN_IN (self->folder, "test -e home/recording.data; test -h %s; rm %s", link, link);
  RUN_IN ("/", "cd '%s/wakepath/ranges'; : > wakepath-00000000000000ff; mkdir '%s/wakepath/ranges/wakepath-00000000000000ff'",
       g_get_user_state_dir (), g_get_user_cache_dir ());
  wp_vcs_worktrees_clean (vcs);
  g_free (link);
  link = kept ();
  g_assert_cmpstr (link, ==, "");
}

static void
test_worktree_of_bare (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *tree = NULL, *text = NULL;
  g_autoptr (WpVcs) vcs = NULL;
  g_autoptr (WpWorkFolder) work = NULL;
  g_autoptr (GError) error = NULL;
  char hash[41];

  RUN_IN (self->folder, "git clone -q --bare plain bare.git");
  vcs = open_in (self, "bare.git");
  work = wp_vcs_work_folder (vcs, &error);
  g_assert_true (wp_vcs_head (vcs, hash, NULL));
  g_assert_true (wp_vcs_worktree_add (vcs, hash, work, &error));
  g_assert_no_error (error);
  tree = wp_work_folder_tree (work);
  text = run_in (tree, "cat a");
  g_assert_cmpstr (text, ==, "3");
  g_assert_true (wp_vcs_worktree_remove (vcs, work, &error));
}

/* Of a linked work tree and of a submodule: the entry is where git looks for it. */
static void
test_worktree_of_linked (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const names[] = { "linked", "outer/inner", "plain/down" };

  RUN_IN (self->folder, "git -C plain worktree add -q ../linked side; mkdir plain/down; git init -q outer;"
                     " git -C outer -c protocol.file.allow=always submodule add -q ../plain inner");
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (WpVcs) vcs = open_in (self, names[i]);
      g_autoptr (GError) error = NULL;
      WpWorkFolder *work = wp_vcs_work_folder (vcs, &error);
      g_autofree char *tree = wp_work_folder_tree (work), *folder = g_build_filename (self->folder, names[i], NULL);
      g_autofree char *before = run_in (folder, TRACES), *text = NULL;
      char hash[41];

      g_assert_true (wp_vcs_head (vcs, hash, NULL));
      g_assert_true (wp_vcs_worktree_add (vcs, hash, work, &error));
      g_assert_no_error (error);
      text = run_in (tree, "git rev-parse HEAD; git status --porcelain");
      g_assert_cmpstr (text, ==, hash);
      g_assert_true (wp_vcs_worktree_remove (vcs, work, &error));
      wp_work_folder_free (work);
      assert_nothing_left (folder, before);
    }
}

/* Where others could put something into the place of our folders, none is made. */
static void
test_work_folder_places (Fixture *self, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const places[] = { "mkdir -m 0777 place", "mkdir place; mkdir home; ln -s ../home place/wakepath",
                                        "mkdir place; touch place/wakepath" };

  if (g_test_subprocess ())
    {
      g_autoptr (WpVcs) vcs = wp_vcs_open (g_getenv ("WP_TEST_REPOSITORY"), NULL, NULL);
      g_autoptr (GError) error = NULL;

      g_assert_null (wp_vcs_work_folder (vcs, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED);
      g_assert_nonnull (strstr (error->message, "XDG_CACHE_HOME"));
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autofree char *place = g_build_filename (self->folder, "place", NULL), *plain = g_build_filename (self->folder, "plain", NULL);

      RUN_IN (self->folder, "rm -rf place home; umask 022; %s", places[i]);
      g_setenv ("XDG_CACHE_HOME", place, TRUE);
      g_setenv ("WP_TEST_REPOSITORY", plain, TRUE);
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
      g_test_trap_assert_passed ();
      RUN_IN (self->folder, "test ! -e home || test -z \"$(ls home)\"");
    }
}

/* libgit2 1.5 does not free what it asks PCRE for; not ours. */
const char *__lsan_default_suppressions (void);

const char *
__lsan_default_suppressions (void)
{
  return "leak:libpcre2\n";
}

int
main (int argc, char **argv)
{
  static const char *const unset[] = { "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "SUDO_UID" };
  static const char *const ours[] = { "XDG_CACHE_HOME", "XDG_STATE_HOME" };
  static const struct { const char *name; void (*run) (Fixture *self, gconstpointer data); } tests[]
    = { { "plain", test_plain }, { "kinds", test_kinds }, { "order", test_order }, { "ranges", test_ranges },
        { "another-owner", test_another_owner }, { "init", test_init },
        { "worktree", test_worktree }, { "worktree-of-others", test_worktree_of_others },
        { "worktree-after-a-crash", test_worktree_after_a_crash }, { "worktree-exchanged", test_worktree_exchanged },
        { "worktree-of-bare", test_worktree_of_bare }, { "worktree-of-linked", test_worktree_of_linked },
        { "work-folder-places", test_work_folder_places } };
  g_autofree char *own = NULL;
  int status;

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (unset); i++)
    g_unsetenv (unset[i]);
  if (!g_test_subprocess ())
    own = g_dir_make_tmp ("wakepath-own-XXXXXX", NULL);
  for (guint i = 0; own != NULL && i < G_N_ELEMENTS (ours); i++)
    {
      g_autofree char *path = g_build_filename (own, ours[i], NULL);

      g_setenv (ours[i], path, TRUE);
    }
  g_unsetenv ("XDG_RUNTIME_DIR"); /* which would do as well */
  g_setenv ("HOME", "/nonexistent", TRUE);
  g_setenv ("XDG_CONFIG_HOME", "/nonexistent", TRUE);
  g_setenv ("GIT_CONFIG_NOSYSTEM", "1", TRUE);
  g_setenv ("GIT_AUTHOR_NAME", "A U Thor", TRUE);
  g_setenv ("GIT_AUTHOR_EMAIL", "author@example.org", TRUE);
  g_setenv ("GIT_COMMITTER_NAME", "C O Mitter", TRUE);
  g_setenv ("GIT_COMMITTER_EMAIL", "committer@example.org", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      g_autofree char *path = g_strconcat ("/vcs/", tests[i].name, NULL);

      g_test_add (path, Fixture, NULL, set_up, tests[i].run, tear_down);
    }
  status = g_test_run ();
  if (own != NULL)
    RUN_IN ("/", "rm -rf %s", own);
  return status;
}
