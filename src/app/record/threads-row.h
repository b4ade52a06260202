/* Which threads of the chosen processes are sampled: a row among the settings of a recording, with a list of them to check, in a popover. They are read,
 * by a worker, when it opens, the busiest first. Where none is checked, all are meant, those to come included.
 *
 * Signal: chosen (): others are. */
#pragma once

#include <adwaita.h>

#define WP_TYPE_THREADS_ROW (wp_threads_row_get_type ())
G_DECLARE_FINAL_TYPE (WpThreadsRow, wp_threads_row, WP, THREADS_ROW, AdwActionRow)

/* A list that ends with 0. Where they are others than before, all of their threads are meant. */
void wp_threads_row_set_processes (WpThreadsRow *self, const gint32 *pids);

/* Of the processes that were set, in a list that ends with 0; g_free(). NULL: all. */
gint32 *wp_threads_row_chosen (WpThreadsRow *self);
