#include "app/shell/side-layout.h"

#include "app/shell/settings.h"

struct _WpSideLayout
{
  AdwBin parent_instance;

  AdwFlap *flap;           /* slides over the content */
  GtkPaned *across;        /* content and panel side by side */
  GtkWidget *over;         /* in the flap; holds the panel while the window is narrow */
  GtkWidget *content, *side;
  GtkWidget *focus_before; /* weak: what had the keyboard before the panel came over the content */
  gboolean narrow;         /* the panel has no place beside the content, and does not show unless it is asked for */
  gboolean shown;
  guint fitting;           /* source: it will be seen whether it fits; 0: not */
};

enum
{
  PROP_CONTENT = 1,
  PROP_SIDE,
  PROP_SHOWN,
};

G_DEFINE_FINAL_TYPE (WpSideLayout, wp_side_layout, ADW_TYPE_BIN)

#define NARROW 860 /* a window in which the panel would leave too little of the picture */
#define HANDLE 1   /* of the pane */
#define SPARE 24   /* by how much it is wider than it must be when both are shown */

/* It keeps the width it had last: what a pane gives away is known once it has a size. */
static void
place_side (GtkPaned *paned, GParamSpec *pspec, WpSideLayout *self)
{
  int wanted = wp_settings_int ("panel-width", 350), whole = gtk_widget_get_width (GTK_WIDGET (paned));

  if (self->narrow || whole < 2 * wanted)
    return;
  g_signal_handlers_disconnect_by_func (paned, place_side, self);
  gtk_paned_set_position (paned, whole - wanted - HANDLE);
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
last_position (WpSideLayout *self)
{
  return gtk_widget_get_width (GTK_WIDGET (self->across)) - least_width (self->side) - HANDLE;
}

/* The pane lets the panel be cut off, so that a window can become narrow at one go. Nothing else may: its handle, or a panel that
 * needs more than before. */
static gboolean
is_cut_off (WpSideLayout *self)
{
  return !self->narrow && self->shown && gtk_paned_get_position (self->across) > last_position (self)
         && last_position (self) >= least_width (self->content);
}

void
wp_side_layout_keep (WpSideLayout *self)
{
  int width = !self->narrow && self->shown ? gtk_widget_get_width (self->side) : 0;

  if (width > 0)
    wp_settings_set_int ("panel-width", width);
}

static void
set_shown (WpSideLayout *self, gboolean shown)
{
  if (shown == self->shown)
    return;
  self->shown = shown;
  g_object_notify (G_OBJECT (self), "shown");
}

/* What lies over the picture has the keyboard, and gives it back. */
static void
reveal_over (WpSideLayout *self, gboolean shown)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));

  if (shown)
    gtk_widget_set_visible (self->side, TRUE);
  adw_flap_set_reveal_flap (self->flap, shown);
  if (shown)
    g_set_weak_pointer (&self->focus_before, focus);
  else if (self->focus_before != NULL && (focus == NULL || gtk_widget_is_ancestor (focus, self->over)))
    gtk_widget_grab_focus (self->focus_before);
}

static void
on_over_mapped (GtkWidget *over, WpSideLayout *self)
{
  if (self->shown)
    gtk_widget_child_focus (over, GTK_DIR_TAB_FORWARD);
}

static gboolean
on_escape (GtkWidget *over, GVariant *args, gpointer layout)
{
  WpSideLayout *self = layout;

  adw_flap_set_reveal_flap (self->flap, FALSE);
  return TRUE;
}

/* Over the picture it is for once; beside it, it stays until somebody says otherwise. */
static void
show_side (WpSideLayout *self, gboolean shown)
{
  if (shown == self->shown)
    return;
  set_shown (self, shown);
  if (self->narrow)
    reveal_over (self, shown);
  else
    {
      gtk_widget_set_visible (self->side, shown);
      wp_settings_set_boolean ("show-panel", shown);
    }
}

/* A click beside it, the Escape key or a swipe has hidden it. */
static void
on_flap_revealed (AdwFlap *flap, GParamSpec *pspec, WpSideLayout *self)
{
  if (self->narrow)
    show_side (self, adw_flap_get_reveal_flap (flap));
}

/* What has gone is not there for screen readers either. (The flap's own child stays: its animation divides by its width.) */
static void
on_flap_moved (AdwFlap *flap, GParamSpec *pspec, WpSideLayout *self)
{
  if (self->narrow && !adw_flap_get_reveal_flap (flap) && adw_flap_get_reveal_progress (flap) <= 0)
    gtk_widget_set_visible (self->side, FALSE);
}

/* A window that cannot be made any narrower with the panel beside a page that needs much is narrow, too. */
static gboolean
is_narrow (WpSideLayout *self)
{
  int side, both;

  gtk_widget_get_size_request (self->side, &side, NULL); /* when it is hidden */
  both = least_width (self->content) + MAX (side, least_width (self->side));
  return gtk_widget_get_width (GTK_WIDGET (self)) < MAX (NARROW, both + SPARE);
}

static void
place_over (WpSideLayout *self)
{
  gtk_paned_set_end_child (self->across, NULL);
  gtk_widget_set_visible (self->side, FALSE);
  adw_clamp_set_child (ADW_CLAMP (self->over), self->side);
  self->narrow = TRUE;
  set_shown (self, FALSE);
}

static void
place_beside (WpSideLayout *self)
{
  self->narrow = FALSE;
  adw_flap_set_reveal_flap (self->flap, FALSE);
  adw_clamp_set_child (ADW_CLAMP (self->over), NULL);
  set_shown (self, wp_settings_boolean ("show-panel", TRUE));
  gtk_widget_set_visible (self->side, self->shown);
  gtk_paned_set_end_child (self->across, self->side);
}

/* Where there is no room beside the picture it goes, and comes over the picture when it is asked for; what was chosen comes back
 * with the room. */
static gboolean
fit (gpointer data)
{
  WpSideLayout *self = data;
  gboolean narrow = is_narrow (self);
  g_autoptr (GtkWidget) side = g_object_ref (self->side);

  self->fitting = 0;
  if (is_cut_off (self))
    gtk_paned_set_position (self->across, last_position (self));
  if (narrow && !self->narrow)
    place_over (self);
  else if (!narrow && self->narrow)
    place_beside (self);
  return G_SOURCE_REMOVE;
}

/* Sizes are being given out just now: showing and hiding has to wait. */
static void
fit_later (WpSideLayout *self)
{
  if (self->fitting == 0 && self->side != NULL && !gtk_widget_in_destruction (GTK_WIDGET (self))
      && (is_narrow (self) != self->narrow || is_cut_off (self)))
    self->fitting = g_idle_add_full (G_PRIORITY_HIGH_IDLE, fit, self, NULL);
}

/* --- the widget ----------------------------------------------------------------------------------------------------------- */

/* Where a widget moves, GTK 4.8 takes the actions of its class from all within that look for them, for good. It looks at the outermost widget that knows actions,
 * which is therefore the panel itself: it has no actions of a class that could be taken. */
static void
keep_actions_within (GtkWidget *side)
{
  g_autoptr (GSimpleActionGroup) none = g_simple_action_group_new ();

  gtk_widget_insert_action_group (side, "side", G_ACTION_GROUP (none));
}

static void
set_side (WpSideLayout *self, GtkWidget *side)
{
  self->side = side;
  keep_actions_within (side);
  gtk_widget_set_visible (side, self->shown);
  gtk_paned_set_end_child (self->across, side);
}

static void
wp_side_layout_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  WpSideLayout *self = WP_SIDE_LAYOUT (object);

  if (id == PROP_SHOWN)
    show_side (self, g_value_get_boolean (value));
  else if (id == PROP_SIDE)
    set_side (self, g_value_get_object (value));
  else
    gtk_paned_set_start_child (self->across, self->content = g_value_get_object (value));
}

static void
wp_side_layout_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  WpSideLayout *self = WP_SIDE_LAYOUT (object);

  if (id == PROP_SHOWN)
    g_value_set_boolean (value, self->shown);
  else
    g_value_set_object (value, id == PROP_SIDE ? self->side : self->content);
}

static void
measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline, int *natural_baseline)
{
  gtk_widget_measure (adw_bin_get_child (ADW_BIN (widget)), orientation, for_size, minimum, natural, minimum_baseline, natural_baseline);
}

static void
allocate (GtkWidget *widget, int width, int height, int baseline)
{
  gtk_widget_allocate (adw_bin_get_child (ADW_BIN (widget)), width, height, baseline, NULL);
  fit_later (WP_SIDE_LAYOUT (widget));
}

static void
wp_side_layout_dispose (GObject *object)
{
  WpSideLayout *self = WP_SIDE_LAYOUT (object);

  g_clear_handle_id (&self->fitting, g_source_remove);
  g_clear_weak_pointer (&self->focus_before);
  self->content = self->side = NULL;
  G_OBJECT_CLASS (wp_side_layout_parent_class)->dispose (object);
}

static void
wp_side_layout_class_init (WpSideLayoutClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->set_property = wp_side_layout_set_property;
  object_class->get_property = wp_side_layout_get_property;
  object_class->dispose = wp_side_layout_dispose;
  g_object_class_install_property (object_class, PROP_CONTENT,
                                   g_param_spec_object ("content", NULL, NULL, GTK_TYPE_WIDGET, G_PARAM_READWRITE));
  g_object_class_install_property (object_class, PROP_SIDE,
                                   g_param_spec_object ("side", NULL, NULL, GTK_TYPE_WIDGET, G_PARAM_READWRITE));
  g_object_class_install_property (object_class, PROP_SHOWN,
                                   g_param_spec_boolean ("shown", NULL, NULL, FALSE, G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY));
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/side-layout.ui");
  gtk_widget_class_bind_template_child (widget_class, WpSideLayout, flap);
  gtk_widget_class_bind_template_child (widget_class, WpSideLayout, across);
  gtk_widget_class_bind_template_child (widget_class, WpSideLayout, over);
  gtk_widget_class_bind_template_callback (widget_class, on_flap_revealed);
  gtk_widget_class_bind_template_callback (widget_class, on_flap_moved);
  gtk_widget_class_bind_template_callback (widget_class, on_over_mapped);
}

static void
wp_side_layout_init (WpSideLayout *self)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  /* A bin's own layout manager would be asked instead of the class, and every new width is to be seen. */
  gtk_widget_set_layout_manager (GTK_WIDGET (self), gtk_custom_layout_new (NULL, measure, allocate));
  self->shown = wp_settings_boolean ("show-panel", TRUE);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_Escape, 0),
                                                          gtk_callback_action_new (on_escape, self, NULL)));
  gtk_widget_add_controller (self->over, keys);
  g_signal_connect_object (self->across, "notify::max-position", G_CALLBACK (place_side), self, 0);
  g_signal_connect_object (self->across, "notify::position", G_CALLBACK (fit_later), self, G_CONNECT_SWAPPED);
}
