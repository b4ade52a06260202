#include "base/intern.h"

#include "base/bytes.h"
#include "base/search.h"
#include "base/sort.h"
#include "base/table.h"

/* A text with zeros in it. There are hardly ever any. */
typedef struct
{
  WpId id;
  gsize n;
} Zeros;

#define NAMES 256

/* A name of a task as it stood in its field. */
typedef struct
{
  guint64 low, high;
  WpId id; /* 0: none yet */
} Name;

struct WpStrings
{
  gatomicrefcount references;
  GStringChunk *chunk;
  char *unpacked; /* texts that were there at the beginning; NULL: none */
  WP_ARRAY (const char *) texts;
  WP_ARRAY (guint32) hashes;
  WP_TABLE (WpId) ids;
  WP_ARRAY (Zeros) with_zeros; /* by id */
  WP_TABLE (guint32) zeros;    /* of rows of it, one more than they are */
  Name names[NAMES];           /* of late, each at a place that its bytes say */
};

WpStrings *
wp_strings_new (void)
{
  WpStrings *self = g_new0 (WpStrings, 1);

  g_atomic_ref_count_init (&self->references);
  self->chunk = g_string_chunk_new (64 * 1024);
  wp_array_push (&self->texts, "");
  wp_array_push (&self->hashes, 0);
  return self;
}

WpStrings *
wp_strings_ref (WpStrings *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
wp_strings_free (WpStrings *self)
{
  if (self == NULL || !g_atomic_ref_count_dec (&self->references))
    return;
  g_string_chunk_free (self->chunk);
  g_free (self->unpacked);
  wp_array_clear (&self->texts);
  wp_array_clear (&self->hashes);
  WP_TABLE_CLEAR (&self->ids);
  wp_array_clear (&self->with_zeros);
  WP_TABLE_CLEAR (&self->zeros);
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
wp_strings_intern_name (WpStrings *self, const guint8 *field)
{
  guint64 low = wp_read_u64 (field), high = wp_read_u64 (field + 8);
  Name *name = &self->names[(low ^ high * 31) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) >> 56];

  if (name->id == 0 || name->low != low || name->high != high)
    *name = (Name) { low, high, wp_strings_intern_n (self, (const char *) field, WP_NAME_FIELD) };
  return name->id;
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

static inline gboolean
is_row_with_zeros (const WpStrings *self, guint32 row, const char *s, gsize n)
{
  const Zeros *zeros = &self->with_zeros.data[row];

  return zeros->n == n && memcmp (self->texts.data[zeros->id], s, n) == 0;
}

WpId
wp_strings_intern_bytes (WpStrings *self, const char *s, gsize n)
{
  guint32 hash, *row;

  if (n == 0 || memchr (s, '\0', n) == NULL)
    return wp_strings_intern_n (self, s, n);
  hash = (guint32) wp_hash_bytes (s, n);
  WP_TABLE_RESERVE (&self->zeros, 64, 2, slot, *slot != 0, self->hashes.data[self->with_zeros.data[*slot - 1].id]);
  row = WP_TABLE_FIND (&self->zeros, hash, slot, *slot == 0 || is_row_with_zeros (self, *slot - 1, s, n));
  if (*row != 0)
    return self->with_zeros.data[*row - 1].id;
  wp_array_push (&self->texts, g_string_chunk_insert_len (self->chunk, s, n));
  wp_array_push (&self->hashes, hash);
  wp_array_push (&self->with_zeros, ((Zeros) { self->texts.len - 1, n }));
  self->zeros.n++;
  *row = self->with_zeros.len;
  return self->texts.len - 1;
}

const char *
wp_strings_bytes (const WpStrings *self, WpId id, gsize *n)
{
  guint32 found = WP_SEARCH (0, self->with_zeros.len, i, self->with_zeros.data[i].id < id);

  if (found < self->with_zeros.len && self->with_zeros.data[found].id == id)
    *n = self->with_zeros.data[found].n;
  else
    *n = strlen (self->texts.data[id]);
  return self->texts.data[id];
}

WpStrings *
wp_strings_copy (const WpStrings *self)
{
  WpStrings *copy = wp_strings_new ();

  for (WpId id = 1; id < self->texts.len; id++)
    {
      gsize n;
      const char *bytes = wp_strings_bytes (self, id, &n);

      wp_strings_intern_bytes (copy, bytes, n);
    }
  return copy;
}

gboolean
wp_strings_pack (const WpStrings *self, WpTextArray *texts, WpEndArray *ends)
{
  wp_array_reserve (ends, self->texts.len);
  for (WpId id = 1; id < self->texts.len; id++)
    {
      const guint32 at = texts->len;
      gsize n;
      const char *bytes = wp_strings_bytes (self, id, &n);

      if ((guint64) at + n + 1 > G_MAXUINT32)
        return FALSE;
      wp_array_reserve (texts, (guint64) at + n + 1);
      memcpy (texts->data + at, bytes, n + 1);
      texts->len = at + (guint32) n + 1;
      wp_array_push (ends, texts->len);
    }
  return TRUE;
}

/* The text before its zero; some are equal only where somebody made it so, and then the first one is found. */
static void
add_unpacked (WpStrings *self, const char *text, gsize n)
{
  const WpId id = self->texts.len;

  wp_array_push (&self->texts, text);
  wp_array_push (&self->hashes, (guint32) wp_hash_bytes (text, n));
  if (memchr (text, '\0', n) != NULL)
    {
      wp_array_push (&self->with_zeros, ((Zeros) { id, n }));
      WP_TABLE_RESERVE (&self->zeros, 64, 2, slot, *slot != 0, self->hashes.data[self->with_zeros.data[*slot - 1].id]);
      *WP_TABLE_FIND (&self->zeros, self->hashes.data[id], slot, *slot == 0) = self->with_zeros.len;
      self->zeros.n++;
      return;
    }
  WP_TABLE_RESERVE (&self->ids, 1024, 2, slot, *slot != 0, self->hashes.data[*slot]);
  *WP_TABLE_FIND (&self->ids, self->hashes.data[id], slot, *slot == 0) = id;
  self->ids.n++;
}

WpStrings *
wp_strings_unpack (const char *texts, guint64 n_texts, const guint64 *ends, guint32 n)
{
  WpStrings *self;

  for (guint32 i = 0; i < n; i++)
    if (ends[i] > n_texts || ends[i] <= (i > 0 ? ends[i - 1] : 0) || texts[ends[i] - 1] != '\0')
      return NULL;
  if (n_texts != (n > 0 ? ends[n - 1] : 0))
    return NULL;
  self = wp_strings_new ();
  self->unpacked = g_memdup2 (texts, n_texts);
  wp_array_reserve (&self->texts, (guint64) n + 1);
  wp_array_reserve (&self->hashes, (guint64) n + 1);
  for (guint32 i = 0; i < n; i++)
    {
      const guint64 start = i > 0 ? ends[i - 1] : 0;

      add_unpacked (self, self->unpacked + start, ends[i] - start - 1);
    }
  return self;
}

int
wp_strings_compare (const WpStrings *self, WpId a, WpId b)
{
  gsize n_a, n_b;
  const char *text_a = wp_strings_bytes (self, a, &n_a), *text_b = wp_strings_bytes (self, b, &n_b);
  int order = memcmp (text_a, text_b, MIN (n_a, n_b));

  return order != 0 ? order : WP_COMPARE (n_a, n_b);
}

guint32
wp_strings_count (const WpStrings *self)
{
  return self->texts.len;
}
