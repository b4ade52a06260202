/* What the files of the page share. */
#pragma once

#include "app/canvas/view.h"
#include "app/page/details.h"
#include "app/page/explanation-panel.h"
#include "app/page/page.h"
#include "app/plots/plot-page.h"
#include "workspace/analysis.h"
#include "workspace/job.h"
#include "workspace/sources.h"

typedef enum
{
  WP_VIEW_PROCESSES,
  WP_VIEW_FLAME,
  WP_VIEW_CONSOLIDATED,
  WP_N_VIEWS
} WpViewId;

struct _WpPage
{
  AdwBin parent_instance;

  /* the template */
  GtkStack *stack; /* "loading", "failed", "views" */
  AdwStatusPage *loading, *failed;
  GtkProgressBar *loading_progress, *symbols_progress;
  GtkRevealer *banner, *cuts_bar, *symbols;
  GtkLabel *banner_text, *cuts_text, *symbols_text, *matches;
  GtkMenuButton *banner_more;
  GtkBox *problems; /* in the popover of banner_more */
  GtkSearchBar *search_bar;
  GtkSearchEntry *search_entry;
  GtkPaned *down;
  GtkStack *views;
  AdwToastOverlay *toasts;
  WpDetails *details;
  WpExplanationPanel *panel;

  WpView *view[WP_N_VIEWS];
  WpViewId current;
  GtkSearchEntry *filter;
  GtkLabel *process_name[WP_N_VIEWS]; /* in the toolbars of the flame views */
  guint filter_source;

  gboolean gone; /* disposed: widgets that still live may tell of their end, and nobody listens */

  /* what is shown */
  GFile *file;
  char *title;
  WpShared *document; /* WpDocument, or NULL */
  WpPlotPage *kinds;  /* a profile that explains no process: all there is to see; or NULL */
  WpShared *analysis; /* WpAnalysis of the process of interest, or NULL */
  WpShared *range;    /* WpAnalysis of the marked range, or NULL */
  gboolean saving_profile; /* `saving` writes the profile of `kinds` */
  gboolean trace_busy;  /* symbols are being read: the trace is a worker's, nobody else reads it */
  gboolean wanted;      /* an analysis was asked for meanwhile, of */
  WpId wanted_task;
  gboolean layout_wanted; /* Processes with other options was asked for meanwhile */
  WpId task;            /* what was asked for last */
  gboolean again;       /* the analysis going on is of what is shown already, with other options: it keeps its place */
  gint64 analysing_since; /* monotonic time, µs */
  char *dismissed;      /* the banner's text that was dismissed, or NULL */

  GArray *cuts;         /* WpId of operations, sorted: branches cut by hand */
  GPtrArray *cuts_before; /* GArray: what they were before each change, for undo */

  gboolean show_sleeps, summary, inverted, collapse_recursion, icicle, merge_threads, started_work, legend, links;
  gboolean show_details; /* once a box has been selected */
  WpSort sort;

  WpId part;            /* what is meant of the selected box in the current view, or 0 */
  guint n_parts;        /* how many parts that box goes over */
  WpSources *sources;   /* source lines of frames that were shown */
  GArray *stops;        /* the chosen row's: boxes in a consolidated view, else indexes of pieces */
  GArray *stop_ns;      /* gint64: how long each is */
  guint stop;           /* where stepping is; G_MAXUINT: not begun */
  GArray *found;        /* boxes that match the search, in the current view */
  guint match;
  char *searched;       /* the text they match */

  WpJob *opening, *reading_symbols, *laying_out, *analysing, *explaining, *saving, *looking_up;
};

#define WP_ICON_FLAME "wakepath-flame-symbolic"

static inline WpCanvas *
wp_page_canvas (WpPage *self)
{
  return wp_view_canvas (self->view[self->current]);
}

/* page.c */
void wp_page_changed (WpPage *self);
void wp_page_toast (WpPage *self, const char *text);
void wp_page_reveal (GtkRevealer *bar, gboolean shown); /* one that is hidden is not there for assistive technology, too */
void wp_page_set_view (WpPage *self, WpViewId view);
const WpTrace *wp_page_trace (WpPage *self); /* NULL while it must not be read */
const WpAnalysis *wp_page_analysis (WpPage *self); /* of the marked range where there is one; or NULL */
const WpExplanation *wp_page_explanation (WpPage *self); /* what the panel shows */
gboolean wp_page_has_recording (WpPage *self); /* anything can be analysed anew; a saved profile cannot */

/* page-open.c */
void wp_page_open (WpPage *self);
void wp_page_layout_processes (WpPage *self);

/* page-analysis.c */
void wp_page_explain_task (WpPage *self, WpId task); /* 0: the recorded command */
void wp_page_explain_again (WpPage *self);           /* after an option changed */
void wp_page_open_row (WpPage *self, guint row);     /* of Processes: its flame view */
void wp_page_open_box (WpPage *self, guint box);
void wp_page_explain_range (WpPage *self);
void wp_page_show_explanation (WpPage *self);

/* page-cuts.c */
gboolean wp_page_can_cut (WpPage *self);
void wp_page_cut (WpPage *self); /* the branch of the selected box */
void wp_page_restore_cuts (WpPage *self);
void wp_page_undo_cut (WpPage *self);
void wp_page_forget_cuts (WpPage *self); /* another process is explained */

/* page-problems.c */
void wp_page_show_problems (WpPage *self);
void wp_page_dismiss_problems (WpPage *self);

/* page-select.c */
void wp_page_connect_canvas (WpPage *self, WpViewId view);
void wp_page_show_details (WpPage *self);
void wp_page_choose (WpPage *self); /* highlights the boxes of the panel's chosen row */
void wp_page_step (WpPage *self, int how);
void wp_page_go_to_op (WpPage *self, WpId op);
void wp_page_follow (WpPage *self, const char *uri);
WpId wp_page_selected_op (WpPage *self);
WpId wp_page_part_of (WpPage *self, guint box, guint *n_parts); /* n_parts may be NULL */
WpId wp_page_selected_task (WpPage *self);
char *wp_page_selected_name (WpPage *self);

/* page-search.c */
void wp_page_search (WpPage *self, const char *text); /* opens the search bar with this text; NULL: as it is */
void wp_page_update_search (WpPage *self);
void wp_page_mark_boxes (WpPage *self); /* of other rows: what is searched for, else what the panel's chosen row is about */
void wp_page_search_typed (WpPage *self);
void wp_page_next_match (WpPage *self, int direction);

/* page-toolbars.c */
void wp_page_build_toolbars (WpPage *self);
void wp_page_update_toolbars (WpPage *self);

/* page-save.c */
void wp_page_save (WpPage *self);
void wp_page_save_recording (WpPage *self);
void wp_page_export_picture (WpPage *self, gboolean visible);
void wp_page_export_table (WpPage *self);
void wp_page_copy_table (WpPage *self, const char *format); /* id of a WpReportFormat */
