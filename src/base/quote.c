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
