/* The pointer on the canvas: drags and clicks; where wheel and pinch lead. */
#include "app/canvas/canvas-private.h"
#include "app/canvas/picture-widget.h"

#define CLICK_SLOP 4.0

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, WpCanvas *self)
{
  self->pointer_x = x;
  self->pointer_y = y;
  if (self->drag == WP_DRAG_NONE)
    {
      guint box = wp_canvas_box_at (self, x, y);

      wp_canvas_hover (self, box, wp_canvas_is_fold (self, box, x, y));
    }
}

static void
on_leave (GtkEventControllerMotion *controller, WpCanvas *self)
{
  self->pointer_x = self->pointer_y = -1;
  wp_canvas_hover (self, WP_NO_BOX, FALSE);
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

  self->drag = right || (state & GDK_SHIFT_MASK) ? WP_DRAG_MARK : state & GDK_CONTROL_MASK ? WP_DRAG_ZOOM : WP_DRAG_PAN;
  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  self->drag_x = self->drag != WP_DRAG_PAN ? x : 0;
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
  if (self->drag == WP_DRAG_ZOOM)
    {
      wp_canvas_set_band (self, wp_viewport_time (&self->viewport, self->drag_x), wp_viewport_time (&self->viewport, self->drag_x + dx));
      return;
    }
  wp_canvas_pan (self, self->drag_x - dx, self->drag_y - dy);
  self->drag_x = dx;
  self->drag_y = dy;
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, WpCanvas *self)
{
  double start = MIN (self->state.band_start, self->state.band_end), end = MAX (self->state.band_start, self->state.band_end);

  if (self->drag == WP_DRAG_MARK)
    wp_canvas_emit_marked (self);
  else if (self->drag == WP_DRAG_ZOOM)
    {
      wp_canvas_set_band (self, 0, 0);
      wp_canvas_show_exactly (self, start, end);
    }
  self->drag = WP_DRAG_NONE;
  self->state.fold_hovered = FALSE;
  gtk_widget_set_cursor (GTK_WIDGET (self), NULL);
}

static void
on_primary (GtkGestureClick *gesture, int n_press, double x, double y, WpCanvas *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
  guint box = wp_canvas_box_at (self, x, y);

  if (self->drag != WP_DRAG_NONE)
    return;
  if (n_press == 1 && (state & GDK_SHIFT_MASK) && box != WP_NO_BOX && self->state.selected != WP_NO_BOX && box != self->state.selected)
    wp_canvas_emit_measured (self, box);
  else if (n_press == 1 && wp_canvas_is_fold (self, box, x, y))
    {
      wp_canvas_select_at (self, box, wp_viewport_time (&self->viewport, x), FALSE);
      gtk_widget_activate_action (GTK_WIDGET (self), self->open_fold, NULL);
    }
  else if (n_press == 2 && box != WP_NO_BOX)
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
pan (GtkWidget *widget, double dx, double dy)
{
  wp_canvas_pan (WP_CANVAS (widget), dx * WP_WHEEL_PAN, dy * WP_WHEEL_PAN);
}

static void
zoom (GtkWidget *widget, double factor)
{
  wp_canvas_zoom (WP_CANVAS (widget), factor);
}

static void
zoom_at (GtkWidget *widget, double factor, double x, double y)
{
  WpCanvas *self = WP_CANVAS (widget);

  self->pointer_x = x;
  self->pointer_y = y;
  wp_canvas_zoom (self, factor);
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
  static const WpPictureMoves moves = { pan, zoom, zoom_at };
  GtkEventController *motion = gtk_event_controller_motion_new ();

  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  wp_picture_add_wheel_and_pinch (GTK_WIDGET (self), &moves);
  wp_picture_add_click (GTK_WIDGET (self), GDK_BUTTON_PRIMARY, G_CALLBACK (on_primary));
  wp_picture_add_click (GTK_WIDGET (self), GDK_BUTTON_MIDDLE, G_CALLBACK (on_middle));
  wp_picture_add_click (GTK_WIDGET (self), GDK_BUTTON_SECONDARY, G_CALLBACK (on_secondary));
  add_drag (self, GDK_BUTTON_PRIMARY);
  add_drag (self, GDK_BUTTON_SECONDARY);
}
