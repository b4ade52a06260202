/* The side panel of a window: the store, and the explanation of the tab that is shown. Which of the two is kept between two runs of the
 * program; while no tab is open there is only the store. */
#pragma once

#include "app/page/page.h"
#include "app/store/store-panel.h"

#define WP_TYPE_SIDE_PANEL (wp_side_panel_get_type ())
G_DECLARE_FINAL_TYPE (WpSidePanel, wp_side_panel, WP, SIDE_PANEL, AdwBin)

/* A tab that came to the window, and one that leaves it. */
void wp_side_panel_add_page (WpSidePanel *self, WpPage *page);
void wp_side_panel_remove_page (WpSidePanel *self, WpPage *page);

/* The tab that is shown, or NULL. Its explanation is on the screen as long as it is the one. */
void wp_side_panel_show_page (WpSidePanel *self, WpPage *page);

WpStorePanel *wp_side_panel_store (WpSidePanel *self);
GAction *wp_side_panel_page_action (WpSidePanel *self, const char *name); /* its state: "store" or "explanation" */
