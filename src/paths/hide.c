#include "paths/hide.h"

#include "stacks/pattern.h"

static void
clear_rule (WpHideRule *rule)
{
  g_free (rule->text);
  g_clear_pointer (&rule->pattern, g_regex_unref);
}

static gboolean
has_rule (const WpHideRules *self, WpHideKind kind, const char *text)
{
  for (guint32 i = 0; i < self->len; i++)
    if (self->data[i].kind == kind && g_str_equal (self->data[i].text, text))
      return TRUE;
  return FALSE;
}

char *
wp_hide_found (const char *text)
{
  g_autofree char *pattern = g_strconcat (WP_HIDE_ANY_CASE, text, NULL), *escaped = g_regex_escape_string (text, -1);
  g_autoptr (GRegex) regex = g_regex_new (pattern, 0, 0, NULL);

  return regex != NULL ? g_steal_pointer (&pattern) : g_strconcat (WP_HIDE_ANY_CASE, escaped, NULL);
}

gboolean
wp_hide_rules_add (WpHideRules *self, WpHideKind kind, const char *text, GError **error)
{
  WpHideRule rule = { .kind = kind };

  if (has_rule (self, kind, text))
    return TRUE;
  if (kind == WP_HIDE_MATCHING && (rule.pattern = wp_pattern_new (text, error)) == NULL)
    return FALSE;
  rule.text = g_strdup (text);
  wp_array_push (self, rule);
  return TRUE;
}

void
wp_hide_rules_remove (WpHideRules *self, guint32 rule)
{
  clear_rule (&self->data[rule]);
  self->len--;
  memmove (self->data + rule, self->data + rule + 1, (self->len - rule) * sizeof *self->data);
}

WpHideRules *
wp_hide_rules_copy (const WpHideRules *self)
{
  WpHideRules *copy = g_new0 (WpHideRules, 1);

  for (guint32 i = 0; self != NULL && i < self->len; i++)
    {
      WpHideRule rule = self->data[i];

      rule.text = g_strdup (rule.text);
      if (rule.pattern != NULL)
        g_regex_ref (rule.pattern);
      wp_array_push (copy, rule);
    }
  return copy;
}

void
wp_hide_rules_clear (WpHideRules *self)
{
  for (guint32 i = 0; i < self->len; i++)
    clear_rule (&self->data[i]);
  wp_array_clear (self);
}

void
wp_hide_rules_free (WpHideRules *self)
{
  if (self != NULL)
    wp_hide_rules_clear (self);
  g_free (self);
}

static gboolean
hides (const WpHideRule *rule, const WpTrace *trace, WpId function)
{
  const char *name = wp_trace_function_name (trace, function);
  WpId module = trace->functions.data[function].module;

  switch (rule->kind)
    {
    case WP_HIDE_FUNCTION:
      return g_str_equal (rule->text, name);
    case WP_HIDE_MODULE:
      return g_str_equal (rule->text, wp_trace_module_name (trace, module))
             || g_str_equal (rule->text, wp_trace_string (trace, trace->modules.data[module].path));
    default:
      return wp_pattern_matches (rule->pattern, name, strlen (name));
    }
}

gboolean
wp_hide_rules_hide (const WpHideRules *self, const WpTrace *trace, WpId function)
{
  for (guint32 i = 0; self != NULL && i < self->len; i++)
    if (hides (&self->data[i], trace, function))
      return TRUE;
  return FALSE;
}
