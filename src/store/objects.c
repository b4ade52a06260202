#include "store/objects.h"

#include "base/plain-file.h"
#include "base/write.h"
#include "base/save-file.h"
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
#define HEAD_MOST 64                               /* bytes */
#define RATIO 64                                   /* profiles are packed to a tenth or so */
#define ALWAYS ((guint64) 128 << 20)               /* bytes: so much is always unpacked */

char *
wp_object_path (const char *objects, const char *sha1)
{
  return g_strdup_printf ("%s/%.2s/%s", objects, sha1, sha1 + 2);
}

/* --- errors ---------------------------------------------------------------------------------------------------------- */

static gboolean
damaged (GError **error, const char *path, const char *what)
{
  g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_DAMAGED, "%s: the object is damaged: %s", path, what);
  return FALSE;
}

/* Of a file of that size no profile is larger. */
static guint64
most_of (gsize n_packed)
{
  return MIN ((guint64) n_packed * RATIO + ALWAYS, UNPACKED_MAX);
}

static gboolean
check_size (const char *path, guint64 n, gsize n_packed, GError **error)
{
  return n <= most_of (n_packed) || damaged (error, path, "it would be larger, when unpacked, than a profile of its size can be");
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
  if (code == 0 && !check_size (path, text->len, stream.total_out, error)) /* nobody could read it again */
    {
      wp_save_file_abort (&file);
      return FALSE;
    }
  return wp_save_file_commit (&file, code, error);
}

/* --- reading ---------------------------------------------------------------------------------------------------------- */

/* What is unpacked so far. */
typedef struct
{
  const char *path;
  z_stream stream;
  GByteArray *all;
  gboolean ended; /* the stream ends here, or breaks off: Perun reads what there is */
} Unpacking;

static gboolean
unpack_begin (Unpacking *self, const char *path, const char *packed, gsize n)
{
  *self = (Unpacking) { .path = path, .all = g_byte_array_new () };
  if (inflateInit (&self->stream) != Z_OK)
    g_error ("zlib: out of memory");
  self->stream.next_in = (Bytef *) (gpointer) packed;
  self->stream.avail_in = (guint) n;
  return TRUE;
}

static void
unpack_end (Unpacking *self)
{
  inflateEnd (&self->stream);
  g_clear_pointer (&self->all, g_byte_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Unpacking, unpack_end)

/* Goes on until so many bytes are there in all, or no more come. */
static gboolean
unpack_until (Unpacking *self, gsize wanted, GError **error)
{
  int code = Z_OK;

  while (code == Z_OK && !self->ended && self->all->len < wanted)
    {
      gsize part = MIN (wanted - self->all->len, BLOCK), before = self->all->len;

      g_byte_array_set_size (self->all, (guint) (before + part));
      self->stream.next_out = self->all->data + before;
      self->stream.avail_out = (guint) part;
      code = inflate (&self->stream, Z_NO_FLUSH);
      g_byte_array_set_size (self->all, (guint) (before + part - self->stream.avail_out));
      self->ended = code != Z_OK;
    }
  return (code != Z_DATA_ERROR && code != Z_NEED_DICT && code != Z_MEM_ERROR) || damaged (error, self->path, "it cannot be unpacked");
}

/* The head: how many bytes it has with its NUL, and how many characters the text that it speaks of. */
static gboolean
unpack_head (Unpacking *self, gsize *n, guint64 *length, GError **error)
{
  static const char *const types[] = { "memory", "mixed", "time", NULL };
  gboolean done = unpack_until (self, HEAD_MOST, error);
  const char *data = (const char *) self->all->data, *nul = done && data != NULL ? memchr (data, '\0', self->all->len) : NULL;
  g_auto (GStrv) words = nul != NULL ? g_strsplit (data, " ", 4) : NULL;

  *n = nul != NULL ? (gsize) (nul + 1 - data) : 0;
  if (!done)
    return FALSE;
  return (nul != NULL && g_strv_length (words) == 3 && g_str_equal (words[0], "profile") && g_strv_contains (types, words[1])
          && g_ascii_string_to_unsigned (words[2], 10, 0, UNPACKED_MAX, length, NULL))
         || damaged (error, self->path, "it does not begin as a profile does");
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

/* Takes the text out of what was unpacked, without a copy; a NUL that does not count ends it. */
static char *
take_text (Unpacking *self, gsize head, gsize *n)
{
  char *text;

  g_byte_array_append (self->all, (const guint8 *) "", 1);
  *n = self->all->len - head - 1;
  text = (char *) g_byte_array_free (g_steal_pointer (&self->all), FALSE);
  memmove (text, text + head, *n + 1);
  return text;
}

char *
wp_object_peek (const char *path, gsize most, gsize *n, gboolean *whole, GError **error)
{
  g_autofree char *packed = NULL;
  g_auto (Unpacking) unpacking = { 0 };
  gsize n_packed, head;
  guint64 length;

  if (!read_packed (path, &packed, &n_packed, error) || !unpack_begin (&unpacking, path, packed, n_packed)
      || !unpack_head (&unpacking, &head, &length, error)
      || !unpack_until (&unpacking, MIN (most, MIN (head + 4 * length, most_of (n_packed))), error))
    return NULL;
  *whole = unpacking.ended || unpacking.all->len < most;
  return take_text (&unpacking, head, n);
}

/* All of it, as long as the head says and no longer. A character has up to four bytes. */
static gboolean
unpack_text (Unpacking *self, gsize n_packed, gsize *head, GError **error)
{
  guint64 length;

  if (!unpack_head (self, head, &length, error) || !check_size (self->path, length, n_packed, error)
      || !unpack_until (self, MIN (*head + 4 * length, most_of (n_packed)) + 1, error))
    return FALSE;
  if (self->all->len > most_of (n_packed))
    return check_size (self->path, G_MAXUINT64, n_packed, error);
  return (guint64) g_utf8_strlen ((const char *) self->all->data + *head, (gssize) (self->all->len - *head)) == length
         || damaged (error, self->path, "it is not as long as it says");
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
  g_auto (Unpacking) unpacking = { 0 };
  gsize n_packed, head;

  if (!read_packed (path, &packed, &n_packed, error) || !unpack_begin (&unpacking, path, packed, n_packed)
      || !unpack_text (&unpacking, n_packed, &head, error) || !check_sha1 (path, unpacking.all, sha1, error))
    return NULL;
  return take_text (&unpacking, head, n);
}

/* --- keeping ---------------------------------------------------------------------------------------------------------- */

static gboolean
is_whole (const char *path, const char *sha1)
{
  gsize n;
  g_autofree char *text = access (path, F_OK) == 0 ? wp_object_read (path, sha1, &n, NULL) : NULL;

  return text != NULL;
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
wp_object_prepare (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);

  return check_link (path, error) && wp_save_folder (folder, error);
}

gboolean
wp_object_sync (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);

  return wp_save_sync (path, error) && wp_save_sync_folder (folder, error);
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
  if (is_whole (path, sha1))
    return wp_object_sync (path, error);
  return wp_object_prepare (path, error) && write_object (path, head, text, error);
}
