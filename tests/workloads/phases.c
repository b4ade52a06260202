/* phases FILE GO [MS [ROUNDS]]: waits until there is a file GO. Then does something else every MS milliseconds, each in a function of its own, and
 * writes a line "NAME NS" to FILE whenever it begins: when that was, by the monotonic clock. */
#include "workload.h"

#include <inttypes.h>

typedef void (*Phase) (int64_t until);

static WL_NOINLINE void
phase_computes (int64_t until)
{
  while (wl_now () < until)
    wl_burn (WL_MS);
}

static WL_NOINLINE void
phase_sleeps (int64_t until)
{
  struct timespec left = { 0 };
  int64_t ns = until - wl_now ();

  left.tv_sec = ns / 1000000000;
  left.tv_nsec = ns % 1000000000;
  if (ns > 0)
    WL_CALL (clock_nanosleep, CLOCK_MONOTONIC, 0, &left, 0);
}

static WL_NOINLINE void
phase_copies (int64_t until)
{
  char bytes[4096] = { 0 };
  int ends[2];

  wl_check (pipe (ends), "pipe");
  while (wl_now () < until)
    {
      wl_check (WL_CALL (write, ends[1], bytes, sizeof bytes, 0), "write");
      wl_check (WL_CALL (read, ends[0], bytes, sizeof bytes, 0), "read");
    }
  close (ends[0]);
  close (ends[1]);
}

static WL_NOINLINE void
phase_naps (int64_t until)
{
  struct timespec nap = { .tv_nsec = 5 * WL_MS };

  while (wl_now () < until)
    WL_CALL (clock_nanosleep, CLOCK_MONOTONIC, 0, &nap, 0);
}

static WL_NOINLINE void
phase_counts (int64_t until)
{
  while (wl_now () < until)
    wl_burn (WL_MS);
}

static const struct
{
  const char *name;
  Phase run;
} phases[] = {
  { "phase_computes", phase_computes }, { "phase_sleeps", phase_sleeps }, { "phase_copies", phase_copies },
  { "phase_naps", phase_naps },         { "phase_counts", phase_counts },
};

int
main (int argc, char **argv)
{
  FILE *out = argc > 2 ? fopen (argv[1], "we") : NULL;
  int64_t ms = wl_argument (argc, argv, 3, 2000), rounds = wl_argument (argc, argv, 4, 1), at;

  if (out == NULL)
    return 1;
  while (access (argv[2], F_OK) != 0)
    usleep (20000);
  at = wl_now ();
  for (int64_t i = 0; i < rounds * (int64_t) (sizeof phases / sizeof *phases); i++)
    {
      int k = (int) (i % (int64_t) (sizeof phases / sizeof *phases));

      fprintf (out, "%s %" PRId64 "\n", phases[k].name, wl_now ());
      fflush (out);
      at += ms * WL_MS;
      phases[k].run (at);
    }
  return 0;
}
