#include "app/shell/window-private.h"

#include <glib/gi18n.h>

#include "app/shell/log-window.h"
#include "app/shell/settings.h"

/* Of `responded`, which gets the window, dialog and window are to be unreferenced. */
static void
choose_files (GtkWidget *window, const char *title, const char *accept, GCallback responded)
{
  GtkFileChooserNative *chooser
    = gtk_file_chooser_native_new (title, GTK_WINDOW (window), GTK_FILE_CHOOSER_ACTION_OPEN, accept, _("_Cancel"));

  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (chooser), TRUE);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect (chooser, "response", responded, g_object_ref (window));
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
on_open_response (GtkNativeDialog *dialog, int response, WpWindow *self)
{
  g_autoptr (GListModel) files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog));

  for (guint i = 0; response == GTK_RESPONSE_ACCEPT && i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);

      wp_window_open (self, file, NULL);
    }
  g_object_unref (dialog);
  g_object_unref (self);
}

static void
open_dialog (GtkWidget *widget, const char *action, GVariant *parameter)
{
  choose_files (widget, _("Open Recording or Profile"), _("_Open"), G_CALLBACK (on_open_response));
}

static void
open_sample (GtkWidget *widget, const char *action, GVariant *parameter)
{
  g_autofree char *path = wp_data_file ("sample.perf");
  g_autoptr (GFile) file = path != NULL ? g_file_new_for_path (path) : NULL;

  if (file != NULL)
    wp_window_open (WP_WINDOW (widget), file, _("Sample"));
}

static void
on_recorded (WpRecordDialog *dialog, GFile *file, const char *title, const char *end, WpWindow *self)
{
  wp_window_open (self, file, title);
  if (end != NULL)
    wp_page_tell_end (wp_window_page (self), end);
}

static void
show_command_output (GtkWidget *widget, const char *action, GVariant *parameter)
{
  WpPage *page = wp_window_page (WP_WINDOW (widget));
  const char *output = page != NULL ? wp_page_command_output (page) : NULL;

  if (output != NULL)
    gtk_window_present (GTK_WINDOW (wp_log_window_new (GTK_WINDOW (widget), wp_page_title (page), output)));
}

static void
open_record_dialog (WpWindow *self)
{
  if (self->dialog == NULL)
    {
      g_set_weak_pointer (&self->dialog, WP_RECORD_DIALOG (wp_record_dialog_new (GTK_WINDOW (self))));
      g_signal_connect_object (self->dialog, "recorded", G_CALLBACK (on_recorded), self, 0);
    }
  gtk_window_present (GTK_WINDOW (self->dialog));
}

static void
record (GtkWidget *widget, const char *action, GVariant *parameter)
{
  open_record_dialog (WP_WINDOW (widget));
}

static void
close_tab (GtkWidget *widget, const char *action, GVariant *parameter)
{
  WpWindow *self = WP_WINDOW (widget);
  AdwTabPage *tab = adw_tab_view_get_selected_page (self->tabs);

  if (tab != NULL)
    adw_tab_view_close_page (self->tabs, tab);
  else
    gtk_window_close (GTK_WINDOW (self));
}

/* The parameter: the paths of A and B. */
static void
compare (GtkWidget *widget, const char *action, GVariant *parameter)
{
  g_autofree const char **paths = g_variant_get_strv (parameter, NULL);

  if (g_strv_length ((char **) paths) != 2)
    {
      g_warning ("win.compare wants two paths");
      return;
    }
  wp_window_compare (WP_WINDOW (widget), (const char *const[]) { paths[0], NULL }, (const char *const[]) { paths[1], NULL }, NULL);
}

static void
on_baseline_response (GtkNativeDialog *dialog, int response, WpWindow *self)
{
  g_autoptr (GListModel) files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog));
  WpPage *page = wp_window_page (self);
  g_autofree char *now = page != NULL ? g_file_get_path (wp_page_file (page)) : NULL;
  g_autoptr (GPtrArray) before = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);

      if (g_file_peek_path (file) != NULL)
        g_ptr_array_add (before, g_file_get_path (file));
    }
  g_ptr_array_add (before, NULL);
  if (response == GTK_RESPONSE_ACCEPT && before->len > 1 && now != NULL)
    wp_window_compare (self, (const char *const *) before->pdata, (const char *const[]) { now, NULL }, NULL);
  g_object_unref (dialog);
  g_object_unref (self);
}

/* What is chosen is what was before: A. */
static void
compare_with (GtkWidget *widget, const char *action, GVariant *parameter)
{
  choose_files (widget, _("Compare With"), _("_Compare"), G_CALLBACK (on_baseline_response));
}

void
wp_window_install_actions (GtkWidgetClass *klass)
{
  gtk_widget_class_install_action (klass, "win.open", NULL, open_dialog);
  gtk_widget_class_install_action (klass, "win.open-sample", NULL, open_sample);
  gtk_widget_class_install_action (klass, "win.compare", "as", compare);
  gtk_widget_class_install_action (klass, "win.compare-with", NULL, compare_with);
  gtk_widget_class_install_action (klass, "win.record", NULL, record);
  gtk_widget_class_install_action (klass, "win.command-output", NULL, show_command_output);
  gtk_widget_class_install_action (klass, "win.close-tab", NULL, close_tab);
}
