/* Says what it does: "work" all the time, within it "load" and "parse", 300 ms of CPU time each; a second thread "rest" in the
 * meantime, and what it does with no mark around it. Prints what it said. */
#include "wakepath-marks.h"

#include <pthread.h>

static long long
spent (void)
{
  struct timespec t;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static volatile unsigned sink;

static void
spin (int ms)
{
  long long until = spent () + ms * 1000000LL;

  while (spent () < until)
    for (unsigned i = 0; i < 1000; i++)
      sink += i;
}

static void
loading (void)
{
  spin (300);
  sink++;
}

static void
parsing (void)
{
  spin (300);
  sink++;
}

static void
unsaid (void)
{
  spin (150);
  sink++;
}

static void *
resting (void *unused)
{
  long long t = mark_now ();

  spin (200);
  mark_end (t, "rest");
  (void) unused;
  return NULL;
}

int
main (void)
{
  pthread_t thread;
  long long all = mark_now (), t = all, load, parse;

  pthread_create (&thread, NULL, resting, NULL);
  loading ();
  load = mark_now ();
  mark_end (t, "load");
  t = mark_now ();
  parsing ();
  parse = mark_now ();
  mark_end (t, "parse, all of it");
  mark_end (all, "work");
  unsaid ();
  pthread_join (thread, NULL);
  printf ("%lld %lld\n", load - all, parse - t);
  return 0;
}
