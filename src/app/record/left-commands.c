#include "app/record/left-commands.h"

#include <glib/gi18n.h>

#include "record/recorder.h"

typedef struct
{
  WpLeftCommandsFunc func;
  GWeakRef data;
} Question;

static void
free_question (gpointer data)
{
  Question *question = data;

  g_weak_ref_clear (&question->data);
  g_free (question);
}

/* Once the dialog has gone its own way: what closes now may be its parent. */
static gboolean
go_on (gpointer data)
{
  Question *question = data;
  g_autoptr (GObject) about = g_weak_ref_get (&question->data);

  if (about != NULL)
    question->func (about);
  return G_SOURCE_REMOVE;
}

static void
on_response (AdwMessageDialog *dialog, const char *response, Question *question)
{
  if (g_str_equal (response, "end"))
    wp_recorded_commands_end ();
  if (g_str_equal (response, "cancel"))
    free_question (question);
  else
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, go_on, question, free_question);
}

static char *
body (const GPtrArray *commands)
{
  GString *text = g_string_new (_("What was started to be recorded goes on when Wakepath quits:"));

  for (guint i = 0; i < commands->len; i++)
    g_string_append_printf (text, "\n%s", (const char *) commands->pdata[i]);
  return g_string_free (text, FALSE);
}

gboolean
wp_left_commands_ask (GtkWindow *parent, WpLeftCommandsFunc func, GObject *data)
{
  g_autoptr (GPtrArray) commands = wp_recorded_commands ();
  g_autofree char *text = NULL;
  AdwMessageDialog *dialog;
  Question *question;

  if (commands->len == 0)
    return FALSE;
  text = body (commands);
  question = g_new0 (Question, 1);
  question->func = func;
  g_weak_ref_init (&question->data, data);
  dialog = ADW_MESSAGE_DIALOG (adw_message_dialog_new (parent, ngettext ("A Command Still Runs", "Commands Still Run", commands->len), text));
  adw_message_dialog_add_responses (dialog, "cancel", _("_Cancel"), "end", _("_End and Quit"), "leave", _("_Leave and Quit"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "end", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (dialog, "leave");
  adw_message_dialog_set_close_response (dialog, "cancel");
  g_signal_connect (dialog, "response", G_CALLBACK (on_response), question); /* it comes once, on closing too */
  gtk_window_present (GTK_WINDOW (dialog));
  return TRUE;
}
