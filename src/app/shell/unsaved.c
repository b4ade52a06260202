#include "app/shell/unsaved.h"

#include <glib/gi18n.h>

#include "app/page/page.h"

#define TITLES_SHOWN 8

void
wp_unsaved_gather (AdwTabView *tabs, GPtrArray *titles)
{
  for (int i = 0; i < adw_tab_view_get_n_pages (tabs); i++)
    {
      GtkWidget *page = adw_tab_page_get_child (adw_tab_view_get_nth_page (tabs, i));

      if (WP_IS_PAGE (page) && wp_page_unsaved (WP_PAGE (page)))
        g_ptr_array_add (titles, g_strdup (wp_page_title (WP_PAGE (page))));
    }
}

static char *
heading (const GPtrArray *titles)
{
  if (titles->len == 1)
    return g_strdup_printf (_("Close “%s” Without Saving?"), (const char *) titles->pdata[0]);
  return g_strdup_printf (ngettext ("Close %u File Without Saving?", "Close %u Files Without Saving?", titles->len), titles->len);
}

/* With the titles, where the heading does not have the only one. */
static char *
body (const GPtrArray *titles)
{
  GString *text = NULL;

  if (titles->len == 1)
    return g_strdup (_("What was changed in it has not been saved."));
  text = g_string_new (_("What was changed in these files has not been saved:"));
  for (guint i = 0; i < MIN (titles->len, TITLES_SHOWN); i++)
    g_string_append_printf (text, "\n%s", (const char *) titles->pdata[i]);
  if (titles->len > TITLES_SHOWN)
    g_string_append (text, "\n…");
  return g_string_free (text, FALSE);
}

static GtkWidget *
build (GtkWindow *parent, const GPtrArray *titles)
{
  g_autofree char *title = heading (titles), *text = body (titles);
  GtkWidget *dialog = adw_message_dialog_new (parent, title, text);

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", _("_Cancel"), "discard", _("Close _Without Saving"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "discard", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  return dialog;
}

gboolean
wp_unsaved_ask (GtkWindow *parent, const GPtrArray *titles, WpQuestionFunc func, GObject *data)
{
  if (titles->len == 0)
    return FALSE;
  if (wp_question_show_open (parent))
    func (FALSE, data);
  else
    wp_question_ask (ADW_MESSAGE_DIALOG (build (parent, titles)), func, data);
  return TRUE;
}
