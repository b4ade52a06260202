/* All tasks of a recording as stacks with values, beside the views of one process: gathered when it is looked at for the first time.
 *
 * Signal: changed (): wp_system_page_content() is there, or has failed. */
#pragma once

#include "app/page/content.h"
#include "app/page/saver.h"

#include <adwaita.h>

#define WP_TYPE_SYSTEM_PAGE (wp_system_page_get_type ())
G_DECLARE_FINAL_TYPE (WpSystemPage, wp_system_page, WP, SYSTEM_PAGE, AdwBin)

GtkWidget *wp_system_page_new (WpWorkspace *workspace, const char *title, const char *folder, WpSaver *saver);
WpContent *wp_system_page_content (WpSystemPage *self); /* NULL: not yet, or it cannot be shown */
gboolean wp_system_page_busy (WpSystemPage *self);
