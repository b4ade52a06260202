#include "app/window-private.h"

#include "app/settings.h"

#define NARROW 860 /* a window in which the panel would leave too little of the picture */
#define SPARE 24   /* by how much it is wider than it must be when both are shown */

/* It keeps the width it had last: what a pane gives away is known once it has a size. */
static void
place_side (GtkPaned *paned, GParamSpec *pspec, WpWindow *self)
{
  int wanted = wp_settings_int ("panel-width", 350), whole = gtk_widget_get_width (GTK_WIDGET (paned));

  if (whole < 2 * wanted)
    return;
  g_signal_handlers_disconnect_by_func (paned, place_side, self);
  gtk_paned_set_position (paned, whole - wanted);
}

void
wp_window_keep_side (WpWindow *self)
{
  int width = gtk_widget_get_visible (GTK_WIDGET (self->side)) ? gtk_widget_get_width (GTK_WIDGET (self->side)) : 0;

  if (width > 0)
    wp_settings_set_int ("panel-width", width);
}

static void
on_side_visible (GtkWidget *side, GParamSpec *pspec, WpWindow *self)
{
  if (!self->narrow)
    wp_settings_set_boolean ("show-panel", gtk_widget_get_visible (side));
}

/* A window that cannot be made any narrower with the panel beside a page that needs much is narrow, too. */
static gboolean
is_narrow (WpWindow *self)
{
  int page, side;

  gtk_widget_measure (GTK_WIDGET (self->stack), GTK_ORIENTATION_HORIZONTAL, -1, &page, NULL, NULL, NULL);
  gtk_widget_get_size_request (GTK_WIDGET (self->side), &side, NULL);
  return gtk_widget_get_width (GTK_WIDGET (self)) < MAX (NARROW, page + side + SPARE);
}

/* Where there is no room it goes, and can be shown all the same; what was chosen comes back with the room. */
static gboolean
fit_side (gpointer data)
{
  WpWindow *self = data;
  gboolean narrow = is_narrow (self);

  self->fitting = 0;
  if (narrow == self->narrow)
    return G_SOURCE_REMOVE;
  self->narrow = TRUE; /* nobody chose what happens now */
  gtk_widget_set_visible (GTK_WIDGET (self->side), !narrow && wp_settings_boolean ("show-panel", TRUE));
  self->narrow = narrow;
  return G_SOURCE_REMOVE;
}

/* Sizes are being given out just now: showing and hiding has to wait. */
void
wp_window_fit_side (WpWindow *self)
{
  if (self->fitting == 0 && is_narrow (self) != self->narrow)
    self->fitting = g_idle_add_full (G_PRIORITY_HIGH_IDLE, fit_side, self, NULL);
}

void
wp_window_show_store_of (WpWindow *self, const char *folder)
{
  wp_store_panel_set_folder (wp_side_panel_store (self->side), folder, TRUE);
}

static void
on_store_open (WpStorePanel *store, GFile *file, const char *title, WpWindow *self)
{
  wp_window_open (self, file, title);
}

static void
on_store_compare (WpStorePanel *store, GStrv a, GStrv b, WpWindow *self)
{
  wp_window_compare (self, (const char *const *) a, (const char *const *) b);
}

static void
on_store_history (WpStorePanel *store, const char *folder, const char *branch, WpWindow *self)
{
  wp_window_show_history (self, folder, branch);
}

void
wp_window_build_side (WpWindow *self)
{
  WpStorePanel *store = wp_side_panel_store (self->side);
  g_autoptr (GAction) shown = G_ACTION (g_property_action_new ("panel", self->side, "visible"));
  g_autoptr (GAction) page = wp_side_panel_page_action (self->side, "side-page");

  g_action_map_add_action (G_ACTION_MAP (self), shown);
  g_action_map_add_action (G_ACTION_MAP (self), page);
  gtk_widget_set_visible (GTK_WIDGET (self->side), wp_settings_boolean ("show-panel", TRUE));
  g_signal_connect_object (self->across, "notify::max-position", G_CALLBACK (place_side), self, 0);
  g_signal_connect_object (store, "open", G_CALLBACK (on_store_open), self, 0);
  g_signal_connect_object (store, "compare", G_CALLBACK (on_store_compare), self, 0);
  g_signal_connect_object (store, "history", G_CALLBACK (on_store_history), self, 0);
}

void
wp_window_bind_side (GtkWidgetClass *klass)
{
  gtk_widget_class_bind_template_callback (klass, on_side_visible);
}
