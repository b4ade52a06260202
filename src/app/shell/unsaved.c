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
  return g_strdup_printf (ngettext ("Close %u Profile Without Saving?", "Close %u Profiles Without Saving?", titles->len), titles->len);
}

/* With the titles, where the heading does not have the only one. */
static char *
body (const GPtrArray *titles)
{
  GString *text = NULL;

  if (titles->len == 1)
    return g_strdup (_("What was changed in it has not been saved."));
  text = g_string_new (_("What was changed in these profiles has not been saved:"));
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

/* The question that is open over a window already, or NULL. */
static GtkWindow *
open_question (GtkWindow *parent)
{
  GWeakRef *kept = g_object_get_data (G_OBJECT (parent), "unsaved-question");
  g_autoptr (GtkWindow) dialog = kept != NULL ? g_weak_ref_get (kept) : NULL;

  return dialog != NULL && gtk_widget_get_visible (GTK_WIDGET (dialog)) ? dialog : NULL;
}

static void
free_weak_ref (gpointer data)
{
  g_weak_ref_clear (data);
  g_free (data);
}

static void
keep_question (GtkWindow *parent, GtkWidget *dialog)
{
  GWeakRef *kept = g_new0 (GWeakRef, 1);

  g_weak_ref_init (kept, dialog);
  g_object_set_data_full (G_OBJECT (parent), "unsaved-question", kept, free_weak_ref);
}

gboolean
wp_unsaved_ask (GtkWindow *parent, const GPtrArray *titles, WpQuestionFunc func, GObject *data)
{
  GtkWindow *open = open_question (parent);
  GtkWidget *dialog;

  if (titles->len == 0)
    return FALSE;
  if (open != NULL)
    {
      gtk_window_present (open);
      func (FALSE, data);
      return TRUE;
    }
  dialog = build (parent, titles);
  keep_question (parent, dialog);
  wp_question_ask (ADW_MESSAGE_DIALOG (dialog), func, data);
  return TRUE;
}
