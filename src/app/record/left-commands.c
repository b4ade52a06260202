#include "app/record/left-commands.h"

#include <glib/gi18n.h>

#include "record/recorder.h"

static void
on_end (AdwMessageDialog *dialog, const char *response, gpointer data)
{
  wp_recorded_commands_end ();
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
wp_left_commands_ask (GtkWindow *parent, WpQuestionFunc func, GObject *about)
{
  g_autoptr (GPtrArray) commands = wp_recorded_commands ();
  g_autofree char *text = NULL;
  AdwMessageDialog *dialog;

  if (commands->len == 0)
    return FALSE;
  if (wp_question_show_open (parent))
    {
      func (WP_REPLY_CANCEL, about);
      return TRUE;
    }
  text = body (commands);
  dialog = ADW_MESSAGE_DIALOG (adw_message_dialog_new (parent, ngettext ("A Command Still Runs", "Commands Still Run", commands->len), text));
  adw_message_dialog_add_responses (dialog, "cancel", _("_Cancel"), "end", _("_End and Quit"), "leave", _("_Leave and Quit"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "end", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (dialog, "leave");
  adw_message_dialog_set_close_response (dialog, "cancel");
  g_signal_connect (dialog, "response::end", G_CALLBACK (on_end), NULL);
  wp_question_ask (dialog, func, about);
  return TRUE;
}
