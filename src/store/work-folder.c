#include "store/work-folder.h"

#include "base/remove-tree.h"
#include "base/write.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define KIND "ranges" /* of our folders */
#define PREFIX "wakepath-"
#define RECORD_MOST (64 * 1024) /* bytes; two paths, each byte of them as three */

struct WpWorkFolder
{
  WpOwnFolder above, records; /* that hold the folder, and the record */
  WpOwnFolder folder;         /* fd -1: it is gone */
  char *name;
  int record;                 /* locked */
  char *repository;
  WpFileId id, repository_id;
  gboolean keep;
};

/* --- the record ---------------------------------------------------------------------------------------------------------- */

#define GROUP "work folder"

static void
put_id (GKeyFile *file, const char *prefix, const WpFileId *id)
{
  const struct
  {
    const char *key;
    guint64 value;
  } rows[] = { { "device", id->device }, { "inode", id->inode }, { "born", (guint64) id->born } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *key = g_strconcat (prefix, rows[i].key, NULL);

      g_key_file_set_uint64 (file, GROUP, key, rows[i].value);
    }
}

static gboolean
get_id (GKeyFile *file, const char *prefix, WpFileId *id)
{
  guint64 born = 0;
  const struct
  {
    const char *key;
    guint64 *value;
  } rows[] = { { "device", &id->device }, { "inode", &id->inode }, { "born", &born } };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *key = g_strconcat (prefix, rows[i].key, NULL);
      g_autoptr (GError) error = NULL;

      *rows[i].value = g_key_file_get_uint64 (file, GROUP, key, &error);
      if (error != NULL)
        return FALSE;
    }
  id->born = (gint64) born;
  return TRUE;
}

/* Paths may hold any byte: as URIs they are text. */
static void
put_path (GKeyFile *file, const char *key, const char *path)
{
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);

  g_key_file_set_value (file, GROUP, key, uri != NULL ? uri : "");
}

static char *
get_path (GKeyFile *file, const char *key)
{
  g_autofree char *uri = g_key_file_get_value (file, GROUP, key, NULL);

  return uri != NULL ? g_filename_from_uri (uri, NULL, NULL) : NULL;
}

static gboolean
write_record (const WpWorkFolder *self, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *text = NULL;
  gsize n;
  int code;

  put_path (file, "path", self->folder.path);
  put_id (file, "", &self->id);
  put_path (file, "repository", self->repository);
  put_id (file, "repository-", &self->repository_id);
  text = g_key_file_to_data (file, &n, NULL);
  code = wp_write_all (self->record, text, n);
  /* What follows must not be on the disk without it. */
  if (code == 0 && fsync (self->record) == 0)
    return TRUE;
  code = code != 0 ? code : errno;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s/%s: %s", self->records.path, self->name, g_strerror (code));
  return FALSE;
}

/* FALSE: it was never finished, or is none of ours. */
static gboolean
read_record (WpWorkFolder *self)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *text = g_malloc (RECORD_MOST), *path = NULL, *expected = g_build_filename (self->above.path, self->name, NULL);
  gssize n = TEMP_FAILURE_RETRY (pread (self->record, text, RECORD_MOST, 0));

  if (n <= 0 || n == RECORD_MOST || !g_key_file_load_from_data (file, text, (gsize) n, G_KEY_FILE_NONE, NULL))
    return FALSE;
  path = get_path (file, "path");
  self->repository = get_path (file, "repository");
  return g_strcmp0 (path, expected) == 0 && self->repository != NULL && get_id (file, "", &self->id)
         && get_id (file, "repository-", &self->repository_id);
}

/* FALSE: whoever made it is at work, or is just removing it. */
static gboolean
lock_record (WpWorkFolder *self)
{
  struct stat st;

  return flock (self->record, LOCK_EX | LOCK_NB) == 0 && fstat (self->record, &st) == 0 && S_ISREG (st.st_mode) && st.st_nlink > 0
         && st.st_uid == geteuid ();
}

/* --- making -------------------------------------------------------------------------------------------------------------- */

static WpWorkFolder *
open_ours (GError **error)
{
  WpWorkFolder *self = g_new0 (WpWorkFolder, 1);

  self->record = -1;
  self->above = self->records = self->folder = WP_OWN_FOLDER_NONE;
  if (wp_own_folder_open (&self->above, WP_OWN_CACHE, KIND, error) && wp_own_folder_open (&self->records, WP_OWN_STATE, KIND, error))
    return self;
  wp_work_folder_free (self);
  return NULL;
}

/* Frees what is in memory, and nothing else. */
static void
forget (WpWorkFolder *self)
{
  wp_own_folder_clear (&self->folder);
  wp_own_folder_clear (&self->above);
  wp_own_folder_clear (&self->records);
  if (self->record >= 0)
    close (self->record); /* and the lock is gone */
  g_free (self->name);
  g_free (self->repository);
  g_free (self);
}

static gboolean
fail (const char *folder, const char *name, GError **error)
{
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s/%s: %s", folder, name, g_strerror (errno));
  return FALSE;
}

/* A cleaner may have locked it first, and takes it for what a crash left: then it has no name any more. */
static gboolean
make_record (WpWorkFolder *self, GError **error)
{
  do
    {
      if (self->record >= 0)
        close (self->record);
      g_free (self->name);
      self->name = g_strdup_printf (PREFIX "%08x%08x", g_random_int (), g_random_int ());
      self->record = TEMP_FAILURE_RETRY (openat (self->records.fd, self->name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
      if (self->record < 0 && errno != EEXIST)
        return fail (self->records.path, self->name, error);
    }
  while (self->record < 0 || !lock_record (self));
  return TRUE;
}

static gboolean
make_folder (WpWorkFolder *self, GError **error)
{
  if (mkdirat (self->above.fd, self->name, 0700) != 0 || !wp_own_folder_below (&self->folder, &self->above, self->name)
      || !wp_file_id (self->folder.fd, &self->id))
    return fail (self->above.path, self->name, error);
  return TRUE;
}

static gboolean
identify_repository (WpWorkFolder *self, GError **error)
{
  int fd = TEMP_FAILURE_RETRY (open (self->repository, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  gboolean done = fd >= 0 && wp_file_id (fd, &self->repository_id);

  if (!done)
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", self->repository, g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return done;
}

WpWorkFolder *
wp_work_folder_new (const char *repository, GError **error)
{
  WpWorkFolder *self = open_ours (error);

  if (self == NULL)
    return NULL;
  self->repository = g_strdup (repository);
  if (identify_repository (self, error) && make_record (self, error) && make_folder (self, error) && write_record (self, error))
    return self;
  wp_work_folder_free (self);
  return NULL;
}

/* --- what is known of it ------------------------------------------------------------------------------------------------- */

const char *
wp_work_folder_path (const WpWorkFolder *self)
{
  return self->folder.path;
}

int
wp_work_folder_fd (const WpWorkFolder *self)
{
  return self->folder.fd;
}

const char *
wp_work_folder_name (const WpWorkFolder *self)
{
  return self->name;
}

char *
wp_work_folder_tree (const WpWorkFolder *self)
{
  return g_build_filename (self->above.path, self->name, WP_WORK_TREE, NULL);
}

const char *
wp_work_folder_repository_path (const WpWorkFolder *self)
{
  return self->repository;
}

int
wp_work_folder_repository (const WpWorkFolder *self, GError **error)
{
  int fd = TEMP_FAILURE_RETRY (open (self->repository, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  WpFileId id;

  if (fd >= 0 && wp_file_id (fd, &id) && wp_file_id_equal (&id, &self->repository_id))
    return fd;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "%s: the repository is not there any more", self->repository);
  if (fd >= 0)
    close (fd);
  return -1;
}

void
wp_work_folder_unlink (const WpWorkFolder *self, const char *name)
{
  unlinkat (self->folder.fd, name, 0);
}

/* --- removing ------------------------------------------------------------------------------------------------------------ */

/* Another one that has come into its place is not ours. */
static void
find_folder (WpWorkFolder *self)
{
  WpFileId id;

  wp_own_folder_clear (&self->folder);
  if (wp_own_folder_below (&self->folder, &self->above, self->name)
      && (!wp_file_id (self->folder.fd, &id) || !wp_file_id_equal (&id, &self->id)))
    wp_own_folder_clear (&self->folder);
}

static void
remove_all (WpWorkFolder *self)
{
  g_autoptr (GError) error = NULL;

  find_folder (self);
  if (self->folder.fd < 0 || wp_remove_tree (self->above.fd, self->name, &error))
    unlinkat (self->records.fd, self->name, 0);
  else
    g_info ("%s/%s", self->above.path, error->message);
}

void
wp_work_folder_keep (WpWorkFolder *self)
{
  self->keep = TRUE;
}

void
wp_work_folder_free (WpWorkFolder *self)
{
  if (self == NULL)
    return;
  if (self->record >= 0 && !self->keep)
    remove_all (self);
  forget (self);
}

/* --- after crashes ------------------------------------------------------------------------------------------------------- */

/* One whose maker is gone, locked by us from now on; NULL: none. */
static WpWorkFolder *
take_over (const char *name)
{
  WpWorkFolder *self = open_ours (NULL);

  if (self == NULL)
    return NULL;
  self->name = g_strdup (name);
  self->record = TEMP_FAILURE_RETRY (openat (self->records.fd, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (self->record >= 0 && lock_record (self))
    {
      if (read_record (self))
        {
          find_folder (self);
          return self;
        }
      /* The crash came before there was anything in the folder. */
      unlinkat (self->above.fd, name, AT_REMOVEDIR);
      unlinkat (self->records.fd, name, 0);
    }
  forget (self);
  return NULL;
}

void
wp_work_folders_clean (WpWorkFolderFunc before)
{
  g_auto (WpOwnFolder) records = WP_OWN_FOLDER_NONE;
  DIR *list = wp_own_folder_open (&records, WP_OWN_STATE, KIND, NULL) ? fdopendir (records.fd) : NULL;
  const struct dirent *entry;

  if (list == NULL)
    return;
  records.fd = -1; /* is the list's now */
  while ((entry = readdir (list)) != NULL)
    {
      g_autoptr (WpWorkFolder) left = g_str_has_prefix (entry->d_name, PREFIX) ? take_over (entry->d_name) : NULL;

      if (left != NULL)
        before (left);
    }
  closedir (list);
}
