/* The call graph of stacks with values, or of a file that is one: a diagram, limits below which nodes are hidden, a
 * search; beside it who calls the selected node, and whom it calls.
 *
 * Signals:
 *   changed ()                                          something else is selected, found, or seen
 *   menu-wanted (uint node, uint frame, GtkWidget *over, double x, double y)
 *                                                       WP_NO_NODE, G_MAXUINT32: of none
 *   frame-selected (uint frame), frame-opened (uint frame)
 *                                                       rows of the names of the views' graph; a node that is none of them comes to the middle when it is opened */
#pragma once

#include <adwaita.h>

#include "app/canvas/diagram-area.h"
#include "workspace/file/export.h"
#include "workspace/stacks/calls-model.h"

#define WP_TYPE_CALLS_VIEW (wp_calls_view_get_type ())
G_DECLARE_FINAL_TYPE (WpCallsView, wp_calls_view, WP, CALLS_VIEW, AdwBin)

GtkWidget *wp_calls_view_new (WpCallsModel *model); /* takes a reference */

/* While it is looked at, what it shows is made. `frame`: which node is selected then; G_MAXUINT32: none. */
void wp_calls_view_look (WpCallsView *self, gboolean looked_at, guint32 frame);

WpDiagramArea *wp_calls_view_area (WpCallsView *self);
WpExport *wp_calls_view_export (WpCallsView *self, const char *title, gboolean of_file); /* title: the name of a file, else of a process */
char *wp_calls_view_said (WpCallsView *self); /* of the selected node, lines; NULL: nothing is selected. Free with g_free() */
char *wp_calls_view_selected_name (WpCallsView *self); /* NULL: nothing is selected. Free with g_free() */
void wp_calls_view_search (WpCallsView *self, const char *name); /* gives the keyboard to the search; for exactly that name, NULL: as it stands */
gboolean wp_calls_view_has_matches (WpCallsView *self);
void wp_calls_view_next_match (WpCallsView *self, int direction); /* 1 or −1 */
