#include "read/sidecar/blocks.h"

#include "base/checksum.h"
#include "base/hidden-file.h"
#include "base/mapped.h"
#include "base/write.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PART 64              /* bytes: where parts begin */
#define SLICE (1 << 20)      /* bytes of a block that are summed up at a time; they are in the processor's cache for what comes next */
#define THREADS_MAX 8
#define FOR_THREADS (16 << 20) /* bytes: less is checked sooner than a thread is started */

typedef struct
{
  char magic[8];
  guint64 size;    /* of the file */
  guint32 n_title; /* bytes, with the zero */
  guint32 n_blocks;
  guint64 sum;     /* of title and lines, up to the first block */
} Head;

typedef struct
{
  guint64 at;  /* in the file */
  guint32 n, row;
  guint64 sum;
} Line;

static const char magic[8] = "wpblocks";

static guint64
padded (guint64 n)
{
  return (n + PART - 1) / PART * PART;
}

static guint64
bytes_of (const WpBlock *block)
{
  return (guint64) block->n * block->row;
}

static guint64
lines_at (guint64 n_title)
{
  return padded (sizeof (Head) + n_title);
}

static guint64
blocks_at (guint64 n_title, guint n_blocks)
{
  return padded (lines_at (n_title) + n_blocks * sizeof (Line));
}

/* --- sums ----------------------------------------------------------------------------------------------------------------- */

static guint32
slice_rows (const WpBlock *block)
{
  return MAX (SLICE / block->row, 1);
}

/* In whatever order slices are summed up, their sums add up to the same. */
static guint64
sum_of_slice (const WpBlock *block, guint32 from, guint32 to)
{
  const guint64 parts[] = { from, wp_checksum ((const guint8 *) block->data + (guint64) from * block->row, (gsize) (to - from) * block->row) };

  return wp_checksum (parts, sizeof parts);
}

static guint64
sum_of_block (const WpBlock *block, GCancellable *cancellable)
{
  guint64 sum = 0;

  for (guint64 from = 0; from < block->n && !g_cancellable_is_cancelled (cancellable); from += slice_rows (block))
    sum += sum_of_slice (block, (guint32) from, (guint32) MIN (from + slice_rows (block), block->n));
  return sum;
}

/* --- writing -------------------------------------------------------------------------------------------------------------- */

guint64
wp_blocks_size (const char *title, const WpBlock *blocks, guint n_blocks)
{
  guint64 size = blocks_at (strlen (title) + 1, n_blocks);

  for (guint i = 0; i < n_blocks; i++)
    size += padded (bytes_of (&blocks[i]));
  return size;
}

static gboolean
write_padded (int fd, gconstpointer data, guint64 n, GCancellable *cancellable)
{
  static const guint8 zeros[PART];

  for (guint64 done = 0; done < n; done += SLICE)
    if (g_cancellable_is_cancelled (cancellable) || wp_write_all (fd, (const guint8 *) data + done, MIN (SLICE, n - done)) != 0)
      return FALSE;
  return wp_write_all (fd, zeros, padded (n) - n) == 0;
}

/* Head, title and lines; of no use where it was cancelled. */
static GByteArray *
front_of (const char *title, const WpBlock *blocks, guint n_blocks, GCancellable *cancellable)
{
  const guint64 n_title = strlen (title) + 1, n = blocks_at (n_title, n_blocks);
  GByteArray *front = g_byte_array_set_size (g_byte_array_new (), (guint) n);
  Head head = { .size = wp_blocks_size (title, blocks, n_blocks), .n_title = (guint32) n_title, .n_blocks = n_blocks };
  guint64 at = n;

  memcpy (head.magic, magic, sizeof magic);
  memset (front->data, 0, n);
  memcpy (front->data + sizeof head, title, n_title);
  for (guint i = 0; i < n_blocks; i++)
    {
      const Line line = { .at = at, .n = blocks[i].n, .row = blocks[i].row, .sum = sum_of_block (&blocks[i], cancellable) };

      memcpy (front->data + lines_at (n_title) + i * sizeof line, &line, sizeof line);
      at += padded (bytes_of (&blocks[i]));
    }
  head.sum = wp_checksum (front->data + sizeof head, n - sizeof head);
  memcpy (front->data, &head, sizeof head);
  return front;
}

gboolean
wp_blocks_write (int fd, const char *title, const WpBlock *blocks, guint n_blocks, GCancellable *cancellable)
{
  g_autoptr (GByteArray) front = front_of (title, blocks, n_blocks, cancellable);
  gboolean done = !g_cancellable_is_cancelled (cancellable) && wp_write_all (fd, front->data, front->len) == 0;

  for (guint i = 0; i < n_blocks && done; i++)
    done = write_padded (fd, blocks[i].data, bytes_of (&blocks[i]), cancellable);
  return done;
}

gboolean
wp_blocks_keep (const char *path, const char *title, const WpBlock *blocks, guint n_blocks, GCancellable *cancellable)
{
  g_autofree char *aside = NULL;
  int fd = wp_hidden_file_open (path, 0600, &aside);
  gboolean done;

  if (fd < 0)
    return FALSE;
  done = wp_blocks_write (fd, title, blocks, n_blocks, cancellable) && rename (aside, path) == 0;
  if (!done)
    unlink (aside);
  close (fd);
  return done;
}

/* --- mapping -------------------------------------------------------------------------------------------------------------- */

static gboolean
is_front (const guint8 *map, gsize size, const char *title, guint n_blocks)
{
  const Head *head = (const Head *) (gconstpointer) map;
  const gsize n_title = title != NULL ? strlen (title) + 1 : head->n_title;

  return memcmp (head->magic, magic, sizeof magic) == 0 && head->size == size && head->n_title == n_title && head->n_blocks == n_blocks
         && size >= blocks_at (n_title, n_blocks) && (title == NULL || memcmp (map + sizeof *head, title, n_title) == 0)
         && head->sum == wp_checksum (map + sizeof *head, blocks_at (n_title, n_blocks) - sizeof *head);
}

static const Line *
lines_of (const void *map)
{
  const Head *head = map;

  return (const Line *) (gconstpointer) ((const guint8 *) map + lines_at (head->n_title));
}

/* What is between parts belongs to no sum. */
static gboolean
is_zero (const guint8 *map, guint64 from, guint64 to)
{
  while (from < to && map[from] == 0)
    from++;
  return from == to;
}

static gboolean
take_blocks (const guint8 *map, gsize size, WpBlock *blocks, guint n_blocks)
{
  const Line *lines = lines_of (map);
  guint64 at = blocks_at (((const Head *) (gconstpointer) map)->n_title, n_blocks);

  for (guint i = 0; i < n_blocks; i++)
    {
      const guint64 n_rows = (guint64) lines[i].n * lines[i].row, n = padded (n_rows);

      if (lines[i].at != at || lines[i].row != blocks[i].row || n > size - at || !is_zero (map, at + n_rows, at + n))
        return FALSE;
      blocks[i].n = lines[i].n;
      blocks[i].data = lines[i].n > 0 ? map + at : NULL;
      at += n;
    }
  return at == size;
}

gboolean
wp_blocks_map (int fd, const char *title, WpBlock *blocks, guint n_blocks, void **map, gsize *size)
{
  struct stat st;
  void *all;

  if (fstat (fd, &st) != 0 || st.st_size < (off_t) sizeof (Head))
    return FALSE;
  wp_mapped_guard ();
  all = mmap (NULL, (gsize) st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (all == MAP_FAILED)
    return FALSE;
  if (is_front (all, (gsize) st.st_size, title, n_blocks) && take_blocks (all, (gsize) st.st_size, blocks, n_blocks))
    {
      *map = all;
      *size = (gsize) st.st_size;
      return TRUE;
    }
  munmap (all, (gsize) st.st_size);
  return FALSE;
}

/* --- checking ------------------------------------------------------------------------------------------------------------- */

typedef struct
{
  const WpBlock *blocks;
  guint n_blocks;
  WpBlocksFit fit;
  gpointer data;
  guint64 *sums;
  GMutex lock;
  guint block;   /* of the next slice */
  guint64 from;  /* … and its first row */
  gboolean wrong;
} Check;

/* The next slice for a thread; FALSE: there is none. Others add their sums only under the lock, too. */
static gboolean
next_slice (Check *self, guint *block, guint32 *from, guint32 *to)
{
  while (self->block < self->n_blocks && self->from >= self->blocks[self->block].n)
    {
      self->block++;
      self->from = 0;
    }
  if (self->wrong || self->block == self->n_blocks)
    return FALSE;
  *block = self->block;
  *from = (guint32) self->from;
  self->from = MIN (self->from + slice_rows (&self->blocks[*block]), self->blocks[*block].n);
  *to = (guint32) self->from;
  return TRUE;
}

static gpointer
check_slices (gpointer data)
{
  Check *self = data;
  guint32 from, to;
  guint block;

  g_mutex_lock (&self->lock);
  while (next_slice (self, &block, &from, &to))
    {
      guint64 sum;
      gboolean fits;

      g_mutex_unlock (&self->lock);
      sum = sum_of_slice (&self->blocks[block], from, to);
      fits = self->fit (self->data, block, from, to);
      g_mutex_lock (&self->lock);
      self->sums[block] += sum;
      self->wrong |= !fits;
    }
  g_mutex_unlock (&self->lock);
  return NULL;
}

static guint
count_threads (const WpBlock *blocks, guint n_blocks)
{
  guint64 bytes = 0;

  for (guint i = 0; i < n_blocks; i++)
    bytes += bytes_of (&blocks[i]);
  return bytes < FOR_THREADS ? 1 : CLAMP (g_get_num_processors (), 1, THREADS_MAX);
}

gboolean
wp_blocks_check (const void *map, const WpBlock *blocks, guint n_blocks, WpBlocksFit fit, gpointer data)
{
  Check self = { .blocks = blocks, .n_blocks = n_blocks, .fit = fit, .data = data, .sums = g_new0 (guint64, n_blocks) };
  const Line *lines = lines_of (map);
  GThread *threads[THREADS_MAX];
  const guint n = count_threads (blocks, n_blocks) - 1;

  g_mutex_init (&self.lock);
  for (guint i = 0; i < n; i++)
    threads[i] = g_thread_new ("sidecar", check_slices, &self);
  check_slices (&self);
  for (guint i = 0; i < n; i++)
    g_thread_join (threads[i]);
  for (guint i = 0; i < n_blocks; i++)
    self.wrong |= self.sums[i] != lines[i].sum;
  g_mutex_clear (&self.lock);
  g_free (self.sums);
  return !self.wrong;
}
