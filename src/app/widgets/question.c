#include "app/widgets/question.h"

typedef struct
{
  WpQuestionFunc func;
  GWeakRef about;
  WpReply reply;
} Question;

static void
free_question (gpointer data)
{
  Question *question = data;

  g_weak_ref_clear (&question->about);
  g_free (question);
}

static gboolean
answer (gpointer data)
{
  Question *question = data;
  g_autoptr (GObject) about = g_weak_ref_get (&question->about);

  if (about != NULL)
    question->func (question->reply, about);
  return G_SOURCE_REMOVE;
}

static void
on_response (AdwMessageDialog *dialog, const char *response, Question *question)
{
  question->reply = g_str_equal (response, "cancel") ? WP_REPLY_CANCEL : g_str_equal (response, "save") ? WP_REPLY_SAVE : WP_REPLY_GO_ON;
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, answer, question, free_question);
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
  Question *question = g_new0 (Question, 1);

  question->func = func;
  g_weak_ref_init (&question->about, about);
  keep_open (gtk_window_get_transient_for (GTK_WINDOW (dialog)), dialog);
  g_signal_connect (dialog, "response", G_CALLBACK (on_response), question); /* it comes once, on closing too */
  gtk_window_present (GTK_WINDOW (dialog));
}
