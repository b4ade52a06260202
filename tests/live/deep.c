/* deep SECRET MS [KB]: with so much room on its stack before that, calls itself to a known depth, holds the secret (its letters turned by one, so that the command line does not give
 * it away) on its stack, sleeps there and works there for so many milliseconds, and goes. Built without frame pointers. */
#include <alloca.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DEPTH 20

static volatile long sink;

static double
seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

__attribute__ ((noinline)) static void
stay (const char *turned, double ms)
{
  const struct timespec nap = { .tv_nsec = 1000000 };
  double until = seconds () + ms / 1000;
  volatile char secret[64] = { 0 };

  for (size_t i = 0; turned[i] != '\0' && i < sizeof secret - 1; i++)
    secret[i] = (char) (turned[i] - 1);
  while (seconds () < until)
    {
      for (long i = 0; i < 200000; i++)
        sink += i;
      nanosleep (&nap, NULL);
    }
  sink += secret[0];
}

__attribute__ ((noinline)) static void
descend (int left, const char *turned, double ms)
{
  if (left > 1)
    descend (left - 1, turned, ms);
  else
    stay (turned, ms);
  sink++; /* no tail call */
}

__attribute__ ((noinline)) static void
widen (size_t size, const char *turned, double ms)
{
  volatile char *room = alloca (size + 1);

  for (size_t i = 0; i <= size; i += 1024) /* the kernel copies no further than to a page that nobody has touched */
    room[i] = 1;
  room[size] = 1;
  descend (DEPTH, turned, ms);
  sink += room[size];
}

int
main (int argc, char **argv)
{
  if (argc == 4)
    widen (atoi (argv[3]) * 1024u, argv[1], atof (argv[2]));
  else if (argc == 3)
    descend (DEPTH, argv[1], atof (argv[2]));
  else
    return 2;
  memset (argv[1], 0, strlen (argv[1]));
  return 0;
}
