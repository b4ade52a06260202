/* Which commits have profiles: those whose index lies among the objects, told from an object by its first bytes. */
#include "store/store-private.h"

#include "base/hash.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define N_FOLDERS 256
#define SETTLED_SECONDS 2 /* a folder that changed less than this ago may change within the same tick, or a file in it be half written */

typedef struct
{
  struct timespec changed; /* 0: read again */
  GPtrArray *minors;       /* char *, full hashes */
} Folder;

struct WpStoreMinors
{
  Folder folders[N_FOLDERS];
};

void
wp_store_minors_free (WpStoreMinors *self)
{
  for (guint i = 0; self != NULL && i < N_FOLDERS; i++)
    g_clear_pointer (&self->folders[i].minors, g_ptr_array_unref);
  g_free (self);
}

static gboolean
is_index (int folder, const char *name)
{
  char magic[4];
  int fd = TEMP_FAILURE_RETRY (openat (folder, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | O_NOFOLLOW));
  gboolean same = fd >= 0 && TEMP_FAILURE_RETRY (read (fd, magic, sizeof magic)) == sizeof magic && memcmp (magic, "pidx", sizeof magic) == 0;

  if (fd >= 0)
    close (fd);
  return same;
}

/* What was read before says it of the same file. */
static gboolean
is_minor (const WpStore *store, int folder, const struct dirent *file, const char *hash)
{
  WpStoreKeptKind kind = store->kept != NULL ? wp_store_kept_kind (store->kept, hash, file->d_ino) : WP_STORE_KEPT_UNKNOWN;

  return kind == WP_STORE_KEPT_INDEX || (kind == WP_STORE_KEPT_UNKNOWN && is_index (folder, file->d_name));
}

static void
read_folder (Folder *self, const WpStore *store, const char *path, const char *prefix)
{
  DIR *dir = opendir (path);
  const struct dirent *file;
  char hash[41];

  g_clear_pointer (&self->minors, g_ptr_array_unref);
  self->minors = g_ptr_array_new_with_free_func (g_free);
  while (dir != NULL && (file = readdir (dir)) != NULL)
    {
      if (strspn (file->d_name, "0123456789abcdef") != 38 || file->d_name[38] != '\0')
        continue;
      g_snprintf (hash, sizeof hash, "%s%s", prefix, file->d_name);
      if (is_minor (store, dirfd (dir), file, hash))
        g_ptr_array_add (self->minors, g_strdup (hash));
    }
  if (dir != NULL)
    closedir (dir);
}

static gboolean
same_time (const struct timespec *a, const struct timespec *b)
{
  return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* What was read counts as long as no file came into the folder or went. */
static void
add_folder (WpStore *self, guint number, GHashTable *minors)
{
  g_autofree char *prefix = g_strdup_printf ("%02x", number), *path = g_build_filename (self->objects, prefix, NULL);
  Folder *folder = &self->minors->folders[number];
  struct stat st;

  if (stat (path, &st) != 0)
    return;
  if (folder->minors == NULL || !same_time (&folder->changed, &st.st_mtim))
    {
      read_folder (folder, self, path, prefix);
      folder->changed = g_get_real_time () / G_USEC_PER_SEC - st.st_mtim.tv_sec > SETTLED_SECONDS ? st.st_mtim : (struct timespec) { 0 };
    }
  for (guint i = 0; i < folder->minors->len; i++)
    g_hash_table_add (minors, g_strdup (folder->minors->pdata[i]));
}

GHashTable *
wp_store_minors (WpStore *self, GError **error)
{
  GHashTable *minors;
  GDir *dir = g_dir_open (self->objects, 0, error);

  if (dir == NULL)
    return NULL;
  g_dir_close (dir);
  if (self->minors == NULL)
    self->minors = g_new0 (WpStoreMinors, 1);
  minors = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, NULL);
  for (guint i = 0; i < N_FOLDERS; i++)
    add_folder (self, i, minors);
  return minors;
}
