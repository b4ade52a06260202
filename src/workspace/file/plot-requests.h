/* What workers do for the views of a profile that explains no process: draw one of them, analyse the profile. A request is made on the
 * main thread and holds what it needs; each takes the profile's lock while it runs. */
#pragma once

#include "plots/plots.h"
#include "workspace/shared.h"

/* Draws a view; gives a WpPlotPicture. */
typedef struct WpPlotDrawing WpPlotDrawing;

WpPlotDrawing *wp_plot_drawing_new (WpShared *plots, WpPlot plot, const WpPlotOptions *options); /* copies the options */
void wp_plot_drawing_free (gpointer drawing);
gpointer wp_plot_drawing_run (gpointer drawing, WpProgress *progress, GError **error);

/* Analyses the profile, which changes it; gives a WpPlotAnalysed, to be freed with g_free(). */
typedef struct WpPlotAnalysing WpPlotAnalysing;

typedef struct
{
  WpPostprocessor which;
  guint32 skipped;  /* uids with too few points for models */
  guint32 n_models; /* that were added */
} WpPlotAnalysed;

WpPlotAnalysing *wp_plot_analysing_new (WpShared *plots, const WpPostprocess *what); /* copies what is to be done */
void wp_plot_analysing_free (gpointer analysing);
gpointer wp_plot_analysing_run (gpointer analysing, WpProgress *progress, GError **error);

gboolean wp_plot_analysed_changes (const WpPlotAnalysed *self); /* the profile is not any more what is in its file */
char *wp_plot_analysed_text (const WpPlotAnalysed *self);       /* "12 models added; …". Free with g_free() */
