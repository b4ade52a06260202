#include "app/plots/plot-page.h"

#include <glib/gi18n.h>

#include "app/plots/plot-analysis.h"
#include "app/plots/plot-list.h"
#include "app/plots/plot-view.h"
#include "workspace/job.h"

struct _WpPlotPage
{
  AdwBin parent_instance;

  GtkStack *stack;
  WpShared *kinds;
  WpPlotView views[WP_PLOT_COUNT];
  WpPlot current, drawing;
  WpJob *job; /* one at a time */
  GtkBox *side;
  WpPlotList *list;
  GtkWidget *analysis;
  WpPostprocess *wanted; /* to be done next, or NULL; its texts live in: */
  char *wanted_of, *wanted_per;
  gboolean unsaved; /* the profile was changed */
  gboolean focused; /* once it had something to show */
};

enum
{
  SIGNAL_CHANGED,
  SIGNAL_TOLD,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpPlotPage, wp_plot_page, ADW_TYPE_BIN)

/* --- drawing ------------------------------------------------------------------------------------------------------------- */

typedef struct
{
  WpShared *kinds;
  WpPlot kind;
  WpPlotOptions options;
  char *of, *per, *by;
} DrawRequest;

static void
draw_request_free (gpointer data)
{
  DrawRequest *self = data;

  wp_shared_unref (self->kinds);
  g_free (self->of);
  g_free (self->per);
  g_free (self->by);
  g_free (self);
}

static gpointer
run_draw (gpointer data, WpProgress *progress, GError **error)
{
  const DrawRequest *request = data;
  WpPlots *kinds = wp_shared_get (request->kinds);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&kinds->lock);

  return wp_plots_draw (kinds, request->kind, &request->options, progress, error);
}

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

  self->job = NULL;
  if (picture != NULL)
    wp_plot_view_show (&self->views[self->drawing], picture);
  else
    wp_plot_view_show_message (&self->views[self->drawing], error->message);
  focus_view (self);
  draw_wanted (self);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
draw (WpPlotPage *self, WpPlot kind)
{
  DrawRequest *request = g_new0 (DrawRequest, 1);

  self->views[kind].wanted = FALSE;
  self->drawing = kind;
  request->kinds = wp_shared_ref (self->kinds);
  request->kind = kind;
  request->options = *wp_plot_choosers_options (self->views[kind].choosers);
  request->options.of = request->of = g_strdup (request->options.of);
  request->options.per = request->per = g_strdup (request->options.per);
  request->options.by = request->by = g_strdup (request->options.by);
  self->job = wp_job_start (&(WpJobSpec) { .run = run_draw,
                                           .done = on_drawn,
                                           .data = request,
                                           .free_data = draw_request_free,
                                           .free_result = (GDestroyNotify) wp_plot_picture_free,
                                           .user_data = self });
}

/* Only what is looked at is drawn. */
static void
draw_wanted (WpPlotPage *self)
{
  if (self->job == NULL && self->wanted != NULL)
    analyse (self);
  else if (self->job == NULL && self->views[self->current].wanted)
    draw (self, self->current);
}

static void
on_options_changed (WpPlot kind, gpointer data)
{
  WpPlotPage *self = data;

  self->views[kind].wanted = TRUE;
  draw_wanted (self);
}

/* --- building ------------------------------------------------------------------------------------------------------------ */

static void
on_view_chosen (GtkStack *stack, GParamSpec *pspec, WpPlotPage *self)
{
  const char *id = gtk_stack_get_visible_child_name (stack);

  if (self->stack == NULL || id == NULL || !wp_plot_find (id, &self->current) || self->kinds == NULL)
    return;
  wp_plot_list_choose (self->list, self->current);
  draw_wanted (self);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* The views of a profile as it is now; the one that was seen is seen again if it is still there. */
static void
build_views (WpPlotPage *self, WpPlot first)
{
  const WpPlots *kinds = wp_shared_get (self->kinds);

  self->current = kinds->offered & 1u << first ? first : wp_plots_first (kinds);
  for (guint k = 0; k < WP_PLOT_COUNT; k++)
    if (kinds->offered & 1u << k)
      gtk_stack_add_titled (self->stack,
                            wp_plot_view_build (&self->views[k], (WpPlot) k, wp_shared_get (self->kinds), on_options_changed, self),
                            wp_plot_id ((WpPlot) k), wp_plot_name ((WpPlot) k));
  gtk_stack_set_visible_child_name (self->stack, wp_plot_id (self->current));
  wp_plot_list_set (self->list, kinds->offered, self->current);
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

/* --- analysing ----------------------------------------------------------------------------------------------------------- */

static void on_analysis_chosen (const WpPostprocess *what, gpointer data);

static void
show_analysis (WpPlotPage *self)
{
  if (self->analysis != NULL)
    gtk_box_remove (self->side, self->analysis);
  self->analysis = wp_plot_analysis_new (wp_shared_get (self->kinds), on_analysis_chosen, self);
  g_object_set (self->analysis, "margin-start", 6, "margin-end", 6, "margin-top", 6, "margin-bottom", 6, NULL);
  gtk_box_append (self->side, self->analysis);
}

typedef struct
{
  WpShared *kinds;
  WpPostprocess what;
  char *of, *per;
} AnalysisRequest;

static void
analysis_request_free (gpointer data)
{
  AnalysisRequest *self = data;

  wp_shared_unref (self->kinds);
  g_free (self->of);
  g_free (self->per);
  g_free (self);
}

typedef struct
{
  WpPostprocessor which;
  guint32 skipped, n_models;
} Analysed;

static gpointer
run_analysis (gpointer data, WpProgress *progress, GError **error)
{
  const AnalysisRequest *request = data;
  WpPlots *kinds = wp_shared_get (request->kinds);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&kinds->lock);
  Analysed result = { .which = request->what.which };
  guint32 before = kinds->profile->models.len;

  if (!wp_plots_postprocess (kinds, &request->what, &result.skipped, progress, error))
    return NULL;
  result.n_models = kinds->profile->models.len - before;
  return g_memdup2 (&result, sizeof result);
}

static void
tell_result (WpPlotPage *self, const Analysed *result)
{
  g_autofree char *text = NULL, *rest = NULL;

  if (result->which != WP_POSTPROCESS_REGRESSION)
    text = g_strdup (_ ("The profile is changed; Save Profile keeps it"));
  else
    text = g_strdup_printf (ngettext ("%u model added", "%u models added", result->n_models), result->n_models);
  if (result->skipped > 0)
    rest = g_strdup_printf (ngettext ("%u uid has too few points", "%u uids have too few points", result->skipped), result->skipped);
  if (rest != NULL)
    {
      char *both = g_strdup_printf ("%s; %s", text, rest);

      g_free (text);
      text = both;
    }
  g_signal_emit (self, signals[SIGNAL_TOLD], 0, text);
}

static void
on_analysed (gpointer data, const GError *error, gpointer user_data)
{
  WpPlotPage *self = user_data;
  g_autofree Analysed *result = data;

  self->job = NULL;
  if (result != NULL)
    {
      remove_views (self);
      build_views (self, result->which == WP_POSTPROCESS_REGRESSION ? WP_PLOT_SCATTER : self->current);
      show_analysis (self);
      tell_result (self, result);
      self->unsaved = self->unsaved || result->which != WP_POSTPROCESS_REGRESSION || result->n_models > 0;
    }
  else
    g_signal_emit (self, signals[SIGNAL_TOLD], 0, error->message);
  draw_wanted (self);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

static void
analyse (WpPlotPage *self)
{
  AnalysisRequest *request = g_new0 (AnalysisRequest, 1);

  request->kinds = wp_shared_ref (self->kinds);
  request->what = *self->wanted;
  request->of = g_steal_pointer (&self->wanted_of);
  request->per = g_steal_pointer (&self->wanted_per);
  g_clear_pointer (&self->wanted, g_free);
  self->job = wp_job_start (&(WpJobSpec) { .run = run_analysis,
                                           .done = on_analysed,
                                           .data = request,
                                           .free_data = analysis_request_free,
                                           .free_result = g_free,
                                           .user_data = self });
}

static void
on_analysis_chosen (const WpPostprocess *what, gpointer data)
{
  WpPlotPage *self = data;

  g_free (self->wanted);
  g_free (self->wanted_of);
  g_free (self->wanted_per);
  self->wanted = g_memdup2 (what, sizeof *what);
  self->wanted->regression.of = self->wanted_of = g_strdup (what->regression.of);
  self->wanted->regression.per = self->wanted_per = g_strdup (what->regression.per);
  draw_wanted (self);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* --- from outside ---------------------------------------------------------------------------------------------------------- */

gboolean
wp_plot_page_busy (WpPlotPage *self)
{
  return self->job != NULL;
}

gboolean
wp_plot_page_unsaved (WpPlotPage *self)
{
  return self->unsaved;
}

void
wp_plot_page_set_unsaved (WpPlotPage *self, gboolean unsaved)
{
  self->unsaved = unsaved;
}

WpPlot
wp_plot_page_current (WpPlotPage *self)
{
  return self->current;
}

WpCanvas *
wp_plot_page_canvas (WpPlotPage *self)
{
  WpView *view = self->views[self->current].view;

  return view != NULL ? wp_view_canvas (view) : NULL;
}

WpShared *
wp_plot_page_rows (WpPlotPage *self)
{
  WpCanvas *canvas = wp_plot_page_canvas (self);

  return canvas != NULL ? wp_canvas_shared_rows (canvas) : NULL;
}

WpShared *
wp_plot_page_chart (WpPlotPage *self, WpChartView *view)
{
  WpChartArea *chart = self->views[self->current].chart;

  if (chart == NULL)
    return NULL;
  if (view != NULL)
    *view = *wp_chart_area_view (chart);
  return wp_chart_area_chart (chart);
}

WpShared *
wp_plot_page_grid (WpPlotPage *self, guint32 **order, guint32 *n)
{
  WpGridTable *table = self->views[self->current].table;

  return table != NULL ? wp_grid_table_shown (table, order, n) : NULL;
}

WpShared *
wp_plot_page_kinds (WpPlotPage *self)
{
  return self->kinds;
}

char *
wp_plot_page_text (WpPlotPage *self)
{
  return wp_plot_view_text (&self->views[self->current]);
}

void
wp_plot_page_zoom (WpPlotPage *self, double factor)
{
  WpCanvas *canvas = wp_plot_page_canvas (self);
  WpChartArea *chart = self->views[self->current].chart;

  if (canvas != NULL && factor > 0)
    wp_canvas_zoom (canvas, factor);
  else if (canvas != NULL)
    wp_canvas_fit (canvas);
  else if (chart != NULL && factor > 0)
    wp_chart_area_zoom (chart, factor);
  else if (chart != NULL)
    wp_chart_area_fit (chart);
}

/* --- the widget -------------------------------------------------------------------------------------------------------------- */

static void
wp_plot_page_dispose (GObject *object)
{
  WpPlotPage *self = WP_PLOT_PAGE (object);

  wp_job_drop (&self->job);
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
  g_free (self->wanted);
  g_free (self->wanted_of);
  g_free (self->wanted_per);
  g_clear_pointer (&self->kinds, wp_shared_unref);
  G_OBJECT_CLASS (wp_plot_page_parent_class)->finalize (object);
}

static void
wp_plot_page_class_init (WpPlotPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = wp_plot_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_plot_page_finalize;
  signals[SIGNAL_TOLD] = g_signal_new ("told", WP_TYPE_PLOT_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_CHANGED]
    = g_signal_new ("changed", WP_TYPE_PLOT_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
on_kind_chosen (WpPlotList *list, guint kind, WpPlotPage *self)
{
  if (self->stack != NULL)
    gtk_stack_set_visible_child_name (self->stack, wp_plot_id ((WpPlot) kind));
}

static void
wp_plot_page_init (WpPlotPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_widget_set_hexpand (GTK_WIDGET (self->stack), TRUE);
  self->list = WP_PLOT_LIST (wp_plot_list_new (_ ("Views")));
  g_signal_connect_object (self->list, "chosen", G_CALLBACK (on_kind_chosen), self, 0);
  self->side = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  gtk_box_append (self->side, GTK_WIDGET (self->list));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->side));
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_VERTICAL));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->stack));
  adw_bin_set_child (ADW_BIN (self), box);
}

GtkWidget *
wp_plot_page_new (WpShared *shared)
{
  WpPlotPage *self = g_object_new (WP_TYPE_PLOT_PAGE, NULL);

  self->kinds = wp_shared_ref (shared);
  build_views (self, wp_plots_first (wp_shared_get (shared)));
  show_analysis (self);
  draw (self, self->current);
  return GTK_WIDGET (self);
}
