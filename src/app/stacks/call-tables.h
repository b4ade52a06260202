/* What views say of the function that is selected in them: who calls it and whom it calls, or that there is none. */
#pragma once

#include "app/plots/grid-table.h"

/* Two tables below one another. `activated`: handler of their row-activated, with this data. */
GtkWidget *wp_call_tables_new (WpGridTable **callers, WpGridTable **callees, GCallback activated, gpointer data);

GtkWidget *wp_no_function_page (void);
