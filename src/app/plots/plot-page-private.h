/* What the page of a profile and the table of its actions share. */
#pragma once

#include "app/plots/plot-list.h"
#include "app/plots/plot-page.h"
#include "app/plots/plot-view.h"
#include "workspace/worker.h"
#include "workspace/file/plot-requests.h"

struct _WpPlotPage
{
  AdwBin parent_instance;

  WpShared *plots; /* WpPlots */
  char *title;
  WpSaver *saver;
  GtkStack *stack; /* NULL: disposed */
  GtkBox *side;
  WpPlotList *list;
  GtkWidget *analysis;
  WpPlotView views[WP_PLOT_COUNT];
  WpPlot current, drawing;
  WpWorker *worker;              /* one at a time */
  WpPlotAnalysing *wanted; /* what is to be done next, or NULL */
  gboolean unsaved;        /* an analysis changed the profile since it was read or saved */
  gboolean saving_unsaved; /* what is being saved was not saved before */
  gboolean focused;        /* the keyboard was given to the first view that had something to show */
};

/* plot-page.c */
void wp_plot_page_saving (gpointer page, WpSaving saving); /* how saving the profile goes on */

/* plot-page-actions.c */
extern const WpContentAction wp_plot_page_actions[WP_N_ACTIONS];
