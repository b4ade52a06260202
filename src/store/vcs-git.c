/* git, through libgit2: commits and branches. Nothing changes the user's work tree. */
#include "store/vcs-git.h"

#include "base/hash.h"
#include "base/plain-file.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define SHALLOW_LIMIT (16 * 1024 * 1024) /* bytes: some 400,000 commits */

/* What libgit2 says of a repository that it cannot read, in words that help. */
static const char *
explain (const char *text)
{
  static const struct
  {
    const char *part, *meaning;
  } rows[] = {
    { "extensions.objectformat", "its commits have names by SHA-256, which cannot be read yet; those by SHA-1 can" },
    { "extensions.refstorage", "its branches are kept in a reftable, which cannot be read; “git refs migrate --ref-format=files” makes files of it" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    if (strstr (text, rows[i].part) != NULL)
      return rows[i].meaning;
  return text;
}

gboolean
wp_git_fail (GError **error, int code, const char *what)
{
  const git_error *last = git_error_last ();
  const char *text = last != NULL && last->message != NULL ? last->message : "libgit2 does not say why";

  if (code == GIT_EOWNER)
    g_set_error (error, WP_VCS_ERROR, WP_VCS_ERROR_REFUSED,
                 "%s: the repository belongs to another user; if you trust it: git config --global --add safe.directory %s", what,
                 what);
  else
    g_set_error (error, WP_VCS_ERROR,
                 code == GIT_ENOTFOUND || code == GIT_EINVALIDSPEC || code == GIT_EAMBIGUOUS ? WP_VCS_ERROR_UNKNOWN
                 : code == GIT_EUNBORNBRANCH                                                 ? WP_VCS_ERROR_UNBORN
                                                                                             : WP_VCS_ERROR_FAILED,
                 "%s: %s", what, explain (text));
  return FALSE;
}

/* --- opening ---------------------------------------------------------------------------------------------------------- */

static char *
without_slash (const char *folder)
{
  gsize n = strlen (folder);

  return g_strndup (folder, n > 1 && folder[n - 1] == '/' ? n - 1 : n);
}

/* The commits whose parents a shallow clone left out: a line each. */
static void
read_shallow (WpGit *self)
{
  g_autofree char *path = g_build_filename (git_repository_commondir (self->repo), "shallow", NULL);
  g_autofree char *text = wp_plain_file_read (path, SHALLOW_LIMIT, NULL, NULL);
  g_auto (GStrv) lines = NULL;

  if (text == NULL)
    return;
  self->shallow = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, NULL);
  lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    if (strlen (*line) == 40)
      g_hash_table_add (self->shallow, g_strdup (*line));
}

/* Once for the program's life: starting takes longer than opening a repository. The extensions change nothing for who reads commits: what a
 * partial clone is without is told when it is wanted. */
static void
start_libgit2 (void)
{
  static const char *harmless[] = { "partialclone", "preciousobjects", "worktreeconfig" };
  static gsize started;

  if (g_once_init_enter (&started))
    {
      git_libgit2_init ();
      git_libgit2_opts (GIT_OPT_SET_EXTENSIONS, harmless, G_N_ELEMENTS (harmless));
      g_once_init_leave (&started, 1);
    }
}

/* libgit2 says "not found" of another owner's repository where safe.directory is not set at all. */
static int
open_repository (git_repository **repo, const char *folder)
{
  git_buf found = GIT_BUF_INIT;
  int code = git_repository_open_ext (repo, folder, 0, NULL);

  if (code == GIT_ENOTFOUND && git_repository_discover (&found, folder, FALSE, NULL) == 0)
    code = GIT_EOWNER;
  git_buf_dispose (&found);
  return code;
}

static gpointer
open_git (const char *folder, char **root, GError **error)
{
  WpGit *self;
  git_repository *repo;
  int code;

  start_libgit2 ();
  code = open_repository (&repo, folder);
  if (code != 0)
    {
      if (code == GIT_ENOTFOUND)
        g_set_error (error, WP_VCS_ERROR, WP_VCS_ERROR_NONE_HERE, "%s: not in a git repository", folder);
      else
        wp_git_fail (error, code, folder);
      return NULL;
    }
  self = g_new0 (WpGit, 1);
  self->repo = repo;
  self->folder = without_slash (git_repository_is_bare (repo) ? git_repository_path (repo) : git_repository_workdir (repo));
  self->place = without_slash (git_repository_commondir (repo));
  *root = g_strdup (self->folder);
  read_shallow (self);
  return self;
}

static void
close_git (gpointer data)
{
  WpGit *self = data;

  git_repository_free (self->repo);
  g_clear_pointer (&self->shallow, g_hash_table_unref);
  g_free (self->folder);
  g_free (self->place);
  g_free (self);
}

static const char *
place_git (gpointer data)
{
  return ((const WpGit *) data)->place;
}

/* Made aside and put into its place whole: one that was killed in between leaves locks behind that nobody may take away. */
static gboolean
make_repository (const char *folder, const char *aside, GError **error)
{
  g_autofree char *made = g_build_filename (aside, ".git", NULL), *place = g_build_filename (folder, ".git", NULL);
  git_repository *repo = NULL;
  int code = git_repository_init (&repo, aside, FALSE);

  git_repository_free (repo);
  if (code != 0)
    return wp_git_fail (error, code, folder);
  if (rename (made, place) < 0)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", place, g_strerror (errno));
      return FALSE;
    }
  return TRUE;
}

static gboolean
init_git (const char *folder, GError **error)
{
  g_autofree char *aside = g_build_filename (folder, ".git.XXXXXX", NULL);
  gboolean made;

  start_libgit2 ();
  if (g_mkdir_with_parents (folder, 0777) < 0 || g_mkdtemp (aside) == NULL)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", folder, g_strerror (errno));
      return FALSE;
    }
  made = make_repository (folder, aside, error);
  g_rmdir (aside);
  return made;
}

/* --- commits ---------------------------------------------------------------------------------------------------------- */

static gboolean
is_shallow (const WpGit *self, const char *hash)
{
  return self->shallow != NULL && g_hash_table_contains (self->shallow, hash);
}

static char *
first_line (const char *message)
{
  const char *start = message + strspn (message, "\n");

  return g_strndup (start, strcspn (start, "\n"));
}

static void
describe (WpGit *self, const git_commit *commit, WpMinorVersion *info)
{
  const git_signature *author = git_commit_author (commit);
  const char *message = git_commit_message (commit);
  guint n;

  memset (info, 0, sizeof *info);
  git_oid_tostr (info->hash, sizeof info->hash, git_commit_id (commit));
  info->author = g_utf8_make_valid (author != NULL ? author->name : "", -1);
  info->email = g_utf8_make_valid (author != NULL ? author->email : "", -1);
  info->message = g_utf8_make_valid (message != NULL ? message : "", -1);
  info->subject = first_line (info->message);
  info->time = git_commit_time (commit);
  n = is_shallow (self, info->hash) ? 0 : git_commit_parentcount (commit);
  info->n_parents = n;
  info->parents = g_malloc0_n (MAX (n, 1), sizeof *info->parents);
  for (guint i = 0; i < n; i++)
    git_oid_tostr (info->parents[i], sizeof info->parents[i], git_commit_parent_id (commit, i));
}

static gboolean
head_git (gpointer data, char hash[41], GError **error)
{
  WpGit *self = data;
  git_oid oid;
  int code = git_reference_name_to_id (&oid, self->repo, "HEAD");

  if (code == GIT_ENOTFOUND)
    {
      g_set_error (error, WP_VCS_ERROR, WP_VCS_ERROR_UNBORN, "%s: there is no commit yet", self->folder);
      return FALSE;
    }
  if (code != 0)
    return wp_git_fail (error, code, self->folder);
  git_oid_tostr (hash, 41, &oid);
  return TRUE;
}

static char *
head_branch_git (gpointer data, GError **error)
{
  WpGit *self = data;
  g_autoptr (git_reference) head = NULL;
  int code = git_reference_lookup (&head, self->repo, "HEAD");
  const char *target;

  if (code != 0)
    {
      wp_git_fail (error, code, self->folder);
      return NULL;
    }
  target = git_reference_type (head) == GIT_REFERENCE_SYMBOLIC ? git_reference_symbolic_target (head) : NULL;
  if (target == NULL)
    return g_strdup ("HEAD");
  return g_strdup (g_str_has_prefix (target, "refs/heads/") ? target + strlen ("refs/heads/") : target);
}

gboolean
wp_git_commit (WpGit *self, const char *hash, git_commit **commit, GError **error)
{
  git_oid oid;
  int code = git_oid_fromstr (&oid, hash);

  if (code == 0)
    code = git_commit_lookup (commit, self->repo, &oid);
  if (code == 0)
    return TRUE;
  g_set_error (error, WP_VCS_ERROR, WP_VCS_ERROR_UNKNOWN, "%s: no commit %s", self->folder, hash);
  return FALSE;
}

static gboolean
info_git (gpointer data, const char *hash, WpMinorVersion *info, GError **error)
{
  g_autoptr (git_commit) commit = NULL;

  if (!wp_git_commit (data, hash, &commit, error))
    return FALSE;
  describe (data, commit, info);
  return TRUE;
}

static gboolean
resolve_git (gpointer data, const char *name, char hash[41], GError **error)
{
  WpGit *self = data;
  g_autoptr (git_object) object = NULL, commit = NULL;

  if (git_revparse_single (&object, self->repo, name) != 0 || git_object_peel (&commit, object, GIT_OBJECT_COMMIT) != 0)
    {
      g_set_error (error, WP_VCS_ERROR, WP_VCS_ERROR_UNKNOWN, "%s: no commit is called “%s”", self->folder, name);
      return FALSE;
    }
  git_oid_tostr (hash, 41, git_object_id (commit));
  return TRUE;
}

static gboolean
is_dirty_git (gpointer data, gboolean *dirty, GError **error)
{
  WpGit *self = data;
  git_status_options options = GIT_STATUS_OPTIONS_INIT;
  git_status_list *list = NULL;
  int code;

  *dirty = FALSE;
  if (git_repository_is_bare (self->repo))
    return TRUE;
  options.flags = 0; /* what is not under version control does not count */
  code = git_status_list_new (&list, self->repo, &options);
  if (code != 0)
    return wp_git_fail (error, code, self->folder);
  *dirty = git_status_list_entrycount (list) > 0;
  git_status_list_free (list);
  return TRUE;
}

/* --- branches --------------------------------------------------------------------------------------------------------- */

static void
clear_branch (gpointer data)
{
  g_free (((WpMajorVersion *) data)->name);
}

static int
compare_branches (gconstpointer a, gconstpointer b)
{
  return strcmp (((const WpMajorVersion *) a)->name, ((const WpMajorVersion *) b)->name);
}

static GArray *
branches_git (gpointer data, GError **error)
{
  WpGit *self = data;
  GArray *branches;
  git_branch_iterator *iterator;
  git_reference *next;
  git_branch_t type;
  int code = git_branch_iterator_new (&iterator, self->repo, GIT_BRANCH_LOCAL);

  if (code != 0)
    {
      wp_git_fail (error, code, self->folder);
      return NULL;
    }
  branches = g_array_new (FALSE, TRUE, sizeof (WpMajorVersion));
  g_array_set_clear_func (branches, clear_branch);
  while (git_branch_next (&next, &type, iterator) == 0)
    {
      g_autoptr (git_reference) branch = next;
      const char *name;
      git_oid oid;
      WpMajorVersion row = { 0 };

      if (git_branch_name (&name, branch) != 0
          || git_reference_name_to_id (&oid, self->repo, git_reference_name (branch)) != 0)
        continue;
      row.name = g_strdup (name);
      git_oid_tostr (row.head, sizeof row.head, &oid);
      g_array_append_val (branches, row);
    }
  git_branch_iterator_free (iterator);
  g_array_sort (branches, compare_branches);
  return branches;
}

/* --- for walks -------------------------------------------------------------------------------------------------------- */

/* The parents of a commit are others where a clone was cut, or somebody has said so. */
static gboolean
is_lasting_git (gpointer data)
{
  const WpGit *self = data;
  g_autofree char *grafts = g_build_filename (git_repository_commondir (self->repo), "info", "grafts", NULL);

  return self->shallow == NULL && g_access (grafts, F_OK) != 0;
}

static gboolean
has_git (gpointer data, const guint8 id[20])
{
  WpGit *self = data;
  git_odb *odb = NULL;
  git_oid oid;
  gboolean there;

  git_oid_fromraw (&oid, id);
  there = git_repository_odb (&odb, self->repo) == 0 && git_odb_exists (odb, &oid);
  git_odb_free (odb);
  return there;
}

const WpVcsRow wp_vcs_git = {
  .type = "git",
  .init = init_git,
  .open = open_git,
  .close = close_git,
  .place = place_git,
  .head = head_git,
  .head_branch = head_branch_git,
  .info = info_git,
  .resolve = resolve_git,
  .is_dirty = is_dirty_git,
  .branches = branches_git,
  .is_lasting = is_lasting_git,
  .has = has_git,
  .worktree_add = wp_git_worktree_add,
  .worktree_remove = wp_git_worktree_remove,
  .worktrees_clean = wp_git_worktrees_clean,
};
