/* The bytes, the levels, the place for messages; strings and numbers are in json-values.c. */
#include "base/json-reader-private.h"
#include "base/packed.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BYTES_PER_PASS (1024 * 1024) /* a multiple of what the buffer holds */

G_DEFINE_QUARK (wp-json-error-quark, wp_json_error)

static WpJsonReader *
new_reader (const char *path, int fd, guint64 size, WpProgress *progress)
{
  WpJsonReader *self = g_new (WpJsonReader, 1);

  memset (self, 0, offsetof (WpJsonReader, buffer));
  self->path = g_strdup (path);
  self->fd = fd;
  self->progress = progress;
  self->size = MAX (size, 1);
  self->text = g_string_new (NULL);
  self->keys = g_string_new (NULL);
  return self;
}

WpJsonReader *
wp_json_reader_open (const char *path, WpProgress *progress, GError **error)
{
  struct stat st;
  int fd = wp_open_unpacked (path, progress, error);

  if (fd < 0)
    return NULL;
  if (fstat (fd, &st) != 0)
    {
      int code = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", path, g_strerror (code));
      close (fd);
      return NULL;
    }
  return new_reader (path, fd, (guint64) st.st_size, progress);
}

WpJsonReader *
wp_json_reader_new (const char *name, const char *text, gsize n, WpProgress *progress)
{
  WpJsonReader *self = new_reader (name, -1, n, progress);

  self->memory = text;
  self->memory_len = n;
  return self;
}

WpJsonReader *
wp_json_reader_new_input (const char *name, const WpInput *input, WpProgress *progress)
{
  WpJsonReader *self = wp_json_reader_new (name, (const char *) input->data, input->n, progress);

  self->input = input;
  return self;
}

void
wp_json_reader_free (WpJsonReader *self)
{
  if (self == NULL)
    return;
  if (self->fd >= 0)
    close (self->fd);
  g_free (self->path);
  g_clear_error (&self->error);
  g_string_free (self->text, TRUE);
  g_string_free (self->keys, TRUE);
  g_free (self->scan);
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

void
wp_json_fail_syntax (WpJsonReader *self, const char *what)
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

static gssize
read_memory (WpJsonReader *self, guint8 *into, gsize room)
{
  gsize n = MIN (self->memory_len, room);

  if (n > 0)
    memcpy (into, self->memory, n);
  self->memory += n;
  self->memory_len -= n;
  if (self->input != NULL && self->offset % BYTES_PER_PASS == 0)
    wp_input_passed (self->input, self->offset);
  return (gssize) n;
}

gboolean
wp_json_fill_behind (WpJsonReader *self, gsize keep)
{
  guint8 *into = self->buffer + keep;
  gssize n;

  if (self->error != NULL
      || !wp_progress_step (self->progress, (double) self->offset / (double) self->size, &self->error))
    {
      self->at = self->len = 0;
      return FALSE;
    }
  memmove (self->buffer, self->buffer + self->len - keep, keep);
  self->offset += self->len - keep;
  self->at = 0;
  do
    n = self->fd >= 0 ? read (self->fd, into, WP_JSON_SCAN_MAX - keep) : read_memory (self, into, WP_JSON_SCAN_MAX - keep);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    self->error = g_error_new (G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", self->path, g_strerror (errno));
  self->len = n < 0 ? 0 : keep + (gsize) n;
  if (self->offset == 0 && keep == 0 && n >= 3 && memcmp (self->buffer, "\xef\xbb\xbf", 3) == 0)
    self->at = 3; /* a byte order mark, as editors elsewhere write it */
  if (self->scan != NULL)
    wp_json_scan_buffer (self);
  return self->at < self->len;
}

gboolean
wp_json_fill (WpJsonReader *self)
{
  return wp_json_fill_behind (self, 0);
}

int
wp_json_peek_behind_blanks (WpJsonReader *self)
{
  int c;

  while ((c = wp_json_peek (self)) == ' ' || c == '\n' || c == '\t' || c == '\r')
    self->at++;
  if (c < 0 && self->error == NULL)
    wp_json_fail_syntax (self, "the file ends too early");
  return c;
}

/* --- objects and arrays ------------------------------------------------------------------------------------------- */

static gboolean
enter (WpJsonReader *self, gboolean array)
{
  if (wp_json_peek_value (self) != (array ? '[' : '{'))
    {
      wp_json_reader_fail (self, NULL, array ? "not an array" : "not an object");
      return FALSE;
    }
  if (self->level == WP_JSON_MAX_DEPTH)
    {
      wp_json_fail_syntax (self, "nested too deeply");
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
  int c = wp_json_peek_value (self);

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
          wp_json_fail_syntax (self, level->array ? "a comma or ] is missing" : "a comma or } is missing");
          return FALSE;
        }
      self->at++;
      c = wp_json_peek_value (self);
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

void
wp_json_set_key (WpJsonReader *self, const char *key, gsize n)
{
  Level *level = &self->levels[self->level];

  if (level->keys_len + n + 1 < self->keys->allocated_len)
    self->keys->len = level->keys_len + n + 1;
  else
    g_string_set_size (self->keys, level->keys_len + n + 1);
  memcpy (self->keys->str + level->keys_len, key, n);
  self->keys->str[level->keys_len + n] = '\0';
  level->next++;
}

const char *
wp_json_reader_key (WpJsonReader *self)
{
  const Level *level = &self->levels[self->level];

  self->key_from = self->offset + self->at;
  if (self->error != NULL || !next (self))
    return NULL;
  if (wp_json_peek (self) != '"')
    {
      wp_json_fail_syntax (self, "a key is missing");
      return NULL;
    }
  wp_json_take_string (self);
  if (self->error != NULL)
    return NULL;
  wp_json_set_key (self, self->text->str, self->text->len);
  if (wp_json_peek_value (self) != ':')
    {
      wp_json_fail_syntax (self, "a colon is missing");
      return NULL;
    }
  self->at++;
  return self->keys->str + level->keys_len;
}

guint64
wp_json_reader_offset (WpJsonReader *self)
{
  return self->offset + self->at;
}

/* --- all of a value ---------------------------------------------------------------------------------------------- */

void
wp_json_reader_skip (WpJsonReader *self)
{
  const guint level = self->level;

  do
    {
      int c = wp_json_peek_value (self);

      if (c == '{' || c == '[')
        enter (self, c == '[');
      else if (c >= 0)
        wp_json_skip_plain (self, c);
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

  while (self->error == NULL && ((c = wp_json_peek (self)) == ' ' || c == '\n' || c == '\t' || c == '\r'))
    self->at++;
  if (self->error == NULL && (self->level > 0 || wp_json_peek (self) >= 0))
    wp_json_fail_syntax (self, "something follows the end of the document");
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->error));
  return FALSE;
}
