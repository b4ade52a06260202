#include "base/json-reader-private.h"

#include <string.h>

/* Blanks behind the last byte complete its block. What the buffer begins with stands outside of strings where it was kept from the one before. */
void
wp_json_scan_buffer (WpJsonReader *self)
{
  memset (self->buffer + self->len, ' ', WP_JSON_SCAN_BLOCK);
  wp_json_scan (self->scan, self->buffer, self->len, NULL);
  self->bracket = 0;
}

/* Moves what was not read yet to the beginning of the buffer, and reads on behind it. */
static void
keep_rest (WpJsonReader *self)
{
  self->scan->in_string = self->scan->escaped = FALSE;
  wp_json_fill_behind (self, self->len - self->at);
}

void
wp_json_reader_find_spans (WpJsonReader *self)
{
  if (self->scan != NULL || wp_json_peek_value (self) < 0)
    return;
  self->scan = g_new (WpJsonScan, 1);
  keep_rest (self);
}

/* From the bracket that comes next to the one that closes it, that included; 0: it is not there, or too far away. The opening ones have 2 set, the
 * closing ones 4. */
static gsize
measure (WpJsonReader *self)
{
  const WpJsonScan *scan = self->scan;
  const gsize last = self->at + WP_JSON_MAX_SPAN;
  guint depth = 0, most = WP_JSON_MAX_DEPTH - self->level;

  while (self->bracket < scan->n_brackets && scan->brackets[self->bracket] < self->at)
    self->bracket++;
  if (self->bracket == scan->n_brackets || scan->brackets[self->bracket] != self->at)
    return 0;
  for (guint32 i = self->bracket; i < scan->n_brackets && scan->brackets[i] < last; i++)
    {
      const guint8 c = self->buffer[scan->brackets[i]];

      depth += (c >> 1 & 1) - (c >> 2 & 1);
      if (depth == 0)
        return scan->brackets[i] + 1 - self->at;
      if (depth > most)
        break;
    }
  return 0;
}

const guint8 *
wp_json_reader_span (WpJsonReader *self, gsize *n)
{
  if (self->scan == NULL || wp_json_peek_value (self) < 0)
    return NULL;
  *n = measure (self);
  if (*n == 0 && self->at + WP_JSON_MAX_SPAN > self->len && self->at > self->len - self->at)
    {
      keep_rest (self);
      *n = measure (self);
    }
  return *n > 0 ? self->buffer + self->at : NULL;
}

void
wp_json_reader_pass (WpJsonReader *self, gsize n)
{
  self->at += n;
}

const guint8 *
wp_json_reader_since (WpJsonReader *self, guint64 from, gsize *n)
{
  if (from < self->offset)
    return NULL;
  *n = self->offset + self->at - from;
  return self->buffer + (from - self->offset);
}

const char *
wp_json_reader_plain_string (WpJsonReader *self, gsize *n)
{
  gsize end;

  if (self->scan == NULL || wp_json_peek_value (self) != '"')
    return NULL;
  end = wp_json_scan_special (self->scan, self->at + 1, self->len);
  if (end == self->len || self->buffer[end] != '"')
    return NULL;
  *n = end - self->at - 1;
  self->at = end + 1;
  return (const char *) self->buffer + self->at - 1 - *n;
}

void
wp_json_reader_key_text (WpJsonReader *self, WpJsonKeyText *text)
{
  const Level *level = &self->levels[self->level];
  const char *key = self->keys->str + level->keys_len;
  const gsize n_key = strlen (key);
  const guint8 *from, *quote;
  gsize n;

  text->n = 0;
  if (self->scan == NULL || wp_json_peek_value (self) < 0 || self->key_from < self->offset)
    return;
  from = self->buffer + (self->key_from - self->offset);
  n = self->offset + self->at - self->key_from;
  quote = memchr (from, '"', n);
  if (n > WP_JSON_MAX_KEY_TEXT || quote == NULL || n_key + 2 > n || memcmp (quote + 1, key, n_key) != 0 || quote[1 + n_key] != '"')
    return;
  memcpy (text->text, from, n);
  text->n = (guint8) n;
  text->key = (guint8) (quote + 1 - from);
  text->n_key = (guint8) n_key;
  text->first = level->next == 1;
}

gboolean
wp_json_reader_key_as (WpJsonReader *self, const WpJsonKeyText *text)
{
  if (text->first != (self->levels[self->level].next == 0) || text->n > self->len - self->at
      || memcmp (self->buffer + self->at, text->text, text->n) != 0)
    return FALSE;
  self->at += text->n;
  wp_json_set_key (self, (const char *) text->text + text->key, text->n_key);
  return TRUE;
}
