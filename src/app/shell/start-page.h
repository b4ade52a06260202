/* What a window shows while nothing is open: record, open, the sample, recent files.
 *
 * Signal: file-opened (GFile): a recent file was chosen. */
#pragma once

#include <adwaita.h>

#define WP_TYPE_START_PAGE (wp_start_page_get_type ())
G_DECLARE_FINAL_TYPE (WpStartPage, wp_start_page, WP, START_PAGE, AdwBin)
