/* The frames of a comparison as a table, of which some kinds can be left out. */
#pragma once

#include <adwaita.h>

#include "workspace/shared.h"

#define WP_TYPE_COMPARE_FRAMES_TABLE (wp_compare_frames_table_get_type ())
G_DECLARE_FINAL_TYPE (WpCompareFramesTable, wp_compare_frames_table, WP, COMPARE_FRAMES_TABLE, AdwBin)

void wp_compare_frames_table_set_data (WpCompareFramesTable *self, WpShared *data); /* WpCompareData */
