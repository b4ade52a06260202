/* cpu [MS]: busy in three named functions, one, two and three parts of MS milliseconds of CPU time. */
#include "workload.h"

static WL_NOINLINE int64_t
first (int64_t ns)
{
  return wl_burn (ns);
}

static WL_NOINLINE int64_t
second (int64_t ns)
{
  return wl_burn (ns);
}

static WL_NOINLINE int64_t
third (int64_t ns)
{
  return wl_burn (ns);
}

int
main (int argc, char **argv)
{
  int64_t part = wl_argument (argc, argv, 1, 240) * WL_MS / 6, begin = wl_begin ();

  for (int i = 0; i < 10; i++)
    {
      first (part / 10);
      second (part / 5);
      third (part * 3 / 10);
    }
  wl_json_begin ("cpu", begin);
  wl_json_end ();
  return 0;
}
