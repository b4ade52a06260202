/* The table of a comparison's explanation rows. */
#pragma once

#include <gtk/gtk.h>

#include "workspace/compare/compare-data.h"

GtkWidget *wp_compare_rows_table_new (WpShared *data);
