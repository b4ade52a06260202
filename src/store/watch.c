/* Watching: whoever changes the store, whoever watches hears of it, once for many changes. */
#include "store/store-private.h"

#include "base/hash.h"

#include <string.h>

#define TOGETHER 200 /* ms: changes within so much are told once */
#define FOLDERS 8    /* watched at once; the kernel takes its time where a folder has many files */

/* Monitors of jobs, of objects, and of each folder in that: a new index appears in one of these. */
struct WpStoreWatch
{
  WpStore *store;
  WpStoreChangedFunc changed;
  gpointer data;
  GPtrArray *monitors;
  GHashTable *watched; /* paths */
  GDir *left;          /* folders of objects that are not watched yet; or NULL */
  guint source, watching;
};

static void watch_folder (WpStoreWatch *self, const char *path);

static gboolean
tell (gpointer data)
{
  WpStoreWatch *self = data;

  self->source = 0;
  self->changed (self->store, self->data);
  return G_SOURCE_REMOVE;
}

static void
on_changed (GFileMonitor *monitor G_GNUC_UNUSED, GFile *file, GFile *other G_GNUC_UNUSED, GFileMonitorEvent event, gpointer data)
{
  WpStoreWatch *self = data;
  g_autofree char *path = g_file_get_path (file), *name = g_file_get_basename (file), *parent = path != NULL ? g_path_get_dirname (path) : NULL;

  if (g_strcmp0 (parent, self->store->objects) == 0 && event == G_FILE_MONITOR_EVENT_CREATED && strlen (name) == 2)
    watch_folder (self, path);
  /* Temporary names and jobs/.index say nothing of their own. */
  if (name[0] == '.' && event != G_FILE_MONITOR_EVENT_RENAMED)
    return;
  if (self->source == 0)
    self->source = g_timeout_add (TOGETHER, tell, self);
}

static void
watch_folder (WpStoreWatch *self, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GFileMonitor *monitor;

  if (g_hash_table_contains (self->watched, path))
    return;
  monitor = g_file_monitor_directory (file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (monitor == NULL)
    return; /* too many watches: what can be seen is seen */
  g_signal_connect (monitor, "changed", G_CALLBACK (on_changed), self);
  g_ptr_array_add (self->monitors, monitor);
  g_hash_table_add (self->watched, g_strdup (path));
}

void
wp_store_watch_free (WpStoreWatch *watch)
{
  if (watch == NULL)
    return;
  g_clear_handle_id (&watch->source, g_source_remove);
  g_clear_handle_id (&watch->watching, g_source_remove);
  g_clear_pointer (&watch->left, g_dir_close);
  for (guint i = 0; i < watch->monitors->len; i++)
    g_signal_handlers_disconnect_by_data (watch->monitors->pdata[i], watch);
  g_ptr_array_unref (watch->monitors);
  g_hash_table_unref (watch->watched);
  g_free (watch);
}

/* FALSE: none are left. */
static gboolean
watch_some (WpStoreWatch *self)
{
  const char *name;

  for (guint n = 0; n < FOLDERS;)
    {
      g_autofree char *path = NULL;

      name = g_dir_read_name (self->left);
      if (name == NULL)
        {
          g_clear_pointer (&self->left, g_dir_close);
          return FALSE;
        }
      if (strlen (name) != 2)
        continue;
      path = g_build_filename (self->store->objects, name, NULL);
      watch_folder (self, path);
      n++;
    }
  return TRUE;
}

/* What changed while not all was watched is told at the end. */
static gboolean
on_watching (gpointer data)
{
  WpStoreWatch *self = data;

  if (watch_some (self))
    return G_SOURCE_CONTINUE;
  self->watching = 0;
  if (self->source == 0)
    self->source = g_timeout_add (TOGETHER, tell, self);
  return G_SOURCE_REMOVE;
}

void
wp_store_watch (WpStore *self, WpStoreChangedFunc changed, gpointer data)
{
  WpStoreWatch *watch;

  g_clear_pointer (&self->watch, wp_store_watch_free);
  if (changed == NULL)
    return;
  watch = g_new0 (WpStoreWatch, 1);
  watch->store = self;
  watch->changed = changed;
  watch->data = data;
  watch->monitors = g_ptr_array_new_with_free_func (g_object_unref);
  watch->watched = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, NULL);
  self->watch = watch;
  watch_folder (watch, self->jobs);
  watch_folder (watch, self->objects);
  watch->left = g_dir_open (self->objects, 0, NULL);
  if (watch->left != NULL && watch_some (watch))
    watch->watching = g_idle_add_full (G_PRIORITY_LOW, on_watching, watch, NULL);
}
