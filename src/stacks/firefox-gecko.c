#include "stacks/firefox-resolve.h"

#include <string.h>

/* Takes "[DIGITS]" off the end. Returns one more than its number; 0: it is not there. */
static guint32
take_source (const char *text, gsize *n)
{
  gsize at = *n;

  if (at < 3 || text[at - 1] != ']')
    return 0;
  at--;
  while (at > 0 && g_ascii_isdigit (text[at - 1]))
    at--;
  if (at == 0 || text[at - 1] != '[' || at + 1 == *n)
    return 0;
  *n = at - 1;
  return (guint32) MIN (g_ascii_strtoull (text + at, NULL, 10), G_MAXUINT32 - 1) + 1;
}

/* Takes ":DIGITS" off the end, if something is before it. */
static gboolean
take_number (const char *text, gsize *n, gint64 *number)
{
  gsize at = *n;

  while (at > 0 && g_ascii_isdigit (text[at - 1]))
    at--;
  if (at == *n || at < 2 || text[at - 1] != ':')
    return FALSE;
  *number = g_ascii_strtoll (text + at, NULL, 10);
  *n = at - 1;
  return TRUE;
}

/* Where "text" stands last in the first n bytes; NULL: nowhere. */
static const char *
find_last (const char *text, gsize n, const char *wanted)
{
  return g_strrstr_len (text, (gssize) n, wanted);
}

/* "URL:3:7", and as "one -> another" the last of them. */
static gboolean
parse_place (const char *text, gsize n, WpStrings *strings, WpGeckoLocation *location)
{
  gint64 last, line;
  const char *arrow;

  if (!take_number (text, &n, &last))
    return FALSE;
  location->line = take_number (text, &n, &line) ? line : last;
  arrow = find_last (text, n, " -> ");
  if (arrow != NULL)
    {
      n -= (gsize) (arrow + 4 - text);
      text = arrow + 4;
    }
  location->file = wp_strings_intern_n (strings, text, n);
  return TRUE;
}

/* "f (URL:3:7)[5]" or "URL:3:7", which is what stands outside of all functions. */
static gboolean
parse_script (const char *text, WpStrings *strings, WpGeckoLocation *location)
{
  gsize n = strlen (text);
  const char *bracket;
  g_autofree char *name = NULL;

  location->source = take_source (text, &n);
  bracket = n > 0 && text[n - 1] == ')' ? find_last (text, n, " (") : NULL;
  if (bracket != NULL && parse_place (bracket + 2, (gsize) (text + n - 1 - (bracket + 2)), strings, location))
    {
      location->name = wp_strings_intern_n (strings, text, (gsize) (bracket - text));
      if (location->name != 0)
        return TRUE;
    }
  else if (!parse_place (text, n, strings, location))
    return FALSE;
  name = g_strconcat ("(root scope) ", wp_strings_get (strings, location->file), NULL);
  location->name = wp_strings_intern (strings, name);
  return TRUE;
}

/* "f (in LIB)", and something behind it. */
static gboolean
parse_native (const char *text, WpStrings *strings, WpGeckoLocation *location)
{
  const char *in = find_last (text, strlen (text), " (in "), *end = in != NULL ? strchr (in, ')') : NULL;

  if (end == NULL || (end[1] != '\0' && !g_str_has_prefix (end, ") + ") && !g_str_has_prefix (end, ") (")))
    return FALSE;
  location->name = wp_strings_intern_n (strings, text, (gsize) (in - text));
  location->lib = wp_strings_intern_n (strings, in + 5, (gsize) (end - in - 5));
  return TRUE;
}

gboolean
wp_gecko_is_address (const char *text, guint64 *address)
{
  char *end = NULL;

  if (!g_str_has_prefix (text, "0x") || !g_ascii_isxdigit (text[2]))
    return FALSE;
  *address = g_ascii_strtoull (text + 2, &end, 16);
  return *end == '\0';
}

void
wp_gecko_location_parse (const char *text, WpStrings *strings, WpGeckoLocation *location)
{
  *location = (WpGeckoLocation) { 0 };
  if (wp_gecko_is_address (text, &location->address))
    return;
  if (!parse_native (text, strings, location) && !parse_script (text, strings, location))
    *location = (WpGeckoLocation) { .name = wp_strings_intern (strings, text) };
  if (location->name == 0)
    location->name = wp_strings_intern (strings, "(anonymous)");
}
