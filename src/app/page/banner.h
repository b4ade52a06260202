/* The banner: what one must know about a file before believing what is seen. The worst in a line, the rest and what it means behind a
 * button. One that was dismissed stays away until it has something else to say. */
#pragma once

#include <adwaita.h>

#include "workspace/file/problems.h"

#define WP_TYPE_BANNER (wp_banner_get_type ())
G_DECLARE_FINAL_TYPE (WpBanner, wp_banner, WP, BANNER, AdwBin)

void wp_banner_show (WpBanner *self, const WpProblems *problems); /* read, not kept */
