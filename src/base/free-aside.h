/* To give back the memory of something large takes longer than a frame may, and longer than who cancelled it wants to wait: one thread does it. */
#pragma once

#include <glib.h>

/* NULL is nothing. */
void wp_free_aside (gpointer thing, GDestroyNotify free_thing);

/* The same where it has many rows; of few it is freed at once. */
void wp_free_many_aside (gpointer thing, gsize n_rows, GDestroyNotify free_thing);

/* Waits until everything is given back: for whoever measures memory. */
void wp_free_aside_settle (void);

/* wp_array_clear() of a column that may have very many rows. */
#define wp_array_clear_aside(a)                                        \
  G_STMT_START                                                         \
  {                                                                    \
    wp_free_many_aside ((a)->cap > 0 ? (a)->data : NULL, (a)->len, g_free); \
    (a)->data = NULL;                                                  \
    (a)->len = (a)->cap = 0;                                           \
  }                                                                    \
  G_STMT_END
