/* Titles of a table's columns. */
#pragma once

#include <gtk/gtk.h>

/* Puts the title of the column that was appended last above what is below it: numbers stand at the end of their column. */
void wp_column_title_at_end (GtkColumnView *table);
