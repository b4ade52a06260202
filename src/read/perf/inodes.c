/* The files that a recording speaks of by number. */
#include "read/perf/inodes.h"

#include "base/sort.h"
#include "read/perf/perf-private.h"

#define RECORDS_PER_STEP 8192

typedef struct
{
  WpPerf perf;
  WpInodeArray *inodes;
  guint32 sorted; /* so many of them are in order, each once */
} Search;

WP_DEFINE_COMPARE_2 (compare_inodes, WpInode, dev, inode)

static void
sort (Search *self)
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
add (Search *self, guint32 dev, guint64 inode, gint64 time)
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
take (Search *self, const WpPerfEntry *entry)
{
  const WpRecord *header = (const WpRecord *) (self->perf.reader->data + entry->offset);
  WpEvent event = { .kind = WP_EVENT_FILE };
  WpPerfSample sample;
  WpPerfWhere where;
  WpPerfAttr *attr;

  if (header->type == PERF_RECORD_SAMPLE && wp_perf_where (&self->perf, header, &where, &attr)
      && attr->kind == WP_EVENT_FILE && wp_perf_sample (attr, header, &sample)
      && wp_perf_fields (&self->perf, attr, sample.raw, sample.n_raw, &event) && !event.file.metadata && !event.file.created)
    add (self, event.file.dev, event.file.inode, entry->time);
}

static void
ignore (WpPerf *perf, const WpRecord *header)
{
}

static gboolean
search (Search *self, GError **error)
{
  WpPerf *perf = &self->perf;
  guint64 count = 0;

  if (!wp_perf_open (perf, error) || !wp_perf_expand (perf, error) || !wp_perf_index (perf, ignore, error))
    return FALSE;
  for (guint32 i = 0; i < perf->attrs.len; i++)
    wp_perf_resolve_attr (perf, &perf->attrs.data[i]);
  for (guint32 l = 0; l < perf->lanes.len; l++)
    for (guint32 i = 0; i < perf->lanes.data[l].entries.len; i++)
      {
        if (count++ % RECORDS_PER_STEP == 0
            && !wp_progress_step (perf->reader->progress, 0.25 + 0.75 * count / perf->n_entries, error))
          return FALSE;
        take (self, &perf->lanes.data[l].entries.data[i]);
      }
  sort (self);
  return TRUE;
}

gboolean
wp_recording_inodes (const char *path, WpInodeArray *inodes, WpProgress *progress, GError **error)
{
  static const WpReadOptions defaults = { 0 };
  WpReader reader = { .path = path, .options = &defaults, .progress = progress };
  Search self = { .inodes = inodes };
  gboolean done;

  inodes->len = 0;
  reader.trace = wp_trace_new ();
  wp_perf_init (&self.perf, &reader);
  done = wp_reader_open (&reader, error) && search (&self, error);
  wp_perf_clear (&self.perf);
  wp_trace_free (reader.trace);
  wp_reader_close (&reader);
  return done;
}
