/* Opening: the file and its first picture, then symbols, each in a worker. While symbols are being read the trace
 * belongs to that worker: the picture shows rows of its own and nothing else reads the trace. */
#include "app/page/page-private.h"

#include "app/widgets/status-page.h"
#include "base/json-reader.h"
#include "workspace/stored-file.h"

#include <glib/gi18n.h>

typedef struct
{
  char *path;
  WpProcessesOptions options;
} OpenRequest;

typedef struct
{
  WpShared *document, *rows;
  WpShared *kinds; /* WpPlots: a profile that explains no process, instead of the others */
  char *name;      /* of what the file's name does not tell, or NULL */
} Opened;

static void
open_request_free (gpointer data)
{
  OpenRequest *self = data;

  g_free (self->path);
  g_free ((char *) self->options.filter);
  g_free (self);
}

static void
opened_free (gpointer data)
{
  Opened *self = data;

  wp_shared_unref (self->document);
  wp_shared_unref (self->rows);
  wp_shared_unref (self->kinds);
  g_free (self->name);
  g_free (self);
}

static Opened *
open_kinds (const char *path, WpProgress *progress, GError **error)
{
  WpPlots *kinds = wp_plots_open (path, progress, error);
  Opened *opened;

  if (kinds == NULL)
    return NULL;
  opened = g_new0 (Opened, 1);
  opened->kinds = wp_shared_new (kinds, (GDestroyNotify) wp_plots_free);
  return opened;
}

/* A store's object is called by its hash, which nobody knows it by: what was run tells more. */
static char *
object_name (const Opened *opened, const char *path)
{
  const WpDocument *document = wp_shared_get (opened->document);
  const WpPlots *kinds = wp_shared_get (opened->kinds);
  g_autofree char *sha1 = wp_stored_file_sha1 (path);
  g_autofree char *command = kinds != NULL ? wp_profile_command (kinds->profile) : g_strdup (document->trace->command);

  if (sha1 == NULL || command == NULL || *command == '\0')
    return NULL;
  return g_strdup_printf ("%s · %.7s", command, sha1);
}

static gpointer
run_open (gpointer data, WpProgress *progress, GError **error)
{
  const OpenRequest *request = data;
  g_autoptr (GError) problem = NULL;
  Opened *opened;
  WpDocument *document;
  WpRows *rows;
  g_autofree char *path = NULL;

  wp_progress_phase (progress, "Opening");
  path = wp_stored_file_unpack (request->path, error);
  if (path == NULL)
    return NULL;
  document = wp_document_open (path, NULL, progress, &problem);
  if (g_error_matches (problem, WP_JSON_ERROR, WP_JSON_ERROR_FOREIGN))
    {
      opened = open_kinds (path, progress, error);
      if (opened != NULL && !g_str_equal (path, request->path))
        opened->name = object_name (opened, request->path);
      return opened;
    }
  if (document == NULL)
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return NULL;
    }
  wp_progress_phase (progress, "Drawing");
  rows = wp_layout_processes (document->trace, &request->options, progress, error);
  if (rows == NULL)
    {
      wp_document_free (document);
      return NULL;
    }
  opened = g_new0 (Opened, 1);
  opened->document = wp_shared_new (document, (GDestroyNotify) wp_document_free);
  opened->rows = wp_shared_new (rows, (GDestroyNotify) wp_rows_free);
  if (!g_str_equal (path, request->path))
    opened->name = object_name (opened, request->path);
  return opened;
}

static gpointer
run_symbols (gpointer data, WpProgress *progress, GError **error)
{
  WpDocument *document = wp_shared_get (data);
  GError *problem = NULL;

  wp_read_symbols (document->trace, NULL, progress, &problem);
  if (problem != NULL)
    {
      g_propagate_error (error, problem);
      return NULL;
    }
  return wp_shared_ref (data);
}

/* It was asked for before it became what plays the idle task. */
static gboolean
is_idle (const WpTrace *trace, WpId task)
{
  return task >= trace->tasks.len || (trace->tasks.data[task].flags & WP_TASK_IDLE) != 0;
}

/* What can be explained without being asked: a saved profile's process, or the recorded command. */
static void
explain_first (WpPage *self)
{
  const WpDocument *document = wp_shared_get (self->document);

  if (self->wanted && !is_idle (document->trace, self->wanted_task))
    wp_page_explain_task (self, self->wanted_task);
  else if (document->saved != NULL || document->trace->command_pid != 0)
    wp_page_explain_task (self, 0);
}

static void
on_symbols_told (const char *phase, double fraction, gpointer data)
{
  WpPage *self = data;

  gtk_progress_bar_set_fraction (self->symbols_progress, fraction);
}

static void
on_symbols_done (gpointer result, const GError *error, gpointer data)
{
  WpPage *self = data;

  self->reading_symbols = NULL;
  self->trace_busy = FALSE;
  gtk_revealer_set_reveal_child (self->symbols, FALSE);
  wp_shared_unref (result);
  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    wp_page_toast (self, error->message);
  wp_page_show_problems (self);
  if (self->show_sleeps || self->layout_wanted) /* sleeps are labelled by functions */
    wp_page_layout_processes (self);
  wp_page_show_details (self);
  explain_first (self);
  wp_page_changed (self);
}

static void
read_symbols (WpPage *self)
{
  self->trace_busy = TRUE;
  gtk_progress_bar_set_fraction (self->symbols_progress, 0);
  gtk_revealer_set_reveal_child (self->symbols, TRUE);
  self->reading_symbols = wp_job_start (&(WpJobSpec) { .run = run_symbols,
                                                       .told = on_symbols_told,
                                                       .done = on_symbols_done,
                                                       .data = wp_shared_ref (self->document),
                                                       .free_data = (GDestroyNotify) wp_shared_unref,
                                                       .free_result = (GDestroyNotify) wp_shared_unref,
                                                       .user_data = self });
}

/* Text has its names already, but its stacks are to be completed, too. */
static gboolean
needs_symbols (const WpDocument *document)
{
  return document->saved == NULL;
}

static void
on_open_told (const char *phase, double fraction, gpointer data)
{
  WpPage *self = data;

  if (phase != NULL)
    wp_status_page_say (self->loading, _(phase));
  gtk_progress_bar_set_fraction (self->loading_progress, fraction);
}

static void
show_failure (WpPage *self, const GError *error)
{
  g_autofree char *title = g_strdup_printf (_("Cannot Open “%s”"), self->title);

  adw_status_page_set_title (self->failed, title);
  wp_status_page_say (self->failed, error->message);
  gtk_stack_set_visible_child_name (self->stack, "failed");
}

static void
on_kinds_changed (WpPlotPage *kinds, WpPage *self)
{
  wp_page_show_problems (self);
  wp_page_changed (self);
}

static void
on_kinds_told (WpPlotPage *kinds, const char *text, WpPage *self)
{
  wp_page_toast (self, text);
}

static void
show_kinds (WpPage *self, WpShared *kinds)
{
  self->kinds = WP_PLOT_PAGE (wp_plot_page_new (kinds));
  g_signal_connect_object (self->kinds, "changed", G_CALLBACK (on_kinds_changed), self, 0);
  g_signal_connect_object (self->kinds, "told", G_CALLBACK (on_kinds_told), self, 0);
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->kinds), "kinds");
  gtk_stack_set_visible_child_name (self->stack, "kinds");
  wp_page_changed (self);
}

static void
on_open_done (gpointer result, const GError *error, gpointer data)
{
  WpPage *self = data;
  Opened *opened = result;
  const WpDocument *document;

  self->opening = NULL;
  if (opened == NULL)
    {
      show_failure (self, error);
      wp_page_changed (self);
      return;
    }
  if (opened->name != NULL)
    {
      g_free (self->title);
      self->title = g_steal_pointer (&opened->name);
    }
  if (opened->kinds != NULL)
    {
      show_kinds (self, opened->kinds);
      opened_free (opened);
      return;
    }
  self->document = g_steal_pointer (&opened->document);
  document = wp_shared_get (self->document);
  wp_view_set_rows (self->view[WP_VIEW_PROCESSES], opened->rows, FALSE);
  opened_free (opened);
  wp_page_show_problems (self);
  gtk_stack_set_visible_child_name (self->stack, "views");
  if (needs_symbols (document))
    read_symbols (self);
  else
    explain_first (self);
  /* A profile is of one process: what matters is its flame view. */
  wp_page_set_view (self, document->saved != NULL ? WP_VIEW_FLAME : WP_VIEW_PROCESSES);
}

static WpProcessesOptions
processes_options (WpPage *self)
{
  const char *filter = gtk_editable_get_text (GTK_EDITABLE (self->filter));

  return (WpProcessesOptions) { .show_sleeps = self->show_sleeps,
                                .summary = self->summary,
                                .sort = self->sort,
                                .filter = *filter != '\0' ? g_strdup (filter) : NULL };
}

void
wp_page_open (WpPage *self)
{
  OpenRequest *request = g_new0 (OpenRequest, 1);

  request->path = g_file_get_path (self->file);
  if (request->path == NULL)
    request->path = g_file_get_uri (self->file); /* a message about a file that is not there is what comes of it */
  request->options = processes_options (self);
  gtk_progress_bar_set_fraction (self->loading_progress, 0);
  wp_status_page_say (self->loading, self->title);
  gtk_stack_set_visible_child_name (self->stack, "loading");
  self->opening = wp_job_start (&(WpJobSpec) { .run = run_open,
                                               .told = on_open_told,
                                               .done = on_open_done,
                                               .data = request,
                                               .free_data = open_request_free,
                                               .free_result = opened_free,
                                               .user_data = self });
  wp_page_changed (self);
}

/* --- Processes with other options --- */

typedef struct
{
  WpShared *document;
  WpProcessesOptions options;
} LayoutRequest;

static void
layout_request_free (gpointer data)
{
  LayoutRequest *self = data;

  wp_shared_unref (self->document);
  g_free ((char *) self->options.filter);
  g_free (self);
}

static gpointer
run_layout (gpointer data, WpProgress *progress, GError **error)
{
  const LayoutRequest *request = data;
  const WpDocument *document = wp_shared_get (request->document);
  WpRows *rows = wp_layout_processes (document->trace, &request->options, progress, error);

  return rows != NULL ? wp_shared_new (rows, (GDestroyNotify) wp_rows_free) : NULL;
}

static void
on_layout_done (gpointer result, const GError *error, gpointer data)
{
  WpPage *self = data;
  WpView *view = self->view[WP_VIEW_PROCESSES];
  const WpRows *rows = wp_shared_get (result);

  self->laying_out = NULL;
  if (rows == NULL)
    return;
  wp_view_set_rows (view, result, TRUE);
  wp_shared_unref (result);
  if (rows->rows.len == 0)
    wp_view_show_empty (view, "edit-find-symbolic", _("No Such Task"), _("No task’s name contains what the filter says."));
  if (self->current == WP_VIEW_PROCESSES)
    wp_page_mark_boxes (self);
}

void
wp_page_layout_processes (WpPage *self)
{
  LayoutRequest *request;

  self->layout_wanted = self->trace_busy;
  if (self->document == NULL || self->trace_busy)
    return;
  wp_job_drop (&self->laying_out);
  request = g_new0 (LayoutRequest, 1);
  request->document = wp_shared_ref (self->document);
  request->options = processes_options (self);
  self->laying_out = wp_job_start (&(WpJobSpec) { .run = run_layout,
                                                  .done = on_layout_done,
                                                  .data = request,
                                                  .free_data = layout_request_free,
                                                  .free_result = (GDestroyNotify) wp_shared_unref,
                                                  .user_data = self });
}
