#include "stacks/pattern.h"

#include <gio/gio.h>

GRegex *
wp_pattern_new (const char *pattern, GError **error)
{
  GRegexCompileFlags flags = G_REGEX_OPTIMIZE | (g_utf8_validate (pattern, -1, NULL) ? 0 : G_REGEX_RAW);
  GError *wrong = NULL;
  GRegex *made = g_regex_new (pattern, flags, 0, &wrong);

  if (made == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "the pattern “%s” is no regular expression: %s", pattern, wrong->message);
      g_error_free (wrong);
    }
  return made;
}

/* What is no UTF-8 is compared as it is shown. */
gboolean
wp_pattern_matches (const GRegex *pattern, const char *text, gsize n)
{
  g_autofree char *valid = NULL;

  if (!(g_regex_get_compile_flags (pattern) & G_REGEX_RAW) && !g_utf8_validate (text, (gssize) n, NULL))
    {
      valid = g_utf8_make_valid (text, (gssize) n);
      return g_regex_match (pattern, valid, 0, NULL);
    }
  return g_regex_match_full (pattern, text, (gssize) n, 0, 0, NULL, NULL);
}

gboolean
wp_pattern_texts_match (WpPatternTexts *self, WpId text)
{
  if (self->known[text] == 0)
    {
      gsize n;
      const char *bytes = wp_strings_bytes (self->stacks->strings, text, &n);

      self->known[text] = wp_pattern_matches (self->pattern, bytes, n) ? 2 : 1;
    }
  return self->known[text] == 2;
}
