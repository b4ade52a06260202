/* The records of a perf.data in a stretch of time, as they stand there. */
#include "base/search.h"
#include "base/sort.h"
#include "read/perf/perf-event-types.h"
#include "read/perf/perf-parts.h"
#include "read/perf/perf-queues.h"
#include "read/raw-private.h"

#define RECORDS_PER_STEP 4096
#define BYTES_SHOWN 16 /* of a field that is neither a number nor a text */
#define TEXT_SHOWN 256 /* bytes of a text */

typedef struct
{
  WpPerfFile file;
  WpPerfQueues queues;
  WpPerfEventTypes *types;
  const WpRawWindow *window;
  WpRawEvents *out;
  GString *text;
} Raw;

/* --- fields of tracepoints ---------------------------------------------------------------------------------------- */

/* Where its bytes are, which for what varies in length the field itself says. FALSE: not within the record. */
static gboolean
find_bytes (const struct tep_format_field *field, const WpPerfSample *sample, const guint8 **bytes, gsize *n)
{
  gsize offset, length;

  if (field->offset < 0 || field->size < 0 || (gsize) field->offset + (gsize) field->size > sample->n_raw)
    return FALSE;
  offset = (gsize) field->offset;
  length = (gsize) field->size;
  if (field->flags & TEP_FIELD_IS_DYNAMIC)
    {
      guint32 place = length == 4 ? wp_read_u32 (sample->raw + offset) : 0;

      offset = (place & 0xffff) + (field->flags & TEP_FIELD_IS_RELATIVE ? offset + 4 : 0);
      length = place >> 16;
    }
  if (offset + length > sample->n_raw)
    return FALSE;
  *bytes = sample->raw + offset;
  *n = length;
  return TRUE;
}

static void
append_number (GString *s, const struct tep_format_field *field, const guint8 *bytes, gsize n)
{
  guint64 value = 0;

  memcpy (&value, bytes, n); /* recordings of other byte orders are not read */
  if (field->flags & (TEP_FIELD_IS_POINTER | TEP_FIELD_IS_FLAG))
    g_string_append_printf (s, "0x%" G_GINT64_MODIFIER "x", value);
  else if (!(field->flags & TEP_FIELD_IS_SIGNED))
    g_string_append_printf (s, "%" G_GUINT64_FORMAT, value);
  else
    g_string_append_printf (s, "%" G_GINT64_FORMAT, (gint64) (value << (64 - 8 * n)) >> (64 - 8 * n));
}

static void
append_value (GString *s, const struct tep_format_field *field, const guint8 *bytes, gsize n)
{
  gboolean array = (field->flags & TEP_FIELD_IS_ARRAY) != 0;

  if (field->flags & TEP_FIELD_IS_STRING)
    {
      g_autofree char *valid = g_utf8_make_valid ((const char *) bytes, (gssize) strnlen ((const char *) bytes, MIN (n, TEXT_SHOWN)));

      g_string_append (s, valid);
    }
  else if (!array && n > 0 && n <= 8)
    append_number (s, field, bytes, n);
  else
    {
      for (gsize i = 0; i < MIN (n, BYTES_SHOWN); i++)
        g_string_append_printf (s, "%02x", bytes[i]);
      g_string_append (s, n > BYTES_SHOWN ? "…" : "");
    }
}

static void
append_fields (Raw *self, const WpPerfAttr *attr, const WpPerfSample *sample)
{
  const struct tep_event *event = wp_perf_formats_find (self->file.formats, attr->attr.config);
  const guint8 *bytes;
  gsize n;

  for (const struct tep_format_field *f = event != NULL ? event->format.fields : NULL; f != NULL; f = f->next)
    {
      g_string_append_printf (self->text, "%s%s=", self->text->len > 0 ? " " : "", f->name);
      if (find_bytes (f, sample, &bytes, &n))
        append_value (self->text, f, bytes, n);
      else
        g_string_append_c (self->text, '?');
    }
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static void
add (Raw *self, const WpPerfWhere *where, const char *event, WpId task)
{
  WpRawEvent row = { .time = where->time, .pid = where->pid, .tid = where->tid,
                     .cpu = where->cpu != G_MAXUINT32 ? where->cpu + 1 : 0, .task = task,
                     .event = wp_strings_intern (self->out->strings, event) };

  if (self->text->len > 0)
    row.fields = wp_strings_intern (self->out->strings, self->text->str);
  wp_array_push (&self->out->rows, row);
}

static void
take_sample (Raw *self, const WpPerfRecord *header, const WpPerfWhere *where, const WpPerfAttr *attr)
{
  const WpPerfEventType *type = wp_perf_event_type (self->types, (guint32) (attr - self->file.attrs.data));
  WpPerfSample sample;

  if (!wp_perf_sample (attr, header, &sample))
    return;
  if (attr->attr.type == PERF_TYPE_TRACEPOINT)
    append_fields (self, attr, &sample);
  else
    g_string_append_printf (self->text, "frames=%" G_GSIZE_FORMAT, sample.n_chain);
  add (self, where, wp_trace_string (self->file.reader->trace, type->name), 0);
}

static void
take_task (Raw *self, const WpPerfRecord *header, const WpPerfWhere *where, const char *event)
{
  WpPerfTask task;
  WpId name = 0;

  if (!wp_perf_task (header, &task))
    return;
  g_string_append_printf (self->text, "pid=%d tid=%d", task.pid, task.tid);
  if (header->type == PERF_RECORD_COMM)
    {
      g_autofree char *comm = g_utf8_make_valid (task.comm, (gssize) strnlen (task.comm, task.comm_length));

      name = wp_strings_intern (self->out->strings, comm);
      g_string_append_printf (self->text, " comm=%s%s", comm, task.exec ? " exec" : "");
    }
  else
    g_string_append_printf (self->text, " parent=%d", task.parent);
  add (self, where, event, name);
}

static void
take (Raw *self, const WpPerfEntry *entry)
{
  static const char *const names[] = {
    [PERF_RECORD_LOST] = "PERF_RECORD_LOST", [PERF_RECORD_COMM] = "PERF_RECORD_COMM", [PERF_RECORD_EXIT] = "PERF_RECORD_EXIT",
    [PERF_RECORD_THROTTLE] = "PERF_RECORD_THROTTLE", [PERF_RECORD_UNTHROTTLE] = "PERF_RECORD_UNTHROTTLE",
    [PERF_RECORD_FORK] = "PERF_RECORD_FORK", [PERF_RECORD_SAMPLE] = "", [PERF_RECORD_MMAP] = "PERF_RECORD_MMAP",
    [PERF_RECORD_MMAP2] = "PERF_RECORD_MMAP2", [PERF_RECORD_LOST_SAMPLES] = "PERF_RECORD_LOST_SAMPLES",
    [WP_PERF_RECORD_CALLCHAIN_DEFERRED] = "PERF_RECORD_CALLCHAIN_DEFERRED",
  };
  const WpPerfRecord *header = wp_perf_file_record (&self->file, entry->offset);
  const char *name = header->type < G_N_ELEMENTS (names) ? names[header->type] : NULL;
  const WpPerfAttr *attr;
  WpPerfMapping mapping;
  WpPerfWhere where;

  if (name == NULL || !wp_perf_file_where (&self->file, header, &where, &attr))
    return;
  g_string_truncate (self->text, 0);
  where.time = entry->time;
  if (header->type == PERF_RECORD_SAMPLE && attr != NULL)
    take_sample (self, header, &where, attr);
  else if (header->type == PERF_RECORD_COMM || header->type == PERF_RECORD_FORK || header->type == PERF_RECORD_EXIT)
    take_task (self, header, &where, name);
  else if (*name != '\0')
    {
      if ((header->type == PERF_RECORD_MMAP || header->type == PERF_RECORD_MMAP2) && wp_perf_mapping (&self->file, header, &mapping))
        {
          g_autofree char *path = g_utf8_make_valid (mapping.path, -1);

          g_string_append_printf (self->text, "start=0x%" G_GINT64_MODIFIER "x size=0x%" G_GINT64_MODIFIER "x %s", mapping.start, mapping.size, path);
        }
      add (self, &where, name, 0);
    }
}

/* --- the stretch of time ------------------------------------------------------------------------------------------ */

WP_DEFINE_COMPARE_2 (compare_entries, WpPerfEntry, time, offset)

/* Each queue is in order: where the stretch begins in it is searched for. */
static gboolean
take_all (Raw *self, GError **error)
{
  WP_ARRAY (WpPerfEntry) entries = { 0 };
  gboolean going_on = TRUE;

  for (guint32 q = 0; q < self->queues.queues.len; q++)
    {
      const WpPerfQueue *queue = &self->queues.queues.data[q];
      const WpPerfEntry *all = queue->entries.data;
      guint32 n = queue->entries.len;

      for (guint32 i = WP_SEARCH (0, n, k, all[k].time < self->window->from); i < n && all[i].time < self->window->to; i++)
        wp_array_push (&entries, all[i]);
    }
  wp_array_sort (&entries, compare_entries);
  for (guint32 i = 0; i < entries.len && going_on; i++)
    {
      if (self->out->rows.len == self->window->most)
        {
          self->out->more = TRUE;
          break;
        }
      take (self, &entries.data[i]);
      going_on = i % RECORDS_PER_STEP != 0 || wp_progress_step (self->file.reader->progress, (double) i / entries.len, error);
    }
  wp_array_clear (&entries);
  return going_on;
}

gboolean
wp_perf_raw (WpReader *reader, const WpRawWindow *window, WpRawEvents *out, GError **error)
{
  Raw self = { .window = window, .out = out, .text = g_string_new (NULL) };
  gboolean done;

  wp_perf_file_init (&self.file, reader);
  done = wp_perf_queues_open (&self.queues, &self.file, error);
  if (done && !wp_perf_formats_any (self.file.formats) && wp_kernel_symbols_same_boot (self.file.kernel))
    wp_perf_formats_read_local (self.file.formats);
  if (done)
    {
      self.types = wp_perf_event_types_new (&self.file);
      done = take_all (&self, error);
    }
  wp_perf_event_types_free (self.types);
  wp_perf_queues_clear (&self.queues);
  wp_perf_file_clear (&self.file);
  g_string_free (self.text, TRUE);
  return done;
}
