/* Which checks are made of a profile: rules of local.yml, then those of the user's shared.yml. */
#include "store/checker.h"
#include "store/store-private.h"

/* "strategy" is what the comments in local.yml call it. */
static const char *const lists[] = { "degradation.strategies", "degradation.strategy" };

static gboolean
has_postprocessor (const WpProfile *profile, const char *name)
{
  for (guint32 i = 0; i < profile->postprocessors.len; i++)
    if (g_str_equal (wp_value_string (profile->values, wp_value_get (profile->values, profile->postprocessors.data[i], "name")), name))
      return TRUE;
  return FALSE;
}

static gboolean
rule_fits (const WpYaml *settings, const char *rule, const WpProfile *profile)
{
  g_auto (GStrv) keys = wp_yaml_keys (settings, rule);
  gboolean fits = TRUE;

  for (char **key = keys; fits && *key != NULL; key++)
    {
      g_autofree char *path = g_strconcat (rule, ".", *key, NULL);
      const char *value = wp_yaml_get (settings, path);

      if (g_str_equal (*key, "method"))
        continue;
      else if (g_str_equal (*key, "postprocessor"))
        fits = value != NULL && has_postprocessor (profile, value);
      else if (g_str_equal (*key, "collector"))
        fits = g_strcmp0 (wp_profile_collector_name (profile), value) == 0;
      else
        fits = g_strcmp0 (wp_profile_header (profile, *key), value) == 0;
    }
  return fits;
}

static gboolean
contains (const GArray *checks, WpCheck check)
{
  for (guint i = 0; i < checks->len; i++)
    if (g_array_index (checks, WpCheck, i) == check)
      return TRUE;
  return FALSE;
}

static gboolean
apply_rule (const WpYaml *settings, const char *rule, const WpProfile *profile, GArray *checks, GError **error)
{
  g_autofree char *path = g_strconcat (rule, ".method", NULL);
  const char *method = wp_yaml_get (settings, path);
  WpCheck check;

  if (method == NULL || !rule_fits (settings, rule, profile))
    return TRUE;
  if (!wp_check_find (method, &check))
    {
      g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_DAMAGED, "the settings: %s: there is no check “%s”", path, method);
      return FALSE;
    }
  if (!contains (checks, check))
    g_array_append_val (checks, check);
  return TRUE;
}

/* The rules of one file. `n`: how many there are is added. */
static gboolean
apply_rules (const WpYaml *settings, const WpProfile *profile, gboolean first, GArray *checks, guint *n, GError **error)
{
  for (guint l = 0; settings != NULL && l < G_N_ELEMENTS (lists); l++)
    {
      g_auto (GStrv) numbers = wp_yaml_keys (settings, lists[l]);

      for (char **number = numbers; *number != NULL && !(first && checks->len > 0); number++)
        {
          g_autofree char *rule = g_strconcat (lists[l], ".", *number, NULL);

          if (!apply_rule (settings, rule, profile, checks, error))
            return FALSE;
        }
      *n += g_strv_length (numbers);
    }
  return TRUE;
}

gboolean
wp_store_strategies (const WpStore *store, const WpProfile *profile, GArray *checks, GError **error)
{
  const char *apply = wp_store_setting (store, "degradation.apply");
  gboolean first = g_strcmp0 (apply, "first") == 0;
  const WpCheck usual = 0;
  guint n = 0;

  if (apply != NULL && !first && !g_str_equal (apply, "all"))
    {
      g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_DAMAGED, "the settings: degradation.apply: “%s” is neither “all” nor “first”", apply);
      return FALSE;
    }
  if (!apply_rules (store->local, profile, first, checks, &n, error) || !apply_rules (store->shared, profile, first, checks, &n, error))
    return FALSE;
  if (n == 0)
    g_array_append_val (checks, usual);
  return TRUE;
}
