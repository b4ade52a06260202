/* git: work trees of our own. What the repository is told of one, the entry worktrees/NAME, is written and taken back here, file by file
 * (gitrepository-layout(5)): what libgit2 would remove, it finds by following what is written in the repository, which may have come from
 * anybody. We remove what our own record names, and what is not in it is never looked at. */
#include "store/vcs-git.h"

#include "base/remove-tree.h"
#include "base/write.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENTRIES "worktrees"
#define TEXT_MOST (PATH_MAX + 64)

static gboolean
fail (const char *folder, const char *name, GError **error)
{
  int code = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s/%s: %s", folder, name, g_strerror (code));
  return FALSE;
}

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
}
#define AUTO_FD __attribute__ ((cleanup (close_fd))) int

static int
open_folder (int above, const char *name)
{
  return TEMP_FAILURE_RETRY (openat (above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

/* --- texts that name each other ------------------------------------------------------------------------------------------ */

/* What the entry's "gitdir" says, and what the work tree's ".git" says. */
static char *
text_of_entry (const WpWorkFolder *folder)
{
  g_autofree char *tree = wp_work_folder_tree (folder);

  return g_strdup_printf ("%s/.git\n", tree);
}

static char *
text_of_tree (const WpWorkFolder *folder)
{
  return g_strdup_printf ("gitdir: %s/" ENTRIES "/%s\n", wp_work_folder_repository_path (folder), wp_work_folder_name (folder));
}

static gboolean
put (int folder, const char *name, const char *text)
{
  AUTO_FD fd = TEMP_FAILURE_RETRY (openat (folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  int code = fd >= 0 ? wp_write_all (fd, text, strlen (text)) : errno;

  errno = code;
  return code == 0;
}

/* Whether a file says this and no more, or is not there: a crash may come before it is written, or while. */
static gboolean
says (int folder, const char *name, const char *expected)
{
  AUTO_FD fd = TEMP_FAILURE_RETRY (openat (folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  char text[TEXT_MOST];
  gssize n;

  if (fd < 0)
    return errno == ENOENT;
  n = TEMP_FAILURE_RETRY (read (fd, text, sizeof text));
  return n >= 0 && n <= (gssize) strlen (expected) && memcmp (text, expected, (gsize) n) == 0;
}

/* --- making -------------------------------------------------------------------------------------------------------------- */

static gboolean
write_entry (int repository, const WpWorkFolder *folder, const char *hash)
{
  g_autofree char *head = g_strconcat (hash, "\n", NULL), *gitdir = text_of_entry (folder);
  AUTO_FD list = (mkdirat (repository, ENTRIES, 0777) == 0 || errno == EEXIST) ? open_folder (repository, ENTRIES) : -1;
  AUTO_FD entry = list >= 0 && mkdirat (list, wp_work_folder_name (folder), 0777) == 0
                    ? open_folder (list, wp_work_folder_name (folder)) : -1;

  return entry >= 0 && put (entry, "gitdir", gitdir) && put (entry, "commondir", "../..\n") && put (entry, "HEAD", head);
}

static gboolean
make_tree (const WpWorkFolder *folder, GError **error)
{
  g_autofree char *text = text_of_tree (folder);
  AUTO_FD tree = mkdirat (wp_work_folder_fd (folder), WP_WORK_TREE, 0700) == 0 ? open_folder (wp_work_folder_fd (folder), WP_WORK_TREE) : -1;

  return (tree >= 0 && put (tree, ".git", text)) || fail (wp_work_folder_path (folder), WP_WORK_TREE, error);
}

static gboolean
make_entry (const WpWorkFolder *folder, const char *hash, GError **error)
{
  AUTO_FD repository = wp_work_folder_repository (folder, error);

  return repository >= 0
         && (write_entry (repository, folder, hash) || fail (wp_work_folder_repository_path (folder), ENTRIES, error));
}

static gboolean
check_out (const WpWorkFolder *folder, GError **error)
{
  git_checkout_options options = GIT_CHECKOUT_OPTIONS_INIT;
  g_autofree char *tree = wp_work_folder_tree (folder);
  git_repository *repo = NULL;
  int code = git_repository_open (&repo, tree);

  options.checkout_strategy = GIT_CHECKOUT_FORCE;
  if (code == 0)
    code = git_checkout_head (repo, &options);
  git_repository_free (repo);
  return code == 0 || wp_git_fail (error, code, tree);
}

gboolean
wp_git_worktree_add (gpointer data, const char *hash, WpWorkFolder *folder, GError **error)
{
  g_autoptr (git_commit) commit = NULL;

  if (!wp_git_commit (data, hash, &commit, error) || !make_tree (folder, error))
    return FALSE;
  if (make_entry (folder, hash, error) && check_out (folder, error))
    return TRUE;
  wp_git_worktree_remove (folder, NULL);
  return FALSE;
}

/* --- removing ------------------------------------------------------------------------------------------------------------ */

/* One that was never made, or that is gone, is removed; one that names another work tree is not ours. */
static gboolean
remove_entry (const WpWorkFolder *folder, GError **error)
{
  g_autofree char *gitdir = text_of_entry (folder);
  AUTO_FD repository = wp_work_folder_repository (folder, error);
  AUTO_FD list = repository >= 0 ? open_folder (repository, ENTRIES) : -1;
  AUTO_FD entry = list >= 0 ? open_folder (list, wp_work_folder_name (folder)) : -1;

  if (repository < 0)
    return FALSE;
  if (entry < 0)
    return errno == ENOENT || fail (wp_work_folder_repository_path (folder), ENTRIES, error);
  if (!says (entry, "gitdir", gitdir))
    {
      g_set_error (error, WP_VCS_ERROR, WP_VCS_ERROR_REFUSED, "%s/" ENTRIES "/%s: it names another work tree than that which was made, and stays",
                   wp_work_folder_repository_path (folder), wp_work_folder_name (folder));
      return FALSE;
    }
  if (!wp_remove_tree (list, wp_work_folder_name (folder), error))
    return FALSE;
  unlinkat (repository, ENTRIES, AT_REMOVEDIR); /* as git does with the last one */
  return TRUE;
}

static gboolean
remove_tree (WpWorkFolder *folder, GError **error)
{
  g_autofree char *text = text_of_tree (folder);
  AUTO_FD tree = open_folder (wp_work_folder_fd (folder), WP_WORK_TREE);

  if (tree < 0)
    return errno == ENOENT || fail (wp_work_folder_path (folder), WP_WORK_TREE, error);
  if (says (tree, ".git", text))
    return wp_remove_tree (wp_work_folder_fd (folder), WP_WORK_TREE, error);
  g_set_error (error, WP_VCS_ERROR, WP_VCS_ERROR_REFUSED, "%s/" WP_WORK_TREE "/.git: it is not what was written there; the folder stays",
               wp_work_folder_path (folder));
  wp_work_folder_keep (folder);
  return FALSE;
}

gboolean
wp_git_worktree_remove (WpWorkFolder *folder, GError **error)
{
  return (wp_work_folder_fd (folder) < 0 || remove_tree (folder, error)) && remove_entry (folder, error);
}

static void
clean (WpWorkFolder *folder)
{
  g_autoptr (GError) error = NULL;

  if (!wp_git_worktree_remove (folder, &error))
    g_info ("%s", error->message);
}

void
wp_git_worktrees_clean (void)
{
  wp_work_folders_clean (clean);
}
