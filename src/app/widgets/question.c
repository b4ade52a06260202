#include "app/widgets/question.h"

typedef struct
{
  WpQuestionFunc func;
  GWeakRef about;
  gboolean agreed;
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
    question->func (question->agreed, about);
  return G_SOURCE_REMOVE;
}

static void
on_response (AdwMessageDialog *dialog, const char *response, Question *question)
{
  question->agreed = !g_str_equal (response, "cancel");
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, answer, question, free_question);
}

void
wp_question_ask (AdwMessageDialog *dialog, WpQuestionFunc func, GObject *about)
{
  Question *question = g_new0 (Question, 1);

  question->func = func;
  g_weak_ref_init (&question->about, about);
  g_signal_connect (dialog, "response", G_CALLBACK (on_response), question); /* it comes once, on closing too */
  gtk_window_present (GTK_WINDOW (dialog));
}
