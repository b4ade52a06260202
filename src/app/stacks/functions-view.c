#include "app/stacks/functions-view.h"

#include <glib/gi18n.h>

#include "app/canvas/view.h"
#include "app/stacks/call-tables.h"

#define FUNCTIONS_WIDTH 560 /* at first */
#define NAME_WIDTH 220      /* at least: most names can be told apart; the last columns are scrolled to */

struct _WpFunctionsView
{
  AdwBin parent_instance;

  WpStacksModel *model;
  WpGridTable *functions, *callers, *callees;
  GtkStack *beside;  /* "none", "tables", "flame" */
  GtkLabel *name;
  WpView *flame;
  GtkToggleButton *as_flame;
};

enum
{
  SIGNAL_MENU_WANTED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpFunctionsView, wp_functions_view, ADW_TYPE_BIN)

static const WpStacksViews *
views_of (WpFunctionsView *self)
{
  return wp_shared_get (wp_stacks_model_views (self->model));
}

static const WpStacksCallers *
callers_of (WpFunctionsView *self)
{
  return wp_shared_get (wp_stacks_model_callers (self->model));
}

static guint32
frame_of_row (const WpStacksViews *views, guint row)
{
  return (guint32) (views->graph->nodes.data[row].frame - views->graph->names->names.data);
}

static guint
row_of_frame (const WpStacksViews *views, guint32 frame)
{
  for (guint32 i = 0; i < views->graph->nodes.len; i++)
    if (frame_of_row (views, i) == frame)
      return i;
  return G_MAXUINT;
}

void
wp_functions_view_select (WpFunctionsView *self, guint32 frame)
{
  if (views_of (self) == NULL || frame == G_MAXUINT32)
    return;
  wp_grid_table_select (self->functions, row_of_frame (views_of (self), frame));
  wp_stacks_model_select (self->model, frame);
}

WpShared *
wp_functions_view_shown (WpFunctionsView *self, guint32 **order, guint32 *n)
{
  return wp_grid_table_shown (self->functions, order, n);
}

char *
wp_functions_view_said (WpFunctionsView *self)
{
  WpCanvas *canvas = wp_view_canvas (self->flame);
  guint box = wp_canvas_rows (canvas) != NULL ? wp_canvas_selected (canvas) : WP_NO_BOX;
  g_autofree char *row = NULL;
  const char *cells;

  if (callers_of (self) == NULL)
    return NULL;
  if (gtk_widget_get_mapped (GTK_WIDGET (canvas)) && box != WP_NO_BOX)
    return wp_stacks_callers_describe (callers_of (self), views_of (self), &wp_canvas_rows (canvas)->boxes.data[box]);
  row = wp_grid_table_describe (self->functions, row_of_frame (views_of (self), callers_of (self)->frame));
  cells = row != NULL ? strchr (row, '\n') : NULL; /* the first one is the name */
  return g_strconcat (views_of (self)->graph->names->names.data[callers_of (self)->frame].name, cells, NULL);
}

static void
focus_on (WpFunctionsView *self, guint32 frame)
{
  g_autofree char *pattern = frame != G_MAXUINT32 ? wp_stacks_views_pattern (views_of (self), frame) : NULL;

  if (pattern != NULL)
    wp_stacks_model_add_step (self->model, WP_FILTER_FOCUS, pattern);
}

/* --- what is done in it ------------------------------------------------------------------------------------------- */

static void
on_function_selected (WpGridTable *table, guint row, WpFunctionsView *self)
{
  const WpStacksViews *views = views_of (self);

  if (views != NULL && row < views->graph->nodes.len)
    wp_stacks_model_select (self->model, frame_of_row (views, row));
}

static void
on_function_activated (WpGridTable *table, guint row, WpFunctionsView *self)
{
  focus_on (self, frame_of_row (views_of (self), row));
}

static void
on_call_activated (WpGridTable *table, guint row, WpFunctionsView *self)
{
  const WpStacksCallers *callers = callers_of (self);

  if (callers != NULL)
    wp_functions_view_select (self, wp_stacks_callers_frame (callers, table == self->callers ? callers->callers : callers->callees, row));
}

static guint32
frame_of_box (WpFunctionsView *self, guint box)
{
  const WpRows *rows = wp_canvas_rows (wp_view_canvas (self->flame));

  if (box == WP_NO_BOX || rows == NULL || callers_of (self) == NULL)
    return G_MAXUINT32;
  return wp_stacks_callers_box_frame (callers_of (self), &rows->boxes.data[box]);
}

static void
on_box_opened (WpCanvas *canvas, guint box, WpFunctionsView *self)
{
  wp_functions_view_select (self, frame_of_box (self, box));
}

static void
on_menu_wanted (WpCanvas *canvas, guint box, double x, double y, WpFunctionsView *self)
{
  guint32 frame = frame_of_box (self, box);

  if (frame != G_MAXUINT32)
    g_signal_emit (self, signals[SIGNAL_MENU_WANTED], 0, frame, canvas, x, y);
}

static char *
describe (guint box, double time, gpointer data)
{
  WpFunctionsView *self = data;

  return callers_of (self) != NULL
             ? wp_stacks_callers_describe (callers_of (self), views_of (self), &wp_canvas_rows (wp_view_canvas (self->flame))->boxes.data[box])
             : g_strdup ("");
}

static void
show_beside (WpFunctionsView *self)
{
  gtk_stack_set_visible_child_name (self->beside, gtk_toggle_button_get_active (self->as_flame) ? "flame" : "tables");
}

static void
on_as_flame (GtkToggleButton *button, WpFunctionsView *self)
{
  if (callers_of (self) != NULL)
    show_beside (self);
}

/* --- what the model has ------------------------------------------------------------------------------------------- */

static void
on_made (WpStacksModel *model, WpFunctionsView *self)
{
  const WpStacksViews *views = views_of (self);
  gboolean first = wp_grid_table_is_empty (self->functions);

  if (views == NULL)
    return;
  wp_grid_table_set_grid (self->functions, views->functions);
  if (first)
    wp_grid_table_sort (self->functions, WP_FUNCTIONS_SELF);
}

static void
on_callers_made (WpStacksModel *model, WpFunctionsView *self)
{
  const WpStacksCallers *callers = callers_of (self);

  gtk_widget_set_sensitive (GTK_WIDGET (self->as_flame), callers != NULL);
  if (callers == NULL)
    {
      gtk_label_set_text (self->name, "");
      gtk_stack_set_visible_child_name (self->beside, "none");
      return;
    }
  gtk_label_set_text (self->name, views_of (self)->graph->names->names.data[callers->frame].name);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->name), gtk_label_get_text (self->name));
  wp_grid_table_set_grid (self->callers, callers->callers);
  wp_grid_table_set_grid (self->callees, callers->callees);
  wp_view_set_rows (self->flame, callers->rows, FALSE);
  show_beside (self);
}

/* --- building ----------------------------------------------------------------------------------------------------- */

static GtkWidget *
build_flame (WpFunctionsView *self)
{
  WpCanvas *canvas;

  self->flame = WP_VIEW (wp_view_new (_("Callers and Callees")));
  canvas = wp_view_canvas (self->flame);
  wp_view_set_legend (self->flame, FALSE);
  wp_canvas_set_describe (canvas, describe, self);
  g_signal_connect (canvas, "box-opened", G_CALLBACK (on_box_opened), self);
  g_signal_connect (canvas, "menu-wanted", G_CALLBACK (on_menu_wanted), self);
  return GTK_WIDGET (self->flame);
}

static GtkWidget *
build_head (WpFunctionsView *self)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->name = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_ellipsize (self->name, PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (self->name, 0);
  gtk_widget_set_hexpand (GTK_WIDGET (self->name), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->name), "heading");
  self->as_flame = GTK_TOGGLE_BUTTON (gtk_toggle_button_new_with_label (_("As Flame")));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->as_flame), _("Callers above the function, callees below it"));
  gtk_widget_add_css_class (GTK_WIDGET (self->as_flame), "flat");
  gtk_widget_set_sensitive (GTK_WIDGET (self->as_flame), FALSE);
  g_signal_connect (self->as_flame, "toggled", G_CALLBACK (on_as_flame), self);
  gtk_widget_add_css_class (head, "toolbar");
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->name));
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->as_flame));
  return head;
}

static GtkWidget *
build_beside (WpFunctionsView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->beside = GTK_STACK (gtk_stack_new ());
  gtk_stack_add_named (self->beside, wp_no_function_page (), "none");
  gtk_stack_add_named (self->beside, wp_call_tables_new (&self->callers, &self->callees, G_CALLBACK (on_call_activated), self), "tables");
  gtk_stack_add_named (self->beside, build_flame (self), "flame");
  gtk_widget_set_vexpand (GTK_WIDGET (self->beside), TRUE);
  gtk_box_append (GTK_BOX (box), build_head (self));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->beside));
  return box;
}

static void
wp_functions_view_finalize (GObject *object)
{
  g_clear_object (&WP_FUNCTIONS_VIEW (object)->model);
  G_OBJECT_CLASS (wp_functions_view_parent_class)->finalize (object);
}

static void
wp_functions_view_class_init (WpFunctionsViewClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = wp_functions_view_finalize;
  signals[SIGNAL_MENU_WANTED] = g_signal_new ("menu-wanted", WP_TYPE_FUNCTIONS_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 4,
                                              G_TYPE_UINT, GTK_TYPE_WIDGET, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
}

static void
wp_functions_view_init (WpFunctionsView *self)
{
}

GtkWidget *
wp_functions_view_new (WpStacksModel *model)
{
  WpFunctionsView *self = g_object_new (WP_TYPE_FUNCTIONS_VIEW, NULL);
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);

  self->model = g_object_ref (model);
  self->functions = WP_GRID_TABLE (wp_grid_table_new (_("Functions")));
  wp_grid_table_widen (self->functions, WP_FUNCTIONS_NAME, NAME_WIDTH);
  g_signal_connect (self->functions, "row-selected", G_CALLBACK (on_function_selected), self);
  g_signal_connect (self->functions, "row-activated", G_CALLBACK (on_function_activated), self);
  gtk_paned_set_start_child (GTK_PANED (paned), GTK_WIDGET (self->functions));
  gtk_paned_set_end_child (GTK_PANED (paned), build_beside (self));
  gtk_paned_set_resize_start_child (GTK_PANED (paned), TRUE);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), TRUE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_position (GTK_PANED (paned), FUNCTIONS_WIDTH);
  adw_bin_set_child (ADW_BIN (self), paned);
  g_signal_connect_object (model, "made", G_CALLBACK (on_made), self, 0);
  g_signal_connect_object (model, "callers-made", G_CALLBACK (on_callers_made), self, 0);
  return GTK_WIDGET (self);
}
