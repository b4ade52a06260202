#include "file.h"
#include "workload.h"

#include <fcntl.h>
#include <string.h>

#define BLOCK (1 << 20)
#define BLOCKS 128
#define AT_ONCE 4 /* blocks of one direct read */
#define PIECE (64 << 10)

static WL_NOINLINE void
read_blocks (WlFile *self, int64_t first, int64_t n)
{
  wl_check (WL_CALL (pread64, self->fd, self->buffer, n * BLOCK, first * BLOCK) == n * BLOCK ? 0 : -1, "pread");
}

static void
read_direct (WlFile *self)
{
  self->seed = self->seed * 1664525u + 1013904223u;
  read_blocks (self, self->seed % (BLOCKS / AT_ONCE) * AT_ONCE, AT_ONCE);
}

static void
read_cold (WlFile *self)
{
  read_blocks (self, self->next++ % BLOCKS, 1);
}

static WL_NOINLINE void
write_through (WlFile *self)
{
  wl_check (WL_CALL (write, self->fd, self->buffer, PIECE, 0) == PIECE ? 0 : -1, "write");
  wl_check (WL_CALL (fsync, self->fd, 0, 0, 0), "fsync");
}

static const struct
{
  const char *name;
  void (*use) (WlFile *self);
  int flags, blocks;
} kinds[WL_FILE_KINDS] = {
  [WL_DIRECT] = { "direct", read_direct, O_DIRECT, BLOCKS },
  [WL_COLD] = { "cold", read_cold, 0, BLOCKS },
  [WL_FSYNC] = { "fsync", write_through, 0, 0 },
};

WlFile
wl_file_new (const char *folder, WlFileKind kind)
{
  WlFile self = { .kind = kind, .seed = 1 };
  char path[4096];

  if (posix_memalign (&self.buffer, 4096, AT_ONCE * BLOCK) != 0)
    wl_check (-1, "memory");
  memset (self.buffer, 'w', BLOCK);
  snprintf (path, sizeof path, "%s/wl-file-XXXXXX", folder);
  self.fd = mkostemp (path, kinds[kind].flags);
  wl_check (self.fd, path);
  wl_check (unlink (path), path);
  for (int i = 0; i < kinds[kind].blocks; i++)
    wl_check (write (self.fd, self.buffer, BLOCK), "write");
  wl_check (fsync (self.fd), "fsync");
  wl_check (-posix_fadvise (self.fd, 0, 0, POSIX_FADV_DONTNEED), "posix_fadvise");
  return self;
}

WlFileKind
wl_file_kind (const char *name)
{
  for (int kind = 0; kind < WL_FILE_KINDS; kind++)
    if (strcmp (kinds[kind].name, name) == 0)
      return kind;
  fprintf (stderr, "%s: direct, cold or fsync\n", name);
  exit (2);
}

void
wl_file_use (WlFile *file)
{
  wl_before ();
  kinds[file->kind].use (file);
  wl_after (WL_DISK);
}
