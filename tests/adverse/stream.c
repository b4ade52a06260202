#include "stream.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

enum
{
  HEADER_ATTR = 64,
  HEADER_TRACING_DATA = 66,
  FINISHED_ROUND = 68,
  HEADER_SIZE = 16,
  BEFORE_IDENTIFIED = 64, /* records of the kernel have smaller types */
};

static guint64
u64_at (const Stream *self, gsize at)
{
  guint64 value = 0;

  if (at + sizeof value <= self->data->len)
    memcpy (&value, self->data->data + at, sizeof value);
  return value;
}

static guint32
u32_at (const Stream *self, gsize at)
{
  guint32 value = 0;

  if (at + sizeof value <= self->data->len)
    memcpy (&value, self->data->data + at, sizeof value);
  return value;
}

static void
add_attr (Stream *self, gsize body, gsize size)
{
  guint32 attr_size = u32_at (self, body + 4);
  Event *event = wp_array_add (&self->events);

  event->name = u32_at (self, body) == PERF_TYPE_TRACEPOINT ? g_strdup_printf ("%" G_GUINT64_FORMAT, u64_at (self, body + 8))
                                                            : g_strdup ("cpu-clock");
  event->sample_type = u64_at (self, body + 24);
  event->id = u64_at (self, body + attr_size);
  for (gsize at = attr_size; at + 8 <= size; at += 8)
    g_hash_table_insert (self->by_id, GSIZE_TO_POINTER (u64_at (self, body + at)), GUINT_TO_POINTER (self->events.len - 1));
}

/* Tracepoints are known by number until their formats come. */
static void
name_tracepoints (Stream *self, gsize at, gsize size)
{
  g_autofree char *text = g_malloc (size + 1);
  g_autoptr (GRegex) formats = g_regex_new ("name: (\\w+)\\nID: (\\d+)\\n", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  memcpy (text, self->data->data + at, size);
  for (gsize i = 0; i < size; i++)
    if (text[i] == '\0' || (guchar) text[i] > 126)
      text[i] = ' ';
  text[size] = '\0';
  for (g_regex_match (formats, text, 0, &match); g_match_info_matches (match); g_match_info_next (match, NULL))
    {
      g_autofree char *name = g_match_info_fetch (match, 1), *id = g_match_info_fetch (match, 2);

      for (guint32 i = 1; i < self->events.len; i++)
        if (g_str_equal (self->events.data[i].name, id))
          {
            g_free (self->events.data[i].name);
            self->events.data[i].name = g_strdup (name);
          }
    }
}

static guint
fields (guint64 sample_type, guint64 of)
{
  return __builtin_popcountll (sample_type & of);
}

/* Where its time and its CPU stand: in a sample behind the identifier, else in what stands at its end. */
static void
identify (Stream *self, Record *record)
{
  gboolean sample = record->type == PERF_RECORD_SAMPLE;
  guint64 id = u64_at (self, sample ? record->offset + 8 : record->offset + record->size - 8);
  guint32 row = GPOINTER_TO_UINT (g_hash_table_lookup (self->by_id, GSIZE_TO_POINTER (id)));
  guint64 type = self->events.len > 1 ? self->events.data[MAX (row, 1)].sample_type : 0;
  guint behind = fields (type, PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER);

  if (!(type & PERF_SAMPLE_TIME) || !(type & PERF_SAMPLE_CPU))
    return;
  if (sample)
    {
      record->event = row;
      record->time_at = 16 + 8 * fields (type, PERF_SAMPLE_IP | PERF_SAMPLE_TID);
      record->cpu = u32_at (self, record->offset + record->time_at + 8
                                    + 8 * fields (type, PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID));
    }
  else if (record->size >= 8 * (behind + 2))
    {
      record->time_at = record->size - 8 * (behind + 1);
      record->cpu = u32_at (self, record->offset + record->size - 8 * fields (type, PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER));
    }
  record->time = u64_at (self, record->offset + record->time_at);
}

static void
note_extent (Stream *self, const Record *record)
{
  if (!record_is_event (record))
    return;
  self->n_cpus = MAX (self->n_cpus, (guint32) record->cpu + 1);
  if (record->type != PERF_RECORD_SAMPLE)
    return;
  self->start = self->start == 0 ? record->time : MIN (self->start, record->time);
  self->end = MAX (self->end, record->time);
}

static void
read_records (Stream *self)
{
  gsize at = HEADER_SIZE;

  while (at + 8 <= self->data->len)
    {
      Record record = { .offset = at, .type = u32_at (self, at), .size = u32_at (self, at + 4) >> 16, .cpu = -1, .time = -1 };

      if (record.size < 8 || at + record.size > self->data->len)
        return;
      if (record.type == HEADER_ATTR)
        add_attr (self, at + 8, record.size - 8);
      else if (record.type == HEADER_TRACING_DATA)
        {
          gsize n = MIN (u32_at (self, at + 8), self->data->len - at - record.size);

          name_tracepoints (self, at + record.size, n);
          record.size += MIN ((n + 7) / 8 * 8, self->data->len - at - record.size);
        }
      else if (record.type < BEFORE_IDENTIFIED)
        identify (self, &record);
      note_extent (self, &record);
      wp_array_push (&self->records, record);
      at += record.size;
    }
}

Stream *
stream_new (const char *path, GError **error)
{
  g_autoptr (Stream) self = g_new0 (Stream, 1);
  char *data;
  gsize n;

  self->by_id = g_hash_table_new (NULL, NULL);
  (void) wp_array_add (&self->events);
  if (!g_file_get_contents (path, &data, &n, error))
    return NULL;
  self->data = g_byte_array_new_take ((guint8 *) data, n);
  if (n < HEADER_SIZE || memcmp (data, "PERFILE2", 8) != 0 || u64_at (self, 8) != HEADER_SIZE)
    {
      g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s is no perf.data stream", path);
      return NULL;
    }
  read_records (self);
  for (guint32 i = 1; i < self->events.len; i++)
    if (!(self->events.data[i].sample_type & PERF_SAMPLE_IDENTIFIER))
      {
        g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "%s: its records carry no identifier", path);
        return NULL;
      }
  return g_steal_pointer (&self);
}

void
stream_free (Stream *self)
{
  if (self->data != NULL)
    g_byte_array_unref (self->data);
  for (guint32 i = 0; i < self->events.len; i++)
    g_free (self->events.data[i].name);
  wp_array_clear (&self->records);
  wp_array_clear (&self->events);
  g_hash_table_unref (self->by_id);
  g_free (self);
}

void
stream_restore (Stream *self)
{
  for (guint32 i = 0; i < self->records.len; i++)
    self->records.data[i].dropped = FALSE;
}

void
stream_keep_stretch (Stream *self, guint32 n, GRand *rand)
{
  guint32 from = n < self->records.len ? g_rand_int_range (rand, 0, self->records.len - n) : 0;

  for (guint32 i = 0; i < self->records.len; i++)
    self->records.data[i].dropped = record_is_event (&self->records.data[i]) && (i < from || i - from >= n);
}

static void
append (GByteArray *out, const void *data, gsize n)
{
  g_byte_array_append (out, data, n);
}

/* LOST: the id, how many, and what stands at the end of every record: who, when, where. */
static void
append_lost (const Stream *self, GByteArray *out, const Record *before, guint64 n)
{
  const Event *event = &self->events.data[MAX (before->event, 1)];
  guint64 type = event->sample_type, zero = 0, cpu = before->cpu, time = before->time;
  gsize size = 8 + 16 + 8 * fields (type, PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID
                                            | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER);
  struct perf_event_header header = { .type = PERF_RECORD_LOST, .size = size };

  append (out, &header, sizeof header);
  append (out, &event->id, 8);
  append (out, &n, 8);
  if (type & PERF_SAMPLE_TID)
    append (out, &zero, 8);
  append (out, &time, 8);
  for (guint i = fields (type, PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID); i > 0; i--)
    append (out, &event->id, 8);
  append (out, &cpu, 8);
  append (out, &event->id, 8);
}

GByteArray *
stream_write (const Stream *self, gboolean lost)
{
  GByteArray *out = g_byte_array_sized_new (self->data->len);
  g_autofree guint64 *missing = g_new0 (guint64, self->n_cpus);

  append (out, self->data->data, HEADER_SIZE);
  for (guint32 i = 0; i < self->records.len; i++)
    {
      const Record *record = &self->records.data[i];

      if (record->dropped)
        {
          missing[record->cpu]++;
          continue;
        }
      if (lost && record_is_event (record) && missing[record->cpu] > 0)
        {
          append_lost (self, out, record, missing[record->cpu]);
          missing[record->cpu] = 0;
        }
      append (out, self->data->data + record->offset, record->size);
    }
  return out;
}

static gboolean
write_again (const Stream *self, guint round, FILE *out)
{
  gint64 by = round * (self->end - self->start + 1000000);

  for (guint32 i = 0; i < self->records.len; i++)
    {
      const Record *record = &self->records.data[i];
      guint8 *bytes = self->data->data + record->offset;
      gint64 time = record->time + by;

      if (record_is_event (record))
        memcpy (bytes + record->time_at, &time, sizeof time);
      else if (round > 0 && record->type != FINISHED_ROUND)
        continue;
      if (fwrite (bytes, record->size, 1, out) != 1)
        return FALSE;
      if (record_is_event (record))
        memcpy (bytes + record->time_at, &record->time, sizeof record->time);
    }
  return TRUE;
}

gboolean
stream_repeat (const Stream *self, guint n, const char *path)
{
  FILE *out = fopen (path, "wb");
  gboolean good = out != NULL && fwrite (self->data->data, HEADER_SIZE, 1, out) == 1;

  for (guint round = 0; good && round < n; round++)
    good = write_again (self, round, out);
  return out != NULL && fclose (out) == 0 && good;
}
