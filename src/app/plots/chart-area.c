#include "app/plots/chart-area.h"

#include <adwaita.h>

#include "app/canvas/canvas.h"
#include "app/canvas/picture-widget.h"

#define WHEEL_PAN 0.05 /* of what is seen */
#define KEY_PAN 0.15 /* of what is seen */
#define KEEP_FROM 5000 /* points of a chart that is kept as a picture */

struct _WpChartArea
{
  GtkDrawingArea parent_instance;

  WpShared *chart;
  WpChartView view;
  WpPainter *painter;
  guint32 hovered; /* point, or G_MAXUINT32 */
  double pointer_x, pointer_y;
  WpChartView dragged_from;

  /* What was drawn last, while it takes long to draw: the pointer moves more often than the chart. */
  cairo_surface_t *kept;
  WpChartView kept_view;
  int kept_width, kept_height, kept_scale;
  WpTheme kept_theme;
};

enum
{
  SIGNAL_POINT_PICKED,
  SIGNAL_POINT_OPENED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpChartArea, wp_chart_area, GTK_TYPE_DRAWING_AREA)

static const WpChart *
chart_of (WpChartArea *self)
{
  return wp_shared_get (self->chart);
}

static WpPainter *
painter_of (WpChartArea *self)
{
  if (self->painter == NULL)
    self->painter = wp_painter_new (gtk_widget_get_pango_context (GTK_WIDGET (self)), wp_current_theme ());
  wp_painter_set_theme (self->painter, wp_current_theme ());
  return self->painter;
}

static void
forget_kept (WpChartArea *self)
{
  g_clear_pointer (&self->kept, cairo_surface_destroy);
}

static gboolean
is_kept (WpChartArea *self, int width, int height, int scale)
{
  return self->kept != NULL && memcmp (&self->kept_view, &self->view, sizeof self->view) == 0 && self->kept_width == width
         && self->kept_height == height && self->kept_scale == scale && self->kept_theme == wp_current_theme ();
}

static void
keep (WpChartArea *self, int width, int height, int scale)
{
  cairo_t *cr;

  forget_kept (self);
  self->kept = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width * scale, height * scale);
  cairo_surface_set_device_scale (self->kept, scale, scale);
  cr = cairo_create (self->kept);
  wp_painter_chart (painter_of (self), cr, &(WpChartPlace) { chart_of (self), &self->view, width, height }, G_MAXUINT32);
  cairo_destroy (cr);
  self->kept_view = self->view;
  self->kept_width = width;
  self->kept_height = height;
  self->kept_scale = scale;
  self->kept_theme = wp_current_theme ();
}

static void
draw_kept (WpChartArea *self, cairo_t *cr, int width, int height)
{
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));

  if (!is_kept (self, width, height, scale))
    keep (self, width, height, scale);
  cairo_set_source_surface (cr, self->kept, 0, 0);
  cairo_paint (cr);
  wp_painter_chart_hovered (painter_of (self), cr, &(WpChartPlace) { chart_of (self), &self->view, width, height }, self->hovered);
}

static void
draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  WpChartArea *self = WP_CHART_AREA (area);

  if (self->chart != NULL && chart_of (self)->points.len >= KEEP_FROM)
    draw_kept (self, cr, width, height);
  else if (self->chart != NULL)
    wp_painter_chart (painter_of (self), cr, &(WpChartPlace) { chart_of (self), &self->view, width, height }, self->hovered);
}

/* A heat map zooms both ways, all others along x. */
static gboolean
zooms_both (const WpChart *chart)
{
  return chart->series.len > 0
         && (chart->series.data[0].kind == WP_SERIES_CELLS || chart->series.data[0].kind == WP_SERIES_POINTS);
}

static WpChartPlace
place_of (WpChartArea *self)
{
  return (WpChartPlace) { chart_of (self), &self->view, gtk_widget_get_width (GTK_WIDGET (self)),
                          gtk_widget_get_height (GTK_WIDGET (self)) };
}

static void
zoom_at (WpChartArea *self, double factor, double x, double y)
{
  double chart_x, chart_y;
  WpChartPlace place;

  if (self->chart == NULL)
    return;
  place = place_of (self);
  wp_painter_chart_place (painter_of (self), &place, x, y, &chart_x, &chart_y);
  wp_chart_view_zoom (&self->view, chart_of (self), factor, chart_x, chart_y, zooms_both (chart_of (self)));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
pan (WpChartArea *self, double dx, double dy)
{
  if (self->chart == NULL)
    return;
  wp_chart_view_pan (&self->view, chart_of (self), dx * (self->view.x1 - self->view.x0), dy * (self->view.y1 - self->view.y0));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* What a point says is told to assistive technology, too. */
static void
hover (WpChartArea *self, guint32 point)
{
  g_autofree char *text = NULL;

  if (point == self->hovered)
    return;
  self->hovered = point;
  text = point != G_MAXUINT32 ? wp_chart_describe (chart_of (self), point) : g_strdup ("");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* --- pointer --- */

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, WpChartArea *self)
{
  /* GTK tells where the pointer is after each layout: what the keyboard chose stays until it moves */
  if (x == self->pointer_x && y == self->pointer_y)
    return;
  self->pointer_x = x;
  self->pointer_y = y;
  if (self->chart != NULL)
    {
      const WpChartPlace place = place_of (self);

      hover (self, wp_painter_chart_at (painter_of (self), &place, x, y));
    }
}

static void
on_leave (GtkEventControllerMotion *controller, WpChartArea *self)
{
  hover (self, G_MAXUINT32);
}

static void
pan_notches (GtkWidget *widget, double dx, double dy)
{
  pan (WP_CHART_AREA (widget), dx * WHEEL_PAN, -dy * WHEEL_PAN);
}

static void
zoom_about_pointer (GtkWidget *widget, double factor)
{
  WpChartArea *self = WP_CHART_AREA (widget);

  zoom_at (self, factor, self->pointer_x, self->pointer_y);
}

static void
zoom_about (GtkWidget *widget, double factor, double x, double y)
{
  zoom_at (WP_CHART_AREA (widget), factor, x, y);
}

static void
on_drag_begin (GtkGestureDrag *drag, double x, double y, WpChartArea *self)
{
  self->dragged_from = self->view;
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
on_drag (GtkGestureDrag *drag, double dx, double dy, WpChartArea *self)
{
  double x0, y0, x1, y1;
  WpChartPlace place;

  if (self->chart == NULL)
    return;
  self->view = self->dragged_from;
  place = place_of (self);
  wp_painter_chart_place (painter_of (self), &place, 0, 0, &x0, &y0);
  wp_painter_chart_place (painter_of (self), &place, dx, dy, &x1, &y1);
  wp_chart_view_pan (&self->view, chart_of (self), x0 - x1, y0 - y1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_released (GtkGestureClick *click, int n, double x, double y, WpChartArea *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (click));

  if (self->chart == NULL || self->hovered == G_MAXUINT32)
    return;
  if (n == 1)
    g_signal_emit (self, signals[SIGNAL_POINT_PICKED], 0, self->hovered, (state & (GDK_SHIFT_MASK | GDK_CONTROL_MASK)) != 0);
  else if (n == 2)
    g_signal_emit (self, signals[SIGNAL_POINT_OPENED], 0, self->hovered);
}

static gboolean
on_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer data)
{
  WpChartArea *self = WP_CHART_AREA (widget);
  g_autofree char *text = NULL;

  if (self->chart == NULL || self->hovered == G_MAXUINT32)
    return FALSE;
  text = wp_chart_describe (chart_of (self), self->hovered);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

/* --- keyboard --- */

/* Rings, which come last, only mark other points. */
static guint32
n_points (const WpChart *chart)
{
  guint32 n = 0;

  for (guint32 s = 0; s < chart->series.len; s++)
    n += chart->series.data[s].kind != WP_SERIES_RINGS ? chart->series.data[s].n : 0;
  return n;
}

static void
go_to (WpChartArea *self, gboolean last)
{
  guint32 n = n_points (chart_of (self));

  if (n > 0)
    hover (self, last ? n - 1 : 0);
}

static void
step (WpChartArea *self, int by)
{
  guint32 n = n_points (chart_of (self));

  if (n > 0)
    hover (self, self->hovered == G_MAXUINT32 ? 0 : (guint32) (((gint64) self->hovered + by + n) % n));
}

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, WpChartArea *self)
{
  if (self->chart == NULL || state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return FALSE;
  switch (key)
    {
    case GDK_KEY_w:
      wp_chart_area_zoom (self, WP_ZOOM_STEP);
      return TRUE;
    case GDK_KEY_s:
      wp_chart_area_zoom (self, 1 / WP_ZOOM_STEP);
      return TRUE;
    case GDK_KEY_a:
      pan (self, -KEY_PAN, 0);
      return TRUE;
    case GDK_KEY_d:
      pan (self, KEY_PAN, 0);
      return TRUE;
    case GDK_KEY_f:
      wp_chart_area_fit (self);
      return TRUE;
    case GDK_KEY_Left:
      step (self, -1);
      return TRUE;
    case GDK_KEY_Right:
      step (self, 1);
      return TRUE;
    case GDK_KEY_Home:
    case GDK_KEY_End:
      go_to (self, key == GDK_KEY_End);
      return TRUE;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      if (self->hovered == G_MAXUINT32)
        return FALSE;
      g_signal_emit (self, signals[SIGNAL_POINT_PICKED], 0, self->hovered, (state & GDK_SHIFT_MASK) != 0);
      return TRUE;
    default:
      return FALSE;
    }
}

/* --- from outside --- */

void
wp_chart_area_set_chart (WpChartArea *self, WpShared *chart)
{
  const WpChart *shown;

  forget_kept (self);
  g_clear_pointer (&self->chart, wp_shared_unref);
  self->chart = wp_shared_ref (chart);
  self->hovered = G_MAXUINT32;
  shown = chart_of (self);
  if (shown != NULL)
    {
      self->view = wp_chart_whole (shown);
      gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                      wp_chart_string (shown, shown->title), -1);
    }
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static gboolean
shows_all (const WpChart *chart, const WpChartView *view)
{
  return view->x0 <= chart->x0 && view->x1 >= chart->x1 && view->y0 <= chart->y0 && view->y1 >= chart->y1;
}

void
wp_chart_area_replace_chart (WpChartArea *self, WpShared *chart)
{
  const WpChart *before = chart_of (self), *now = wp_shared_get (chart);
  gboolean stay = before != NULL && now != NULL && !shows_all (before, &self->view) && before->x0 == now->x0 && before->x1 == now->x1
                  && before->y.unit == now->y.unit;
  WpChartView view = self->view;
  guint32 hovered = self->hovered;

  wp_chart_area_set_chart (self, chart);
  if (stay)
    self->view = view;
  if (now != NULL && hovered < now->points.len)
    hover (self, hovered);
}

WpShared *
wp_chart_area_chart (WpChartArea *self)
{
  return self->chart;
}

const WpChartView *
wp_chart_area_view (WpChartArea *self)
{
  return &self->view;
}

void
wp_chart_area_zoom (WpChartArea *self, double factor)
{
  zoom_at (self, factor, gtk_widget_get_width (GTK_WIDGET (self)) / 2.0, gtk_widget_get_height (GTK_WIDGET (self)) / 2.0);
}

void
wp_chart_area_fit (WpChartArea *self)
{
  if (self->chart != NULL)
    self->view = wp_chart_whole (chart_of (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
wp_chart_area_finalize (GObject *object)
{
  WpChartArea *self = WP_CHART_AREA (object);

  g_clear_pointer (&self->chart, wp_shared_unref);
  g_clear_pointer (&self->painter, wp_painter_free);
  forget_kept (self);
  G_OBJECT_CLASS (wp_chart_area_parent_class)->finalize (object);
}

static void
wp_chart_area_class_init (WpChartAreaClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = wp_chart_area_finalize;
  signals[SIGNAL_POINT_PICKED] = g_signal_new ("point-picked", WP_TYPE_CHART_AREA, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                               2, G_TYPE_UINT, G_TYPE_BOOLEAN);
  signals[SIGNAL_POINT_OPENED] = g_signal_new ("point-opened", WP_TYPE_CHART_AREA, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                               1, G_TYPE_UINT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "wpchart");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
add_controllers (WpChartArea *self)
{
  static const WpPictureMoves moves = { pan_notches, zoom_about_pointer, zoom_about };
  GtkEventController *motion = gtk_event_controller_motion_new (), *key = gtk_event_controller_key_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();

  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag), self);
  g_signal_connect (key, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (GTK_WIDGET (self), key);
  wp_picture_add_wheel_and_pinch (GTK_WIDGET (self), &moves);
  wp_picture_add_click (GTK_WIDGET (self), GDK_BUTTON_PRIMARY, G_CALLBACK (on_released));
}

static void
wp_chart_area_init (WpChartArea *self)
{
  self->hovered = G_MAXUINT32;
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self), draw, NULL, NULL);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
  wp_picture_init (GTK_WIDGET (self), G_CALLBACK (gtk_widget_queue_draw));
  add_controllers (self);
}

GtkWidget *
wp_chart_area_new (const char *name)
{
  GtkWidget *self = g_object_new (WP_TYPE_CHART_AREA, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return self;
}
