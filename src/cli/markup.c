/* Finds *bold* and _italic_ words. */
#include "cli/markup.h"

#include <string.h>

static WpMark
mark_of (char letter)
{
  return letter == '*' ? WP_MARK_BOLD : letter == '_' ? WP_MARK_ITALIC : WP_MARK_TEXT;
}

/* Where what begins at `from` with a mark ends with the same one; NULL: it is no mark. One within a word, as in a_b, is none. */
static const char *
find_end (const char *text, const char *from)
{
  if (mark_of (*from) == WP_MARK_TEXT || (from > text && g_ascii_isalnum (from[-1])) || from[1] == '\0' || g_ascii_isspace (from[1]))
    return NULL;
  for (const char *end = strchr (from + 1, *from); end != NULL; end = strchr (end + 1, *from))
    if (!g_ascii_isspace (end[-1]) && !g_ascii_isalnum (end[1]) && end > from + 1)
      return end;
  return NULL;
}

gboolean
wp_markup_next (const char **text, WpMark *mark, const char **piece, gsize *n)
{
  const char *from = *text, *end = find_end (from, from);

  if (*from == '\0')
    return FALSE;
  *mark = end != NULL ? mark_of (*from) : WP_MARK_TEXT;
  if (end != NULL)
    {
      *piece = from + 1;
      *n = (gsize) (end - from) - 1;
      *text = end + 1;
      return TRUE;
    }
  for (end = from + 1; *end != '\0' && find_end (from, end) == NULL;)
    end++;
  *piece = from;
  *n = (gsize) (end - from);
  *text = end;
  return TRUE;
}

char *
wp_markup_plain (const char *text)
{
  GString *out = g_string_new (NULL);
  const char *piece;
  WpMark mark;
  gsize n;

  while (wp_markup_next (&text, &mark, &piece, &n))
    {
      gboolean quoted = mark == WP_MARK_BOLD && *piece != '-';

      g_string_append_printf (out, "%s%.*s%s", quoted ? "“" : "", (int) n, piece, quoted ? "”" : "");
    }
  return g_string_free (out, FALSE);
}
