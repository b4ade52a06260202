#include "cli/columns.h"

#include "base/quote.h"

#include <string.h>

#define MOST 1000 /* characters of a column */

/* A piece of a format: text, then a column. */
typedef struct
{
  char *text;
  guint column;
  gboolean last; /* only text */
  glong width;   /* characters */
  gboolean fixed;
} Piece;

struct WpCliColumns
{
  GArray *pieces; /* Piece */
  guint32 has;    /* a bit for each column */
};

static void
clear_piece (gpointer data)
{
  g_free (((Piece *) data)->text);
}

/* "source" or "source:20". FALSE: no column is called so. */
static gboolean
parse_column (const char *text, const char *const *names, Piece *piece)
{
  gsize n = strcspn (text, ":");
  guint64 width = 0;

  if (text[n] == ':' && !g_ascii_string_to_unsigned (text + n + 1, 10, 0, MOST, &width, NULL))
    return FALSE;
  for (guint i = 0; names[i] != NULL; i++)
    if (strlen (names[i]) == n && strncmp (names[i], text, n) == 0)
      {
        piece->column = i;
        piece->fixed = text[n] == ':';
        piece->width = piece->fixed ? MAX ((glong) width, (glong) n) : 0;
        return TRUE;
      }
  return FALSE;
}

WpCliColumns *
wp_cli_columns_new (const char *format, const char *const *names)
{
  WpCliColumns *self = g_new0 (WpCliColumns, 1);
  g_auto (GStrv) parts = g_strsplit (format, "%", -1);
  g_autoptr (GString) text = g_string_new (NULL);
  guint i = 0;

  self->pieces = g_array_new (FALSE, TRUE, sizeof (Piece));
  g_array_set_clear_func (self->pieces, clear_piece);
  g_string_append (text, parts[0] != NULL ? parts[0] : "");
  for (i = 1; parts[0] != NULL && parts[i] != NULL; i++)
    {
      Piece piece = { 0 };

      /* A sign that begins no column stands for itself, and the next one may begin one. */
      if (parts[i + 1] == NULL || !parse_column (parts[i], names, &piece))
        {
          g_string_append_printf (text, "%%%s", parts[i]);
          continue;
        }
      piece.text = g_strdup (text->str);
      self->has |= 1u << piece.column;
      g_array_append_val (self->pieces, piece);
      g_string_assign (text, parts[++i]);
    }
  g_array_append_val (self->pieces, ((Piece) { .text = g_strdup (text->str), .last = TRUE }));
  return self;
}

void
wp_cli_columns_free (WpCliColumns *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->pieces);
  g_free (self);
}

gboolean
wp_cli_columns_has (const WpCliColumns *self, guint column)
{
  return (self->has & 1u << column) != 0;
}

void
wp_cli_columns_measure (WpCliColumns *self, char *const *texts)
{
  for (guint p = 0; p + 1 < self->pieces->len; p++)
    {
      Piece *piece = &g_array_index (self->pieces, Piece, p);

      if (!piece->fixed)
        piece->width = MAX (piece->width, g_utf8_strlen (texts[piece->column], -1));
    }
}

/* So many characters of one line: cut, or blanks behind. */
static void
append_padded (GString *out, const char *text, glong width)
{
  glong n = g_utf8_strlen (text, -1);
  g_autofree char *cut = n > width ? g_utf8_substring (text, 0, width) : NULL;

  wp_quote_tsv (out, cut != NULL ? cut : text);
  for (; n < width; n++)
    g_string_append_c (out, ' ');
}

void
wp_cli_columns_append (const WpCliColumns *self, GString *out, char *const *texts)
{
  gsize start = out->len;

  for (guint p = 0; p < self->pieces->len; p++)
    {
      const Piece *piece = &g_array_index (self->pieces, Piece, p);

      g_string_append (out, piece->text);
      if (!piece->last)
        append_padded (out, texts[piece->column], piece->width);
    }
  while (out->len > start && out->str[out->len - 1] == ' ')
    g_string_truncate (out, out->len - 1);
  g_string_append_c (out, '\n');
}
