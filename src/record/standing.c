#include "record/standing.h"

#include "base/hash.h"
#include "base/search.h"
#include "base/sort.h"
#include "read/perf/perf-parts.h"

#define KERNEL (-1) /* whose mappings are the kernel's */
#define COMM_MAX 16

typedef struct
{
  gint32 tid, pid;
  char comm[COMM_MAX];
} Task;

/* As it was recorded; several maps are parts of it, in several processes. */
typedef struct
{
  gsize size; /* without what says who, when and where */
  guint8 bytes[];
} MapRecord;

typedef struct
{
  guint64 start, end;
  MapRecord *record; /* counted */
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
  MapRecord *record;
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
  record = g_rc_box_alloc0 (sizeof *record + header->size - tail);
  record->size = header->size - tail;
  memcpy (record->bytes, header, record->size);
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
on_fork (WpStanding *self, const WpPerfTask *record)
{
  const Task *parent = g_hash_table_lookup (self->tasks, GINT_TO_POINTER (record->parent_tid));
  Space *space = g_hash_table_lookup (self->spaces, GINT_TO_POINTER (record->parent));
  Task *task = task_of (self, record->pid, record->tid);

  memset (task->comm, 0, sizeof task->comm);
  if (parent != NULL)
    memcpy (task->comm, parent->comm, sizeof task->comm);
  if (record->pid != record->parent)
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
wp_standing_take (WpStanding *self, const WpPerfRecord *header, gsize tail)
{
  WpPerfTask task;

  if (header->type == PERF_RECORD_MMAP || header->type == PERF_RECORD_MMAP2)
    take_map (self, header, tail);
  else if (!wp_perf_task (header, &task))
    return;
  else if (header->type == PERF_RECORD_FORK)
    on_fork (self, &task);
  else if (header->type == PERF_RECORD_COMM)
    on_comm (self, &task);
  else
    on_exit_ (self, &task);
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
wp_standing_write (const WpStanding *self, gsize tail, GByteArray *out)
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
    write_task (tasks.data[i].value, tail, out);
  wp_array_clear (&tasks);
  wp_array_clear (&spaces);
}

/* --- begin and end ------------------------------------------------------------------------------------------------ */

WpStanding *
wp_standing_new (void)
{
  WpStanding *self = g_new0 (WpStanding, 1);

  self->tasks = g_hash_table_new_full (wp_hash_pointer, NULL, NULL, g_free);
  self->spaces = g_hash_table_new_full (wp_hash_pointer, NULL, NULL, release_space);
  return self;
}

WpStanding *
wp_standing_copy (const WpStanding *self)
{
  WpStanding *copy = wp_standing_new ();
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, self->tasks);
  while (g_hash_table_iter_next (&iter, &key, &value))
    g_hash_table_insert (copy->tasks, key, g_memdup2 (value, sizeof (Task)));
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
