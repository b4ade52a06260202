/* Where a range works: a temporary folder of its own, with a work tree of the commit at hand, its recording and its profile. */
#include "record/range-private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Folders are named after the process that made them: those of dead ones are cleaned away. */
#define FOLDER_PREFIX "wakepath-range-"

/* A file of a range, or what it is called until it is whole. */
static gboolean
is_of_range (const char *name)
{
  static const char *const files[] = { WP_RANGE_RECORDING_FILE, WP_RANGE_PROFILE_FILE };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    if (g_str_has_prefix (name + (*name == '.'), files[i]))
      return TRUE;
  return FALSE;
}

void
wp_range_remove_folder (const char *base)
{
  GDir *folder = g_dir_open (base, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    if (is_of_range (name))
      {
        g_autofree char *path = g_build_filename (base, name, NULL);

        g_unlink (path);
      }
  g_clear_pointer (&folder, g_dir_close);
  g_rmdir (base); /* fails where another repository has its work tree there */
}

static void
clean_up_after_crashes (WpVcs *vcs)
{
  GDir *folder = g_dir_open (g_get_tmp_dir (), 0, NULL);
  const char *name;

  wp_vcs_worktrees_clean (vcs);
  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      gint64 pid = g_str_has_prefix (name, FOLDER_PREFIX) ? g_ascii_strtoll (name + strlen (FOLDER_PREFIX), NULL, 10) : 0;
      g_autofree char *base = g_build_filename (g_get_tmp_dir (), name, NULL);

      if (pid > 0 && kill ((pid_t) pid, 0) != 0 && errno == ESRCH)
        wp_range_remove_folder (base);
    }
  if (folder != NULL)
    g_dir_close (folder);
}

gboolean
wp_range_make_folder (WpRange *self, GError **error)
{
  g_autofree char *template = g_strdup_printf ("%s/" FOLDER_PREFIX "%d-XXXXXX", g_get_tmp_dir (), (int) getpid ());

  clean_up_after_crashes (self->vcs);
  if (g_mkdtemp (template) == NULL)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", template, g_strerror (errno));
      return FALSE;
    }
  self->base = g_steal_pointer (&template);
  return TRUE;
}

gboolean
wp_range_check_out (WpRange *self, GError **error)
{
  self->tree = g_build_filename (self->base, "tree", NULL);
  if (wp_vcs_worktree_add (self->vcs, wp_range_current (self)->hash, self->tree, error))
    return TRUE;
  g_clear_pointer (&self->tree, g_free);
  return FALSE;
}

gboolean
wp_range_remove_tree (WpRange *self, GError **error)
{
  return wp_vcs_worktree_remove (self->vcs, self->tree, error);
}
