/* A window with the end of a log: what a build and a command printed, and why they failed. */
#pragma once

#include <adwaita.h>

/* `path` is read by a worker; of a long one the last part. */
GtkWidget *wp_log_window_new (GtkWindow *parent, const char *title, const char *path);
