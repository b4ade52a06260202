#include "base/text-writer.h"

#include <string.h>

#include "base/quote.h"
#include "base/write.h"

#define PIECE (64 * 1024)

static void
flush (WpTextWriter *self)
{
  g_autoptr (GString) quoted = g_string_sized_new (self->pending->len);

  wp_quote_terminal (quoted, self->pending->str, self->pending->len);
  if (self->code == 0)
    self->code = wp_write_all (self->fd, quoted->str, quoted->len);
  g_string_truncate (self->pending, 0);
}

static void
begin (WpTextWriter *self)
{
  if (self->pending == NULL)
    self->pending = g_string_sized_new (PIECE + PIECE / 8);
  else if (self->pending->len >= PIECE)
    flush (self);
}

void
wp_text_writer_put (WpTextWriter *self, const char *text, gsize n)
{
  begin (self);
  g_string_append_len (self->pending, text, n);
}

void
wp_text_writer_printf (WpTextWriter *self, const char *format, ...)
{
  va_list args;

  begin (self);
  va_start (args, format);
  g_string_append_vprintf (self->pending, format, args);
  va_end (args);
}

gboolean
wp_text_writer_finish (WpTextWriter *self, GError **error)
{
  begin (self);
  flush (self);
  if (self->code != 0)
    g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (self->code), g_strerror (self->code));
  return self->code == 0;
}

void
wp_text_writer_clear (WpTextWriter *self)
{
  if (self->pending != NULL)
    g_string_free (self->pending, TRUE);
  self->pending = NULL;
}
