#include "workspace/file/plot-requests.h"

#include <glib/gi18n.h>

/* --- drawing --- */

struct WpPlotDrawing
{
  WpShared *plots;
  WpPlot plot;
  WpPlotOptions options; /* its texts live in: */
  char *of, *per, *by;
};

WpPlotDrawing *
wp_plot_drawing_new (WpShared *plots, WpPlot plot, const WpPlotOptions *options)
{
  WpPlotDrawing *self = g_new0 (WpPlotDrawing, 1);

  self->plots = wp_shared_ref (plots);
  self->plot = plot;
  self->options = *options;
  self->options.of = self->of = g_strdup (options->of);
  self->options.per = self->per = g_strdup (options->per);
  self->options.by = self->by = g_strdup (options->by);
  return self;
}

void
wp_plot_drawing_free (gpointer drawing)
{
  WpPlotDrawing *self = drawing;

  wp_shared_unref (self->plots);
  g_free (self->of);
  g_free (self->per);
  g_free (self->by);
  g_free (self);
}

gpointer
wp_plot_drawing_run (gpointer drawing, WpProgress *progress, GError **error)
{
  const WpPlotDrawing *self = drawing;
  WpPlots *plots = wp_shared_get (self->plots);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&plots->lock);

  return wp_plots_draw (plots, self->plot, &self->options, progress, error);
}

/* --- analysing --- */

struct WpPlotAnalysing
{
  WpShared *plots;
  WpPostprocess what; /* its texts live in: */
  char *of, *per;
};

WpPlotAnalysing *
wp_plot_analysing_new (WpShared *plots, const WpPostprocess *what)
{
  WpPlotAnalysing *self = g_new0 (WpPlotAnalysing, 1);

  self->plots = wp_shared_ref (plots);
  self->what = *what;
  self->what.regression.of = self->of = g_strdup (what->regression.of);
  self->what.regression.per = self->per = g_strdup (what->regression.per);
  return self;
}

void
wp_plot_analysing_free (gpointer analysing)
{
  WpPlotAnalysing *self = analysing;

  wp_shared_unref (self->plots);
  g_free (self->of);
  g_free (self->per);
  g_free (self);
}

gpointer
wp_plot_analysing_run (gpointer analysing, WpProgress *progress, GError **error)
{
  const WpPlotAnalysing *self = analysing;
  WpPlots *plots = wp_shared_get (self->plots);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&plots->lock);
  WpPlotAnalysed result = { .which = self->what.which };
  guint32 before = plots->profile->models.len;

  if (!wp_plots_postprocess (plots, &self->what, &result.skipped, progress, error))
    return NULL;
  result.n_models = plots->profile->models.len - before;
  return g_memdup2 (&result, sizeof result);
}

gboolean
wp_plot_analysed_changes (const WpPlotAnalysed *self)
{
  return self->which != WP_POSTPROCESS_REGRESSION || self->n_models > 0;
}

char *
wp_plot_analysed_text (const WpPlotAnalysed *self)
{
  g_autofree char *text = NULL, *rest = NULL;

  if (self->which != WP_POSTPROCESS_REGRESSION)
    text = g_strdup (_("The profile is changed; Save Profile keeps it"));
  else
    text = g_strdup_printf (ngettext ("%u model added", "%u models added", self->n_models), self->n_models);
  if (self->skipped == 0)
    return g_steal_pointer (&text);
  rest = g_strdup_printf (ngettext ("%u uid has too few points", "%u uids have too few points", self->skipped), self->skipped);
  return g_strdup_printf ("%s; %s", text, rest);
}
