/* What stands over the list of the Store page: the folder, the branch, where HEAD is, what the rows are filtered by, a notice.
 *
 * Signal: filtered (): the rows have another filter */
#pragma once

#include <adwaita.h>

#include "workspace/store/store-model.h"

#define WP_TYPE_STORE_HEADER (wp_store_header_get_type ())
G_DECLARE_FINAL_TYPE (WpStoreHeader, wp_store_header, WP, STORE_HEADER, AdwBin)

void wp_store_header_set_model (WpStoreHeader *self, WpStoreModel *model); /* once */
void wp_store_header_clear_filter (WpStoreHeader *self);                   /* all of it */
void wp_store_header_update (WpStoreHeader *self);                         /* after the model has changed */
