#include "app/history/history-page-private.h"

#include <glib/gi18n.h>

#include "app/history/history-save.h"
#include "app/widgets/status-page.h"
#include "app/widgets/toast.h"
#include "workspace/history-chart.h"

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
  return self->gathering != NULL;
}

void
wp_history_page_toast (WpHistoryPage *self, const char *text)
{
  wp_toast (self->toasts, text);
}

static void
show_message (WpHistoryPage *self, const char *icon, const char *title, const char *text)
{
  wp_status_page_set (self->message, icon, title, text);
  gtk_stack_set_visible_child_name (self->stack, "message");
}

/* --- what is shown ------------------------------------------------------------------------------------------------------------ */

static void
show_foot (WpHistoryPage *self)
{
  const WpHistory *history = wp_shared_get (self->history);
  g_autoptr (GString) text = g_string_new (NULL);
  guint damaged = history->unreadable + self->failed;

  if (self->left > 0)
    g_string_append_printf (text, ngettext ("Reading: %u profile is left", "Reading: %u profiles are left", self->left), self->left);
  else
    g_string_append (text, _("Click a point to see its commit, another one with Shift to compare the two"));
  if (self->points.other_units > 0)
    g_string_append_printf (text, ngettext (" · %u profile of another unit is left out", " · %u profiles of another unit are left out",
                                            self->points.other_units), self->points.other_units);
  if (damaged > 0)
    g_string_append_printf (text, ngettext (" · %u profile cannot be read", " · %u profiles cannot be read", damaged), damaged);
  gtk_label_set_label (self->foot, text->str);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->foot), self->problem != NULL ? self->problem : text->str);
  gtk_spinner_set_spinning (self->spinner, self->left > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), self->left > 0);
}

void
wp_history_page_show (WpHistoryPage *self)
{
  WpFigure figure;
  guint32 rows[2];
  gboolean named_well = wp_history_page_figure (self, &figure);
  g_autoptr (WpShared) chart = NULL;

  wp_history_points (wp_shared_get (self->history), wp_history_columns_values (self->columns, &figure), wp_history_page_line (self),
                     &self->points);
  wp_history_page_picked (self, rows);
  gtk_widget_set_sensitive (self->open, rows[0] != G_MAXUINT32 && self->unpacking == NULL);
  gtk_widget_set_sensitive (self->compare, rows[0] != G_MAXUINT32 && rows[1] != G_MAXUINT32 && self->unpacking == NULL);
  gtk_widget_set_sensitive (self->export, self->points.points.len > 0);
  show_foot (self);
  if (!named_well)
    show_message (self, "edit-find-symbolic", _("Which One?"), _("Type the name of a function or field."));
  else if (self->points.points.len == 0 && self->left > 0)
    show_message (self, NULL, _("Reading Profiles"), "");
  else if (self->points.points.len == 0)
    show_message (self, "dialog-information-symbolic", _("No Such Figure"), _("None of these profiles has it."));
  else
    {
      chart = wp_shared_new (wp_history_chart (wp_shared_get (self->history), &figure, &self->points, rows),
                             (GDestroyNotify) wp_chart_free);
      wp_chart_area_replace_chart (self->chart, chart);
      gtk_stack_set_visible_child_name (self->stack, "chart");
    }
}

/* --- reading figures ------------------------------------------------------------------------------------------------------------ */

static void
on_read (gpointer result, const GError *error, gpointer data)
{
  WpHistoryPage *self = data;
  WpHistoryValues *values = result;

  self->reading = NULL;
  if (values == NULL)
    return;
  wp_history_columns_take (self->columns, values);
  self->failed += values->failed;
  if (self->problem == NULL)
    self->problem = g_steal_pointer (&values->problem);
  wp_history_values_free (values);
  wp_history_page_read (self);
}

void
wp_history_page_read (WpHistoryPage *self)
{
  WpFigure figure;
  WpHistoryReading *reading = NULL;

  wp_job_drop (&self->reading);
  self->left = 0;
  if (wp_history_page_figure (self, &figure))
    reading = wp_history_columns_next (self->columns, self->session, &figure, wp_history_page_line (self), &self->left);
  if (reading != NULL)
    self->reading = wp_job_start (&(WpJobSpec) { .run = wp_history_read_some, .done = on_read, .data = reading,
                                                 .free_data = wp_history_reading_free, .free_result = wp_history_values_free,
                                                 .user_data = self });
  wp_history_page_show (self);
}

static void
on_gathered (gpointer result, const GError *error, gpointer data)
{
  WpHistoryPage *self = data;
  WpHistoryGathered *gathered = result;
  const WpHistory *history;

  self->gathering = NULL;
  if (gathered == NULL)
    show_message (self, "dialog-error-symbolic", _("Cannot Show the History"), error->message);
  else
    {
      self->session = wp_store_session_ref (gathered->session);
      self->history = wp_shared_ref (gathered->history);
      self->columns = wp_history_columns_new (self->history);
      wp_history_gathered_free (gathered);
      history = wp_shared_get (self->history);
      wp_history_page_fill_lines (self);
      gtk_widget_set_visible (self->bar, history->profiles.len > 0);
      if (history->profiles.len > 0)
        wp_history_page_read (self);
      else
        show_message (self, "wakepath-history-symbolic", _("No Profiles Yet"),
                      _("No commit of this branch has a profile. Register some, or profile a range of commits."));
    }
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* --- taking it away --------------------------------------------------------------------------------------------------------------- */

static void
on_saved (gpointer result, const GError *error, gpointer data)
{
  WpHistoryPage *self = data;
  g_autofree char *path = result;
  g_autofree char *text = path != NULL ? g_strdup_printf (_("Saved as %s"), path) : g_strdup (error->message);

  self->saving = NULL;
  wp_history_page_toast (self, text);
}

static void
save (WpHistoryPage *self, const char *path)
{
  g_autoptr (GString) text = g_string_new (NULL);
  WpHistoryFormat format;
  WpFigure figure;

  if (wp_history_save_as_text (path, &format) && wp_history_page_figure (self, &figure))
    wp_history_write (text, wp_shared_get (self->history), &figure, &self->points, wp_history_columns_values (self->columns, &figure),
                      format);
  wp_job_drop (&self->saving);
  self->saving = wp_history_save (path, wp_chart_area_chart (self->chart), text->str, on_saved, self);
}

static void
on_file_chosen (GtkNativeDialog *dialog, int response, WpHistoryPage *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog)) : NULL;

  if (file != NULL && g_file_peek_path (file) != NULL && self->points.points.len > 0)
    save (self, g_file_peek_path (file));
  g_object_unref (dialog);
  g_object_unref (self);
}

void
wp_history_page_export (WpHistoryPage *self)
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

  wp_history_page_build_bar (self);
  self->stack = GTK_STACK (gtk_stack_new ());
  self->message = ADW_STATUS_PAGE (adw_status_page_new ());
  self->chart = WP_CHART_AREA (wp_chart_area_new (_("History")));
  wp_history_page_connect_points (self);
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->message), "message");
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->chart), "chart");
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_box_append (GTK_BOX (box), self->bar);
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
  WpJob **const jobs[] = { &self->gathering, &self->reading, &self->unpacking, &self->saving };

  for (guint i = 0; i < G_N_ELEMENTS (jobs); i++)
    wp_job_drop (jobs[i]);
  g_clear_handle_id (&self->typing, g_source_remove);
  if (self->figures != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->figures, self);
      g_signal_handlers_disconnect_by_data (self->lines, self);
      g_signal_handlers_disconnect_by_data (self->name, self);
      self->figures = NULL;
    }
  G_OBJECT_CLASS (wp_history_page_parent_class)->dispose (object);
}

static void
wp_history_page_finalize (GObject *object)
{
  WpHistoryPage *self = WP_HISTORY_PAGE (object);

  wp_history_columns_free (self->columns);
  wp_history_points_clear (&self->points);
  wp_shared_unref (self->history);
  wp_store_session_unref (self->session);
  g_free (self->title);
  g_free (self->problem);
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
    = g_signal_new ("compare", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRV, G_TYPE_STRV);
}

static void
wp_history_page_init (WpHistoryPage *self)
{
  build (self);
  show_message (self, NULL, _("Looking Through the Commits"), "");
}

GtkWidget *
wp_history_page_new (const char *folder, const char *branch)
{
  WpHistoryPage *self = g_object_new (WP_TYPE_HISTORY_PAGE, NULL);
  WpHistoryRequest *request = g_new0 (WpHistoryRequest, 1);
  g_autofree char *base = g_path_get_basename (folder);

  /* Translators: a folder, or a folder and a branch */
  self->title = branch != NULL ? g_strdup_printf (_("History of %s, %s"), base, branch) : g_strdup_printf (_("History of %s"), base);
  request->folder = g_strdup (folder);
  request->branch = g_strdup (branch);
  self->gathering = wp_job_start (&(WpJobSpec) { .run = wp_history_gather, .done = on_gathered, .data = request,
                                                 .free_data = wp_history_request_free, .free_result = wp_history_gathered_free,
                                                 .user_data = self });
  return GTK_WIDGET (self);
}
