/* Texts and what they mean: what was read once is recognised by its bytes. It forgets everything when there is too much of it. */
#pragma once

#include "base/table.h"

#define WP_SEEN_MAX_BYTES (16 * 1024 * 1024)
#define WP_SEEN_MAX 131072

typedef struct
{
  guint32 hash, at, n, id; /* of `text`; id 0: free */
} WpSeenSlot;

typedef struct
{
  WP_TABLE (WpSeenSlot) table;
  WP_ARRAY (guint8) text;
} WpSeen;

guint32 wp_seen_find (const WpSeen *self, const guint8 *text, gsize n, guint64 *hash); /* 0: it is not there; `hash` is for wp_seen_add() */
void wp_seen_add (WpSeen *self, const guint8 *text, gsize n, guint64 hash, guint32 id);
void wp_seen_clear (WpSeen *self);
