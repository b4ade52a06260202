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

static void
append_idle (GMenu *menu, const char *label, const char *task)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, "win.idle-task", "s", task);
  g_menu_append_item (menu, item);
}

/* What the page has, and what was chosen before, for another recording. */
static char **
idle_names (WpPage *page)
{
  const char *const *spinners = page != NULL ? wp_page_spinners (page) : NULL;
  g_autofree char *chosen = wp_settings_string ("idle-task");
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  if (*chosen != '\0' && (spinners == NULL || !g_strv_contains (spinners, chosen)))
    g_strv_builder_add (names, chosen);
  for (guint i = 0; spinners != NULL && spinners[i] != NULL; i++)
    g_strv_builder_add (names, spinners[i]);
  return g_strv_builder_end (names);
}

static void
fill_idle_menu (WpWindow *self, WpPage *page)
{
  g_auto (GStrv) names = idle_names (page);

  if (self->spinners != NULL && g_strv_equal ((const char *const *) self->spinners, (const char *const *) names))
    return; /* it may be open */
  g_menu_remove_all (self->idle_menu);
  append_idle (self->idle_menu, C_("idle", "_Nothing"), "");
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (names[i], "_", -1);
      g_autofree char *label = g_strjoinv ("__", parts); /* one would be a mnemonic's */

      append_idle (self->idle_menu, label, names[i]);
    }
  g_strfreev (self->spinners);
  self->spinners = g_steal_pointer (&names);
}

void
wp_window_update_page_actions (WpWindow *self, WpPage *page)
{
  for (guint i = 0; i < wp_page_n_actions; i++)
    update_action (self, page, &wp_page_actions[i]);
  fill_idle_menu (self, page);
}
