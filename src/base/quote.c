#include "base/quote.h"

#include <string.h>

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

gboolean
wp_is_out_of_line (gunichar c)
{
  return g_unichar_iscntrl (c) || c == 0x2028 || c == 0x2029 || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* --- terminals ----------------------------------------------------------------------------------------------------------- */

/* How many bytes from here on are plain ASCII, which nearly all are. */
static gsize
count_plain (const guchar *text, gsize n)
{
  gsize i = 0;

  while (i < n && ((text[i] >= 0x20 && text[i] < 0x7f) || text[i] == '\n' || text[i] == '\t'))
    i++;
  return i;
}

/* The character that begins here, and its length; a byte that begins none counts as the control character of 8 bits that it may be. */
static gunichar
character_at (const char *text, gsize n, gsize *length)
{
  gunichar c = g_utf8_get_char_validated (text, (gssize) n);

  /* GLib says of a NUL that it is half a character. */
  if (*text == '\0' || c == (gunichar) -1 || c == (gunichar) -2)
    {
      *length = 1;
      return (guchar) *text;
    }
  *length = (gsize) (g_utf8_next_char (text) - text);
  return c;
}

void
wp_quote_terminal (GString *out, const char *text, gsize n)
{
  for (gsize i = 0, length; i < n; i += length)
    {
      gunichar c;

      length = count_plain ((const guchar *) text + i, n - i);
      if (length == 0)
        {
          c = character_at (text + i, n - i, &length);
          if (wp_is_out_of_line (c) && !(c == '\r' && i + 1 < n && text[i + 1] == '\n'))
            {
              g_string_append_printf (out, "\\u%04x", c);
              continue;
            }
        }
      g_string_append_len (out, text + i, (gssize) length);
    }
}

char *
wp_quoted_line (const char *text)
{
  GString *out = g_string_new (NULL);

  while (*text != '\0')
    {
      gsize n = strcspn (text, "\n\r\t");

      wp_quote_terminal (out, text, n);
      text += n;
      if (*text != '\0')
        g_string_append_printf (out, "\\u%04x", *text++);
    }
  return g_string_free (out, FALSE);
}

/* --- tables -------------------------------------------------------------------------------------------------------------- */

static gboolean
is_formula (const char *text)
{
  char *end;

  if (*text == '\0' || strchr ("=+-@\t\r", *text) == NULL)
    return FALSE;
  if (strspn (text, "+-.0123456789eE") < strlen (text))
    return TRUE;
  g_ascii_strtod (text, &end);
  return *end != '\0';
}

void
wp_quote_csv (GString *out, const char *text)
{
  const char *before = is_formula (text) ? "'" : "";
  gboolean quoted = *before != '\0' || text[strcspn (text, ",\"\r\n")] != '\0';

  g_string_append (out, quoted ? "\"" : "");
  g_string_append (out, before);
  for (; *text != '\0'; text++)
    {
      if (*text == '"')
        g_string_append_c (out, '"');
      g_string_append_c (out, *text);
    }
  g_string_append (out, quoted ? "\"" : "");
}
