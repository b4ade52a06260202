/* The canvas: what it shows. Where it is, is in canvas-place.c; pointer and keyboard are in canvas-input.c and canvas-keys.c. */
#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "app/canvas/canvas-private.h"
#include "app/canvas/picture-widget.h"
#include "app/widgets/context-menu.h"

enum
{
  SIGNAL_BOX_SELECTED,
  SIGNAL_BOX_OPENED,
  SIGNAL_RANGE_MARKED,
  SIGNAL_MEASURED,
  SIGNAL_PLACE_CHANGED,
  SIGNAL_PLACE_KEPT,
  SIGNAL_MENU_WANTED,
  SIGNAL_CLEARED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpCanvas, wp_canvas, GTK_TYPE_WIDGET)

const WpRows *
wp_canvas_rows (WpCanvas *self)
{
  return wp_shared_get (self->rows);
}

WpShared *
wp_canvas_shared_rows (WpCanvas *self)
{
  return self->rows;
}

const WpViewport *
wp_canvas_viewport (WpCanvas *self)
{
  return &self->viewport;
}

WpTheme
wp_current_theme (void)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  gboolean dark = adw_style_manager_get_dark (style);

  if (adw_style_manager_get_high_contrast (style))
    return dark ? WP_THEME_DARK_CONTRAST : WP_THEME_LIGHT_CONTRAST;
  return dark ? WP_THEME_DARK : WP_THEME_LIGHT;
}

WpPainter *
wp_canvas_painter (WpCanvas *self)
{
  if (self->painter == NULL)
    {
      PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));

      self->painter = wp_painter_new (context, wp_current_theme ());
      wp_painter_set_colors (self->painter, self->colors);
      wp_painter_set_origin (self->painter, self->origin);
      g_clear_pointer (&self->font, pango_font_description_free);
      self->font = pango_font_description_copy (pango_context_get_font_description (context));
    }
  return self->painter;
}

double
wp_canvas_content_height (WpCanvas *self)
{
  const WpRows *rows = wp_canvas_rows (self);

  return rows != NULL ? wp_rows_y (rows, &self->viewport, rows->rows.len) : 0;
}

static void
theme_changed (WpCanvas *self)
{
  if (self->painter != NULL)
    wp_painter_set_theme (self->painter, wp_current_theme ());
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SIGNAL_PLACE_CHANGED], 0);
}

void
wp_canvas_set_colors (WpCanvas *self, WpColors colors)
{
  self->colors = colors;
  if (self->painter != NULL)
    wp_painter_set_colors (self->painter, colors);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SIGNAL_PLACE_CHANGED], 0);
}

void
wp_canvas_set_origin (WpCanvas *self, gint64 origin)
{
  if (self->origin == origin)
    return;
  self->origin = origin;
  if (self->painter != NULL)
    wp_painter_set_origin (self->painter, origin);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SIGNAL_PLACE_CHANGED], 0);
}

/* --- boxes --- */

guint
wp_canvas_box_at (WpCanvas *self, double x, double y)
{
  static const double near[] = { 0, -1, 1, -2, 2, -3, 3 };
  const WpRows *rows = wp_canvas_rows (self);
  guint32 row, box = WP_NO_BOX;

  if (!wp_canvas_ready (self) || x < 0 || y < 0)
    return WP_NO_BOX;
  row = wp_rows_row_at_y (rows, &self->viewport, y + self->viewport.y);
  if (row >= rows->rows.len)
    return WP_NO_BOX;
  for (guint i = 0; i < G_N_ELEMENTS (near) && box == WP_NO_BOX; i++)
    box = wp_rows_box_at (rows, row, (gint64) wp_viewport_time (&self->viewport, x + near[i]));
  return box;
}

guint
wp_canvas_selected (WpCanvas *self)
{
  return self->state.selected;
}

static void
tell_assistive_technology (WpCanvas *self)
{
  g_autofree char *text = NULL;

  if (self->state.selected != WP_NO_BOX && self->describe != NULL)
    text = self->describe (self->state.selected, self->selected_time, self->describe_data);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text != NULL ? text : _("Nothing is selected"), -1);
}

static void
set_selected (WpCanvas *self, guint box, double time)
{
  gboolean same_time = time == self->selected_time || (isnan (time) && isnan (self->selected_time));

  if (self->state.selected == box && same_time)
    return;
  self->state.selected = box;
  self->selected_time = time;
  tell_assistive_technology (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, signals[SIGNAL_BOX_SELECTED], 0, box);
}

void
wp_canvas_select (WpCanvas *self, guint box, gboolean show)
{
  const WpRows *rows = wp_canvas_rows (self);

  if (rows == NULL || box >= rows->boxes.len)
    box = WP_NO_BOX;
  if (show && box != WP_NO_BOX && wp_canvas_ready (self))
    wp_canvas_reveal (self, box);
  set_selected (self, box, NAN);
}

void
wp_canvas_select_at (WpCanvas *self, guint box, double time, gboolean show)
{
  const WpRows *rows = wp_canvas_rows (self);

  if (rows == NULL || box >= rows->boxes.len)
    {
      set_selected (self, WP_NO_BOX, NAN);
      return;
    }
  if (show && wp_canvas_ready (self))
    wp_canvas_reveal (self, box);
  set_selected (self, box, CLAMP (time, (double) rows->boxes.data[box].start, (double) rows->boxes.data[box].end - 1));
}

void
wp_canvas_selected_range (WpCanvas *self, double *start, double *end)
{
  *start = isnan (self->selected_time) ? self->viewport.start : self->selected_time;
  *end = isnan (self->selected_time) ? self->viewport.end : self->selected_time + 1;
}

double
wp_canvas_selected_moment (WpCanvas *self)
{
  return self->selected_time;
}

gboolean
wp_canvas_is_fold (WpCanvas *self, guint box, double x, double y)
{
  cairo_rectangle_t place;

  return self->state.folds && box != WP_NO_BOX
         && wp_painter_fold_mark (wp_canvas_painter (self), wp_canvas_rows (self), &self->viewport, box, &place)
         && x >= place.x && x < place.x + place.width && y >= place.y && y < place.y + place.height;
}

void
wp_canvas_hover (WpCanvas *self, guint box, gboolean fold)
{
  if (self->state.hovered == box && self->state.fold_hovered == fold)
    return;
  if (self->state.fold_hovered != fold)
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self), fold ? "pointer" : NULL);
  self->state.hovered = box;
  self->state.fold_hovered = fold;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
wp_canvas_set_highlight (WpCanvas *self, guint8 *boxes)
{
  g_free (self->highlight);
  self->highlight = boxes;
  self->state.highlight = boxes;
  wp_canvas_forget_picture (self);
}

void
wp_canvas_set_lines (WpCanvas *self, gboolean lines)
{
  self->state.lines = lines;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

const WpPaintState *
wp_canvas_state (WpCanvas *self)
{
  return &self->state;
}

gboolean
wp_canvas_mark (WpCanvas *self, double *start, double *end)
{
  *start = self->state.mark_start;
  *end = self->state.mark_end;
  return *end > *start;
}

void
wp_canvas_set_mark (WpCanvas *self, double start, double end)
{
  self->state.mark_start = MIN (start, end);
  self->state.mark_end = MAX (start, end);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
wp_canvas_clear (WpCanvas *self)
{
  if (self->state.mark_end > self->state.mark_start)
    {
      wp_canvas_set_mark (self, 0, 0);
      wp_canvas_emit_marked (self);
      return;
    }
  wp_canvas_set_highlight (self, NULL);
  wp_canvas_select (self, WP_NO_BOX, FALSE);
  g_signal_emit (self, signals[SIGNAL_CLEARED], 0);
}

void
wp_canvas_emit_place_changed (WpCanvas *self)
{
  g_signal_emit (self, signals[SIGNAL_PLACE_CHANGED], 0);
}

void
wp_canvas_emit_place_kept (WpCanvas *self)
{
  g_signal_emit (self, signals[SIGNAL_PLACE_KEPT], 0);
}

void
wp_canvas_emit_opened (WpCanvas *self, guint box)
{
  if (box != WP_NO_BOX)
    g_signal_emit (self, signals[SIGNAL_BOX_OPENED], 0, box);
}

void
wp_canvas_emit_menu (WpCanvas *self, guint box, double x, double y)
{
  g_signal_emit (self, signals[SIGNAL_MENU_WANTED], 0, box, x, y);
}

void
wp_canvas_emit_marked (WpCanvas *self)
{
  g_signal_emit (self, signals[SIGNAL_RANGE_MARKED], 0);
}

void
wp_canvas_emit_measured (WpCanvas *self, guint box)
{
  g_signal_emit (self, signals[SIGNAL_MEASURED], 0, box);
}

void
wp_canvas_set_band (WpCanvas *self, double start, double end)
{
  self->state.band_start = start;
  self->state.band_end = end;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
wp_canvas_set_describe (WpCanvas *self, WpDescribeFunc func, gpointer user_data)
{
  self->describe = func;
  self->describe_data = user_data;
}

void
wp_canvas_set_folds (WpCanvas *self, WpDescribeFunc func, const char *action)
{
  self->describe_fold = func;
  self->open_fold = action;
  self->state.folds = func != NULL;
}

void
wp_canvas_set_rows (WpCanvas *self, WpShared *rows, gboolean keep_place)
{
  WpShared *old = self->rows;
  WpPaintState before = self->state;

  wp_canvas_select (self, WP_NO_BOX, FALSE);
  wp_canvas_hover (self, WP_NO_BOX, FALSE);
  self->state = WP_PAINT_STATE_DEFAULT;
  self->state.lines = before.lines;
  self->state.folds = before.folds;
  if (keep_place && rows != NULL)
    {
      self->state.mark_start = before.mark_start;
      self->state.mark_end = before.mark_end;
    }
  wp_canvas_set_highlight (self, NULL);
  g_clear_handle_id (&self->trail_source, g_source_remove);
  self->rows = wp_shared_ref (rows);
  wp_shared_unref (old);
  g_clear_pointer (&self->painter, wp_painter_free); /* its caches are of the old rows */
  wp_canvas_forget_picture (self);

  if (!keep_place || rows == NULL)
    self->placed = FALSE;
  wp_canvas_size_rows (self);
  wp_canvas_place_first (self);
  wp_canvas_snap (self);
  g_signal_emit (self, signals[SIGNAL_PLACE_CHANGED], 0);
}

/* --- the widget --- */

static void
wp_canvas_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  WpCanvas *self = WP_CANVAS (widget);

  self->viewport.width = MAX (width, 1);
  if (self->placed && wp_canvas_ready (self))
    wp_canvas_keep_bottom (self, MAX (height, 1));
  self->viewport.height = MAX (height, 1);
  wp_canvas_size_rows (self);
  wp_canvas_place_first (self);
  wp_canvas_snap (self);
  wp_context_menus_present (widget);
  g_signal_emit (self, signals[SIGNAL_PLACE_CHANGED], 0);
}

/* What is not seen takes no memory for its pixels. */
static void
wp_canvas_unmap (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (wp_canvas_parent_class)->unmap (widget);
  wp_canvas_forget_picture (WP_CANVAS (widget));
}

static gboolean
wp_canvas_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  WpCanvas *self = WP_CANVAS (widget);
  guint box = keyboard ? self->state.selected : wp_canvas_box_at (self, x, y);
  g_autofree char *text = NULL;
  double time;

  if (box == WP_NO_BOX || self->describe == NULL || self->drag != WP_DRAG_NONE || gtk_widget_get_first_child (widget) != NULL)
    return FALSE; /* a menu is not covered */
  time = keyboard ? self->selected_time : wp_viewport_time (&self->viewport, x);
  text = (!keyboard && wp_canvas_is_fold (self, box, x, y) ? self->describe_fold : self->describe) (box, time, self->describe_data);
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle) { x - 1, y - 1, 3, 3 });
  return text != NULL;
}

static void
wp_canvas_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  WpCanvas *self = WP_CANVAS (widget);
  PangoContext *context = gtk_widget_get_pango_context (widget);

  GTK_WIDGET_CLASS (wp_canvas_parent_class)->css_changed (widget, change);
  if (self->font != NULL && !pango_font_description_equal (self->font, pango_context_get_font_description (context)))
    {
      g_clear_pointer (&self->painter, wp_painter_free);
      wp_canvas_forget_picture (self);
    }
}

static void
wp_canvas_dispose (GObject *object)
{
  WpCanvas *self = WP_CANVAS (object);

  wp_context_menus_remove (GTK_WIDGET (self));
  self->describe = NULL;
  g_clear_handle_id (&self->trail_source, g_source_remove);
  g_clear_pointer (&self->painter, wp_painter_free);
  wp_canvas_forget_picture (self);
  g_clear_pointer (&self->rows, wp_shared_unref);
  g_clear_pointer (&self->highlight, g_free);
  G_OBJECT_CLASS (wp_canvas_parent_class)->dispose (object);
}

static void
wp_canvas_finalize (GObject *object)
{
  WpCanvas *self = WP_CANVAS (object);

  wp_plate_free (self->plate);
  wp_zoom_trail_free (self->trail);
  g_clear_pointer (&self->font, pango_font_description_free);
  G_OBJECT_CLASS (wp_canvas_parent_class)->finalize (object);
}

static guint
new_signal (const char *name, guint n, const GType types[])
{
  return g_signal_newv (name, WP_TYPE_CANVAS, G_SIGNAL_RUN_LAST, NULL, NULL, NULL, NULL, G_TYPE_NONE, n, (GType *) types);
}

static void
wp_canvas_class_init (WpCanvasClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GType menu_types[] = { G_TYPE_UINT, G_TYPE_DOUBLE, G_TYPE_DOUBLE };

  object_class->dispose = wp_canvas_dispose;
  object_class->finalize = wp_canvas_finalize;
  widget_class->size_allocate = wp_canvas_size_allocate;
  widget_class->measure = wp_picture_measure;
  widget_class->unmap = wp_canvas_unmap;
  widget_class->snapshot = wp_canvas_snapshot;
  widget_class->query_tooltip = wp_canvas_query_tooltip;
  widget_class->css_changed = wp_canvas_css_changed;

  signals[SIGNAL_BOX_SELECTED] = new_signal ("box-selected", 1, menu_types);
  signals[SIGNAL_BOX_OPENED] = new_signal ("box-opened", 1, menu_types);
  signals[SIGNAL_RANGE_MARKED] = new_signal ("range-marked", 0, NULL);
  signals[SIGNAL_MEASURED] = new_signal ("measured", 1, menu_types);
  signals[SIGNAL_PLACE_CHANGED] = new_signal ("place-changed", 0, NULL);
  signals[SIGNAL_PLACE_KEPT] = new_signal ("place-kept", 0, NULL);
  signals[SIGNAL_MENU_WANTED] = new_signal ("menu-wanted", 3, menu_types);
  signals[SIGNAL_CLEARED] = new_signal ("cleared", 0, NULL);

  gtk_widget_class_set_css_name (widget_class, "wpcanvas");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  wp_canvas_class_add_keys (widget_class);
}

static void
wp_canvas_init (WpCanvas *self)
{
  self->plate = wp_plate_new ();
  self->state = WP_PAINT_STATE_DEFAULT;
  self->viewport = (WpViewport) { .end = 1, .width = 0, .height = 0, .row_height = 1 };
  wp_canvas_size_rows (self);
  self->trail = wp_zoom_trail_new ();
  self->pointer_x = self->pointer_y = -1;
  self->selected_time = NAN;
  wp_picture_init (GTK_WIDGET (self), G_CALLBACK (theme_changed));
  wp_canvas_add_controllers (self);
}

GtkWidget *
wp_canvas_new (void)
{
  return g_object_new (WP_TYPE_CANVAS, NULL);
}
