#include "workspace/file/open-file.h"

#include <glib/gi18n.h>

#include "base/json-reader.h"
#include "calls/json.h"
#include "profile/model/profile-stacks.h"
#include "stacks/filter.h"
#include "workspace/stacks/open-stacks.h"
#include "workspace/store/stored-file.h"

void
wp_opened_free (WpOpened *self)
{
  wp_shared_unref (self->document);
  wp_shared_unref (self->rows);
  wp_shared_unref (self->stacks);
  wp_shared_unref (self->calls);
  wp_shared_unref (self->plots);
  g_free (self->name);
  g_free (self);
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

/* Takes the stacks, or NULL with `error` set. */
static WpOpened *
take_stacks (WpStacks *stacks, const char *path, WpProgress *progress, GError **error)
{
  g_autoptr (WpStacks) whole = stacks;
  WpStacks *shown = NULL;
  WpOpened *self;

  if (whole != NULL && whole->types.len == 0)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _("%s holds stacks, but no values of them: there is nothing to show"), path);
  else if (whole != NULL)
    shown = wp_stacks_drop_frames (whole, progress, error);
  if (shown == NULL)
    return NULL;
  self = g_new0 (WpOpened, 1);
  self->stacks = wp_shared_new (shown, (GDestroyNotify) wp_stacks_unref);
  return self;
}

/* What it shows is called after what was run. */
static WpOpened *
open_profile (const char *path, WpProgress *progress, GError **error)
{
  g_autoptr (WpProfile) profile = wp_profile_load (path, progress, error);
  WpOpened *self = NULL;
  WpPlots *plots;
  char *command;

  if (profile == NULL)
    return NULL;
  command = wp_profile_command (profile);
  if (wp_profile_is_stacks (profile))
    self = take_stacks (wp_profile_stacks (profile, progress, error), path, progress, error);
  else if ((plots = wp_plots_new (g_steal_pointer (&profile), progress, error)) != NULL)
    {
      self = g_new0 (WpOpened, 1);
      self->plots = wp_shared_new (plots, (GDestroyNotify) wp_plots_free);
    }
  if (self != NULL)
    self->name = g_steal_pointer (&command);
  g_free (command);
  return self;
}

static WpOpened *
open_calls (const char *path, WpProgress *progress, GError **error)
{
  WpCalls *calls = wp_calls_json_open (path, progress, error);
  WpOpened *self = NULL;

  if (calls != NULL)
    {
      self = g_new0 (WpOpened, 1);
      self->calls = wp_shared_new (calls, (GDestroyNotify) wp_calls_free);
    }
  return self;
}

/* What is no recording and no explanation: a call graph, stacks, or whatever else says of itself that it is a profile. */
static WpOpened *
open_other (const char *path, GError *problem, WpProgress *progress, GError **error)
{
  g_autoptr (GError) unknown = problem, wrong = NULL;
  WpStacks *stacks;

  if (wp_calls_json_is (path))
    return open_calls (path, progress, error);
  stacks = wp_open_stacks_profile (path, progress, &wrong);
  if (stacks == NULL && g_error_matches (wrong, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED))
    {
      if (g_error_matches (unknown, WP_JSON_ERROR, WP_JSON_ERROR_FOREIGN))
        return open_profile (path, progress, error);
      g_propagate_error (error, g_steal_pointer (&unknown));
      return NULL;
    }
  if (wrong != NULL)
    g_propagate_error (error, g_steal_pointer (&wrong));
  return take_stacks (stacks, path, progress, error);
}

static WpOpened *
open_unpacked (const char *path, const WpViewOptions *options, WpProgress *progress, GError **error)
{
  g_autoptr (GError) problem = NULL;
  WpDocument *document = wp_document_open (path, NULL, progress, &problem);

  if (document != NULL)
    return lay_out (document, options, progress, error);
  if (g_error_matches (problem, WP_READ_ERROR, WP_READ_ERROR_EVENTS))
    {
      WpOpened *plain = take_stacks (wp_open_stacks (path, NULL, NULL, progress, error), path, progress, error);

      if (plain != NULL)
        plain->plain = TRUE;
      return plain;
    }
  if (g_error_matches (problem, WP_JSON_ERROR, WP_JSON_ERROR_FOREIGN) || g_error_matches (problem, WP_READ_ERROR, WP_READ_ERROR_FORMAT))
    return open_other (path, g_steal_pointer (&problem), progress, error);
  g_propagate_error (error, g_steal_pointer (&problem));
  return NULL;
}

/* An object is called after what was run; a file has its own name. */
static void
name_object (WpOpened *self, const char *sha1)
{
  const WpDocument *document = wp_shared_get (self->document);
  g_autofree char *command = document != NULL ? g_strdup (document->trace->command) : g_steal_pointer (&self->name);

  if (sha1 != NULL && command != NULL && *command != '\0')
    self->name = g_strdup_printf ("%s · %.7s", command, sha1);
}

WpOpened *
wp_open_file (const char *path, const WpViewOptions *options, WpProgress *progress, GError **error)
{
  g_autofree char *unpacked = NULL, *sha1 = wp_stored_file_sha1 (path);
  WpOpened *self;

  wp_progress_phase (progress, "Opening");
  unpacked = wp_stored_file_unpack (path, error);
  self = unpacked != NULL ? open_unpacked (unpacked, options, progress, error) : NULL;
  if (self != NULL)
    name_object (self, g_str_equal (unpacked, path) ? NULL : sha1);
  return self;
}

/* --- what follows --- */

gpointer
wp_symbols_run (gpointer document, WpProgress *progress, GError **error)
{
  WpDocument *d = wp_shared_get (document);

  if (!wp_document_name (d, NULL, progress, error))
    return NULL;
  wp_document_keep_aside (d);
  return wp_shared_ref (document);
}

struct WpRowsRequest
{
  WpShared *document;
  WpViewOptions options;
};

WpRowsRequest *
wp_rows_request_new (WpShared *document, const WpViewOptions *options)
{
  WpRowsRequest *self = g_new0 (WpRowsRequest, 1);

  self->document = wp_shared_ref (document);
  wp_view_options_copy (&self->options, options);
  return self;
}

void
wp_rows_request_free (gpointer request)
{
  WpRowsRequest *self = request;

  wp_shared_unref (self->document);
  wp_view_options_clear (&self->options);
  g_free (self);
}

gpointer
wp_rows_request_run (gpointer request, WpProgress *progress, GError **error)
{
  const WpRowsRequest *self = request;
  const WpDocument *document = wp_shared_get (self->document);
  const WpProcessesOptions options = wp_view_options_processes (&self->options);
  WpRows *rows = wp_layout_processes (document->trace, &options, progress, error);

  return rows != NULL ? wp_shared_new (rows, (GDestroyNotify) wp_rows_free) : NULL;
}
