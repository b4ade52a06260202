/* The details pane under the canvas: what the selected box is, its stack, what woke it and what it woke.
 *
 * Signal: link (string): a name was followed (see details-text.h). */
#pragma once

#include <adwaita.h>

#include "workspace/details-text.h"

#define WP_TYPE_DETAILS (wp_details_get_type ())
G_DECLARE_FINAL_TYPE (WpDetails, wp_details, WP, DETAILS, AdwBin)

void wp_details_show (WpDetails *self, WpDetailsText *text); /* takes it; NULL: nothing is selected */
void wp_details_update (WpDetails *self, WpDetailsText *text); /* takes it; the same box: only its stacks say more now */
