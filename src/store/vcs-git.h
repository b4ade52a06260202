/* The parts of git: vcs-git.c looks, vcs-git-trees.c makes work trees of our own. */
#pragma once

#include "store/vcs-private.h"

#include <git2.h>

G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_commit, git_commit_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_reference, git_reference_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (git_object, git_object_free)

typedef struct
{
  git_repository *repo;
  char *folder;        /* for messages */
  char *place;         /* the common folder of all work trees */
  GHashTable *shallow; /* hashes of commits whose parents are not here, or NULL */
} WpGit;

/* Sets what libgit2 said last, about `what`; always FALSE. */
gboolean wp_git_fail (GError **error, int code, const char *what);
gboolean wp_git_commit (WpGit *self, const char *hash, git_commit **commit, GError **error);

gboolean wp_git_worktree_add (gpointer self, const char *hash, WpWorkFolder *folder, GError **error);
gboolean wp_git_worktree_remove (WpWorkFolder *folder, GError **error);
void wp_git_worktrees_clean (void);
