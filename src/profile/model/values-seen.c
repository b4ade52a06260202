#include "profile/model/values-seen.h"

static inline gboolean
is_text (const WpSeen *self, const WpSeenSlot *slot, guint32 hash, const guint8 *text, gsize n)
{
  return slot->hash == hash && slot->n == n && memcmp (self->text.data + slot->at, text, n) == 0;
}

guint32
wp_seen_find (const WpSeen *self, const guint8 *text, gsize n, guint64 *hash)
{
  *hash = wp_hash_bytes (text, n);
  return self->table.slots == NULL
           ? 0 : WP_TABLE_FIND (&self->table, *hash, slot, slot->id == 0 || is_text (self, slot, (guint32) *hash, text, n))->id;
}

void
wp_seen_add (WpSeen *self, const guint8 *text, gsize n, guint64 hash, guint32 id)
{
  WpSeenSlot *slot;

  if (self->table.n >= WP_SEEN_MAX || self->text.len + n > WP_SEEN_MAX_BYTES)
    wp_seen_clear (self);
  WP_TABLE_RESERVE (&self->table, 1024, 2, old, old->id != 0, old->hash);
  slot = WP_TABLE_FIND (&self->table, hash, free, free->id == 0 || is_text (self, free, (guint32) hash, text, n));
  if (slot->id != 0)
    return;
  *slot = (WpSeenSlot) { .hash = (guint32) hash, .at = self->text.len, .n = (guint32) n, .id = id };
  self->table.n++;
  wp_array_reserve (&self->text, (guint64) self->text.len + n);
  memcpy (self->text.data + self->text.len, text, n);
  self->text.len += (guint32) n;
}

void
wp_seen_clear (WpSeen *self)
{
  WP_TABLE_CLEAR (&self->table);
  wp_array_clear (&self->text);
}
