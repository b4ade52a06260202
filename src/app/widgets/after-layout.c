#include "app/widgets/after-layout.h"

typedef struct
{
  void (*call) (GtkWidget *widget);
  gboolean laid_out;
} Later;

/* A frame's callbacks run before it is laid out. */
static gboolean
on_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  Later *later = data;

  if (!later->laid_out)
    {
      later->laid_out = TRUE;
      return G_SOURCE_CONTINUE;
    }
  later->call (widget);
  return G_SOURCE_REMOVE;
}

void
wp_after_layout (GtkWidget *widget, void (*call) (GtkWidget *widget))
{
  Later later = { call, FALSE };

  gtk_widget_add_tick_callback (widget, on_frame, g_memdup2 (&later, sizeof later), g_free);
}
