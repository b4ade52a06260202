/* The pointer on the canvas: wheel, drags, clicks, touchpad pinch. */
#include "app/canvas/canvas-private.h"
#include "app/shell/settings.h"

#define WHEEL_ZOOM 1.25
#define WHEEL_PAN 60.0
#define CLICK_SLOP 4.0

static void
scroll_rows (WpCanvas *self, double dx, double dy)
{
  wp_canvas_pan (self, dx * WHEEL_PAN, dy * WHEEL_PAN);
}

static gboolean
on_scroll (GtkEventControllerScroll *controller, double dx, double dy, WpCanvas *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  gboolean zooms = wp_settings_boolean ("wheel-zooms", TRUE);

  if (state & GDK_SHIFT_MASK)
    scroll_rows (self, dx + dy, 0);
  else if (((state & GDK_CONTROL_MASK) != 0) == zooms)
    scroll_rows (self, dx, dy);
  else
    {
      if (dx != 0)
        scroll_rows (self, dx, 0);
      if (dy != 0)
        wp_canvas_zoom (self, pow (WHEEL_ZOOM, -dy));
    }
  return GDK_EVENT_STOP;
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, WpCanvas *self)
{
  self->pointer_x = x;
  self->pointer_y = y;
  if (self->drag == WP_DRAG_NONE)
    wp_canvas_hover (self, wp_canvas_box_at (self, x, y));
}

static void
on_leave (GtkEventControllerMotion *controller, WpCanvas *self)
{
  self->pointer_x = self->pointer_y = -1;
  wp_canvas_hover (self, WP_NO_BOX);
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, WpCanvas *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->drag = WP_DRAG_NONE;
}

static void
start_drag (WpCanvas *self, GtkGestureDrag *gesture)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  gboolean right = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture)) == GDK_BUTTON_SECONDARY;
  double x = 0, y = 0;

  self->drag = right || (state & GDK_SHIFT_MASK) ? WP_DRAG_MARK : WP_DRAG_PAN;
  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  self->drag_x = self->drag == WP_DRAG_MARK ? x : 0;
  self->drag_y = 0;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), self->drag == WP_DRAG_PAN ? "grabbing" : "col-resize");
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, WpCanvas *self)
{
  if (self->drag == WP_DRAG_NONE && hypot (dx, dy) < CLICK_SLOP)
    return;
  if (self->drag == WP_DRAG_NONE)
    start_drag (self, gesture);

  if (self->drag == WP_DRAG_MARK)
    {
      wp_canvas_set_mark (self, wp_viewport_time (&self->viewport, self->drag_x),
                          wp_viewport_time (&self->viewport, self->drag_x + dx));
      return;
    }
  wp_canvas_pan (self, self->drag_x - dx, self->drag_y - dy);
  self->drag_x = dx;
  self->drag_y = dy;
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, WpCanvas *self)
{
  if (self->drag == WP_DRAG_MARK)
    wp_canvas_emit_marked (self);
  self->drag = WP_DRAG_NONE;
  gtk_widget_set_cursor (GTK_WIDGET (self), NULL);
}

static void
on_primary (GtkGestureClick *gesture, int n_press, double x, double y, WpCanvas *self)
{
  guint box = wp_canvas_box_at (self, x, y);

  if (self->drag != WP_DRAG_NONE)
    return;
  if (n_press == 2 && box != WP_NO_BOX)
    wp_canvas_fit_box (self, box);
  else if (n_press == 1)
    wp_canvas_select_at (self, box, wp_viewport_time (&self->viewport, x), FALSE);
}

static void
on_middle (GtkGestureClick *gesture, int n_press, double x, double y, WpCanvas *self)
{
  wp_canvas_emit_opened (self, wp_canvas_box_at (self, x, y));
}

static void
on_secondary (GtkGestureClick *gesture, int n_press, double x, double y, WpCanvas *self)
{
  guint box = wp_canvas_box_at (self, x, y);

  if (self->drag != WP_DRAG_NONE)
    return;
  if (box != WP_NO_BOX)
    wp_canvas_select_at (self, box, wp_viewport_time (&self->viewport, x), FALSE);
  wp_canvas_emit_menu (self, box, x, y);
}

static void
on_pinch_begin (GtkGesture *gesture, GdkEventSequence *sequence, WpCanvas *self)
{
  self->pinch = 1;
}

static void
on_pinch (GtkGestureZoom *gesture, double scale, WpCanvas *self)
{
  if (scale <= 0)
    return;
  gtk_gesture_get_bounding_box_center (GTK_GESTURE (gesture), &self->pointer_x, &self->pointer_y);
  wp_canvas_zoom (self, scale / self->pinch);
  self->pinch = scale;
}

static void
add_click (WpCanvas *self, guint button, GCallback released)
{
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), button);
  g_signal_connect (click, "released", released, self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}

static void
add_drag (WpCanvas *self, guint button)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), button);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
}

void
wp_canvas_add_controllers (WpCanvas *self)
{
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *pinch = gtk_gesture_zoom_new ();

  g_signal_connect (scroll, "scroll", G_CALLBACK (on_scroll), self);
  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (pinch, "begin", G_CALLBACK (on_pinch_begin), self);
  g_signal_connect (pinch, "scale-changed", G_CALLBACK (on_pinch), self);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (pinch));

  add_click (self, GDK_BUTTON_PRIMARY, G_CALLBACK (on_primary));
  add_click (self, GDK_BUTTON_MIDDLE, G_CALLBACK (on_middle));
  add_click (self, GDK_BUTTON_SECONDARY, G_CALLBACK (on_secondary));
  add_drag (self, GDK_BUTTON_PRIMARY);
  add_drag (self, GDK_BUTTON_SECONDARY);
}
