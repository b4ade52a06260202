/* A profile that is dragged out of the store's list: its file is made when it is dropped somewhere, by a worker. */
#pragma once

#include <gtk/gtk.h>

#include "workspace/store/store-data.h"

GdkContentProvider *wp_store_drag_new (WpStoreSession *session, WpStoreProfile *profile); /* the profile as a file */
