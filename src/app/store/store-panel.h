/* The Store page of the side panel: the commits of a branch in walk order with the profiles of each, pending profiles on top, and what can be
 * done with them. Its actions are `store.*`; those that need more than the store are its signals:
 *
 *   open (GFile *file, const char *title)   a profile is to be shown in a tab; the file lasts as long as the panel
 *   compare (GStrv a, GStrv b)              two profiles, or those of two commits, are to be compared: paths of their files
 *   history (const char *folder, const char *branch) figures over the commits of the branch shown are to be plotted; branch may be NULL */
#pragma once

#include "app/page/page.h"
#include "workspace/store/store-model.h"

#define WP_TYPE_STORE_PANEL (wp_store_panel_get_type ())
G_DECLARE_FINAL_TYPE (WpStorePanel, wp_store_panel, WP, STORE_PANEL, AdwBin)

/* The tab that is shown, or NULL: what “Save Here” saves. */
void wp_store_panel_set_page (WpStorePanel *self, WpPage *page);

/* Whether something would be given up that was begun here: commits are being profiled, which is asked about (see wp_range_dialog_holds()), or the store is being
 * changed, which is waited for. */
gboolean wp_store_panel_holds (WpStorePanel *self, const char *action);

/* The store that is shown: whoever wants another folder or a certain commit asks it. */
WpStoreModel *wp_store_panel_model (WpStorePanel *self);
