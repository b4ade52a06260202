/* sleeper [COUNT [MS]]: sleeps COUNT times MS milliseconds with nanosleep, with a little work before each. */
#include "workload.h"

static WL_NOINLINE int64_t
work (int64_t ns)
{
  return wl_burn (ns);
}

static WL_NOINLINE void
rest (int64_t ns)
{
  struct timespec t = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

  wl_check (WL_BLOCKING (WL_ASLEEP, WL_CALL (nanosleep, &t, 0, 0, 0)), "nanosleep");
}

int
main (int argc, char **argv)
{
  long count = wl_argument (argc, argv, 1, 20);
  int64_t length = wl_argument (argc, argv, 2, 5) * WL_MS, begin = wl_begin ();

  for (long i = 0; i < count; i++)
    {
      work (2 * WL_MS);
      rest (length);
    }
  wl_json_begin ("sleeper", begin);
  wl_json_end ();
  return 0;
}
