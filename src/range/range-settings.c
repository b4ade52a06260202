/* What local.yml says of how a range is recorded. */
#include "range/range.h"

#include <math.h>

static gboolean
refuse (const WpStore *store, const char *key, const char *value, GError **error)
{
  g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_NOT_FOUND, "%s/local.yml: collectors: %s: “%s” makes no sense", wp_store_folder (store),
               key, value);
  return FALSE;
}

static gboolean
take_number (const WpStore *store, const char *key, double *number, GError **error)
{
  const char *value = wp_store_collector_param (store, key);
  char *end;

  if (value == NULL)
    return TRUE;
  *number = g_ascii_strtod (value, &end);
  return (end > value && *end == '\0' && *number >= 0 && *number <= 1e9) || refuse (store, key, value, error);
}

gboolean
wp_range_take_settings (WpRangeOptions *options, const WpStore *store, GError **error)
{
  const char *stacks = wp_store_collector_param (store, "stacks");
  double rate = options->rate;

  if (!take_number (store, "rate", &rate, error) || !take_number (store, "duration", &options->duration, error))
    return FALSE;
  options->rate = (guint) llround (rate);
  return stacks == NULL || wp_stack_mode_parse (stacks, &options->stacks) || refuse (store, "stacks", stacks, error);
}
