/* What the trace page and the table of its actions share. */
#pragma once

#include "app/page/callouts.h"
#include "app/page/cuts-bar.h"
#include "app/page/details.h"
#include "app/page/flame-bars.h"
#include "app/widgets/hidden-bar.h"
#include "app/page/processes-bar.h"
#include "app/page/search-bar.h"
#include "app/page/symbols-bar.h"
#include "app/page/trace-page.h"
#include "app/page/views.h"

struct _WpTracePage
{
  AdwBin parent_instance;

  WpWorkspace *workspace; /* NULL: disposed, and nobody listens any more */
  WpExplanationPanel *panel;
  WpSaver *saver;
  char *title;

  /* the template */
  WpCutsBar *cuts_bar;
  WpSymbolsBar *symbols_bar;
  WpSearchBar *search;
  WpHiddenBar *hidden_bar;
  GtkPaned *down;
  WpViews *views;
  WpDetails *details;

  WpProcessesBar *processes_bar;
  GtkWidget *hide_matches; /* in the search bar */
  WpFlameBars flame_bars;
  WpCallouts callouts;
  WpStepper *stepper;
  WpSelection selection; /* what is meant of the selected box in the current view */
  const char *hideable[WP_HIDE_MATCHING]; /* its function and module, the trace's; or NULL */
  WpColors colors;
  gboolean legend, links, wait_chain, since_process;
  gboolean show_details; /* once a box has been selected */
};

/* trace-page.c */
void wp_trace_page_set_colors (WpTracePage *self, WpColors colors);
void wp_trace_page_set_since_process (WpTracePage *self, gboolean since);
gint64 wp_trace_page_origin (WpTracePage *self); /* from which moment of the recording moments are counted */
void wp_trace_page_set_legend (WpTracePage *self, gboolean shown);
void wp_trace_page_set_links (WpTracePage *self, gboolean shown);
void wp_trace_page_set_wait_chain (WpTracePage *self, gboolean shown);
void wp_trace_page_set_details (WpTracePage *self, gboolean shown);
void wp_trace_page_open_box (WpTracePage *self, guint box); /* the flame view of the task behind it */
void wp_trace_page_go_to_op (WpTracePage *self, WpId op);
void wp_trace_page_step (WpTracePage *self, WpStep step);

/* trace-page-actions.c */
extern const WpContentAction wp_trace_page_actions[WP_N_ACTIONS];
