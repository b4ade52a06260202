/* What the Store page asks before it does something, over the window of `widget`; and the file manager. */
#pragma once

#include <adwaita.h>

#include "workspace/store/store-model.h"

void wp_store_ask_to_remove (GtkWidget *widget, WpStoreModel *model, WpStoreWork *work); /* takes over the work: at least one profile */
void wp_store_ask_to_trust (GtkWidget *widget, WpStoreModel *model); /* what the store's settings name; where there is nothing to trust, not */
void wp_store_ask_for_folder (GtkWidget *widget, WpStoreModel *model);

void wp_reveal_file (const char *path); /* in the file manager */
