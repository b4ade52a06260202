/* Search: the boxes of the current view whose name contains the text. */
#include "app/page/page-private.h"

#include <glib/gi18n.h>

/* Which of the rows' strings match: names are few beside boxes. */
static guint8 *
matching_strings (const WpStrings *strings, const char *text)
{
  guint32 n = wp_strings_count (strings);
  guint8 *matching = g_new0 (guint8, MAX (n, 1));
  g_autofree char *wanted = g_utf8_casefold (text, -1);

  for (guint32 i = 1; i < n; i++)
    {
      g_autofree char *name = g_utf8_casefold (wp_strings_get (strings, i), -1);

      matching[i] = strstr (name, wanted) != NULL;
    }
  return matching;
}

static void
show_count (WpPage *self)
{
  g_autofree char *text = NULL;

  if (*gtk_editable_get_text (GTK_EDITABLE (self->search_entry)) == '\0')
    text = g_strdup ("");
  else if (self->found->len == 0)
    text = g_strdup (_("Nothing found"));
  else if (self->match == G_MAXUINT)
    text = g_strdup_printf (ngettext ("%u box", "%u boxes", self->found->len), self->found->len);
  else
    text = g_strdup_printf (_("%u of %u"), self->match + 1, self->found->len);
  gtk_label_set_text (self->matches, text);
}

void
wp_page_update_search (WpPage *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search_entry));
  WpCanvas *canvas = wp_page_canvas (self);
  const WpRows *rows = wp_canvas_rows (canvas);
  g_autofree guint8 *matching = NULL;
  gboolean at_match = self->match != G_MAXUINT && g_strcmp0 (text, self->searched) == 0;
  guint8 *boxes;

  g_array_set_size (self->found, 0);
  self->match = G_MAXUINT;
  g_free (self->searched);
  self->searched = g_strdup (text);
  if (rows == NULL || *text == '\0')
    {
      wp_page_choose (self);
      show_count (self);
      wp_page_changed (self);
      return;
    }
  matching = matching_strings (rows->strings, text);
  boxes = g_new0 (guint8, MAX (rows->boxes.len, 1));
  for (guint32 i = 0; i < rows->boxes.len; i++)
    if (matching[rows->boxes.data[i].label])
      {
        boxes[i] = 1;
        if (at_match && i == wp_canvas_selected (canvas))
          self->match = self->found->len;
        g_array_append_val (self->found, i);
      }
  wp_canvas_set_highlight (canvas, boxes);
  show_count (self);
  wp_page_changed (self);
}

void
wp_page_mark_boxes (WpPage *self)
{
  if (!self->gone && gtk_search_bar_get_search_mode (self->search_bar))
    wp_page_update_search (self);
  else
    wp_page_choose (self);
}

/* The entry tells of a change when typing has paused: a key may have asked for what it holds before that. */
void
wp_page_search_typed (WpPage *self)
{
  if (g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (self->search_entry)), self->searched) != 0)
    wp_page_update_search (self);
}

void
wp_page_next_match (WpPage *self, int direction)
{
  guint n;

  wp_page_search_typed (self);
  n = self->found->len;
  if (n == 0)
    return;
  if (self->match == G_MAXUINT)
    self->match = direction < 0 ? n - 1 : 0;
  else
    self->match = (self->match + (direction < 0 ? n - 1 : 1)) % n;
  wp_canvas_select (wp_page_canvas (self), g_array_index (self->found, guint32, self->match), TRUE);
  show_count (self);
}

void
wp_page_search (WpPage *self, const char *text)
{
  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  if (text != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->search_entry), text);
  else
    gtk_editable_select_region (GTK_EDITABLE (self->search_entry), 0, -1);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
  wp_page_update_search (self);
}
