/* hot MS: for so many milliseconds computes, touches new pages and writes, in functions whose names nothing else has; half of it in a thread
 * that gives itself a name. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define PAGES 64

static volatile unsigned long sink;
static int null;

static double
seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + (double) now.tv_nsec / 1e9;
}

static void
hot_compute (void)
{
  for (unsigned long i = 0; i < 300000; i++)
    sink += i * i;
}

static void
hot_touch (void)
{
  char *pages = mmap (NULL, PAGES * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  for (int i = 0; pages != MAP_FAILED && i < PAGES; i++)
    pages[i * 4096] = 1;
  munmap (pages, PAGES * 4096);
  sink++;
}

static void
hot_write (void)
{
  for (int i = 0; i < 20; i++)
    sink += (unsigned long) write (null, "x", 1);
}

static void
hot_round (int depth)
{
  if (depth > 0)
    hot_round (depth - 1);
  else
    {
      hot_compute ();
      hot_touch ();
      hot_write ();
    }
  sink++; /* no tail call */
}

static void *
hot_thread (void *ms)
{
  double until = seconds () + *(double *) ms / 1000;

  for (int depth = 0; seconds () < until; depth = (depth + 1) % 5)
    hot_round (depth);
  return NULL;
}

static void *
hot_named_thread (void *ms)
{
  prctl (PR_SET_NAME, "hot worker");
  return hot_thread (ms);
}

int
main (int argc, char **argv)
{
  double ms = argc == 2 ? atof (argv[1]) : 500;
  pthread_t thread;

  null = open ("/dev/null", O_WRONLY | O_CLOEXEC);
  pthread_create (&thread, NULL, hot_named_thread, &ms);
  hot_thread (&ms);
  pthread_join (thread, NULL);
  return 0;
}
