#include "app/canvas/strip.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/canvas/picture-widget.h"

#define NAMES_MAX 190 /* as wide as the names of rows */

struct _WpStrip
{
  GtkDrawingArea parent_instance;

  WpCanvas *canvas; /* a sibling: outlives this one's use of it */
  GtkWidget *names; /* likewise */
  WpShared *rows;
  WpPaintState state;
  double pointer_x;
  WpDescribeFunc describe;
  gpointer describe_data;
};

enum
{
  SIGNAL_BOX_CHOSEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpStrip, wp_strip, GTK_TYPE_DRAWING_AREA)

GtkWidget *
wp_strip_names (WpStrip *self)
{
  return self->names;
}

WpShared *
wp_strip_shared_rows (WpStrip *self)
{
  return self->rows;
}

void
wp_strip_set_describe (WpStrip *self, WpDescribeFunc func, gpointer user_data)
{
  self->describe = func;
  self->describe_data = user_data;
}

static void
draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  WpStrip *self = WP_STRIP (area);

  if (self->rows != NULL)
    wp_painter_strip (wp_canvas_painter (self->canvas), cr, wp_shared_get (self->rows), wp_canvas_viewport (self->canvas), &self->state);
}

static void
draw_names (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  WpStrip *self = data;

  if (self->rows != NULL)
    wp_painter_strip_names (wp_canvas_painter (self->canvas), cr, wp_shared_get (self->rows), width);
}

void
wp_strip_set_rows (WpStrip *self, WpShared *rows, const char *description)
{
  const WpRows *strip = wp_shared_get (rows);
  int height = strip != NULL ? (int) wp_strip_height (strip) : 0;

  wp_shared_ref (rows);
  wp_shared_unref (self->rows);
  self->rows = rows;
  self->state.hovered = WP_NO_BOX;
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (self), height);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (self->names), height);
  if (strip != NULL)
    gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (self->names),
                                        MIN (NAMES_MAX, (int) wp_painter_strip_names_width (wp_canvas_painter (self->canvas), strip)));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  gtk_widget_queue_draw (self->names);
}

/* --- the pointer -------------------------------------------------------------------------------------------------- */

static guint
box_near (const WpRows *strip, const WpViewport *vp, guint32 row, double x)
{
  static const double near[] = { 0, -1, 1, -2, 2 };
  guint box = WP_NO_BOX;

  for (guint i = 0; i < G_N_ELEMENTS (near) && box == WP_NO_BOX; i++)
    box = wp_rows_box_at (strip, row, (gint64) wp_viewport_time (vp, x + near[i]));
  return box;
}

static guint
box_at (WpStrip *self, double x, double y)
{
  const WpRows *strip = wp_shared_get (self->rows);
  const WpViewport vp = wp_strip_viewport (wp_canvas_viewport (self->canvas));
  guint32 row = strip != NULL && vp.width > 0 ? wp_rows_row_at_y (strip, &vp, y + vp.y) : G_MAXUINT32;
  guint box = WP_NO_BOX;

  if (row == G_MAXUINT32)
    return WP_NO_BOX;
  box = box_near (strip, &vp, row, x);
  for (guint32 r = 0; r < strip->rows.len && box == WP_NO_BOX; r++)
    box = box_near (strip, &vp, r, x);
  return box;
}

static void
hover (WpStrip *self, guint box)
{
  if (self->state.hovered == box)
    return;
  self->state.hovered = box;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, WpStrip *self)
{
  self->pointer_x = x;
  hover (self, box_at (self, x, y));
}

static void
on_leave (GtkEventControllerMotion *controller, WpStrip *self)
{
  hover (self, WP_NO_BOX);
}

static void
on_clicked (GtkGestureClick *gesture, int n_press, double x, double y, WpStrip *self)
{
  guint box = box_at (self, x, y);

  if (box != WP_NO_BOX)
    g_signal_emit (self, signals[SIGNAL_BOX_CHOSEN], 0, box, n_press);
}

static gboolean
on_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer data)
{
  WpStrip *self = WP_STRIP (widget);
  guint box = keyboard ? WP_NO_BOX : box_at (self, x, y);
  g_autofree char *text = NULL;

  if (box == WP_NO_BOX || self->describe == NULL)
    return FALSE;
  text = self->describe (box, wp_viewport_time (wp_canvas_viewport (self->canvas), x), self->describe_data);
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle) { x - 1, y - 1, 3, 3 });
  return text != NULL;
}

static void
pan (GtkWidget *widget, double dx, double dy)
{
  wp_canvas_pan (WP_STRIP (widget)->canvas, dx * WP_WHEEL_PAN, dy * WP_WHEEL_PAN);
}

static void
zoom_at (GtkWidget *widget, double factor, double x, double y)
{
  wp_canvas_zoom_at (WP_STRIP (widget)->canvas, factor, x);
}

static void
zoom (GtkWidget *widget, double factor)
{
  WpStrip *self = WP_STRIP (widget);

  wp_canvas_zoom_at (self->canvas, factor, self->pointer_x);
}

/* --- the widget --------------------------------------------------------------------------------------------------- */

static void
wp_strip_dispose (GObject *object)
{
  WpStrip *self = WP_STRIP (object);

  self->describe = NULL;
  g_clear_pointer (&self->rows, wp_shared_unref);
  G_OBJECT_CLASS (wp_strip_parent_class)->dispose (object);
}

static void
wp_strip_class_init (WpStripClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = wp_strip_dispose;
  signals[SIGNAL_BOX_CHOSEN] = g_signal_new ("box-chosen", WP_TYPE_STRIP, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                             G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_INT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "wpstrip");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
wp_strip_init (WpStrip *self)
{
  static const WpPictureMoves moves = { pan, zoom, zoom_at };
  GtkEventController *motion = gtk_event_controller_motion_new ();

  self->state = WP_PAINT_STATE_DEFAULT;
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self), draw, NULL, NULL);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self), "strip");
  g_signal_connect (self, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  wp_picture_add_wheel_and_pinch (GTK_WIDGET (self), &moves);
  wp_picture_add_click (GTK_WIDGET (self), GDK_BUTTON_PRIMARY, G_CALLBACK (on_clicked));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Wait chain"), -1);
}

GtkWidget *
wp_strip_new (WpCanvas *canvas)
{
  WpStrip *self = g_object_new (WP_TYPE_STRIP, NULL);

  self->canvas = canvas;
  self->names = gtk_drawing_area_new ();
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->names), draw_names, self, NULL);
  gtk_widget_add_css_class (self->names, "strip-names");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->names), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Names of the wait chain"), -1);
  g_signal_connect_object (canvas, "place-changed", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (canvas, "place-changed", G_CALLBACK (gtk_widget_queue_draw), self->names, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
