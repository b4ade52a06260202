/* Who holds a lock, for people: as far as the kernel tells. */
#pragma once

#include <glib.h>

/* "“vim” (process 4711 of jane)", "another program" where nothing is known. `fd`: the file, opened but not locked. Free with g_free(). */
char *wp_lock_holder (int fd);
