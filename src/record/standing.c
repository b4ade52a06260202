#include "record/standing.h"

#include "base/hash.h"
#include "base/search.h"
#include "base/sort.h"
#include "read/perf/kernel-moves.h"

#define KERNEL (-1) /* whose mappings are the kernel's */
#define COMM_MAX 16
#define WAIT_TEXTS (sizeof (WpPerfRecord) + 16) /* where they begin in a WP_PERF_FEATURE_WAIT: behind its number, process and task */
#define NOBODY (-1)

/* As it was recorded. Of a mapping without what says who, when and where: several maps are parts of it, in several processes. */
typedef struct
{
  gsize size;
  guint8 bytes[];
} Record;

/* Where it left its CPU, unless it has come to one since. */
typedef struct
{
  guint8 state; /* WpState; UNKNOWN: it runs, or nobody knows */
  guint8 n;
  guint64 frames[WP_PERF_WAIT_FUNCTIONS_MAX]; /* the kernel's, innermost first; what is further out is left out */
} Sleep;

typedef struct
{
  gint32 tid, pid;
  char comm[COMM_MAX];
  gint32 parent; /* of who leads a process: the process that it is a child of; NOBODY; 0: not known */
  gint64 born;   /* 0: before the recording */
  gint64 acted;  /* when it last came to a CPU, or left one; 0: not since the recording began */
  Sleep sleep;
  Record *told;  /* counted: what it waited in before the recording; or NULL */
} Task;

typedef struct
{
  guint64 start, end;
  Record *record; /* counted */
} Map;

/* Processes have one together from a fork until either changes it. */
typedef struct
{
  guint users;
  WP_ARRAY (Map) maps; /* in order; none lies over another one */
} Space;

struct WpStanding
{
  GHashTable *tasks;  /* tid → Task */
  GHashTable *spaces; /* pid → Space, counted */
  gint64 unseen;      /* until then nothing was seen; 0: all was */
};

/* --- spaces ------------------------------------------------------------------------------------------------------- */

static void
release_space (gpointer data)
{
  Space *self = data;

  if (--self->users > 0)
    return;
  for (guint32 i = 0; i < self->maps.len; i++)
    g_rc_box_release (self->maps.data[i].record);
  wp_array_clear (&self->maps);
  g_free (self);
}

/* The process has the same mappings as another one; NULL: none. */
static void
share_space (WpStanding *self, gint32 pid, Space *space)
{
  if (space == NULL)
    {
      g_hash_table_remove (self->spaces, GINT_TO_POINTER (pid));
      return;
    }
  space->users++;
  g_hash_table_insert (self->spaces, GINT_TO_POINTER (pid), space);
}

/* For changing. */
static Space *
own_space (WpStanding *self, gint32 pid)
{
  Space *space = g_hash_table_lookup (self->spaces, GINT_TO_POINTER (pid)), *own;

  if (space != NULL && space->users == 1)
    return space;
  own = g_new0 (Space, 1);
  if (space != NULL)
    wp_array_copy (&own->maps, &space->maps);
  for (guint32 i = 0; i < own->maps.len; i++)
    g_rc_box_acquire (own->maps.data[i].record);
  share_space (self, pid, own);
  return own;
}

/* In place of whatever was there; what reaches over its ends keeps the part outside. */
static void
put_map (Space *self, const Map *map)
{
  const guint32 first = WP_SEARCH (0, self->maps.len, i, self->maps.data[i].end <= map->start);
  const guint32 behind = WP_SEARCH (first, self->maps.len, i, self->maps.data[i].start < map->end);
  const guint32 rest = self->maps.len - behind;
  Map pieces[3], head = { 0 }, tail = { 0 };
  guint32 n = 0;

  if (first < behind)
    {
      head = self->maps.data[first];
      tail = self->maps.data[behind - 1];
    }
  if (first < behind && head.start < map->start)
    pieces[n++] = (Map) { head.start, map->start, g_rc_box_acquire (head.record) };
  pieces[n++] = *map;
  if (first < behind && tail.end > map->end)
    pieces[n++] = (Map) { map->end, tail.end, g_rc_box_acquire (tail.record) };
  for (guint32 i = first; i < behind; i++)
    g_rc_box_release (self->maps.data[i].record);
  wp_array_reserve (&self->maps, (guint64) first + n + rest);
  memmove (self->maps.data + first + n, self->maps.data + behind, rest * sizeof *self->maps.data);
  memcpy (self->maps.data + first, pieces, n * sizeof *pieces);
  self->maps.len = first + n + rest;
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static Record *
keep_record (const WpPerfRecord *header, gsize size)
{
  Record *record = g_rc_box_alloc0 (sizeof *record + size);

  record->size = size;
  memcpy (record->bytes, header, size);
  return record;
}

gboolean
wp_standing_concerns (const WpPerfRecord *header)
{
  return header->type == PERF_RECORD_COMM || header->type == PERF_RECORD_FORK || header->type == PERF_RECORD_EXIT
         || ((header->type == PERF_RECORD_MMAP || header->type == PERF_RECORD_MMAP2)
             && !(header->misc & PERF_RECORD_MISC_MMAP_DATA));
}

/* struct { pid, tid, start, size, offset, … } */
static void
take_map (WpStanding *self, const WpPerfRecord *header, gsize tail)
{
  const guint8 *body = (const guint8 *) (header + 1);
  guint64 start, size;
  Record *record;
  Space *space;
  gint32 pid;

  if (header->size < sizeof *header + 32 + tail)
    return;
  pid = (gint32) wp_read_u32 (body);
  start = wp_read_u64 (body + 8);
  size = wp_read_u64 (body + 16);
  if (size == 0 || size > G_MAXUINT64 - start)
    return;
  space = g_hash_table_lookup (self->spaces, GINT_TO_POINTER (pid));
  if (space != NULL && space->maps.len >= WP_STANDING_MAPS_MAX)
    return;
  record = keep_record (header, header->size - tail);
  put_map (own_space (self, pid), &(Map) { start, start + size, record });
}

static Task *
task_of (WpStanding *self, gint32 pid, gint32 tid)
{
  Task *task = g_hash_table_lookup (self->tasks, GINT_TO_POINTER (tid));

  if (task == NULL)
    {
      task = g_new0 (Task, 1);
      task->tid = tid;
      g_hash_table_insert (self->tasks, GINT_TO_POINTER (tid), task);
    }
  task->pid = pid;
  return task;
}

static void
release_task (gpointer data)
{
  Task *self = data;

  g_clear_pointer (&self->told, g_rc_box_release);
  g_free (self);
}

/* A number that was another one's says nothing of that one. */
static void
on_fork (WpStanding *self, const WpPerfTask *record, gint64 time)
{
  const Task *parent = g_hash_table_lookup (self->tasks, GINT_TO_POINTER (record->parent_tid));
  Space *space = g_hash_table_lookup (self->spaces, GINT_TO_POINTER (record->parent));
  Task *task = task_of (self, record->pid, record->tid);

  memset (task->comm, 0, sizeof task->comm);
  if (parent != NULL)
    memcpy (task->comm, parent->comm, sizeof task->comm);
  g_clear_pointer (&task->told, g_rc_box_release);
  task->born = task->acted = time;
  task->sleep = (Sleep) { 0 };
  task->parent = 0;
  if (record->pid == record->parent)
    return;
  task->parent = record->parent;
  share_space (self, record->pid, space);
}

static void
on_comm (WpStanding *self, const WpPerfTask *record)
{
  Task *task = task_of (self, record->pid, record->tid);

  memset (task->comm, 0, sizeof task->comm);
  memcpy (task->comm, record->comm, MIN (record->comm_length, sizeof task->comm - 1));
  if (record->exec)
    g_hash_table_remove (self->spaces, GINT_TO_POINTER (record->pid));
}

/* A process' mappings are gone with its leader, as the reader has it (wp_perf_task_spaces()). */
static void
on_exit_ (WpStanding *self, const WpPerfTask *record)
{
  g_hash_table_remove (self->tasks, GINT_TO_POINTER (record->tid));
  if (record->pid == record->tid)
    g_hash_table_remove (self->spaces, GINT_TO_POINTER (record->pid));
}

void
wp_standing_take (WpStanding *self, const WpPerfRecord *header, gint64 time, gsize tail)
{
  WpPerfTask task;

  if (header->type == PERF_RECORD_MMAP || header->type == PERF_RECORD_MMAP2)
    take_map (self, header, tail);
  else if (!wp_perf_task (header, &task))
    return;
  else if (header->type == PERF_RECORD_FORK)
    on_fork (self, &task, time);
  else if (header->type == PERF_RECORD_COMM)
    on_comm (self, &task);
  else
    on_exit_ (self, &task);
}

/* --- sleeps ------------------------------------------------------------------------------------------------------- */

/* The last of its texts; 0: it says none. */
static gint32
told_parent (const WpPerfRecord *header)
{
  const char *text = (const char *) header + WAIT_TEXTS, *end = (const char *) header + header->size;
  gint64 parent;

  for (guint i = 0; i < 3 && text < end; i++)
    text += strnlen (text, (gsize) (end - text)) + 1;
  if (text >= end || memchr (text, '\0', (gsize) (end - text)) == NULL || *text == '\0')
    return 0;
  parent = g_ascii_strtoll (text, NULL, 10);
  return parent > 0 && parent <= G_MAXINT32 ? (gint32) parent : NOBODY;
}

void
wp_standing_told (WpStanding *self, const WpPerfRecord *header)
{
  const guint8 *body = (const guint8 *) (header + 1);
  Task *task;

  if (header->size < WAIT_TEXTS)
    return;
  task = task_of (self, (gint32) wp_read_u32 (body + 8), (gint32) wp_read_u32 (body + 12));
  g_clear_pointer (&task->told, g_rc_box_release);
  task->told = keep_record (header, header->size);
  task->parent = told_parent (header);
}

/* The task, where it has not acted later than that. */
static Task *
acting (const WpStanding *self, gint32 tid, gint64 time)
{
  Task *task = g_hash_table_lookup (self->tasks, GINT_TO_POINTER (tid));

  if (task == NULL || task->acted > time)
    return NULL;
  task->acted = time;
  task->sleep.state = WP_STATE_UNKNOWN;
  return task;
}

static void
fall_asleep (Sleep *self, WpState state, const WpPerfSample *sample)
{
  self->state = state;
  self->n = 0;
  for (gsize i = 0; i < sample->n_chain && self->n < G_N_ELEMENTS (self->frames); i++)
    {
      guint64 address = wp_read_u64 (sample->chain + 8 * i);

      if (address == (guint64) PERF_CONTEXT_USER)
        return;
      if (wp_is_kernel_address (address))
        self->frames[self->n++] = address;
    }
}

void
wp_standing_switched (WpStanding *self, const WpEvent *event, const WpPerfSample *sample)
{
  WpState state = wp_switch_state (event->sw.prev_state);
  Task *left = acting (self, event->sw.prev_tid, event->time);

  if (left != NULL && state != WP_STATE_PREEMPTED && state != WP_STATE_DEAD)
    fall_asleep (&left->sleep, state, sample);
  acting (self, event->sw.next_tid, event->time);
}

void
wp_standing_paused (WpStanding *self, gint64 end)
{
  self->unseen = MAX (self->unseen, end);
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

typedef struct
{
  gint32 pid, tid;
  gconstpointer value;
} Row;

WP_DEFINE_COMPARE_2 (compare_rows, Row, pid, tid)

typedef WP_ARRAY (Row) RowArray;

static void
add_zeros (GByteArray *out, gsize n)
{
  g_byte_array_set_size (out, (guint) (out->len + n));
  memset (out->data + out->len - n, 0, n);
}

static void
write_task (const Task *task, gsize tail, GByteArray *out)
{
  WpPerfRecord header = { .type = PERF_RECORD_COMM, .size = (guint16) (sizeof header + 8 + COMM_MAX + tail) };

  if (task->comm[0] == '\0')
    return;
  g_byte_array_append (out, (const guint8 *) &header, sizeof header);
  g_byte_array_append (out, (const guint8 *) &task->pid, 4);
  g_byte_array_append (out, (const guint8 *) &task->tid, 4);
  g_byte_array_append (out, (const guint8 *) task->comm, COMM_MAX);
  add_zeros (out, tail);
}

static void
add_text (GByteArray *out, const char *text)
{
  g_byte_array_append (out, (const guint8 *) text, (guint) strlen (text) + 1);
}

/* Names only, never an address: read/perf/veil.h. Whoever called is left of where it goes on. */
static void
add_functions (const Sleep *self, const WpPerfFile *file, GByteArray *out)
{
  const WpTrace *trace = file->reader->trace;

  for (guint i = self->n, n = 0; i-- > 0;)
    {
      WpId frame = wp_kernel_symbols_frame (file->kernel, self->frames[i] - (i > 0));
      const char *name = wp_trace_function_name (trace, trace->frames.data[frame].function);

      if (*name == '[') /* unknown */
        continue;
      if (n++ > 0)
        g_byte_array_append (out, (const guint8 *) ";", 1);
      g_byte_array_append (out, (const guint8 *) name, (guint) strlen (name));
    }
  add_zeros (out, 1);
}

/* Its process' parent. One that has ended, or whose number is another one's by now, is none. */
static gint32
parent_of (const WpStanding *self, const Task *task)
{
  const Task *leader = g_hash_table_lookup (self->tasks, GINT_TO_POINTER (task->pid)), *parent;

  if (leader == NULL || leader->parent == 0)
    return 0;
  parent = g_hash_table_lookup (self->tasks, GINT_TO_POINTER (leader->parent));
  return parent != NULL && parent->born <= leader->born ? leader->parent : NOBODY;
}

static void
add_parent (gint32 parent, GByteArray *out)
{
  char number[16] = "";

  if (parent != 0)
    g_snprintf (number, sizeof number, "%d", MAX (parent, 0));
  add_text (out, number);
}

/* Who has not acted since the recording began waits in what it did then. */
static void
write_wait (const WpStanding *self, const Task *task, const WpPerfFile *file, GByteArray *out)
{
  static const guint64 feature = WP_PERF_FEATURES_OWN + WP_PERF_FEATURE_WAIT;
  static const Sleep unknown = { 0 };
  const Sleep *sleep = task->acted >= self->unseen ? &task->sleep : &unknown;
  WpPerfRecord header = { .type = WP_PERF_RECORD_EVENT_TYPE };
  gint32 parent = parent_of (self, task);
  guint at = out->len;

  if (task->told != NULL && task->acted == 0 && self->unseen == 0)
    {
      g_byte_array_append (out, task->told->bytes, (guint) task->told->size);
      return;
    }
  if (sleep->state == WP_STATE_UNKNOWN && parent == 0)
    return;
  g_byte_array_append (out, (const guint8 *) &header, sizeof header);
  g_byte_array_append (out, (const guint8 *) &feature, sizeof feature);
  g_byte_array_append (out, (const guint8 *) &task->pid, 4);
  g_byte_array_append (out, (const guint8 *) &task->tid, 4);
  add_text (out, wp_state_id (sleep->state));
  add_text (out, ""); /* the call is one of the functions */
  add_functions (sleep, file, out);
  add_parent (parent, out);
  header.size = (guint16) (out->len - at);
  memcpy (out->data + at, &header, sizeof header);
}

/* Of the kernel's maps the offset is no place in a file. */
static void
write_map (const Map *map, gint32 pid, gsize tail, GByteArray *out)
{
  guint8 *body;
  guint64 size = map->end - map->start, offset;
  guint16 whole = (guint16) (map->record->size + tail);
  guint at = out->len;

  g_byte_array_append (out, map->record->bytes, (guint) map->record->size);
  add_zeros (out, tail);
  memcpy (out->data + at + G_STRUCT_OFFSET (WpPerfRecord, size), &whole, sizeof whole);
  if (pid == KERNEL)
    return;
  body = out->data + at + sizeof (WpPerfRecord);
  offset = wp_read_u64 (body + 24) + map->start - wp_read_u64 (body + 8);
  memcpy (body, &pid, 4);
  memcpy (body + 4, &pid, 4);
  memcpy (body + 8, &map->start, 8);
  memcpy (body + 16, &size, 8);
  memcpy (body + 24, &offset, 8);
}

void
wp_standing_write (const WpStanding *self, const WpPerfFile *file, gsize tail, GByteArray *out)
{
  RowArray tasks = { 0 }, spaces = { 0 };
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, self->tasks);
  while (g_hash_table_iter_next (&iter, &key, &value))
    wp_array_push (&tasks, ((Row) { ((const Task *) value)->pid, ((const Task *) value)->tid, value }));
  g_hash_table_iter_init (&iter, self->spaces);
  while (g_hash_table_iter_next (&iter, &key, &value))
    wp_array_push (&spaces, ((Row) { GPOINTER_TO_INT (key), 0, value }));
  wp_array_sort (&tasks, compare_rows);
  wp_array_sort (&spaces, compare_rows);
  for (guint32 i = 0; i < spaces.len; i++)
    for (guint32 k = 0; k < ((const Space *) spaces.data[i].value)->maps.len; k++)
      write_map (&((const Space *) spaces.data[i].value)->maps.data[k], spaces.data[i].pid, tail, out);
  for (guint32 i = 0; i < tasks.len; i++)
    {
      write_task (tasks.data[i].value, tail, out);
      write_wait (self, tasks.data[i].value, file, out);
    }
  wp_array_clear (&tasks);
  wp_array_clear (&spaces);
}

/* --- begin and end ------------------------------------------------------------------------------------------------ */

WpStanding *
wp_standing_new (void)
{
  WpStanding *self = g_new0 (WpStanding, 1);

  self->tasks = g_hash_table_new_full (wp_hash_pointer, NULL, NULL, release_task);
  self->spaces = g_hash_table_new_full (wp_hash_pointer, NULL, NULL, release_space);
  return self;
}

static Task *
copy_task (const Task *self)
{
  Task *copy = g_memdup2 (self, sizeof *self);

  if (copy->told != NULL)
    g_rc_box_acquire (copy->told);
  return copy;
}

WpStanding *
wp_standing_copy (const WpStanding *self)
{
  WpStanding *copy = wp_standing_new ();
  GHashTableIter iter;
  gpointer key, value;

  copy->unseen = self->unseen;
  g_hash_table_iter_init (&iter, self->tasks);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (copy->tasks, key, copy_task (value));
  g_hash_table_iter_init (&iter, self->spaces);
  while (g_hash_table_iter_next (&iter, &key, &value))
    share_space (copy, GPOINTER_TO_INT (key), value);
  return copy;
}

void
wp_standing_free (WpStanding *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->tasks);
  g_hash_table_unref (self->spaces);
  g_free (self);
}
