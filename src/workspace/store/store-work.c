/* The workers of the Store page: each takes the session, does what was asked, and says in a sentence what came of it. */
#include "workspace/store/store-work.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "plots/plots.h"
#include "profile/perun/perun.h"
#include "workspace/file/analysis.h"
#include "workspace/store/store-pairs.h"

WpStoreWork *
wp_store_work_new (WpStoreSession *session, const char *minor)
{
  WpStoreWork *self = g_new0 (WpStoreWork, 1);

  self->session = wp_store_session_ref (session);
  self->profiles = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_profile_unref);
  self->paths = g_ptr_array_new_with_free_func (g_free);
  g_strlcpy (self->minor, minor, sizeof self->minor);
  return self;
}

void
wp_store_work_free (gpointer data)
{
  WpStoreWork *self = data;

  wp_store_session_unref (self->session);
  g_ptr_array_unref (self->profiles);
  g_ptr_array_unref (self->paths);
  g_clear_pointer (&self->pairs, g_ptr_array_unref);
  wp_shared_unref (self->analysis);
  wp_shared_unref (self->plots);
  g_free (self->recorded);
  g_free (self);
}

void
wp_store_outcome_free (gpointer data)
{
  WpStoreOutcome *self = data;

  g_free (self->text);
  g_ptr_array_unref (self->paths);
  g_ptr_array_unref (self->names);
  g_ptr_array_unref (self->sides);
  g_ptr_array_unref (self->side_names);
  g_free (self);
}

static WpStoreOutcome *
outcome_new (char *text)
{
  WpStoreOutcome *self = g_new0 (WpStoreOutcome, 1);

  self->text = text;
  self->paths = g_ptr_array_new_with_free_func (g_free);
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->sides = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  self->side_names = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  return self;
}

static gboolean
unpack_all (const WpStoreWork *work, const GPtrArray *profiles, GPtrArray *paths, GError **error)
{
  for (guint i = 0; i < profiles->len; i++)
    {
      const WpStoreProfile *profile = profiles->pdata[i];
      char *path = wp_store_session_unpack (work->session, profile->entry, profile->minor, error);

      if (path == NULL)
        return FALSE;
      g_ptr_array_add (paths, path);
    }
  return TRUE;
}

static gboolean
unpack_side (const WpStoreWork *work, const GPtrArray *profiles, WpStoreOutcome *outcome, GError **error)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  if (!unpack_all (work, profiles, paths, error))
    return FALSE;
  g_ptr_array_add (paths, NULL);
  g_ptr_array_add (outcome->sides, g_ptr_array_steal (paths, NULL));
  return TRUE;
}

static gboolean
unpack_pairs (const WpStoreWork *work, WpStoreOutcome *outcome, GError **error)
{
  for (guint i = 0; i < work->pairs->len; i++)
    {
      const WpStorePair *pair = work->pairs->pdata[i];

      if (!unpack_side (work, pair->a, outcome, error) || !unpack_side (work, pair->b, outcome, error))
        return FALSE;
      g_ptr_array_add (outcome->side_names, g_strdupv ((char *[]) { pair->names[0], pair->names[1], NULL }));
    }
  return TRUE;
}

gpointer
wp_store_work_unpack (gpointer data, WpProgress *progress, GError **error)
{
  const WpStoreWork *work = data;
  WpStoreOutcome *outcome = outcome_new (NULL);
  gboolean unpacked;

  wp_store_session_take (work->session);
  unpacked = work->pairs != NULL ? unpack_pairs (work, outcome, error) : unpack_all (work, work->profiles, outcome->paths, error);
  wp_store_session_leave (work->session);
  if (!unpacked)
    {
      wp_store_outcome_free (outcome);
      return NULL;
    }
  for (guint i = 0; i < outcome->paths->len; i++)
    g_ptr_array_add (outcome->names, wp_store_profile_name (work->profiles->pdata[i]));
  return outcome;
}

/* As local.yml wants it: pending, or registered at once. */
static gboolean
add (const WpStoreWork *work, const char *path, const char *minor, char **text, WpProgress *progress, GError **error)
{
  char sha1[41];
  g_autofree char *pending = wp_store_keep (work->session->store, path, minor, sha1, progress, error);
  g_autofree char *name = pending != NULL ? g_path_get_basename (pending) : NULL;

  if (pending == NULL)
    return FALSE;
  g_free (*text);
  *text = g_strdup_printf (*sha1 != '\0' ? _("Registered “%s” with %.7s") : _("“%s” is pending for %.7s"), name, minor);
  return TRUE;
}

/* What was recorded at another commit of this repository belongs to that one. */
static const char *
commit_for (const WpStoreWork *work)
{
  return wp_vcs_has_commit (work->session->vcs, work->recorded) ? work->recorded : work->minor;
}

static gboolean
write_what_is_shown (const WpStoreWork *work, const char *path, WpProgress *progress, GError **error)
{
  const WpAnalysis *analysis = wp_shared_get (work->analysis);
  WpPlots *plots = wp_shared_get (work->plots);
  g_autoptr (GMutexLocker) locker = NULL;

  if (analysis != NULL)
    return wp_perun_save (path, analysis->paths, analysis->explanation, progress, error);
  locker = g_mutex_locker_new (&plots->lock);
  return wp_profile_save (plots->profile, path, error);
}

/* By way of a file of its own: two windows may save at once. */
static gboolean
save (const WpStoreWork *work, char **text, WpProgress *progress, GError **error)
{
  g_autofree char *folder = wp_store_unpacked_folder (error), *own = NULL, *path = NULL;
  gboolean saved;

  own = folder != NULL ? g_build_filename (folder, "saving-XXXXXX", NULL) : NULL;
  if (own == NULL)
    return FALSE;
  if (g_mkdtemp (own) == NULL)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", folder, g_strerror (errno));
      return FALSE;
    }
  path = g_build_filename (own, "saving.perf", NULL);
  saved = write_what_is_shown (work, path, progress, error) && add (work, path, commit_for (work), text, progress, error);
  g_unlink (path);
  g_rmdir (own);
  return saved;
}

gpointer
wp_store_work_add (gpointer data, WpProgress *progress, GError **error)
{
  const WpStoreWork *work = data;
  char *text = NULL;
  gboolean done = TRUE;

  wp_store_session_take (work->session);
  if (work->analysis != NULL || work->plots != NULL)
    done = save (work, &text, progress, error);
  for (guint i = 0; done && i < work->paths->len; i++)
    done = add (work, work->paths->pdata[i], work->minor, &text, progress, error);
  wp_store_session_leave (work->session);
  if (done)
    return outcome_new (text);
  g_free (text);
  return NULL;
}

gpointer
wp_store_work_register (gpointer data, WpProgress *progress, GError **error)
{
  const WpStoreWork *work = data;
  gboolean done = TRUE;
  char sha1[41];

  wp_store_session_take (work->session);
  for (guint i = 0; done && i < work->profiles->len; i++)
    {
      const WpStoreEntry *entry = ((const WpStoreProfile *) work->profiles->pdata[i])->entry;
      gboolean own = *entry->origin != '\0';
      g_autofree char *path = wp_store_entry_file (work->session->store, entry);

      done = wp_store_add (work->session->store, own ? entry->origin : work->minor, path, own ? 0 : WP_STORE_ADD_FORCE, sha1, error);
    }
  wp_store_session_leave (work->session);
  return done ? outcome_new (g_strdup_printf (ngettext ("Registered %u profile", "Registered %u profiles", work->profiles->len),
                                              work->profiles->len))
              : NULL;
}

gpointer
wp_store_work_remove (gpointer data, WpProgress *progress, GError **error)
{
  const WpStoreWork *work = data;
  gboolean done = TRUE;

  wp_store_session_take (work->session);
  for (guint i = 0; done && i < work->profiles->len; i++)
    {
      const WpStoreProfile *profile = work->profiles->pdata[i];

      done = *profile->minor != '\0' ? wp_store_remove (work->session->store, profile->minor, profile->entry, error)
                                     : wp_store_remove_pending (work->session->store, profile->entry, error);
    }
  wp_store_session_leave (work->session);
  return done ? outcome_new (g_strdup_printf (ngettext ("Removed %u profile", "Removed %u profiles", work->profiles->len),
                                              work->profiles->len))
              : NULL;
}
