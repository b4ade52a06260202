/* The three views of a recording, one of which is seen: Processes, the flame view and the consolidated flame view. They show what the
 * workspace has, share the marked range, have tooltips and context menus, and say why there is nothing to see.
 *
 * Signals:
 *   selected ()            in the current view
 *   switched ()            another view is current
 *   box-opened (uint box)  the flame view of a box of the current view is wanted
 *   row-opened (uint row)  the same of a row
 *   marked ()              the marked range changed
 *   moved ()               the current view shows another place
 *   kept ()                … and has come to rest there
 *   note-opened (uint note) a flag of one was clicked
 *   told (char *text)      what became of something, in words that go away by themselves
 *   cleared ()             Escape: nothing is selected or highlighted any more
 *   cancelled ()           nobody wants to wait for the analysis any more */
#pragma once

#include <adwaita.h>

#include "app/canvas/view.h"
#include "workspace/file/boxes.h"
#include "workspace/file/stepper.h"
#include "workspace/file/workspace.h"

typedef enum
{
  WP_VIEW_PROCESSES,
  WP_VIEW_FLAME,
  WP_VIEW_CONSOLIDATED,
  WP_N_VIEWS
} WpViewId;

#define WP_TYPE_VIEWS (wp_views_get_type ())
G_DECLARE_FINAL_TYPE (WpViews, wp_views, WP, VIEWS, AdwBin)

void wp_views_set_workspace (WpViews *self, WpWorkspace *workspace); /* once */

const char *wp_views_id (WpViewId view); /* "processes" */
WpViewId wp_views_current (WpViews *self);
void wp_views_switch (WpViews *self, WpViewId view);
WpCanvas *wp_views_canvas (WpViews *self); /* of the current view */
WpCanvas *wp_views_canvas_of (WpViews *self, WpViewId view);
gboolean wp_views_have_boxes (WpViews *self); /* the current one, to be seen */
GtkBox *wp_views_toolbar (WpViews *self, WpViewId view);

/* What the workspace has. `keep_place`: it is the same, with other options. */
void wp_views_show_processes (WpViews *self, gboolean keep_place);
void wp_views_show_analysis (WpViews *self, gboolean keep_place); /* both flame views, of the whole time */
void wp_views_show_consolidated (WpViews *self);                 /* of the marked range where there is one */
void wp_views_show_busy (WpViews *self, const char *phase, double fraction); /* phase: not translated, or NULL; fraction < 0: nobody knows */
void wp_views_show_choose (WpViews *self);                       /* no process has been chosen */
void wp_views_show_failure (WpViews *self, const char *message);

void wp_views_set_colors (WpViews *self, WpColors colors);
void wp_views_set_origin (WpViews *self, gint64 origin); /* from which moment of the recording moments are counted */
void wp_views_set_legend (WpViews *self, gboolean shown);
void wp_views_set_links (WpViews *self, gboolean shown);
WpShared *wp_views_shown_strip (WpViews *self); /* above the view that is shown; NULL: none */
void wp_views_set_wait_chain (WpViews *self, gboolean shown);

gboolean wp_views_mark (WpViews *self, gint64 *from, gint64 *to); /* the marked range, ns; FALSE: none */
void wp_views_set_notes (WpViews *self, const GArray *notes); /* WpNote: flags in the views over time */
void wp_views_clear_mark (WpViews *self);
void wp_views_set_mark (WpViews *self, gint64 from, gint64 to); /* equal: none; nobody is told */

/* Of a box of the current view what is meant: of the selected one what was pointed at, of others what is seen. */
WpSelection wp_views_select_box (WpViews *self, guint box);

void wp_views_go_to (WpViews *self, const WpStop *stop); /* in the current view */
/* In the current view where it is drawn there, else in Processes; FALSE: nowhere. */
gboolean wp_views_go_to_op (WpViews *self, WpId op);
