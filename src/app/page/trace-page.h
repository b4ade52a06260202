/* The page of a recording or of an explained process: three views with search and details, and the explanation in the window's side panel.
 * It shows a workspace and hands to it what one does; it decides nothing about the trace. */
#pragma once

#include <adwaita.h>

#include "app/page/content.h"
#include "app/page/explanation-panel.h"
#include "app/page/saver.h"

/* The ids of views that it names, but that whoever holds it shows: the call graph of the process; all tasks. */
#define WP_VIEW_CALLS "calls"
#define WP_VIEW_SYSTEM "system"

#define WP_TYPE_TRACE_PAGE (wp_trace_page_get_type ())
G_DECLARE_FINAL_TYPE (WpTracePage, wp_trace_page, WP, TRACE_PAGE, AdwBin)

/* Begins at once: symbols are read and what can be explained is. `title`: of the tab, for names of files and pictures. */
GtkWidget *wp_trace_page_new (WpWorkspace *workspace, const char *title, WpExplanationPanel *panel, WpSaver *saver);

WpViewOptions wp_trace_page_kept_options (void); /* as they were left the last time */
