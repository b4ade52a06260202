/* The window's widgets in one process: canvas, row names, explanation table, messages. Needs a display. */
#include <adwaita.h>

#include "app/canvas/canvas.h"
#include "app/canvas/picture-widget.h"
#include "app/canvas/row-names.h"
#include "app/page/explanation-panel.h"
#include "app/page/search-bar.h"
#include "app/page/table-row.h"
#include "app/stacks/label-list.h"
#include "app/widgets/toast.h"
#include "main-loop.h"
#include "stacks/maker.h"
#include "workspace-model.h"

#define ROWS 40
#define BOXES 50 /* a row, 100 ns each with 20 ns between */

/* --- rows, windows, waiting --- */

static WpShared *
new_rows_of (guint n_rows, guint n_boxes)
{
  WpRows *rows = wp_rows_new ();

  rows->is_time = TRUE;
  for (guint r = 0; r < n_rows; r++)
    {
      g_autofree char *name = g_strdup_printf ("task %u", r);
      WpRow row = { .first = rows->boxes.len, .n = n_boxes, .label = wp_strings_intern (rows->strings, name) };

      for (guint b = 0; b < n_boxes; b++)
        wp_array_push (&rows->boxes, ((WpBox) { .start = b * 120, .end = b * 120 + 100, .label = row.label }));
      wp_array_push (&rows->rows, row);
    }
  wp_rows_finish (rows);
  return wp_shared_new (rows, (GDestroyNotify) wp_rows_free);
}

static WpShared *
new_rows (void)
{
  return new_rows_of (ROWS, BOXES);
}

static GtkWidget *
show_widget (GtkWidget *widget)
{
  GtkWidget *window = gtk_window_new ();

  gtk_window_set_default_size (GTK_WINDOW (window), 1000, 400);
  gtk_window_set_child (GTK_WINDOW (window), widget);
  gtk_window_present (GTK_WINDOW (window));
  RUN_UNTIL (gtk_widget_get_width (widget) >= 100 && gtk_widget_get_mapped (widget));
  return window;
}

typedef struct
{
  GtkWidget *window;
  WpCanvas *canvas;
  guint selections, opened, marks;
} Fixture;

static void
on_selected (WpCanvas *canvas, guint box, Fixture *f)
{
  f->selections++;
}

static void
on_opened (WpCanvas *canvas, guint box, Fixture *f)
{
  f->opened = box;
}

static void
on_marked (WpCanvas *canvas, Fixture *f)
{
  f->marks++;
}

static char *
describe (guint box, double time, gpointer data)
{
  return g_strdup_printf ("box %u", box);
}

static gboolean
has_tooltip (Fixture *f, int x, int y)
{
  g_autoptr (GtkTooltip) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean shown;

  g_signal_emit_by_name (f->canvas, "query-tooltip", x, y, FALSE, tooltip, &shown);
  return shown;
}

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (WpShared) rows = new_rows ();

  f->canvas = WP_CANVAS (wp_canvas_new ());
  f->opened = WP_NO_BOX;
  wp_canvas_set_describe (f->canvas, describe, NULL);
  wp_canvas_set_rows (f->canvas, rows, FALSE);
  g_signal_connect (f->canvas, "box-selected", G_CALLBACK (on_selected), f);
  g_signal_connect (f->canvas, "box-opened", G_CALLBACK (on_opened), f);
  g_signal_connect (f->canvas, "range-marked", G_CALLBACK (on_marked), f);
  f->window = show_widget (GTK_WIDGET (f->canvas));
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  gtk_window_destroy (GTK_WINDOW (f->window));
  run_for (20);
}

static void
act (Fixture *f, const char *action, const char *format, ...)
{
  GVariant *value = NULL;
  va_list args;

  if (format != NULL)
    {
      va_start (args, format);
      value = g_variant_new_va (format, NULL, &args);
      va_end (args);
    }
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (f->canvas), action, value));
}

static double
extent (Fixture *f)
{
  return wp_canvas_viewport (f->canvas)->end - wp_canvas_viewport (f->canvas)->start;
}

/* --- the canvas --- */

static void
test_fit (Fixture *f, gconstpointer data)
{
  const WpRows *rows = wp_canvas_rows (f->canvas);
  const WpViewport *viewport = wp_canvas_viewport (f->canvas);

  g_assert_cmpfloat (viewport->start, <=, rows->start);
  g_assert_cmpfloat (viewport->end, >=, rows->end);
  g_assert_cmpfloat (viewport->width, ==, gtk_widget_get_width (GTK_WIDGET (f->canvas)));
  g_assert_cmpfloat (wp_canvas_content_height (f->canvas), >=, ROWS * 20);
}

/* What a box is is not written over the menu of that box. */
static void
test_tooltip (Fixture *f, gconstpointer data)
{
  GtkWidget *menu = gtk_popover_new ();
  int y = 0;

  while (wp_canvas_box_at (f->canvas, 100, y) == WP_NO_BOX)
    g_assert_cmpint (y++, <, gtk_widget_get_height (GTK_WIDGET (f->canvas)));
  g_assert_true (has_tooltip (f, 100, y));
  gtk_widget_set_parent (menu, GTK_WIDGET (f->canvas));
  g_assert_false (has_tooltip (f, 100, y));
  gtk_widget_unparent (menu);
  g_assert_true (has_tooltip (f, 100, y));
}

static void
test_keys_zoom_and_pan (Fixture *f, gconstpointer data)
{
  double all = extent (f), start;

  act (f, "canvas.zoom", "d", 4.0);
  g_assert_cmpfloat_with_epsilon (extent (f), all / 4, all / 1000);
  start = wp_canvas_viewport (f->canvas)->start;
  act (f, "canvas.pan", "d", 0.2);
  g_assert_cmpfloat_with_epsilon (wp_canvas_viewport (f->canvas)->start - start, extent (f) * 0.2, all / 1000);
  act (f, "canvas.page", "d", 0.8);
  g_assert_cmpfloat (wp_canvas_viewport (f->canvas)->y, >, 100);
  for (guint i = 0; i < 50; i++)
    act (f, "canvas.pan", "d", -0.9);
  g_assert_cmpfloat (wp_canvas_viewport (f->canvas)->start, <=, 0);
}

static void
test_history (Fixture *f, gconstpointer data)
{
  double all = extent (f);

  g_assert_false (wp_canvas_can_go (f->canvas, -1));
  wp_canvas_show_range (f->canvas, 1000, 2000);
  wp_canvas_show_range (f->canvas, 1200, 1300);
  g_assert_true (wp_canvas_can_go (f->canvas, -1));
  wp_canvas_go (f->canvas, -1);
  g_assert_cmpfloat_with_epsilon (extent (f), 1000, 60);
  wp_canvas_go (f->canvas, -1);
  g_assert_cmpfloat_with_epsilon (extent (f), all, 1);
  wp_canvas_go (f->canvas, 1);
  g_assert_cmpfloat_with_epsilon (extent (f), 1000, 60);

  /* small steps count once they have been still for a while */
  act (f, "canvas.zoom", "d", 2.0);
  act (f, "canvas.zoom", "d", 2.0);
  run_for (600);
  wp_canvas_go (f->canvas, -1);
  g_assert_cmpfloat_with_epsilon (extent (f), 1000, 60);
}

static void
test_arrows (Fixture *f, gconstpointer data)
{
  guint box;

  act (f, "canvas.select", "(ii)", 1, 0);
  box = wp_canvas_selected (f->canvas);
  g_assert_cmpuint (box, !=, WP_NO_BOX);
  act (f, "canvas.select", "(ii)", 1, 0);
  g_assert_cmpuint (wp_canvas_selected (f->canvas), ==, box + 1);
  act (f, "canvas.select", "(ii)", 0, 1);
  g_assert_cmpuint (wp_canvas_selected (f->canvas), ==, box + 1 + BOXES);
  act (f, "canvas.select", "(ii)", 0, -1);
  act (f, "canvas.select", "(ii)", -1, 0);
  g_assert_cmpuint (wp_canvas_selected (f->canvas), ==, box);
  g_assert_cmpuint (f->selections, ==, 5);

  /* at the edges the selection stays */
  wp_canvas_select (f->canvas, 0, TRUE);
  act (f, "canvas.select", "(ii)", -1, 0);
  act (f, "canvas.select", "(ii)", 0, -1);
  g_assert_cmpuint (wp_canvas_selected (f->canvas), ==, 0);
}

static void
test_far_box_is_revealed (Fixture *f, gconstpointer data)
{
  const WpViewport *viewport = wp_canvas_viewport (f->canvas);
  guint last = ROWS * BOXES - 1;

  wp_canvas_show_range (f->canvas, 0, 300);
  wp_canvas_select (f->canvas, last, TRUE);
  g_assert_cmpfloat (viewport->end, >=, (BOXES - 1) * 120);
  g_assert_cmpfloat (viewport->y + viewport->height, >=, wp_canvas_content_height (f->canvas) - 1);
}

/* Rows like a flame view's: the last one is the roots' and has the lane's name. */
static void
set_lane (Fixture *f)
{
  g_autoptr (WpShared) shared = new_rows ();
  WpRows *rows = wp_shared_get (shared);

  for (guint r = 0; r < ROWS; r++)
    {
      rows->rows.data[r].label = r == ROWS - 1 ? wp_strings_intern (rows->strings, "lane") : 0;
      rows->rows.data[r].ref_kind = WP_REF_PATH;
    }
  rows->home = ROWS - 1;
  wp_canvas_set_rows (f->canvas, shared, FALSE);
}

/* What opens below the picture takes from its top; but not what was selected. */
static void
test_roots_stay (Fixture *f, gconstpointer data)
{
  const WpViewport *viewport = wp_canvas_viewport (f->canvas);
  int width = gtk_widget_get_width (GTK_WIDGET (f->canvas));
  double content, y;

  set_lane (f);
  content = wp_canvas_content_height (f->canvas);
  gtk_widget_allocate (GTK_WIDGET (f->canvas), width, 300, -1, NULL);
  g_assert_cmpfloat_with_epsilon (viewport->y + viewport->height, content, 1);
  gtk_widget_allocate (GTK_WIDGET (f->canvas), width, 200, -1, NULL);
  g_assert_cmpfloat (viewport->height, ==, 200);
  g_assert_cmpfloat_with_epsilon (viewport->y + viewport->height, content, 1);
  y = wp_rows_y (wp_canvas_rows (f->canvas), viewport, ROWS - 8);
  wp_canvas_select (f->canvas, (ROWS - 8) * BOXES, FALSE);
  gtk_widget_allocate (GTK_WIDGET (f->canvas), width, 100, -1, NULL);
  g_assert_cmpfloat (viewport->y, <=, y);
  g_assert_cmpfloat (viewport->y + viewport->height, >=, y + viewport->row_height);
}

static GtkWidget *
named_button (GtkWidget *names, const char *name)
{
  for (GtkWidget *b = gtk_widget_get_first_child (names); b != NULL; b = gtk_widget_get_next_sibling (b))
    if (gtk_widget_get_visible (b)
        && g_str_equal (gtk_label_get_text (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (b)))), name))
      return b;
  return NULL;
}

/* Though the row that has it is far below. */
static void
test_lane_name_in_sight (Fixture *f, gconstpointer data)
{
  GtkWidget *names = wp_row_names_new (f->canvas), *button, *window;
  graphene_rect_t place;

  g_object_ref_sink (names);
  window = show_widget (names);
  set_lane (f);
  act (f, "canvas.page", "d", -1000.0);
  g_assert_cmpfloat (wp_canvas_viewport (f->canvas)->y, ==, 0);
  RUN_UNTIL ((button = named_button (names, "lane")) != NULL);
  g_assert_true (gtk_widget_compute_bounds (button, names, &place));
  g_assert_cmpfloat (place.origin.y, <=, gtk_widget_get_height (names));
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (names);
}

static void
test_box_at (Fixture *f, gconstpointer data)
{
  const WpViewport *viewport = wp_canvas_viewport (f->canvas);
  guint box = 3 * BOXES + 7;
  double y = wp_rows_y (wp_canvas_rows (f->canvas), viewport, 3) - viewport->y + 5;

  g_assert_cmpuint (wp_canvas_box_at (f->canvas, wp_viewport_x (viewport, 7 * 120 + 50), y), ==, box);
  g_assert_cmpuint (wp_canvas_box_at (f->canvas, -5, y), ==, WP_NO_BOX);
  g_assert_cmpuint (wp_canvas_box_at (f->canvas, 5, 1e6), ==, WP_NO_BOX);
}

static void
test_mark_fit_and_escape (Fixture *f, gconstpointer data)
{
  double start, end;

  wp_canvas_select (f->canvas, 10, TRUE);
  act (f, "canvas.mark", NULL);
  g_assert_cmpuint (f->marks, ==, 1);
  g_assert_true (wp_canvas_mark (f->canvas, &start, &end));
  g_assert_cmpfloat (start, ==, 10 * 120);
  g_assert_cmpfloat (end, ==, 10 * 120 + 100);

  act (f, "canvas.fit-selection", NULL);
  g_assert_cmpfloat (extent (f), <, 130);
  act (f, "canvas.clear", NULL);
  g_assert_false (wp_canvas_mark (f->canvas, &start, &end));
  g_assert_cmpuint (wp_canvas_selected (f->canvas), ==, 10);
  act (f, "canvas.clear", NULL);
  g_assert_cmpuint (wp_canvas_selected (f->canvas), ==, WP_NO_BOX);
}

static void
test_return_opens (Fixture *f, gconstpointer data)
{
  act (f, "canvas.open", NULL);
  g_assert_cmpuint (f->opened, ==, WP_NO_BOX);
  wp_canvas_select (f->canvas, 77, FALSE);
  act (f, "canvas.open", NULL);
  g_assert_cmpuint (f->opened, ==, 77);
}

static GtkEventController *
find_controller (GtkWidget *widget, GType type)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (G_TYPE_CHECK_INSTANCE_TYPE (controller, type))
        return controller;
    }
  g_assert_not_reached ();
}

/* What is under the pointer stays there, to half a pixel, however often it is zoomed in and out. */
static void
test_wheel_zooms_at_pointer (Fixture *f, gconstpointer data)
{
  const WpViewport *viewport = wp_canvas_viewport (f->canvas);
  GtkEventController *motion = find_controller (GTK_WIDGET (f->canvas), GTK_TYPE_EVENT_CONTROLLER_MOTION);
  GtkEventController *scroll = find_controller (GTK_WIDGET (f->canvas), GTK_TYPE_EVENT_CONTROLLER_SCROLL);
  double before = extent (f), time = wp_viewport_time (viewport, 300);
  gboolean stop;

  g_signal_emit_by_name (motion, "motion", 300.0, 50.0);
  for (guint i = 0; i < 65; i++)
    {
      g_signal_emit_by_name (scroll, "scroll", 0.0, i / 5 % 2 ? 1.0 : -1.0, &stop);
      g_assert_cmpfloat_with_epsilon (wp_viewport_x (viewport, time), 300, 0.51);
    }
  g_assert_cmpfloat (extent (f), <, before / 2);
}

/* What the canvas gives to GSK: a node that is a texture (pixels, for GSK's cairo renderer), and one over it or none. Free `all` with gsk_render_node_unref(). */
typedef struct
{
  GskRenderNode *all;
  GdkTexture *texture;  /* NULL: pixels */
  graphene_rect_t over; /* width 0: none */
} Drawn;

static Drawn
draw (Fixture *f)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  Drawn drawn = { 0 };
  GskRenderNode *inner;

  GTK_WIDGET_GET_CLASS (f->canvas)->snapshot (GTK_WIDGET (f->canvas), snapshot);
  drawn.all = gtk_snapshot_free_to_node (snapshot);
  inner = gsk_render_node_get_node_type (drawn.all) == GSK_CLIP_NODE ? gsk_clip_node_get_child (drawn.all) : drawn.all;
  if (gsk_render_node_get_node_type (inner) == GSK_CONTAINER_NODE)
    {
      gsk_render_node_get_bounds (gsk_container_node_get_child (inner, 1), &drawn.over);
      g_assert_cmpuint (gsk_container_node_get_n_children (inner), ==, 2);
      inner = gsk_container_node_get_child (inner, 0);
    }
  if (!GSK_IS_CAIRO_RENDERER (gtk_native_get_renderer (gtk_widget_get_native (GTK_WIDGET (f->canvas)))))
    {
      g_assert_cmpint (gsk_render_node_get_node_type (inner), ==, GSK_TEXTURE_NODE);
      drawn.texture = gsk_texture_node_get_texture (inner);
    }
  return drawn;
}

/* What is pointed at, selected or marked changes nothing of the picture, and is no larger than it is; a pan paints what comes in. */
static void
test_picture_is_kept (Fixture *f, gconstpointer data)
{
  int width = gtk_widget_get_width (GTK_WIDGET (f->canvas)), height = gtk_widget_get_height (GTK_WIDGET (f->canvas));
  guint64 all = (guint64) width * (guint64) height, before;
  Drawn first = draw (f), now;

  g_assert_cmpfloat (first.over.size.width, ==, 0);
  if (first.texture != NULL)
    g_assert_cmpint (gdk_texture_get_width (first.texture), ==, width * gtk_widget_get_scale_factor (GTK_WIDGET (f->canvas)));
  before = wp_canvas_painted (f->canvas);
  wp_canvas_select (f->canvas, 3, FALSE);
  now = draw (f);
  g_assert_true (now.texture == first.texture);
  g_assert_cmpfloat (now.over.size.width, <, 60);
  g_assert_cmpfloat (now.over.size.height, <, 30);
  gsk_render_node_unref (now.all);
  wp_canvas_set_mark (f->canvas, 1000, 2000);
  now = draw (f);
  g_assert_true (now.texture == first.texture);
  g_assert_cmpfloat (now.over.size.width, <, width / 2);
  gsk_render_node_unref (now.all);
  g_assert_cmpuint (wp_canvas_painted (f->canvas), ==, before);
  wp_canvas_zoom_at (f->canvas, 4, width / 2);
  wp_canvas_pan (f->canvas, 0, 20);
  now = draw (f);
  g_assert_true (now.texture == NULL || now.texture != first.texture);
  g_assert_cmpuint (wp_canvas_painted (f->canvas), ==, before + all);
  gsk_render_node_unref (now.all);
  for (guint i = 0; i < 2; i++) /* paint what the next ones move */
    {
      wp_canvas_pan (f->canvas, 1, 0);
      now = draw (f);
      gsk_render_node_unref (now.all);
    }
  before = wp_canvas_painted (f->canvas);
  for (guint i = 0; i < 10; i++) /* 2.5 pixels each */
    {
      wp_canvas_pan (f->canvas, 2.5, 0);
      now = draw (f);
      gsk_render_node_unref (now.all);
    }
  g_assert_cmpuint (wp_canvas_painted (f->canvas), ==, before + 25 * (guint64) height);
  gtk_widget_set_visible (f->window, FALSE); /* takes no memory then; is there again */
  gtk_window_present (GTK_WINDOW (f->window));
  RUN_UNTIL (gtk_widget_get_mapped (GTK_WIDGET (f->canvas)));
  now = draw (f);
  g_assert_cmpuint (wp_canvas_painted (f->canvas), >=, before + 25 * (guint64) height + all);
  gsk_render_node_unref (now.all);
  gsk_render_node_unref (first.all);
}

static void
test_tells_assistive_technology (Fixture *f, gconstpointer data)
{
  wp_canvas_select (f->canvas, 42, FALSE);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (f->canvas), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "box 42");
  wp_canvas_select (f->canvas, WP_NO_BOX, FALSE);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (f->canvas), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                       "Nothing is selected");
}

static void
test_new_rows_keep_place (Fixture *f, gconstpointer data)
{
  g_autoptr (WpShared) rows = new_rows ();
  double start, end;

  wp_canvas_show_range (f->canvas, 1000, 2000);
  wp_canvas_select (f->canvas, 5, FALSE);
  wp_canvas_set_mark (f->canvas, 1200, 1500);
  wp_canvas_set_lines (f->canvas, FALSE);
  wp_canvas_set_rows (f->canvas, rows, TRUE);
  g_assert_true (wp_canvas_mark (f->canvas, &start, &end));
  g_assert_cmpfloat (end - start, ==, 300);
  g_assert_false (wp_canvas_state (f->canvas)->lines);
  g_assert_cmpfloat_with_epsilon (extent (f), 1000, 60);
  g_assert_cmpuint (wp_canvas_selected (f->canvas), ==, WP_NO_BOX);
  wp_canvas_set_rows (f->canvas, rows, FALSE);
  g_assert_cmpfloat (extent (f), >, 5000);
  g_assert_false (wp_canvas_mark (f->canvas, &start, &end));
  wp_canvas_set_rows (f->canvas, NULL, FALSE);
  act (f, "canvas.zoom", "d", 2.0);
  act (f, "canvas.select", "(ii)", 1, 0);
  g_assert_cmpuint (wp_canvas_selected (f->canvas), ==, WP_NO_BOX);
}

/* What is pointed at counts, or else what is visible. */
static void
test_selected_range (Fixture *f, gconstpointer data)
{
  double start, end;

  wp_canvas_show_range (f->canvas, 1000, 2000);
  wp_canvas_select (f->canvas, 10, FALSE);
  wp_canvas_selected_range (f->canvas, &start, &end);
  g_assert_cmpfloat (start, ==, wp_canvas_viewport (f->canvas)->start);
  g_assert_cmpfloat (end, ==, wp_canvas_viewport (f->canvas)->end);
  wp_canvas_select_at (f->canvas, 10, 1233, FALSE);
  wp_canvas_selected_range (f->canvas, &start, &end);
  g_assert_cmpfloat (start, ==, 1233);
  g_assert_cmpfloat (end, ==, 1234);
  wp_canvas_select_at (f->canvas, 10, 1e9, FALSE); /* stays within the box */
  wp_canvas_selected_range (f->canvas, &start, &end);
  g_assert_cmpfloat (start, <, 10 * 120 + 100);
  g_assert_cmpuint (f->selections, ==, 3);
}

/* --- row names --- */

static void
on_row_opened (GtkWidget *names, guint row, guint *opened)
{
  *opened = row;
}

static guint
count_visible (GtkWidget *parent)
{
  guint n = 0;

  for (GtkWidget *child = gtk_widget_get_first_child (parent); child != NULL; child = gtk_widget_get_next_sibling (child))
    n += gtk_widget_get_visible (child);
  return n;
}

static void
test_row_names (void)
{
  g_autoptr (WpShared) rows = new_rows ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0), *canvas = wp_canvas_new (), *window, *button, *names;
  guint opened = G_MAXUINT;

  names = wp_row_names_new (WP_CANVAS (canvas));
  gtk_box_append (GTK_BOX (box), names);
  gtk_box_append (GTK_BOX (box), canvas);
  g_signal_connect (names, "row-opened", G_CALLBACK (on_row_opened), &opened);
  window = show_widget (box);
  wp_canvas_set_rows (WP_CANVAS (canvas), rows, FALSE);
  RUN_UNTIL (count_visible (names) >= 10);
  g_assert_cmpuint (count_visible (names), <, ROWS); /* only what is in sight */

  button = gtk_widget_get_first_child (names);
  for (guint i = 0; i < 3; i++) /* the row's name, its arrow, its pin; then the next row's */
    button = gtk_widget_get_next_sibling (button);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, "task 1");
  g_signal_emit_by_name (button, "clicked");
  g_assert_cmpuint (opened, ==, 1);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* --- the table --- */

static GtkListBox *
find_list (GtkWidget *widget)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkListBox *found = GTK_IS_LIST_BOX (child) ? GTK_LIST_BOX (child) : find_list (child);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static guint
visible_rows (GtkListBox *list)
{
  guint n = 0;

  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (list)); row != NULL; row = gtk_widget_get_next_sibling (row))
    n += gtk_widget_get_visible (row);
  return n;
}

/* The categories that have time, and a line that the others are folded into; sub-rows when one is expanded; what was chosen stays chosen when the table is filled again. */
static void
test_panel (void)
{
  const char *label = "Running, function known, 2.58 µs, 17.2 %";
  Model model;
  WpExplanationPanel *panel = g_object_new (WP_TYPE_EXPLANATION_PANEL, NULL);
  GtkWidget *window = show_widget (GTK_WIDGET (panel)), *first, *fold;
  WpCategory order[WP_CATEGORY_COUNT];
  guint shown;
  GtkListBox *list;
  WpChoice choice;

  model_init (&model);
  wp_explanation_panel_show (panel, model.analysis.explanation, model.analysis.paths, FALSE, 0);
  list = find_list (wp_explanation_panel_table (panel));
  shown = wp_explanation_order (model.analysis.explanation, FALSE, order) + 1;
  g_assert_cmpuint (shown, <, WP_CATEGORY_COUNT);
  g_assert_cmpuint (visible_rows (list), ==, shown);
  g_assert_false (wp_explanation_panel_choice (panel, &choice));

  first = gtk_widget_get_first_child (GTK_WIDGET (list));
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (first), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       label);
  gtk_widget_activate_action (first, "row.expand", "b", TRUE);
  g_assert_cmpuint (visible_rows (list), >, shown);
  gtk_widget_activate_action (first, "row.expand", "b", FALSE);
  g_assert_cmpuint (visible_rows (list), ==, shown);

  fold = first;
  while (!wp_table_row_is_fold (WP_TABLE_ROW (fold)))
    fold = gtk_widget_get_next_sibling (fold);
  gtk_widget_activate_action (fold, "row.expand", "b", TRUE);
  g_assert_cmpuint (visible_rows (list), ==, WP_CATEGORY_COUNT + 1);

  gtk_list_box_select_row (list, GTK_LIST_BOX_ROW (first));
  g_assert_true (wp_explanation_panel_choice (panel, &choice));
  g_assert_cmpint (choice.category, ==, WP_CATEGORY_UNDERSTOOD);
  wp_explanation_panel_show (panel, model.analysis.explanation, model.analysis.paths, TRUE, 0);
  g_assert_true (wp_explanation_panel_choice (panel, &choice));
  wp_explanation_panel_show (panel, NULL, NULL, FALSE, 0);
  g_assert_false (wp_explanation_panel_choice (panel, &choice));
  gtk_window_destroy (GTK_WINDOW (window));
  model_clear (&model);
}

/* The label with this text, itself or below. */
static GtkWidget *
find_label (GtkWidget *widget, const char *text)
{
  GtkWidget *found = GTK_IS_LABEL (widget) && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), text) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); found == NULL && child != NULL; child = gtk_widget_get_next_sibling (child))
    found = find_label (child, text);
  return found;
}

static WpStacks *
new_stacks_of_thread (gint64 thread)
{
  g_auto (WpStacksMaker) maker = { 0 };
  WpStrings *strings;

  wp_stacks_maker_init (&maker);
  strings = maker.stacks->strings;
  wp_stacks_maker_type (&maker, wp_strings_intern (strings, "cpu"), wp_strings_intern (strings, "nanoseconds"));
  wp_stacks_maker_number (&maker, wp_strings_intern (strings, "thread_id"), thread, 0);
  wp_stacks_maker_sample (&maker, 0, &(gint64) { 1500 });
  return wp_stacks_maker_take (&maker);
}

static void
on_chosen (GtkWidget *list, const char *pattern, char **chosen)
{
  g_free (*chosen);
  *chosen = g_strdup (pattern);
}

/* A label is shown in its own unit, not in that of the values, and its row finds it. */
static void
test_label_list (void)
{
  g_autoptr (WpStacks) stacks = new_stacks_of_thread (12);
  GtkWidget *list = wp_label_list_new (stacks, 0), *window = show_widget (list), *row;
  g_autofree char *chosen = NULL;

  g_signal_connect (list, "chosen", G_CALLBACK (on_chosen), &chosen);
  g_assert_nonnull (find_label (list, "1.50 µs"));
  row = gtk_widget_get_ancestor (find_label (list, "12"), GTK_TYPE_LIST_BOX_ROW);
  gtk_widget_activate (row);
  g_assert_cmpstr (chosen, ==, "thread_id=12");
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Keys that come before the next frame are not lost: GTK drops them where what has the focus is not mapped. */
static void
test_search_at_once (void)
{
  WpSearchBar *bar = g_object_new (WP_TYPE_SEARCH_BAR, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *window, *focus;

  gtk_box_append (GTK_BOX (box), GTK_WIDGET (bar));
  gtk_box_append (GTK_BOX (box), wp_canvas_new ());
  window = show_widget (box);
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (bar)), ==, 0);
  wp_search_bar_open (bar, NULL);
  focus = gtk_window_get_focus (GTK_WINDOW (window));
  g_assert_true (GTK_IS_EDITABLE (focus));
  g_assert_true (gtk_widget_get_mapped (focus));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Very many boxes are looked through by a worker: keys and other rows may come meanwhile. */
static void
test_search_many (void)
{
  g_autoptr (WpShared) many = new_rows_of (3, 100000), fewer = new_rows_of (2, 75000);
  WpCanvas *canvas = WP_CANVAS (wp_canvas_new ());
  WpSearchBar *bar = g_object_new (WP_TYPE_SEARCH_BAR, NULL);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *window;

  gtk_box_append (GTK_BOX (box), GTK_WIDGET (bar));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (canvas));
  gtk_widget_set_vexpand (GTK_WIDGET (canvas), TRUE);
  window = show_widget (box);
  wp_canvas_set_rows (canvas, many, FALSE);
  wp_search_bar_look_at (bar, canvas);

  wp_search_bar_open (bar, "task 2");
  g_assert_true (wp_search_bar_marks (bar)); /* nobody else does meanwhile */
  wp_search_bar_next (bar, 1);
  g_assert_cmpuint (wp_canvas_selected (canvas), ==, WP_NO_BOX);
  RUN_UNTIL (wp_canvas_selected (canvas) == 200000);
  g_assert_nonnull (find_label (GTK_WIDGET (bar), "1 of 100000 · 100.0 %"));

  wp_search_bar_open (bar, "task 1");
  wp_canvas_set_rows (canvas, fewer, FALSE); /* what is found in the others is of no use */
  wp_search_bar_update (bar);
  wp_search_bar_next (bar, -1);
  RUN_UNTIL (wp_canvas_selected (canvas) != WP_NO_BOX);
  g_assert_cmpuint (wp_canvas_selected (canvas), ==, 149999);

  wp_search_bar_open (bar, "task 2");
  RUN_UNTIL (find_label (GTK_WIDGET (bar), "Nothing found") != NULL);
  g_assert_false (wp_search_bar_has_matches (bar));
  wp_search_bar_open (bar, "task 0");
  wp_search_bar_open (bar, "");
  run_for (100); /* what was dropped marks nothing any more */
  g_assert_false (wp_search_bar_marks (bar));
  g_assert_false (wp_search_bar_has_matches (bar));
  wp_search_bar_open (bar, "task 0");
  gtk_window_destroy (GTK_WINDOW (window)); /* while it is looked for */
  run_for (100);
}

static void
on_frame (GdkFrameClock *clock, guint *frames)
{
  (*frames)++;
}

/* Where nothing changes nothing is drawn. */
static void
test_rests (void)
{
  WpExplanationPanel *panel = g_object_new (WP_TYPE_EXPLANATION_PANEL, NULL);
  GtkWidget *window = show_widget (GTK_WIDGET (panel));
  guint frames = 1;

  g_signal_connect (gtk_widget_get_frame_clock (window), "after-paint", G_CALLBACK (on_frame), &frames);
  for (guint halves = 0; frames > 0; halves++)
    {
      frames = 0;
      run_for (500);
      g_assert_cmpuint (halves, <, 20);
    }
  gtk_window_destroy (GTK_WINDOW (window));
}

/* What a message says to do stands at its end: all of it is there to be read, however narrow the place. */
static void
test_toast (void)
{
  static const char text[] = "/home/somebody/a-project-with-a-long-name/.perun/jobs/wakepath-make-2026-11-21-21-32-36.perf: could not be "
                             "saved: Not a directory; choose <another> place";
  const int widths[] = { 1000, 320 };

  for (guint i = 0; i < G_N_ELEMENTS (widths); i++)
    {
      GtkWidget *overlay = adw_toast_overlay_new (), *label = NULL, *window;
      PangoLayout *layout;
      int height;

      adw_toast_overlay_set_child (ADW_TOAST_OVERLAY (overlay), gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
      gtk_widget_set_size_request (overlay, widths[i], -1);
      gtk_widget_set_halign (overlay, GTK_ALIGN_START);
      window = show_widget (overlay);
      wp_toast (ADW_TOAST_OVERLAY (overlay), text);
      RUN_UNTIL ((label = find_label (overlay, text)) != NULL && gtk_widget_get_height (label) > 0);
      layout = gtk_label_get_layout (GTK_LABEL (label));
      pango_layout_get_pixel_size (layout, NULL, &height);
      g_assert_false (pango_layout_is_ellipsized (layout));
      g_assert_cmpint (pango_layout_get_line_count (layout), >=, i == 0 ? 3 : 5);
      g_assert_cmpint (height, <=, gtk_widget_get_height (label));
      gtk_window_destroy (GTK_WINDOW (window));
    }
}

/* The button that closes a toast. */
static void
close_toast (GtkWidget *label)
{
  GtkWidget *button = label;

  while (!GTK_IS_BUTTON (button))
    button = gtk_widget_get_next_sibling (button) != NULL ? gtk_widget_get_last_child (gtk_widget_get_parent (button)) : gtk_widget_get_parent (button);
  g_signal_emit_by_name (button, "clicked");
}

/* The second one is dismissed while it still comes, in place of the first: which takes longer than going away. It goes, and nothing of it is used then. */
static void
test_toast_that_comes (void)
{
  GtkWidget *overlay = adw_toast_overlay_new (), *label = NULL, *window;

  adw_toast_overlay_set_child (ADW_TOAST_OVERLAY (overlay), gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  window = show_widget (overlay);
  wp_toast (ADW_TOAST_OVERLAY (overlay), "first");
  RUN_UNTIL ((label = find_label (overlay, "first")) != NULL && gtk_widget_get_mapped (label));
  close_toast (label);
  wp_toast (ADW_TOAST_OVERLAY (overlay), "second");
  RUN_UNTIL ((label = find_label (overlay, "second")) != NULL && gtk_widget_get_mapped (label));
  close_toast (label);
  RUN_UNTIL (find_label (overlay, "second") == NULL);
  run_for (700);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The newest is seen, however long the one before it would have stayed: one that is there already, one that comes, and one that has not yet. */
static void
test_newest_toast (void)
{
  GtkWidget *overlay = adw_toast_overlay_new (), *label = NULL, *window;
  gint64 since = g_get_monotonic_time ();

  adw_toast_overlay_set_child (ADW_TOAST_OVERLAY (overlay), gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  window = show_widget (overlay);
  wp_toast_with_button (ADW_TOAST_OVERLAY (overlay), "first", "Do It", "window.close");
  RUN_UNTIL ((label = find_label (overlay, "first")) != NULL && gtk_widget_get_mapped (label));
  run_for (700);
  wp_toast_with_button (ADW_TOAST_OVERLAY (overlay), "second", "Do It", "window.close");
  RUN_UNTIL ((label = find_label (overlay, "second")) != NULL && gtk_widget_get_mapped (label));
  wp_toast_with_button (ADW_TOAST_OVERLAY (overlay), "third", "Do It", "window.close");
  wp_toast_with_button (ADW_TOAST_OVERLAY (overlay), "fourth", "Do It", "window.close");
  RUN_UNTIL ((label = find_label (overlay, "fourth")) != NULL && gtk_widget_get_mapped (label));
  RUN_UNTIL (find_label (overlay, "second") == NULL);
  g_assert_null (find_label (overlay, "third"));
  run_for (700);
  wp_toast_dismiss (ADW_TOAST_OVERLAY (overlay));
  RUN_UNTIL (find_label (overlay, "fourth") == NULL);
  g_assert_cmpint (g_get_monotonic_time () - since, <, 25 * G_TIME_SPAN_SECOND); /* each would have stayed for 30 */
  wp_toast_dismiss (ADW_TOAST_OVERLAY (overlay));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A finger that moves by so many pixels moves the picture by as many, and zooms no more than a notch of the wheel that does. */
static void
test_scroll_units (void)
{
  g_assert_cmpfloat (wp_notches_of_unit (GDK_SCROLL_UNIT_WHEEL, -2), ==, -2);
  g_assert_cmpfloat (wp_notches_of_unit (GDK_SCROLL_UNIT_SURFACE, 20) * WP_WHEEL_PAN, ==, 20);
  g_assert_cmpfloat (wp_notches_of_unit (GDK_SCROLL_UNIT_SURFACE, WP_WHEEL_PAN), ==, 1);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*test) (Fixture *, gconstpointer);
  } canvas_tests[] = {
    { "/canvas/fit", test_fit },
    { "/canvas/keys-zoom-and-pan", test_keys_zoom_and_pan },
    { "/canvas/history", test_history },
    { "/canvas/arrows", test_arrows },
    { "/canvas/far-box-is-revealed", test_far_box_is_revealed },
    { "/canvas/roots-stay", test_roots_stay },
    { "/canvas/lane-name-in-sight", test_lane_name_in_sight },
    { "/canvas/box-at", test_box_at },
    { "/canvas/mark-fit-and-escape", test_mark_fit_and_escape },
    { "/canvas/return-opens", test_return_opens },
    { "/canvas/wheel-zooms-at-pointer", test_wheel_zooms_at_pointer },
    { "/canvas/picture-is-kept", test_picture_is_kept },
    { "/canvas/tells-assistive-technology", test_tells_assistive_technology },
    { "/canvas/new-rows-keep-place", test_new_rows_keep_place },
    { "/canvas/tooltip", test_tooltip },
    { "/canvas/selected-range", test_selected_range },
  };

  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  for (guint i = 0; i < G_N_ELEMENTS (canvas_tests); i++)
    g_test_add (canvas_tests[i].path, Fixture, NULL, set_up, canvas_tests[i].test, tear_down);
  g_test_add_func ("/scroll-units", test_scroll_units);
  g_test_add_func ("/row-names", test_row_names);
  g_test_add_func ("/explanation-panel", test_panel);
  g_test_add_func ("/label-list", test_label_list);
  g_test_add_func ("/rests", test_rests);
  g_test_add_func ("/toast", test_toast);
  g_test_add_func ("/toast-that-comes", test_toast_that_comes);
  g_test_add_func ("/newest-toast", test_newest_toast);
  g_test_add_func ("/search-at-once", test_search_at_once);
  g_test_add_func ("/search-many", test_search_many);
  return g_test_run ();
}
