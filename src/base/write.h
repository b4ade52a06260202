/* Writing all of something, though the kernel takes it in pieces. */
#pragma once

#include <glib.h>

/* Writes n bytes to a descriptor. 0, or an errno; then some of them may be written. */
int wp_write_all (int fd, gconstpointer data, gsize n);
