/* What is in it is one stop of the Tab key, however much of it can have the keyboard: Tab and Shift+Tab lead in and out, arrows move within.
 * A list has arrows of its own; for what has none, `arrows` makes Down and Up do what Tab would. */
#pragma once

#include <adwaita.h>

#define WP_TYPE_TAB_STOP (wp_tab_stop_get_type ())
G_DECLARE_FINAL_TYPE (WpTabStop, wp_tab_stop, WP, TAB_STOP, AdwBin)
