#include "app/shell/window-private.h"

#include "app/shell/settings.h"

#define NARROW 860 /* a window in which the panel would leave too little of the picture */
#define HANDLE 1   /* of the pane */
#define SPARE 24   /* by how much it is wider than it must be when both are shown */

/* It keeps the width it had last: what a pane gives away is known once it has a size. */
static void
place_side (GtkPaned *paned, GParamSpec *pspec, WpWindow *self)
{
  int wanted = wp_settings_int ("panel-width", 350), whole = gtk_widget_get_width (GTK_WIDGET (paned));

  if (self->narrow || whole < 2 * wanted)
    return;
  g_signal_handlers_disconnect_by_func (paned, place_side, self);
  gtk_paned_set_position (paned, whole - wanted);
}

static int
least_width (GtkWidget *widget)
{
  int least;

  gtk_widget_measure (widget, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  return least;
}

/* How far the page may reach, so that the panel is whole. */
static int
last_position (WpWindow *self)
{
  return gtk_widget_get_width (GTK_WIDGET (self->across)) - least_width (GTK_WIDGET (self->side)) - HANDLE;
}

/* The pane lets the panel be cut off, so that a window can become narrow at one go. Nothing else may: its handle, or a panel that
 * needs more than before. */
static gboolean
is_cut_off (WpWindow *self)
{
  return !self->narrow && self->side_shown && gtk_paned_get_position (self->across) > last_position (self)
         && last_position (self) >= least_width (GTK_WIDGET (self->stack));
}

void
wp_window_keep_side (WpWindow *self)
{
  int width = !self->narrow && self->side_shown ? gtk_widget_get_width (GTK_WIDGET (self->side)) : 0;

  if (width > 0)
    wp_settings_set_int ("panel-width", width);
}

static void
set_shown (WpWindow *self, gboolean shown)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "panel");

  self->side_shown = shown;
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (shown));
}

/* What lies over the picture has the keyboard, and gives it back. */
static void
reveal_over (WpWindow *self, gboolean shown)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));

  if (shown)
    gtk_widget_set_visible (GTK_WIDGET (self->side), TRUE);
  adw_flap_set_reveal_flap (self->flap, shown);
  if (shown)
    g_set_weak_pointer (&self->focus_before, focus);
  else if (self->focus_before != NULL && (focus == NULL || gtk_widget_is_ancestor (focus, self->over)))
    gtk_widget_grab_focus (self->focus_before);
}

static void
on_over_mapped (GtkWidget *over, WpWindow *self)
{
  if (self->side_shown)
    gtk_widget_child_focus (over, GTK_DIR_TAB_FORWARD);
}

static gboolean
on_escape (GtkWidget *over, GVariant *args, gpointer window)
{
  WpWindow *self = window;

  adw_flap_set_reveal_flap (self->flap, FALSE);
  return TRUE;
}

/* Over the picture it is for once; beside it, it stays until somebody says otherwise. */
static void
show_side (WpWindow *self, gboolean shown)
{
  if (shown == self->side_shown)
    return;
  set_shown (self, shown);
  if (self->narrow)
    reveal_over (self, shown);
  else
    {
      gtk_widget_set_visible (GTK_WIDGET (self->side), shown);
      wp_settings_set_boolean ("show-panel", shown);
    }
}

static void
on_change_panel (GSimpleAction *action, GVariant *shown, gpointer window)
{
  show_side (window, g_variant_get_boolean (shown));
}

/* A click beside it, the Escape key or a swipe has hidden it. */
static void
on_flap_revealed (AdwFlap *flap, GParamSpec *pspec, WpWindow *self)
{
  if (self->narrow)
    show_side (self, adw_flap_get_reveal_flap (flap));
}

/* What has gone is not there for screen readers either. (The flap's own child stays: its animation divides by its width.) */
static void
on_flap_moved (AdwFlap *flap, GParamSpec *pspec, WpWindow *self)
{
  if (self->narrow && !adw_flap_get_reveal_flap (flap) && adw_flap_get_reveal_progress (flap) <= 0)
    gtk_widget_set_visible (GTK_WIDGET (self->side), FALSE);
}

/* A window that cannot be made any narrower with the panel beside a page that needs much is narrow, too. */
static gboolean
is_narrow (WpWindow *self)
{
  int side, both;

  gtk_widget_get_size_request (GTK_WIDGET (self->side), &side, NULL); /* when it is hidden */
  both = least_width (GTK_WIDGET (self->stack)) + MAX (side, least_width (GTK_WIDGET (self->side)));
  return gtk_widget_get_width (GTK_WIDGET (self)) < MAX (NARROW, both + SPARE);
}

static gboolean
lacks_names (WpWindow *self)
{
  return g_str_equal (gtk_stack_get_visible_child_name (self->title_stack), "views")
         && adw_squeezer_get_visible_child (self->names_or_title) != self->view_names;
}

static void
place_over (WpWindow *self)
{
  gtk_paned_set_end_child (self->across, NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->side), FALSE);
  adw_clamp_set_child (ADW_CLAMP (self->over), GTK_WIDGET (self->side));
  self->narrow = TRUE;
  set_shown (self, FALSE);
}

static void
place_beside (WpWindow *self)
{
  self->narrow = FALSE;
  adw_flap_set_reveal_flap (self->flap, FALSE);
  adw_clamp_set_child (ADW_CLAMP (self->over), NULL);
  set_shown (self, wp_settings_boolean ("show-panel", TRUE));
  gtk_widget_set_visible (GTK_WIDGET (self->side), self->side_shown);
  gtk_paned_set_end_child (self->across, GTK_WIDGET (self->side));
}

/* Where there is no room beside the picture it goes, and comes over the picture when it is asked for; what was chosen comes back
 * with the room. */
static gboolean
fit (gpointer data)
{
  WpWindow *self = data;
  gboolean narrow = is_narrow (self);
  g_autoptr (WpSidePanel) side = g_object_ref (self->side);

  self->fitting = 0;
  gtk_widget_set_visible (self->bottom, lacks_names (self));
  if (is_cut_off (self))
    gtk_paned_set_position (self->across, last_position (self));
  if (narrow && !self->narrow)
    place_over (self);
  else if (!narrow && self->narrow)
    place_beside (self);
  return G_SOURCE_REMOVE;
}

/* Sizes are being given out just now: showing and hiding has to wait. */
void
wp_window_fit (WpWindow *self)
{
  if (self->fitting == 0 && self->tabs != NULL /* it is not going */
      && (is_narrow (self) != self->narrow || is_cut_off (self)
          || lacks_names (self) != gtk_widget_get_visible (self->bottom)))
    self->fitting = g_idle_add_full (G_PRIORITY_HIGH_IDLE, fit, self, NULL);
}

void
wp_window_show_store_of (WpWindow *self, const char *folder)
{
  wp_store_model_suggest (wp_store_panel_model (wp_side_panel_store (self->side)), folder);
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
  GtkEventController *keys = gtk_shortcut_controller_new ();
  g_autoptr (GSimpleAction) shown = g_simple_action_new_stateful ("panel", NULL, g_variant_new_boolean (FALSE));
  g_autoptr (GAction) page = wp_side_panel_page_action (self->side, "side-page");

  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                          gtk_callback_action_new (on_escape, self, NULL)));
  gtk_widget_add_controller (self->over, keys);
  g_signal_connect (shown, "change-state", G_CALLBACK (on_change_panel), self);
  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (shown));
  g_action_map_add_action (G_ACTION_MAP (self), page);
  set_shown (self, wp_settings_boolean ("show-panel", TRUE));
  gtk_widget_set_visible (GTK_WIDGET (self->side), self->side_shown);
  g_signal_connect_object (self->across, "notify::max-position", G_CALLBACK (place_side), self, 0);
  g_signal_connect_object (self->across, "notify::position", G_CALLBACK (wp_window_fit), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (store, "open", G_CALLBACK (on_store_open), self, 0);
  g_signal_connect_object (store, "compare", G_CALLBACK (on_store_compare), self, 0);
  g_signal_connect_object (store, "history", G_CALLBACK (on_store_history), self, 0);
}

void
wp_window_bind_side (GtkWidgetClass *klass)
{
  gtk_widget_class_bind_template_child (klass, WpWindow, across);
  gtk_widget_class_bind_template_child (klass, WpWindow, side);
  gtk_widget_class_bind_template_child (klass, WpWindow, flap);
  gtk_widget_class_bind_template_child (klass, WpWindow, over);
  gtk_widget_class_bind_template_child (klass, WpWindow, names_or_title);
  gtk_widget_class_bind_template_child (klass, WpWindow, view_names);
  gtk_widget_class_bind_template_child (klass, WpWindow, bottom);
  gtk_widget_class_bind_template_callback (klass, on_flap_revealed);
  gtk_widget_class_bind_template_callback (klass, on_flap_moved);
  gtk_widget_class_bind_template_callback (klass, on_over_mapped);
}
