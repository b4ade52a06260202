#include "base/intern.h"

#include "base/hash.h"

struct WpStrings
{
  GStringChunk *chunk;
  WP_ARRAY (const char *) texts;
  WP_ARRAY (guint32) hashes;
  WpId *slots; /* open addressing, power of two, at most half full */
  guint32 mask;
};

WpStrings *
wp_strings_new (void)
{
  WpStrings *self = g_new0 (WpStrings, 1);

  self->chunk = g_string_chunk_new (64 * 1024);
  self->mask = 1023;
  self->slots = g_new0 (WpId, self->mask + 1);
  wp_array_push (&self->texts, "");
  wp_array_push (&self->hashes, 0);
  return self;
}

void
wp_strings_free (WpStrings *self)
{
  if (self == NULL)
    return;
  g_string_chunk_free (self->chunk);
  wp_array_clear (&self->texts);
  wp_array_clear (&self->hashes);
  g_free (self->slots);
  g_free (self);
}

static void
grow (WpStrings *self)
{
  self->mask = self->mask * 2 + 1;
  g_free (self->slots);
  self->slots = g_new0 (WpId, (gsize) self->mask + 1);
  for (WpId id = 1; id < self->texts.len; id++)
    {
      guint32 i = self->hashes.data[id] & self->mask;

      while (self->slots[i] != 0)
        i = (i + 1) & self->mask;
      self->slots[i] = id;
    }
}

/* The slot that holds the string, or the empty one where it belongs. */
static guint32
find_slot (const WpStrings *self, const char *s, gsize n, guint32 hash)
{
  guint32 i = hash & self->mask;

  for (; self->slots[i] != 0; i = (i + 1) & self->mask)
    {
      WpId id = self->slots[i];
      const char *text = self->texts.data[id];

      if (self->hashes.data[id] == hash && strncmp (text, s, n) == 0 && text[n] == '\0')
        break;
    }
  return i;
}

WpId
wp_strings_intern_n (WpStrings *self, const char *s, gsize n)
{
  guint32 hash, slot;

  n = strnlen (s, n);
  if (n == 0)
    return 0;
  hash = (guint32) wp_hash_bytes (s, n);
  slot = find_slot (self, s, n, hash);
  if (self->slots[slot] != 0)
    return self->slots[slot];
  if ((guint64) self->texts.len * 2 > self->mask)
    {
      grow (self);
      slot = find_slot (self, s, n, hash);
    }
  wp_array_push (&self->texts, g_string_chunk_insert_len (self->chunk, s, n));
  wp_array_push (&self->hashes, hash);
  self->slots[slot] = self->texts.len - 1;
  return self->slots[slot];
}

WpId
wp_strings_intern (WpStrings *self, const char *s)
{
  return s == NULL ? 0 : wp_strings_intern_n (self, s, strlen (s));
}

WpId
wp_strings_find (const WpStrings *self, const char *s)
{
  gsize n = s == NULL ? 0 : strlen (s);

  return n == 0 ? 0 : self->slots[find_slot (self, s, n, (guint32) wp_hash_bytes (s, n))];
}

WpId
wp_strings_intern_text (WpStrings *self, const char *s, gssize n)
{
  g_autofree char *valid = g_utf8_validate (s, n, NULL) ? NULL : g_utf8_make_valid (s, n);

  return valid != NULL ? wp_strings_intern (self, valid) : wp_strings_intern_n (self, s, n < 0 ? strlen (s) : (gsize) n);
}

const char *
wp_strings_get (const WpStrings *self, WpId id)
{
  return id < self->texts.len ? self->texts.data[id] : "";
}

guint32
wp_strings_count (const WpStrings *self)
{
  return self->texts.len;
}
