#include "workspace/history/history-data.h"

#include <glib/gi18n.h>
#include <math.h>

#define SLICE (150 * 1000) /* µs of reading before what is known is shown */

/* --- commits and profiles ------------------------------------------------------------------------------------------------- */

void
wp_history_request_free (gpointer request)
{
  WpHistoryRequest *self = request;

  g_free (self->folder);
  g_free (self->branch);
  g_free (self);
}

void
wp_history_gathered_free (gpointer gathered)
{
  WpHistoryGathered *self = gathered;

  wp_store_session_unref (self->session);
  wp_shared_unref (self->history);
  g_free (self);
}

gpointer
wp_history_gather (gpointer data, WpProgress *progress, GError **error)
{
  const WpHistoryRequest *request = data;
  g_autoptr (WpStoreSession) session = wp_store_session_open (request->folder);
  WpHistoryGathered *self;
  WpHistory *history;
  char head[41];

  if (session->store == NULL || session->vcs == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s",
                   session->message != NULL ? session->message : _("The repository of this store is gone"));
      return NULL;
    }
  if (!wp_vcs_resolve (session->vcs, request->branch != NULL ? request->branch : "HEAD", head, error))
    return NULL;
  history = wp_history_new (session->store, head, progress, error);
  if (history == NULL)
    return NULL;
  self = g_new0 (WpHistoryGathered, 1);
  self->session = g_steal_pointer (&session);
  self->history = wp_shared_new (history, (GDestroyNotify) wp_history_free);
  return self;
}

/* --- figures ---------------------------------------------------------------------------------------------------------------- */

void
wp_history_reading_free (gpointer reading)
{
  WpHistoryReading *self = reading;

  wp_store_session_unref (self->session);
  wp_shared_unref (self->history);
  g_ptr_array_unref (self->figures);
  g_array_unref (self->profiles);
  g_free (self);
}

void
wp_history_values_free (gpointer values)
{
  WpHistoryValues *self = values;

  g_ptr_array_unref (self->figures);
  g_array_unref (self->profiles);
  g_free (self->values);
  g_free (self->problem);
  g_free (self);
}

static void
read_one (const WpHistoryReading *reading, const WpFigure *figures, guint i, WpHistoryValues *values, WpProgress *progress)
{
  const WpHistory *history = wp_shared_get (reading->history);
  guint n = reading->figures->len;
  g_autoptr (GError) error = NULL;

  if (wp_history_read (reading->session->store, &history->profiles.data[g_array_index (reading->profiles, guint32, i)], figures, n,
                       values->values + (gsize) i * n, progress, &error))
    return;
  for (guint f = 0; f < n; f++)
    values->values[(gsize) i * n + f].value = NAN;
  values->failed++;
  if (values->problem == NULL)
    values->problem = g_strdup (error->message);
}

gpointer
wp_history_read_some (gpointer data, WpProgress *progress, GError **error)
{
  const WpHistoryReading *reading = data;
  WpHistoryValues *values = g_new0 (WpHistoryValues, 1);
  g_autofree WpFigure *figures = g_new (WpFigure, reading->figures->len);
  gint64 end = g_get_monotonic_time () + SLICE;

  values->figures = g_ptr_array_ref (reading->figures);
  values->profiles = g_array_ref (reading->profiles);
  for (guint f = 0; f < reading->figures->len; f++)
    figures[f] = *(const WpFigure *) reading->figures->pdata[f];
  values->values = g_new0 (WpFigureValue, (gsize) reading->profiles->len * reading->figures->len);
  wp_store_session_take (reading->session);
  while (values->n < reading->profiles->len && (values->n == 0 || g_get_monotonic_time () < end)
         && wp_progress_step (progress, 0, NULL))
    read_one (reading, figures, values->n++, values, progress);
  wp_store_session_leave (reading->session);
  if (wp_progress_step (progress, 1, error))
    return values;
  wp_history_values_free (values);
  return NULL;
}

/* --- files ------------------------------------------------------------------------------------------------------------------ */

void
wp_history_wish_free (gpointer wish)
{
  WpHistoryWish *self = wish;

  wp_store_session_unref (self->session);
  wp_shared_unref (self->history);
  for (guint side = 0; side < 2; side++)
    g_array_unref (self->profiles[side]);
  g_free (self);
}

void
wp_history_files_free (gpointer files)
{
  WpHistoryFiles *self = files;

  for (guint side = 0; side < 2; side++)
    {
      g_ptr_array_unref (self->paths[side]);
      g_ptr_array_unref (self->names[side]);
      g_free (self->subjects[side]);
    }
  g_free (self);
}

static gboolean
unpack_side (const WpHistoryWish *wish, guint side, WpHistoryFiles *files, GError **error)
{
  const WpHistory *history = wp_shared_get (wish->history);
  const GArray *wanted = wish->profiles[side];

  files->subjects[side]
    = g_strdup (wanted->len > 0 ? history->commits.data[history->profiles.data[g_array_index (wanted, guint32, 0)].commit].subject : "");
  for (guint i = 0; i < wish->profiles[side]->len; i++)
    {
      const WpHistoryProfile *profile = &history->profiles.data[g_array_index (wish->profiles[side], guint32, i)];
      const char *minor = history->commits.data[profile->commit].hash;
      char *path = wp_store_session_unpack (wish->session, profile->entry, minor, error);
      g_autofree char *base = g_path_get_basename (profile->entry->path);

      if (path == NULL)
        return FALSE;
      g_ptr_array_add (files->paths[side], path);
      g_ptr_array_add (files->names[side], g_strdup_printf ("%s @ %.7s", base, minor));
    }
  g_ptr_array_add (files->paths[side], NULL);
  g_ptr_array_add (files->names[side], NULL);
  return TRUE;
}

gpointer
wp_history_unpack (gpointer data, WpProgress *progress, GError **error)
{
  const WpHistoryWish *wish = data;
  WpHistoryFiles *files = g_new0 (WpHistoryFiles, 1);
  gboolean done = TRUE;

  wp_store_session_take (wish->session);
  for (guint side = 0; side < 2; side++)
    {
      files->paths[side] = g_ptr_array_new_with_free_func (g_free);
      files->names[side] = g_ptr_array_new_with_free_func (g_free);
      done = done && unpack_side (wish, side, files, error);
    }
  wp_store_session_leave (wish->session);
  if (done)
    return files;
  wp_history_files_free (files);
  return NULL;
}
