/* What benchmarks of the window measure with: how long its main thread is away from its poll, which is how long it cannot answer. */
#pragma once

#include <gtk/gtk.h>
#include <time.h>

static gint64 poll_left, cpu_left, longest_busy, longest_cpu; /* µs */

static inline gint64
cpu_time (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

static inline int
timing_poll (GPollFD *fds, guint n, int timeout)
{
  int result;

  if (poll_left != 0)
    {
      longest_busy = MAX (longest_busy, g_get_monotonic_time () - poll_left);
      longest_cpu = MAX (longest_cpu, cpu_time () - cpu_left);
    }
  result = g_poll (fds, n, timeout);
  poll_left = g_get_monotonic_time ();
  cpu_left = cpu_time ();
  return result;
}

static inline void
forget_busy (void)
{
  longest_busy = longest_cpu = 0;
}

static inline double
since (gint64 begun)
{
  return (double) (g_get_monotonic_time () - begun) / 1000;
}

/* The one of this number, in the order in which they stand. */
static inline GtkWidget *
find_nth (GtkWidget *top, GType type, guint nth)
{
  g_autoptr (GPtrArray) stack = g_ptr_array_new ();

  g_ptr_array_add (stack, top);
  while (stack->len > 0)
    {
      GtkWidget *widget = g_ptr_array_remove_index (stack, stack->len - 1);

      if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type) && nth-- == 0)
        return widget;
      for (GtkWidget *child = gtk_widget_get_last_child (widget); child != NULL; child = gtk_widget_get_prev_sibling (child))
        g_ptr_array_add (stack, child);
    }
  return NULL;
}

static inline GtkWidget *
find_widget (GtkWidget *top, GType type)
{
  return find_nth (top, type, 0);
}
