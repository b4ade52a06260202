#include "app/page/copying.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>

#include "workspace/file/details-text.h"
#include "workspace/worker.h"

void
wp_copy_said (GtkWidget *widget, const char *said, const char *stack, gboolean markdown)
{
  g_autofree char *text = markdown ? wp_said_markdown (said, stack) : stack != NULL ? g_strconcat (said, "\n\n", stack, "\n", NULL) : g_strconcat (said, "\n", NULL);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

/* Through a file, which is how pictures are written; its name tells the format. */
static gpointer
draw (gpointer picture, WpProgress *progress, GError **error)
{
  g_autofree char *folder = g_dir_make_tmp ("wakepath-XXXXXX", error);
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "picture.png", NULL) : NULL;
  GdkTexture *texture = NULL;

  if (folder == NULL)
    return NULL;
  if (wp_export_write (picture, path, progress, error))
    texture = gdk_texture_new_from_filename (path, error);
  g_unlink (path);
  g_rmdir (folder);
  return texture;
}

typedef struct
{
  GtkWidget *widget;
  void (*tell) (gpointer widget, const char *text);
} Copying;

static void
on_drawn (gpointer result, const GError *error, gpointer data)
{
  Copying *self = data;
  g_autoptr (GdkTexture) texture = result;
  gboolean shown = gtk_widget_get_root (self->widget) != NULL;

  if (shown && texture != NULL)
    gdk_clipboard_set_texture (gtk_widget_get_clipboard (self->widget), texture);
  if (shown)
    self->tell (self->widget, texture != NULL ? _("The picture has been copied") : error->message);
  g_object_unref (self->widget);
  g_free (self);
}

void
wp_copy_picture (GtkWidget *widget, WpExport *picture, void (*tell) (gpointer widget, const char *text))
{
  Copying *self = g_new0 (Copying, 1);

  self->widget = g_object_ref (widget);
  self->tell = tell;
  wp_worker_start (&(WpWorkerSpec) { .run = draw,
                                     .done = on_drawn,
                                     .data = picture,
                                     .free_data = (GDestroyNotify) wp_export_free,
                                     .free_result = g_object_unref,
                                     .user_data = self });
}
