/* reuse FOLDER [MS]: writes a file there, syncs and deletes it, and makes others until the file system gives its number again; that one is
 * written and synced after MS ms (0) and kept. Prints what it wrote as JSON: {"inode": 12, "deleted": "/x/first", "kept": "/x/second"},
 * "kept" null where the number did not come back. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIZE 65536
#define TRIES 200

static void
die (const char *what)
{
  perror (what);
  exit (1);
}

/* Returns the inode. */
static unsigned long
write_file (const char *path)
{
  char *data = aligned_alloc (4096, SIZE);
  int fd = open (path, O_RDWR | O_CREAT, 0644);
  struct stat found;

  if (fd < 0 || data == NULL)
    die (path);
  memset (data, 'x', SIZE);
  if (write (fd, data, SIZE) != SIZE || fsync (fd) < 0 || fstat (fd, &found) < 0)
    die (path);
  close (fd);
  free (data);
  return found.st_ino;
}

static unsigned long
make_empty (const char *path)
{
  int fd = open (path, O_RDWR | O_CREAT | O_EXCL, 0644);
  struct stat found;

  if (fd < 0 || fstat (fd, &found) < 0)
    die (path);
  close (fd);
  return found.st_ino;
}

int
main (int argc, char **argv)
{
  char first[4096], second[4096];
  unsigned long inode;
  int found = 0;

  if (argc < 2)
    return 2;
  snprintf (first, sizeof first, "%s/first", argv[1]);
  inode = write_file (first);
  if (unlink (first) < 0)
    die (first);
  for (int i = 0; i < TRIES && !found; i++)
    {
      snprintf (second, sizeof second, "%s/second-%d", argv[1], i);
      found = make_empty (second) == inode;
    }
  if (argc > 2)
    usleep (atoi (argv[2]) * 1000);
  if (found && write_file (second) != inode)
    return 1;
  printf ("{\"inode\": %lu, \"deleted\": \"%s\", \"kept\": ", inode, first);
  printf (found ? "\"%s\"}\n" : "null}\n", second);
  return 0;
}
