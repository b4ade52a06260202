/* What a store has: the profiles of a commit, pending ones, and their order. */
#include "base/find.h"
#include "base/hash.h"
#include "base/sort.h"
#include "store/profile-head.h"
#include "store/store-private.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

/* --- order -------------------------------------------------------------------------------------------------------------- */

/* Names of format.sort_profiles_by; those without a column leave the order of the index. */
static const struct
{
  const char *name;
  gssize column; /* of WpStoreEntry: a text */
} sort_keys[] = {
  { "time", -1 },
  { "source", G_STRUCT_OFFSET (WpStoreEntry, path) },
  { "realpath", G_STRUCT_OFFSET (WpStoreEntry, path) },
  { "type", G_STRUCT_OFFSET (WpStoreEntry, type) },
  { "cmd", G_STRUCT_OFFSET (WpStoreEntry, cmd) },
  { "args", G_STRUCT_OFFSET (WpStoreEntry, args) },
  { "workload", G_STRUCT_OFFSET (WpStoreEntry, workload) },
  { "label", G_STRUCT_OFFSET (WpStoreEntry, label) },
  { "collector", G_STRUCT_OFFSET (WpStoreEntry, collector) },
  { "stem", G_STRUCT_OFFSET (WpStoreEntry, path) },
  { "copy", -2 },
  { "checksum", -2 },
};
#define MAX_KEYS 8

typedef struct
{
  guint n;
  gssize columns[MAX_KEYS];
  gboolean ascending[MAX_KEYS];
} Order;

static int
compare_by (const WpStoreEntry *a, const WpStoreEntry *b, gssize column)
{
  if (column == -1)
    return (a->time > b->time) - (a->time < b->time);
  return column < 0 ? 0 : strcmp (G_STRUCT_MEMBER (char *, a, column), G_STRUCT_MEMBER (char *, b, column));
}

static int
compare_entries (gconstpointer a, gconstpointer b, gpointer data)
{
  const Order *order = data;

  for (guint i = 0; i < order->n; i++)
    {
      int compared = compare_by (*(WpStoreEntry *const *) a, *(WpStoreEntry *const *) b, order->columns[i]);

      if (compared != 0)
        return order->ascending[i] ? compared : -compared;
    }
  return 0;
}

static guint
find_key (const char *name)
{
  return WP_FIND_ROW (sort_keys, name, name);
}

gboolean
wp_store_is_sort_key (const char *key)
{
  return find_key (key) < G_N_ELEMENTS (sort_keys);
}

/* Descending unless the settings say otherwise; by time where they say nothing, or what nobody knows. */
static Order
find_order (WpStore *self, const char *key)
{
  g_auto (GStrv) keys = key != NULL ? g_strsplit (key, ",", -1) : wp_store_setting_list (self, "format.sort_profiles_by");
  g_auto (GStrv) orders = wp_store_setting_list (self, "format.sort_profiles_order");
  guint n_orders = g_strv_length (orders);
  Order order = { 0 };

  wp_store_note (self, "sort", NULL);
  for (guint i = 0; keys[i] != NULL && order.n < MAX_KEYS; i++)
    {
      guint row = find_key (keys[i]);

      if (row == G_N_ELEMENTS (sort_keys))
        {
          wp_store_note (self, "sort", g_strdup_printf ("format.sort_profiles_by: there is no key “%s”; sorted by time", keys[i]));
          continue;
        }
      order.columns[order.n] = sort_keys[row].column;
      order.ascending[order.n++] = n_orders > 0 && g_str_equal (orders[MIN (i, n_orders - 1)], "asc");
    }
  if (order.n == 0)
    order = (Order) { 1, { -1 }, { n_orders > 0 && g_str_equal (orders[0], "asc") } };
  return order;
}

static GPtrArray *
sorted (WpStore *self, const char *key, GPtrArray *entries)
{
  Order order;

  if (entries == NULL)
    return NULL;
  order = find_order (self, key);
  g_ptr_array_sort_with_data (entries, compare_entries, &order);
  return entries;
}

/* --- registered ---------------------------------------------------------------------------------------------------------- */

GPtrArray *
wp_store_registered_by (WpStore *self, const char *minor, const char *key, GError **error)
{
  return sorted (self, key, wp_store_index (self, minor, error));
}

GPtrArray *
wp_store_registered (WpStore *self, const char *minor, GError **error)
{
  return wp_store_registered_by (self, minor, NULL, error);
}

/* --- pending -------------------------------------------------------------------------------------------------------------- */

/* What a pending file says of itself, kept until the file changes: they can be large. */
typedef struct
{
  struct timespec time;
  goffset size;
  ino_t inode;
  WpStoreEntry *entry;
} Head;

static void
free_head (gpointer data)
{
  Head *head = data;

  wp_store_entry_free (head->entry);
  g_free (head);
}

static WpStoreEntry *
read_pending (const char *path, const char *name, const struct stat *st)
{
  WpStoreEntry *entry = wp_store_entry_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (WpJsonReader) reader = wp_json_reader_open (path, NULL, &error);
  gboolean header = reader != NULL && wp_head_read (reader, entry, NULL);

  g_free (entry->path);
  entry->path = g_strdup (name);
  entry->time = llrint ((double) st->st_mtim.tv_sec + 1e-9 * (double) st->st_mtim.tv_nsec); /* as Python: ties to even */
  if (reader == NULL || !wp_json_reader_finish (reader, &error))
    entry->problem = g_strdup (error->message);
  else if (!header || *entry->type == '\0')
    entry->problem = g_strdup_printf ("%s: header%s: missing, so this is no profile", path, header ? ".type" : "");
  return entry;
}

static WpStoreEntry *
find_pending (WpStore *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->jobs, name, NULL);
  Head *head = g_hash_table_lookup (self->heads, path);
  struct stat st;

  if (stat (path, &st) != 0 || !S_ISREG (st.st_mode))
    return NULL;
  if (head == NULL || head->inode != st.st_ino || head->size != st.st_size || head->time.tv_sec != st.st_mtim.tv_sec
      || head->time.tv_nsec != st.st_mtim.tv_nsec)
    {
      head = g_new (Head, 1);
      *head = (Head) { st.st_mtim, st.st_size, st.st_ino, read_pending (path, name, &st) };
      g_hash_table_replace (self->heads, g_steal_pointer (&path), head);
    }
  return wp_store_entry_copy (head->entry);
}

/* Those that Perun has seen come in its order, the others by name. Only the order is of use: what jobs/.index says of a file may be
 * stale. */
static GPtrArray *
names_in_order (WpStore *self, GPtrArray *names)
{
  g_autofree char *path = g_build_filename (self->jobs, ".index", NULL), *notice = NULL;
  g_autoptr (GHashTable) left = g_hash_table_new (wp_hash_string, g_str_equal);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) index = NULL;
  GPtrArray *ordered = g_ptr_array_new ();
  WpIndexForm form;

  g_ptr_array_sort (names, wp_compare_texts);
  for (guint i = 0; i < names->len; i++)
    g_hash_table_add (left, names->pdata[i]);
  index = wp_index_read (path, NULL, &form, &notice, &error);
  wp_store_note (self, path, error != NULL ? g_strdup (error->message) : NULL);
  for (guint i = 0; index != NULL && i < index->len; i++)
    {
      char *name = g_hash_table_lookup (left, ((WpStoreEntry *) index->pdata[i])->path);

      if (name == NULL)
        continue;
      g_hash_table_remove (left, name);
      g_ptr_array_add (ordered, name);
    }
  for (guint i = 0; i < names->len; i++)
    if (g_hash_table_contains (left, names->pdata[i]))
      g_ptr_array_add (ordered, names->pdata[i]);
  return ordered;
}

static void
free_entry (gpointer entry)
{
  wp_store_entry_free (entry);
}

GPtrArray *
wp_store_pending_by (WpStore *self, const char *key, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free), ordered = NULL;
  GPtrArray *entries = g_ptr_array_new_with_free_func (free_entry);
  GDir *dir = g_dir_open (self->jobs, 0, NULL); /* a store without it has none */
  const char *name;

  if (self->heads == NULL)
    self->heads = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, free_head);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_suffix (name, "perf") && g_utf8_validate (name, -1, NULL))
      g_ptr_array_add (names, g_strdup (name));
  if (dir != NULL)
    g_dir_close (dir);
  ordered = names_in_order (self, names);
  for (guint i = 0; i < ordered->len; i++)
    {
      WpStoreEntry *entry = find_pending (self, ordered->pdata[i]);

      if (entry != NULL)
        g_ptr_array_add (entries, entry);
    }
  return sorted (self, key, entries);
}

GPtrArray *
wp_store_pending (WpStore *self, GError **error)
{
  return wp_store_pending_by (self, NULL, error);
}
