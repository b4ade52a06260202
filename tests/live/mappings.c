/* A process with many executable mappings of a file with a long path: mappings COUNT FOLDER. Says how many it has, and waits for the end of
 * its input. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH 15
#define LENGTH 200

int
main (int argc, char **argv)
{
  char *base = (char *) 0x100000000000, name[LENGTH + 1] = { 0 };
  int wanted = argc > 2 ? atoi (argv[1]) : 0, made = 0, file;

  memset (name, 'd', LENGTH);
  if (argc < 3 || chdir (argv[2]) != 0)
    return 1;
  for (int i = 0; i < DEPTH; i++)
    if (mkdir (name, 0700) != 0 || chdir (name) != 0)
      return 1;
  file = open ("f", O_RDWR | O_CREAT, 0700);
  if (file < 0 || ftruncate (file, 4096) != 0)
    return 1;
  for (; made < wanted; made++)
    if (mmap (base + 8192l * made, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED_NOREPLACE, file, 0) == MAP_FAILED)
      break;
  printf ("%d\n", made);
  fflush (stdout);
  return getchar () == EOF ? 0 : 1;
}
