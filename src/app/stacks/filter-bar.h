/* Above the views of stacks with values: which type of value is seen, what a frame stands for, labels to filter by; and the filter, a chip for each step
 * of it, from the whole on. */
#pragma once

#include <adwaita.h>

#include "workspace/stacks/stacks-model.h"

#define WP_TYPE_FILTER_BAR (wp_filter_bar_get_type ())
G_DECLARE_FINAL_TYPE (WpFilterBar, wp_filter_bar, WP, FILTER_BAR, AdwBin)

GtkWidget *wp_filter_bar_new (WpStacksModel *model);
void wp_filter_bar_prepend (WpFilterBar *self, GtkWidget *widget); /* as a line above */
