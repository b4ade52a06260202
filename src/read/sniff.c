/* Tells a file's format by its first bytes. */
#include "base/packed.h"
#include "base/plain-file.h"
#include "read/read-private.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define LOOK_AT 16384
#define LOOK_AT_PACKED (256 * 1024) /* zstd unpacks blocks of up to 128 KiB */

/* What a file may be that we do not read, and what to do about it. */
static const struct
{
  guint offset, length;
  const char *magic;
  const char *what;
} others[] = {
  { 0, 2, "\x1f\x8b", "is packed twice or more; unpack it once (gunzip)" },
  { 0, 4, "\x28\xb5\x2f\xfd", "is packed twice or more; unpack it once (unzstd)" },
  { 0, 6, "\xfd" "7zXZ\0", "is packed with xz; unpack it first (unxz)" },
  { 0, 3, "BZh", "is packed with bzip2; unpack it first (bunzip2)" },
  { 0, 4, "PK\3\4", "is a ZIP archive; unpack it first" },
  { 257, 5, "ustar", "is a tar archive; unpack it first" },
  { 0, 4, "\x7f" "ELF", "is a program or library, not a recording of one" },
  { 0, 10, "\x17\x08\x44tracing", "is a trace.dat of trace-cmd; record with Wakepath or perf record instead" },
  { 0, 8, "2ELIFREP", "was recorded on a machine of the other byte order; open it on such a machine" },
  { 0, 8, "PERFFILE", "is a perf.data of a perf older than 2009" },
  { 0, 4, "\x89PNG", "is a picture" },
  { 0, 5, "%PDF-", "is a PDF document" },
  { 0, 5, "<?xml", "is an XML document" },
  { 0, 4, "<svg", "is a picture" },
  { 0, 2, "#!", "is a script, not a recording of one" },
  { 0, 2, "\xff\xfe", "is text in UTF-16; make it UTF-8 first (iconv -f UTF-16 -t UTF-8)" },
  { 0, 2, "\xfe\xff", "is text in UTF-16; make it UTF-8 first (iconv -f UTF-16 -t UTF-8)" },
};

static gboolean
looks_like_perun (const char *text)
{
  const char *p = g_str_has_prefix (text, "\xef\xbb\xbf") ? text + 3 : text;

  while (g_ascii_isspace (*p))
    p++;
  return *p == '{'
         && (strstr (p, "\"header\"") || strstr (p, "\"collector_info\"") || strstr (p, "\"resource_type_map\"")
             || strstr (p, "\"origin\"") || strstr (p, "\"snapshots\"") || strstr (p, "\"chunks\""));
}

static gboolean
is_digit (char c)
{
  return c >= '0' && c <= '9';
}

/* One line of perf script's: "… [cpu] seconds.fraction: …" or a record's name. */
static gboolean
looks_like_event (const char *line, gsize n)
{
  const char *end = line + n;

  if (g_strstr_len (line, n, ": PERF_RECORD_") != NULL)
    return TRUE;
  for (const char *p = line; p < end; p++)
    {
      const char *q = p;

      if (!is_digit (*p) || (p > line && p[-1] != ' '))
        continue;
      while (q < end && is_digit (*q))
        q++;
      if (q == end || *q++ != '.')
        continue;
      p = q;
      while (q < end && is_digit (*q))
        q++;
      if (q - p >= 3 && q + 1 < end && q[0] == ':' && q[1] == ' ')
        return TRUE;
    }
  return FALSE;
}

/* Whether one of the first lines is an event. Comments and an empty line may come before it. */
static gboolean
looks_like_script (const char *text)
{
  for (guint line = 0; line < 200 && *text != '\0'; line++)
    {
      gsize n = strcspn (text, "\n");

      if (n > 0 && text[0] != '#' && text[0] != '\t' && looks_like_event (text, n))
        return TRUE;
      text += n + (text[n] != '\0');
    }
  return FALSE;
}

static WpFormat
wrong_format (const char *path, const char *what, GError **error)
{
  g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_FORMAT, "%s %s", path, what);
  return WP_FORMAT_UNKNOWN;
}

static WpFormat
perf_format (const char *path, const guint8 *data, gsize n, GError **error)
{
  guint64 header_size;

  if (n < 16)
    {
      g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_DAMAGED,
                   "%s begins like a perf.data but ends within its header (byte %" G_GSIZE_FORMAT "); record it again",
                     path, n);
      return WP_FORMAT_UNKNOWN;
    }
  memcpy (&header_size, data + 8, sizeof header_size);
  if (header_size == 16)
    return WP_FORMAT_PERF_STREAM;
  if (header_size >= 72 && header_size <= 4096)
    return WP_FORMAT_PERF_FILE;
  g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_DAMAGED,
               "%s begins like a perf.data, but the size of its header (at byte 8) makes no sense; record it again",
                 path);
  return WP_FORMAT_UNKNOWN;
}

/* `data` ends with a zero byte that is not counted in `n`. */
static WpFormat
sniff_bytes (const char *path, const guint8 *data, gsize n, GError **error)
{
  const char *text = (const char *) data;

  if (n >= 8 && memcmp (data, "PERFILE2", 8) == 0)
    return perf_format (path, data, n, error);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    if (n >= others[i].offset + others[i].length
        && memcmp (data + others[i].offset, others[i].magic, others[i].length) == 0)
      return wrong_format (path, others[i].what, error);
  if (looks_like_perun (text))
    return WP_FORMAT_PERUN;
  if (looks_like_script (text))
    return WP_FORMAT_PERF_SCRIPT;
  if (text[0] == '{' || text[0] == '[')
    return wrong_format (path, "is JSON, but not a profile that Wakepath or Perun saved", error);
  if (n >= 2 && data[0] == 0x0a && memchr (data, 0, n) != NULL)
    return wrong_format (path, "looks like a pprof profile, which holds no waits; open a recording instead", error);
  if (strstr (text, "prev_comm=") != NULL && strstr (text, "next_pid=") != NULL)
    return wrong_format (path, "looks like perf script text without times; print it with perf script --ns -F "
                         WP_SCRIPT_FIELDS, error);
  if (memchr (data, 0, n) == NULL && g_utf8_validate (text, MIN (n, 1024), NULL))
    return wrong_format (path, "is text, but no line at its beginning is an event as perf script prints it", error);
  return wrong_format (path, "is not of a format that can be read: perf.data, perf script text or a saved profile",
                       error);
}

static WpFormat
cannot_read (const char *path, const char *why, int code, GError **error)
{
  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "%s cannot be read: %s", path, why);
  return WP_FORMAT_UNKNOWN;
}

static gssize
read_head (int fd, guint8 *data, gsize room)
{
  gsize n = 0;
  gssize got;

  while ((got = TEMP_FAILURE_RETRY (pread (fd, data + n, room - n, n))) > 0)
    n += got;
  return got < 0 ? got : (gssize) n;
}

/* Of a packed file it is what it holds that counts. */
static WpFormat
sniff_packed (const char *path, int fd, GError **error)
{
  g_autofree guint8 *packed = g_malloc (LOOK_AT_PACKED), *data = g_malloc0 (LOOK_AT + 1);
  gssize n = read_head (fd, packed, LOOK_AT_PACKED);

  if (n < 0)
    return cannot_read (path, g_strerror (errno), errno, error);
  n = wp_unpack_head (packed, n, data, LOOK_AT);
  if (n > 0)
    return sniff_bytes (path, data, n, error);
  g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_DAMAGED,
               "%s begins like a file packed with %s, but nothing can be unpacked: it is cut off or damaged; fetch or pack "
               "it again", path, wp_packing (packed, LOOK_AT_PACKED));
  return WP_FORMAT_UNKNOWN;
}

static WpFormat
sniff_open (const char *path, int fd, GError **error)
{
  g_autofree guint8 *data = g_malloc0 (LOOK_AT + 1);
  gssize n = read_head (fd, data, LOOK_AT);

  if (n < 0)
    return cannot_read (path, g_strerror (errno), errno, error);
  if (n == 0)
    {
      g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_EMPTY,
                   "%s is empty: the recording wrote nothing; record it again", path);
      return WP_FORMAT_UNKNOWN;
    }
  return wp_packing (data, n) != NULL ? sniff_packed (path, fd, error) : sniff_bytes (path, data, n, error);
}

/* What to do where it is no file. */
static WpFormat
cannot_open (const char *path, GError *problem, GError **error)
{
  g_autoptr (GError) owned = problem;

  if (g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_ISDIR))
    return cannot_read (path, "it is a folder; name a file in it", EISDIR, error);
  if (g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_INVAL))
    return cannot_read (path, "it is a pipe or a device; store the recording in a file first", EINVAL, error);
  g_propagate_error (error, g_steal_pointer (&owned));
  return WP_FORMAT_UNKNOWN;
}

WpFormat
wp_sniff (const char *path, GError **error)
{
  GError *problem = NULL;
  int fd = wp_plain_file_open (AT_FDCWD, path, 0, WP_PLAIN_FILE_ANY_SIZE, &problem);
  WpFormat format;

  if (fd < 0)
    return cannot_open (path, problem, error);
  format = sniff_open (path, fd, error);
  close (fd);
  return format;
}
