/* Formats of tracepoints, as a recording brings them along: given to libtraceevent, written anew so that damaged ones cannot harm it. */
#include "read/perf/perf-private.h"

#include <stdio.h>

#define FORMAT_MAX 65536
#define FORMATS_MAX 16384 /* kernels have some thousand; libtraceevent puts each into its place one by one */
#define FIELD_LINE_MAX 256

typedef struct
{
  const guint8 *p, *end;
} Cursor;

static gboolean
take (Cursor *cursor, gsize n, const guint8 **data)
{
  if (n > (gsize) (cursor->end - cursor->p))
    return FALSE;
  *data = cursor->p;
  cursor->p += n;
  return TRUE;
}

/* Data behind its length in `width` bytes. */
static gboolean
take_sized (Cursor *cursor, gsize width, const guint8 **data, gsize *n)
{
  const guint8 *length;

  if (!take (cursor, width, &length))
    return FALSE;
  *n = width == 8 ? wp_read_u64 (length) : wp_read_u32 (length);
  return take (cursor, *n, data);
}

static const char *
take_text (Cursor *cursor)
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
parse_format (WpPerf *self, const char *system, const guint8 *data, gsize n)
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
    wp_perf_damaged (self);
}

static gboolean
parse_systems (WpPerf *self, Cursor *cursor)
{
  const guint8 *data;
  guint32 n_systems, n_events;

  if (!take (cursor, 4, &data))
    return FALSE;
  n_systems = wp_read_u32 (data);
  for (guint32 i = 0; i < n_systems; i++)
    {
      const char *system = take_text (cursor);

      if (system == NULL || !take (cursor, 4, &data))
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
new_formats (WpPerf *self, int long_size)
{
  if (self->tep != NULL)
    tep_free (self->tep);
  self->tep = tep_alloc ();
  self->n_formats = 0;
  tep_set_loglevel (TEP_LOG_NONE);
  tep_set_long_size (self->tep, long_size);
  tep_set_file_bigendian (self->tep, G_BYTE_ORDER == G_BIG_ENDIAN ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
  tep_set_local_bigendian (self->tep, G_BYTE_ORDER == G_BIG_ENDIAN ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
  self->has_tracing_data = TRUE;
}

static gboolean
parse_tracing_data (WpPerf *self, Cursor *cursor)
{
  const guint8 *data;
  guint32 n_ftrace;
  gsize n;

  if (!take (cursor, 10, &data) || memcmp (data, "\x17\x08\x44tracing", 10) != 0 || take_text (cursor) == NULL
      || !take (cursor, 6, &data)) /* byte order, size of a long, size of a page */
    return FALSE;
  new_formats (self, data[1] == 4 ? 4 : 8);
  for (guint i = 0; i < 2; i++) /* "header_page", "header_event" */
    if (take_text (cursor) == NULL || !take_sized (cursor, 8, &data, &n))
      return FALSE;
  if (!take (cursor, 4, &data))
    return FALSE;
  n_ftrace = wp_read_u32 (data);
  for (guint32 i = 0; i < n_ftrace; i++)
    if (!take_sized (cursor, 8, &data, &n))
      return FALSE;
  if (!parse_systems (self, cursor) || !take_sized (cursor, 4, &data, &n))
    return FALSE;
  if (n > 0)
    wp_kernel_symbols_set_text (self->kernel, (const char *) data, n);
  return TRUE;
}

void
wp_perf_tracing_data (WpPerf *self, const guint8 *data, gsize size)
{
  Cursor cursor = { data, data + size };

  if (!parse_tracing_data (self, &cursor))
    wp_perf_damaged (self);
}

void
wp_perf_local_formats (WpPerf *self)
{
  new_formats (self, sizeof (long));
  for (const WpTracepoint *row = wp_tracepoint_table (); row->name != NULL; row++)
    {
      g_auto (GStrv) parts = g_strsplit (row->name, ":", 2);
      g_autofree char *path = g_strdup_printf ("/sys/kernel/tracing/events/%s/%s/format", parts[0], parts[1]);
      g_autofree char *text = NULL;
      gsize n;

      if (g_file_get_contents (path, &text, &n, NULL))
        parse_format (self, parts[0], (const guint8 *) text, n);
    }
}
