#include "app/store/trust-dialog.h"

#include <glib/gi18n.h>

#include "base/quote.h"

#define WIDTH 480       /* of the commands */
#define HEIGHT_MOST 280 /* then they scroll */
#define MARGIN 9
#define PIECE 1000      /* characters in a row of a very long line: text views are slow with those */

/* A line of any length, in rows that a text view can lay out. */
static void
append_line (GString *out, const char *line)
{
  while (g_utf8_strlen (line, -1) > PIECE)
    {
      const char *end = g_utf8_offset_to_pointer (line, PIECE);

      g_string_append_len (out, line, end - line);
      g_string_append (out, "\n… ");
      line = end;
    }
  g_string_append_printf (out, "%s\n", line);
}

static void
append_commands (GString *out, char **commands)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_auto (GStrv) lines = NULL;

  for (char **command = commands; *command != NULL; command++)
    wp_store_command_show (text, "", *command);
  if (text->len == 0)
    return;
  g_string_truncate (text, text->len - 1); /* the last line end */
  lines = g_strsplit (text->str, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    append_line (out, *line);
}

static void
add_section (GtkTextBuffer *buffer, const char *title, const GString *text)
{
  GtkTextIter end;

  if (text->len == 0)
    return;
  gtk_text_buffer_get_end_iter (buffer, &end);
  if (!gtk_text_iter_is_start (&end))
    gtk_text_buffer_insert (buffer, &end, "\n\n", -1);
  gtk_text_buffer_insert_with_tags_by_name (buffer, &end, title, -1, "title", NULL);
  gtk_text_buffer_insert (buffer, &end, "\n", -1);
  gtk_text_buffer_insert (buffer, &end, text->str, (int) text->len - 1);
}

static void
add_repository (GtkTextBuffer *buffer, const char *repository)
{
  g_autoptr (GString) line = g_string_new (NULL), text = g_string_new (NULL);

  if (repository == NULL)
    return;
  wp_quote_visible (line, repository);
  append_line (text, line->str);
  add_section (buffer, _("Repository"), text);
}

static void
add_commands (GtkTextBuffer *buffer, const char *title, char **commands)
{
  g_autoptr (GString) text = g_string_new (NULL);

  append_commands (text, commands);
  add_section (buffer, title, text);
}

static GtkWidget *
commands_view (const WpStoreCommands *commands)
{
  GtkWidget *view = g_object_new (GTK_TYPE_TEXT_VIEW, "editable", FALSE, "cursor-visible", FALSE, "monospace", TRUE, "wrap-mode",
                                  GTK_WRAP_WORD_CHAR, "left-margin", MARGIN, "right-margin", MARGIN, "top-margin", MARGIN, "bottom-margin",
                                  MARGIN, NULL);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));

  gtk_text_buffer_create_tag (buffer, "title", "weight", PANGO_WEIGHT_BOLD, "family", "sans", NULL);
  add_repository (buffer, commands->repository);
  add_commands (buffer, _("First, in a shell"), commands->build);
  add_commands (buffer, _("Then, while it is recorded"), commands->programs);
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Commands"), -1);
  return g_object_new (GTK_TYPE_SCROLLED_WINDOW, "child", view, "hscrollbar-policy", GTK_POLICY_NEVER, "width-request", WIDTH,
                       "max-content-height", HEIGHT_MOST, "propagate-natural-height", TRUE, "overlay-scrolling", FALSE, "has-frame", TRUE, NULL);
}

static const char *
question (const WpStoreCommands *commands)
{
  return commands->repository != NULL ? _("Trust the Settings of This Store?") : _("Trust the Commands of This Store?");
}

static char *
repository_body (const WpStoreCommands *commands)
{
  g_autoptr (GString) file = g_string_new (NULL);

  wp_quote_visible (file, commands->file);
  return g_strdup_printf (commands->within ? _("%s names another repository than that which the store is in. It is among the store’s own files and may "
                                               "have come with them. Trust it only if you know where it comes from.")
                                           : _("%s names another repository than that which the store is in. Trust it only if you know where the "
                                               "store comes from."),
                          file->str);
}

static char *
body (const WpStoreCommands *commands)
{
  g_autoptr (GString) file = g_string_new (NULL);

  if (commands->repository != NULL)
    return repository_body (commands);
  wp_quote_visible (file, commands->file);
  return g_strdup_printf (_("These commands of %s have not been trusted yet, or have changed since. At each commit they would run as you, with all "
                            "that you may do. Trust them only if you know where they come from."),
                          file->str);
}

GtkWidget *
wp_trust_dialog_new (GtkWindow *parent, const WpStoreCommands *commands)
{
  g_autofree char *text = body (commands);
  GtkWidget *dialog = adw_message_dialog_new (parent, question (commands), text);

  adw_message_dialog_set_extra_child (ADW_MESSAGE_DIALOG (dialog), commands_view (commands));
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _("_Cancel"), WP_TRUST_DIALOG_TRUST,
                                    commands->repository != NULL ? _("_Trust") : _("_Trust and Run"), NULL);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  return dialog;
}
