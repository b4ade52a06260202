/* Where a range works: a folder of its own, with a work tree of the commit at hand, its recording and its profile. */
#include "range/range-private.h"

gboolean
wp_range_make_folder (WpRange *self, GError **error)
{
  wp_vcs_worktrees_clean (self->vcs);
  self->work = wp_vcs_work_folder (self->vcs, error);
  return self->work != NULL;
}

gboolean
wp_range_check_out (WpRange *self, GError **error)
{
  if (!wp_vcs_worktree_add (self->vcs, wp_range_current (self)->hash, self->work, error))
    return FALSE;
  self->tree = wp_work_folder_tree (self->work);
  return TRUE;
}

gboolean
wp_range_remove_tree (WpRange *self, GError **error)
{
  return wp_vcs_worktree_remove (self->vcs, self->work, error);
}
