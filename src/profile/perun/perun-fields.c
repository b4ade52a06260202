#include "profile/perun/perun-fields.h"

#include "base/find.h"

#include <string.h>

static const char *const task_kinds[] = { "thread", "disk", "network" };
static const char *const task_flags[] = { "kernel", "idle" };
static const char *const op_kinds[] = { "none", "run", "sleep", "disk", "disk queue", "network" };
static const char *const op_flags[] = { "inferred", "lost", "new-task", "open-start", "open-end", "woken-inferred",
                                          "throttled", "paused" };
static const char *const states[] = { "?", "R", "S", "D", "T", "I", "X" };
static const char *const causes[] = { "unknown", "none",   "task",   "timer",     "disk", "net", "device",
                                      "ipi",     "signal", "kernel", "preempted", "fork", "exec" };
static const char *const resource_kinds[] = { "none",       "run",     "sleep",  "disk",
                                              "disk queue", "network", "sample", "link" };

G_STATIC_ASSERT (G_N_ELEMENTS (op_kinds) == WP_OP_KIND_COUNT);
G_STATIC_ASSERT (G_N_ELEMENTS (states) == WP_STATE_COUNT);
G_STATIC_ASSERT (G_N_ELEMENTS (causes) == WP_CAUSE_COUNT);
G_STATIC_ASSERT (G_N_ELEMENTS (resource_kinds) == WP_RESOURCE_COUNT);

#define NAMES(list) .names = list, .n_names = G_N_ELEMENTS (list)
#define FIELD(key, type, row, member, ...) { key, WP_FIELD_##type, offsetof (row, member), __VA_ARGS__ }
#define REQUIRED .required = TRUE

static const WpField task_fields[] = {
  FIELD ("name", STRING, WpTask, name),
  FIELD ("tid", INT32, WpTask, tid),
  FIELD ("pid", INT32, WpTask, pid),
  FIELD ("kind", NAME, WpTask, kind, NAMES (task_kinds)),
  FIELD ("exec", ID, WpTask, exec),
  FIELD ("before", ID, WpTask, before),
  FIELD ("after", ID, WpTask, after),
  FIELD ("forked_by", ID, WpTask, forked_by),
  FIELD ("leader", ID, WpTask, leader),
  FIELD ("flags", FLAGS, WpTask, flags, NAMES (task_flags)),
};

static const WpField op_fields[] = {
  FIELD ("task", ID, WpSavedOp, op.task, REQUIRED),
  FIELD ("kind", NAME, WpSavedOp, op.kind, REQUIRED, NAMES (op_kinds)),
  FIELD ("start", INT64, WpSavedOp, op.start),
  FIELD ("end", INT64, WpSavedOp, op.end, REQUIRED),
  FIELD ("state", NAME, WpSavedOp, op.state, NAMES (states)),
  FIELD ("cause", NAME, WpSavedOp, op.cause, NAMES (causes)),
  FIELD ("flags", FLAGS, WpSavedOp, op.flags, NAMES (op_flags)),
  FIELD ("link", ID, WpSavedOp, op.link),
  FIELD ("explained_by", ID, WpSavedOp, op.explained_by),
  FIELD ("cpu", UINT32, WpSavedOp, op.cpu),
  FIELD ("disk", ID, WpSavedOp, disk),
  FIELD ("net", ID, WpSavedOp, net),
  FIELD ("trace", TRACE, WpSavedOp, trace),
};

static const WpField disk_fields[] = {
  FIELD ("device", UINT32, WpDisk, dev),
  FIELD ("sector", UINT64, WpDisk, sector),
  FIELD ("sectors", UINT32, WpDisk, sectors),
  FIELD ("rwbs", STRING, WpDisk, rwbs),
  FIELD ("task", ID, WpDisk, task),
  FIELD ("queue", ID, WpDisk, queue),
  FIELD ("active", ID, WpDisk, active),
  FIELD ("file", STRING, WpDisk, file),
};

static const WpField net_fields[] = {
  FIELD ("local", STRING, WpNet, local),     FIELD ("remote", STRING, WpNet, remote),
  FIELD ("task", ID, WpNet, task),           FIELD ("protocol", BYTE, WpNet, protocol),
  FIELD ("handshake", BOOL, WpNet, handshake),
};

static const WpField lost_fields[] = {
  FIELD ("start", INT64, WpLost, start),
  FIELD ("end", INT64, WpLost, end, REQUIRED),
  FIELD ("events", UINT64, WpLost, events),
  FIELD ("cpu", UINT32, WpLost, cpu),
  FIELD ("paused", BOOL, WpLost, paused),
};

static const WpField interrupt_fields[] = {
  FIELD ("start", INT64, WpInterrupt, start),
  FIELD ("end", INT64, WpInterrupt, end, REQUIRED),
  FIELD ("cpu", UINT32, WpInterrupt, cpu, REQUIRED),
  FIELD ("name", STRING, WpInterrupt, name),
};

static const WpField note_fields[] = {
  FIELD ("time", INT64, WpSavedNote, time),
  FIELD ("text", STRING, WpSavedNote, text, REQUIRED),
};

static const WpField event_fields[] = {
  FIELD ("name", STRING, WpEventCount, name, REQUIRED),
  FIELD ("count", UINT64, WpEventCount, count),
};

static const WpField path_fields[] = {
  FIELD ("task", ID, WpSavedPath, task, REQUIRED),
  FIELD ("start", INT64, WpSavedPath, start),
  FIELD ("end", INT64, WpSavedPath, end, REQUIRED),
  FIELD ("lane", ID, WpSavedPath, lane),
  FIELD ("base", BOOL, WpSavedPath, base),
  FIELD ("started", BOOL, WpSavedPath, started),
};

static const WpField resource_fields[] = {
  FIELD ("type", TEXT, WpResource, type),
  FIELD ("subtype", NAME, WpResource, kind, REQUIRED, NAMES (resource_kinds)),
  FIELD ("amount", INT64, WpResource, amount, REQUIRED),
  FIELD ("uid", TEXT, WpResource, uid),
  FIELD ("timestamp", INT64, WpResource, timestamp, REQUIRED),
  FIELD ("pid", INT32, WpResource, pid),
  FIELD ("tid", INT32, WpResource, tid),
  FIELD ("task", TEXT, WpResource, task),
  FIELD ("category", TEXT, WpResource, category),
  FIELD ("self", INT64, WpResource, self),
  FIELD ("operation", ID, WpResource, operation),
  FIELD ("path", ID, WpResource, path),
  FIELD ("parent", ID, WpResource, parent),
  FIELD ("waits_path", ID, WpResource, waits_path),
  FIELD ("waits_part", ID, WpResource, waits_part),
  FIELD ("cut", BOOL, WpResource, cut),
  FIELD ("source", ID, WpResource, source),
  FIELD ("target", ID, WpResource, target),
  FIELD ("cause", NAME, WpResource, cause, NAMES (causes)),
  FIELD ("horizontal", BOOL, WpResource, horizontal),
  FIELD ("device", STRING, WpResource, device),
  FIELD ("trace", TRACE, WpResource, trace),
};

static const WpField frame_fields[] = {
  FIELD ("function", STRING, WpSavedFrame, function, REQUIRED),
  FIELD ("module", STRING, WpSavedFrame, module),
  FIELD ("kernel", BOOL, WpSavedFrame, kernel),
  FIELD ("no_symbol", BOOL, WpSavedFrame, no_symbol),
};

#define TABLE(id, row, list) const WpTable wp_table_##id = { #id, list, G_N_ELEMENTS (list), sizeof (row) }
TABLE (tasks, WpTask, task_fields);
TABLE (operations, WpSavedOp, op_fields);
TABLE (disks, WpDisk, disk_fields);
TABLE (nets, WpNet, net_fields);
TABLE (lost, WpLost, lost_fields);
TABLE (interrupts, WpInterrupt, interrupt_fields);
TABLE (notes, WpSavedNote, note_fields);
TABLE (events, WpEventCount, event_fields);
TABLE (paths, WpSavedPath, path_fields);
TABLE (resources, WpResource, resource_fields);
TABLE (frames, WpSavedFrame, frame_fields);

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void
write_flags (WpJsonWriter *writer, const WpField *field, guint8 flags)
{
  wp_json_writer_array (writer, field->key, WP_JSON_TIGHT);
  for (guint i = 0; i < field->n_names; i++)
    if (flags & (1 << i))
      wp_json_writer_string (writer, NULL, field->names[i]);
  wp_json_writer_end (writer);
}

static void
write_trace (WpJsonWriter *writer, const char *key, WpId chunk)
{
  char name[16];

  g_snprintf (name, sizeof name, "t%u", chunk);
  wp_json_writer_object (writer, key, WP_JSON_TIGHT);
  wp_json_writer_string (writer, "chunk", name);
  wp_json_writer_end (writer);
}

static gboolean
is_zero (const WpField *field, const void *value)
{
  static const gsize sizes[] = {
    [WP_FIELD_INT32] = 4, [WP_FIELD_INT64] = 8, [WP_FIELD_ID] = 4,    [WP_FIELD_UINT64] = 8,
    [WP_FIELD_UINT32] = 4, [WP_FIELD_BYTE] = 1,  [WP_FIELD_BOOL] = 1,  [WP_FIELD_NAME] = 1,  [WP_FIELD_FLAGS] = 1,
    [WP_FIELD_STRING] = 4, [WP_FIELD_TEXT] = sizeof (char *), [WP_FIELD_TRACE] = 4,
  };
  static const char zeros[8];

  return memcmp (value, zeros, sizes[field->type]) == 0;
}

static void
write_field (const WpField *field, WpJsonWriter *writer, const WpTrace *trace, const void *value)
{
  const guint8 *byte = value;

  switch (field->type)
    {
    case WP_FIELD_INT32:
      return wp_json_writer_int (writer, field->key, *(const gint32 *) value);
    case WP_FIELD_INT64:
      return wp_json_writer_int (writer, field->key, *(const gint64 *) value);
    case WP_FIELD_ID:
    case WP_FIELD_UINT32:
      return wp_json_writer_uint (writer, field->key, *(const guint32 *) value);
    case WP_FIELD_UINT64:
      return wp_json_writer_uint (writer, field->key, *(const guint64 *) value);
    case WP_FIELD_BYTE:
      return wp_json_writer_uint (writer, field->key, *byte);
    case WP_FIELD_BOOL:
      return wp_json_writer_bool (writer, field->key, *byte);
    case WP_FIELD_NAME:
      return wp_json_writer_string (writer, field->key, field->names[*byte < field->n_names ? *byte : 0]);
    case WP_FIELD_FLAGS:
      return write_flags (writer, field, *byte);
    case WP_FIELD_STRING:
      return wp_json_writer_string (writer, field->key, wp_trace_string (trace, *(const WpId *) value));
    case WP_FIELD_TEXT:
      return wp_json_writer_string (writer, field->key, *(const char *const *) value);
    case WP_FIELD_TRACE:
      return write_trace (writer, field->key, *(const WpId *) value);
    }
}

void
wp_table_write (const WpTable *self, WpJsonWriter *writer, const WpTrace *trace, gconstpointer row)
{
  wp_json_writer_object (writer, NULL, WP_JSON_TIGHT);
  for (guint i = 0; i < self->n_fields; i++)
    {
      const WpField *field = &self->fields[i];
      const void *value = (const char *) row + field->offset;

      if (field->required || !is_zero (field, value))
        write_field (field, writer, trace, value);
    }
  wp_json_writer_end (writer);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static guint8
read_name (WpJsonReader *reader, const WpField *field)
{
  const char *name = wp_json_reader_string (reader);
  guint i = wp_find_name (field->names, sizeof *field->names, field->n_names, name);

  if (i < field->n_names)
    return (guint8) i;
  wp_json_reader_fail (reader, NULL, "“%.40s” is not known here", name);
  return 0;
}

static guint8
read_flags (WpJsonReader *reader, const WpField *field)
{
  guint8 flags = 0;

  if (wp_json_reader_array (reader))
    while (wp_json_reader_item (reader))
      flags |= (guint8) (1 << read_name (reader, field));
  return flags;
}

WpId
wp_chunk_from_name (const char *name)
{
  guint64 value = 0;

  if (name[0] == 't' && g_ascii_string_to_unsigned (name + 1, 10, 1, G_MAXUINT32 - 1, &value, NULL))
    return (WpId) value;
  return 0;
}

static WpId
read_trace (WpJsonReader *reader)
{
  const char *key;
  WpId chunk = 0;

  if (!wp_json_reader_object (reader))
    return 0;
  while ((key = wp_json_reader_key (reader)) != NULL)
    if (!g_str_equal (key, "chunk"))
      wp_json_reader_skip (reader);
    else if ((chunk = wp_chunk_from_name (wp_json_reader_string (reader))) == 0)
      wp_json_reader_fail (reader, NULL, "not the name of a chunk");
  if (chunk == 0)
    wp_json_reader_fail (reader, NULL, "names no chunk");
  return chunk;
}

static void
read_field (const WpField *field, WpJsonReader *reader, WpTrace *trace, void *value)
{
  guint8 *byte = value;

  switch (field->type)
    {
    case WP_FIELD_INT32:
      *(gint32 *) value = (gint32) wp_json_reader_int (reader, G_MININT32, G_MAXINT32);
      break;
    case WP_FIELD_INT64:
      *(gint64 *) value = wp_json_reader_int (reader, WP_SAVED_TIME_MIN, WP_SAVED_TIME_MAX);
      break;
    case WP_FIELD_ID:
      *(guint32 *) value = (guint32) wp_json_reader_uint (reader, G_MAXUINT32 - 1);
      break;
    case WP_FIELD_UINT32:
      *(guint32 *) value = (guint32) wp_json_reader_uint (reader, G_MAXUINT32);
      break;
    case WP_FIELD_UINT64:
      *(guint64 *) value = wp_json_reader_uint (reader, G_MAXUINT64);
      break;
    case WP_FIELD_BYTE:
      *byte = (guint8) wp_json_reader_uint (reader, G_MAXUINT8);
      break;
    case WP_FIELD_BOOL:
      *byte = (guint8) wp_json_reader_bool (reader);
      break;
    case WP_FIELD_NAME:
      *byte = read_name (reader, field);
      break;
    case WP_FIELD_FLAGS:
      *byte = read_flags (reader, field);
      break;
    case WP_FIELD_STRING:
      *(WpId *) value = wp_strings_intern (trace->strings, wp_json_reader_string (reader));
      break;
    case WP_FIELD_TEXT:
      wp_json_reader_string (reader);
      break;
    case WP_FIELD_TRACE:
      *(WpId *) value = read_trace (reader);
      break;
    }
}

/* Rows are written with their keys in the table's order, so the next field is nearly always the one. */
static guint
find_field (const WpTable *self, const char *key, guint expected)
{
  for (guint i = 0; i < self->n_fields; i++)
    if (g_str_equal (self->fields[(expected + i) % self->n_fields].key, key))
      return (expected + i) % self->n_fields;
  return self->n_fields;
}

gboolean
wp_table_read (const WpTable *self, WpJsonReader *reader, WpTrace *trace, gpointer row)
{
  guint32 seen = 0;
  guint found = 0;
  const char *key;

  memset (row, 0, self->row_size);
  if (!wp_json_reader_object (reader))
    return FALSE;
  while ((key = wp_json_reader_key (reader)) != NULL)
    {
      found = find_field (self, key, found < self->n_fields ? found : 0);
      if (found == self->n_fields)
        wp_json_reader_skip (reader);
      else
        {
          seen |= 1u << found;
          read_field (&self->fields[found], reader, trace, (char *) row + self->fields[found].offset);
        }
    }
  for (guint i = 0; i < self->n_fields; i++)
    if (self->fields[i].required && !(seen & 1u << i))
      wp_json_reader_fail (reader, NULL, "“%s” is missing", self->fields[i].key);
  return !wp_json_reader_failed (reader);
}
