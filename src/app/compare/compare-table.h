/* Tables of a comparison: its explanation's rows, and the longest waits. */
#pragma once

#include <gtk/gtk.h>

#include "workspace/compare/compare-data.h"

GtkWidget *wp_compare_rows_table_new (WpShared *data);
GtkWidget *wp_compare_waits_table_new (WpShared *data);
