#include "app/widgets/tab-stop.h"

struct _WpTabStop
{
  AdwBin parent_instance;

  gboolean arrows;
};

enum
{
  PROP_ARROWS = 1,
  N_PROPERTIES
};

static GParamSpec *properties[N_PROPERTIES];

G_DEFINE_FINAL_TYPE (WpTabStop, wp_tab_stop, ADW_TYPE_BIN)

static gboolean
has_focus_within (GtkWidget *widget)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (widget));

  return focus != NULL && gtk_widget_is_ancestor (focus, widget);
}

/* From either side it is entered at its beginning, or where a list has its cursor. */
static gboolean
wp_tab_stop_focus (GtkWidget *widget, GtkDirectionType direction)
{
  gboolean tab = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;

  if (tab && has_focus_within (widget))
    return FALSE;
  return GTK_WIDGET_CLASS (wp_tab_stop_parent_class)->focus (widget, tab ? GTK_DIR_TAB_FORWARD : direction);
}

/* At either end it stays. */
static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType modifiers, WpTabStop *self)
{
  gboolean down = key == GDK_KEY_Down || key == GDK_KEY_KP_Down, up = key == GDK_KEY_Up || key == GDK_KEY_KP_Up;

  if (!self->arrows || (!down && !up) || (modifiers & gtk_accelerator_get_default_mod_mask ()) != 0)
    return GDK_EVENT_PROPAGATE;
  GTK_WIDGET_CLASS (wp_tab_stop_parent_class)->focus (GTK_WIDGET (self), down ? GTK_DIR_TAB_FORWARD : GTK_DIR_TAB_BACKWARD);
  return GDK_EVENT_STOP;
}

static void
wp_tab_stop_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  WP_TAB_STOP (object)->arrows = g_value_get_boolean (value);
}

static void
wp_tab_stop_class_init (WpTabStopClass *klass)
{
  GTK_WIDGET_CLASS (klass)->focus = wp_tab_stop_focus;
  G_OBJECT_CLASS (klass)->set_property = wp_tab_stop_set_property;
  properties[PROP_ARROWS] = g_param_spec_boolean ("arrows", NULL, NULL, FALSE, G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPERTIES, properties);
}

static void
wp_tab_stop_init (WpTabStop *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}
