#include "app/canvas/picture-widget.h"

#include <adwaita.h>
#include <math.h>

#include "app/canvas/canvas.h"
#include "app/shell/settings.h"

#define KEY_PAN 0.2  /* of the width */
#define KEY_PAGE 0.8 /* of the height */

void
wp_picture_init (GtkWidget *picture, GCallback theme_changed)
{
  AdwStyleManager *style = adw_style_manager_get_default ();

  gtk_widget_set_focusable (picture, TRUE);
  gtk_widget_set_has_tooltip (picture, TRUE);
  gtk_widget_set_hexpand (picture, TRUE);
  gtk_widget_set_vexpand (picture, TRUE);
  g_signal_connect_object (style, "notify::dark", theme_changed, picture, G_CONNECT_SWAPPED);
  g_signal_connect_object (style, "notify::high-contrast", theme_changed, picture, G_CONNECT_SWAPPED);
}

void
wp_picture_measure (GtkWidget *picture, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
                    int *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 200 : 80;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 800 : 400;
}

double
wp_notches_of_unit (GdkScrollUnit unit, double distance)
{
  return unit == GDK_SCROLL_UNIT_SURFACE ? distance / WP_WHEEL_PAN : distance;
}

double
wp_scroll_notches (GtkEventControllerScroll *controller, double distance)
{
  return wp_notches_of_unit (gtk_event_controller_scroll_get_unit (controller), distance);
}

/* --- wheel and pinch ------------------------------------------------------------------------------------------------ */

typedef struct
{
  GtkWidget *picture;
  const WpPictureMoves *moves;
  double scale; /* the last one of the pinch */
} Moving;

static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, Moving *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  gboolean zooms = ((state & GDK_CONTROL_MASK) != 0) != wp_settings_boolean ("wheel-zooms", TRUE);

  dx = wp_scroll_notches (controller, dx);
  dy = wp_scroll_notches (controller, dy);
  if (state & GDK_SHIFT_MASK)
    self->moves->pan (self->picture, dx + dy, 0);
  else if (!zooms)
    self->moves->pan (self->picture, dx, dy);
  else
    {
      if (dx != 0)
        self->moves->pan (self->picture, dx, 0);
      if (dy != 0)
        self->moves->zoom (self->picture, pow (WP_WHEEL_ZOOM, -dy));
    }
  return GDK_EVENT_STOP;
}

static void
on_pinch_begin (GtkGesture *gesture, GdkEventSequence *sequence, Moving *self)
{
  self->scale = 1;
}

static void
on_pinch (GtkGestureZoom *gesture, double scale, Moving *self)
{
  double x, y;

  if (scale <= 0 || !gtk_gesture_get_bounding_box_center (GTK_GESTURE (gesture), &x, &y))
    return;
  self->moves->zoom_at (self->picture, scale / self->scale, x, y);
  self->scale = scale;
}

void
wp_picture_add_wheel_and_pinch (GtkWidget *picture, const WpPictureMoves *moves)
{
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *pinch = gtk_gesture_zoom_new ();
  Moving *self = g_new0 (Moving, 1);

  self->picture = picture;
  self->moves = moves;
  g_object_set_data_full (G_OBJECT (picture), "moving", self, g_free);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect (pinch, "begin", G_CALLBACK (on_pinch_begin), self);
  g_signal_connect (pinch, "scale-changed", G_CALLBACK (on_pinch), self);
  gtk_widget_add_controller (picture, scroll);
  gtk_widget_add_controller (picture, GTK_EVENT_CONTROLLER (pinch));
}

/* --- clicks ----------------------------------------------------------------------------------------------------------- */

void
wp_picture_add_click (GtkWidget *picture, guint button, GCallback released)
{
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), button);
  g_signal_connect (click, "released", released, picture);
  gtk_widget_add_controller (picture, GTK_EVENT_CONTROLLER (click));
}

/* --- keys --------------------------------------------------------------------------------------------------------------- */

static const struct
{
  guint key;
  GdkModifierType modifiers;
  const char *action;
  double value; /* of actions that take a number */
  int dx, dy;   /* of canvas.select */
} keys[] = {
  { GDK_KEY_w, 0, "canvas.zoom", WP_ZOOM_STEP, 0, 0 },
  { GDK_KEY_s, 0, "canvas.zoom", 1 / WP_ZOOM_STEP, 0, 0 },
  { GDK_KEY_a, 0, "canvas.pan", -KEY_PAN, 0, 0 },
  { GDK_KEY_d, 0, "canvas.pan", KEY_PAN, 0, 0 },
  { GDK_KEY_Page_Up, 0, "canvas.page", -KEY_PAGE, 0, 0 },
  { GDK_KEY_Page_Down, 0, "canvas.page", KEY_PAGE, 0, 0 },
  { GDK_KEY_Left, 0, "canvas.select", 0, -1, 0 },
  { GDK_KEY_Right, 0, "canvas.select", 0, 1, 0 },
  { GDK_KEY_Up, 0, "canvas.select", 0, 0, -1 },
  { GDK_KEY_Down, 0, "canvas.select", 0, 0, 1 },
  { GDK_KEY_f, 0, "canvas.fit-selection", 0, 0, 0 },
  { GDK_KEY_Return, 0, "canvas.open", 0, 0, 0 },
  { GDK_KEY_KP_Enter, 0, "canvas.open", 0, 0, 0 },
  { GDK_KEY_Escape, 0, "canvas.clear", 0, 0, 0 },
  { GDK_KEY_Menu, 0, "canvas.menu", 0, 0, 0 },
  { GDK_KEY_F10, GDK_SHIFT_MASK, "canvas.menu", 0, 0, 0 },
};

void
wp_picture_class_add_keys (GtkWidgetClass *klass)
{
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      if (keys[i].dx != 0 || keys[i].dy != 0)
        gtk_widget_class_add_binding_action (klass, keys[i].key, keys[i].modifiers, keys[i].action, "(ii)", keys[i].dx, keys[i].dy);
      else if (keys[i].value != 0)
        gtk_widget_class_add_binding_action (klass, keys[i].key, keys[i].modifiers, keys[i].action, "d", keys[i].value);
      else
        gtk_widget_class_add_binding_action (klass, keys[i].key, keys[i].modifiers, keys[i].action, NULL);
    }
}
