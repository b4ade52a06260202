#include "app/plots/plot-page-private.h"

#include <glib/gi18n.h>

#include "app/plots/plot-analysis.h"

static void wp_plot_page_content_init (WpContentInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (WpPlotPage, wp_plot_page, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (WP_TYPE_CONTENT, wp_plot_page_content_init))

/* --- drawing --- */

/* The keyboard begins in the first picture, as in a recording's. */
static void
focus_view (WpPlotPage *self)
{
  const WpPlotView *view = &self->views[self->current];

  if (self->focused || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  self->focused = TRUE;
  if (view->view != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (wp_view_canvas (view->view)));
  else if (view->chart != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (view->chart));
}

static void draw_wanted (WpPlotPage *self);
static void analyse (WpPlotPage *self);

static void
on_drawn (gpointer result, const GError *error, gpointer data)
{
  WpPlotPage *self = data;
  g_autoptr (WpPlotPicture) picture = result;

  self->worker = NULL;
  if (picture != NULL)
    wp_plot_view_show (&self->views[self->drawing], picture);
  else
    wp_plot_view_show_message (&self->views[self->drawing], error->message);
  focus_view (self);
  wp_content_problems_changed (WP_CONTENT (self));
  draw_wanted (self);
  wp_content_changed (WP_CONTENT (self));
}

static void
draw (WpPlotPage *self, WpPlot plot)
{
  self->views[plot].wanted = FALSE;
  self->drawing = plot;
  self->worker = wp_worker_start (&(WpWorkerSpec) { .run = wp_plot_drawing_run,
                                                    .done = on_drawn,
                                                    .data = wp_plot_drawing_new (self->plots, plot, wp_plot_choosers_options (self->views[plot].choosers)),
                                                    .free_data = wp_plot_drawing_free,
                                                    .free_result = (GDestroyNotify) wp_plot_picture_free,
                                                    .user_data = self });
}

/* Only what is looked at is drawn. */
static void
draw_wanted (WpPlotPage *self)
{
  if (self->worker == NULL && self->wanted != NULL)
    analyse (self);
  else if (self->worker == NULL && self->views[self->current].wanted)
    draw (self, self->current);
}

static void
on_options_changed (WpPlot plot, gpointer data)
{
  WpPlotPage *self = data;

  self->views[plot].wanted = TRUE;
  draw_wanted (self);
}

/* --- building --- */

static void
on_view_chosen (GtkStack *stack, GParamSpec *pspec, WpPlotPage *self)
{
  const char *id = gtk_stack_get_visible_child_name (stack);

  if (self->stack == NULL || id == NULL || !wp_plot_find (id, &self->current) || self->plots == NULL)
    return;
  wp_plot_list_choose (self->list, self->current);
  draw_wanted (self);
  wp_content_changed (WP_CONTENT (self));
}

/* The views of a profile as it is now; the one that was seen is seen again if it is still there. */
static void
build_views (WpPlotPage *self, WpPlot first)
{
  const WpPlots *plots = wp_shared_get (self->plots);

  self->current = plots->offered & 1u << first ? first : wp_plots_first (plots);
  for (guint k = 0; k < WP_PLOT_COUNT; k++)
    if (plots->offered & 1u << k)
      {
        gtk_stack_add_titled (self->stack,
                              wp_plot_view_build (&self->views[k], (WpPlot) k, wp_shared_get (self->plots), on_options_changed, self),
                              wp_plot_id ((WpPlot) k), wp_plot_name ((WpPlot) k));
        g_signal_connect_object (self->views[k].details, "notify::visible", G_CALLBACK (wp_content_changed), self, G_CONNECT_SWAPPED);
      }
  gtk_stack_set_visible_child_name (self->stack, wp_plot_id (self->current));
  wp_plot_list_set (self->list, plots->offered, self->current);
  g_signal_connect (self->stack, "notify::visible-child", G_CALLBACK (on_view_chosen), self);
}

static void
remove_views (WpPlotPage *self)
{
  g_signal_handlers_disconnect_by_func (self->stack, on_view_chosen, self);
  for (guint k = 0; k < WP_PLOT_COUNT; k++)
    {
      GtkWidget *child = gtk_stack_get_child_by_name (self->stack, wp_plot_id ((WpPlot) k));

      if (child != NULL)
        gtk_stack_remove (self->stack, child);
      wp_plot_view_clear (&self->views[k]);
    }
}

/* --- analysing --- */

static void on_analysis_chosen (const WpPostprocess *what, gpointer data);

static void
show_analysis (WpPlotPage *self)
{
  if (self->analysis != NULL)
    gtk_box_remove (self->side, self->analysis);
  self->analysis = wp_plot_analysis_new (wp_shared_get (self->plots), on_analysis_chosen, self);
  g_object_set (self->analysis, "margin-start", 6, "margin-end", 6, "margin-top", 6, "margin-bottom", 6, NULL);
  gtk_box_append (self->side, self->analysis);
}

static void
on_analysed (gpointer data, const GError *error, gpointer user_data)
{
  WpPlotPage *self = user_data;
  g_autofree WpPlotAnalysed *result = data;
  g_autofree char *text = result != NULL ? wp_plot_analysed_text (result) : g_strdup (error->message);

  self->worker = NULL;
  if (result != NULL)
    {
      remove_views (self);
      build_views (self, result->which == WP_POSTPROCESS_REGRESSION ? WP_PLOT_SCATTER : self->current);
      show_analysis (self);
      self->unsaved = self->unsaved || wp_plot_analysed_changes (result);
    }
  wp_content_tell (WP_CONTENT (self), text);
  wp_content_problems_changed (WP_CONTENT (self));
  draw_wanted (self);
  wp_content_changed (WP_CONTENT (self));
}

static void
analyse (WpPlotPage *self)
{
  self->worker = wp_worker_start (&(WpWorkerSpec) { .run = wp_plot_analysing_run,
                                                    .done = on_analysed,
                                                    .data = g_steal_pointer (&self->wanted),
                                                    .free_data = wp_plot_analysing_free,
                                                    .free_result = g_free,
                                                    .user_data = self });
}

static void
on_analysis_chosen (const WpPostprocess *what, gpointer data)
{
  WpPlotPage *self = data;

  g_clear_pointer (&self->wanted, wp_plot_analysing_free);
  self->wanted = wp_plot_analysing_new (self->plots, what);
  draw_wanted (self);
  wp_content_changed (WP_CONTENT (self));
}

/* --- the content of a page --- */

/* What is changed while it is being saved is unsaved again. */
void
wp_plot_page_saving (gpointer page, WpSaving saving)
{
  WpPlotPage *self = page;

  if (saving == WP_SAVING_BEGUN)
    self->saving_unsaved = self->unsaved;
  if (saving == WP_SAVING_BEGUN)
    self->unsaved = FALSE;
  else if (saving == WP_SAVING_FAILED)
    self->unsaved = self->unsaved || self->saving_unsaved;
}

static gboolean
content_busy (WpContent *content)
{
  return WP_PLOT_PAGE (content)->worker != NULL;
}

static gboolean
content_unsaved (WpContent *content)
{
  return WP_PLOT_PAGE (content)->unsaved;
}

static WpProblems *
content_problems (WpContent *content)
{
  WpPlotPage *self = WP_PLOT_PAGE (content);

  return self->worker == NULL ? wp_problems_of_plots (wp_shared_get (self->plots)) : NULL;
}

static void
wp_plot_page_content_init (WpContentInterface *iface)
{
  iface->actions = wp_plot_page_actions;
  iface->busy = content_busy;
  iface->unsaved = content_unsaved;
  iface->problems = content_problems;
}

/* --- the widget --- */

static void
wp_plot_page_dispose (GObject *object)
{
  WpPlotPage *self = WP_PLOT_PAGE (object);

  wp_worker_drop (&self->worker);
  if (self->stack != NULL)
    g_signal_handlers_disconnect_by_func (self->stack, on_view_chosen, self);
  self->stack = NULL;
  G_OBJECT_CLASS (wp_plot_page_parent_class)->dispose (object);
}

static void
wp_plot_page_finalize (GObject *object)
{
  WpPlotPage *self = WP_PLOT_PAGE (object);

  for (guint k = 0; k < WP_PLOT_COUNT; k++)
    wp_plot_view_clear (&self->views[k]);
  g_clear_pointer (&self->wanted, wp_plot_analysing_free);
  g_clear_pointer (&self->plots, wp_shared_unref);
  g_clear_object (&self->saver);
  g_free (self->title);
  G_OBJECT_CLASS (wp_plot_page_parent_class)->finalize (object);
}

static void
wp_plot_page_class_init (WpPlotPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = wp_plot_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_plot_page_finalize;
}

static void
on_plot_chosen (WpPlotList *list, guint plot, WpPlotPage *self)
{
  if (self->stack != NULL)
    gtk_stack_set_visible_child_name (self->stack, wp_plot_id ((WpPlot) plot));
}

static void
wp_plot_page_init (WpPlotPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_widget_set_hexpand (GTK_WIDGET (self->stack), TRUE);
  self->list = WP_PLOT_LIST (wp_plot_list_new (_ ("Views")));
  g_signal_connect_object (self->list, "chosen", G_CALLBACK (on_plot_chosen), self, 0);
  self->side = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  gtk_box_append (self->side, GTK_WIDGET (self->list));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->side));
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->stack));
  adw_bin_set_child (ADW_BIN (self), box);
}

WpShared *
wp_plot_page_plots (WpPlotPage *self)
{
  return self->plots;
}

GtkWidget *
wp_plot_page_new (WpShared *plots, const char *title, WpSaver *saver)
{
  WpPlotPage *self = g_object_new (WP_TYPE_PLOT_PAGE, NULL);

  self->plots = wp_shared_ref (plots);
  self->title = g_strdup (title);
  self->saver = g_object_ref (saver);
  build_views (self, wp_plots_first (wp_shared_get (plots)));
  show_analysis (self);
  draw (self, self->current);
  return GTK_WIDGET (self);
}
