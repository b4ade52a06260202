#include "app/shell/log-window.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "app/widgets/after-layout.h"
#include "base/plain-file.h"
#include "workspace/worker.h"

#define SHOWN (256 * 1024)

struct _WpLogWindow
{
  AdwWindow parent_instance;

  GtkTextBuffer *buffer;
  GtkWidget *view;
  WpWorker *reading;
};

#define WP_TYPE_LOG_WINDOW (wp_log_window_get_type ())
G_DECLARE_FINAL_TYPE (WpLogWindow, wp_log_window, WP, LOG_WINDOW, AdwWindow)
G_DEFINE_FINAL_TYPE (WpLogWindow, wp_log_window, ADW_TYPE_WINDOW)

/* A log may be long: its end tells what went wrong. */
static gpointer
run_read (gpointer data, WpProgress *progress, GError **error)
{
  const char *path = data;
  int fd = wp_plain_file_open (AT_FDCWD, path, 0, WP_PLAIN_FILE_ANY_SIZE, error);
  g_autofree char *bytes = g_malloc (SHOWN);
  gssize n;
  int code;

  if (fd < 0)
    return NULL;
  n = TEMP_FAILURE_RETRY (pread (fd, bytes, SHOWN, MAX (lseek (fd, 0, SEEK_END) - SHOWN, 0)));
  code = errno;
  close (fd);
  if (n >= 0)
    return g_utf8_make_valid (bytes, n);
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", path, g_strerror (code));
  return NULL;
}

static void
show_end (GtkWidget *view)
{
  gtk_text_view_scroll_mark_onscreen (GTK_TEXT_VIEW (view), gtk_text_buffer_get_insert (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view))));
}

static void
on_read (gpointer result, const GError *error, gpointer data)
{
  WpLogWindow *self = data;
  g_autofree char *text = result;
  GtkTextIter end;

  self->reading = NULL;
  gtk_text_buffer_set_text (self->buffer, text != NULL ? text : error->message, -1);
  gtk_text_buffer_get_end_iter (self->buffer, &end);
  gtk_text_buffer_place_cursor (self->buffer, &end);
  wp_after_layout (self->view, show_end); /* one that has no size yet would scroll past the text */
}

static void
wp_log_window_dispose (GObject *object)
{
  WpLogWindow *self = WP_LOG_WINDOW (object);

  wp_worker_drop (&self->reading);
  G_OBJECT_CLASS (wp_log_window_parent_class)->dispose (object);
}

static void
wp_log_window_class_init (WpLogWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = wp_log_window_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/log-window.ui");
  gtk_widget_class_bind_template_child (widget_class, WpLogWindow, view);
  gtk_widget_class_bind_template_child (widget_class, WpLogWindow, buffer);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
wp_log_window_init (WpLogWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
wp_log_window_new (GtkWindow *parent, const char *title, const char *path)
{
  WpLogWindow *self = g_object_new (WP_TYPE_LOG_WINDOW, "transient-for", parent, "title", title, NULL);

  self->reading = wp_worker_start (&(WpWorkerSpec) { .run = run_read,
                                                     .done = on_read,
                                                     .data = g_strdup (path),
                                                     .free_data = g_free,
                                                     .free_result = g_free,
                                                     .user_data = self });
  return GTK_WIDGET (self);
}
