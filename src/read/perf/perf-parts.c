/* Where the parts of samples and of mappings are in their records. */
#include "read/perf/perf-parts.h"

#include "read/symbols/jit-map.h"

#define MMAP2_NAME 64 /* in the body */

/* --- samples ------------------------------------------------------------------------------------------------------ */

/* What PERF_SAMPLE_READ put into a sample. */
static gboolean
skip_read (WpCursor *self, guint64 format)
{
  gsize times = ((format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0) + ((format & PERF_FORMAT_TOTAL_TIME_RUNNING) != 0);
  gsize each = 1 + ((format & PERF_FORMAT_ID) != 0) + ((format & PERF_FORMAT_LOST) != 0);
  const guint8 *number;
  guint64 n = 1;

  if (format & PERF_FORMAT_GROUP)
    {
      number = wp_cursor_take (self, 8);
      n = number != NULL ? wp_read_u64 (number) : 0;
      if (number == NULL || n > 65536)
        return FALSE;
    }
  return wp_cursor_take (self, (times + n * each) * 8) != NULL;
}

static gboolean
skip_branches (WpCursor *self, guint64 type)
{
  const guint8 *number = wp_cursor_take (self, 8);
  guint64 n = number != NULL ? wp_read_u64 (number) : 0;

  return number != NULL && n <= 65536 && (!(type & PERF_SAMPLE_BRANCH_HW_INDEX) || wp_cursor_take (self, 8) != NULL)
         && wp_cursor_take (self, 24 * n) != NULL && (!(type & WP_PERF_SAMPLE_BRANCH_COUNTERS) || wp_cursor_take (self, 8 * n) != NULL);
}

static gboolean
take_chain (WpCursor *self, WpPerfSample *sample)
{
  const guint8 *number = wp_cursor_take (self, 8);

  if (number == NULL || wp_read_u64 (number) > 65536)
    return FALSE;
  sample->n_chain = wp_read_u64 (number);
  sample->chain = wp_cursor_take (self, 8 * sample->n_chain);
  return sample->chain != NULL;
}

static gboolean
take_raw (WpCursor *self, WpPerfSample *sample)
{
  const guint8 *number = wp_cursor_take (self, 4);

  if (number == NULL)
    return FALSE;
  sample->n_raw = wp_read_u32 (number);
  sample->raw = wp_cursor_take (self, sample->n_raw);
  return sample->raw != NULL;
}

static gboolean
take_registers (WpCursor *self, guint64 mask, WpUserState *user)
{
  const guint8 *abi = wp_cursor_take (self, 8);

  if (abi == NULL)
    return FALSE;
  user->abi = wp_read_u64 (abi);
  user->mask = mask;
  if (user->abi == PERF_SAMPLE_REGS_ABI_NONE)
    return TRUE;
  user->registers = wp_cursor_take (self, 8 * (guint64) __builtin_popcountll (mask));
  return user->registers != NULL;
}

/* Room for the bytes, then how many of them were copied. */
static gboolean
take_stack (WpCursor *self, WpUserState *user)
{
  const guint8 *room = wp_cursor_take (self, 8), *size;
  guint64 n = room != NULL ? wp_read_u64 (room) : 0;

  if (room == NULL || n == 0)
    return room != NULL;
  user->stack = wp_cursor_take (self, n);
  size = user->stack != NULL ? wp_cursor_take (self, 8) : NULL;
  if (size == NULL)
    return FALSE;
  user->stack_size = MIN (wp_read_u64 (size), n);
  return TRUE;
}

gboolean
wp_perf_sample (const WpPerfAttr *attr, const WpPerfRecord *header, WpPerfSample *sample)
{
  const guint8 *body = (const guint8 *) (header + 1);
  WpCursor cursor = { body, (const guint8 *) header + header->size };
  guint64 type = attr->attr.sample_type;

  *sample = (WpPerfSample){ 0 };
  if (wp_cursor_take (&cursor, (guint64) attr->chain) == NULL
      || ((type & PERF_SAMPLE_READ) && !skip_read (&cursor, attr->attr.read_format)))
    return FALSE;
  sample->chain_part = cursor.p;
  if ((type & PERF_SAMPLE_CALLCHAIN) && !take_chain (&cursor, sample))
    return FALSE;
  sample->behind_chain = cursor.p;
  if (((type & PERF_SAMPLE_RAW) && !take_raw (&cursor, sample))
      || ((type & PERF_SAMPLE_BRANCH_STACK) && !skip_branches (&cursor, attr->attr.branch_sample_type)))
    return FALSE;
  sample->user_part = cursor.p;
  if (((type & PERF_SAMPLE_REGS_USER) && !take_registers (&cursor, attr->attr.sample_regs_user, &sample->user))
      || ((type & PERF_SAMPLE_STACK_USER) && !take_stack (&cursor, &sample->user)))
    return FALSE;
  sample->behind_user = cursor.p;
  return TRUE;
}

/* --- mappings ----------------------------------------------------------------------------------------------------- */

/* Behind the offset: device, inode and its generation, or the build id; then protection, flags and name. */
static gboolean
take_build_id (const guint8 *body, char hex[41])
{
  for (guint i = 0; i < MIN (body[32], 20); i++)
    g_snprintf (hex + 2 * i, 3, "%02x", body[36 + i]);
  return body[32] > 0 && body[32] <= 20;
}

/* The file that a mapping's record names; all 0 where it names none. */
static WpFileNumbers
numbers_of (const WpPerfRecord *header)
{
  const guint8 *body = (const guint8 *) (header + 1);
  guint32 major = wp_read_u32 (body + 32), minor = wp_read_u32 (body + 36);

  if (header->type != PERF_RECORD_MMAP2 || (header->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) || major > 0xfff || minor > 0xfffff)
    return (WpFileNumbers){ 0 };
  return (WpFileNumbers){ .dev = major << 20 | minor, .inode = wp_read_u64 (body + 40), .generation = wp_read_u64 (body + 48) };
}

void
wp_perf_note_mapped (WpPerfFile *file, const WpPerfRecord *header)
{
  const char *path = (const char *) (header + 1) + MMAP2_NAME;
  gsize size = header->size - sizeof *header;
  WpFileNumbers numbers;

  if (size <= MMAP2_NAME || path[0] != '/' || memchr (path, '\0', size - MMAP2_NAME) == NULL)
    return;
  numbers = numbers_of (header);
  wp_builds_note (file->builds, path, &numbers);
}

/* By what the kernel wrote, else by what the recording says of files. */
static const char *
build_of (const WpPerfFile *file, const WpPerfRecord *header, WpPerfMapping *mapping)
{
  WpFileNumbers numbers = { 0 };

  if (mapping->hex[0] != '\0')
    return mapping->hex;
  if (header->type == PERF_RECORD_MMAP2)
    numbers = numbers_of (header);
  return wp_builds_find (file->builds, mapping->path, &numbers,
                         !wp_jit_is_anonymous (mapping->path) && file->reader->options->symbol_root == NULL);
}

gboolean
wp_perf_mapping (const WpPerfFile *file, const WpPerfRecord *header, WpPerfMapping *mapping)
{
  const guint8 *body = (const guint8 *) (header + 1);
  gsize name_at = header->type == PERF_RECORD_MMAP2 ? MMAP2_NAME : 32, size = header->size - sizeof *header;
  gsize length = size > name_at ? strnlen ((const char *) body + name_at, size - name_at) : 0;

  memset (mapping, 0, sizeof *mapping);
  if (size < name_at + 1 || length >= sizeof mapping->path)
    return FALSE;
  mapping->pid = (gint32) wp_read_u32 (body);
  mapping->start = wp_read_u64 (body + 8);
  mapping->size = wp_read_u64 (body + 16);
  mapping->offset = wp_read_u64 (body + 24);
  memcpy (mapping->path, body + name_at, length);
  mapping->is_kernel = mapping->pid == -1
                       || (header->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
  mapping->is_data = (header->misc & PERF_RECORD_MISC_MMAP_DATA) != 0;
  if (mapping->is_kernel)
    return TRUE;
  if (header->type == PERF_RECORD_MMAP2 && (header->misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
      && !take_build_id (body, mapping->hex))
    return FALSE;
  mapping->build_id = build_of (file, header, mapping);
  if (mapping->path[0] != '/')
    mapping->offset = 0;
  if (wp_jit_is_anonymous (mapping->path))
    { /* each process' own: what one made is not another's, and it speaks of it by addresses */
      mapping->offset = mapping->start;
      g_snprintf (mapping->path, sizeof mapping->path, WP_JIT_MODULE, mapping->pid);
    }
  mapping->module = mapping->path;
  return TRUE;
}

void
wp_perf_map_space (const WpPerfFile *file, WpSpaces *spaces, const WpPerfMapping *mapping)
{
  WpTrace *trace = file->reader->trace;

  if (!mapping->is_kernel && !mapping->is_data
      && !wp_spaces_map (spaces, mapping->pid, mapping->start, mapping->size, mapping->offset,
                         wp_trace_module (trace, mapping->module, mapping->build_id)))
    wp_perf_file_damaged (file);
}

/* --- tasks -------------------------------------------------------------------------------------------------------- */

gboolean
wp_perf_task (const WpPerfRecord *header, WpPerfTask *task)
{
  const guint8 *body = (const guint8 *) (header + 1);
  gsize size = header->size - sizeof *header;

  *task = (WpPerfTask) { 0 };
  if (header->type == PERF_RECORD_COMM && size >= 9)
    {
      task->pid = (gint32) wp_read_u32 (body);
      task->tid = (gint32) wp_read_u32 (body + 4);
      task->exec = (header->misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
      task->comm = (const char *) body + 8;
      task->comm_length = strnlen (task->comm, size - 8);
      return TRUE;
    }
  if ((header->type != PERF_RECORD_FORK && header->type != PERF_RECORD_EXIT) || size < 16)
    return FALSE;
  task->pid = (gint32) wp_read_u32 (body);
  task->parent = (gint32) wp_read_u32 (body + 4);
  task->tid = (gint32) wp_read_u32 (body + 8);
  task->parent_tid = (gint32) wp_read_u32 (body + 12);
  return TRUE;
}

/* The process is gone with its last thread; a pid is not used again while a thread of it lives. */
void
wp_perf_task_spaces (WpSpaces *spaces, const WpPerfRecord *header, const WpPerfTask *task)
{
  if (header->type == PERF_RECORD_FORK)
    wp_spaces_fork (spaces, task->parent, task->pid);
  else if (task->exec || (header->type == PERF_RECORD_EXIT && task->pid == task->tid))
    wp_spaces_clear (spaces, task->pid);
}
