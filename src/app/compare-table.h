/* The tables of a comparison: explanation rows, or frames with sorting and filter. */
#pragma once

#include <gtk/gtk.h>

#include "app/compare-data.h"

/* A list of rows that can be shown by `view`; the columns are those of explanation rows or of frames. */
GtkWidget *wp_compare_rows_table_new (WpShared *data);

/* `search` (a GtkSearchEntry) and `presence` (a GtkDropDown: all, new, vanished, common) narrow down what is shown. */
GtkWidget *wp_compare_frames_table_new (WpShared *data, GtkSearchEntry *search, GtkDropDown *presence);
