#include "base/intern.h"

#include "base/table.h"

struct WpStrings
{
  GStringChunk *chunk;
  WP_ARRAY (const char *) texts;
  WP_ARRAY (guint32) hashes;
  WP_TABLE (WpId) ids;
};

WpStrings *
wp_strings_new (void)
{
  WpStrings *self = g_new0 (WpStrings, 1);

  self->chunk = g_string_chunk_new (64 * 1024);
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
  WP_TABLE_CLEAR (&self->ids);
  g_free (self);
}

static inline gboolean
is_text (const WpStrings *self, WpId id, const char *s, gsize n, guint32 hash)
{
  return self->hashes.data[id] == hash && strncmp (self->texts.data[id], s, n) == 0 && self->texts.data[id][n] == '\0';
}

WpId
wp_strings_intern_n (WpStrings *self, const char *s, gsize n)
{
  guint32 hash;
  WpId *id;

  n = strnlen (s, n);
  if (n == 0)
    return 0;
  hash = (guint32) wp_hash_bytes (s, n);
  WP_TABLE_RESERVE (&self->ids, 1024, 2, slot, *slot != 0, self->hashes.data[*slot]);
  id = WP_TABLE_FIND (&self->ids, hash, slot, *slot == 0 || is_text (self, *slot, s, n, hash));
  if (*id != 0)
    return *id;
  wp_array_push (&self->texts, g_string_chunk_insert_len (self->chunk, s, n));
  wp_array_push (&self->hashes, hash);
  self->ids.n++;
  return *id = self->texts.len - 1;
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
  guint32 hash = n == 0 ? 0 : (guint32) wp_hash_bytes (s, n);

  return n == 0 || self->ids.slots == NULL
           ? 0 : *WP_TABLE_FIND (&self->ids, hash, slot, *slot == 0 || is_text (self, *slot, s, n, hash));
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
