/* Following a stream and writing its end anew; see tail.h. The file is mapped only while something is asked for. */
#include "record/tail.h"

#include "base/hash.h"
#include "base/mapped.h"
#include "base/search.h"
#include "base/sort.h"
#include "base/write.h"
#include "record/launch.h"
#include "read/perf/perf-decode.h"
#include "read/perf/perf-parts.h"
#include "record/standing.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/mman.h>
#include <unistd.h>

#define STREAM_HEADER 16
#define PIECE (1 << 20)       /* so much is written at once */
#define SAID_MAX (256 * 1024) /* of what the recorder says of itself behind the head */

/* From one end of a round to the next; it begins where the one before ends. */
typedef struct
{
  guint64 offset;
  gint64 start, end; /* of its records' times */
} Round;

/* Records of the head that are written as they are. */
typedef struct
{
  guint64 offset, size;
} Piece;

/* A record that changes what stands, or a pause. */
typedef struct
{
  gint64 time;
  guint64 offset;
} Change;

struct WpTail
{
  int fd;
  const WpReadOptions options;
  WpReader reader; /* of what is mapped */
  WpPerfFile file;
  guint64 at;      /* so far it is followed */
  gboolean begun;  /* the head is over */
  WpPerfEventTypes *types; /* once it is */
  Piece symbols;           /* the kernel's, in the head */
  WP_ARRAY (Piece) head;
  GByteArray *said;
  WP_ARRAY (Round) rounds; /* the last one is under way */
  WP_ARRAY (Change) changes; /* not in `standing` yet */
  GHashTable *family;      /* pid → when it ended (gint64), 0: it lives; NULL: of nobody */
  WP_ARRAY (guint8) cpus;  /* whether there were records of it */
  WpStanding *standing;    /* at `start`, but for task switches: before the first round */
  WpStanding *recent;      /* where the last writing began, at `recent_time`, since the next one may begin a little later; or NULL */
  gint64 recent_time;
  gint64 start, end;
  gboolean forgot; /* what was before `start` */
  guint64 punched; /* up to there is nothing behind the head */
};

/* What is written, in pieces. */
typedef struct
{
  int fd, code;
  GByteArray *bytes;
} Out;

/* --- the file ----------------------------------------------------------------------------------------------------- */

static gboolean
map_file (WpTail *self, guint64 size, GError **error)
{
  void *data = mmap (NULL, size, PROT_READ, MAP_SHARED | MAP_NORESERVE, self->fd, 0);

  if (data == MAP_FAILED)
    {
      g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_OUTPUT, "what is recorded cannot be read: %s", g_strerror (errno));
      return FALSE;
    }
  wp_mapped_guard ();
  self->reader.data = data;
  self->reader.size = size;
  self->file.data_end = size;
  wp_kernel_symbols_set_text (self->file.kernel, (const char *) self->reader.data + self->symbols.offset, self->symbols.size);
  return TRUE;
}

static void
unmap_file (WpTail *self)
{
  munmap ((void *) self->reader.data, self->reader.size);
  self->reader.data = NULL;
}

/* So many bytes at the end of a record that is no sample say who, when and where. */
static gsize
tail_size (const WpTail *self)
{
  const WpPerfAttr *attr = self->file.attrs.data;

  if (self->file.attrs.len == 0)
    return 0;
  return (gsize) MAX (0, MAX (MAX (attr->tail_id, attr->tail_tid), MAX (attr->tail_time, attr->tail_cpu)));
}

static gboolean
is_own (const WpPerfRecord *header, guint64 feature)
{
  return header->type == WP_PERF_RECORD_EVENT_TYPE && header->size >= sizeof *header + 8
         && wp_read_u64 ((const guint8 *) (header + 1)) == WP_PERF_FEATURES_OWN + feature;
}

static gboolean
is_pause (const WpPerfRecord *header, gint64 *start, gint64 *end)
{
  if (!is_own (header, WP_PERF_FEATURE_PAUSE) || header->size < sizeof *header + 24)
    return FALSE;
  *start = (gint64) wp_read_u64 ((const guint8 *) (header + 1) + 8);
  *end = (gint64) wp_read_u64 ((const guint8 *) (header + 1) + 16);
  return TRUE;
}

/* --- following ---------------------------------------------------------------------------------------------------- */

static void
add_to_head (WpTail *self, guint64 offset, guint64 size)
{
  Piece *last = self->head.len > 0 ? &self->head.data[self->head.len - 1] : NULL;

  if (last != NULL && last->offset + last->size == offset)
    last->size += size;
  else
    wp_array_push (&self->head, ((Piece) { offset, size }));
}

static void
begin_round (WpTail *self, guint64 offset)
{
  wp_array_push (&self->rounds, ((Round) { .offset = offset, .start = G_MAXINT64 }));
}

static void
end_head (WpTail *self, guint64 offset)
{
  self->begun = TRUE;
  self->types = wp_perf_event_types_new (&self->file);
  self->punched = offset;
  begin_round (self, offset);
}

static void
note_times (WpTail *self, gint64 start, gint64 end)
{
  Round *round = &self->rounds.data[self->rounds.len - 1];

  round->start = MIN (round->start, start);
  round->end = MAX (round->end, end);
  if (!self->forgot)
    self->start = self->start == 0 ? start : MIN (self->start, start);
}

static void
note_cpu (WpTail *self, guint32 cpu)
{
  if (cpu == G_MAXUINT32)
    return;
  if (cpu >= self->cpus.len)
    wp_array_resize (&self->cpus, cpu + 1);
  self->cpus.data[cpu] = TRUE;
}

/* Who is forked by one of them is one of them. The number may be of one that ended before: it is the new one's from here on. */
static void
note_fork (WpTail *self, gint64 time, gint32 parent, gint32 child)
{
  const gint64 *ended = g_hash_table_lookup (self->family, GINT_TO_POINTER (child));

  if (parent == child || (ended != NULL && (*ended == 0 || *ended >= time)))
    return;
  if (g_hash_table_contains (self->family, GINT_TO_POINTER (parent)))
    g_hash_table_insert (self->family, GINT_TO_POINTER (child), g_new0 (gint64, 1));
  else
    g_hash_table_remove (self->family, GINT_TO_POINTER (child));
}

void
wp_tail_note_fork (WpTail *self, gint32 parent, gint32 child)
{
  if (self->family != NULL)
    note_fork (self, G_MAXINT64, parent, child);
}

static void
note_family (WpTail *self, const WpPerfRecord *header, gint64 time)
{
  gint64 *ended;
  WpPerfTask task;

  if (self->family == NULL || header->type == PERF_RECORD_COMM || !wp_perf_task (header, &task))
    return;
  ended = g_hash_table_lookup (self->family, GINT_TO_POINTER (task.pid));
  if (header->type == PERF_RECORD_EXIT && ended != NULL && task.pid == task.tid)
    *ended = time;
  else if (header->type == PERF_RECORD_FORK)
    note_fork (self, time, task.parent, task.pid);
}

static gboolean
ended_before (gpointer pid, gpointer ended, gpointer data)
{
  const gint64 *time = ended, *start = data;

  return *time != 0 && *time < *start;
}

void
wp_tail_watch_family (WpTail *self, gint32 pid)
{
  if (self->family == NULL)
    self->family = g_hash_table_new_full (wp_hash_pointer, NULL, NULL, g_free);
  g_hash_table_insert (self->family, GINT_TO_POINTER (pid), g_new0 (gint64, 1));
}

gboolean
wp_tail_is_family (const WpTail *self, gint32 pid)
{
  return self->family != NULL && g_hash_table_contains (self->family, GINT_TO_POINTER (pid));
}

static void
on_kernel_record (WpTail *self, const WpPerfRecord *header, guint64 offset)
{
  const WpPerfAttr *attr;
  WpPerfWhere where;

  if (!wp_perf_file_where (&self->file, header, &where, &attr))
    return;
  if (where.time == 0)
    {
      if (!self->begun && wp_standing_concerns (header))
        wp_standing_take (self->standing, header, 0, tail_size (self));
      return;
    }
  if (!self->begun)
    end_head (self, offset);
  note_times (self, where.time, where.time);
  self->end = MAX (self->end, where.time);
  note_cpu (self, where.cpu);
  if (wp_standing_concerns (header))
    {
      wp_array_push (&self->changes, ((Change) { where.time, offset }));
      note_family (self, header, where.time);
    }
}

/* What the recorder says of itself, but for pauses, which have their places. Where it is paused still, the last seconds are those before. */
static void
on_said (WpTail *self, const WpPerfRecord *header, guint64 offset)
{
  gint64 start, end;

  if (is_pause (header, &start, &end))
    {
      note_times (self, start, end);
      wp_array_push (&self->changes, ((Change) { end, offset }));
    }
  else if (self->said->len + header->size <= SAID_MAX)
    g_byte_array_append (self->said, (const guint8 *) header, header->size);
}

/* Rounds without an event belong to the next one. */
static void
on_round (WpTail *self, guint64 behind)
{
  if (!self->begun)
    end_head (self, behind);
  else if (self->rounds.data[self->rounds.len - 1].end != 0)
    begin_round (self, behind);
}

static void
learn_formats (WpTail *self, const WpPerfRecord *header)
{
  const char *text;

  wp_perf_file_describe (&self->file, header);
  text = wp_kernel_symbols_text (self->file.kernel, &self->symbols.size);
  self->symbols.offset = text != NULL ? (guint64) (text - (const char *) self->reader.data) : 0;
}

static void
on_record (WpTail *self, const WpPerfRecord *header, guint64 offset, guint64 size)
{
  if (header->type == WP_PERF_RECORD_ATTR)
    wp_perf_file_describe (&self->file, header);
  else if (header->type == WP_PERF_RECORD_TRACING_DATA && !self->begun)
    learn_formats (self, header);
  if (header->type < WP_PERF_RECORD_USER_FIRST)
    on_kernel_record (self, header, offset);
  else if (header->type == WP_PERF_RECORD_FINISHED_ROUND)
    on_round (self, offset + size);
  else if (!self->begun && is_own (header, WP_PERF_FEATURE_WAIT))
    wp_standing_told (self->standing, header);
  else if (!self->begun)
    add_to_head (self, offset, size);
  else
    on_said (self, header, offset);
}

static gboolean
follow (WpTail *self, GError **error)
{
  if (self->at == 0 && (self->reader.size < STREAM_HEADER || wp_read_u64 (self->reader.data + 8) != STREAM_HEADER))
    {
      g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_OUTPUT, "what is recorded does not begin as a stream does");
      return FALSE;
    }
  self->at = MAX (self->at, STREAM_HEADER);
  while (self->at < self->reader.size)
    {
      const WpPerfRecord *header = wp_perf_file_record (&self->file, self->at);
      guint64 size = wp_perf_file_plausible (&self->file, self->at) ? header->size + wp_perf_trailing (header) : 0;

      if (size == 0 || size > self->reader.size - self->at)
        {
          g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_OUTPUT,
                       "what is recorded is damaged at byte %" G_GUINT64_FORMAT "; stop, and record again", self->at);
          return FALSE;
        }
      on_record (self, header, self->at, size);
      self->at += size;
    }
  return TRUE;
}

gboolean
wp_tail_follow (WpTail *self, guint64 whole, GError **error)
{
  gboolean done;

  if (whole <= self->at)
    return TRUE;
  if (!map_file (self, whole, error))
    return FALSE;
  done = follow (self, error);
  unmap_file (self);
  return done;
}

gint64
wp_tail_start (const WpTail *self)
{
  return self->start;
}

gint64
wp_tail_end (const WpTail *self)
{
  return self->end;
}

/* --- what stands -------------------------------------------------------------------------------------------------- */

static guint64
end_of_round (const WpTail *self, guint32 i)
{
  return i + 1 < self->rounds.len ? self->rounds.data[i + 1].offset : self->at;
}

WP_DEFINE_COMPARE_2 (compare_changes, Change, time, offset)

static void
take_change (const WpTail *self, WpStanding *standing, const Change *change)
{
  const WpPerfRecord *header = wp_perf_file_record (&self->file, change->offset);

  if (header->type < WP_PERF_RECORD_USER_FIRST)
    wp_standing_take (standing, header, change->time, tail_size (self));
  else
    wp_standing_paused (standing, change->time);
}

/* Takes in what changed from `since` on and before `time`; returns how many changes there are before that. The file is mapped. */
static guint32
advance (WpTail *self, WpStanding *standing, gint64 since, gint64 time)
{
  guint32 n;

  wp_array_sort (&self->changes, compare_changes);
  n = WP_SEARCH (0, self->changes.len, i, self->changes.data[i].time < since);
  for (; n < self->changes.len && self->changes.data[n].time < time; n++)
    take_change (self, standing, &self->changes.data[n]);
  return n;
}

static void
take_switch (const WpTail *self, WpStanding *standing, const WpPerfRecord *header, gint64 time)
{
  const WpPerfEventType *type;
  const WpPerfAttr *attr;
  WpPerfSample sample;
  WpPerfWhere where;
  WpEvent event;

  if (!wp_perf_file_where (&self->file, header, &where, &attr) || where.time >= time)
    return;
  event.time = where.time;
  type = wp_perf_switch_type (self->types, attr);
  if (type != NULL && wp_perf_sample (attr, header, &sample) && wp_perf_decode_switch (type, sample.raw, sample.n_raw, &event))
    wp_standing_switched (standing, &event, &sample);
}

/* Who left a CPU in this round before `time`, and who came to one. What changed by then is taken in. */
static void
take_switches (const WpTail *self, WpStanding *standing, guint32 round, gint64 time)
{
  const WpPerfRecord *header;

  for (guint64 offset = self->rounds.data[round].offset; offset < end_of_round (self, round);
       offset += header->size + wp_perf_trailing (header))
    {
      header = wp_perf_file_record (&self->file, offset);
      if (header->type == PERF_RECORD_SAMPLE)
        take_switch (self, standing, header, time);
    }
}

/* What stands then. The file is mapped. */
static const WpStanding *
standing_at (WpTail *self, gint64 time)
{
  if (self->recent == NULL || self->recent_time < self->start || self->recent_time > time)
    {
      wp_standing_free (self->recent);
      self->recent = wp_standing_copy (self->standing);
      self->recent_time = 0;
    }
  advance (self, self->recent, self->recent_time, time);
  for (guint32 i = 0; i < self->rounds.len; i++)
    if (self->rounds.data[i].start < time && self->rounds.data[i].end >= self->recent_time)
      take_switches (self, self->recent, i, time);
  self->recent_time = time;
  return self->recent;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void
flush (Out *out)
{
  if (out->code == 0 && out->bytes->len > 0)
    out->code = wp_write_all (out->fd, out->bytes->data, out->bytes->len);
  g_byte_array_set_size (out->bytes, 0);
}

static void
add (Out *out, const void *data, gsize n)
{
  g_byte_array_append (out->bytes, data, (guint) n);
  if (out->bytes->len >= PIECE)
    flush (out);
}

/* A long stretch of the file, without a copy of it. */
static void
add_stretch (const WpTail *self, Out *out, guint64 offset, guint64 end)
{
  flush (out);
  if (out->code == 0)
    out->code = wp_write_all (out->fd, self->reader.data + offset, end - offset);
}

/* Says for each CPU that its records are whole from here on, so that what was lost next on it was lost since then. It is the
 * end of a throttling, which says nothing before the first event. */
static void
add_beginnings (const WpTail *self, Out *out, gint64 time)
{
  const WpPerfAttr *attr = self->file.attrs.data;
  gsize tail = tail_size (self);

  if (self->file.attrs.len == 0 || attr->tail_time <= 0 || attr->tail_cpu <= 0)
    return;
  for (guint32 cpu = 0; cpu < self->cpus.len; cpu++)
    {
      WpPerfRecord header = { .type = PERF_RECORD_UNTHROTTLE, .size = (guint16) (sizeof header + 24 + tail) };
      guint8 body[24 + 64] = { 0 }, *end = body + 24 + tail;

      if (!self->cpus.data[cpu])
        continue;
      memcpy (body, &time, 8);
      memcpy (end - attr->tail_time, &time, 8);
      memcpy (end - attr->tail_cpu, &cpu, 4);
      add (out, &header, sizeof header);
      add (out, body, 24 + tail);
    }
}

static void
add_pause (Out *out, const WpPerfRecord *header, gint64 start)
{
  gsize at = sizeof *header + 8;

  add (out, header, at);
  add (out, &start, 8);
  add (out, (const guint8 *) header + at + 8, header->size - at - 8);
}

/* Of a round that began before. */
static void
add_since (const WpTail *self, Out *out, guint64 offset, guint64 end, gint64 time)
{
  const WpPerfRecord *header;
  const WpPerfAttr *attr;
  WpPerfWhere where;
  gint64 pause, resumed;

  for (; offset < end; offset += header->size + wp_perf_trailing (header))
    {
      header = wp_perf_file_record (&self->file, offset);
      if (is_pause (header, &pause, &resumed) && resumed > time)
        add_pause (out, header, MAX (pause, time));
      else if (header->type == WP_PERF_RECORD_FINISHED_ROUND
               || (header->type < WP_PERF_RECORD_USER_FIRST && wp_perf_file_where (&self->file, header, &where, &attr)
                   && where.time >= time))
        add (out, header, header->size);
    }
}

static void
add_rounds (const WpTail *self, Out *out, gint64 time)
{
  for (guint32 i = 0; i < self->rounds.len; i++)
    {
      const Round *round = &self->rounds.data[i];

      if (round->start >= time && round->end != 0)
        add_stretch (self, out, round->offset, end_of_round (self, i));
      else if (round->end >= time)
        add_since (self, out, round->offset, end_of_round (self, i), time);
    }
}

static void
add_beginning (WpTail *self, Out *out, gint64 time)
{
  static const guint64 size = STREAM_HEADER;

  add (out, "PERFILE2", 8);
  add (out, &size, sizeof size);
  for (guint32 i = 0; i < self->head.len; i++)
    add_stretch (self, out, self->head.data[i].offset, self->head.data[i].offset + self->head.data[i].size);
  add (out, self->said->data, self->said->len);
  wp_standing_write (standing_at (self, time), &self->file, tail_size (self), out->bytes);
  add_beginnings (self, out, time);
}

static gint64
last_ns (const WpTail *self, gint64 ns)
{
  return MAX (self->start, self->end - MAX (ns, 0));
}

gboolean
wp_tail_write (WpTail *self, gint64 ns, int fd, GError **error)
{
  Out out = { .fd = fd };
  gint64 time = last_ns (self, ns);

  if (!map_file (self, MAX (self->at, 1), error))
    return FALSE;
  out.bytes = g_byte_array_new ();
  add_beginning (self, &out, time);
  add_rounds (self, &out, time);
  flush (&out);
  g_byte_array_unref (out.bytes);
  unmap_file (self);
  if (out.code != 0)
    g_set_error (error, WP_RECORD_ERROR, WP_RECORD_ERROR_OUTPUT,
                 "the last seconds cannot be written: %s; make room, or choose another place", g_strerror (out.code));
  return out.code == 0;
}

/* --- forgetting --------------------------------------------------------------------------------------------------- */

static gboolean
punch_hole (int fd, guint64 from, guint64 to)
{
  return TEMP_FAILURE_RETRY (fallocate (fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t) from, (off_t) (to - from))) == 0;
}

gboolean
wp_tail_can_punch (int fd)
{
  return punch_hole (fd, 0, (guint64) sysconf (_SC_PAGESIZE));
}

/* Whole pages only. */
static gboolean
punch_up_to (WpTail *self, guint64 end)
{
  guint64 page = (guint64) sysconf (_SC_PAGESIZE), from = (self->punched + page - 1) / page * page, to = end / page * page;

  if (from >= to)
    return TRUE;
  if (!punch_hole (self->fd, from, to))
    return FALSE;
  self->punched = to;
  return TRUE;
}

/* The file is mapped. */
static void
drop_rounds (WpTail *self, gint64 time)
{
  guint32 n = 0;

  for (; n + 1 < self->rounds.len && self->rounds.data[n].end < time; n++)
    take_switches (self, self->standing, n, time);
  self->rounds.len -= n;
  memmove (self->rounds.data, self->rounds.data + n, self->rounds.len * sizeof *self->rounds.data);
}

gboolean
wp_tail_forget (WpTail *self, gint64 ns, gboolean punch)
{
  gint64 time = last_ns (self, ns);
  guint32 n;

  if (!self->begun || time <= self->start || !map_file (self, self->at, NULL))
    return TRUE;
  n = advance (self, self->standing, 0, time);
  drop_rounds (self, time);
  unmap_file (self);
  self->changes.len -= n;
  if (n > 0)
    memmove (self->changes.data, self->changes.data + n, self->changes.len * sizeof *self->changes.data);
  self->start = time;
  self->forgot = TRUE;
  if (self->family != NULL)
    g_hash_table_foreach_remove (self->family, ended_before, &self->start);
  return !punch || punch_up_to (self, self->rounds.data[0].offset);
}

/* --- begin and end ------------------------------------------------------------------------------------------------ */

WpTail *
wp_tail_new (int fd)
{
  WpTail *self = g_new0 (WpTail, 1);

  self->fd = fcntl (fd, F_DUPFD_CLOEXEC, 3);
  self->reader.options = &self->options;
  self->reader.trace = wp_trace_new ();
  wp_perf_file_init (&self->file, &self->reader);
  self->standing = wp_standing_new ();
  self->said = g_byte_array_new ();
  return self;
}

void
wp_tail_free (WpTail *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->types, wp_perf_event_types_free);
  wp_perf_file_clear (&self->file);
  wp_trace_free (self->reader.trace);
  wp_standing_free (self->standing);
  wp_standing_free (self->recent);
  g_byte_array_unref (self->said);
  wp_array_clear (&self->head);
  wp_array_clear (&self->rounds);
  wp_array_clear (&self->changes);
  wp_array_clear (&self->cpus);
  g_clear_pointer (&self->family, g_hash_table_unref);
  if (self->fd >= 0)
    close (self->fd);
  g_free (self);
}
