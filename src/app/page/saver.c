#include "app/page/saver.h"

#include <glib/gi18n.h>

#include "workspace/worker.h"

struct _WpSaver
{
  GObject parent_instance;

  WpWorker *worker;
  GtkWidget *of;     /* weak: who is told how saving goes on */
  WpSavingFunc func;
  gboolean keeps_notes;
  gboolean closed;
};

enum
{
  SIGNAL_CHANGED,
  SIGNAL_TOLD,
  SIGNAL_ENDED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpSaver, wp_saver, G_TYPE_OBJECT)

/* What waits for the chooser's answer. */
typedef struct
{
  WpSaver *saver;
  GtkWidget *over;
  GtkFileChooserNative *chooser;
  WpSavingFunc func;
  WpExport *export; /* until it is being written */
} Saving;

static void
saving_free (Saving *self)
{
  g_clear_pointer (&self->export, wp_export_free);
  g_clear_object (&self->chooser);
  g_object_unref (self->over);
  g_object_unref (self->saver);
  g_free (self);
}

/* What the worker gets: nothing that has to do with widgets. */
typedef struct
{
  WpExport *export;
  char *path;
} WriteRequest;

static void
write_request_free (gpointer data)
{
  WriteRequest *self = data;

  wp_export_free (self->export);
  g_free (self->path);
  g_free (self);
}

/* Gives the path. */
static gpointer
run (gpointer data, WpProgress *progress, GError **error)
{
  const WriteRequest *request = data;

  return wp_export_write (request->export, request->path, progress, error) ? g_strdup (request->path) : NULL;
}

static void
notify (WpSaver *self, WpSaving saving)
{
  if (self->of != NULL && self->func != NULL)
    self->func (self->of, saving);
}

static void
on_written (gpointer result, const GError *error, gpointer data)
{
  WpSaver *self = data;
  g_autofree char *path = result, *name = path != NULL ? g_path_get_basename (path) : NULL;
  g_autofree char *text = error != NULL ? g_strdup (error->message) : g_strdup_printf (_("Saved “%s”"), name);

  self->worker = NULL;
  g_signal_emit (self, signals[SIGNAL_TOLD], 0, text);
  if (self->keeps_notes)
    notify (self, error != NULL ? WP_SAVING_FAILED : WP_SAVING_DONE);
  else if (error == NULL)
    notify (self, WP_SAVING_OTHERWISE);
  g_clear_weak_pointer (&self->of);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
  g_signal_emit (self, signals[SIGNAL_ENDED], 0, error == NULL);
}

static void
write_file (WpSaver *self, Saving *saving, const char *path)
{
  WriteRequest *request = g_new0 (WriteRequest, 1);

  request->export = g_steal_pointer (&saving->export);
  request->path = g_strdup (path);
  g_set_weak_pointer (&self->of, saving->over);
  self->func = saving->func;
  self->keeps_notes = wp_export_keeps_notes (request->export, path);
  if (self->keeps_notes)
    notify (self, WP_SAVING_BEGUN);
  self->worker = wp_worker_start (&(WpWorkerSpec) { .run = run,
                                                    .done = on_written,
                                                    .data = request,
                                                    .free_data = write_request_free,
                                                    .free_result = g_free,
                                                    .user_data = self });
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
on_response (GtkNativeDialog *dialog, int response, Saving *saving)
{
  g_autoptr (GFile) file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog));
  WpSaver *self = saving->saver;
  gboolean chosen = response == GTK_RESPONSE_ACCEPT && file != NULL && g_file_peek_path (file) != NULL && !self->closed;

  if (chosen && self->worker == NULL)
    write_file (self, saving, g_file_peek_path (file));
  else
    {
      if (chosen)
        g_signal_emit (self, signals[SIGNAL_TOLD], 0, _("Nothing was saved: another file is being written. Save again when that is done."));
      g_signal_emit (self, signals[SIGNAL_ENDED], 0, FALSE);
    }
  saving_free (saving);
}

void
wp_saver_save (WpSaver *self, GtkWidget *over, WpExport *export, WpSavingFunc func)
{
  Saving *saving = g_new0 (Saving, 1);

  saving->saver = g_object_ref (self);
  saving->over = g_object_ref (over);
  saving->func = func;
  saving->export = export;
  saving->chooser = gtk_file_chooser_native_new (wp_export_title (export), GTK_WINDOW (gtk_widget_get_root (over)),
                                                 GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"), _("_Cancel"));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (saving->chooser), TRUE);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (saving->chooser), wp_export_name (export));
  g_signal_connect (saving->chooser, "response", G_CALLBACK (on_response), saving);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (saving->chooser));
}

gboolean
wp_saver_busy (WpSaver *self)
{
  return self->worker != NULL;
}

void
wp_saver_close (WpSaver *self)
{
  self->closed = TRUE;
  wp_worker_drop (&self->worker);
}

static void
wp_saver_dispose (GObject *object)
{
  WpSaver *self = WP_SAVER (object);

  wp_saver_close (self);
  g_clear_weak_pointer (&self->of);
  G_OBJECT_CLASS (wp_saver_parent_class)->dispose (object);
}

static void
wp_saver_class_init (WpSaverClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = wp_saver_dispose;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", WP_TYPE_SAVER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_TOLD] = g_signal_new ("told", WP_TYPE_SAVER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_ENDED] = g_signal_new ("ended", WP_TYPE_SAVER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
}

static void
wp_saver_init (WpSaver *self)
{
}

WpSaver *
wp_saver_new (void)
{
  return g_object_new (WP_TYPE_SAVER, NULL);
}
