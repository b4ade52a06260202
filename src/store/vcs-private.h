/* What a version control system provides: one row of the table in vcs.c. Meaning of the functions as in vcs.h; `self` is what
 * open() gave. */
#pragma once

#include "store/commits.h"

typedef struct
{
  const char *type; /* as local.yml's vcs.type has it */
  gboolean (*init) (const char *folder, GError **error);
  gpointer (*open) (const char *folder, char **root, GError **error);
  void (*close) (gpointer self);
  const char *(*place) (gpointer self);
  gboolean (*head) (gpointer self, char hash[41], GError **error);
  char *(*head_branch) (gpointer self, GError **error);
  gboolean (*info) (gpointer self, const char *hash, WpMinorVersion *info, GError **error);
  gboolean (*resolve) (gpointer self, const char *name, char hash[41], GError **error);
  gboolean (*is_dirty) (gpointer self, gboolean *dirty, GError **error);
  GArray *(*branches) (gpointer self, GError **error);
  gboolean (*is_lasting) (gpointer self);               /* whether a commit says the same at any time */
  gboolean (*has) (gpointer self, const guint8 id[20]); /* whether a commit that was read before is there still */
  gboolean (*worktree_add) (gpointer self, const char *hash, WpWorkFolder *folder, GError **error);
  gboolean (*worktree_remove) (WpWorkFolder *folder, GError **error);
  void (*worktrees_clean) (void);
} WpVcsRow;

extern const WpVcsRow wp_vcs_git;

struct WpVcs
{
  const WpVcsRow *row;
  gpointer self;
  char *folder;
  WpCommits commits;  /* that walks have come to, and those that were kept */
  gboolean looked_up; /* for those */
};
