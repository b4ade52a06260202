/* disk [COUNT [FOLDER]]: COUNT reads of 1 MiB past the page cache (O_DIRECT) from a file made before begin_ns in FOLDER
 * (the current one), each timed; a little work after each read. The file is gone from its folder before it is used. */
#include "workload.h"

#include <fcntl.h>
#include <string.h>

#define READ_SIZE (1 << 20)
#define FILE_SIZE (64 << 20)

static int
make_file (const char *folder, void *buffer)
{
  char path[4096];
  int fd;

  snprintf (path, sizeof path, "%s/wl-disk-XXXXXX", folder);
  fd = mkostemp (path, O_DIRECT);
  wl_check (fd, path);
  wl_check (unlink (path), path);
  memset (buffer, 'w', READ_SIZE);
  for (int i = 0; i < FILE_SIZE / READ_SIZE; i++)
    wl_check (write (fd, buffer, READ_SIZE), "write");
  wl_check (fsync (fd), "fsync");
  return fd;
}

static WL_NOINLINE int64_t
read_block (int fd, void *buffer, int64_t offset)
{
  int64_t begin = wl_now ();

  wl_check (WL_CALL (pread64, fd, buffer, READ_SIZE, offset) == READ_SIZE ? 0 : -1, "pread");
  return wl_now () - begin;
}

static WL_NOINLINE int64_t
digest (int64_t ns)
{
  return wl_burn (ns);
}

int
main (int argc, char **argv)
{
  long count = wl_argument (argc, argv, 1, 50);
  int64_t *reads = calloc ((size_t) count + 1, sizeof *reads);
  int64_t cpu = 0, sum = 0, begin, end;
  uint32_t seed = 1;
  void *buffer = NULL;
  int fd;

  if (reads == NULL || posix_memalign (&buffer, 4096, READ_SIZE) != 0)
    wl_check (-1, "memory");
  fd = make_file (argc > 2 ? argv[2] : ".", buffer);
  begin = wl_begin ();
  for (long i = 0; i < count; i++)
    {
      seed = seed * 1664525u + 1013904223u;
      reads[i] = read_block (fd, buffer, (int64_t) (seed % (FILE_SIZE / READ_SIZE)) * READ_SIZE);
      sum += reads[i];
      cpu += digest (WL_MS / 5);
    }
  end = wl_now ();
  wl_json_begin ("disk", begin, end);
  wl_json_object ("cpu_ns", (const char *[]) { "digest" }, &cpu, 1);
  wl_json_number ("disk_ns", sum);
  wl_json_number ("count", count);
  wl_json_number ("bytes", count * READ_SIZE);
  wl_json_numbers ("reads_ns", reads, (int) count);
  wl_json_end ();
  free (buffer);
  free (reads);
  return 0;
}
