#include "base/quote.h"

#include <string.h>

void
wp_quote_json (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  g_string_append_c (out, '"');
  for (const char *p = valid; *p != '\0'; p++)
    if (*p == '"' || *p == '\\')
      g_string_append_printf (out, "\\%c", *p);
    else if ((guchar) *p < 0x20)
      g_string_append_printf (out, "\\u%04x", *p);
    else
      g_string_append_c (out, *p);
  g_string_append_c (out, '"');
}

void
wp_quote_tsv (GString *out, const char *text)
{
  for (; *text != '\0'; text++)
    g_string_append_c (out, *text == '\t' || *text == '\n' || *text == '\r' ? ' ' : *text);
}

/* Neither controls, changes of direction, what has no width, nor blanks that are none to a shell. */
static gboolean
is_visible (gunichar c)
{
  static const guint32 hidden = 1u << G_UNICODE_CONTROL | 1u << G_UNICODE_FORMAT | 1u << G_UNICODE_UNASSIGNED | 1u << G_UNICODE_PRIVATE_USE
                                | 1u << G_UNICODE_SURROGATE | 1u << G_UNICODE_LINE_SEPARATOR | 1u << G_UNICODE_PARAGRAPH_SEPARATOR
                                | 1u << G_UNICODE_SPACE_SEPARATOR;
  static const guint32 marks = 1u << G_UNICODE_NON_SPACING_MARK | 1u << G_UNICODE_ENCLOSING_MARK;
  guint32 type = 1u << g_unichar_type (c);

  return c == ' ' || ((type & hidden) == 0 && ((type & marks) != 0 || !g_unichar_iszerowidth (c)));
}

void
wp_quote_visible (GString *out, const char *text)
{
  while (*text != '\0')
    {
      gunichar c = g_utf8_get_char_validated (text, -1);
      gboolean valid = c < (gunichar) -2;

      if (!valid)
        g_string_append_printf (out, "\\x%02x", (guchar) *text);
      else if (is_visible (c))
        g_string_append_unichar (out, c);
      else
        g_string_append_printf (out, c < 0x100 ? "\\x%02x" : "\\u%04x", c);
      text = valid ? g_utf8_next_char (text) : text + 1;
    }
}

void
wp_quote_markdown (GString *out, const char *text)
{
  for (; *text != '\0'; text++)
    {
      if (strchr ("|\\`*_<>[]", *text) != NULL)
        g_string_append_c (out, '\\');
      g_string_append_c (out, *text == '\n' || *text == '\r' || *text == '\t' ? ' ' : *text);
    }
}
