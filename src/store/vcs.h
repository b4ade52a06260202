/* Version control behind one table of functions; git, through libgit2, is its first row (vcs-git.c). Another system is a new
 * file and a new row in vcs.c.
 *
 * Words are Perun's: a *minor version* is a commit, a *major version* a branch. A minor version's name is its full hash, 40
 * hexadecimal digits. Nothing here needs the system's own program. Every call may be made from any thread, one at a time for each
 * WpVcs. */
#pragma once

#include "base/array.h"
#include "store/work-folder.h"

#include <gio/gio.h>

#define WP_VCS_ERROR (wp_vcs_error_quark ())
GQuark wp_vcs_error_quark (void);
typedef enum
{
  WP_VCS_ERROR_NONE_HERE, /* the folder is not under version control */
  WP_VCS_ERROR_UNKNOWN,   /* no such minor or major version */
  WP_VCS_ERROR_UNBORN,    /* no commit yet */
  WP_VCS_ERROR_REFUSED,   /* another owner's repository, a state that cannot be restored, … */
  WP_VCS_ERROR_FAILED,
} WpVcsError;

typedef struct
{
  char hash[41];
  char *author, *email;
  char *subject;        /* the first line */
  char *message;        /* all of it; NULL: it was not read */
  gint64 time;          /* of the commit, seconds since 1970, UTC */
  guint n_parents;
  char (*parents)[41];
} WpMinorVersion;

void wp_minor_version_clear (WpMinorVersion *self);

typedef struct
{
  char *name;
  char head[41];
} WpMajorVersion;

typedef struct WpVcs WpVcs;
typedef struct WpVcsWalk WpVcsWalk;

gboolean wp_vcs_knows (const char *type); /* whether there is a row of this type */

/* Opens what `folder` belongs to (a parent may hold it). `type` NULL: whatever is there. */
WpVcs *wp_vcs_open (const char *folder, const char *type, GError **error);
void wp_vcs_free (WpVcs *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpVcs, wp_vcs_free)
gboolean wp_vcs_init (const char *folder, const char *type, GError **error); /* makes a new repository */
const char *wp_vcs_type (const WpVcs *self);
const char *wp_vcs_folder (const WpVcs *self); /* root of the work tree; of a bare repository the repository itself */
const char *wp_vcs_place (const WpVcs *self);  /* the repository itself, whichever of its work trees this is: one place, one repository */

gboolean wp_vcs_head (WpVcs *self, char hash[41], GError **error);           /* UNBORN where there is no commit */
char *wp_vcs_head_branch (WpVcs *self, GError **error);                      /* "HEAD" when detached */
gboolean wp_vcs_info (WpVcs *self, const char *hash, WpMinorVersion *info, GError **error);
gboolean wp_vcs_has_commit (WpVcs *self, const char *hash);                  /* a full one; NULL is none */
gboolean wp_vcs_resolve (WpVcs *self, const char *name, char hash[41], GError **error); /* massage: tag, branch, HEAD~2, short hash → full hash */
gboolean wp_vcs_is_dirty (WpVcs *self, gboolean *dirty, GError **error);
GArray *wp_vcs_branches (WpVcs *self, GError **error); /* of WpMajorVersion; local ones, by name */

/* Minor versions from `head` on, newest first, as `git log` has them by date. Read lazily: making a walk costs the same for ten commits
 * and for a million. FALSE without an error at the end. A shallow clone ends where it was cut.
 *
 * BRIEF ones have no messages (NULL), and come from what is kept of commits as far as that goes (commits.h): for who walks through many. */
typedef enum
{
  WP_VCS_WALK_WHOLE,
  WP_VCS_WALK_BRIEF,
} WpVcsWalkKind;
WpVcsWalk *wp_vcs_walk_new (WpVcs *self, const char *head, WpVcsWalkKind kind, GError **error);
gboolean wp_vcs_walk_next (WpVcsWalk *walk, WpMinorVersion *info, GError **error);
void wp_vcs_walk_free (WpVcsWalk *walk); /* before its WpVcs; keeps what a BRIEF one has read */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpVcsWalk, wp_vcs_walk_free)

/* The commits that a text names, oldest first: "A..B" (those of B that A has not; a side left out is HEAD), or the name of one. Full hashes;
 * free with g_strfreev(). */
char **wp_vcs_range (WpVcs *self, const char *text, GError **error);

/* A work tree of its own for one commit, detached, in a folder that was made for this repository; one at a time in each. Removing takes away
 * all traces of it in the repository. What a crash left behind, of any repository, is removed by wp_vcs_worktrees_clean(). */
WpWorkFolder *wp_vcs_work_folder (WpVcs *self, GError **error);
gboolean wp_vcs_worktree_add (WpVcs *self, const char *hash, WpWorkFolder *folder, GError **error);
gboolean wp_vcs_worktree_remove (WpVcs *self, WpWorkFolder *folder, GError **error);
void wp_vcs_worktrees_clean (WpVcs *self);
