#include "profile/json-reader.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  gboolean array;
  guint64 next;   /* items or keys seen so far */
  gsize keys_len; /* of `keys` when this level was entered */
} Level;

struct WpJsonReader
{
  char *path;
  int fd;
  WpProgress *progress;
  GError *error;
  guint64 offset; /* in the file, of buffer[0] */
  guint64 size;   /* of the file, for the progress */
  gsize at, len;
  GString *text;  /* the string or key read last */
  GString *keys;  /* the keys on the way to the current value, each ended by NUL */
  guint level;    /* 0: outside of the document's value */
  Level levels[WP_JSON_MAX_DEPTH + 1];
  guint8 buffer[64 * 1024];
};

G_DEFINE_QUARK (wp-json-error-quark, wp_json_error)

WpJsonReader *
wp_json_reader_open (const char *path, WpProgress *progress, GError **error)
{
  WpJsonReader *self;
  struct stat st;
  int fd = open (path, O_RDONLY | O_CLOEXEC);

  if (fd < 0 || fstat (fd, &st) != 0)
    {
      int code = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", path, g_strerror (code));
      if (fd >= 0)
        close (fd);
      return NULL;
    }
  self = g_new (WpJsonReader, 1);
  memset (self, 0, offsetof (WpJsonReader, buffer));
  self->path = g_strdup (path);
  self->fd = fd;
  self->progress = progress;
  self->size = (guint64) MAX (st.st_size, 1);
  self->text = g_string_new (NULL);
  self->keys = g_string_new (NULL);
  return self;
}

void
wp_json_reader_free (WpJsonReader *self)
{
  if (self == NULL)
    return;
  close (self->fd);
  g_free (self->path);
  g_clear_error (&self->error);
  g_string_free (self->text, TRUE);
  g_string_free (self->keys, TRUE);
  g_free (self);
}

/* --- errors ------------------------------------------------------------------------------------------------------- */

static char *
describe_place (const WpJsonReader *self)
{
  GString *place = g_string_new (NULL);

  for (guint i = 1; i <= self->level; i++)
    {
      const Level *level = &self->levels[i];

      if (level->next == 0)
        break;
      if (level->array)
        g_string_append_printf (place, "[%" G_GUINT64_FORMAT "]", level->next - 1);
      else
        g_string_append_printf (place, "%s%.80s", place->len > 0 ? "." : "", self->keys->str + level->keys_len);
    }
  return g_string_free (place, FALSE);
}

static void
fail_with (WpJsonReader *self, int code, const char *place, const char *message)
{
  g_autofree char *here = place == NULL ? describe_place (self) : g_strdup (place);
  g_autofree char *valid = g_utf8_make_valid (here, -1);

  if (self->error == NULL)
    self->error = *valid != '\0' ? g_error_new (WP_JSON_ERROR, code, "%s: %s: %s", self->path, valid, message)
                                 : g_error_new (WP_JSON_ERROR, code, "%s: %s", self->path, message);
  self->at = self->len = 0;
}

void
wp_json_reader_fail (WpJsonReader *self, const char *place, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  fail_with (self, WP_JSON_ERROR_VALUE, place, message);
}

static void
fail_syntax (WpJsonReader *self, const char *what)
{
  g_autofree char *message
    = g_strdup_printf ("%s at byte %" G_GUINT64_FORMAT, what, self->offset + self->at);

  fail_with (self, WP_JSON_ERROR_SYNTAX, NULL, message);
}

gboolean
wp_json_reader_failed (const WpJsonReader *self)
{
  return self->error != NULL;
}

/* --- bytes -------------------------------------------------------------------------------------------------------- */

static gboolean
fill (WpJsonReader *self)
{
  gssize n;

  if (self->error != NULL || !wp_progress_step (self->progress, (double) self->offset / (double) self->size, &self->error))
    return FALSE;
  self->offset += self->len;
  self->at = self->len = 0;
  do
    n = read (self->fd, self->buffer, sizeof self->buffer);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    self->error = g_error_new (G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", self->path, g_strerror (errno));
  self->len = (gsize) MAX (n, 0);
  return n > 0;
}

/* The next byte without taking it; -1 at the end of the file or after an error. */
static inline int
peek (WpJsonReader *self)
{
  return self->at < self->len || fill (self) ? self->buffer[self->at] : -1;
}

static int
peek_value (WpJsonReader *self)
{
  int c;

  while ((c = peek (self)) == ' ' || c == '\n' || c == '\t' || c == '\r')
    self->at++;
  if (c < 0 && self->error == NULL)
    fail_syntax (self, "the file ends too early");
  return c;
}

static gboolean
take_word (WpJsonReader *self, const char *word)
{
  for (; *word != '\0'; word++, self->at++)
    if (peek (self) != *word)
      {
        fail_syntax (self, "not a JSON value");
        return FALSE;
      }
  return TRUE;
}

/* --- objects and arrays ------------------------------------------------------------------------------------------- */

static gboolean
enter (WpJsonReader *self, gboolean array)
{
  if (peek_value (self) != (array ? '[' : '{'))
    {
      wp_json_reader_fail (self, NULL, array ? "not an array" : "not an object");
      return FALSE;
    }
  if (self->level == WP_JSON_MAX_DEPTH)
    {
      fail_syntax (self, "nested too deeply");
      return FALSE;
    }
  self->at++;
  self->levels[++self->level] = (Level) { .array = array, .keys_len = self->keys->len };
  return TRUE;
}

/* Steps over the comma before an item, or leaves the level at its closing bracket. */
static gboolean
next (WpJsonReader *self)
{
  Level *level = &self->levels[self->level];
  const char close_bracket = level->array ? ']' : '}';
  int c = peek_value (self);

  if (c < 0)
    return FALSE;
  if (c == close_bracket)
    {
      self->at++;
      g_string_truncate (self->keys, level->keys_len);
      self->level--;
      return FALSE;
    }
  if (level->next > 0)
    {
      if (c != ',')
        {
          fail_syntax (self, level->array ? "a comma or ] is missing" : "a comma or } is missing");
          return FALSE;
        }
      self->at++;
      c = peek_value (self);
    }
  return c >= 0;
}

gboolean
wp_json_reader_object (WpJsonReader *self)
{
  return enter (self, FALSE);
}

gboolean
wp_json_reader_array (WpJsonReader *self)
{
  return enter (self, TRUE);
}

gboolean
wp_json_reader_item (WpJsonReader *self)
{
  if (self->error != NULL || !next (self))
    return FALSE;
  self->levels[self->level].next++;
  return TRUE;
}

/* --- strings ------------------------------------------------------------------------------------------------------ */

static int
take_hex4 (WpJsonReader *self)
{
  int value = 0;

  for (guint i = 0; i < 4; i++, self->at++)
    {
      int digit = peek (self) >= 0 ? g_ascii_xdigit_value ((char) peek (self)) : -1;

      if (digit < 0)
        return -1;
      value = value * 16 + digit;
    }
  return value;
}

static gboolean
take_unicode_escape (WpJsonReader *self)
{
  int high = take_hex4 (self), low;

  if (high >= 0xd800 && high < 0xdc00)
    {
      if (!take_word (self, "\\u"))
        return FALSE;
      low = take_hex4 (self);
      high = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00) : -1;
    }
  if (high <= 0 || (high >= 0xd800 && high < 0xe000))
    {
      fail_syntax (self, "an escape that is no character");
      return FALSE;
    }
  g_string_append_unichar (self->text, (gunichar) high);
  return TRUE;
}

static gboolean
take_escape (WpJsonReader *self)
{
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  int c;
  const char *found;

  self->at++;
  c = peek (self);
  if (c == 'u')
    {
      self->at++;
      return take_unicode_escape (self);
    }
  found = c > 0 ? strchr (from, c) : NULL;
  if (found == NULL)
    {
      fail_syntax (self, "an unknown escape");
      return FALSE;
    }
  self->at++;
  g_string_append_c (self->text, to[found - from]);
  return TRUE;
}

/* Copies what needs no thought. */
static void
take_plain (WpJsonReader *self)
{
  const guint8 *start = self->buffer + self->at, *p = start, *end = self->buffer + self->len;

  while (p < end && *p != '"' && *p != '\\' && *p >= 0x20)
    p++;
  g_string_append_len (self->text, (const char *) start, p - start);
  self->at += (gsize) (p - start);
}

static const char *
take_string (WpJsonReader *self)
{
  int c;

  g_string_truncate (self->text, 0);
  self->at++;
  while ((c = peek (self)) != '"')
    {
      if (c < 0x20)
        {
          fail_syntax (self, c < 0 ? "the file ends within a string" : "a control character in a string");
          return "";
        }
      if (c != '\\')
        take_plain (self);
      else if (!take_escape (self))
        return "";
      if (self->text->len > WP_JSON_MAX_STRING)
        {
          fail_syntax (self, "a string of more than a megabyte");
          return "";
        }
    }
  self->at++;
  if (!g_utf8_validate_len (self->text->str, self->text->len, NULL))
    {
      fail_syntax (self, "a string that is not UTF-8");
      return "";
    }
  return self->text->str;
}

const char *
wp_json_reader_string (WpJsonReader *self)
{
  if (peek_value (self) == '"')
    return take_string (self);
  wp_json_reader_fail (self, NULL, "not a string");
  return "";
}

const char *
wp_json_reader_key (WpJsonReader *self)
{
  Level *level = &self->levels[self->level];

  if (self->error != NULL || !next (self))
    return NULL;
  if (peek (self) != '"')
    {
      fail_syntax (self, "a key is missing");
      return NULL;
    }
  take_string (self);
  if (self->error != NULL)
    return NULL;
  g_string_truncate (self->keys, level->keys_len);
  g_string_append_len (self->keys, self->text->str, (gssize) self->text->len + 1);
  level->next++;
  if (peek_value (self) != ':')
    {
      fail_syntax (self, "a colon is missing");
      return NULL;
    }
  self->at++;
  return self->keys->str + level->keys_len;
}

/* --- numbers and other values ------------------------------------------------------------------------------------- */

typedef struct
{
  gboolean negative, whole, overflow;
  guint64 value;
} Number;

static guint
take_digits (WpJsonReader *self, Number *number)
{
  guint n = 0;
  int c;

  while ((c = peek (self)) >= '0' && c <= '9')
    {
      number->overflow = number->overflow || !g_uint64_checked_mul (&number->value, number->value, 10)
                         || !g_uint64_checked_add (&number->value, number->value, (guint64) (c - '0'));
      n = MIN (n + 1, 2);
      self->at++;
    }
  return n;
}

/* Takes a number by JSON's grammar; `whole` is FALSE when it has a fraction or an exponent. */
static gboolean
take_number (WpJsonReader *self, Number *number)
{
  Number rest = { 0 };
  gboolean good, zero;

  *number = (Number) { .negative = peek_value (self) == '-', .whole = TRUE };
  if (number->negative)
    self->at++;
  zero = peek (self) == '0';
  good = take_digits (self, number) == 1 || (!zero && (number->value != 0 || number->overflow));
  if (good && peek (self) == '.')
    {
      self->at++;
      number->whole = FALSE;
      good = take_digits (self, &rest) > 0;
    }
  if (good && (peek (self) == 'e' || peek (self) == 'E'))
    {
      self->at++;
      number->whole = FALSE;
      if (peek (self) == '-' || peek (self) == '+')
        self->at++;
      good = take_digits (self, &rest) > 0;
    }
  if (!good)
    fail_syntax (self, "not a number");
  return good && self->error == NULL;
}

static gboolean
take_whole (WpJsonReader *self, Number *number)
{
  int c = peek_value (self);

  if (c != '-' && !(c >= '0' && c <= '9'))
    wp_json_reader_fail (self, NULL, "not a number");
  else if (take_number (self, number) && !number->whole)
    wp_json_reader_fail (self, NULL, "not a whole number");
  return self->error == NULL;
}

gint64
wp_json_reader_int (WpJsonReader *self, gint64 min, gint64 max)
{
  Number number;
  gint64 value;

  if (!take_whole (self, &number))
    return 0;
  value = number.negative ? (gint64) (0 - number.value) : (gint64) number.value;
  if (number.overflow || number.value > (guint64) G_MAXINT64 + number.negative || value < min || value > max)
    {
      wp_json_reader_fail (self, NULL, "out of range");
      return 0;
    }
  return value;
}

guint64
wp_json_reader_uint (WpJsonReader *self, guint64 max)
{
  Number number;

  if (!take_whole (self, &number))
    return 0;
  if (number.overflow || (number.negative && number.value != 0) || number.value > max)
    {
      wp_json_reader_fail (self, NULL, "out of range");
      return 0;
    }
  return number.value;
}

gboolean
wp_json_reader_bool (WpJsonReader *self)
{
  int c = peek_value (self);

  if (c == 't')
    return take_word (self, "true");
  if (c == 'f')
    take_word (self, "false");
  else
    wp_json_reader_fail (self, NULL, "neither true nor false");
  return FALSE;
}

static void
skip_plain (WpJsonReader *self, int c)
{
  Number number;

  if (c == '"')
    take_string (self);
  else if (c == '-' || (c >= '0' && c <= '9'))
    take_number (self, &number);
  else
    take_word (self, c == 't' ? "true" : c == 'f' ? "false" : c == 'N' ? "NaN" : c == 'I' ? "Infinity" : "null");
}

void
wp_json_reader_skip (WpJsonReader *self)
{
  const guint level = self->level;

  do
    {
      int c = peek_value (self);

      if (c == '{' || c == '[')
        enter (self, c == '[');
      else if (c >= 0)
        skip_plain (self, c);
      /* On to the next value of an open level; next() closes those that are over. */
      while (self->error == NULL && self->level > level
             && !(self->levels[self->level].array ? wp_json_reader_item (self) : wp_json_reader_key (self) != NULL))
        continue;
    }
  while (self->error == NULL && self->level > level);
}

gboolean
wp_json_reader_finish (WpJsonReader *self, GError **error)
{
  int c;

  while (self->error == NULL && ((c = peek (self)) == ' ' || c == '\n' || c == '\t' || c == '\r'))
    self->at++;
  if (self->error == NULL && (self->level > 0 || peek (self) >= 0))
    fail_syntax (self, "something follows the end of the document");
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->error));
  return FALSE;
}
