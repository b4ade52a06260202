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
  int64_t part = wl_argument (argc, argv, 1, 240) * WL_MS / 6;
  int64_t cpu[3] = { 0 }, begin = wl_begin ();

  for (int i = 0; i < 10; i++)
    {
      cpu[0] += first (part / 10);
      cpu[1] += second (part / 5);
      cpu[2] += third (part * 3 / 10);
    }
  wl_json_begin ("cpu", begin, wl_now ());
  wl_json_object ("cpu_ns", (const char *[]) { "first", "second", "third" }, cpu, 3);
  wl_json_end ();
  return 0;
}
