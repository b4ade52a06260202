/* What stands above Processes: a filter, the order of the rows, and what else is drawn.
 *
 * Signal: left (): the keyboard is wanted in the picture again. */
#pragma once

#include <adwaita.h>

#include "workspace/file/workspace.h"

#define WP_TYPE_PROCESSES_BAR (wp_processes_bar_get_type ())
G_DECLARE_FINAL_TYPE (WpProcessesBar, wp_processes_bar, WP, PROCESSES_BAR, AdwBin)

GtkWidget *wp_processes_bar_new (WpWorkspace *workspace); /* whose rows it filters and sorts */
void wp_processes_bar_filter (WpProcessesBar *self, const char *text);
