#include "cli/depth.h"

gboolean
wp_cli_depth_hides (const WpCliDepthOptions *self)
{
  for (WpHideKind kind = 0; kind < WP_HIDE_COUNT; kind++)
    if (self->hide[kind] != NULL)
      return TRUE;
  return FALSE;
}

gboolean
wp_cli_depth_given (const WpCliDepthOptions *self)
{
  return self->depth != NULL || wp_cli_depth_hides (self);
}

int
wp_cli_depth_choose (const WpCliDepthOptions *self, WpHideRules *rules, WpDepthChoice *choice)
{
  g_autoptr (GError) error = NULL;

  *choice = (WpDepthChoice) { .depth = self->depth != NULL ? wp_depth_from_id (self->depth) : WP_DEPTH_ALL, .hide = rules };
  for (WpHideKind kind = 0; kind < WP_HIDE_COUNT; kind++)
    for (char **text = self->hide[kind]; text != NULL && *text != NULL; text++)
      if (!wp_hide_rules_add (rules, kind, *text, &error))
        return wp_cli_usage ("--hide-matching: %s", error->message);
  return 0;
}
