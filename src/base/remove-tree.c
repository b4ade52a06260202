/* The tree is walked with one descriptor, going down by name and up by "..", so that neither its depth nor its breadth has a limit.
 * Each folder is read once: what is no folder goes at once, what is one waits in a list. */
#include "base/remove-tree.h"

#include "base/file-id.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *name;         /* in the folder above */
  WpFileId id;
  GPtrArray *folders; /* char *: names of folders that are still in it */
} Level;

typedef struct
{
  int at;         /* the folder of the last level; of the parent where there is none */
  WpFileId parent;
  GArray *levels; /* Level, outermost first */
} Walk;

static void
clear_level (gpointer data)
{
  Level *level = data;

  g_free (level->name);
  g_ptr_array_unref (level->folders);
}

static gboolean
fail (const Walk *self, const char *name, int code, GError **error)
{
  g_autoptr (GString) path = g_string_new (NULL);

  for (guint i = 0; i < self->levels->len; i++)
    g_string_append_printf (path, "%s/", g_array_index (self->levels, Level, i).name);
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s%s: cannot be removed: %s", path->str, name, g_strerror (code));
  return FALSE;
}

static gboolean
is_folder (int fd, const struct dirent *entry)
{
  struct stat st;

  if (entry->d_type != DT_UNKNOWN)
    return entry->d_type == DT_DIR;
  return fstatat (fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR (st.st_mode);
}

/* Of the folder at hand: leaves folders only, and lists them. */
static gboolean
remove_files (Walk *self, GPtrArray *folders, GError **error)
{
  int copy = fcntl (self->at, F_DUPFD_CLOEXEC, 0);
  DIR *list = copy >= 0 ? fdopendir (copy) : NULL;
  const struct dirent *entry;
  gboolean done = list != NULL || fail (self, "", errno, error);

  if (list == NULL && copy >= 0)
    close (copy);
  while (done && (entry = readdir (list)) != NULL)
    if (g_str_equal (entry->d_name, ".") || g_str_equal (entry->d_name, ".."))
      continue;
    else if (is_folder (self->at, entry))
      g_ptr_array_add (folders, g_strdup (entry->d_name));
    else if (unlinkat (self->at, entry->d_name, 0) != 0 && errno != ENOENT)
      done = fail (self, entry->d_name, errno, error);
  if (list != NULL)
    closedir (list);
  return done;
}

static gboolean
check (const Walk *self, const char *name, int fd, WpFileId *id, GError **error)
{
  if (!wp_file_id (fd, id))
    return fail (self, name, errno, error);
  /* What a build has unpacked as root may be anybody's; what holds it is ours, and nobody else reaches into it. */
  if (self->levels->len == 0 && id->owner != geteuid ())
    return fail (self, name, EPERM, error);
  if (id->device != self->parent.device || id->mount != self->parent.mount)
    return fail (self, name, EXDEV, error);
  /* A build may leave folders that not even their owner may write to. */
  if ((id->mode & 0700) != 0700 && fchmod (fd, 0700) != 0)
    return fail (self, name, errno, error);
  return TRUE;
}

static gboolean
enter (Walk *self, const char *name, GError **error)
{
  Level level = { .name = g_strdup (name), .folders = g_ptr_array_new_with_free_func (g_free) };
  int fd = TEMP_FAILURE_RETRY (openat (self->at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  gboolean done = fd >= 0 ? check (self, name, fd, &level.id, error) : errno == ENOENT || fail (self, name, errno, error);

  if (fd < 0 || !done)
    {
      if (fd >= 0)
        close (fd);
      clear_level (&level);
      return done;
    }
  close (self->at);
  self->at = fd;
  g_array_append_val (self->levels, level);
  return remove_files (self, level.folders, error);
}

/* Somebody may have moved the folder meanwhile: then what is above is another one. */
static gboolean
leave (Walk *self, GError **error)
{
  guint n = self->levels->len;
  const Level *level = &g_array_index (self->levels, Level, n - 1);
  const WpFileId *above = n > 1 ? &g_array_index (self->levels, Level, n - 2).id : &self->parent;
  g_autofree char *name = g_strdup (level->name);
  int fd = TEMP_FAILURE_RETRY (openat (self->at, "..", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  WpFileId id;

  if (fd < 0)
    return fail (self, "..", errno, error);
  close (self->at);
  self->at = fd;
  if (!wp_file_id (fd, &id) || !wp_file_id_equal (&id, above))
    return fail (self, "..", ESTALE, error);
  g_array_set_size (self->levels, n - 1);
  return unlinkat (self->at, name, AT_REMOVEDIR) == 0 || errno == ENOENT || fail (self, name, errno, error);
}

gboolean
wp_remove_tree (int parent, const char *name, GError **error)
{
  Walk self = { .at = fcntl (parent, F_DUPFD_CLOEXEC, 0), .levels = g_array_new (FALSE, FALSE, sizeof (Level)) };
  gboolean done;

  g_array_set_clear_func (self.levels, clear_level);
  done = (self.at >= 0 && wp_file_id (self.at, &self.parent)) || fail (&self, name, errno, error);
  done = done && enter (&self, name, error);
  while (done && self.levels->len > 0)
    {
      GPtrArray *folders = g_array_index (self.levels, Level, self.levels->len - 1).folders;

      if (folders->len > 0)
        {
          g_autofree char *next = g_ptr_array_steal_index_fast (folders, folders->len - 1);

          done = enter (&self, next, error);
        }
      else
        done = leave (&self, error);
    }
  g_array_unref (self.levels);
  if (self.at >= 0)
    close (self.at);
  return done;
}

void
wp_remove_made_folder (const char *path)
{
  g_autofree char *above = path != NULL ? g_path_get_dirname (path) : NULL, *name = path != NULL ? g_path_get_basename (path) : NULL;
  int fd = above != NULL ? TEMP_FAILURE_RETRY (open (above, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) : -1;

  if (fd < 0)
    return;
  wp_remove_tree (fd, name, NULL);
  close (fd);
}
