/* A long-lived process that sleeps and computes under many frames, for two seconds. */
#include <time.h>
#include <unistd.h>

static volatile unsigned long sum;

static double
now (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}

static void
work (void)
{
  double end = now () + 2;

  while (now () < end)
    {
      for (int i = 0; i < 20000; i++)
        sum += (unsigned long) i * i;
      usleep (100);
    }
}

__attribute__ ((noinline)) static int
descend (int depth)
{
  volatile int pad[8] = { 0 };

  if (depth == 0)
    work ();
  else
    pad[depth % 8] = descend (depth - 1);
  return pad[0] + 1;
}

int
main (void)
{
  return descend (40) == 0;
}
