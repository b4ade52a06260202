/* The labels that samples have, by key, with what they took: largest first. A click chooses one.
 *
 * Signal: chosen (char *pattern): "key=^value$", for a filter's tagfocus. */
#pragma once

#include <adwaita.h>

#include "stacks/stacks.h"

#define WP_TYPE_LABEL_LIST (wp_label_list_get_type ())
G_DECLARE_FINAL_TYPE (WpLabelList, wp_label_list, WP, LABEL_LIST, AdwBin)

GtkWidget *wp_label_list_new (const WpStacks *stacks, guint32 type); /* does not keep the stacks */
