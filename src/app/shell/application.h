/* The application: one process for all windows; a second start hands its files to the first. */
#pragma once

#include <adwaita.h>

#define WP_TYPE_APPLICATION (wp_application_get_type ())
G_DECLARE_FINAL_TYPE (WpApplication, wp_application, WP, APPLICATION, AdwApplication)

WpApplication *wp_application_new (void);
