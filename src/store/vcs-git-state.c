/* git: the user's own work tree. Nothing here overwrites what a user has not committed: every checkout in a user's own work tree is git's safe
 * one, and what is put away is dropped from the stash only after it is back. */
#include "store/vcs-git.h"

#include <string.h>

/* The branch that HEAD names, "refs/heads/…", or the hash of a detached one. */
static char *
head_name (WpGit *self, GError **error)
{
  git_reference *head;
  int code = git_repository_head (&head, self->repo);
  char hash[41], *name;

  if (code != 0)
    {
      wp_git_fail (error, code, self->folder);
      return NULL;
    }
  git_oid_tostr (hash, sizeof hash, git_reference_target (head));
  name = g_strdup (git_repository_head_detached (self->repo) == 1 ? hash : git_reference_name (head));
  git_reference_free (head);
  return name;
}

static gboolean
check_quiet (WpGit *self, GError **error)
{
  if (git_repository_is_bare (self->repo))
    g_set_error (error, WP_VCS_ERROR, WP_VCS_ERROR_REFUSED, "%s: a bare repository has no work tree", self->folder);
  else if (git_repository_state (self->repo) != GIT_REPOSITORY_STATE_NONE)
    g_set_error (error, WP_VCS_ERROR, WP_VCS_ERROR_REFUSED,
                 "%s: a merge, rebase or the like is under way; finish it first", self->folder);
  else
    return TRUE;
  return FALSE;
}

static git_signature *
sign (WpGit *self)
{
  git_signature *signature = NULL;

  if (git_signature_default (&signature, self->repo) != 0)
    git_signature_now (&signature, "Wakepath", "wakepath@localhost");
  return signature;
}

/* A state: the line that names HEAD, and the hash of the stash, empty where nothing was put away. */
gboolean
wp_git_save_state (gpointer data, char **state, GError **error)
{
  WpGit *self = data;
  g_autofree char *head = NULL;
  git_signature *signature;
  char stash[41] = "";
  git_oid oid;
  int code;

  if (!check_quiet (self, error) || (head = head_name (self, error)) == NULL)
    return FALSE;
  signature = sign (self);
  /* What is not under version control stays where it is, the store too; a checkout never writes over it. */
  code = git_stash_save (&oid, self->repo, signature, "Wakepath: put away while another commit is looked at", GIT_STASH_DEFAULT);
  git_signature_free (signature);
  if (code != 0 && code != GIT_ENOTFOUND)
    return wp_git_fail (error, code, self->folder);
  if (code == 0)
    git_oid_tostr (stash, sizeof stash, &oid);
  *state = g_strdup_printf ("%s\n%s", head, stash);
  return TRUE;
}

typedef struct
{
  char hash[41];
  gssize found;
} FindStash;

static int
find_stash (size_t index, const char *message G_GNUC_UNUSED, const git_oid *oid, void *data)
{
  FindStash *self = data;
  char hash[41];

  git_oid_tostr (hash, sizeof hash, oid);
  if (!g_str_equal (hash, self->hash))
    return 0;
  self->found = (gssize) index;
  return 1;
}

static gboolean
restore_stash (WpGit *self, const char *hash, GError **error)
{
  git_stash_apply_options options = GIT_STASH_APPLY_OPTIONS_INIT;
  FindStash find = { .found = -1 };
  int code;

  g_strlcpy (find.hash, hash, sizeof find.hash);
  git_stash_foreach (self->repo, find_stash, &find);
  if (find.found < 0)
    {
      g_set_error (error, WP_VCS_ERROR, WP_VCS_ERROR_REFUSED,
                   "%s: what was put away is no longer in the stash list; its commit is %s", self->folder, hash);
      return FALSE;
    }
  options.flags = GIT_STASH_APPLY_REINSTATE_INDEX;
  code = git_stash_apply (self->repo, (size_t) find.found, &options);
  if (code != 0)
    return wp_git_fail (error, code, self->folder);
  git_stash_drop (self->repo, (size_t) find.found);
  return TRUE;
}

static gboolean
check_out (WpGit *self, const git_oid *oid, const char *branch, GError **error)
{
  git_checkout_options options = GIT_CHECKOUT_OPTIONS_INIT;
  git_object *tree = NULL;
  int code = git_object_lookup (&tree, self->repo, oid, GIT_OBJECT_ANY);

  options.checkout_strategy = GIT_CHECKOUT_SAFE;
  if (code == 0)
    code = git_checkout_tree (self->repo, tree, &options);
  git_object_free (tree);
  if (code == 0)
    code = branch != NULL ? git_repository_set_head (self->repo, branch) : git_repository_set_head_detached (self->repo, oid);
  return code == 0 || wp_git_fail (error, code, self->folder);
}

gboolean
wp_git_checkout (gpointer data, const char *name, GError **error)
{
  WpGit *self = data;
  git_reference *branch = NULL;
  git_object *object = NULL, *commit = NULL;
  gboolean done;
  int code;

  if (!check_quiet (self, error))
    return FALSE;
  code = git_revparse_ext (&object, &branch, self->repo, name);
  if (code == 0)
    code = git_object_peel (&commit, object, GIT_OBJECT_COMMIT);
  if (code != 0)
    done = wp_git_fail (error, code, self->folder);
  else
    done = check_out (self, git_object_id (commit),
                      branch != NULL && git_reference_is_branch (branch) ? git_reference_name (branch) : NULL, error);
  git_object_free (commit);
  git_object_free (object);
  git_reference_free (branch);
  return done;
}

/* What was put away fits without conflicts only where it was taken from. */
static gboolean
check_base (WpGit *self, const char *head, const char *stash, GError **error)
{
  g_autoptr (git_object) base = NULL, now = NULL;
  g_autofree char *first_parent = g_strconcat (stash, "^1", NULL);

  if (git_revparse_single (&base, self->repo, first_parent) == 0 && git_revparse_single (&now, self->repo, head) == 0
      && git_oid_equal (git_object_id (base), git_object_id (now)))
    return TRUE;
  g_set_error (error, WP_VCS_ERROR, WP_VCS_ERROR_REFUSED,
               "%s: %s is no longer where the work that was put away belongs; “git stash apply %s” brings it back", self->folder, head,
               stash);
  return FALSE;
}

gboolean
wp_git_restore_state (gpointer data, const char *state, GError **error)
{
  WpGit *self = data;
  const char *stash = strchr (state, '\n');
  g_autofree char *head = stash != NULL ? g_strndup (state, (gsize) (stash - state)) : NULL;

  if (head == NULL)
    {
      g_set_error (error, WP_VCS_ERROR, WP_VCS_ERROR_REFUSED, "%s: not a saved state", self->folder);
      return FALSE;
    }
  stash++;
  if (*stash == '\0')
    return wp_git_checkout (self, head, error);
  return check_base (self, head, stash, error) && wp_git_checkout (self, head, error) && restore_stash (self, stash, error);
}
