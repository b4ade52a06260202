#include "app/page/copying.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "workspace/file/details-text.h"

void
wp_copy_said (GtkWidget *widget, const char *said, const char *stack, gboolean markdown)
{
  g_autofree char *text = markdown ? wp_said_markdown (said, stack) : stack != NULL ? g_strconcat (said, "\n\n", stack, "\n", NULL) : g_strconcat (said, "\n", NULL);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

/* Through a file, which is how pictures are written; its name tells the format. */
static GdkTexture *
draw (const WpExport *picture, GError **error)
{
  g_autofree char *folder = g_dir_make_tmp ("wakepath-XXXXXX", error);
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "picture.png", NULL) : NULL;
  GdkTexture *texture = NULL;

  if (folder == NULL)
    return NULL;
  if (wp_export_write (picture, path, NULL, error))
    texture = gdk_texture_new_from_filename (path, error);
  g_unlink (path);
  g_rmdir (folder);
  return texture;
}

char *
wp_copy_picture (GtkWidget *widget, WpExport *picture)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) texture = draw (picture, &error);

  wp_export_free (picture);
  if (texture == NULL)
    return g_strdup (error->message);
  gdk_clipboard_set_texture (gtk_widget_get_clipboard (widget), texture);
  return g_strdup (_("The picture has been copied"));
}
