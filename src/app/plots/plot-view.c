#include "app/plots/plot-view.h"

#include <glib/gi18n.h>

#include "app/widgets/status-page.h"

#define TOOLTIP_FRAMES 8

static void
show_text (WpPlotView *self, const char *text)
{
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->text), text, -1);
}

void
wp_plot_view_show (WpPlotView *self, WpPlotPicture *picture)
{
  g_autoptr (WpShared) rows = NULL, chart = NULL, grid = NULL;

  wp_plot_details_show (self->details, NULL);
  g_clear_pointer (&self->notes, wp_plot_notes_free);
  self->notes = g_steal_pointer (&picture->notes);
  wp_plot_choosers_set_peak (self->choosers, picture->peak);
  if (picture->rows != NULL && self->view != NULL)
    wp_view_set_rows (self->view, rows = wp_shared_new (g_steal_pointer (&picture->rows), (GDestroyNotify) wp_rows_free),
                      self->drawn);
  if (picture->chart != NULL && self->chart != NULL)
    wp_chart_area_set_chart (self->chart, chart = wp_shared_new (g_steal_pointer (&picture->chart), (GDestroyNotify) wp_chart_free));
  if (picture->grid != NULL && self->table != NULL)
    wp_grid_table_set_grid (self->table, grid = wp_shared_new (g_steal_pointer (&picture->grid), (GDestroyNotify) wp_grid_free));
  if (picture->text != NULL && self->text != NULL)
    show_text (self, picture->text);
  gtk_stack_set_visible_child_name (self->stack, "shown");
  self->drawn = TRUE;
}

void
wp_plot_view_show_message (WpPlotView *self, const char *message)
{
  adw_status_page_set_title (self->message, _ ("Nothing to Show"));
  wp_status_page_say (self->message, message);
  gtk_stack_set_visible_child_name (self->stack, "message");
}

static char *
describe_box (guint box, double time, gpointer data)
{
  const WpPlotView *self = data;

  return wp_plot_describe_box (wp_canvas_rows (wp_view_canvas (self->view)), self->notes, box, TOOLTIP_FRAMES);
}

static void
on_box_selected (WpCanvas *canvas, guint box, WpPlotView *self)
{
  g_autofree char *text = NULL;

  if (box != WP_NO_BOX && wp_canvas_rows (canvas) != NULL)
    text = wp_plot_describe_box (wp_canvas_rows (canvas), self->notes, box, G_MAXUINT);
  wp_plot_details_show (self->details, text);
}

/* A row of the map of all snapshots is one of them. */
static void
on_row_opened (WpView *view, guint row, WpPlotView *self)
{
  if (wp_plot_choosers_options (self->choosers)->snapshot == 0)
    wp_plot_choosers_step (self->choosers, (int) row + 1);
}

static GtkWidget *
build_rows (WpPlotView *self, const char *name)
{
  self->view = WP_VIEW (wp_view_new (name));
  wp_view_set_legend (self->view, FALSE);
  wp_canvas_set_describe (wp_view_canvas (self->view), describe_box, self);
  g_signal_connect (wp_view_canvas (self->view), "box-selected", G_CALLBACK (on_box_selected), self);
  g_signal_connect (self->view, "row-opened", G_CALLBACK (on_row_opened), self);
  return GTK_WIDGET (self->view);
}

static void
on_point_picked (WpChartArea *area, guint point, gboolean more, WpPlotView *self)
{
  g_autofree char *text = wp_chart_describe (wp_shared_get (wp_chart_area_chart (area)), point);

  wp_plot_details_show (self->details, text);
}

static GtkWidget *
build_chart (WpPlotView *self, const char *name)
{
  self->chart = WP_CHART_AREA (wp_chart_area_new (name));
  g_signal_connect (self->chart, "point-picked", G_CALLBACK (on_point_picked), self);
  return GTK_WIDGET (self->chart);
}

static void
on_row_selected (WpGridTable *table, guint row, WpPlotView *self)
{
  g_autofree char *text = wp_grid_table_describe (table, row);

  wp_plot_details_show (self->details, text);
}

static GtkWidget *
build_table (WpPlotView *self, const char *name)
{
  self->table = WP_GRID_TABLE (wp_grid_table_new (name));
  g_signal_connect (self->table, "row-selected", G_CALLBACK (on_row_selected), self);
  return GTK_WIDGET (self->table);
}

static GtkWidget *
build_text (WpPlotView *self, const char *name)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->text = GTK_TEXT_VIEW (gtk_text_view_new ());
  gtk_text_view_set_editable (self->text, FALSE);
  gtk_text_view_set_monospace (self->text, TRUE);
  gtk_text_view_set_left_margin (self->text, 12);
  gtk_text_view_set_top_margin (self->text, 12);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->text), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->text));
  return scrolled;
}

typedef GtkWidget *(*BuildFunc) (WpPlotView *self, const char *name);

static const BuildFunc builders[WP_N_SHOWS] = {
  [WP_SHOWS_ROWS] = build_rows, [WP_SHOWS_CHART] = build_chart, [WP_SHOWS_GRID] = build_table, [WP_SHOWS_TEXT] = build_text,
};

static gboolean
on_key (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state, WpPlotView *self)
{
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SHIFT_MASK) || (key != GDK_KEY_comma && key != GDK_KEY_period && key != GDK_KEY_p))
    return FALSE;
  if (key == GDK_KEY_p)
    wp_plot_choosers_play (self->choosers);
  else
    wp_plot_choosers_step (self->choosers, key == GDK_KEY_comma ? -1 : 1);
  return TRUE;
}

static void
add_keys (GtkWidget *box, WpPlotView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  g_signal_connect (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (box, keys);
}

GtkWidget *
wp_plot_view_build (WpPlotView *self, WpPlot plot, WpPlots *plots, WpPlotChosen chosen, gpointer data)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *shown = builders[wp_plot_shows (plot)](self, wp_plot_name (plot));

  self->choosers = wp_plot_choosers_new (plot, plots, chosen, data);
  self->stack = GTK_STACK (gtk_stack_new ());
  self->message = ADW_STATUS_PAGE (adw_status_page_new ());
  adw_status_page_set_title (self->message, _ ("Drawing"));
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->message), "message");
  gtk_stack_add_named (self->stack, shown, "shown");
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  if (wp_plot_choosers_widget (self->choosers) != NULL)
    gtk_box_append (GTK_BOX (box), wp_plot_choosers_widget (self->choosers));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->stack));
  self->details = wp_plot_details_new ();
  gtk_box_append (GTK_BOX (box), self->details);
  if (wp_plot_choices (plot) & WP_CHOOSE_SNAPSHOT)
    add_keys (box, self);
  self->wanted = TRUE;
  return box;
}

void
wp_plot_view_clear (WpPlotView *self)
{
  g_clear_pointer (&self->choosers, wp_plot_choosers_free);
  g_clear_pointer (&self->notes, wp_plot_notes_free);
  *self = (WpPlotView) { 0 };
}

char *
wp_plot_view_text (const WpPlotView *self)
{
  GtkTextIter start, end;

  if (self->text == NULL)
    return NULL;
  gtk_text_buffer_get_bounds (gtk_text_view_get_buffer (self->text), &start, &end);
  return gtk_text_buffer_get_text (gtk_text_view_get_buffer (self->text), &start, &end, FALSE);
}
