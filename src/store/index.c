/* Entries of indexes, and an index as bytes; reading is in index-read.c. */
#include "store/index.h"

#include <string.h>

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
  for (guint i = 0; i < WP_INDEX_HASH; i++)
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

  g_byte_array_append (out, (const guint8 *) WP_INDEX_MAGIC, 4);
  put_u32 (out, WP_INDEX_NEWEST);
  put_u32 (out, entries->len);
  for (guint i = 0; i < entries->len; i++)
    put_entry (out, layout, entries->pdata[i]);
  return out;
}
