/* Rows of tables by their names. */
#pragma once

#include <glib.h>

/* The first of n rows whose name is `name`; n: there is none, as for NULL. `first` is the name of the first row, `stride` how many bytes
 * there are from one row's to the next's. */
guint wp_find_name (const char *const *first, gsize stride, guint n, const char *name);

/* Of an array of names; of an array of rows, whose member that is. */
#define WP_FIND_NAME(names, name) wp_find_name (names, sizeof *(names), G_N_ELEMENTS (names), name)
#define WP_FIND_ROW(rows, member, name) wp_find_name (&(rows)->member, sizeof *(rows), G_N_ELEMENTS (rows), name)
