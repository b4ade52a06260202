#include "app/widgets/question.h"

struct WpAwaited
{
  WpQuestionFunc func;
  GWeakRef about;
  WpReply reply;
};

WpAwaited *
wp_reply_await (WpQuestionFunc func, GObject *about)
{
  WpAwaited *self = g_new0 (WpAwaited, 1);

  self->func = func;
  g_weak_ref_init (&self->about, about);
  return self;
}

void
wp_reply_drop (WpAwaited *self)
{
  g_weak_ref_clear (&self->about);
  g_free (self);
}

static gboolean
reply_now (gpointer data)
{
  WpAwaited *self = data;
  g_autoptr (GObject) about = g_weak_ref_get (&self->about);

  if (about != NULL)
    self->func (self->reply, about);
  return G_SOURCE_REMOVE;
}

void
wp_reply_later (WpAwaited *self, WpReply reply)
{
  self->reply = reply;
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, reply_now, self, (GDestroyNotify) wp_reply_drop);
}

static void
on_response (AdwMessageDialog *dialog, const char *response, WpAwaited *answer)
{
  wp_reply_later (answer, g_str_equal (response, "cancel") ? WP_REPLY_CANCEL : g_str_equal (response, "save") ? WP_REPLY_SAVE : WP_REPLY_GO_ON);
}

/* --- the one that is open over a window --- */

#define OPEN_KEY "open-question"

static void
free_weak_ref (gpointer data)
{
  g_weak_ref_clear (data);
  g_free (data);
}

static void
keep_open (GtkWindow *parent, AdwMessageDialog *dialog)
{
  GWeakRef *kept = g_new0 (GWeakRef, 1);

  g_weak_ref_init (kept, dialog);
  g_object_set_data_full (G_OBJECT (parent), OPEN_KEY, kept, free_weak_ref);
}

gboolean
wp_question_show_open (GtkWindow *parent)
{
  GWeakRef *kept = g_object_get_data (G_OBJECT (parent), OPEN_KEY);
  g_autoptr (GtkWindow) dialog = kept != NULL ? g_weak_ref_get (kept) : NULL;

  if (dialog == NULL || !gtk_widget_get_visible (GTK_WIDGET (dialog)))
    return FALSE;
  gtk_window_present (dialog);
  return TRUE;
}

void
wp_question_ask (AdwMessageDialog *dialog, WpQuestionFunc func, GObject *about)
{
  keep_open (gtk_window_get_transient_for (GTK_WINDOW (dialog)), dialog);
  g_signal_connect (dialog, "response", G_CALLBACK (on_response), wp_reply_await (func, about)); /* it comes once, on closing too */
  gtk_window_present (GTK_WINDOW (dialog));
}
