#include "store/kept-file.h"

#include "config.h"

#include "base/file-id.h"
#include "base/hidden-file.h"
#include "base/own-folder.h"
#include "base/plain-file.h"
#include "base/write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define FOLDER "kept"
#define LARGEST ((gsize) 256 << 20)    /* bytes of a file: some two million commits */
#define ALL_LARGEST ((guint64) 1 << 30) /* bytes of all of them */
#define TITLE_MOST ((gsize) 64 << 10)   /* bytes before the columns */
#define PART 8                          /* bytes */

/* --- what it is of -------------------------------------------------------------------------------------------------------- */

/* All that a file must have in common with who reads it. NULL: the folder cannot be looked at. */
static char *
title_of (const WpKeptFile *self)
{
  int fd = TEMP_FAILURE_RETRY (open (self->place, O_PATH | O_DIRECTORY | O_CLOEXEC));
  char *real = realpath (self->place, NULL);
  GString *title = NULL;
  WpFileId id;

  if (fd >= 0 && real != NULL && wp_file_id (fd, &id))
    {
      title = g_string_new (NULL);
      g_string_append_printf (title, "wakepath %s %s %u\n%s\n", WP_VERSION, self->kind, G_BYTE_ORDER, real);
      wp_file_id_append (&id, title);
      for (guint i = 0; i < self->n_columns; i++)
        g_string_append_printf (title, "%u ", self->columns[i].row);
    }
  if (fd >= 0)
    close (fd);
  free (real);
  return title != NULL ? g_string_free (title, FALSE) : NULL;
}

/* One for each place: of a repository that comes into the place of another one. */
static char *
path_in (const WpOwnFolder *folder, const WpKeptFile *self)
{
  char *real = realpath (self->place, NULL);
  g_autofree char *sum = g_compute_checksum_for_string (G_CHECKSUM_SHA1, real != NULL ? real : "", -1);
  g_autofree char *kind = g_strndup (self->kind, strcspn (self->kind, " "));

  free (real);
  return g_strdup_printf ("%s/%s-%s", folder->path, kind, sum);
}

/* --- reading -------------------------------------------------------------------------------------------------------------- */

static gsize
padded (gsize n)
{
  return (n + PART - 1) / PART * PART;
}

/* The next part of so many bytes; NULL: there are fewer. */
static const char *
take (const char *data, gsize n, gsize *at, guint64 wanted)
{
  const char *part = data + *at;

  if (wanted > n - *at || padded (wanted) > n - *at)
    return NULL;
  *at += padded (wanted);
  return part;
}

static guint32
sum_of (const char *data, gsize n)
{
  return (guint32) crc32_z (0, (const Bytef *) (gconstpointer) data, n);
}

/* `n`: of all but the sum. */
static gboolean
read_columns (const WpKeptFile *self, const char *title, const char *data, gsize n)
{
  gsize at = 0, n_title = strlen (title) + 1;
  const char *head = take (data, n, &at, n_title), *counts;

  if (head == NULL || memcmp (head, title, n_title) != 0 || (counts = take (data, n, &at, 4 * self->n_columns)) == NULL)
    return FALSE;
  for (guint i = 0; i < self->n_columns; i++)
    {
      const WpKeptColumn *column = &self->columns[i];
      const char *rows;
      guint32 count;

      memcpy (&count, counts + 4 * i, sizeof count);
      rows = take (data, n, &at, (guint64) count * column->row);
      if (rows == NULL)
        return FALSE;
      *column->data = g_malloc_n (MAX (count, 1), column->row);
      memcpy (*column->data, rows, (gsize) count * column->row);
      *column->len = count;
      *column->cap = MAX (count, 1);
    }
  return at == n;
}

static void
clear_columns (const WpKeptFile *self)
{
  for (guint i = 0; i < self->n_columns; i++)
    {
      g_clear_pointer (self->columns[i].data, g_free);
      *self->columns[i].len = *self->columns[i].cap = 0;
    }
}

static gboolean
is_sound (const char *data, gsize n)
{
  guint32 sum;

  if (n < sizeof sum)
    return FALSE;
  memcpy (&sum, data + n - sizeof sum, sizeof sum);
  return sum == sum_of (data, n - sizeof sum);
}

gboolean
wp_kept_file_load (const WpKeptFile *self)
{
  g_auto (WpOwnFolder) folder = WP_OWN_FOLDER_NONE;
  g_autofree char *title = title_of (self), *path = NULL, *data = NULL;
  gsize n;

  if (title == NULL || !wp_own_folder_exists (WP_OWN_CACHE, FOLDER) || !wp_own_folder_open (&folder, WP_OWN_CACHE, FOLDER, NULL))
    return FALSE;
  path = path_in (&folder, self);
  data = wp_plain_file_read (path, LARGEST, &n, NULL);
  if (data == NULL || !is_sound (data, n))
    return FALSE;
  if (!read_columns (self, title, data, n - 4))
    {
      clear_columns (self);
      return FALSE;
    }
  utimensat (AT_FDCWD, path, NULL, 0); /* it was used */
  return TRUE;
}

/* --- writing -------------------------------------------------------------------------------------------------------------- */

static void
put (GByteArray *out, gconstpointer data, gsize n)
{
  static const guint8 zeros[PART];

  g_byte_array_append (out, data, (guint) n);
  g_byte_array_append (out, zeros, (guint) (padded (n) - n));
}

static gsize
size_of (const WpKeptFile *self)
{
  gsize n = 0;

  for (guint i = 0; i < self->n_columns; i++)
    n += padded ((gsize) *self->columns[i].len * self->columns[i].row);
  return n;
}

static GByteArray *
bytes_of (const WpKeptFile *self, const char *title)
{
  gsize n = size_of (self);
  GByteArray *out = g_byte_array_sized_new ((guint) (n + TITLE_MOST));
  g_autofree guint32 *counts = g_new (guint32, self->n_columns);
  guint32 sum;

  for (guint i = 0; i < self->n_columns; i++)
    counts[i] = *self->columns[i].len;
  put (out, title, strlen (title) + 1);
  put (out, counts, sizeof *counts * self->n_columns);
  for (guint i = 0; i < self->n_columns; i++)
    put (out, *self->columns[i].data, (gsize) *self->columns[i].len * self->columns[i].row);
  sum = sum_of ((const char *) out->data, out->len);
  g_byte_array_append (out, (const guint8 *) &sum, sizeof sum);
  return out;
}

/* Not synced: one that is torn does not fit its sum. */
static void
write_file (const char *path, const GByteArray *bytes)
{
  g_autofree char *aside = NULL;
  int fd = wp_hidden_file_open (path, 0600, &aside);

  if (fd < 0)
    return;
  if (wp_write_all (fd, bytes->data, bytes->len) != 0 || rename (aside, path) != 0)
    unlink (aside);
  close (fd);
}

typedef struct
{
  char *path;
  struct timespec used;
  guint64 size;
} Kept;

static void
clear_kept (gpointer kept)
{
  g_free (((Kept *) kept)->path);
}

static int
compare_uses (gconstpointer a, gconstpointer b)
{
  const struct timespec *x = &((const Kept *) a)->used, *y = &((const Kept *) b)->used;

  return x->tv_sec != y->tv_sec ? (x->tv_sec > y->tv_sec) - (x->tv_sec < y->tv_sec) : (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Those of folders that are gone are never used again. */
static void
remove_oldest (const WpOwnFolder *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder->path, 0, NULL);
  g_autoptr (GArray) files = g_array_new (FALSE, FALSE, sizeof (Kept));
  guint64 all = 0;
  const char *name;

  g_array_set_clear_func (files, clear_kept);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder->path, name, NULL);
      struct stat st;

      if (*name == '.' || lstat (path, &st) != 0 || !S_ISREG (st.st_mode))
        continue;
      g_array_append_val (files, ((Kept) { g_steal_pointer (&path), st.st_mtim, (guint64) st.st_size }));
      all += (guint64) st.st_size;
    }
  g_array_sort (files, compare_uses);
  for (guint i = 0; i < files->len && all > ALL_LARGEST; i++)
    {
      const Kept *file = &g_array_index (files, Kept, i);

      unlink (file->path);
      all -= file->size;
    }
}

void
wp_kept_file_save (const WpKeptFile *self)
{
  g_auto (WpOwnFolder) folder = WP_OWN_FOLDER_NONE;
  g_autofree char *title = title_of (self), *path = NULL;
  g_autoptr (GByteArray) bytes = NULL;

  if (title == NULL || !wp_own_folder_open (&folder, WP_OWN_CACHE, FOLDER, NULL))
    return;
  path = path_in (&folder, self);
  if (size_of (self) > LARGEST - TITLE_MOST)
    {
      unlink (path);
      return;
    }
  bytes = bytes_of (self, title);
  write_file (path, bytes);
  remove_oldest (&folder);
}
