#include "app/store/store-drag.h"

#include <string.h>

#define URI_LIST "text/uri-list"

#define WP_TYPE_STORE_DRAG (wp_store_drag_get_type ())
G_DECLARE_FINAL_TYPE (WpStoreDrag, wp_store_drag, WP, STORE_DRAG, GdkContentProvider)

struct _WpStoreDrag
{
  GdkContentProvider parent_instance;

  WpStoreSession *session;
  WpStoreProfile *profile;
};

G_DEFINE_FINAL_TYPE (WpStoreDrag, wp_store_drag, GDK_TYPE_CONTENT_PROVIDER)

static GdkContentFormats *
ref_formats (GdkContentProvider *provider)
{
  return gdk_content_formats_new ((const char *[]) { URI_LIST }, 1);
}

static void
run (GTask *task, gpointer source, gpointer stream, GCancellable *cancellable)
{
  WpStoreDrag *self = source;
  g_autofree char *path = NULL, *uri = NULL, *line = NULL;
  GError *error = NULL;

  wp_store_session_take (self->session);
  path = wp_store_session_unpack (self->session, self->profile->entry, self->profile->minor, &error);
  wp_store_session_leave (self->session);
  uri = path != NULL ? g_filename_to_uri (path, NULL, &error) : NULL;
  line = uri != NULL ? g_strconcat (uri, "\r\n", NULL) : NULL;
  if (line != NULL && g_output_stream_write_all (stream, line, strlen (line), NULL, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
write_async (GdkContentProvider *provider, const char *mime_type, GOutputStream *stream, int priority, GCancellable *cancellable,
             GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (provider, cancellable, callback, data);

  g_task_set_priority (task, priority);
  g_task_set_task_data (task, g_object_ref (stream), g_object_unref);
  g_task_run_in_thread (task, run);
}

static gboolean
write_finish (GdkContentProvider *provider, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
wp_store_drag_finalize (GObject *object)
{
  WpStoreDrag *self = WP_STORE_DRAG (object);

  wp_store_session_unref (self->session);
  wp_store_profile_unref (self->profile);
  G_OBJECT_CLASS (wp_store_drag_parent_class)->finalize (object);
}

static void
wp_store_drag_class_init (WpStoreDragClass *klass)
{
  GdkContentProviderClass *provider_class = GDK_CONTENT_PROVIDER_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = wp_store_drag_finalize;
  provider_class->ref_formats = ref_formats;
  provider_class->write_mime_type_async = write_async;
  provider_class->write_mime_type_finish = write_finish;
}

static void
wp_store_drag_init (WpStoreDrag *self)
{
}

GdkContentProvider *
wp_store_drag_new (WpStoreSession *session, WpStoreProfile *profile)
{
  WpStoreDrag *self = g_object_new (WP_TYPE_STORE_DRAG, NULL);

  self->session = wp_store_session_ref (session);
  self->profile = wp_store_profile_ref (profile);
  return GDK_CONTENT_PROVIDER (self);
}
