/* The functions of stacks with values as a table, and beside it who calls the one that is selected, and whom it calls: as two tables or as one
 * two-sided flame view.
 *
 * Signals:
 *   menu-wanted (uint frame, GtkWidget *over, double x, double y)   of a frame of the two-sided view */
#pragma once

#include <adwaita.h>

#include "workspace/stacks/stacks-model.h"

#define WP_TYPE_FUNCTIONS_VIEW (wp_functions_view_get_type ())
G_DECLARE_FINAL_TYPE (WpFunctionsView, wp_functions_view, WP, FUNCTIONS_VIEW, AdwBin)

GtkWidget *wp_functions_view_new (WpStacksModel *model);
void wp_functions_view_select (WpFunctionsView *self, guint32 frame); /* a row of the names of the graph */

/* Of the selected box of the two-sided view, or of the selected function where that is not seen: lines. NULL: nothing is selected. Free with
 * g_free(). */
char *wp_functions_view_said (WpFunctionsView *self);

/* The table with the rows of it that are shown, in their order: free `order`. NULL: nothing yet. */
WpShared *wp_functions_view_shown (WpFunctionsView *self, guint32 **order, guint32 *n);
