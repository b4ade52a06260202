/* sleeper [COUNT [MS]]: sleeps COUNT times MS milliseconds with nanosleep, with a little work before each.
 * sleep_ns is the time measured around the sleeps, so it has the wait for a CPU after each in it. */
#include "workload.h"

static WL_NOINLINE int64_t
work (int64_t ns)
{
  return wl_burn (ns);
}

static WL_NOINLINE int64_t
rest (int64_t ns)
{
  struct timespec t = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };
  int64_t begin = wl_now ();

  wl_check (WL_CALL (nanosleep, &t, 0, 0, 0), "nanosleep");
  return wl_now () - begin;
}

int
main (int argc, char **argv)
{
  long count = wl_argument (argc, argv, 1, 20);
  int64_t length = wl_argument (argc, argv, 2, 5) * WL_MS;
  int64_t cpu = 0, slept = 0, begin = wl_begin ();

  for (long i = 0; i < count; i++)
    {
      cpu += work (2 * WL_MS);
      slept += rest (length);
    }
  wl_json_begin ("sleeper", begin, wl_now ());
  wl_json_object ("cpu_ns", (const char *[]) { "work" }, &cpu, 1);
  wl_json_number ("sleep_ns", slept);
  wl_json_number ("asked_ns", count * length);
  wl_json_number ("count", count);
  wl_json_end ();
  return 0;
}
