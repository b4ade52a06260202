#include "app/canvas/diagram-area.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "app/canvas/canvas.h"
#include "app/canvas/picture-widget.h"
#include "app/widgets/context-menu.h"

#define CLICK_SLOP 4.0
#define EDGE_NEAR 5.0 /* pixels from which an edge is pointed at */
#define READABLE 0.9   /* scale below which names are no pleasure to read */
#define MAP_SIZE 160.0
#define MAP_MARGIN 12.0
#define MAP_FROM 1.05 /* the map is there when more than this is to be seen, of what fits */

struct _WpDiagramArea
{
  GtkWidget parent_instance;

  const WpDiagram *diagram; /* of the owner */
  WpShared *owner;
  WpDiagramPlace place;
  gboolean placed;
  WpDiagramState state;
  guint8 *highlight;
  WpPainter *painter;
  cairo_surface_t *map; /* the whole diagram, small; kept while it is the same */
  WpDiagramDescribe describe;
  gpointer describe_data;
  double pointer_x, pointer_y; /* −1: not over it */
  double drag_x, drag_y;
  gboolean dragging, dragging_map;
};

enum
{
  SIGNAL_NODE_SELECTED,
  SIGNAL_NODE_OPENED,
  SIGNAL_MENU_WANTED,
  SIGNAL_PLACE_CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpDiagramArea, wp_diagram_area, GTK_TYPE_WIDGET)

static gboolean
is_ready (WpDiagramArea *self)
{
  return self->diagram != NULL && self->diagram->nodes.len > 0 && self->place.width > 1 && self->place.height > 1;
}

static WpPainter *
painter_of (WpDiagramArea *self)
{
  if (self->painter == NULL)
    self->painter = wp_diagram_painter_new (gtk_widget_get_pango_context (GTK_WIDGET (self)), wp_current_theme ());
  return self->painter;
}

static void
moved (WpDiagramArea *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SIGNAL_PLACE_CHANGED], 0);
}

/* --- what is selected ------------------------------------------------------------------------------------------------- */

const WpDiagram *
wp_diagram_area_diagram (WpDiagramArea *self)
{
  return self->diagram;
}

guint
wp_diagram_area_selected (WpDiagramArea *self)
{
  return self->state.selected;
}

static void
tell_assistive_technology (WpDiagramArea *self)
{
  g_autofree char *text = NULL;

  if (self->state.selected != WP_NO_NODE && self->describe != NULL)
    text = self->describe (self->state.selected, WP_NO_NODE, self->describe_data);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text != NULL ? text : _("Nothing is selected"), -1);
}

void
wp_diagram_area_select (WpDiagramArea *self, guint node, gboolean reveal)
{
  if (self->diagram == NULL || node >= self->diagram->nodes.len)
    node = WP_NO_NODE;
  if (reveal && node != WP_NO_NODE && is_ready (self))
    {
      wp_diagram_show (self->diagram, &self->place, node, FALSE);
      moved (self);
    }
  if (self->state.selected == node)
    return;
  self->state.selected = node;
  tell_assistive_technology (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SIGNAL_NODE_SELECTED], 0, node);
}

void
wp_diagram_area_set_highlight (WpDiagramArea *self, guint8 *nodes)
{
  g_free (self->highlight);
  self->highlight = nodes;
  self->state.highlight = nodes;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
wp_diagram_area_set_describe (WpDiagramArea *self, WpDiagramDescribe func, gpointer user_data)
{
  self->describe = func;
  self->describe_data = user_data;
}

/* --- what is shown, and where ------------------------------------------------------------------------------------------ */

static void
forget_map (WpDiagramArea *self)
{
  g_clear_pointer (&self->map, cairo_surface_destroy);
}

/* Where one begins when nothing is selected: what the widest edge comes from. */
static guint32
first_node (const WpDiagram *diagram)
{
  return diagram->edges.len > 0 ? diagram->edges.data[0].from : 0;
}

/* Everything, where it can be read so; else that node and what is below it. */
static void
place_first (WpDiagramArea *self)
{
  if (!is_ready (self) || self->placed)
    return;
  wp_diagram_fit (self->diagram, &self->place);
  if (self->place.scale < READABLE)
    wp_diagram_begin (self->diagram, &self->place, first_node (self->diagram), READABLE);
  self->placed = TRUE;
}

/* Where the selected node was on the screen, it is then. */
static void
keep_selected (WpDiagramArea *self, double x, double y)
{
  const WpDiagramNode *now = &self->diagram->nodes.data[self->state.selected];

  self->place.x = now->x - x / self->place.scale;
  self->place.y = now->y - y / self->place.scale;
  wp_diagram_zoom (self->diagram, &self->place, 1, x, y);
}

void
wp_diagram_area_set_diagram (WpDiagramArea *self, const WpDiagram *diagram, WpShared *owner, guint selected)
{
  gboolean had = self->state.selected != WP_NO_NODE;
  double x = -1, y = -1; /* of the selected node; −1: not on the screen */
  WpShared *old = self->owner;

  if (had && is_ready (self))
    {
      const WpDiagramNode *before = &self->diagram->nodes.data[self->state.selected];

      x = (before->x - self->place.x) * self->place.scale;
      y = (before->y - self->place.y) * self->place.scale;
    }
  self->owner = owner != NULL ? wp_shared_ref (owner) : NULL;
  self->diagram = diagram;
  wp_shared_unref (old);
  forget_map (self);
  wp_diagram_area_set_highlight (self, NULL);
  self->state.hovered = self->state.hovered_edge = WP_NO_NODE;
  self->state.selected = diagram != NULL && selected < diagram->nodes.len ? selected : WP_NO_NODE;
  if (self->state.selected != WP_NO_NODE && x >= 0 && x <= self->place.width && y >= 0 && y <= self->place.height)
    keep_selected (self, x, y);
  else
    self->placed = FALSE;
  place_first (self);
  tell_assistive_technology (self);
  if (had && self->state.selected == WP_NO_NODE)
    g_signal_emit (self, signals[SIGNAL_NODE_SELECTED], 0, WP_NO_NODE);
  moved (self);
}

static void
zoom_about (WpDiagramArea *self, double factor, double x, double y)
{
  if (!is_ready (self))
    return;
  wp_diagram_zoom (self->diagram, &self->place, factor, x, y);
  moved (self);
}

/* About the pointer, else the selected node, else the middle. */
static void
zoom_by (WpDiagramArea *self, double factor)
{
  double x = self->pointer_x, y = self->pointer_y;

  if (x < 0 && is_ready (self) && self->state.selected != WP_NO_NODE)
    {
      const WpDiagramNode *node = &self->diagram->nodes.data[self->state.selected];

      x = CLAMP ((node->x - self->place.x) * self->place.scale, 0, self->place.width);
      y = CLAMP ((node->y - self->place.y) * self->place.scale, 0, self->place.height);
    }
  zoom_about (self, factor, x >= 0 ? x : self->place.width / 2, x >= 0 ? y : self->place.height / 2);
}

static void
pan_by (WpDiagramArea *self, double dx, double dy)
{
  if (!is_ready (self))
    return;
  wp_diagram_pan (self->diagram, &self->place, dx, dy);
  moved (self);
}

void
wp_diagram_area_step (WpDiagramArea *self, int direction)
{
  if (!is_ready (self))
    return;
  if (direction != 0)
    zoom_by (self, direction > 0 ? WP_ZOOM_STEP : 1 / WP_ZOOM_STEP);
  else
    {
      wp_diagram_fit (self->diagram, &self->place);
      moved (self);
    }
}

/* --- the map ------------------------------------------------------------------------------------------------------------- */

/* As large as the diagram's shape lets it be. FALSE: everything is seen. */
static gboolean
map_area (WpDiagramArea *self, graphene_rect_t *area)
{
  double scale, width, height;

  if (!is_ready (self) || self->place.scale <= wp_diagram_fit_scale (self->diagram, &self->place) * MAP_FROM)
    return FALSE;
  scale = MIN (MAP_SIZE / MAX (self->diagram->width, 1), MAP_SIZE / MAX (self->diagram->height, 1));
  width = MAX (self->diagram->width * scale, 40) + 2 * 4;
  height = MAX (self->diagram->height * scale, 40) + 2 * 4;
  *area = GRAPHENE_RECT_INIT ((float) (self->place.width - width - MAP_MARGIN), (float) (self->place.height - height - MAP_MARGIN), (float) width, (float) height);
  return area->origin.x > MAP_MARGIN && area->origin.y > MAP_MARGIN;
}

static void
draw_map (WpDiagramArea *self, cairo_t *cr, const graphene_rect_t *area)
{
  double width = area->size.width, height = area->size.height;

  if (self->map == NULL)
    {
      int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
      cairo_t *small;

      self->map = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) ceil (width * scale), (int) ceil (height * scale));
      cairo_surface_set_device_scale (self->map, scale, scale);
      small = cairo_create (self->map);
      wp_painter_diagram_small (painter_of (self), small, self->diagram, width, height);
      cairo_destroy (small);
    }
  cairo_save (cr);
  cairo_translate (cr, area->origin.x, area->origin.y);
  cairo_set_source_surface (cr, self->map, 0, 0);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  cairo_paint_with_alpha (cr, 0.93);
  wp_painter_diagram_frame (painter_of (self), cr, self->diagram, &self->place, width, height);
  cairo_restore (cr);
}

static gboolean
is_over_map (WpDiagramArea *self, double x, double y)
{
  graphene_rect_t area;

  return map_area (self, &area) && graphene_rect_contains_point (&area, &GRAPHENE_POINT_INIT ((float) x, (float) y));
}

/* What was pointed at in the map comes to the middle. */
static void
go_in_map (WpDiagramArea *self, double x, double y)
{
  WpDiagramPlace small;
  graphene_rect_t area;
  WpPosition to;

  if (!map_area (self, &area))
    return;
  small = (WpDiagramPlace) { .width = area.size.width, .height = area.size.height };
  wp_diagram_fit_small (self->diagram, &small);
  to = wp_diagram_point (&small, x - area.origin.x, y - area.origin.y);
  pan_by (self, (to.x - self->place.x) * self->place.scale - self->place.width / 2, (to.y - self->place.y) * self->place.scale - self->place.height / 2);
}

/* --- pointer ---------------------------------------------------------------------------------------------------------------- */

static guint32
node_at (WpDiagramArea *self, double x, double y)
{
  return is_ready (self) && !is_over_map (self, x, y) ? wp_diagram_node_at (self->diagram, wp_diagram_point (&self->place, x, y)) : WP_NO_NODE;
}

static guint32
edge_at (WpDiagramArea *self, double x, double y)
{
  if (!is_ready (self) || is_over_map (self, x, y) || node_at (self, x, y) != WP_NO_NODE)
    return WP_NO_NODE;
  return wp_diagram_edge_at (self->diagram, wp_diagram_point (&self->place, x, y), EDGE_NEAR / self->place.scale + 2);
}

static void
pan_notches (GtkWidget *widget, double dx, double dy)
{
  pan_by (WP_DIAGRAM_AREA (widget), dx * WP_WHEEL_PAN, dy * WP_WHEEL_PAN);
}

static void
zoom_about_pointer (GtkWidget *widget, double factor)
{
  zoom_by (WP_DIAGRAM_AREA (widget), factor);
}

static void
zoom_at (GtkWidget *widget, double factor, double x, double y)
{
  zoom_about (WP_DIAGRAM_AREA (widget), factor, x, y);
}

static void
hover (WpDiagramArea *self, guint32 node, guint32 edge)
{
  if (node == self->state.hovered && edge == self->state.hovered_edge)
    return;
  self->state.hovered = node;
  self->state.hovered_edge = edge;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, WpDiagramArea *self)
{
  self->pointer_x = x;
  self->pointer_y = y;
  if (!self->dragging)
    hover (self, node_at (self, x, y), edge_at (self, x, y));
}

static void
on_leave (GtkEventControllerMotion *controller, WpDiagramArea *self)
{
  self->pointer_x = self->pointer_y = -1;
  hover (self, WP_NO_NODE, WP_NO_NODE);
}

static void
on_drag_begin (GtkGestureDrag *gesture, double x, double y, WpDiagramArea *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->dragging_map = is_over_map (self, x, y);
  self->dragging = self->dragging_map;
  self->drag_x = self->drag_y = 0;
  if (self->dragging_map)
    go_in_map (self, x, y);
}

static void
on_drag_update (GtkGestureDrag *gesture, double dx, double dy, WpDiagramArea *self)
{
  double x = 0, y = 0;

  if (!self->dragging && hypot (dx, dy) < CLICK_SLOP)
    return;
  if (!self->dragging)
    {
      self->dragging = TRUE;
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
      gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "grabbing");
    }
  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  if (self->dragging_map)
    go_in_map (self, x + dx, y + dy);
  else
    pan_by (self, self->drag_x - dx, self->drag_y - dy);
  self->drag_x = dx;
  self->drag_y = dy;
}

static void
on_drag_end (GtkGestureDrag *gesture, double dx, double dy, WpDiagramArea *self)
{
  self->dragging = self->dragging_map = FALSE;
  gtk_widget_set_cursor (GTK_WIDGET (self), NULL);
}

static void
on_primary (GtkGestureClick *gesture, int n_press, double x, double y, WpDiagramArea *self)
{
  guint32 node = node_at (self, x, y);

  if (self->dragging || is_over_map (self, x, y))
    return;
  if (n_press == 1)
    wp_diagram_area_select (self, node, FALSE);
  else if (n_press == 2 && node != WP_NO_NODE)
    g_signal_emit (self, signals[SIGNAL_NODE_OPENED], 0, node);
}

static void
on_secondary (GtkGestureClick *gesture, int n_press, double x, double y, WpDiagramArea *self)
{
  guint32 node = node_at (self, x, y);

  if (node != WP_NO_NODE)
    wp_diagram_area_select (self, node, FALSE);
  g_signal_emit (self, signals[SIGNAL_MENU_WANTED], 0, node, x, y);
}

static void
add_controllers (WpDiagramArea *self)
{
  static const WpPictureMoves moves = { pan_notches, zoom_about_pointer, zoom_at };
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();

  g_signal_connect (motion, "enter", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "motion", G_CALLBACK (on_motion), self);
  g_signal_connect (motion, "leave", G_CALLBACK (on_leave), self);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_drag_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_drag_update), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (on_drag_end), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));
  wp_picture_add_wheel_and_pinch (GTK_WIDGET (self), &moves);
  wp_picture_add_click (GTK_WIDGET (self), GDK_BUTTON_PRIMARY, G_CALLBACK (on_primary));
  wp_picture_add_click (GTK_WIDGET (self), GDK_BUTTON_SECONDARY, G_CALLBACK (on_secondary));
}

/* --- keyboard ---------------------------------------------------------------------------------------------------------------- */

static void
select_neighbour (GtkWidget *widget, const char *action, GVariant *parameter)
{
  WpDiagramArea *self = WP_DIAGRAM_AREA (widget);
  gint32 dx, dy;

  if (!is_ready (self))
    return;
  g_variant_get (parameter, "(ii)", &dx, &dy);
  wp_diagram_area_select (self, self->state.selected == WP_NO_NODE ? first_node (self->diagram) : wp_diagram_step (self->diagram, self->state.selected, dx, dy), TRUE);
}

static void
zoom_in_out (GtkWidget *widget, const char *action, GVariant *parameter)
{
  zoom_by (WP_DIAGRAM_AREA (widget), g_variant_get_double (parameter));
}

static void
pan (GtkWidget *widget, const char *action, GVariant *parameter)
{
  WpDiagramArea *self = WP_DIAGRAM_AREA (widget);

  pan_by (self, g_variant_get_double (parameter) * self->place.width, 0);
}

static void
page (GtkWidget *widget, const char *action, GVariant *parameter)
{
  WpDiagramArea *self = WP_DIAGRAM_AREA (widget);

  pan_by (self, 0, g_variant_get_double (parameter) * self->place.height);
}

/* The selected node in the middle, as large as it is. */
static void
fit_selection (GtkWidget *widget, const char *action, GVariant *parameter)
{
  WpDiagramArea *self = WP_DIAGRAM_AREA (widget);

  if (!is_ready (self) || self->state.selected == WP_NO_NODE)
    {
      wp_diagram_area_step (self, 0);
      return;
    }
  self->place.scale = MAX (1, wp_diagram_fit_scale (self->diagram, &self->place));
  wp_diagram_show (self->diagram, &self->place, self->state.selected, TRUE);
  moved (self);
}

static void
open_selection (GtkWidget *widget, const char *action, GVariant *parameter)
{
  WpDiagramArea *self = WP_DIAGRAM_AREA (widget);

  if (self->state.selected != WP_NO_NODE)
    g_signal_emit (self, signals[SIGNAL_NODE_OPENED], 0, self->state.selected);
}

static void
clear (GtkWidget *widget, const char *action, GVariant *parameter)
{
  wp_diagram_area_set_highlight (WP_DIAGRAM_AREA (widget), NULL);
  wp_diagram_area_select (WP_DIAGRAM_AREA (widget), WP_NO_NODE, FALSE);
}

static void
open_menu (GtkWidget *widget, const char *action, GVariant *parameter)
{
  WpDiagramArea *self = WP_DIAGRAM_AREA (widget);
  double x = self->place.width / 2, y = self->place.height / 2;

  if (is_ready (self) && self->state.selected != WP_NO_NODE)
    {
      x = CLAMP ((self->diagram->nodes.data[self->state.selected].x - self->place.x) * self->place.scale, 0, self->place.width);
      y = CLAMP ((self->diagram->nodes.data[self->state.selected].y - self->place.y) * self->place.scale, 0, self->place.height);
    }
  g_signal_emit (self, signals[SIGNAL_MENU_WANTED], 0, self->state.selected, x, y);
}

static const struct
{
  const char *name, *parameter;
  GtkWidgetActionActivateFunc func;
} actions[] = {
  { "canvas.select", "(ii)", select_neighbour },
  { "canvas.zoom", "d", zoom_in_out },
  { "canvas.pan", "d", pan },
  { "canvas.page", "d", page },
  { "canvas.fit-selection", NULL, fit_selection },
  { "canvas.open", NULL, open_selection },
  { "canvas.clear", NULL, clear },
  { "canvas.menu", NULL, open_menu },
};

static void
add_keys (GtkWidgetClass *klass)
{
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    gtk_widget_class_install_action (klass, actions[i].name, actions[i].parameter, actions[i].func);
  wp_picture_class_add_keys (klass);
}

/* --- the widget ---------------------------------------------------------------------------------------------------------------- */

static void
theme_changed (WpDiagramArea *self)
{
  if (self->painter != NULL)
    wp_painter_set_theme (self->painter, wp_current_theme ());
  forget_map (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
wp_diagram_area_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  WpDiagramArea *self = WP_DIAGRAM_AREA (widget);
  gboolean whole = is_ready (self) && self->place.scale <= wp_diagram_fit_scale (self->diagram, &self->place);

  self->place.width = MAX (width, 1);
  self->place.height = MAX (height, 1);
  self->placed = self->placed && !whole;
  place_first (self);
  if (is_ready (self))
    wp_diagram_pan (self->diagram, &self->place, 0, 0);
  wp_context_menus_present (widget);
}

static void
wp_diagram_area_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  WpDiagramArea *self = WP_DIAGRAM_AREA (widget);
  graphene_rect_t area = GRAPHENE_RECT_INIT (0, 0, (float) self->place.width, (float) self->place.height), map;
  cairo_t *cr;

  if (!is_ready (self))
    return;
  gtk_snapshot_push_clip (snapshot, &area);
  cr = gtk_snapshot_append_cairo (snapshot, &area);
  wp_painter_diagram (painter_of (self), cr, self->diagram, &self->place, &self->state);
  if (map_area (self, &map))
    draw_map (self, cr, &map);
  cairo_destroy (cr);
  gtk_snapshot_pop (snapshot);
}

static gboolean
wp_diagram_area_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  WpDiagramArea *self = WP_DIAGRAM_AREA (widget);
  guint32 node = keyboard ? self->state.selected : node_at (self, x, y), edge = keyboard ? WP_NO_NODE : edge_at (self, x, y);
  g_autofree char *text = NULL;

  if ((node == WP_NO_NODE && edge == WP_NO_NODE) || self->describe == NULL || self->dragging || gtk_widget_get_first_child (widget) != NULL)
    return FALSE; /* a menu is not covered */
  text = self->describe (node, edge, self->describe_data);
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle) { x - 1, y - 1, 3, 3 });
  return text != NULL;
}

static void
wp_diagram_area_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (wp_diagram_area_parent_class)->css_changed (widget, change);
  g_clear_pointer (&WP_DIAGRAM_AREA (widget)->painter, wp_painter_free);
}

static void
wp_diagram_area_dispose (GObject *object)
{
  WpDiagramArea *self = WP_DIAGRAM_AREA (object);

  wp_context_menus_remove (GTK_WIDGET (self));
  self->describe = NULL;
  self->diagram = NULL;
  g_clear_pointer (&self->owner, wp_shared_unref);
  g_clear_pointer (&self->painter, wp_painter_free);
  g_clear_pointer (&self->highlight, g_free);
  forget_map (self);
  G_OBJECT_CLASS (wp_diagram_area_parent_class)->dispose (object);
}

static guint
new_signal (const char *name, guint n, const GType types[])
{
  return g_signal_newv (name, WP_TYPE_DIAGRAM_AREA, G_SIGNAL_RUN_LAST, NULL, NULL, NULL, NULL, G_TYPE_NONE, n, (GType *) types);
}

static void
wp_diagram_area_class_init (WpDiagramAreaClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GType menu_types[] = { G_TYPE_UINT, G_TYPE_DOUBLE, G_TYPE_DOUBLE };

  G_OBJECT_CLASS (klass)->dispose = wp_diagram_area_dispose;
  widget_class->size_allocate = wp_diagram_area_size_allocate;
  widget_class->measure = wp_picture_measure;
  widget_class->snapshot = wp_diagram_area_snapshot;
  widget_class->query_tooltip = wp_diagram_area_query_tooltip;
  widget_class->css_changed = wp_diagram_area_css_changed;
  signals[SIGNAL_NODE_SELECTED] = new_signal ("node-selected", 1, menu_types);
  signals[SIGNAL_NODE_OPENED] = new_signal ("node-opened", 1, menu_types);
  signals[SIGNAL_MENU_WANTED] = new_signal ("menu-wanted", 3, menu_types);
  signals[SIGNAL_PLACE_CHANGED] = new_signal ("place-changed", 0, NULL);
  gtk_widget_class_set_css_name (widget_class, "wpcanvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  add_keys (widget_class);
}

static void
wp_diagram_area_init (WpDiagramArea *self)
{
  self->state = (WpDiagramState) WP_DIAGRAM_STATE_DEFAULT;
  self->pointer_x = self->pointer_y = -1;
  self->place.scale = 1;
  wp_picture_init (GTK_WIDGET (self), G_CALLBACK (theme_changed));
  add_controllers (self);
}

GtkWidget *
wp_diagram_area_new (void)
{
  return g_object_new (WP_TYPE_DIAGRAM_AREA, NULL);
}
