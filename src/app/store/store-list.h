/* The list of the Store page: its rows' widgets, keys, the context menu (actions `store.*` of whoever holds it), profiles that are dragged out.
 *
 * Signals:
 *   selected ()                 other rows are selected
 *   activated (guint position)  a row by a double click or Return
 *   scrolled ()                 another part is seen, or the list has become longer */
#pragma once

#include <adwaita.h>

#include "workspace/store/store-model.h"

#define WP_TYPE_STORE_LIST (wp_store_list_get_type ())
G_DECLARE_FINAL_TYPE (WpStoreList, wp_store_list, WP, STORE_LIST, AdwBin)

void wp_store_list_set_model (WpStoreList *self, WpStoreModel *model); /* once */
GPtrArray *wp_store_list_selected (WpStoreList *self);                 /* WpStoreRow, without headings; free with g_ptr_array_unref() */
void wp_store_list_go_to (WpStoreList *self, guint position);          /* selects a row and scrolls to it */
gboolean wp_store_list_is_end_near (WpStoreList *self);                /* a few screens away */
