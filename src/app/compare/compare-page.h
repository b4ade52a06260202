/* A tab that shows two profiles compared: their explanations, frames by change, and differential flame views side by side.
 *
 * Signals: changed (): title, or whether it is at work; finished (): opening was cancelled. */
#pragma once

#include <adwaita.h>

#define WP_TYPE_COMPARE_PAGE (wp_compare_page_get_type ())
G_DECLARE_FINAL_TYPE (WpComparePage, wp_compare_page, WP, COMPARE_PAGE, AdwBin)

/* Files of both sides, NULL-terminated; `names` as wp_compare_model_new() has them. */
GtkWidget *wp_compare_page_new (const char *const *a, const char *const *b, const char *const *names);
const char *wp_compare_page_title (WpComparePage *self);
gboolean wp_compare_page_busy (WpComparePage *self);
