/* What a page shows of a file that is a call graph itself: it has no stacks, so the graph is all there is. See page/content.h. */
#pragma once

#include "app/page/saver.h"
#include "workspace/shared.h"

#include <adwaita.h>

#define WP_TYPE_CALLS_PAGE (wp_calls_page_get_type ())
G_DECLARE_FINAL_TYPE (WpCallsPage, wp_calls_page, WP, CALLS_PAGE, AdwBin)

GtkWidget *wp_calls_page_new (WpShared *calls, const char *title, WpSaver *saver); /* WpCalls */
