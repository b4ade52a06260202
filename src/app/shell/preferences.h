/* The window in which all settings are that somebody may want to look for. Each is one of data/org.wakepath.Wakepath.gschema.xml, and takes effect at
 * once: pages listen to it, or look at it when they use it. */
#pragma once

#include <adwaita.h>

GtkWindow *wp_preferences_new (void);
