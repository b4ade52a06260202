#include "app/stacks/call-tables.h"

#include <glib/gi18n.h>

#include "app/widgets/status-page.h"

static WpGridTable *
new_table (const char *name, GCallback activated, gpointer data)
{
  WpGridTable *table = WP_GRID_TABLE (wp_grid_table_new (name));

  wp_grid_table_widen (table, 0, WP_GRID_TABLE_LEAST);
  wp_grid_table_hide_bar (table);
  g_signal_connect (table, "row-activated", activated, data);
  return table;
}

GtkWidget *
wp_call_tables_new (WpGridTable **callers, WpGridTable **callees, GCallback activated, gpointer data)
{
  GtkWidget *tables = gtk_paned_new (GTK_ORIENTATION_VERTICAL);

  *callers = new_table (_("Callers"), activated, data);
  *callees = new_table (_("Callees"), activated, data);
  gtk_paned_set_start_child (GTK_PANED (tables), GTK_WIDGET (*callers));
  gtk_paned_set_end_child (GTK_PANED (tables), GTK_WIDGET (*callees));
  gtk_paned_set_shrink_start_child (GTK_PANED (tables), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (tables), FALSE);
  return tables;
}

GtkWidget *
wp_no_function_page (void)
{
  GtkWidget *page = adw_status_page_new ();

  adw_status_page_set_title (ADW_STATUS_PAGE (page), _("No Function Selected"));
  wp_status_page_say (ADW_STATUS_PAGE (page), _("Select one to see who calls it and whom it calls."));
  gtk_widget_add_css_class (page, "compact");
  return page;
}
