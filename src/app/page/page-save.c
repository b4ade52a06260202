/* Saving a profile, keeping the raw recording, exporting a picture or the table: a file chooser, then a worker. */
#include "app/page/page-private.h"

#include <glib/gi18n.h>

#include "paint/paint.h"
#include "profile/perun/perun.h"
#include "profile/model/report.h"
#include "base/save-file.h"

#define PICTURE_WIDTH 1600.0
#define CHART_WIDTH 1280.0
#define CHART_HEIGHT 800.0

typedef struct
{
  char *path;
  WpShared *what; /* WpAnalysis, WpRows, or NULL */
  char *source;   /* the recording to copy */
  char *title;    /* of a picture */
  WpTheme theme;
  gboolean visible; /* the picture is of what is visible: of this, with what is faded and marked there */
  WpViewport viewport;
  WpPaintState state;
  guint8 *highlight;
  gboolean is_chart;     /* `what` is a WpChart, of which this is seen */
  WpChartView chart_view;
  char *text;            /* that is no table */
  guint32 *order;        /* of a table that is no explanation: rows of `what`, a WpGrid */
  guint32 n;
} SaveRequest;

static void
save_request_free (gpointer data)
{
  SaveRequest *self = data;

  g_free (self->path);
  g_free (self->source);
  g_free (self->title);
  g_free (self->highlight);
  g_free (self->text);
  g_free (self->order);
  wp_shared_unref (self->what);
  g_free (self);
}

/* The results of these jobs are the paths they wrote. */
static gpointer
run_save (gpointer data, WpProgress *progress, GError **error)
{
  const SaveRequest *request = data;
  const WpAnalysis *analysis = wp_shared_get (request->what);

  if (!wp_perun_save (request->path, analysis->paths, analysis->explanation, progress, error))
    return NULL;
  return g_strdup (request->path);
}

static gboolean
write_picture (const SaveRequest *request, WpPictureFormat format, GError **error)
{
  const WpRows *rows = wp_shared_get (request->what);

  if (request->is_chart)
    return wp_picture_write_chart (request->path, format,
                                   &(WpChartPlace) { wp_shared_get (request->what), &request->chart_view, CHART_WIDTH, CHART_HEIGHT },
                                   request->theme, error);
  if (request->visible)
    return wp_picture_write_visible (request->path, format, rows, &request->viewport, &request->state, request->title,
                                     request->theme, error);
  return wp_picture_write (request->path, format, rows, request->title, PICTURE_WIDTH, request->theme, error);
}

static gpointer
run_picture (gpointer data, WpProgress *progress, GError **error)
{
  const SaveRequest *request = data;
  WpPictureFormat format = wp_picture_format_of_file (request->path, error);

  return format < WP_PICTURE_FORMAT_COUNT && write_picture (request, format, error) ? g_strdup (request->path) : NULL;
}

static const struct
{
  const char *suffix;
  WpReportFormat format;
} table_formats[] = { { ".tsv", WP_REPORT_TSV }, { ".json", WP_REPORT_JSON }, { ".md", WP_REPORT_MARKDOWN },
                      { ".txt", WP_REPORT_TEXT } };

static GString *
table_text (const WpAnalysis *analysis, WpReportFormat format)
{
  GString *text = g_string_new (NULL);

  wp_report_write (text, wp_shared_get (analysis->document), analysis->explanation, analysis->paths, format);
  return text;
}

static gpointer
run_table (gpointer data, WpProgress *progress, GError **error)
{
  const SaveRequest *request = data;

  for (guint i = 0; i < G_N_ELEMENTS (table_formats); i++)
    if (g_str_has_suffix (request->path, table_formats[i].suffix))
      {
        g_autoptr (GString) text = table_text (wp_shared_get (request->what), table_formats[i].format);

        return wp_save_text (request->path, text->str, text->len, error) ? g_strdup (request->path) : NULL;
      }
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
               _("%s: the name tells the format; it must end in .tsv, .json, .md or .txt"), request->path);
  return NULL;
}

/* Copied to a temporary name in the same folder, so that a full disk leaves nothing half-written behind. */
static gpointer
run_copy (gpointer data, WpProgress *progress, GError **error)
{
  const SaveRequest *request = data;
  g_autofree char *temporary = g_strdup_printf ("%s.part", request->path);
  g_autoptr (GFile) source = g_file_new_for_path (request->source);
  g_autoptr (GFile) part = g_file_new_for_path (temporary);
  g_autoptr (GFile) target = g_file_new_for_path (request->path);

  if (g_file_equal (source, target))
    return g_strdup (request->path);
  if (g_file_copy (source, part, G_FILE_COPY_OVERWRITE, progress->cancellable, NULL, NULL, error)
      && g_file_move (part, target, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, error))
    return g_strdup (request->path);
  g_file_delete (part, NULL, NULL);
  return NULL;
}

static void
on_saved (gpointer result, const GError *error, gpointer data)
{
  WpPage *self = data;
  g_autofree char *path = result;
  g_autofree char *name = path != NULL ? g_path_get_basename (path) : NULL;
  g_autofree char *text = NULL;

  self->saving = NULL;
  if (self->saving_profile && error != NULL)
    wp_plot_page_set_unsaved (self->kinds, TRUE);
  self->saving_profile = FALSE;
  text = error != NULL ? g_strdup (error->message) : g_strdup_printf (_("Saved “%s”"), name);
  wp_page_toast (self, text);
  wp_page_changed (self);
}

/* --- the chooser --- */

typedef struct
{
  WpPage *page;
  GtkFileChooserNative *chooser;
  WpJobRun run;
  SaveRequest *request;
} Choosing;

static void
choosing_free (Choosing *self)
{
  g_object_unref (self->chooser);
  g_object_unref (self->page);
  if (self->request != NULL)
    save_request_free (self->request);
  g_free (self);
}

static gpointer run_save_kinds (gpointer data, WpProgress *progress, GError **error);

/* What is changed while it is saved is unsaved again. */
static void
begin_saving (WpPage *page, WpJobRun run)
{
  page->saving_profile = run == run_save_kinds && page->kinds != NULL && wp_plot_page_unsaved (page->kinds);
  if (page->saving_profile)
    wp_plot_page_set_unsaved (page->kinds, FALSE);
}

static void
on_chosen (GtkNativeDialog *dialog, int response, Choosing *self)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));

  if (response == GTK_RESPONSE_ACCEPT && file != NULL && g_file_peek_path (file) != NULL && self->page->saving == NULL)
    {
      self->request->path = g_file_get_path (file);
      begin_saving (self->page, self->run);
      self->page->saving = wp_job_start (&(WpJobSpec) { .run = self->run,
                                                        .done = on_saved,
                                                        .data = g_steal_pointer (&self->request),
                                                        .free_data = save_request_free,
                                                        .free_result = g_free,
                                                        .user_data = self->page });
      wp_page_changed (self->page);
    }
  choosing_free (self);
}

static void
choose (WpPage *page, const char *title, const char *name, WpJobRun run, SaveRequest *request)
{
  Choosing *self = g_new0 (Choosing, 1);
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (page)));

  self->page = g_object_ref (page);
  self->run = run;
  self->request = request;
  self->chooser
    = gtk_file_chooser_native_new (title, window, GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"), _("_Cancel"));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (self->chooser), name);
  g_signal_connect (self->chooser, "response", G_CALLBACK (on_chosen), self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

/* A file name from the name of the process. */
static char *
suggest (WpPage *self, const char *suffix)
{
  const WpAnalysis *analysis = wp_page_analysis (self);
  g_autofree char *name = g_strdup (analysis != NULL ? analysis->paths->name : self->title);
  char *dot = strrchr (name, '.');

  if (analysis == NULL && dot != NULL && dot != name)
    *dot = '\0';
  g_strdelimit (name, "/\\:*?\"<>|", '-');
  return g_strconcat (*name != '\0' ? name : "profile", suffix, NULL);
}

/* Of a profile that explains no process: with what was added to it. */
static gpointer
run_save_kinds (gpointer data, WpProgress *progress, GError **error)
{
  const SaveRequest *request = data;
  WpPlots *kinds = wp_shared_get (request->what);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&kinds->lock);

  return wp_profile_save (kinds->profile, request->path, error) ? g_strdup (request->path) : NULL;
}

void
wp_page_save (WpPage *self)
{
  SaveRequest *request = g_new0 (SaveRequest, 1);
  g_autofree char *name = suggest (self, ".perf");

  request->what = wp_shared_ref (self->kinds != NULL ? wp_plot_page_kinds (self->kinds) : self->analysis);
  choose (self, _("Save Profile"), name, self->kinds != NULL ? run_save_kinds : run_save, request);
}

void
wp_page_save_recording (WpPage *self)
{
  SaveRequest *request = g_new0 (SaveRequest, 1);
  const WpDocument *document = wp_shared_get (self->document);
  g_autofree char *name = suggest (self, ".recording.perf");

  request->source = g_strdup (document->path);
  choose (self, _("Save Recording"), name, run_copy, request);
}

static void
keep_visible (SaveRequest *request, WpCanvas *canvas)
{
  request->visible = TRUE;
  request->viewport = *wp_canvas_viewport (canvas);
  request->state = *wp_canvas_state (canvas);
  request->state.selected = request->state.hovered = WP_NO_BOX;
  if (request->state.highlight != NULL)
    request->highlight = g_memdup2 (request->state.highlight, MAX (wp_canvas_rows (canvas)->boxes.len, 1));
  request->state.highlight = request->highlight;
}

static void
export_view (WpPage *self, gboolean visible)
{
  SaveRequest *request = g_new0 (SaveRequest, 1);
  const WpAnalysis *analysis = wp_page_analysis (self);
  g_autofree char *name = suggest (self, ".png");

  if (visible)
    keep_visible (request, wp_page_canvas (self));
  request->what = wp_shared_ref (wp_canvas_shared_rows (wp_page_canvas (self)));
  request->title = g_strdup (self->current != WP_VIEW_PROCESSES && analysis != NULL ? analysis->paths->name : self->title);
  request->theme = wp_current_theme ();
  choose (self, visible ? _("Export Visible Part") : _("Export Picture"), name, run_picture, request);
}

/* Of a profile that explains no process. */
static void
export_kind (WpPage *self, gboolean visible)
{
  SaveRequest *request = g_new0 (SaveRequest, 1);
  WpShared *chart = wp_plot_page_chart (self->kinds, &request->chart_view);
  g_autofree char *suffix = g_strdup_printf ("-%s.png", wp_plot_id (wp_plot_page_current (self->kinds)));
  g_autofree char *name = suggest (self, suffix);

  request->is_chart = chart != NULL;
  if (chart != NULL && !visible)
    request->chart_view = wp_chart_whole (wp_shared_get (chart));
  if (chart == NULL && visible)
    keep_visible (request, wp_plot_page_canvas (self->kinds));
  request->what = wp_shared_ref (chart != NULL ? chart : wp_plot_page_rows (self->kinds));
  request->title = g_strdup_printf ("%s — %s", self->title, wp_plot_name (wp_plot_page_current (self->kinds)));
  request->theme = wp_current_theme ();
  choose (self, visible ? _("Export Visible Part") : _("Export Picture"), name, run_picture, request);
}

void
wp_page_export_picture (WpPage *self, gboolean visible)
{
  if (self->kinds != NULL)
    export_kind (self, visible);
  else
    export_view (self, visible);
}

/* --- the table --- */

static gpointer
run_text (gpointer data, WpProgress *progress, GError **error)
{
  const SaveRequest *request = data;

  return wp_save_text (request->path, request->text, strlen (request->text), error) ? g_strdup (request->path) : NULL;
}

static gpointer
run_grid (gpointer data, WpProgress *progress, GError **error)
{
  SaveRequest *request = data;
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean csv = g_str_has_suffix (request->path, ".csv");

  if (!csv && !g_str_has_suffix (request->path, ".tsv"))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME, _("%s: the name tells the format; it must end in .tsv or .csv"),
                   request->path);
      return NULL;
    }
  (csv ? wp_grid_write_csv : wp_grid_write) (wp_shared_get (request->what), request->order, request->n, text);
  return wp_save_text (request->path, text->str, text->len, error) ? g_strdup (request->path) : NULL;
}

static void
export_kind_table (WpPage *self)
{
  SaveRequest *request = g_new0 (SaveRequest, 1);
  gboolean raw = wp_plot_page_current (self->kinds) == WP_PLOT_RAW;
  g_autofree char *suffix = g_strdup_printf ("-%s.%s", wp_plot_id (wp_plot_page_current (self->kinds)), raw ? "txt" : "tsv");
  g_autofree char *name = suggest (self, suffix);

  request->what = wp_shared_ref (wp_plot_page_grid (self->kinds, &request->order, &request->n));
  if (request->what == NULL)
    request->text = wp_plot_page_text (self->kinds);
  if (request->what != NULL)
    choose (self, _("Export Table"), name, run_grid, request);
  else if (request->text != NULL)
    choose (self, _("Export Table"), name, run_text, request);
  else
    save_request_free (request);
}

void
wp_page_export_table (WpPage *self)
{
  SaveRequest *request;
  g_autofree char *name = suggest (self, ".tsv");

  if (self->kinds != NULL)
    {
      export_kind_table (self);
      return;
    }
  request = g_new0 (SaveRequest, 1);
  request->what = wp_shared_ref (self->range != NULL ? self->range : self->analysis);
  choose (self, _("Export Table"), name, run_table, request);
}

void
wp_page_copy_table (WpPage *self, const char *format)
{
  WpReportFormat id = wp_report_format_from_id (format);
  g_autoptr (GString) text = id < WP_REPORT_FORMAT_COUNT ? table_text (wp_page_analysis (self), id) : NULL;

  if (text == NULL)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text->str);
  wp_page_toast (self, _("The table has been copied"));
}
