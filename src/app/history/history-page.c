#include "app/history/history-page.h"

#include <glib/gi18n.h>

#include "app/canvas/canvas.h"
#include "app/history/history-bar.h"
#include "app/plots/chart-area.h"
#include "app/widgets/status-page.h"
#include "app/widgets/toast.h"
#include "workspace/history/history-model.h"
#include "workspace/history/history-save.h"

struct _WpHistoryPage
{
  AdwBin parent_instance;

  AdwToastOverlay *toasts;
  WpHistoryBar *bar;
  GtkStack *stack; /* "message", "chart" */
  AdwStatusPage *message;
  WpChartArea *chart;
  GtkSpinner *spinner;
  GtkLabel *foot;

  char *title;
  WpHistoryModel *model;
  WpWorker *saving;
};

enum
{
  SIGNAL_CHANGED,
  SIGNAL_FINISHED,
  SIGNAL_COMMIT,
  SIGNAL_OPEN,
  SIGNAL_COMPARE,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpHistoryPage, wp_history_page, ADW_TYPE_BIN)

const char *
wp_history_page_title (WpHistoryPage *self)
{
  return self->title;
}

gboolean
wp_history_page_busy (WpHistoryPage *self)
{
  return wp_history_model_is_gathering (self->model);
}

/* --- what is shown ------------------------------------------------------------------------------------------------------------ */

static void
show_foot (WpHistoryPage *self)
{
  g_autofree char *text = wp_history_model_foot (self->model);
  const char *problem = wp_history_model_problem (self->model);
  gboolean reading = wp_history_model_left (self->model) > 0;

  gtk_label_set_label (self->foot, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->foot), problem != NULL ? problem : text);
  gtk_spinner_set_spinning (self->spinner, reading);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), reading);
}

static void
show_buttons (WpHistoryPage *self)
{
  gboolean free = !wp_history_model_is_unpacking (self->model);
  guint32 rows[2];

  wp_history_model_picked (self->model, rows);
  wp_history_bar_allow (self->bar, free && rows[0] != G_MAXUINT32, free && rows[0] != G_MAXUINT32 && rows[1] != G_MAXUINT32,
                        wp_history_model_points (self->model)->points.len > 0);
}

static void
on_changed (WpHistoryPage *self)
{
  const WpHistory *history = wp_history_model_history (self->model);
  const char *icon, *title, *text;
  gboolean message = wp_history_model_message (self->model, &icon, &title, &text);

  gtk_widget_set_visible (GTK_WIDGET (self->bar), history != NULL && history->profiles.len > 0);
  show_buttons (self);
  show_foot (self);
  if (message)
    wp_status_page_set (self->message, icon, title, text);
  else
    {
      g_autoptr (WpShared) chart = wp_shared_new (wp_history_model_chart (self->model), (GDestroyNotify) wp_chart_free);

      wp_chart_area_replace_chart (self->chart, chart);
    }
  gtk_stack_set_visible_child_name (self->stack, message ? "message" : "chart");
}

static void
on_gathered (WpHistoryPage *self)
{
  if (wp_history_model_history (self->model) != NULL)
    wp_history_bar_fill (self->bar, wp_history_model_history (self->model));
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
on_chosen (WpHistoryPage *self)
{
  WpFigure figure = wp_history_bar_figure (self->bar);

  wp_history_model_choose (self->model, &figure, wp_history_bar_line (self->bar));
}

/* --- points ------------------------------------------------------------------------------------------------------------------- */

static void
on_point_picked (WpChartArea *area, guint point, gboolean too, WpHistoryPage *self)
{
  const char *hash = wp_history_model_pick (self->model, point, too);

  if (hash != NULL)
    g_signal_emit (self, signals[SIGNAL_COMMIT], 0, hash);
}

static void
on_point_opened (WpChartArea *area, guint point, WpHistoryPage *self)
{
  wp_history_model_open (self->model, point);
}

static void
on_unpacked (WpHistoryModel *model, WpHistoryFiles *files, WpHistoryPage *self)
{
  g_autoptr (GFile) file = NULL;

  if (files->paths[1]->pdata[0] != NULL)
    {
      g_signal_emit (self, signals[SIGNAL_COMPARE], 0, files->paths[0]->pdata, files->paths[1]->pdata, files->subjects);
      return;
    }
  file = g_file_new_for_path (files->paths[0]->pdata[0]);
  g_signal_emit (self, signals[SIGNAL_OPEN], 0, file, files->names[0]->pdata[0]);
}

static void
on_failed (WpHistoryModel *model, const char *text, WpHistoryPage *self)
{
  wp_toast (self->toasts, text);
}

/* --- taking it away --------------------------------------------------------------------------------------------------------------- */

static void
on_saved (gpointer result, const GError *error, gpointer data)
{
  WpHistoryPage *self = data;
  g_autofree char *path = result;
  g_autofree char *text = path != NULL ? g_strdup_printf (_("Saved as %s"), path) : g_strdup (error->message);

  self->saving = NULL;
  wp_toast (self->toasts, text);
}

static void
save (WpHistoryPage *self, const char *path)
{
  WpHistoryFormat format;
  g_autofree char *text = wp_history_save_as_text (path, &format) ? wp_history_model_text (self->model, format) : NULL;

  wp_worker_drop (&self->saving);
  self->saving = wp_history_save (path, wp_chart_area_chart (self->chart), wp_current_theme (), text, on_saved, self);
}

static void
on_file_chosen (GtkNativeDialog *dialog, int response, WpHistoryPage *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog)) : NULL;

  if (file != NULL && g_file_peek_path (file) != NULL && wp_history_model_points (self->model)->points.len > 0)
    save (self, g_file_peek_path (file));
  g_object_unref (dialog);
  g_object_unref (self);
}

static void
on_export (WpHistoryPage *self)
{
  GtkFileChooserNative *chooser
    = gtk_file_chooser_native_new (_("Export History"), GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))),
                                   GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"), _("_Cancel"));

  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), "history.svg");
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect (chooser, "response", G_CALLBACK (on_file_chosen), g_object_ref (self));
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

/* --- the widget --------------------------------------------------------------------------------------------------------------------- */

static GtkWidget *
build_foot (WpHistoryPage *self)
{
  GtkWidget *foot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_widget_add_css_class (foot, "panel-foot");
  self->spinner = GTK_SPINNER (gtk_spinner_new ());
  self->foot = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (self->foot, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (self->foot, 0);
  gtk_widget_set_hexpand (GTK_WIDGET (self->foot), TRUE);
  gtk_box_append (GTK_BOX (foot), GTK_WIDGET (self->spinner));
  gtk_box_append (GTK_BOX (foot), GTK_WIDGET (self->foot));
  g_object_bind_property (self->bar, "visible", foot, "visible", G_BINDING_SYNC_CREATE);
  return foot;
}

static void
build (WpHistoryPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->bar = WP_HISTORY_BAR (wp_history_bar_new ());
  self->stack = GTK_STACK (gtk_stack_new ());
  self->message = ADW_STATUS_PAGE (adw_status_page_new ());
  self->chart = WP_CHART_AREA (wp_chart_area_new (_("History")));
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->message), "message");
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->chart), "chart");
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->bar));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->stack));
  gtk_box_append (GTK_BOX (box), build_foot (self));
  self->toasts = ADW_TOAST_OVERLAY (adw_toast_overlay_new ());
  adw_toast_overlay_set_child (self->toasts, box);
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->toasts));
}

static void
wp_history_page_dispose (GObject *object)
{
  WpHistoryPage *self = WP_HISTORY_PAGE (object);

  wp_worker_drop (&self->saving);
  if (self->model != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->model, self);
      g_signal_handlers_disconnect_by_data (self->bar, self);
    }
  g_clear_object (&self->model);
  G_OBJECT_CLASS (wp_history_page_parent_class)->dispose (object);
}

static void
wp_history_page_finalize (GObject *object)
{
  g_free (WP_HISTORY_PAGE (object)->title);
  G_OBJECT_CLASS (wp_history_page_parent_class)->finalize (object);
}

static void
wp_history_page_class_init (WpHistoryPageClass *klass)
{
  GType type = WP_TYPE_HISTORY_PAGE;

  G_OBJECT_CLASS (klass)->dispose = wp_history_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_history_page_finalize;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_FINISHED] = g_signal_new ("finished", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_COMMIT] = g_signal_new ("commit", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_OPEN]
    = g_signal_new ("open", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_FILE, G_TYPE_STRING);
  signals[SIGNAL_COMPARE]
    = g_signal_new ("compare", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3, G_TYPE_STRV, G_TYPE_STRV, G_TYPE_STRV);
}

static void
connect_all (WpHistoryPage *self)
{
  g_signal_connect_object (self->model, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "gathered", G_CALLBACK (on_gathered), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->model, "unpacked", G_CALLBACK (on_unpacked), self, 0);
  g_signal_connect_object (self->model, "failed", G_CALLBACK (on_failed), self, 0);
  g_signal_connect_object (self->chart, "point-picked", G_CALLBACK (on_point_picked), self, 0);
  g_signal_connect_object (self->chart, "point-opened", G_CALLBACK (on_point_opened), self, 0);
  g_signal_connect_object (self->bar, "chosen", G_CALLBACK (on_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->bar, "open", G_CALLBACK (wp_history_model_open_picked), self->model, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->bar, "compare", G_CALLBACK (wp_history_model_compare_picked), self->model, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->bar, "export", G_CALLBACK (on_export), self, G_CONNECT_SWAPPED);
}

static void
wp_history_page_init (WpHistoryPage *self)
{
  build (self);
}

GtkWidget *
wp_history_page_new (const char *folder, const char *branch)
{
  WpHistoryPage *self = g_object_new (WP_TYPE_HISTORY_PAGE, NULL);
  g_autofree char *base = g_path_get_basename (folder);

  /* Translators: a folder, or a folder and a branch */
  self->title = branch != NULL ? g_strdup_printf (_("History of %s, %s"), base, branch) : g_strdup_printf (_("History of %s"), base);
  self->model = wp_history_model_new (folder, branch);
  connect_all (self);
  on_changed (self);
  return GTK_WIDGET (self);
}
