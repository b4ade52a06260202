#include "app/page/events-window.h"

#include <glib/gi18n.h>

#include "app/plots/grid-table.h"
#include "app/widgets/status-page.h"
#include "base/format.h"
#include "workspace/file/raw-request.h"

#define FIELDS 4 /* the column that takes what room is left */

struct _WpEventsWindow
{
  AdwWindow parent_instance;

  WpWorker *reading;
  GtkStack *stack; /* "reading", "events", "failed" */
  WpGridTable *table;
  GtkLabel *note;
  AdwStatusPage *failed;
};

#define WP_TYPE_EVENTS_WINDOW (wp_events_window_get_type ())
G_DECLARE_FINAL_TYPE (WpEventsWindow, wp_events_window, WP, EVENTS_WINDOW, AdwWindow)
G_DEFINE_FINAL_TYPE (WpEventsWindow, wp_events_window, ADW_TYPE_WINDOW)

static void
on_read (gpointer result, const GError *error, gpointer data)
{
  WpEventsWindow *self = data;
  WpRawTable *table = result;

  self->reading = NULL;
  if (table == NULL)
    {
      wp_status_page_set (self->failed, "dialog-warning-symbolic", _("The Events Cannot Be Read"), error->message);
      gtk_stack_set_visible_child_name (self->stack, "failed");
      return;
    }
  wp_grid_table_set_grid (self->table, table->grid);
  gtk_widget_set_visible (GTK_WIDGET (self->note), table->more);
  gtk_stack_set_visible_child_name (self->stack, "events");
  wp_raw_table_free (table);
}

static GtkWidget *
new_reading (void)
{
  GtkWidget *spinner = gtk_spinner_new ();

  gtk_widget_set_halign (spinner, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (spinner, GTK_ALIGN_CENTER);
  gtk_widget_set_size_request (spinner, 32, 32);
  g_signal_connect (spinner, "map", G_CALLBACK (gtk_spinner_start), NULL);
  g_signal_connect (spinner, "unmap", G_CALLBACK (gtk_spinner_stop), NULL);
  return spinner;
}

static GtkWidget *
new_events (WpEventsWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  g_autofree char *text = g_strdup_printf (_("Only the first %u of these events are shown"), WP_RAW_MOST);

  self->table = WP_GRID_TABLE (wp_grid_table_new (_("Events")));
  wp_grid_table_widen (self->table, FIELDS, WP_GRID_TABLE_LEAST);
  gtk_widget_set_vexpand (GTK_WIDGET (self->table), TRUE);
  self->note = GTK_LABEL (gtk_label_new (text));
  gtk_widget_add_css_class (GTK_WIDGET (self->note), "dim-label");
  gtk_widget_set_visible (GTK_WIDGET (self->note), FALSE);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->note));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->table));
  return box;
}

static void
wp_events_window_dispose (GObject *object)
{
  wp_worker_drop (&WP_EVENTS_WINDOW (object)->reading);
  G_OBJECT_CLASS (wp_events_window_parent_class)->dispose (object);
}

static void
wp_events_window_class_init (WpEventsWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = wp_events_window_dispose;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
wp_events_window_init (WpEventsWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->stack = GTK_STACK (gtk_stack_new ());
  self->failed = ADW_STATUS_PAGE (adw_status_page_new ());
  gtk_stack_add_named (self->stack, new_reading (), "reading");
  gtk_stack_add_named (self->stack, new_events (self), "events");
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->failed), "failed");
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->stack));
  adw_window_set_content (ADW_WINDOW (self), box);
  gtk_window_set_default_size (GTK_WINDOW (self), 900, 520);
}

GtkWidget *
wp_events_window_new (GtkWindow *parent, WpShared *document, gint64 from, gint64 to, gint64 origin)
{
  char start[WP_FORMAT_MAX], length[WP_FORMAT_MAX];
  g_autofree char *title = NULL;
  WpEventsWindow *self;

  wp_format_time (from - origin, MAX ((to - from) / 10, WP_NS_PER_US), start);
  wp_format_ns (to - from, length);
  /* Translators: a moment, and how long */
  title = g_strdup_printf (_("Events from %s On, for %s"), start, length);
  self = g_object_new (WP_TYPE_EVENTS_WINDOW, "transient-for", parent, "title", title, NULL);
  self->reading = wp_raw_start (document, from, to, origin, on_read, self);
  return GTK_WIDGET (self);
}
