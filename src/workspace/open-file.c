#include "workspace/open-file.h"

#include "base/json-reader.h"

void
wp_opened_free (WpOpened *self)
{
  wp_shared_unref (self->document);
  wp_shared_unref (self->rows);
  wp_shared_unref (self->plots);
  g_free (self);
}

static WpOpened *
open_plots (const char *path, WpProgress *progress, GError **error)
{
  WpPlots *plots = wp_plots_open (path, progress, error);
  WpOpened *self;

  if (plots == NULL)
    return NULL;
  self = g_new0 (WpOpened, 1);
  self->plots = wp_shared_new (plots, (GDestroyNotify) wp_plots_free);
  return self;
}

/* Takes the document. */
static WpOpened *
lay_out (WpDocument *document, const WpViewOptions *options, WpProgress *progress, GError **error)
{
  const WpProcessesOptions processes = wp_view_options_processes (options);
  g_autoptr (WpOpened) self = g_new0 (WpOpened, 1);
  WpRows *rows;

  self->document = wp_shared_new (document, (GDestroyNotify) wp_document_free);
  wp_progress_phase (progress, "Drawing");
  rows = wp_layout_processes (document->trace, &processes, progress, error);
  if (rows == NULL)
    return NULL;
  self->rows = wp_shared_new (rows, (GDestroyNotify) wp_rows_free);
  return g_steal_pointer (&self);
}

WpOpened *
wp_open_file (const char *path, const WpViewOptions *options, WpProgress *progress, GError **error)
{
  g_autoptr (GError) problem = NULL;
  WpDocument *document = wp_document_open (path, NULL, progress, &problem);

  if (document != NULL)
    return lay_out (document, options, progress, error);
  if (g_error_matches (problem, WP_JSON_ERROR, WP_JSON_ERROR_FOREIGN))
    return open_plots (path, progress, error);
  g_propagate_error (error, g_steal_pointer (&problem));
  return NULL;
}

char *
wp_opened_name (const WpOpened *self, const char *sha1)
{
  const WpDocument *document = wp_shared_get (self->document);
  const WpPlots *plots = wp_shared_get (self->plots);
  g_autofree char *command = plots != NULL ? wp_profile_command (plots->profile) : g_strdup (document->trace->command);

  if (sha1 == NULL || command == NULL || *command == '\0')
    return NULL;
  return g_strdup_printf ("%s · %.7s", command, sha1);
}
