/* What the Store page says beside its rows: where the repository stands, what a user should know, and what stands in place of the list. */
#pragma once

#include "workspace/store/store-model.h"

typedef enum
{
  WP_STORE_PLACE_BUSY,  /* the store is being opened */
  WP_STORE_PLACE_EMPTY, /* there is nothing to list: wp_store_emptiness() says why */
  WP_STORE_PLACE_LIST,
  WP_STORE_PLACE_NOTHING, /* nothing passes the filter, of all there is */
} WpStorePlace;

WpStorePlace wp_store_place (WpStoreModel *model); /* what stands in the list's place */

typedef struct
{
  const char *icon, *title; /* the title is translated */
  char *text;               /* free with g_free() */
  const char *create;       /* label of the button that makes a store; NULL: it is not offered */
  gboolean choose;          /* another folder may help */
} WpStoreEmptiness;

void wp_store_emptiness (WpStoreModel *model, WpStoreEmptiness *out); /* of WP_STORE_PLACE_EMPTY */

char *wp_store_position (WpStoreModel *model); /* of an open store: where HEAD is, and whether the work tree is dirty. Free with g_free() */

/* NULL: nothing. `asks`: whether it can be answered by trusting the store's settings. */
const char *wp_store_notice_text (WpStoreModel *model, gboolean *asks);
