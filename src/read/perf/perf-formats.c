/* Formats of tracepoints, as a recording brings them along: given to libtraceevent, written anew so that damaged ones cannot harm it. */
#include "read/perf/perf-formats.h"

#include "base/asked-files.h"
#include "base/bytes.h"
#include "read/tracepoints.h"

#include <stdio.h>

#define FORMAT_MAX 65536
#define FORMATS_MAX 16384 /* kernels have some thousand; libtraceevent puts each into its place one by one */
#define FIELD_LINE_MAX 256

struct WpPerfFormats
{
  WpDiagnostics *diagnostics;
  struct tep_handle *tep; /* NULL: there have been no formats */
  guint32 n_formats;
};

WpPerfFormats *
wp_perf_formats_new (WpDiagnostics *diagnostics)
{
  WpPerfFormats *self = g_new0 (WpPerfFormats, 1);

  self->diagnostics = diagnostics;
  return self;
}

void
wp_perf_formats_free (WpPerfFormats *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->tep, tep_free);
  g_free (self);
}

gboolean
wp_perf_formats_any (const WpPerfFormats *self)
{
  return self->tep != NULL;
}

struct tep_event *
wp_perf_formats_find (const WpPerfFormats *self, guint64 number)
{
  return self->tep != NULL && number <= G_MAXINT ? tep_find_event (self->tep, (int) number) : NULL;
}

/* --- tracing data ------------------------------------------------------------------------------------------------- */

/* Data behind its length in `width` bytes. */
static gboolean
take_sized (WpCursor *cursor, gsize width, const guint8 **data, gsize *n)
{
  const guint8 *length = wp_cursor_take (cursor, width);

  if (length == NULL)
    return FALSE;
  *n = width == 8 ? wp_read_u64 (length) : wp_read_u32 (length);
  *data = wp_cursor_take (cursor, *n);
  return *data != NULL;
}

static const char *
take_text (WpCursor *cursor)
{
  const guint8 *start = cursor->p, *zero = memchr (start, 0, cursor->end - start);

  if (zero == NULL)
    return NULL;
  cursor->p = zero + 1;
  return (const char *) start;
}

/* The lines of a format that describe its fields as the kernel writes them. What looks different never gets as far as
 * libtraceevent, which takes damaged formats badly. */
#define WORD "[A-Za-z_][A-Za-z0-9_]*"
static const char field_pattern[] =
  "^\tfield:(?:__(?:data|rel)_loc " WORD "(?: " WORD ")*\\[\\] " WORD "|(?!__[a-z]+_loc)" WORD "(?: " WORD ")*[ *]+"
    WORD
  "(?:\\[(?:" WORD "|[0-9]{0,5})\\])?);\toffset:[0-9]{1,5};\tsize:[0-9]{1,5};(?:\tsigned:[01];)?$";

/* Compiled once. */
static const GRegex *
field_line (void)
{
  static GRegex *compiled;
  static gsize done;

  if (g_once_init_enter (&done))
    {
      compiled = g_regex_new (field_pattern, G_REGEX_RAW | G_REGEX_OPTIMIZE, 0, NULL);
      g_once_init_leave (&done, 1);
    }
  return compiled;
}

static gboolean
take_head (const char *line, char name[128], guint *id)
{
  return sscanf (line, "name: %127[A-Za-z0-9_]", name) == 1 || sscanf (line, "ID: %9u", id) == 1;
}

/* One format, written anew: its name, the fields all events have, its own. How it would be printed is of no use
 * here. */
static void
parse_format (WpPerfFormats *self, const char *system, const guint8 *data, gsize n)
{
  g_autofree char *whole = g_strndup ((const char *) data, MIN (n, FORMAT_MAX)), *text = NULL;
  g_auto (GStrv) lines = g_strsplit (whole, "\n", -1);
  g_autoptr (GString) common = g_string_new (NULL), own = g_string_new (NULL);
  char name[128] = "";
  guint id = 0;

  for (guint i = 0; lines[i] != NULL && !g_str_has_prefix (lines[i], "print fmt:"); i++)
    if (!take_head (lines[i], name, &id) && strlen (lines[i]) < FIELD_LINE_MAX
        && g_regex_match (field_line (), lines[i], 0, NULL))
      g_string_append_printf (strstr (lines[i], " common_") != NULL ? common : own, "%s\n", lines[i]);
  text = g_strdup_printf ("name: %s\nID: %u\nformat:\n%s\n%s\nprint fmt: \"\"\n", name, id, common->str, own->str);
  if (name[0] == '\0' || common->len == 0 || own->len == 0 || self->n_formats++ >= FORMATS_MAX
      || tep_parse_event (self->tep, text, strlen (text), system) != 0)
    self->diagnostics->n[WP_DIAG_DAMAGED_RECORDS]++;
}

static gboolean
parse_systems (WpPerfFormats *self, WpCursor *cursor)
{
  const guint8 *data = wp_cursor_take (cursor, 4);
  guint32 n_systems, n_events;

  if (data == NULL)
    return FALSE;
  n_systems = wp_read_u32 (data);
  for (guint32 i = 0; i < n_systems; i++)
    {
      const char *system = take_text (cursor);

      if (system == NULL || (data = wp_cursor_take (cursor, 4)) == NULL)
        return FALSE;
      n_events = wp_read_u32 (data);
      for (guint32 k = 0; k < n_events; k++)
        {
          gsize n;

          if (!take_sized (cursor, 8, &data, &n))
            return FALSE;
          parse_format (self, system, data, n);
        }
    }
  return TRUE;
}

static void
new_formats (WpPerfFormats *self, int long_size)
{
  if (self->tep != NULL)
    tep_free (self->tep);
  self->tep = tep_alloc ();
  self->n_formats = 0;
  tep_set_loglevel (TEP_LOG_NONE);
  tep_set_long_size (self->tep, long_size);
  tep_set_file_bigendian (self->tep, G_BYTE_ORDER == G_BIG_ENDIAN ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
  tep_set_local_bigendian (self->tep, G_BYTE_ORDER == G_BIG_ENDIAN ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
}

static gboolean
parse_tracing_data (WpPerfFormats *self, WpCursor *cursor, const char **symbols, gsize *n_symbols)
{
  const guint8 *data = wp_cursor_take (cursor, 10);
  guint32 n_ftrace;
  gsize n;

  if (data == NULL || memcmp (data, "\x17\x08\x44tracing", 10) != 0 || take_text (cursor) == NULL
      || (data = wp_cursor_take (cursor, 6)) == NULL) /* byte order, size of a long, size of a page */
    return FALSE;
  new_formats (self, data[1] == 4 ? 4 : 8);
  for (guint i = 0; i < 2; i++) /* "header_page", "header_event" */
    if (take_text (cursor) == NULL || !take_sized (cursor, 8, &data, &n))
      return FALSE;
  if ((data = wp_cursor_take (cursor, 4)) == NULL)
    return FALSE;
  n_ftrace = wp_read_u32 (data);
  for (guint32 i = 0; i < n_ftrace; i++)
    if (!take_sized (cursor, 8, &data, &n))
      return FALSE;
  if (!parse_systems (self, cursor) || !take_sized (cursor, 4, &data, &n))
    return FALSE;
  if (n > 0)
    {
      *symbols = (const char *) data;
      *n_symbols = n;
    }
  return TRUE;
}

void
wp_perf_formats_read (WpPerfFormats *self, const guint8 *data, gsize size, const char **symbols, gsize *n_symbols)
{
  WpCursor cursor = { data, data + size };

  *symbols = NULL;
  *n_symbols = 0;
  if (!parse_tracing_data (self, &cursor, symbols, n_symbols))
    self->diagnostics->n[WP_DIAG_DAMAGED_RECORDS]++;
}

void
wp_perf_formats_read_local (WpPerfFormats *self)
{
  new_formats (self, sizeof (long));
  for (const WpTracepoint *row = wp_tracepoint_table (); row->name != NULL; row++)
    {
      g_auto (GStrv) parts = g_strsplit (row->name, ":", 2);
      g_autofree char *path = g_strdup_printf ("/sys/kernel/tracing/events/%s/%s/format", parts[0], parts[1]);
      g_autofree char *text = NULL;
      gsize n;

      wp_asked_files_note (path);
      if (g_file_get_contents (path, &text, &n, NULL))
        parse_format (self, parts[0], (const guint8 *) text, n);
    }
}
