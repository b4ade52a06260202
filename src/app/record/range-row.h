/* A commit in the list of those that are profiled: its subject, how far it is, why it failed.
 *
 * Signal: log (guint position) — what it printed is to be shown. */
#pragma once

#include <adwaita.h>

#include "range/range.h"

#define WP_TYPE_RANGE_ROW (wp_range_row_get_type ())
G_DECLARE_FINAL_TYPE (WpRangeRow, wp_range_row, WP, RANGE_ROW, AdwBin)

GtkWidget *wp_range_row_new (void);
void wp_range_row_show (WpRangeRow *self, const WpRangeCommit *commit, guint position);
guint wp_range_row_position (WpRangeRow *self);
