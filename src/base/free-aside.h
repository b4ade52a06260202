/* To give back the memory of something large takes longer than a frame may, and longer than who cancelled it wants to wait: one thread does it. */
#pragma once

#include <glib.h>

/* NULL is nothing. */
void wp_free_aside (gpointer thing, GDestroyNotify free_thing);

/* The same where it has many rows; of few it is freed at once. */
void wp_free_many_aside (gpointer thing, gsize n_rows, GDestroyNotify free_thing);
