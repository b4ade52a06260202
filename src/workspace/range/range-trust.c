#include "workspace/range/range-trust.h"

#include "store/jobs.h"

WpRangeTrust *
wp_range_trust_new (const WpStore *store)
{
  WpRangeTrust *self = g_new0 (WpRangeTrust, 1);

  self->commands = wp_store_commands_new (store);
  self->build = wp_store_build_line (store);
  if (self->build == NULL)
    self->build = g_strdup ("");
  return self;
}

void
wp_range_trust_free (WpRangeTrust *self)
{
  wp_store_commands_free (self->commands);
  g_free (self->build);
  g_free (self);
}

void
wp_range_trust_build_deleted (WpRangeTrust *self, const char *build, int start, int end)
{
  if (start == 0 && (end < 0 || end >= (int) g_utf8_strlen (build, -1)))
    self->cleared = TRUE;
}

/* Of a line that was only edited most may not have been seen. One that begins anew is the user's own, unless it is the same again: that may be by
 * undoing. */
static gboolean
builds_by_settings (const WpRangeTrust *self, const char *build)
{
  return self->commands->build[0] != NULL && *build != '\0' && (!self->cleared || g_str_equal (build, self->build));
}

gboolean
wp_range_trust_asks (const WpRangeTrust *self, const char *build, gboolean typed)
{
  gboolean programs = self->commands->programs[0] != NULL && !typed;

  return (programs || builds_by_settings (self, build)) && !wp_store_is_trusted (self->commands);
}
