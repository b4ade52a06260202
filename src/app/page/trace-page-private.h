/* What the trace page and the table of its actions share. */
#pragma once

#include "app/page/callouts.h"
#include "app/page/cuts-bar.h"
#include "app/page/details.h"
#include "app/page/flame-bars.h"
#include "app/page/notes.h"
#include "app/widgets/hidden-bar.h"
#include "app/page/processes-bar.h"
#include "app/page/search-bar.h"
#include "app/page/symbols-bar.h"
#include "app/page/trace-page.h"
#include "app/page/views.h"
#include "workspace/file/visits.h"

#define WP_COLORS_KEY "colours" /* of the settings */

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
  WpVisits *visits;   /* NULL: nothing is shown yet */
  gboolean on_the_way; /* somewhere: what moves until one is there is no visit of its own */
  gboolean undoing;    /* views and mark follow the workspace */
  gboolean returning;  /* to `return_to`, as soon as its process is explained */
  WpVisit return_to;
  WpSelection selection; /* what is meant of the selected box in the current view */
  const char *hideable[WP_HIDE_MATCHING]; /* its function and module, the trace's; or NULL */
  gboolean since_process; /* times are shown like that */
  char *saved_notes, *saving_notes; /* as text: those that the file has; and those of one that is being written, or NULL */
  int details_wanted, details_placed; /* heights */
};

/* trace-page.c */
void wp_trace_page_set_colors (WpTracePage *self, WpColors colors);
WpColors wp_trace_page_kept_colors (void); /* as they were left the last time */
void wp_trace_page_show_beside (WpTracePage *self); /* what its options say of what is beside the rows */
gint64 wp_trace_page_origin (WpTracePage *self); /* from which moment of the recording moments are counted */
void wp_trace_page_open_box (WpTracePage *self, guint box); /* the flame view of the task behind it */
void wp_trace_page_go_to_op (WpTracePage *self, WpId op);
void wp_trace_page_saving (gpointer page, WpSaving saving); /* of a file with its notes */
void wp_trace_page_step (WpTracePage *self, WpStep step);

/* trace-page-visits.c */
void wp_trace_page_set_out (WpTracePage *self);
void wp_trace_page_arrive (WpTracePage *self);
void wp_trace_page_note_place (WpTracePage *self);     /* another view, or the picture has come to rest */
void wp_trace_page_note_selection (WpTracePage *self); /* another one at the same place */
gboolean wp_trace_page_can_go (WpTracePage *self, int direction); /* -1 back, +1 forward */
void wp_trace_page_go (WpTracePage *self, int direction);
void wp_trace_page_explained_anew (WpTracePage *self); /* another process, or it failed, or nobody wants to wait for it */

/* trace-page-actions.c */
extern const WpContentAction wp_trace_page_actions[WP_N_ACTIONS];
