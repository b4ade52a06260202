/* The table of version control systems, and the calls through it. */
#include "store/vcs-private.h"

static const WpVcsRow *const table[] = { &wp_vcs_git };

/* NULL and an error for a type that is not in the table; the first row without a type. */
static const WpVcsRow *
find_row (const char *type, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (type == NULL || g_str_equal (table[i]->type, type))
      return table[i];
  g_set_error (error, WP_VCS_ERROR, WP_VCS_ERROR_UNKNOWN, "%s: not a version control system that Wakepath knows; it knows %s", type, table[0]->type);
  return NULL;
}

gboolean
wp_vcs_knows (const char *type)
{
  return find_row (type, NULL) != NULL;
}

WpVcs *
wp_vcs_open (const char *folder, const char *type, GError **error)
{
  const WpVcsRow *row = find_row (type, error);
  g_autofree char *root = NULL;
  WpVcs *self;
  gpointer opened = row != NULL ? row->open (folder, &root, error) : NULL;

  if (opened == NULL)
    return NULL;
  self = g_new0 (WpVcs, 1);
  self->row = row;
  self->self = opened;
  self->folder = g_steal_pointer (&root);
  return self;
}

void
wp_vcs_free (WpVcs *self)
{
  if (self == NULL)
    return;
  wp_commits_clear (&self->commits);
  self->row->close (self->self);
  g_free (self->folder);
  g_free (self);
}

gboolean
wp_vcs_init (const char *folder, const char *type, GError **error)
{
  const WpVcsRow *row = find_row (type, error);

  return row != NULL && row->init (folder, error);
}

const char *
wp_vcs_type (const WpVcs *self)
{
  return self->row->type;
}

const char *
wp_vcs_folder (const WpVcs *self)
{
  return self->folder;
}

const char *
wp_vcs_place (const WpVcs *self)
{
  return self->row->place (self->self);
}

void
wp_minor_version_clear (WpMinorVersion *self)
{
  g_free (self->author);
  g_free (self->email);
  g_free (self->subject);
  g_free (self->message);
  g_free (self->parents);
  memset (self, 0, sizeof *self);
}

gboolean
wp_vcs_head (WpVcs *self, char hash[41], GError **error)
{
  return self->row->head (self->self, hash, error);
}

char *
wp_vcs_head_branch (WpVcs *self, GError **error)
{
  return self->row->head_branch (self->self, error);
}

gboolean
wp_vcs_info (WpVcs *self, const char *hash, WpMinorVersion *info, GError **error)
{
  return self->row->info (self->self, hash, info, error);
}

gboolean
wp_vcs_has_commit (WpVcs *self, const char *hash)
{
  WpMinorVersion info = { 0 };
  gboolean there = hash != NULL && strlen (hash) == 40 && wp_vcs_info (self, hash, &info, NULL);

  wp_minor_version_clear (&info);
  return there;
}

gboolean
wp_vcs_resolve (WpVcs *self, const char *name, char hash[41], GError **error)
{
  return self->row->resolve (self->self, name, hash, error);
}

gboolean
wp_vcs_is_dirty (WpVcs *self, gboolean *dirty, GError **error)
{
  return self->row->is_dirty (self->self, dirty, error);
}

GArray *
wp_vcs_branches (WpVcs *self, GError **error)
{
  return self->row->branches (self->self, error);
}

WpWorkFolder *
wp_vcs_work_folder (WpVcs *self, GError **error)
{
  return wp_work_folder_new (wp_vcs_place (self), error);
}

gboolean
wp_vcs_worktree_add (WpVcs *self, const char *hash, WpWorkFolder *folder, GError **error)
{
  return self->row->worktree_add (self->self, hash, folder, error);
}

gboolean
wp_vcs_worktree_remove (WpVcs *self, WpWorkFolder *folder, GError **error)
{
  return self->row->worktree_remove (folder, error);
}

void
wp_vcs_worktrees_clean (WpVcs *self)
{
  self->row->worktrees_clean ();
}
