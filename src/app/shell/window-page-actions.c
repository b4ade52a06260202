/* What can be done with a page, as actions of its window: win.NAME. */
#include "app/shell/window-private.h"

static WpAction
find_action (const char *name)
{
  WpAction action = 0;

  while (!g_str_equal (wp_actions[action].name, name))
    action++;
  return action;
}

static void
update_action (WpWindow *self, WpPage *page, WpAction which)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), wp_actions[which].name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), page != NULL && wp_page_can (page, which));
  if (page != NULL && wp_actions[which].stateful)
    g_simple_action_set_state (G_SIMPLE_ACTION (action), wp_page_state (page, which));
}

static void
on_page_action (GSimpleAction *action, GVariant *value, gpointer data)
{
  WpWindow *self = data;
  WpPage *page = wp_window_page (self);
  WpAction which = find_action (g_action_get_name (G_ACTION (action)));

  if (page == NULL || !wp_page_can (page, which))
    return;
  g_object_ref (page);
  wp_page_do (page, which, value);
  update_action (self, wp_window_page (self), which);
  g_object_unref (page);
}

void
wp_window_add_page_actions (WpWindow *self)
{
  for (WpAction a = 0; a < WP_N_ACTIONS; a++)
    {
      const WpActionInfo *info = &wp_actions[a];
      gboolean text = g_strcmp0 (info->type, "s") == 0;
      g_autoptr (GSimpleAction) action = NULL;

      if (!info->stateful)
        action = g_simple_action_new (info->name, text ? G_VARIANT_TYPE_STRING : NULL);
      else
        action = g_simple_action_new_stateful (info->name, text ? G_VARIANT_TYPE_STRING : NULL,
                                               text ? g_variant_new_string ("processes") : g_variant_new_boolean (FALSE));
      g_signal_connect (action, info->stateful ? "change-state" : "activate", G_CALLBACK (on_page_action), self);
      g_simple_action_set_enabled (action, FALSE);
      g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
    }
}

void
wp_window_update_page_actions (WpWindow *self, WpPage *page)
{
  for (WpAction a = 0; a < WP_N_ACTIONS; a++)
    update_action (self, page, a);
}
