#include "base/json-writer.h"

#include "base/write.h"

#include <math.h>
#include <string.h>

#define MAX_LEVELS 32
#define FLUSH_BYTES (64 * 1024)

typedef struct
{
  char close;
  WpJsonLayout layout;
  gboolean begun;        /* something stands in it already */
  guint indent, outside; /* blanks before lines in it, and of the line it was opened in */
} Level;

struct WpJsonWriter
{
  GString *out;
  int fd;          /* -1: the text is the caller's */
  int error;       /* errno, or 0 */
  gboolean line;   /* what comes next begins one */
  guint indent;    /* of the line that the innermost open value stands in */
  guint level;
  Level levels[MAX_LEVELS];
};

static WpJsonWriter *
new_writer (GString *out, int fd)
{
  WpJsonWriter *self = g_new (WpJsonWriter, 1);

  *self = (WpJsonWriter) { .out = out, .fd = fd };
  return self;
}

WpJsonWriter *
wp_json_writer_new (int fd)
{
  return new_writer (g_string_sized_new (2 * FLUSH_BYTES), fd);
}

WpJsonWriter *
wp_json_writer_new_text (GString *out)
{
  return new_writer (out, -1);
}

void
wp_json_writer_free (WpJsonWriter *self)
{
  if (self->fd >= 0)
    g_string_free (self->out, TRUE);
  g_free (self);
}

static void
flush (WpJsonWriter *self)
{
  if (self->error == 0)
    self->error = wp_write_all (self->fd, self->out->str, self->out->len);
  g_string_truncate (self->out, 0);
}

/* --- strings ---------------------------------------------------------------------------------------------------------- */

static void
put_escaped (WpJsonWriter *self, guchar c)
{
  static const char escaped[] = "\"\\\n\r\t", letters[] = "\"\\nrt";
  const char *found = strchr (escaped, c);
  char code[8] = "\\";

  if (found != NULL && (self->fd >= 0 || c == '"' || c == '\\'))
    code[1] = letters[found - escaped];
  else
    g_snprintf (code, sizeof code, "\\u%04x", c);
  g_string_append (self->out, code);
}

static void
put_string (WpJsonWriter *self, const char *text)
{
  const char *valid_end = NULL;

  g_string_append_c (self->out, '"');
  while (*text != '\0')
    {
      const char *plain = text;

      if (valid_end == NULL || text >= valid_end)
        g_utf8_validate (text, -1, &valid_end);
      while (text < valid_end && (guchar) *text >= 0x20 && *text != '"' && *text != '\\' && *text != 0x7f)
        text++;
      g_string_append_len (self->out, plain, text - plain);
      if (*text != '\0' && text < valid_end)
        put_escaped (self, (guchar) *text++);
      else if (*text != '\0')
        {
          g_string_append (self->out, "\xef\xbf\xbd");
          text++;
        }
    }
  g_string_append_c (self->out, '"');
}

/* --- layout ----------------------------------------------------------------------------------------------------------- */

static void
begin_line (WpJsonWriter *self, guint indent)
{
  self->line = FALSE;
  self->indent = indent;
  g_string_append_c (self->out, '\n');
  for (guint i = 0; i < indent; i++)
    g_string_append_c (self->out, ' ');
}

/* What stands between the values of a level. */
static void
separate (WpJsonWriter *self, Level *level)
{
  if (level->begun)
    g_string_append_c (self->out, ',');
  if (self->line || level->layout == WP_JSON_LINES)
    begin_line (self, level->indent);
  else if (level->begun || level->layout == WP_JSON_SPACED)
    g_string_append_c (self->out, ' ');
  level->begun = TRUE;
}

/* What stands before a value: that, and its key. */
static void
begin_value (WpJsonWriter *self, const char *key)
{
  if (self->fd >= 0 && self->out->len >= FLUSH_BYTES)
    flush (self);
  if (self->level > 0)
    separate (self, &self->levels[self->level]);
  if (key != NULL)
    {
      put_string (self, key);
      g_string_append (self->out, ": ");
    }
}

static void
open_level (WpJsonWriter *self, const char *key, char open, char close, WpJsonLayout layout)
{
  begin_value (self, key);
  g_assert (self->level + 1 < MAX_LEVELS);
  g_string_append_c (self->out, open);
  self->levels[++self->level] = (Level) { .close = close, .layout = layout, .outside = self->indent,
                                          .indent = self->indent + (layout == WP_JSON_SPACED ? 2 : 0) };
}

void
wp_json_writer_object (WpJsonWriter *self, const char *key, WpJsonLayout layout)
{
  open_level (self, key, '{', '}', layout);
}

void
wp_json_writer_array (WpJsonWriter *self, const char *key, WpJsonLayout layout)
{
  open_level (self, key, '[', ']', layout);
}

void
wp_json_writer_end (WpJsonWriter *self)
{
  const Level *level = &self->levels[self->level];

  g_assert (self->level > 0);
  if (self->line || (level->layout == WP_JSON_LINES && level->begun))
    begin_line (self, level->outside);
  else if (level->layout == WP_JSON_SPACED && level->begun)
    g_string_append_c (self->out, ' ');
  g_string_append_c (self->out, level->close);
  self->indent = level->outside;
  if (--self->level == 0)
    g_string_append_c (self->out, '\n');
}

void
wp_json_writer_line (WpJsonWriter *self)
{
  self->line = TRUE;
}

/* --- values ----------------------------------------------------------------------------------------------------------- */

void
wp_json_writer_int (WpJsonWriter *self, const char *key, gint64 value)
{
  char digits[32];

  begin_value (self, key);
  g_string_append_len (self->out, digits, g_snprintf (digits, sizeof digits, "%" G_GINT64_FORMAT, value));
}

void
wp_json_writer_uint (WpJsonWriter *self, const char *key, guint64 value)
{
  char digits[32];

  begin_value (self, key);
  g_string_append_len (self->out, digits, g_snprintf (digits, sizeof digits, "%" G_GUINT64_FORMAT, value));
}

void
wp_json_append_real (GString *out, double value)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (out, isfinite (value) ? g_ascii_dtostr (digits, sizeof digits, value) : "null");
}

void
wp_json_writer_real (WpJsonWriter *self, const char *key, double value)
{
  begin_value (self, key);
  wp_json_append_real (self->out, value);
}

void
wp_json_writer_bool (WpJsonWriter *self, const char *key, gboolean value)
{
  begin_value (self, key);
  g_string_append (self->out, value ? "true" : "false");
}

void
wp_json_writer_string (WpJsonWriter *self, const char *key, const char *text)
{
  begin_value (self, key);
  put_string (self, text != NULL ? text : "");
}

void
wp_json_writer_string_or_null (WpJsonWriter *self, const char *key, const char *text)
{
  begin_value (self, key);
  if (text != NULL)
    put_string (self, text);
  else
    g_string_append (self->out, "null");
}

GString *
wp_json_writer_value (WpJsonWriter *self, const char *key)
{
  begin_value (self, key);
  return self->out;
}

int
wp_json_writer_finish (WpJsonWriter *self)
{
  g_assert (self->level == 0 || self->error != 0);
  flush (self);
  return self->error;
}

gboolean
wp_json_writer_done (WpJsonWriter *self, GError **error)
{
  int code = wp_json_writer_finish (self);

  if (code != 0)
    g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (code), g_strerror (code));
  return code == 0;
}
