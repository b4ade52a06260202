#include "workspace/file/search.h"

#include <glib/gi18n.h>
#include <string.h>

struct WpSearch
{
  char *text;    /* what was looked for last, or NULL */
  GArray *found; /* guint32: boxes, in the order of the rows */
  guint at;      /* in `found`; G_MAXUINT: at none yet */
};

WpSearch *
wp_search_new (void)
{
  WpSearch *self = g_new0 (WpSearch, 1);

  self->found = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->at = G_MAXUINT;
  return self;
}

void
wp_search_free (WpSearch *self)
{
  g_array_unref (self->found);
  g_free (self->text);
  g_free (self);
}

/* Which of the rows' strings match: names are few beside boxes. */
static guint8 *
matching_strings (const WpStrings *strings, const char *text)
{
  guint32 n = wp_strings_count (strings);
  guint8 *matching = g_new0 (guint8, MAX (n, 1));
  g_autofree char *wanted = g_utf8_casefold (text, -1);

  for (guint32 i = 1; i < n; i++)
    {
      g_autofree char *name = g_utf8_casefold (wp_strings_get (strings, i), -1);

      matching[i] = strstr (name, wanted) != NULL;
    }
  return matching;
}

static guint8 *
find (WpSearch *self, const WpRows *rows, gboolean keep, guint32 selected)
{
  g_autofree guint8 *matching = matching_strings (rows->strings, self->text);
  guint8 *boxes = g_new0 (guint8, MAX (rows->boxes.len, 1));

  for (guint32 i = 0; i < rows->boxes.len; i++)
    if (matching[rows->boxes.data[i].label])
      {
        boxes[i] = 1;
        if (keep && i == selected)
          self->at = self->found->len;
        g_array_append_val (self->found, i);
      }
  return boxes;
}

guint8 *
wp_search_run (WpSearch *self, const WpRows *rows, const char *text, guint32 selected)
{
  gboolean keep = self->at != G_MAXUINT && wp_search_is_for (self, text);
  char *copy = g_strdup (text); /* it may be our own */

  wp_search_forget (self);
  self->at = G_MAXUINT;
  g_free (self->text);
  self->text = copy;
  return rows != NULL && *copy != '\0' ? find (self, rows, keep, selected) : NULL;
}

void
wp_search_forget (WpSearch *self)
{
  g_array_set_size (self->found, 0);
}

gboolean
wp_search_is_for (const WpSearch *self, const char *text)
{
  return g_strcmp0 (text, self->text) == 0;
}

guint
wp_search_count (const WpSearch *self)
{
  return self->found->len;
}

guint32
wp_search_next (WpSearch *self, int direction)
{
  guint n = self->found->len;

  if (n == 0)
    return G_MAXUINT32;
  if (self->at == G_MAXUINT)
    self->at = direction < 0 ? n - 1 : 0;
  else
    self->at = (self->at + (direction < 0 ? n - 1 : 1)) % n;
  return g_array_index (self->found, guint32, self->at);
}

char *
wp_search_text (const WpSearch *self)
{
  guint n = self->found->len;

  if (self->text == NULL || *self->text == '\0')
    return g_strdup ("");
  if (n == 0)
    return g_strdup (_("Nothing found"));
  if (self->at == G_MAXUINT)
    return g_strdup_printf (ngettext ("%u box", "%u boxes", n), n);
  return g_strdup_printf (_("%u of %u"), self->at + 1, n);
}
