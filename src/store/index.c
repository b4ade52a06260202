#include "store/index.h"

#include "base/plain-file.h"

#include <string.h>

#define MAGIC "pidx"
#define HEADER 12 /* bytes */
#define HASH 20
#define NEWEST 2  /* version */

/* --- entries ---------------------------------------------------------------------------------------------------------- */

WpStoreEntry *
wp_store_entry_new (void)
{
  WpStoreEntry *entry = g_new0 (WpStoreEntry, 1);

  entry->path = g_strdup ("");
  entry->type = g_strdup ("");
  entry->cmd = g_strdup ("");
  entry->args = g_strdup ("");
  entry->workload = g_strdup ("");
  entry->collector = g_strdup ("");
  entry->label = g_strdup ("");
  entry->origin = g_strdup ("");
  entry->postprocessors = g_new0 (char *, 1);
  return entry;
}

void
wp_store_entry_free (WpStoreEntry *entry)
{
  if (entry == NULL)
    return;
  g_free (entry->path);
  g_free (entry->type);
  g_free (entry->cmd);
  g_free (entry->args);
  g_free (entry->workload);
  g_free (entry->collector);
  g_free (entry->label);
  g_free (entry->origin);
  g_free (entry->problem);
  g_strfreev (entry->postprocessors);
  g_free (entry);
}

WpStoreEntry *
wp_store_entry_copy (const WpStoreEntry *entry)
{
  WpStoreEntry *copy = g_memdup2 (entry, sizeof *entry);

  copy->path = g_strdup (entry->path);
  copy->type = g_strdup (entry->type);
  copy->cmd = g_strdup (entry->cmd);
  copy->args = g_strdup (entry->args);
  copy->workload = g_strdup (entry->workload);
  copy->collector = g_strdup (entry->collector);
  copy->label = g_strdup (entry->label);
  copy->origin = g_strdup (entry->origin);
  copy->problem = g_strdup (entry->problem);
  copy->postprocessors = g_strdupv (entry->postprocessors);
  return copy;
}

static void
free_entry (gpointer entry)
{
  wp_store_entry_free (entry);
}

/* --- parsing ---------------------------------------------------------------------------------------------------------- */

/* What is left of the bytes. */
typedef struct
{
  const guint8 *at, *end;
  gboolean cut; /* the last string was cut short */
} Cursor;

static gboolean
take_u32 (Cursor *self, guint32 *value)
{
  if (self->end - self->at < 4)
    return FALSE;
  memcpy (value, self->at, 4);
  *value = GUINT32_FROM_LE (*value);
  self->at += 4;
  return TRUE;
}

/* A string by its length. The very last one of a file may be cut: Perun reads what is there. */
static gboolean
take_string (Cursor *self, gboolean last, char **string)
{
  guint32 n;

  if (!take_u32 (self, &n))
    return FALSE;
  if (n > (gsize) (self->end - self->at))
    {
      if (!last || n > G_MAXINT32)
        return FALSE;
      n = (guint32) (self->end - self->at);
      self->cut = TRUE;
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
  const guint8 *nul = memchr (self->at, '\0', (gsize) (self->end - self->at));

  if (nul == NULL || !g_utf8_validate ((const char *) self->at, nul - self->at, NULL))
    return FALSE;
  g_free (*path);
  *path = g_strndup ((const char *) self->at, (gsize) (nul - self->at));
  self->at = nul + 1;
  return TRUE;
}

static void
set_postprocessors (WpStoreEntry *entry, const char *names)
{
  g_strfreev (entry->postprocessors);
  entry->postprocessors = g_strsplit (names, " ", *names != '\0' ? -1 : 1);
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
  set_postprocessors (entry, postprocessors);
  return TRUE;
}

static gboolean
take_entry (Cursor *self, WpIndexLayout layout, gboolean last, WpStoreEntry *entry)
{
  guint32 time;

  if (!take_u32 (self, &time) || self->end - self->at < HASH)
    return FALSE;
  entry->time = time;
  for (guint i = 0; i < HASH; i++)
    g_snprintf (entry->sha1 + 2 * i, 3, "%02x", self->at[i]);
  self->at += HASH;
  return take_path (self, &entry->path) && (layout == WP_INDEX_PATHS || take_strings (self, layout, last, entry));
}

/* How well the bytes are this layout: 0 not at all. */
typedef enum
{
  FIT_NONE,
  FIT_CUT,  /* the last string is cut */
  FIT_ODD,  /* a type that Perun has not */
  FIT_GOOD,
  FIT_EXACT, /* and nothing follows but a checksum */
} Fit;

static gboolean
all_types_known (GPtrArray *entries)
{
  static const char *const known[] = { "memory", "mixed", "time", NULL };

  for (guint i = 0; i < entries->len; i++)
    if (!g_strv_contains (known, ((WpStoreEntry *) entries->pdata[i])->type))
      return FALSE;
  return TRUE;
}

static Fit
fit_layout (const guint8 *data, gsize n, guint32 count, WpIndexLayout layout, GPtrArray *entries, gsize *rest)
{
  Cursor cursor = { .at = data + HEADER, .end = data + n };

  g_ptr_array_set_size (entries, 0);
  for (guint32 i = 0; i < count; i++)
    {
      WpStoreEntry *entry = wp_store_entry_new ();

      g_ptr_array_add (entries, entry);
      if (!take_entry (&cursor, layout, i + 1 == count, entry))
        return FIT_NONE;
    }
  *rest = (gsize) (cursor.end - cursor.at);
  if (cursor.cut)
    return FIT_CUT;
  if (layout != WP_INDEX_PATHS && !all_types_known (entries))
    return FIT_ODD;
  return *rest == 0 || *rest == HASH ? FIT_EXACT : FIT_GOOD;
}

/* The layout that fits best, ARGS where two fit as well. */
static Fit
parse_entries (const guint8 *data, gsize n, guint32 version, guint32 count, GPtrArray **entries, WpIndexLayout *layout, gsize *rest)
{
  static const WpIndexLayout old[] = { WP_INDEX_PATHS }, newer[] = { WP_INDEX_ARGS, WP_INDEX_NO_ARGS };
  const WpIndexLayout *layouts = version == 1 ? old : newer;
  Fit best = FIT_NONE;

  for (guint i = 0; i < (version == 1 ? 1 : G_N_ELEMENTS (newer)); i++)
    {
      GPtrArray *tried = g_ptr_array_new_with_free_func (free_entry);
      gsize left = 0;
      Fit fit = fit_layout (data, n, count, layouts[i], tried, &left);

      if (fit > best)
        {
          g_clear_pointer (entries, g_ptr_array_unref);
          *entries = g_ptr_array_ref (tried);
          *layout = layouts[i];
          *rest = left;
          best = fit;
        }
      g_ptr_array_unref (tried);
    }
  return best;
}

/* Whole entries that follow those that the index counts: a program that was stopped, or a damaged count. They are kept. */
static void
take_uncounted (const guint8 *data, gsize n, WpIndexLayout layout, GPtrArray *entries, gsize *rest)
{
  Cursor cursor = { .at = data + n - *rest, .end = data + n };
  guint counted = entries->len;
  gsize left = *rest;

  while (left != 0 && left != HASH)
    {
      WpStoreEntry *entry = wp_store_entry_new ();

      g_ptr_array_add (entries, entry);
      if (!take_entry (&cursor, layout, FALSE, entry))
        {
          g_ptr_array_set_size (entries, (gint) counted);
          return;
        }
      left = (gsize) (cursor.end - cursor.at);
    }
  *rest = left;
}

static gboolean
damaged (GError **error, const char *name, const char *what)
{
  g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_DAMAGED, "%s: %s; nothing was changed", name, what);
  return FALSE;
}

static gboolean
check_header (const char *name, const guint8 *data, gsize n, guint32 *version, guint32 *count, GError **error)
{
  Cursor cursor = { .at = data + 4, .end = data + n };

  if (n < 4 || memcmp (data, MAGIC, 4) != 0)
    return damaged (error, name, "not an index of profiles");
  if (!take_u32 (&cursor, version) || !take_u32 (&cursor, count))
    return damaged (error, name, "the index ends within its header");
  if (*version < 1 || *version > NEWEST)
    {
      g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_DAMAGED, "%s: an index of version %u, which is not known", name, *version);
      return FALSE;
    }
  /* An entry has 25 bytes at least. */
  return *count <= (n - HEADER) / 25 || damaged (error, name, "the index speaks of more profiles than it holds");
}

/* What follows the last entry: nothing, or the checksum. */
static char *
notice_of (const guint8 *data, gsize n, gsize rest, Fit fit, guint32 uncounted, const char *name)
{
  guint8 digest[HASH];
  gsize size = sizeof digest;
  GChecksum *sum;
  gboolean same;

  if (fit == FIT_CUT)
    return g_strdup_printf ("%s: the end is missing; the last profile's postprocessors are not all known", name);
  if (uncounted > 0)
    return g_strdup_printf ("%s: its number of profiles is too small by %u; all that are there are kept", name, uncounted);
  if (rest == 0)
    return NULL;
  if (rest != HASH)
    return g_strdup_printf ("%s: %" G_GSIZE_FORMAT " bytes that mean nothing follow the last profile", name, rest);
  sum = g_checksum_new (G_CHECKSUM_SHA1);
  g_checksum_update (sum, data, (gssize) (n - HASH));
  g_checksum_get_digest (sum, digest, &size);
  g_checksum_free (sum);
  same = memcmp (digest, data + n - HASH, HASH) == 0;
  return same ? NULL : g_strdup_printf ("%s: the checksum is of other entries: another program has changed this index", name);
}

static GPtrArray *
parse (const char *name, const guint8 *data, gsize n, WpIndexLayout *layout, char **notice, GError **error)
{
  GPtrArray *entries = NULL;
  guint32 version, count;
  gsize rest = 0;
  Fit fit;

  if (!check_header (name, data, n, &version, &count, error))
    return NULL;
  fit = parse_entries (data, n, version, count, &entries, layout, &rest);
  if (fit == FIT_NONE)
    {
      damaged (error, name, "the index is damaged: its entries make no sense");
      return NULL;
    }
  if (fit != FIT_CUT)
    take_uncounted (data, n, *layout, entries, &rest);
  if (notice != NULL)
    *notice = notice_of (data, n, rest, fit, entries->len - count, name);
  return entries;
}

GPtrArray *
wp_index_read (const char *path, WpIndexLayout *layout, char **notice, GError **error)
{
  g_autoptr (GError) problem = NULL;
  gsize n;
  g_autofree char *data = wp_plain_file_read (path, WP_INDEX_LIMIT, &n, &problem);

  if (notice != NULL)
    *notice = NULL;
  *layout = WP_INDEX_ARGS;
  if (data != NULL)
    return parse (path, (const guint8 *) data, n, layout, notice, error);
  if (g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    return g_ptr_array_new_with_free_func (free_entry);
  g_propagate_error (error, g_steal_pointer (&problem));
  return NULL;
}

void
wp_index_take_as_label (GPtrArray *entries)
{
  for (guint i = 0; i < entries->len; i++)
    {
      WpStoreEntry *entry = entries->pdata[i];

      g_free (entry->label);
      entry->label = entry->workload;
      entry->workload = entry->args;
      entry->args = g_strdup ("");
    }
}

/* --- writing ---------------------------------------------------------------------------------------------------------- */

gboolean
wp_index_insert (GPtrArray *entries, WpStoreEntry *entry)
{
  guint at;

  for (at = 0; at < entries->len; at++)
    {
      const WpStoreEntry *other = entries->pdata[at];
      int order = strcmp (other->path, entry->path);

      if (order == 0 && other->time == entry->time)
        return FALSE;
      if (order > 0 || (order == 0 && other->time > entry->time))
        break;
    }
  g_ptr_array_insert (entries, (gint) at, entry);
  return TRUE;
}

static void
put_u32 (GByteArray *out, guint32 value)
{
  value = GUINT32_TO_LE (value);
  g_byte_array_append (out, (const guint8 *) &value, 4);
}

static void
put_string (GByteArray *out, const char *string)
{
  put_u32 (out, (guint32) strlen (string));
  g_byte_array_append (out, (const guint8 *) string, (guint) strlen (string));
}

/* Layouts without args have them behind the command. */
static void
put_joined (GByteArray *out, const char *cmd, const char *args)
{
  g_autofree char *joined = g_strdup_printf ("%s%s%s", cmd, *cmd != '\0' && *args != '\0' ? " " : "", args);

  put_string (out, joined);
}

static void
put_entry (GByteArray *out, WpIndexLayout layout, const WpStoreEntry *entry)
{
  g_autofree char *postprocessors = g_strjoinv (" ", entry->postprocessors);

  put_u32 (out, (guint32) entry->time);
  for (guint i = 0; i < HASH; i++)
    {
      guint8 byte = (guint8) (g_ascii_xdigit_value (entry->sha1[2 * i]) << 4 | g_ascii_xdigit_value (entry->sha1[2 * i + 1]));

      g_byte_array_append (out, &byte, 1);
    }
  g_byte_array_append (out, (const guint8 *) entry->path, (guint) strlen (entry->path) + 1);
  put_string (out, entry->type);
  if (layout == WP_INDEX_ARGS || layout == WP_INDEX_PATHS)
    {
      put_string (out, entry->cmd);
      put_string (out, entry->args);
    }
  else
    put_joined (out, entry->cmd, entry->args);
  put_string (out, entry->workload);
  if (layout == WP_INDEX_LABEL)
    put_string (out, entry->label);
  put_string (out, entry->collector);
  put_string (out, postprocessors);
}

GByteArray *
wp_index_bytes (GPtrArray *entries, WpIndexLayout layout)
{
  GByteArray *out = g_byte_array_new ();
  GChecksum *sum = g_checksum_new (G_CHECKSUM_SHA1);
  guint8 digest[HASH];
  gsize size = sizeof digest;

  g_byte_array_append (out, (const guint8 *) MAGIC, 4);
  put_u32 (out, NEWEST);
  put_u32 (out, entries->len);
  for (guint i = 0; i < entries->len; i++)
    put_entry (out, layout, entries->pdata[i]);
  g_checksum_update (sum, out->data, out->len);
  g_checksum_get_digest (sum, digest, &size);
  g_checksum_free (sum);
  g_byte_array_append (out, digest, HASH);
  return out;
}
