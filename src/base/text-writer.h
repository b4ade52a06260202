/* Text that is written to a descriptor as it is made, in pieces: of which no terminal obeys anything (wp_quote_terminal()), whoever looks at it
 * then or later. An error is kept until the end. */
#pragma once

#include <gio/gio.h>

typedef struct
{
  GString *pending; /* NULL before the first text */
  int fd, code;     /* code: an errno, or 0 */
} WpTextWriter;

/* Whole characters. */
void wp_text_writer_put (WpTextWriter *self, const char *text, gsize n);
void wp_text_writer_printf (WpTextWriter *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Writes what is left. The error, if anything could not be written, is of G_FILE_ERROR and does not name the file. */
gboolean wp_text_writer_finish (WpTextWriter *self, GError **error);
void wp_text_writer_clear (WpTextWriter *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpTextWriter, wp_text_writer_clear)
