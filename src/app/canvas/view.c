#include "app/canvas/view.h"

#include <glib/gi18n.h>

#include "app/canvas/picture-widget.h"
#include "app/canvas/row-names.h"
#include "app/widgets/status-page.h"
#include "trace/notes.h"

#define AXIS_HEIGHT 24
#define MINIMAP_HEIGHT 40
#define LEGEND_HEIGHT 28
#define TELL_MS 200 /* what moves is not told in each frame */

struct _WpView
{
  AdwBin parent_instance;

  GtkStack *stack; /* "rows", "empty", "busy" */
  GtkBox *toolbar;
  WpCanvas *canvas;
  WpStrip *strip;
  GtkWidget *axis, *minimap, *names, *corner, *legend, *scrollbar;
  GtkAdjustment *adjustment;
  AdwStatusPage *empty, *busy;
  GtkWidget *offer; /* of `empty` */
  guint sizing;    /* source: the legend will be measured, 0 = not */
  guint telling;   /* source: assistive technology will be told what is seen, 0 = not */
  GtkProgressBar *progress;
  gboolean has_names, shows_strip;
  WP_ARRAY (gint64) note_times; /* of flags, and what is said of each */
  GPtrArray *note_texts;
};

enum
{
  SIGNAL_ROW_OPENED,
  SIGNAL_NOTE_OPENED,
  SIGNAL_CANCELLED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpView, wp_view, ADW_TYPE_BIN)

WpCanvas *
wp_view_canvas (WpView *self)
{
  return self->canvas;
}

WpStrip *
wp_view_strip (WpView *self)
{
  return self->strip;
}

GtkBox *
wp_view_toolbar (WpView *self)
{
  return self->toolbar;
}

/* --- what is drawn beside the canvas --- */

/* Of the axis, or with `whole` of the overview. */
static WpFlags
flags_of (WpView *self, gboolean whole, double width, double height)
{
  const WpRows *rows = wp_canvas_rows (self->canvas);
  const WpViewport *viewport = wp_canvas_viewport (self->canvas);
  WpFlags flags = { .times = self->note_times.data, .n = rows != NULL && rows->is_time ? self->note_times.len : 0,
                    .from = viewport->start, .to = viewport->end, .width = width, .height = height };

  if (whole && rows != NULL)
    {
      flags.from = (double) rows->start;
      flags.to = (double) rows->end;
    }
  return flags;
}

static void
draw_axis (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  WpView *self = data;
  const WpRows *rows = wp_canvas_rows (self->canvas);

  if (rows != NULL)
    {
      const WpFlags flags = flags_of (self, FALSE, width, height);

      wp_painter_axis (wp_canvas_painter (self->canvas), cr, rows, wp_canvas_viewport (self->canvas), height);
      wp_painter_flags (wp_canvas_painter (self->canvas), cr, &flags);
    }
}

static void
draw_minimap (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  WpView *self = data;
  const WpRows *rows = wp_canvas_rows (self->canvas);

  if (rows != NULL)
    {
      const WpFlags flags = flags_of (self, TRUE, width, height);

      wp_painter_minimap (wp_canvas_painter (self->canvas), cr, rows, wp_canvas_viewport (self->canvas), width, height);
      wp_painter_flags (wp_canvas_painter (self->canvas), cr, &flags);
    }
}

static gboolean
on_axis_tooltip (GtkWidget *axis, int x, int y, gboolean keyboard, GtkTooltip *tooltip, WpView *self)
{
  const WpFlags flags = flags_of (self, FALSE, gtk_widget_get_width (axis), gtk_widget_get_height (axis));
  guint note = keyboard ? G_MAXUINT : wp_flags_at (&flags, x);

  if (note == G_MAXUINT)
    return FALSE;
  gtk_tooltip_set_text (tooltip, g_ptr_array_index (self->note_texts, note));
  return TRUE;
}

static void
on_axis_clicked (GtkGestureClick *click, int presses, double x, double y, WpView *self)
{
  const WpFlags flags = flags_of (self, FALSE, gtk_widget_get_width (self->axis), gtk_widget_get_height (self->axis));
  guint note = wp_flags_at (&flags, x);

  if (note != G_MAXUINT)
    g_signal_emit (self, signals[SIGNAL_NOTE_OPENED], 0, note);
}

static void
draw_legend (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  WpView *self = data;
  const WpRows *rows = wp_canvas_rows (self->canvas);

  if (rows != NULL)
    wp_painter_legend_lines (wp_canvas_painter (self->canvas), cr, rows, width, LEGEND_HEIGHT);
}

static gboolean
on_legend_tooltip (GtkWidget *legend, int x, int y, gboolean keyboard, GtkTooltip *tooltip, WpView *self)
{
  const WpRows *rows = wp_canvas_rows (self->canvas);
  const char *help = rows == NULL || keyboard ? NULL
                     : wp_painter_legend_help (wp_canvas_painter (self->canvas), rows, gtk_widget_get_width (legend), LEGEND_HEIGHT, x, y);

  gtk_tooltip_set_text (tooltip, help);
  return help != NULL;
}

/* As many lines as the legend needs at this width. */
static void
size_legend (WpView *self)
{
  const WpRows *rows = wp_canvas_rows (self->canvas);
  int width = gtk_widget_get_width (self->legend), height = LEGEND_HEIGHT;

  if (rows != NULL && width > 0)
    height = (int) wp_painter_legend_lines (wp_canvas_painter (self->canvas), NULL, rows, width, LEGEND_HEIGHT);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (self->legend), height);
}

static gboolean
size_legend_later (gpointer data)
{
  WpView *self = data;

  self->sizing = 0;
  size_legend (self);
  return G_SOURCE_REMOVE;
}

/* Sizes are being given out just now: asking for another one has to wait. */
static void
on_legend_resized (GtkDrawingArea *area, int width, int height, WpView *self)
{
  if (self->sizing == 0)
    self->sizing = g_idle_add_full (G_PRIORITY_HIGH_IDLE, size_legend_later, self, NULL);
}

static void
tell_words (GtkWidget *area, const char *words)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (area), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, words, -1);
}

/* Where one is, and the notes that stand there. */
static void
tell_axis (WpView *self, const char *place)
{
  g_autoptr (GString) text = g_string_new (place);

  for (guint i = 0; i < self->note_texts->len; i++)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", (const char *) g_ptr_array_index (self->note_texts, i));
  tell_words (self->axis, text->str);
}

static gboolean
tell (gpointer data)
{
  WpView *self = data;
  const WpRows *rows = wp_canvas_rows (self->canvas);
  g_autofree char *place = rows != NULL ? wp_painter_place_words (wp_canvas_painter (self->canvas), rows, wp_canvas_viewport (self->canvas)) : g_strdup ("");
  g_autofree char *legend = rows != NULL ? wp_painter_legend_words (wp_canvas_painter (self->canvas), rows) : g_strdup ("");

  self->telling = 0;
  tell_axis (self, place);
  tell_words (self->minimap, place);
  tell_words (self->legend, legend);
  return G_SOURCE_REMOVE;
}

static void
tell_later (WpView *self)
{
  if (self->telling == 0)
    self->telling = g_timeout_add (TELL_MS, tell, self);
}

void
wp_view_set_notes (WpView *self, const GArray *notes)
{
  self->note_times.len = 0;
  g_ptr_array_set_size (self->note_texts, 0);
  for (guint i = 0; i < notes->len; i++)
    {
      const WpNote *note = &g_array_index (notes, WpNote, i);

      wp_array_push (&self->note_times, note->time);
      g_ptr_array_add (self->note_texts, g_strdup (note->text));
    }
  tell_later (self);
  gtk_widget_queue_draw (self->axis);
  gtk_widget_queue_draw (self->minimap);
}

static void
on_place_changed (WpCanvas *canvas, WpView *self)
{
  const WpViewport *viewport = wp_canvas_viewport (canvas);
  double height = wp_canvas_content_height (canvas);

  gtk_widget_queue_draw (self->axis);
  gtk_widget_queue_draw (self->minimap);
  gtk_widget_queue_draw (self->legend);
  gtk_adjustment_configure (self->adjustment, viewport->y, 0, MAX (height, viewport->height), viewport->row_height * 3,
                            viewport->height * 0.8, viewport->height);
  gtk_widget_set_opacity (self->scrollbar, height > viewport->height + 0.5 ? 1 : 0);
  tell_later (self);
}

static void
on_scrolled (GtkAdjustment *adjustment, WpView *self)
{
  wp_canvas_set_y (self->canvas, gtk_adjustment_get_value (adjustment));
}

static void
move_by_minimap (WpView *self, double x)
{
  const WpRows *rows = wp_canvas_rows (self->canvas);
  int width = gtk_widget_get_width (self->minimap);

  if (rows != NULL && width > 0)
    wp_canvas_center (self->canvas, rows->start + CLAMP (x / width, 0, 1) * (double) (rows->end - rows->start));
}

static void
on_minimap_begin (GtkGestureDrag *gesture, double x, double y, WpView *self)
{
  move_by_minimap (self, x);
}

static void
on_minimap_update (GtkGestureDrag *gesture, double dx, double dy, WpView *self)
{
  double x = 0, y = 0;

  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  move_by_minimap (self, x + dx);
}

static gboolean
on_minimap_scroll (GtkEventControllerScroll *controller, double dx, double dy, WpView *self)
{
  wp_canvas_zoom (self->canvas, pow (WP_WHEEL_ZOOM, -wp_scroll_notches (controller, dy)));
  return GDK_EVENT_STOP;
}

static void
on_name_clicked (GtkWidget *names, guint row, WpView *self)
{
  g_signal_emit (self, signals[SIGNAL_ROW_OPENED], 0, row);
}

static void
on_cancel (GtkButton *button, WpView *self)
{
  g_signal_emit (self, signals[SIGNAL_CANCELLED], 0);
}

/* --- pages --- */

/* A single name (a flame view of one lane) says nothing that the picture does not. */
static gboolean
has_names (const WpRows *rows)
{
  guint n = 0;

  for (guint32 i = 0; i < rows->rows.len && n < 2; i++)
    n += rows->rows.data[i].label != 0;
  return n > 1 || (n == 1 && rows->rows.len == 1);
}

/* A chain of one is none. */
static void
place_beside (WpView *self)
{
  const WpRows *strip = wp_shared_get (wp_strip_shared_rows (self->strip));
  gboolean shown = self->shows_strip && strip != NULL && strip->rows.len > 1;

  gtk_widget_set_visible (GTK_WIDGET (self->strip), shown);
  gtk_widget_set_visible (wp_strip_names (self->strip), shown);
  gtk_widget_set_visible (self->names, self->has_names);
  gtk_widget_set_visible (self->corner, self->has_names || shown);
}

void
wp_view_set_strip (WpView *self, WpShared *rows, const char *description)
{
  wp_strip_set_rows (self->strip, rows, description);
  place_beside (self);
}

void
wp_view_show_strip (WpView *self, gboolean shown)
{
  self->shows_strip = shown;
  place_beside (self);
}

void
wp_view_set_rows (WpView *self, WpShared *rows, gboolean keep_place)
{
  const WpRows *r = wp_shared_get (rows);

  self->has_names = r != NULL && has_names (r);
  wp_canvas_set_rows (self->canvas, rows, keep_place);
  size_legend (self);
  place_beside (self);
  gtk_stack_set_visible_child_name (self->stack, rows != NULL ? "rows" : "empty");
}

void
wp_view_show_empty (WpView *self, const char *icon, const char *title, const char *text)
{
  wp_status_page_set (self->empty, icon, title, text);
  gtk_widget_set_visible (self->offer, FALSE);
  gtk_stack_set_visible_child_name (self->stack, "empty");
}

/* The target comes first: an action without the one that it wants is warned of. */
void
wp_view_offer (WpView *self, const char *label, const char *action)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;

  g_return_if_fail (g_action_parse_detailed_name (action, &name, &target, NULL));
  gtk_button_set_label (GTK_BUTTON (self->offer), label);
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (self->offer), target);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->offer), name);
  gtk_widget_set_visible (self->offer, TRUE);
}

void
wp_view_show_busy (WpView *self, const char *title, double fraction)
{
  adw_status_page_set_title (self->busy, title);
  if (fraction < 0)
    gtk_progress_bar_pulse (self->progress);
  else
    gtk_progress_bar_set_fraction (self->progress, fraction);
  gtk_stack_set_visible_child_name (self->stack, "busy");
}

gboolean
wp_view_has_boxes (WpView *self)
{
  const WpRows *rows = wp_canvas_rows (self->canvas);

  return rows != NULL && rows->boxes.len > 0 && g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "rows") == 0;
}

void
wp_view_set_colors (WpView *self, WpColors colors)
{
  wp_canvas_set_colors (self->canvas, colors);
  gtk_widget_queue_draw (GTK_WIDGET (self->strip));
  size_legend (self);
  tell_later (self);
}

void
wp_view_choose_row (WpView *self, gint32 key)
{
  wp_row_names_choose (WP_ROW_NAMES (self->names), key);
}

void
wp_view_set_legend (WpView *self, gboolean legend)
{
  gtk_widget_set_visible (self->legend, legend);
}

/* --- building --- */

static GtkWidget *
new_area (WpView *self, GtkDrawingAreaDrawFunc draw, int height, const char *name, const char *css_class)
{
  GtkWidget *area = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);

  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area), height);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw, self, NULL);
  gtk_widget_set_hexpand (area, TRUE);
  gtk_widget_add_css_class (area, css_class);
  gtk_accessible_update_property (GTK_ACCESSIBLE (area), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return area;
}

static void
add_axis_controllers (WpView *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  g_signal_connect (click, "released", G_CALLBACK (on_axis_clicked), self);
  gtk_widget_add_controller (self->axis, GTK_EVENT_CONTROLLER (click));
  gtk_widget_set_has_tooltip (self->axis, TRUE);
  g_signal_connect_object (self->axis, "query-tooltip", G_CALLBACK (on_axis_tooltip), self, 0);
}

static void
add_minimap_controllers (WpView *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);

  g_signal_connect (drag, "drag-begin", G_CALLBACK (on_minimap_begin), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (on_minimap_update), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (on_minimap_scroll), self);
  gtk_widget_add_controller (self->minimap, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (self->minimap, scroll);
}

static GtkWidget *
build_rows (WpView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *grid = gtk_grid_new ();

  self->toolbar = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6));
  gtk_widget_add_css_class (GTK_WIDGET (self->toolbar), "view-toolbar");
  gtk_grid_attach (GTK_GRID (grid), self->corner, 0, 0, 1, 2);
  gtk_widget_add_css_class (grid, "view-grid");
  gtk_grid_attach (GTK_GRID (grid), self->minimap, 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), self->axis, 1, 1, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), wp_strip_names (self->strip), 0, 2, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), GTK_WIDGET (self->strip), 1, 2, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), self->names, 0, 3, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), GTK_WIDGET (self->canvas), 1, 3, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), self->scrollbar, 2, 3, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), self->legend, 0, 4, 3, 1);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->toolbar));
  gtk_box_append (GTK_BOX (box), grid);
  return box;
}

static GtkWidget *
build_busy (WpView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  GtkWidget *cancel = gtk_button_new_with_label (_("Cancel"));

  self->progress = GTK_PROGRESS_BAR (gtk_progress_bar_new ());
  gtk_widget_set_size_request (GTK_WIDGET (self->progress), 240, -1);
  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_halign (cancel, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (cancel, "pill");
  g_signal_connect (cancel, "clicked", G_CALLBACK (on_cancel), self);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->progress));
  gtk_box_append (GTK_BOX (box), cancel);

  self->busy = ADW_STATUS_PAGE (adw_status_page_new ());
  adw_status_page_set_child (self->busy, box);
  return GTK_WIDGET (self->busy);
}

static void
wp_view_dispose (GObject *object)
{
  g_clear_handle_id (&WP_VIEW (object)->sizing, g_source_remove);
  g_clear_handle_id (&WP_VIEW (object)->telling, g_source_remove);
  G_OBJECT_CLASS (wp_view_parent_class)->dispose (object);
}

static void
wp_view_finalize (GObject *object)
{
  WpView *self = WP_VIEW (object);

  wp_array_clear (&self->note_times);
  g_ptr_array_unref (self->note_texts);
  G_OBJECT_CLASS (wp_view_parent_class)->finalize (object);
}

static void
wp_view_class_init (WpViewClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = wp_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_view_finalize;
  signals[SIGNAL_NOTE_OPENED]
    = g_signal_new ("note-opened", WP_TYPE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[SIGNAL_ROW_OPENED]
    = g_signal_new ("row-opened", WP_TYPE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[SIGNAL_CANCELLED]
    = g_signal_new ("cancelled", WP_TYPE_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
wp_view_init (WpView *self)
{
  self->note_texts = g_ptr_array_new_with_free_func (g_free);
  self->canvas = WP_CANVAS (wp_canvas_new ());
  self->axis = new_area (self, draw_axis, AXIS_HEIGHT, _("Axis"), "axis");
  self->minimap = new_area (self, draw_minimap, MINIMAP_HEIGHT, _("Overview"), "minimap");
  self->legend = new_area (self, draw_legend, LEGEND_HEIGHT, _("Legend"), "legend");
  g_signal_connect_object (self->legend, "resize", G_CALLBACK (on_legend_resized), self, 0);
  gtk_widget_set_has_tooltip (self->legend, TRUE);
  g_signal_connect_object (self->legend, "query-tooltip", G_CALLBACK (on_legend_tooltip), self, 0);
  self->strip = WP_STRIP (wp_strip_new (self->canvas));
  self->names = wp_row_names_new (self->canvas);
  self->corner = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->corner, "corner");
  self->adjustment = gtk_adjustment_new (0, 0, 1, 1, 1, 1);
  self->scrollbar = gtk_scrollbar_new (GTK_ORIENTATION_VERTICAL, self->adjustment);
  add_axis_controllers (self);
  add_minimap_controllers (self);
  g_signal_connect_object (self->canvas, "place-changed", G_CALLBACK (on_place_changed), self, 0);
  g_signal_connect_object (self->names, "row-opened", G_CALLBACK (on_name_clicked), self, 0);
  g_signal_connect_object (self->adjustment, "value-changed", G_CALLBACK (on_scrolled), self, 0);

  self->empty = ADW_STATUS_PAGE (adw_status_page_new ());
  self->offer = gtk_button_new ();
  gtk_widget_set_halign (self->offer, GTK_ALIGN_CENTER);
  gtk_widget_set_visible (self->offer, FALSE);
  gtk_widget_add_css_class (self->offer, "pill");
  adw_status_page_set_child (self->empty, self->offer);
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->empty), "empty");
  gtk_stack_add_named (self->stack, build_rows (self), "rows");
  gtk_stack_add_named (self->stack, build_busy (self), "busy");
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->stack));
}

GtkWidget *
wp_view_new (const char *name)
{
  WpView *self = g_object_new (WP_TYPE_VIEW, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self->canvas), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return GTK_WIDGET (self);
}
