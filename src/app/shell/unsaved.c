#include "app/shell/unsaved.h"

#include <glib/gi18n.h>

#define TITLES_SHOWN 8

void
wp_unsaved_gather (AdwTabView *tabs, GPtrArray *pages)
{
  for (int i = 0; i < adw_tab_view_get_n_pages (tabs); i++)
    {
      GtkWidget *page = adw_tab_page_get_child (adw_tab_view_get_nth_page (tabs, i));

      if (WP_IS_PAGE (page) && wp_page_unsaved (WP_PAGE (page)))
        g_ptr_array_add (pages, page);
    }
}

static char *
heading (const GPtrArray *pages)
{
  if (pages->len == 1)
    return g_strdup_printf (_("Close “%s” Without Saving?"), wp_page_title (pages->pdata[0]));
  return g_strdup_printf (ngettext ("Close %u File Without Saving?", "Close %u Files Without Saving?", pages->len), pages->len);
}

static const char *
body_of_one (WpPage *page)
{
  if (!wp_page_writes (page))
    return _("What was changed in it has not been saved.");
  return wp_page_changed (page) ? _("What was changed in it has not been saved, and a file is still being written. Neither will be kept.")
                                : _("A file is still being written. It will not be kept.");
}

static gboolean
some_changed (const GPtrArray *pages)
{
  for (guint i = 0; i < pages->len; i++)
    if (wp_page_changed (pages->pdata[i]))
      return TRUE;
  return FALSE;
}

/* With the titles, where the heading does not have the only one. */
static char *
body (const GPtrArray *pages)
{
  GString *text = NULL;

  if (pages->len == 1)
    return g_strdup (body_of_one (pages->pdata[0]));
  text = g_string_new (some_changed (pages) ? _("What was changed in these files has not been saved:") : _("Files are still being written, and will not be kept:"));
  for (guint i = 0; i < MIN (pages->len, TITLES_SHOWN); i++)
    g_string_append_printf (text, "\n%s", wp_page_title (pages->pdata[i]));
  if (pages->len > TITLES_SHOWN)
    g_string_append (text, "\n…");
  return g_string_free (text, FALSE);
}

/* The first that can be saved, or NULL. */
static WpPage *
savable (const GPtrArray *pages)
{
  for (guint i = 0; i < pages->len; i++)
    if (wp_page_can_save (pages->pdata[i]))
      return pages->pdata[i];
  return NULL;
}

static AdwMessageDialog *
build (GtkWindow *parent, const GPtrArray *pages)
{
  g_autofree char *title = heading (pages), *text = body (pages);
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (adw_message_dialog_new (parent, title, text));
  gboolean can_save = savable (pages) != NULL;

  adw_message_dialog_add_responses (dialog, "cancel", _("_Cancel"), "discard", _("Close _Without Saving"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "discard", ADW_RESPONSE_DESTRUCTIVE);
  if (can_save)
    {
      adw_message_dialog_add_response (dialog, "save", _("_Save…"));
      adw_message_dialog_set_response_appearance (dialog, "save", ADW_RESPONSE_SUGGESTED);
    }
  adw_message_dialog_set_default_response (dialog, can_save ? "save" : "cancel");
  adw_message_dialog_set_close_response (dialog, "cancel");
  return dialog;
}

gboolean
wp_unsaved_ask (GtkWindow *parent, const GPtrArray *pages, WpQuestionFunc func, GObject *data)
{
  if (pages->len == 0)
    return FALSE;
  if (wp_question_show_open (parent))
    func (WP_REPLY_CANCEL, data);
  else
    wp_question_ask (build (parent, pages), func, data);
  return TRUE;
}

/* --- saving first --- */

/* What closes once it is saved. */
static void
on_saving_ended (WpPage *page, gboolean written, WpAwaited *closing)
{
  g_signal_handlers_disconnect_by_data (page, closing);
  if (written)
    wp_reply_later (closing, WP_REPLY_GO_ON);
  else
    wp_reply_drop (closing);
}

static void
show (WpPage *page)
{
  AdwTabView *tabs = ADW_TAB_VIEW (gtk_widget_get_ancestor (GTK_WIDGET (page), ADW_TYPE_TAB_VIEW));

  adw_tab_view_set_selected_page (tabs, adw_tab_view_get_page (tabs, GTK_WIDGET (page)));
  gtk_window_present (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (page))));
}

void
wp_unsaved_save (const GPtrArray *pages, WpQuestionFunc again, GObject *about)
{
  WpPage *page = savable (pages);

  if (page == NULL)
    return;
  show (page);
  g_signal_connect (page, "saving-ended", G_CALLBACK (on_saving_ended), wp_reply_await (again, about));
  wp_page_save (page);
}
