/* Entries of indexes that are kept. */
#include "store/kept-private.h"

static void
free_entry (gpointer entry)
{
  wp_store_entry_free (entry);
}

static char **
list_of (const WpStoreKept *self, guint32 first, guint32 n)
{
  char **list = g_new0 (char *, (gsize) n + 1);

  for (guint32 i = 0; i < n; i++)
    list[i] = g_strdup (wp_kept_text (self, self->lists.data[first + i]));
  return list;
}

static WpStoreEntry *
entry_of (const WpStoreKept *self, const WpKeptEntry *row, const char *minor)
{
  WpStoreEntry *entry = g_new0 (WpStoreEntry, 1);

  entry->time = row->time;
  wp_hash_id_write (&self->object_names.ids.data[row->object], entry->sha1);
  g_strlcpy (entry->minor, minor, sizeof entry->minor);
  entry->path = g_strdup (wp_kept_text (self, row->path));
  entry->type = g_strdup (wp_kept_text (self, row->type));
  entry->cmd = g_strdup (wp_kept_text (self, row->cmd));
  entry->args = g_strdup (wp_kept_text (self, row->args));
  entry->workload = g_strdup (wp_kept_text (self, row->workload));
  entry->collector = g_strdup (wp_kept_text (self, row->collector));
  entry->label = g_strdup (wp_kept_text (self, row->label));
  entry->origin = g_strdup ("");
  entry->postprocessors = list_of (self, row->first, row->n);
  return entry;
}

/* The index's row where all that it was read from is as it was. */
static guint32
find_unchanged (WpStoreKept *self, const WpHashId *minor)
{
  const guint32 row = wp_kept_find_index (self, minor);
  WpKeptStamp index, sum;

  if (row == 0 || !wp_kept_stamp_object (self, minor, &index) || !wp_kept_is_same (&index, &self->indexes.data[row].index)
      || !wp_kept_stamp_sum (self, minor, &sum) || !wp_kept_is_same (&sum, &self->indexes.data[row].sum))
    return 0;
  for (guint32 i = 0; i < self->indexes.data[row].n; i++)
    {
      const guint32 object = self->entries.data[self->indexes.data[row].first + i].object;

      if (wp_kept_find_object (self, &self->object_names.ids.data[object]) != object)
        return 0;
    }
  return row;
}

GPtrArray *
wp_store_kept_entries (WpStoreKept *self, const char *minor)
{
  const WpHashId id = wp_hash_id (minor);
  const guint32 row = find_unchanged (self, &id);
  GPtrArray *entries;

  if (row == 0)
    return NULL;
  entries = g_ptr_array_new_with_free_func (free_entry);
  for (guint32 i = 0; i < self->indexes.data[row].n; i++)
    g_ptr_array_add (entries, entry_of (self, &self->entries.data[self->indexes.data[row].first + i], minor));
  return entries;
}

static WpKeptEntry
row_of_entry (WpStoreKept *self, const WpStoreEntry *entry, guint32 object)
{
  WpKeptEntry row = { .time = entry->time, .object = object, .first = self->lists.len, .n = g_strv_length (entry->postprocessors) };

  row.path = wp_kept_add_text (self, entry->path);
  row.type = wp_kept_add_text (self, entry->type);
  row.cmd = wp_kept_add_text (self, entry->cmd);
  row.args = wp_kept_add_text (self, entry->args);
  row.workload = wp_kept_add_text (self, entry->workload);
  row.collector = wp_kept_add_text (self, entry->collector);
  row.label = wp_kept_add_text (self, entry->label);
  for (guint32 i = 0; i < row.n; i++)
    wp_array_push (&self->lists, wp_kept_add_text (self, entry->postprocessors[i]));
  return row;
}

void
wp_store_kept_set_entries (WpStoreKept *self, const char *minor, const GPtrArray *entries)
{
  const WpHashId id = wp_hash_id (minor);
  WpKeptIndex index = { .first = self->entries.len, .n = entries->len };

  if (!wp_kept_has_room (self) || !wp_kept_stamp_object (self, &id, &index.index) || index.index.inode == 0 || !wp_kept_is_settled (self, &index.index)
      || !wp_kept_stamp_sum (self, &id, &index.sum) || !wp_kept_is_settled (self, &index.sum))
    return;
  for (guint i = 0; i < entries->len; i++)
    {
      const WpStoreEntry *entry = entries->pdata[i];
      const WpHashId sha1 = wp_hash_id (entry->sha1);
      const guint32 object = wp_kept_add_object (self, &sha1);

      if (object == 0)
        {
          self->entries.len = index.first;
          return;
        }
      wp_array_push (&self->entries, row_of_entry (self, entry, object));
    }
  wp_kept_add_index (self, &id, &index);
  self->n_new++;
}
