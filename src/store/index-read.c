/* Reading indexes. The layouts do not say which they are: the bytes are read in each that may be, and the reading that ends where the bytes
 * end is it. */
#include "base/plain-file.h"
#include "store/index-sum.h"
#include "store/index.h"

#include <string.h>

#define HEADER 12                    /* bytes */
#define ENTRY_LEAST 25               /* bytes */
#define TEXT_MOST (1 << 20)          /* bytes: a longer text is none that was cut, but nonsense */

/* What is left of the bytes. */
typedef struct
{
  const guint8 *at, *end;
  gboolean cut;      /* the last string was cut short */
  gboolean ran_out;  /* what was wanted last would go on behind the end */
  const guint8 *sum; /* the checksum that stood before an entry, or NULL */
} Cursor;

/* How well the bytes are an index of one layout. */
typedef enum
{
  END_NONSENSE,
  END_MISSING,  /* they run out within an entry */
  END_CUT,      /* … within its last string: Perun reads what is there */
  END_FOLLOWED, /* by what means nothing */
  END_WHOLE,
} End;

typedef struct
{
  GPtrArray *entries;
  WpIndexLayout layout;
  End end;
  gsize rest;          /* bytes behind the last entry */
  gboolean summed;     /* our checksum stands there and fits */
  gboolean behind_sum; /* some entries stand behind our checksum */
} Reading;

static void
free_entry (gpointer entry)
{
  wp_store_entry_free (entry);
}

static gsize
left (const Cursor *self)
{
  return (gsize) (self->end - self->at);
}

/* --- an entry ----------------------------------------------------------------------------------------------------------- */

static gboolean
take_u32 (Cursor *self, guint32 *value)
{
  self->ran_out = left (self) < 4;
  if (self->ran_out)
    return FALSE;
  memcpy (value, self->at, 4);
  *value = GUINT32_FROM_LE (*value);
  self->at += 4;
  return TRUE;
}

/* A string by its length. The very last one of a file may be cut. */
static gboolean
take_string (Cursor *self, gboolean last, char **string)
{
  guint32 n;

  if (!take_u32 (self, &n))
    return FALSE;
  if (n > left (self))
    {
      self->ran_out = n <= TEXT_MOST;
      self->cut = self->ran_out && last;
      if (!self->cut)
        return FALSE;
      n = (guint32) left (self);
    }
  if (!g_utf8_validate_len ((const char *) self->at, n, NULL) || memchr (self->at, '\0', n) != NULL)
    return FALSE;
  g_free (*string);
  *string = g_strndup ((const char *) self->at, n);
  self->at += n;
  return TRUE;
}

static gboolean
take_path (Cursor *self, char **path)
{
  const guint8 *nul = memchr (self->at, '\0', left (self));

  self->ran_out = nul == NULL;
  if (nul == NULL || !g_utf8_validate ((const char *) self->at, nul - self->at, NULL))
    return FALSE;
  g_free (*path);
  *path = g_strndup ((const char *) self->at, (gsize) (nul - self->at));
  self->at = nul + 1;
  return TRUE;
}

static gboolean
take_strings (Cursor *self, WpIndexLayout layout, gboolean last, WpStoreEntry *entry)
{
  g_autofree char *postprocessors = NULL;

  if (!take_string (self, FALSE, &entry->type) || !take_string (self, FALSE, &entry->cmd)
      || (layout == WP_INDEX_ARGS && !take_string (self, FALSE, &entry->args))
      || !take_string (self, FALSE, &entry->workload) || !take_string (self, FALSE, &entry->collector)
      || !take_string (self, last, &postprocessors))
    return FALSE;
  g_strfreev (entry->postprocessors);
  entry->postprocessors = g_strsplit (postprocessors, " ", *postprocessors != '\0' ? -1 : 1);
  return TRUE;
}

static gboolean
take_entry (Cursor *self, WpIndexLayout layout, gboolean last, WpStoreEntry *entry)
{
  guint32 time;

  if (!take_u32 (self, &time))
    return FALSE;
  self->ran_out = left (self) < WP_INDEX_HASH;
  if (self->ran_out)
    return FALSE;
  entry->time = time;
  for (guint i = 0; i < WP_INDEX_HASH; i++)
    g_snprintf (entry->sha1 + 2 * i, 3, "%02x", self->at[i]);
  self->at += WP_INDEX_HASH;
  return take_path (self, &entry->path) && (layout == WP_INDEX_PATHS || take_strings (self, layout, last, entry));
}

/* --- all entries -------------------------------------------------------------------------------------------------------- */

static gboolean
is_type_known (const char *type)
{
  static const char *const known[] = { "memory", "mixed", "time", NULL };

  return g_strv_contains (known, type);
}

/* Where it fails the cursor stays, and says whether bytes are missing. */
static gboolean
take_next (Cursor *self, WpIndexLayout layout, gboolean last, gboolean strictly, GPtrArray *entries)
{
  WpStoreEntry *entry = wp_store_entry_new ();
  Cursor tried = *self;

  if (take_entry (&tried, layout, last, entry) && (!strictly || layout == WP_INDEX_PATHS || is_type_known (entry->type)))
    {
      *self = tried;
      g_ptr_array_add (entries, entry);
      return TRUE;
    }
  self->ran_out = tried.ran_out;
  wp_store_entry_free (entry);
  return FALSE;
}

/* The entry that Perun wrote behind our checksum. */
static gboolean
take_behind_sum (Cursor *self, WpIndexLayout layout, GPtrArray *entries)
{
  Cursor tried = *self;

  if (self->sum != NULL || left (self) <= WP_INDEX_HASH)
    return FALSE;
  tried.sum = self->at;
  tried.at += WP_INDEX_HASH;
  if (!take_next (&tried, layout, FALSE, TRUE, entries))
    return FALSE;
  *self = tried;
  return TRUE;
}

/* Whether our checksum of so many entries stands here: the number in the header may have been raised since. */
static gboolean
is_sum (const guint8 *data, const Cursor *cursor, guint n_entries)
{
  guint32 count = GUINT32_TO_LE (n_entries);
  guint8 digest[WP_INDEX_HASH];
  gsize size = sizeof digest;
  GChecksum *sum;

  if (left (cursor) < WP_INDEX_HASH)
    return FALSE;
  sum = g_checksum_new (G_CHECKSUM_SHA1);
  g_checksum_update (sum, data, 8);
  g_checksum_update (sum, (const guchar *) &count, 4);
  g_checksum_update (sum, data + HEADER, cursor->at - data - HEADER);
  g_checksum_get_digest (sum, digest, &size);
  g_checksum_free (sum);
  return memcmp (digest, cursor->at, WP_INDEX_HASH) == 0;
}

/* Whole entries that follow those that the index counts: a program that was stopped, or a damaged count. They are kept. */
static void
take_uncounted (Cursor *cursor, WpIndexLayout layout, GPtrArray *entries)
{
  Cursor tried = *cursor;
  guint counted = entries->len;

  while (left (&tried) > 0 && (left (&tried) != WP_INDEX_HASH || tried.sum != NULL))
    if (!take_next (&tried, layout, FALSE, TRUE, entries) && !take_behind_sum (&tried, layout, entries))
      {
        g_ptr_array_set_size (entries, (gint) counted);
        return;
      }
  *cursor = tried;
}

/* Those that it counts. FALSE: they are not all there. What a program was stopped in writing behind our checksum does not make the others
 * wrong. */
static gboolean
take_counted (Cursor *cursor, const guint8 *data, guint32 count, Reading *reading)
{
  GPtrArray *entries = reading->entries;

  while (entries->len < count)
    if (!take_next (cursor, reading->layout, entries->len + 1 == count, FALSE, entries)
        && !take_behind_sum (cursor, reading->layout, entries))
      return is_sum (data, cursor, entries->len);
  return TRUE;
}

static Reading
read_as (const guint8 *data, gsize n, guint32 count, WpIndexLayout layout)
{
  Cursor cursor = { .at = data + HEADER, .end = data + n };
  Reading self = { .entries = g_ptr_array_new_with_free_func (free_entry), .layout = layout };

  if (!take_counted (&cursor, data, count, &self))
    {
      self.end = cursor.ran_out ? END_MISSING : END_NONSENSE;
      return self;
    }
  if (!cursor.cut)
    take_uncounted (&cursor, layout, self.entries);
  self.rest = left (&cursor);
  self.summed = is_sum (data, &cursor, self.entries->len);
  self.behind_sum = cursor.sum != NULL;
  self.end = cursor.cut ? END_CUT : self.rest == 0 || (self.summed && self.rest == WP_INDEX_HASH) ? END_WHOLE : END_FOLLOWED;
  return self;
}

/* --- which layout ------------------------------------------------------------------------------------------------------- */

static void
clear_reading (Reading *self)
{
  g_clear_pointer (&self->entries, g_ptr_array_unref);
}

/* Six strings are an index of five that something follows; five are one of six whose end is gone. So five are believed only where they end
 * with the file; and where six run out there, only the profile itself can tell. */
static Reading
choose (Reading six, Reading five, gboolean *doubtful)
{
  gboolean take_five = five.end == END_WHOLE ? six.end != END_WHOLE : six.end == END_NONSENSE;
  Reading *left_out = take_five ? &six : &five;

  *doubtful = take_five && six.end == END_MISSING && !five.summed;
  clear_reading (left_out);
  return take_five ? five : six;
}

static Reading
read_entries (const guint8 *data, gsize n, guint32 version, guint32 count, gboolean *doubtful)
{
  Reading first = read_as (data, n, count, version == 1 ? WP_INDEX_PATHS : WP_INDEX_ARGS);

  *doubtful = FALSE;
  if (version == 1 || first.end == END_WHOLE)
    return first;
  return choose (first, read_as (data, n, count, WP_INDEX_NO_ARGS), doubtful);
}

/* --- a file ------------------------------------------------------------------------------------------------------------- */

static gboolean
damaged (GError **error, const char *name, const char *what)
{
  g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_DAMAGED, "%s: %s; nothing was changed", name, what);
  return FALSE;
}

gboolean
wp_index_fail_cut (const char *path, GError **error)
{
  return damaged (error, path, "the index is damaged: its end is missing; bring it back from a copy of the store");
}

static gboolean
check_header (const char *name, const guint8 *data, gsize n, guint32 *version, guint32 *count, GError **error)
{
  Cursor cursor = { .at = data + 4, .end = data + n };

  if (n < 4 || memcmp (data, WP_INDEX_MAGIC, 4) != 0)
    return damaged (error, name, "not an index of profiles");
  if (!take_u32 (&cursor, version) || !take_u32 (&cursor, count))
    return damaged (error, name, "the index ends within its header");
  if (*version < 1 || *version > WP_INDEX_NEWEST)
    {
      g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_DAMAGED, "%s: an index of version %u, which is not known", name, *version);
      return FALSE;
    }
  return *count <= (n - HEADER) / ENTRY_LEAST || damaged (error, name, "the index speaks of more profiles than it holds");
}

/* What a user should know of how the file ends. */
static char *
notice_of (const Reading *reading, guint32 count, WpIndexSum sum, const char *name)
{
  guint n = reading->entries->len;

  if (reading->end == END_CUT)
    return g_strdup_printf ("%s: the end is missing; the last profile's postprocessors are not all known", name);
  if (reading->behind_sum)
    return g_strdup_printf ("%s: another program has written behind the checksum at its end; all profiles are kept, and the next change mends "
                            "it", name);
  if (n > count)
    return g_strdup_printf ("%s: its number of profiles is too small by %u; all that are there are kept", name, n - count);
  if (n < count)
    return g_strdup_printf ("%s: another program was stopped while it added a profile, which is not there; register it again", name);
  if (sum == WP_INDEX_SUM_DAMAGED || (reading->rest == WP_INDEX_HASH && !reading->summed))
    return g_strdup_printf ("%s: the checksum is of other entries: another program has changed this index, or the disk has", name);
  if (reading->end == END_FOLLOWED)
    return g_strdup_printf ("%s: %" G_GSIZE_FORMAT " bytes that mean nothing follow the last profile", name, reading->rest);
  return NULL;
}

static GPtrArray *
parse (const char *name, const guint8 *data, gsize n, WpIndexSum sum, WpIndexForm *form, char **notice, GError **error)
{
  guint32 version, count;
  Reading reading;

  if (!check_header (name, data, n, &version, &count, error))
    return NULL;
  reading = read_entries (data, n, version, count, &form->doubtful);
  if (reading.end < END_CUT)
    {
      if (reading.end == END_MISSING)
        wp_index_fail_cut (name, error);
      else
        damaged (error, name, "the index is damaged: its entries make no sense");
      clear_reading (&reading);
      return NULL;
    }
  form->layout = reading.layout;
  form->cut = reading.end == END_CUT;
  form->doubtful &= sum != WP_INDEX_SUM_SAME;
  if (notice != NULL)
    *notice = notice_of (&reading, count, sum, name);
  return reading.entries;
}

GPtrArray *
wp_index_read (const char *path, const char *sum, WpIndexForm *form, char **notice, GError **error)
{
  g_autoptr (GError) problem = NULL;
  gsize n;
  g_autofree char *text = wp_plain_file_read (path, WP_INDEX_LIMIT, &n, &problem);
  const guint8 *data = (const guint8 *) text;

  if (notice != NULL)
    *notice = NULL;
  *form = (WpIndexForm) { .layout = WP_INDEX_ARGS };
  if (data != NULL)
    return parse (path, data, n, sum != NULL ? wp_index_sum_check (sum, path, data, n) : WP_INDEX_SUM_UNKNOWN, form, notice, error);
  if (g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    return g_ptr_array_new_with_free_func (free_entry);
  g_propagate_error (error, g_steal_pointer (&problem));
  return NULL;
}
