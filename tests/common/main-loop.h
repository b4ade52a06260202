/* Lets the main loop of a program run: for a while, or until something holds. */
#pragma once

#include <glib.h>

/* For as long as it takes; what never comes is ended by the test's own limit. */
#define RUN_UNTIL(condition) \
  while (!(condition)) \
  g_main_context_iteration (NULL, TRUE)

static inline gboolean
on_run_for_over (gpointer over)
{
  *(gboolean *) over = TRUE;
  return G_SOURCE_REMOVE;
}

static inline void
run_for (guint ms)
{
  gboolean over = FALSE;

  g_timeout_add (ms, on_run_for_over, &over);
  while (!over)
    g_main_context_iteration (NULL, TRUE);
}
