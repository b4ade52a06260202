#include "profile/model/document.h"

#include "profile/perun/perun.h"
#include "read/sidecar/sidecar.h"

static WpTrace *
open_recording (WpDocument *self, const WpReadOptions *options, WpProgress *progress, GError **error)
{
  WpTrace *trace;

  self->sidecar = wp_sidecar_new (self->path, options);
  trace = self->sidecar != NULL ? wp_sidecar_open (self->sidecar) : NULL;
  return trace != NULL ? trace : wp_read (self->path, options, progress, error);
}

WpDocument *
wp_document_open (const char *path, const WpReadOptions *options, WpProgress *progress, GError **error)
{
  WpFormat format = wp_sniff (path, error);
  g_autoptr (WpDocument) self = NULL;

  if (format == WP_FORMAT_UNKNOWN)
    return NULL;
  self = g_new0 (WpDocument, 1);
  self->path = g_strdup (path);
  self->format = format;
  if (format == WP_FORMAT_PERUN)
    wp_perun_load (path, &self->trace, &self->saved, progress, error);
  else
    self->trace = open_recording (self, options, progress, error);
  return self->trace != NULL ? g_steal_pointer (&self) : NULL;
}

void
wp_document_free (WpDocument *self)
{
  if (self == NULL)
    return;
  wp_paths_free (self->saved);
  wp_sidecar_free_with (self->sidecar, self->trace);
  g_free (self->path);
  g_free (self);
}

gboolean
wp_document_name (WpDocument *self, const WpReadOptions *options, WpProgress *progress, GError **error)
{
  GError *problem = NULL;

  wp_read_symbols (self->trace, options, progress, &problem);
  self->named = problem == NULL;
  if (self->named && self->sidecar != NULL)
    wp_sidecar_end_reading (self->sidecar);
  if (problem != NULL)
    g_propagate_error (error, problem);
  return self->named;
}

void
wp_document_keep (WpDocument *self)
{
  if (self->named && self->sidecar != NULL)
    wp_sidecar_keep (self->sidecar, self->trace);
}

void
wp_document_keep_aside (WpDocument *self)
{
  if (self->named && self->sidecar != NULL)
    wp_sidecar_keep_aside (self->sidecar, self->trace);
}

/* Whether `spec` means the process that a saved profile explains: its name, the name or tid of one of its base tasks,
 * or NAME:TID. */
static gboolean
is_saved_task (const WpDocument *self, const char *spec)
{
  const WpPaths *paths = self->saved;
  const char *colon = strrchr (spec, ':');
  gint64 tid;

  if (g_str_equal (spec, paths->name))
    return TRUE;
  for (guint32 i = 0; i < paths->base_tasks.len; i++)
    {
      const WpTask *task = &self->trace->tasks.data[paths->base_tasks.data[i]];
      const char *name = wp_trace_string (self->trace, task->name);
      gboolean named = colon == NULL || strncmp (spec, name, MAX ((gsize) (colon - spec), strlen (name))) == 0;

      if (g_str_equal (spec, name))
        return TRUE;
      if (named && g_ascii_string_to_signed (colon != NULL ? colon + 1 : spec, 10, 1, G_MAXINT32, &tid, NULL)
          && tid == task->tid)
        return TRUE;
    }
  return FALSE;
}

static WpPaths *
saved_paths (const WpDocument *self, const char *spec, GError **error)
{
  if (spec == NULL || *spec == '\0' || is_saved_task (self, spec))
    return self->saved;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND,
               "this saved profile explains %s; open the recording it was made from to see %s", self->saved->name, spec);
  return NULL;
}

WpPaths *
wp_document_paths (WpDocument *self, const char *spec, const WpPathOptions *options, gboolean *owned,
                   WpProgress *progress, GError **error)
{
  WpIdArray tasks = { 0 };
  WpPaths *paths = NULL;

  *owned = self->saved == NULL;
  if (self->saved != NULL)
    return saved_paths (self, spec, error);
  if (wp_paths_find_tasks (self->trace, spec, &tasks, error))
    paths = wp_paths_new (self->trace, tasks.data, tasks.len, options, progress, error);
  wp_array_clear (&tasks);
  return paths;
}
