/* wakes [NAME]: each way in which a sleep can end, one named process after the other, in the current folder.
 *
 * A program that this kernel or container does not let run says so on standard output: "NAME: not here: WHY". */
#include "wakes.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *current = "wakes";
static cpu_set_t may; /* the CPUs that there are for us */

void
wakes_sleep (long ns)
{
  struct timespec time = { .tv_nsec = ns };

  nanosleep (&time, NULL);
}

static long
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 * MS + time.tv_nsec;
}

void
wakes_spin (long ns)
{
  long end = now () + ns;

  while (now () < end)
    ;
}

void
wakes_pin (int cpu)
{
  cpu_set_t one;
  int n = CPU_COUNT (&may);

  CPU_ZERO (&one);
  for (int i = 0, nth = cpu % n; i < CPU_SETSIZE; i++)
    if (CPU_ISSET (i, &may) && nth-- == 0)
      CPU_SET (i, &one);
  sched_setaffinity (0, sizeof one, &one);
}

long
wakes_need (long result, const char *what)
{
  if (result >= 0)
    return result;
  printf ("%s: not here: %s: %s\n", current, what, strerror (errno));
  fflush (stdout);
  _exit (0);
}

int
wakes_helper (const char *name, void (*run) (int), int argument)
{
  pid_t pid = (pid_t) wakes_need (fork (), "fork");

  if (pid != 0)
    return pid;
  prctl (PR_SET_NAME, name, 0, 0, 0);
  run (argument);
  _exit (0);
}

static void
make_big_file (void)
{
  int fd = open (BIG_FILE, O_RDWR | O_CREAT, 0644);
  char *block = calloc (1, 1 << 20);
  struct stat st;

  if (fd < 0 || block == NULL || fstat (fd, &st) < 0)
    {
      perror (BIG_FILE);
      exit (1);
    }
  memset (block, 7, 1 << 20);
  for (long at = st.st_size; at < BIG_FILE_SIZE; at += 1 << 20)
    if (pwrite (fd, block, 1 << 20, at) != 1 << 20)
      {
        perror (BIG_FILE);
        exit (1);
      }
  fsync (fd);
  posix_fadvise (fd, 0, 0, POSIX_FADV_DONTNEED);
  close (fd);
  free (block);
}

static void
run (const Wake *wake)
{
  pid_t child = fork ();

  if (child == 0)
    {
      prctl (PR_SET_NAME, wake->name, 0, 0, 0);
      current = wake->name;
      wake->run ();
      while (wait (NULL) > 0)
        ;
      _exit (0);
    }
  waitpid (child, NULL, 0);
}

int
main (int argc, char **argv)
{
  const Wake *const tables[] = { wakes_time, wakes_peers, wakes_tasks };

  sched_getaffinity (0, sizeof may, &may);
  make_big_file ();
  for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
    for (const Wake *wake = tables[t]; wake->name != NULL; wake++)
      if (argc < 2 || strcmp (argv[1], wake->name) == 0)
        run (wake);
  return 0;
}
