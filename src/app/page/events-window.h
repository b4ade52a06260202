/* A window with the events of a recording around a box, as they stand there: a table that can be filtered and sorted. */
#pragma once

#include <adwaita.h>

#include "workspace/shared.h"

/* Of a recording (a shared WpDocument) from … to, ns of its trace; they are read by a worker. Times count from `origin`. */
GtkWidget *wp_events_window_new (GtkWindow *parent, WpShared *document, gint64 from, gint64 to, gint64 origin);
