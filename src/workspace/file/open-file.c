#include "workspace/file/open-file.h"

#include "base/json-reader.h"
#include "workspace/store/stored-file.h"

void
wp_opened_free (WpOpened *self)
{
  wp_shared_unref (self->document);
  wp_shared_unref (self->rows);
  wp_shared_unref (self->plots);
  g_free (self->name);
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

static WpOpened *
open_unpacked (const char *path, const WpViewOptions *options, WpProgress *progress, GError **error)
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

static char *
name_object (const WpOpened *self, const char *sha1)
{
  const WpDocument *document = wp_shared_get (self->document);
  const WpPlots *plots = wp_shared_get (self->plots);
  g_autofree char *command = plots != NULL ? wp_profile_command (plots->profile) : g_strdup (document->trace->command);

  if (sha1 == NULL || command == NULL || *command == '\0')
    return NULL;
  return g_strdup_printf ("%s · %.7s", command, sha1);
}

WpOpened *
wp_open_file (const char *path, const WpViewOptions *options, WpProgress *progress, GError **error)
{
  g_autofree char *unpacked = NULL, *sha1 = wp_stored_file_sha1 (path);
  WpOpened *self;

  wp_progress_phase (progress, "Opening");
  unpacked = wp_stored_file_unpack (path, error);
  self = unpacked != NULL ? open_unpacked (unpacked, options, progress, error) : NULL;
  if (self != NULL && !g_str_equal (unpacked, path))
    self->name = name_object (self, sha1);
  return self;
}

/* --- what follows --- */

gpointer
wp_symbols_run (gpointer document, WpProgress *progress, GError **error)
{
  const WpDocument *d = wp_shared_get (document);
  GError *problem = NULL;

  wp_read_symbols (d->trace, NULL, progress, &problem);
  if (problem == NULL)
    return wp_shared_ref (document);
  g_propagate_error (error, problem);
  return NULL;
}

struct WpRowsRequest
{
  WpShared *document;
  WpProcessesOptions options; /* its filter is owned */
};

WpRowsRequest *
wp_rows_request_new (WpShared *document, const WpViewOptions *options)
{
  WpRowsRequest *self = g_new0 (WpRowsRequest, 1);

  self->document = wp_shared_ref (document);
  self->options = wp_view_options_processes (options);
  self->options.filter = g_strdup (self->options.filter);
  return self;
}

void
wp_rows_request_free (gpointer request)
{
  WpRowsRequest *self = request;

  wp_shared_unref (self->document);
  g_free ((char *) self->options.filter);
  g_free (self);
}

gpointer
wp_rows_request_run (gpointer request, WpProgress *progress, GError **error)
{
  const WpRowsRequest *self = request;
  const WpDocument *document = wp_shared_get (self->document);
  WpRows *rows = wp_layout_processes (document->trace, &self->options, progress, error);

  return rows != NULL ? wp_shared_new (rows, (GDestroyNotify) wp_rows_free) : NULL;
}
