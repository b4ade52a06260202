#include "workspace/store/stored-file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "workspace/store/store-session.h"
#include "store/objects.h"

/* zlib's first byte, and what every object begins with. */
static gboolean
is_object (const char *path)
{
  int fd = TEMP_FAILURE_RETRY (open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  char first = 0;
  gboolean packed = fd >= 0 && TEMP_FAILURE_RETRY (read (fd, &first, 1)) == 1 && first == 'x';
  g_autofree char *text = NULL;
  gboolean whole;
  gsize n;

  if (fd >= 0)
    close (fd);
  text = packed ? wp_object_peek (path, 64, &n, &whole, NULL) : NULL;
  return text != NULL && *text == '{';
}

char *
wp_stored_file_sha1 (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path), *of = g_path_get_basename (folder), *name = g_path_get_basename (path);
  g_autofree char *sha1 = g_strconcat (of, name, NULL);

  return strlen (of) == 2 && strlen (sha1) == 40 && strspn (sha1, "0123456789abcdef") == 40 ? g_steal_pointer (&sha1) : NULL;
}

char *
wp_stored_file_unpack (const char *path, GError **error)
{
  g_autofree char *folder = NULL, *sha1 = NULL, *base = NULL, *name = NULL, *text = NULL, *unpacked = NULL;
  gsize n;

  if (!is_object (path))
    return g_strdup (path);
  sha1 = wp_stored_file_sha1 (path);
  text = wp_object_read (path, sha1, &n, error);
  folder = text != NULL ? wp_store_unpacked_folder (error) : NULL;
  if (folder == NULL)
    return NULL;
  base = g_path_get_basename (path);
  name = g_strconcat ("object-", sha1 != NULL ? sha1 : base, NULL);
  unpacked = g_build_filename (folder, name, NULL);
  if (!g_file_set_contents_full (unpacked, text, (gssize) n, G_FILE_SET_CONTENTS_CONSISTENT, 0600, error))
    return NULL;
  return g_steal_pointer (&unpacked);
}
