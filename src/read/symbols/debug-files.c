#include "read/symbols/debug-files.h"

#include "read/symbols/builds.h"

#include <fcntl.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <zlib.h>

#define DEBUG_FOLDER "/usr/lib/debug"
#define MINI_MAX (64 * 1024 * 1024) /* unpacked .gnu_debugdata: the largest are below 10 MiB */

/* --- by build id -------------------------------------------------------------------------------------------------- */

char *
wp_debuginfod_folder (void)
{
  const char *folder = g_getenv ("DEBUGINFOD_CACHE_PATH");
  g_autofree char *old = g_build_filename (g_get_home_dir (), ".debuginfod_client_cache", NULL);

  if (folder != NULL && *folder != '\0')
    return g_strdup (folder);
  return g_file_test (old, G_FILE_TEST_IS_DIR) ? g_steal_pointer (&old) : g_build_filename (g_get_user_cache_dir (), "debuginfod_client", NULL);
}

/* What was brought for this build id; the file need not be there. */
static char *
debuginfod_cached (const char *build_id, const char *name)
{
  g_autofree char *folder = wp_debuginfod_folder ();

  return g_build_filename (folder, build_id, name, NULL);
}

gboolean
wp_debuginfod_has_answered (const char *build_id)
{
  g_autofree char *path = debuginfod_cached (build_id, "debuginfo");

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* Where perf keeps the files of what it has recorded. */
static char *
perf_cached (const char *build_id, const char *name)
{
  const char *folder = g_getenv ("PERF_BUILDID_DIR");
  g_autofree char *usual = NULL, *id = g_strdup_printf ("%.2s" G_DIR_SEPARATOR_S "%s", build_id, build_id + 2);

  if (folder == NULL || *folder == '\0')
    folder = usual = g_build_filename (g_get_home_dir (), ".debug", NULL);
  return g_build_filename (folder, ".build-id", id, name, NULL);
}

/* What is kept of a build in the places for that. */
typedef struct
{
  const char *ending; /* of the link in /usr/lib/debug */
  const char *in_debuginfod, *in_perf;
} Kept;

static WpElfFile *
open_by_build_id (const char *build_id, const Kept *kept, const char *root)
{
  char *paths[4];
  WpElfFile *file = NULL;

  if (!wp_is_build_id (build_id))
    return NULL;
  paths[0] = g_strdup_printf ("%s" DEBUG_FOLDER "/.build-id/%.2s/%s%s", root != NULL ? root : "", build_id, build_id + 2,
                              kept->ending);
  paths[1] = g_strdup_printf (DEBUG_FOLDER "/.build-id/%.2s/%s%s", build_id, build_id + 2, kept->ending);
  paths[2] = debuginfod_cached (build_id, kept->in_debuginfod);
  paths[3] = perf_cached (build_id, kept->in_perf);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      file = file != NULL ? file : wp_elf_file_open (paths[i], build_id);
      g_free (paths[i]);
    }
  return file;
}

WpElfFile *
wp_main_file_open (const char *path, const char *build_id, const char *root)
{
  static const Kept kept = { "", "executable", "elf" };
  WpElfFile *file = wp_elf_file_open (path, build_id);

  return file != NULL ? file : open_by_build_id (build_id, &kept, root);
}

/* --- by the link -------------------------------------------------------------------------------------------------- */

static gboolean
has_checksum (const WpElfFile *file, guint32 wanted)
{
  struct stat st;
  const guint8 *data = MAP_FAILED;
  guint32 sum = 0;

  if (fstat (file->fd, &st) == 0 && st.st_size > 0)
    data = mmap (NULL, st.st_size, PROT_READ, MAP_PRIVATE, file->fd, 0);
  if (data == MAP_FAILED)
    return FALSE;
  sum = crc32_z (0, data, st.st_size);
  munmap ((void *) data, st.st_size);
  return sum == wanted;
}

/* The name, a zero, padding to four bytes, the checksum of the file it means. */
static const char *
read_link (const WpElfFile *main, guint32 *checksum)
{
  GElf_Shdr header;
  Elf_Scn *section = wp_elf_file_section (main, SHT_PROGBITS, ".gnu_debuglink", &header);
  Elf_Data *data = section != NULL ? elf_rawdata (section, NULL) : NULL;
  gsize n = data != NULL && data->d_buf != NULL ? strnlen (data->d_buf, data->d_size) : 0;
  gsize at = (n + 4) / 4 * 4;

  if (n == 0 || data->d_size < at + 4 || strchr (data->d_buf, '/') != NULL)
    return NULL;
  memcpy (checksum, (const guint8 *) data->d_buf + at, sizeof *checksum);
  return data->d_buf;
}

/* Itself is no debug file: the link may carry the same name. */
static WpElfFile *
open_linked (const WpElfFile *main, const char *path, guint32 checksum)
{
  WpElfFile *file = wp_elf_file_open (path, main->build_id);
  struct stat a, b;

  if (file != NULL && ((fstat (main->fd, &a) == 0 && fstat (file->fd, &b) == 0 && a.st_ino == b.st_ino
                        && a.st_dev == b.st_dev)
                       || !has_checksum (file, checksum)))
    g_clear_pointer (&file, wp_elf_file_free);
  return file;
}

static WpElfFile *
open_beside (const WpElfFile *main, const char *folder, const char *name, guint32 checksum, const char *root)
{
  gsize n_root = root != NULL && g_str_has_prefix (folder, root) ? strlen (root) : 0;
  char *paths[] = {
    g_build_filename (folder, name, NULL),
    g_build_filename (folder, ".debug", name, NULL),
    g_strconcat (root != NULL ? root : "", DEBUG_FOLDER, folder + n_root, "/", name, NULL),
    g_strconcat (DEBUG_FOLDER, folder + n_root, "/", name, NULL),
  };
  WpElfFile *file = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      file = file != NULL ? file : open_linked (main, paths[i], checksum);
      g_free (paths[i]);
    }
  return file;
}

static WpElfFile *
open_by_link (const WpElfFile *main, const char *root)
{
  guint32 checksum;
  const char *name = main->path != NULL ? read_link (main, &checksum) : NULL;
  g_autofree char *folder = NULL, *real_folder = NULL;
  char *real;
  WpElfFile *file;

  if (name == NULL)
    return NULL;
  folder = g_path_get_dirname (main->path);
  file = open_beside (main, folder, name, checksum, root);
  real = file == NULL ? realpath (main->path, NULL) : NULL;
  if (real == NULL)
    return file;
  real_folder = g_path_get_dirname (real);
  free (real);
  return g_str_equal (real_folder, folder) ? NULL : open_beside (main, real_folder, name, checksum, root);
}

WpElfFile *
wp_debug_file_open (const WpElfFile *main, const char *build_id, const char *root)
{
  static const Kept kept = { ".debug", "debuginfo", "debug" };
  WpElfFile *file = open_by_build_id (main != NULL ? main->build_id : build_id, &kept, root);

  return file == NULL && main != NULL ? open_by_link (main, root) : file;
}

/* --- packed within the file --------------------------------------------------------------------------------------- */

static guint8 *
unpack_xz (const guint8 *data, gsize n, gsize *size)
{
  lzma_stream stream = LZMA_STREAM_INIT;
  gsize room = MIN (MAX (n, 4096) * 8, MINI_MAX);
  guint8 *out = g_malloc (room);
  lzma_ret status = lzma_stream_decoder (&stream, 2 * (guint64) MINI_MAX, 0);

  stream.next_in = data;
  stream.avail_in = n;
  stream.next_out = out;
  stream.avail_out = room;
  while (status == LZMA_OK && (status = lzma_code (&stream, LZMA_FINISH)) == LZMA_OK && stream.avail_out == 0
         && room < MINI_MAX)
    {
      gsize more = MIN (room, MINI_MAX - room);

      out = g_realloc (out, room + more);
      stream.next_out = out + room;
      stream.avail_out = more;
      room += more;
    }
  *size = stream.total_out;
  lzma_end (&stream);
  if (status != LZMA_STREAM_END)
    g_clear_pointer (&out, g_free);
  return out;
}

WpElfFile *
wp_mini_debug_file (const WpElfFile *main)
{
  GElf_Shdr header;
  Elf_Scn *section = wp_elf_file_section (main, SHT_PROGBITS, ".gnu_debugdata", &header);
  Elf_Data *packed = section != NULL ? elf_rawdata (section, NULL) : NULL;
  guint8 *data;
  gsize size;

  if (packed == NULL || packed->d_buf == NULL)
    return NULL;
  data = unpack_xz (packed->d_buf, packed->d_size, &size);
  return data != NULL ? wp_elf_file_of_memory (data, size) : NULL;
}
