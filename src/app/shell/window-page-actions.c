#include "app/shell/window-private.h"

#include <glib/gi18n.h>

#include "app/shell/settings.h"

static const WpPageAction *
find_action (const char *name)
{
  for (guint i = 0; i < wp_page_n_actions; i++)
    if (g_str_equal (wp_page_actions[i].name, name))
      return &wp_page_actions[i];
  return NULL;
}

static void
update_action (WpWindow *self, WpPage *page, const WpPageAction *row)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), row->name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), page != NULL && wp_page_action_enabled (page, row));
  if (page != NULL && wp_page_action_has_state (row))
    g_simple_action_set_state (G_SIMPLE_ACTION (action), wp_page_action_state (page, row));
}

static void
on_page_action (GSimpleAction *action, GVariant *value, gpointer data)
{
  WpWindow *self = data;
  WpPage *page = wp_window_page (self);
  const WpPageAction *row = find_action (g_action_get_name (G_ACTION (action)));

  if (page == NULL || !wp_page_action_enabled (page, row))
    return;
  g_object_ref (page);
  wp_page_action_activate (page, row, value);
  update_action (self, wp_window_page (self), row);
  g_object_unref (page);
}

void
wp_window_add_page_actions (WpWindow *self)
{
  for (guint i = 0; i < wp_page_n_actions; i++)
    {
      const WpPageAction *row = &wp_page_actions[i];
      gboolean text = g_strcmp0 (row->type, "s") == 0;
      g_autoptr (GSimpleAction) action = NULL;

      if (!wp_page_action_has_state (row))
        action = g_simple_action_new (row->name, text ? G_VARIANT_TYPE_STRING : NULL);
      else
        action = g_simple_action_new_stateful (row->name, text ? G_VARIANT_TYPE_STRING : NULL,
                                               text ? g_variant_new_string ("processes") : g_variant_new_boolean (FALSE));
      g_signal_connect (action, wp_page_action_has_state (row) ? "change-state" : "activate", G_CALLBACK (on_page_action), self);
      g_simple_action_set_enabled (action, FALSE);
      g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
    }
}

void
wp_window_update_page_actions (WpWindow *self, WpPage *page)
{
  for (guint i = 0; i < wp_page_n_actions; i++)
    update_action (self, page, &wp_page_actions[i]);
}
