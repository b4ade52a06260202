/* The files that a recording speaks of by number. */
#include "read/perf/inodes.h"

#include "base/sort.h"
#include "read/perf/perf-decode.h"
#include "read/perf/perf-queues.h"
#include "read/perf/perf-parts.h"

#define RECORDS_PER_STEP 8192

typedef struct
{
  WpPerfFile file;
  WpPerfQueues queues;
  WpPerfEventTypes *types;
  WpInodeArray *inodes;
  guint32 sorted; /* so many of them are in order, each once */
} InodeSearch;

WP_DEFINE_COMPARE_2 (compare_inodes, WpInode, dev, inode)

static void
sort (InodeSearch *self)
{
  WpInodeArray *inodes = self->inodes;
  guint32 n = 0;

  wp_array_sort (inodes, compare_inodes);
  for (guint32 i = 0; i < inodes->len; i++)
    if (n == 0 || compare_inodes (&inodes->data[n - 1], &inodes->data[i]) != 0)
      inodes->data[n++] = inodes->data[i];
    else
      inodes->data[n - 1].first = MIN (inodes->data[n - 1].first, inodes->data[i].first);
  inodes->len = self->sorted = n;
}

/* The same file comes many times in a row; what else comes twice is sorted out whenever that much was added. */
static void
add (InodeSearch *self, guint32 dev, guint64 inode, gint64 time)
{
  const WpInode row = { .dev = dev, .inode = inode, .first = time };
  WpInodeArray *inodes = self->inodes;

  if (inodes->len > 0 && compare_inodes (&inodes->data[inodes->len - 1], &row) == 0)
    return;
  wp_array_push (inodes, row);
  if (inodes->len > 2 * self->sorted + 4096)
    sort (self);
}

static void
take (InodeSearch *self, const WpPerfEntry *entry)
{
  const WpPerfRecord *header = wp_perf_file_record (&self->file, entry->offset);
  WpEvent event = { .kind = WP_EVENT_FILE };
  const WpPerfEventType *type;
  const WpPerfAttr *attr;
  WpPerfSample sample;
  WpPerfWhere where;

  if (header->type != PERF_RECORD_SAMPLE || !wp_perf_file_where (&self->file, header, &where, &attr))
    return;
  type = wp_perf_event_type (self->types, attr - self->file.attrs.data);
  if (type->kind == WP_EVENT_FILE && wp_perf_sample (attr, header, &sample)
      && wp_perf_decode (self->file.reader->trace->strings, type, sample.raw, sample.n_raw, &event)
      && !event.file.metadata && !event.file.created)
    add (self, event.file.dev, event.file.inode, entry->time);
}

static gboolean
search (InodeSearch *self, GError **error)
{
  const WpPerfQueues *queues = &self->queues;
  guint64 count = 0;

  if (!wp_perf_queues_open (&self->queues, &self->file, error))
    return FALSE;
  self->types = wp_perf_event_types_new (&self->file);
  for (guint32 l = 0; l < queues->queues.len; l++)
    for (guint32 i = 0; i < queues->queues.data[l].entries.len; i++)
      {
        if (count++ % RECORDS_PER_STEP == 0
            && !wp_progress_step (self->file.reader->progress, 0.25 + 0.75 * count / queues->n_entries, error))
          return FALSE;
        take (self, &queues->queues.data[l].entries.data[i]);
      }
  sort (self);
  return TRUE;
}

gboolean
wp_recording_inodes (const char *path, WpInodeArray *inodes, WpProgress *progress, GError **error)
{
  static const WpReadOptions defaults = { 0 };
  WpReader reader = { .path = path, .options = &defaults, .progress = progress };
  InodeSearch self = { .inodes = inodes };
  gboolean done;

  inodes->len = 0;
  reader.trace = wp_trace_new ();
  wp_perf_file_init (&self.file, &reader);
  done = wp_reader_open (&reader, error) && search (&self, error);
  wp_perf_event_types_free (self.types);
  wp_perf_queues_clear (&self.queues);
  wp_perf_file_clear (&self.file);
  wp_trace_free (reader.trace);
  wp_reader_close (&reader);
  return done;
}
