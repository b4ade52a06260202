/* A window from which a file can be dragged: drag-source FILE. Whoever drops it somewhere has dragged it as from a file manager. Says "begin" and
 * "end" on standard output, a line each: a button that is let go before the drag has begun leaves one that nobody ends. */
#include <gtk/gtk.h>
#include <stdio.h>

static void
say (const char *word)
{
  puts (word);
  fflush (stdout);
}

static void
on_begin (GtkDragSource *source, GdkDrag *drag, gpointer data)
{
  say ("begin");
}

static void
on_end (GtkDragSource *source, GdkDrag *drag, gboolean moved, gpointer data)
{
  say ("end");
}

static GdkContentProvider *
prepare (GtkDragSource *source, double x, double y, gpointer path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GSList) files = g_slist_append (NULL, file);

  return gdk_content_provider_new_typed (GDK_TYPE_FILE_LIST, files);
}

int
main (int argc, char **argv)
{
  GtkWidget *window, *label;
  GtkDragSource *source;

  if (argc != 2)
    return 2;
  gtk_init ();
  window = gtk_window_new ();
  label = gtk_label_new ("Drag me");
  source = gtk_drag_source_new ();
  g_signal_connect (source, "prepare", G_CALLBACK (prepare), argv[1]);
  g_signal_connect (source, "drag-begin", G_CALLBACK (on_begin), NULL);
  g_signal_connect (source, "drag-end", G_CALLBACK (on_end), NULL);
  gtk_widget_add_controller (label, GTK_EVENT_CONTROLLER (source));
  gtk_window_set_title (GTK_WINDOW (window), "Drag source");
  gtk_window_set_child (GTK_WINDOW (window), label);
  gtk_window_present (GTK_WINDOW (window));
  while (g_list_model_get_n_items (gtk_window_get_toplevels ()) > 0)
    g_main_context_iteration (NULL, TRUE);
  return 0;
}
