#include "base/json-writer.h"

#include "base/write.h"

#include <string.h>

#define MAX_LEVELS 32

typedef struct
{
  char close;
  gboolean lines;
  gboolean begun; /* something stands in it already */
} Level;

struct WpJsonWriter
{
  int fd;
  int error; /* errno, or 0 */
  guint level;
  Level levels[MAX_LEVELS];
  gsize len;
  char buffer[64 * 1024];
};

WpJsonWriter *
wp_json_writer_new (int fd)
{
  WpJsonWriter *self = g_new (WpJsonWriter, 1);

  self->fd = fd;
  self->error = 0;
  self->level = 0;
  self->levels[0] = (Level) { 0 };
  self->len = 0;
  return self;
}

void
wp_json_writer_free (WpJsonWriter *self)
{
  g_free (self);
}

static void
flush (WpJsonWriter *self)
{
  if (self->error == 0)
    self->error = wp_write_all (self->fd, self->buffer, self->len);
  self->len = 0;
}

static void
put (WpJsonWriter *self, const char *bytes, gsize n)
{
  while (n > 0)
    {
      gsize room = sizeof self->buffer - self->len, part = MIN (n, room);

      memcpy (self->buffer + self->len, bytes, part);
      self->len += part;
      bytes += part;
      n -= part;
      if (self->len == sizeof self->buffer)
        flush (self);
    }
}

static void
put_char (WpJsonWriter *self, char c)
{
  put (self, &c, 1);
}

static void
put_escaped (WpJsonWriter *self, guchar c)
{
  static const char letters[][2] = { { '"', '"' }, { '\\', '\\' }, { '\n', 'n' }, { '\r', 'r' }, { '\t', 't' } };
  char code[8];

  for (guint i = 0; i < G_N_ELEMENTS (letters); i++)
    if (letters[i][0] == (char) c)
      {
        put (self, (char[]) { '\\', letters[i][1] }, 2);
        return;
      }
  g_snprintf (code, sizeof code, "\\u%04x", c);
  put (self, code, 6);
}

static void
put_string (WpJsonWriter *self, const char *text)
{
  const char *valid_end = NULL;

  put_char (self, '"');
  while (*text != '\0')
    {
      const char *plain = text;

      if (valid_end == NULL || text >= valid_end)
        g_utf8_validate (text, -1, &valid_end);
      while (text < valid_end && (guchar) *text >= 0x20 && *text != '"' && *text != '\\' && *text != 0x7f)
        text++;
      put (self, plain, (gsize) (text - plain));
      if (*text != '\0' && text < valid_end)
        put_escaped (self, (guchar) *text++);
      else if (*text != '\0')
        {
          put (self, "\xef\xbf\xbd", 3);
          text++;
        }
    }
  put_char (self, '"');
}

/* What stands before a value: a comma, a new line, its key. */
static void
begin_value (WpJsonWriter *self, const char *key)
{
  Level *level = &self->levels[self->level];

  if (level->begun)
    put (self, level->lines ? "," : ", ", level->lines ? 1 : 2);
  if (level->lines)
    put_char (self, '\n');
  level->begun = TRUE;
  if (key != NULL)
    {
      put_string (self, key);
      put (self, ": ", 2);
    }
}

static void
open_level (WpJsonWriter *self, const char *key, char open, char close, gboolean lines)
{
  begin_value (self, key);
  g_assert (self->level + 1 < MAX_LEVELS);
  put_char (self, open);
  self->levels[++self->level] = (Level) { .close = close, .lines = lines };
}

void
wp_json_writer_object (WpJsonWriter *self, const char *key, gboolean lines)
{
  open_level (self, key, '{', '}', lines);
}

void
wp_json_writer_array (WpJsonWriter *self, const char *key, gboolean lines)
{
  open_level (self, key, '[', ']', lines);
}

void
wp_json_writer_end (WpJsonWriter *self)
{
  const Level *level = &self->levels[self->level];

  g_assert (self->level > 0);
  if (level->lines && level->begun)
    put_char (self, '\n');
  put_char (self, level->close);
  self->level--;
}

void
wp_json_writer_int (WpJsonWriter *self, const char *key, gint64 value)
{
  char digits[32];

  begin_value (self, key);
  put (self, digits, (gsize) g_snprintf (digits, sizeof digits, "%" G_GINT64_FORMAT, value));
}

void
wp_json_writer_uint (WpJsonWriter *self, const char *key, guint64 value)
{
  char digits[32];

  begin_value (self, key);
  put (self, digits, (gsize) g_snprintf (digits, sizeof digits, "%" G_GUINT64_FORMAT, value));
}

void
wp_json_writer_bool (WpJsonWriter *self, const char *key, gboolean value)
{
  begin_value (self, key);
  put (self, value ? "true" : "false", value ? 4 : 5);
}

void
wp_json_writer_string (WpJsonWriter *self, const char *key, const char *text)
{
  begin_value (self, key);
  put_string (self, text != NULL ? text : "");
}

int
wp_json_writer_finish (WpJsonWriter *self)
{
  g_assert (self->level == 0 || self->error != 0);
  put_char (self, '\n');
  flush (self);
  return self->error;
}
