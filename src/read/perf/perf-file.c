/* The container of a perf.data: its header, the attributes of its events, and the features that describe the
 * recording. */
#include "read/perf/perf-private.h"

#include "base/hash.h"
#include "trace/carried-names.h"

#define FILE_HEADER_SIZE 104
#define UPDATE_NAME 2 /* what an event update may bring: unit, scale, name, CPUs */
#define ATTR_SIZE_FIRST PERF_ATTR_SIZE_VER0
#define STRING_MAX 65536
#define BUILD_ID_NAME 36 /* in a record of a build id */
#define RECORDER_MAX (4 * 1024 * 1024) /* bytes of what our recorder says of itself */
#define EXTRA_MAX 256                  /* … and how many members of it are kept; it has a dozen */

/* --- attributes --------------------------------------------------------------------------------------------------- */

WpPerfAttr *
wp_perf_attr_of_id (WpPerf *self, guint64 id)
{
  guint32 row = wp_pair_map_get (&self->ids, (guint32) id, (guint32) (id >> 32));

  return row != 0 ? &self->attrs.data[row - 1] : NULL;
}

/* The fixed slots of a sample, in their order. */
static void
lay_out_sample (WpPerfAttr *row)
{
  guint64 type = row->attr.sample_type;
  gint16 at = 0, identifier = -1;

  row->id = row->tid = row->time = row->cpu = -1;
  if (type & PERF_SAMPLE_IDENTIFIER)
    identifier = at, at += 8;
  at += type & PERF_SAMPLE_IP ? 8 : 0;
  if (type & PERF_SAMPLE_TID)
    row->tid = at, at += 8;
  if (type & PERF_SAMPLE_TIME)
    row->time = at, at += 8;
  at += type & PERF_SAMPLE_ADDR ? 8 : 0;
  if (type & PERF_SAMPLE_ID)
    row->id = at, at += 8;
  at += type & PERF_SAMPLE_STREAM_ID ? 8 : 0;
  if (type & PERF_SAMPLE_CPU)
    row->cpu = at, at += 8;
  at += type & PERF_SAMPLE_PERIOD ? 8 : 0;
  row->chain = at;
  if (identifier >= 0)
    row->id = identifier;
}

/* The same at the end of the other records, counted from it. */
static void
lay_out_tail (WpPerfAttr *row)
{
  guint64 type = row->attr.sample_id_all ? row->attr.sample_type : 0;
  gint16 at = 0;

  row->tail_id = row->tail_tid = row->tail_time = row->tail_cpu = -1;
  if (type & PERF_SAMPLE_IDENTIFIER)
    row->tail_id = at += 8;
  if (type & PERF_SAMPLE_CPU)
    row->tail_cpu = at += 8;
  at += type & PERF_SAMPLE_STREAM_ID ? 8 : 0;
  if (type & PERF_SAMPLE_ID)
    {
      at += 8;
      row->tail_id = row->tail_id < 0 ? at : row->tail_id;
    }
  if (type & PERF_SAMPLE_TIME)
    row->tail_time = at += 8;
  if (type & PERF_SAMPLE_TID)
    row->tail_tid = at += 8;
}

void
wp_perf_add_attr (WpPerf *self, const guint8 *data, gsize size, const guint8 *ids, gsize n_ids)
{
  WpPerfAttr *row;
  guint32 said;

  if (size < ATTR_SIZE_FIRST)
    {
      wp_perf_damaged (self);
      return;
    }
  said = wp_read_u32 (data + 4);
  row = wp_array_add (&self->attrs);
  memcpy (&row->attr, data, MIN (MIN (size, said != 0 ? MAX (said, ATTR_SIZE_FIRST) : ATTR_SIZE_FIRST),
                                 sizeof row->attr));
  row->counted = G_MAXUINT32;
  lay_out_sample (row);
  lay_out_tail (row);
  for (gsize i = 0; i < n_ids; i++)
    *wp_pair_map_at (&self->ids, wp_read_u32 (ids + 8 * i), wp_read_u32 (ids + 8 * i + 4)) = self->attrs.len;
}

/* --- features ----------------------------------------------------------------------------------------------------- */

/* A string: its length in 32 bits, then so many bytes, padded with zeros. NULL at the end of the data. */
static char *
take_string (const guint8 **data, gsize *size)
{
  guint32 n;
  char *string;

  if (*size < 4 || (n = wp_read_u32 (*data)) > *size - 4 || n > STRING_MAX)
    return NULL;
  string = g_utf8_make_valid ((const char *) *data + 4, strnlen ((const char *) *data + 4, n));
  *data += 4 + n;
  *size -= 4 + n;
  return string;
}

static void
take_command (WpPerf *self, const guint8 *data, gsize size)
{
  WpTrace *trace = self->reader->trace;
  g_autoptr (GString) command = g_string_new (NULL);
  guint32 n = size >= 4 ? wp_read_u32 (data) : 0;
  char *word;

  data += MIN (size, 4);
  size -= MIN (size, 4);
  for (guint32 i = 0; i < n && (word = take_string (&data, &size)) != NULL; i++)
    {
      g_string_append_printf (command, "%s%s", i > 0 ? " " : "", word);
      g_free (word);
    }
  if (command->len > 0)
    {
      g_free (trace->command);
      trace->command = g_string_free (g_steal_pointer (&command), FALSE);
    }
}

static void
replace_string (char **target, const guint8 *data, gsize size)
{
  char *string = take_string (&data, &size);

  if (string != NULL)
    {
      g_free (*target);
      *target = string;
    }
}

static void
take_arch (WpPerf *self, const guint8 *data, gsize size)
{
  g_autofree char *name = take_string (&data, &size);

  if (name != NULL)
    self->arch = wp_cfi_arch (name);
}

/* Names of events that are not tracepoints: number and size of attributes, then each with its ids and name. */
static void
take_event_names (WpPerf *self, const guint8 *data, gsize size)
{
  guint32 n, attr_size;

  if (size < 8)
    return;
  n = wp_read_u32 (data);
  attr_size = wp_read_u32 (data + 4);
  data += 8;
  size -= 8;
  for (guint32 i = 0; i < n && attr_size <= size && size - attr_size >= 4; i++)
    {
      guint32 n_ids = wp_read_u32 (data + attr_size);
      g_autofree char *name = NULL;
      WpPerfAttr *row;

      data += attr_size + 4;
      size -= attr_size + 4;
      name = take_string (&data, &size);
      if (name == NULL || n_ids > size / 8)
        return;
      row = n_ids > 0 ? wp_perf_attr_of_id (self, wp_read_u64 (data)) : i < self->attrs.len ? &self->attrs.data[i]
        : NULL;
      if (row != NULL)
        row->name = wp_strings_intern (self->reader->trace->strings, name);
      data += 8 * n_ids;
      size -= 8 * n_ids;
    }
}

gboolean
wp_perf_take_number (WpJsonReader *reader, gint64 *number)
{
  double real;

  if (wp_json_reader_kind (reader) == WP_JSON_NUMBER)
    return wp_json_reader_number (reader, number, &real) == WP_JSON_WHOLE;
  wp_json_reader_skip (reader);
  return FALSE;
}

/* A text as it is, any other value as it stands in the document. */
static char *
take_as_text (WpJsonReader *reader, const char *document)
{
  gboolean text = wp_json_reader_kind (reader) == WP_JSON_STRING;
  guint64 start = wp_json_reader_offset (reader);

  if (text)
    return g_strdup (wp_json_reader_string (reader));
  wp_json_reader_skip (reader);
  return wp_json_reader_failed (reader) ? NULL : g_strndup (document + start, wp_json_reader_offset (reader) - start);
}

static void
add_extra (WpTrace *trace, const char *name, char *value)
{
  g_autofree char *key = g_strdup (name), *owned = value;

  if (value == NULL || g_hash_table_size (trace->extra) == EXTRA_MAX)
    return;
  if (g_str_equal (key, "pid"))
    trace->command_pid = (gint32) CLAMP (g_ascii_strtoll (value, NULL, 10), 0, G_MAXINT32);
  if (g_str_equal (key, "missing"))
    {
      g_free (trace->missing);
      trace->missing = g_strdup (value);
    }
  g_hash_table_replace (trace->extra, g_steal_pointer (&key), g_steal_pointer (&owned));
}

static void
take_member (WpPerf *self, const char *key, WpJsonReader *reader, const char *document)
{
  WpTrace *trace = self->reader->trace;
  g_autofree char *name = NULL;
  gint64 number;

  if (wp_perf_take_names (self, key, reader))
    return;
  if (g_str_equal (key, wp_diag_id (WP_DIAG_STACKS_COMPLETED)))
    {
      if (wp_perf_take_number (reader, &number))
        trace->diagnostics.n[WP_DIAG_STACKS_COMPLETED] += (guint64) MAX (number, 0);
      return;
    }
  name = g_strdup (key); /* which does not last while a value with keys of its own is read */
  add_extra (trace, name, take_as_text (reader, document));
}

/* What our own recorder says of the recording. */
static void
take_recorder (WpPerf *self, const guint8 *data, gsize size)
{
  WpTrace *trace = self->reader->trace;
  const char *document = (const char *) data, *key;
  gsize n = strnlen (document, size);
  g_autoptr (WpJsonReader) reader = NULL;

  if (n > RECORDER_MAX)
    {
      wp_perf_damaged (self);
      return;
    }
  if (trace->extra == NULL)
    trace->extra = g_hash_table_new_full (wp_hash_string, g_str_equal, g_free, g_free);
  reader = wp_json_reader_new ("", document, n, NULL);
  if (wp_json_reader_object (reader))
    while ((key = wp_json_reader_key (reader)) != NULL)
      take_member (self, key, reader, document);
  if (!wp_json_reader_finish (reader, NULL))
    wp_perf_damaged (self);
}

static void
take_build_ids (WpPerf *self, const guint8 *data, gsize size)
{
  while (size >= sizeof (WpRecord))
    {
      WpRecord header;

      memcpy (&header, data, sizeof header);
      if (header.size < sizeof header || header.size > size)
        {
          wp_perf_damaged (self);
          return;
        }
      wp_perf_build_id (self, data, header.size);
      data += header.size;
      size -= header.size;
    }
}

void
wp_perf_feature (WpPerf *self, guint64 feature, const guint8 *data, gsize size)
{
  WpTrace *trace = self->reader->trace;

  switch (feature)
    {
    case WP_PERF_FEATURE_TRACING_DATA:
      wp_perf_tracing_data (self, data, size);
      break;
    case WP_PERF_FEATURE_BUILD_ID:
      take_build_ids (self, data, size);
      break;
    case WP_PERF_FEATURE_HOSTNAME:
      replace_string (&trace->host, data, size);
      break;
    case WP_PERF_FEATURE_OSRELEASE:
      replace_string (&trace->kernel, data, size);
      break;
    case WP_PERF_FEATURE_ARCH:
      take_arch (self, data, size);
      break;
    case WP_PERF_FEATURE_CMDLINE:
      take_command (self, data, size);
      break;
    case WP_PERF_FEATURE_EVENT_DESC:
      take_event_names (self, data, size);
      break;
    case WP_PERF_FEATURE_DIR_FORMAT:
      self->is_part = TRUE;
      break;
    case WP_PERF_FEATURE_RECORDER:
      take_recorder (self, data, size);
      break;
    case WP_PERF_FEATURE_OWN_NAMES:
      if (trace->own_names == NULL)
        trace->own_names = wp_carried_names_new ();
      if (!wp_carried_names_add (trace->own_names, data, size))
        wp_perf_damaged (self);
      break;
    default:
      break;
    }
}

/* Where the record does not say how long an id is: zeros at the end were put there for lack of anything better. */
static guint
length_of_id (const guint8 id[20])
{
  guint n = 20;

  while (n > 0 && wp_read_u32 (id + n - 4) == 0)
    n -= 4;
  return n;
}

/* header, pid, 20 bytes of build id and its length, file name */
void
wp_perf_build_id (WpPerf *self, const guint8 *record, gsize size)
{
  WpRecord header;
  const char *name = (const char *) record + BUILD_ID_NAME;
  g_autofree char *path = NULL;
  char hex[41];
  guint n;

  if (size <= BUILD_ID_NAME || name[0] == '\0')
    {
      wp_perf_damaged (self);
      return;
    }
  memcpy (&header, record, sizeof header);
  n = header.misc & WP_PERF_MISC_BUILD_ID_SIZE ? record[32] : length_of_id (record + 12);
  if (n == 0 || n > 20)
    {
      wp_perf_damaged (self);
      return;
    }
  for (guint i = 0; i < n; i++)
    g_snprintf (hex + 2 * i, 3, "%02x", record[12 + i]);
  path = g_strndup (name, size - BUILD_ID_NAME);
  wp_builds_add_path (self->builds, path, hex);
}

/* header, what changes, id, and here the name */
void
wp_perf_event_update (WpPerf *self, const guint8 *record, gsize size)
{
  WpPerfAttr *row = size > 24 ? wp_perf_attr_of_id (self, wp_read_u64 (record + 16)) : NULL;

  if (row != NULL && wp_read_u64 (record + 8) == UPDATE_NAME)
    row->name = wp_strings_intern_text (self->reader->trace->strings, (const char *) record + 24,
                                        (gssize) strnlen ((const char *) record + 24, size - 24));
}

/* --- file mode ---------------------------------------------------------------------------------------------------- */

static gboolean
inside (const WpPerf *self, guint64 offset, guint64 size)
{
  return offset <= self->reader->size && size <= self->reader->size - offset;
}

static void
read_attrs (WpPerf *self, guint64 attr_size, guint64 offset, guint64 size)
{
  const guint8 *data = self->reader->data;
  guint64 left = self->reader->size; /* no two events share ids */

  if (attr_size < ATTR_SIZE_FIRST + 16 || attr_size > 4096)
    {
      wp_perf_damaged (self);
      return;
    }
  for (; size >= attr_size && inside (self, offset, attr_size); offset += attr_size, size -= attr_size)
    {
      guint64 ids = wp_read_u64 (data + offset + attr_size - 16),
        ids_size = wp_read_u64 (data + offset + attr_size - 8);

      if (!inside (self, ids, ids_size) || ids_size > left)
        {
          wp_perf_damaged (self);
          ids_size = 0;
          ids = 0;
        }
      left -= ids_size;
      wp_perf_add_attr (self, data + offset, attr_size - 16, data + ids, ids_size / 8);
    }
}

/* A table behind the records says where each feature is. */
static void
read_features (WpPerf *self, guint64 table, const guint8 *bitmap)
{
  WpDiagnostics *diagnostics = &self->reader->trace->diagnostics;
  const guint8 *data = self->reader->data;

  for (guint feature = 0; feature < 256; feature++)
    {
      guint64 offset, size;

      if (!(bitmap[feature / 8] & (1 << (feature % 8))))
        continue;
      if (!inside (self, table, 16))
        {
          diagnostics->n[WP_DIAG_TRUNCATED] = 1;
          return;
        }
      offset = wp_read_u64 (data + table);
      size = wp_read_u64 (data + table + 8);
      table += 16;
      if (inside (self, offset, size))
        wp_perf_feature (self, feature, data + offset, size);
      else
        diagnostics->n[WP_DIAG_TRUNCATED] = 1;
    }
}

static gboolean
open_file_mode (WpPerf *self, GError **error)
{
  const guint8 *data = self->reader->data;
  guint64 start, size;

  if (self->reader->size < FILE_HEADER_SIZE)
    {
      g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_DAMAGED,
                   "%s is cut off within its header (at byte %" G_GSIZE_FORMAT "); record it again", self->reader->path,
                   self->reader->size);
      return FALSE;
    }
  read_attrs (self, wp_read_u64 (data + 16), wp_read_u64 (data + 24), wp_read_u64 (data + 32));
  start = wp_read_u64 (data + 40);
  size = wp_read_u64 (data + 48);
  if (start > self->reader->size)
    {
      g_set_error (error, WP_READ_ERROR, WP_READ_ERROR_DAMAGED,
                   "%s is cut off or damaged: its header (at byte 40) says that events begin at byte %" G_GUINT64_FORMAT
                   ", and the file has %" G_GSIZE_FORMAT "; record it again", self->reader->path, start,
                     self->reader->size);
      return FALSE;
    }
  self->data_start = start;
  if (size == 0 || !inside (self, start, size))
    { /* perf was ended before it could say how much there is, or the file is cut off */
      self->reader->trace->diagnostics.n[WP_DIAG_TRUNCATED] = 1;
      self->data_end = self->reader->size;
      return TRUE;
    }
  self->data_end = start + size;
  read_features (self, self->data_end, data + 72);
  return TRUE;
}

gboolean
wp_perf_open (WpPerf *self, GError **error)
{
  if (wp_read_u64 (self->reader->data + 8) != 16)
    return open_file_mode (self, error);
  self->data_start = 16;
  self->data_end = self->reader->size;
  return TRUE;
}
