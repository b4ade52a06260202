/* A call graph and nothing beside it: of a file that is one itself, without stacks; or of the process that a page of a recording explains, where it stands in
 * place of the other views. See page/content.h. */
#pragma once

#include "app/page/saver.h"
#include "workspace/file/workspace.h"

#include <adwaita.h>

#define WP_TYPE_CALLS_PAGE (wp_calls_page_get_type ())
G_DECLARE_FINAL_TYPE (WpCallsPage, wp_calls_page, WP, CALLS_PAGE, AdwBin)

GtkWidget *wp_calls_page_new (WpShared *calls, const char *title, WpSaver *saver); /* WpCalls */
GtkWidget *wp_calls_page_new_of_process (WpWorkspace *workspace, const char *title, WpSaver *saver);
