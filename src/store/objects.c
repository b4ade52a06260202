#include "store/objects.h"

#include "base/plain-file.h"
#include "base/write.h"
#include "profile/save-file.h"
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define BLOCK (64 * 1024)
#define PACKED_MAX (512 * 1024 * 1024) /* bytes */
#define UNPACKED_MAX ((gsize) G_MAXUINT32 - BLOCK) /* bytes; an array has no room for more */

char *
wp_object_path (const char *objects, const char *sha1)
{
  return g_strdup_printf ("%s/%.2s/%s", objects, sha1, sha1 + 2);
}

/* --- writing ---------------------------------------------------------------------------------------------------------- */

/* Feeds all of `data` and writes what comes out. 0, or an errno. */
static int
deflate_to (z_stream *stream, int fd, const char *data, gsize n, gboolean last)
{
  guint8 block[BLOCK];
  int code = 0;

  do
    {
      guint part = (guint) MIN (n, (gsize) 1 << 30);

      stream->next_in = (Bytef *) (gpointer) data;
      stream->avail_in = part;
      data += part;
      n -= part;
      do
        {
          stream->next_out = block;
          stream->avail_out = sizeof block;
          deflate (stream, last && n == 0 ? Z_FINISH : Z_NO_FLUSH);
          code = wp_write_all (fd, block, sizeof block - stream->avail_out);
        }
      while (code == 0 && stream->avail_out == 0);
    }
  while (code == 0 && n > 0);
  return code;
}

static gboolean
write_object (const char *path, const char *head, const GString *text, GError **error)
{
  WpSaveFile file;
  z_stream stream = { 0 };
  int code;

  if (!wp_save_file_open (&file, path, error))
    return FALSE;
  if (deflateInit (&stream, Z_DEFAULT_COMPRESSION) != Z_OK)
    g_error ("zlib: out of memory");
  code = deflate_to (&stream, file.fd, head, strlen (head) + 1, FALSE);
  if (code == 0)
    code = deflate_to (&stream, file.fd, text->str, text->len, TRUE);
  deflateEnd (&stream);
  return wp_save_file_commit (&file, code, error);
}

/* --- reading ---------------------------------------------------------------------------------------------------------- */

static gboolean
damaged (GError **error, const char *path, const char *what)
{
  g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_DAMAGED, "%s: the object is damaged: %s", path, what);
  return FALSE;
}

/* What comes out, up to `most` bytes or so, or to where the stream ends or breaks off. */
static gboolean
inflate_some (const char *path, const char *packed, gsize n, gsize most, GByteArray *out, gboolean *ended, GError **error)
{
  z_stream stream = { 0 };
  guint8 block[BLOCK];
  int code;

  if (inflateInit (&stream) != Z_OK)
    g_error ("zlib: out of memory");
  stream.next_in = (Bytef *) (gpointer) packed;
  stream.avail_in = (guint) MIN (n, (gsize) G_MAXUINT32);
  do
    {
      stream.next_out = block;
      stream.avail_out = sizeof block;
      code = inflate (&stream, Z_NO_FLUSH);
      g_byte_array_append (out, block, (guint) (sizeof block - stream.avail_out));
    }
  while (code == Z_OK && out->len < most);
  inflateEnd (&stream);
  *ended = code != Z_OK;
  return (code != Z_DATA_ERROR && code != Z_NEED_DICT && code != Z_MEM_ERROR) || damaged (error, path, "it cannot be unpacked");
}

static char *
copy_text (const GByteArray *all, const char *text, gsize *n)
{
  char *copy;

  *n = all->len - (gsize) (text - (const char *) all->data);
  copy = g_malloc (*n + 1);
  memcpy (copy, text, *n);
  copy[*n] = '\0';
  return copy;
}

static gboolean
read_packed (const char *path, char **packed, gsize *n, GError **error)
{
  g_autoptr (GError) problem = NULL;

  *packed = wp_plain_file_read (path, PACKED_MAX, n, &problem);
  if (*packed != NULL)
    return TRUE;
  if (g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_DAMAGED, "%s: the object is missing; bring it back from a copy of the store, or register the "
                 "profile again", path);
  else
    g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}

char *
wp_object_peek (const char *path, gsize most, gsize *n, gboolean *whole, GError **error)
{
  g_autofree char *packed = NULL;
  g_autoptr (GByteArray) all = g_byte_array_new ();
  const char *text;
  gsize n_packed;

  if (!read_packed (path, &packed, &n_packed, error)
      || !inflate_some (path, packed, n_packed, MIN (most, UNPACKED_MAX), all, whole, error))
    return NULL;
  text = all->len > 0 ? memchr (all->data, '\0', all->len) : NULL;
  if (text != NULL)
    return copy_text (all, text + 1, n);
  damaged (error, path, "it does not begin as a profile does");
  return NULL;
}

/* Where the text begins; NULL when the head is not what it should be. */
static const char *
check_head (const char *path, const GByteArray *all, GError **error)
{
  static const char *const types[] = { "memory", "mixed", "time", NULL };
  const char *data = (const char *) all->data, *text = all->len > 0 ? memchr (data, '\0', all->len) : NULL;
  g_auto (GStrv) words = text != NULL ? g_strsplit (data, " ", 4) : NULL;
  guint64 length;

  if (text == NULL || g_strv_length (words) != 3 || !g_str_equal (words[0], "profile") || !g_strv_contains (types, words[1])
      || !g_ascii_string_to_unsigned (words[2], 10, 0, UNPACKED_MAX, &length, NULL))
    {
      damaged (error, path, "it does not begin as a profile does");
      return NULL;
    }
  text++;
  if ((guint64) g_utf8_strlen (text, (gssize) (all->len - (gsize) (text - data))) != length)
    {
      damaged (error, path, "it is not as long as it says");
      return NULL;
    }
  return text;
}

static gboolean
check_sha1 (const char *path, const GByteArray *all, const char *sha1, GError **error)
{
  g_autofree char *found = g_compute_checksum_for_data (G_CHECKSUM_SHA1, all->data, all->len);

  return g_str_equal (found, sha1) || damaged (error, path, "its content is not what its name says");
}

char *
wp_object_read (const char *path, const char *sha1, gsize *n, GError **error)
{
  g_autofree char *packed = NULL;
  g_autoptr (GByteArray) all = g_byte_array_new ();
  const char *text;
  gsize n_packed;
  gboolean ended;

  if (!read_packed (path, &packed, &n_packed, error)
      || !inflate_some (path, packed, n_packed, UNPACKED_MAX, all, &ended, error)
      || (!ended && !damaged (error, path, "it is too large")) || (text = check_head (path, all, error)) == NULL
      || !check_sha1 (path, all, sha1, error))
    return NULL;
  return copy_text (all, text, n);
}

/* --- keeping ---------------------------------------------------------------------------------------------------------- */

static gboolean
is_whole (const char *path, const char *sha1)
{
  gsize n;
  g_autofree char *text = access (path, F_OK) == 0 ? wp_object_read (path, sha1, &n, NULL) : NULL;

  return text != NULL;
}

/* A new folder outlives a crash only when the one that holds it is synced. */
static gboolean
make_folder (const char *objects, const char *folder, GError **error)
{
  int fd;

  if (mkdir (folder, 0777) == 0)
    {
      fd = open (objects, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      if (fd >= 0)
        {
          fsync (fd);
          close (fd);
        }
      return TRUE;
    }
  if (errno == EEXIST || (errno == ENOENT && g_mkdir_with_parents (folder, 0777) == 0))
    return TRUE;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (errno), "%s: %s", folder, g_strerror (errno));
  return FALSE;
}

/* What a program that was killed left behind: ".NAME.XXXXXX", which wp_save_file_open() makes. Whoever writes now has the lock, so
 * nobody is at work on it. */
static void
remove_leftovers (const char *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (name[0] == '.' && strspn (name + 1, "0123456789abcdef") == 38 && name[39] == '.' && strlen (name) == 46)
      {
        g_autofree char *path = g_build_filename (folder, name, NULL);

        unlink (path);
      }
  if (dir != NULL)
    g_dir_close (dir);
}

/* A file of a user's may be a link, and what it leads to is written then. In a store that would be any file that a stranger chose. */
static gboolean
check_link (const char *path, GError **error)
{
  if (!g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    return TRUE;
  g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_DAMAGED, "%s: a symbolic link; nothing is written through it", path);
  return FALSE;
}

gboolean
wp_object_prepare (const char *objects, const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);

  if (!check_link (path, error) || !make_folder (objects, folder, error))
    return FALSE;
  remove_leftovers (folder);
  return TRUE;
}

gboolean
wp_object_write (const char *objects, WpProfile *profile, char sha1[41], GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *head = NULL, *path = NULL;
  GChecksum *sum = g_checksum_new (G_CHECKSUM_SHA1);

  wp_value_write (profile->values, wp_profile_document (profile), -1, text);
  /* The text is ASCII: as many characters as bytes. */
  head = g_strdup_printf ("profile %s %" G_GSIZE_FORMAT, wp_profile_header (profile, "type"), text->len);
  g_checksum_update (sum, (const guchar *) head, (gssize) strlen (head) + 1);
  g_checksum_update (sum, (const guchar *) text->str, (gssize) text->len);
  g_strlcpy (sha1, g_checksum_get_string (sum), 41);
  g_checksum_free (sum);
  path = wp_object_path (objects, sha1);
  return is_whole (path, sha1) || (wp_object_prepare (objects, path, error) && write_object (path, head, text, error));
}
