/* child-wait [MS]: works a quarter of MS milliseconds of CPU time in parent_work(), then forks a child
 * ("child-wait-job") that works for MS milliseconds in child_work(), and waits for it. */
#include "workload.h"

static WL_NOINLINE int64_t
parent_work (int64_t ns)
{
  return wl_burn (ns);
}

static WL_NOINLINE int64_t
child_work (int64_t ns)
{
  return wl_burn (ns);
}

int
main (int argc, char **argv)
{
  int64_t length = wl_argument (argc, argv, 1, 100) * WL_MS, begin = wl_begin ();
  pid_t child;

  parent_work (length / 4);
  child = fork ();
  wl_check (child, "fork");
  if (child == 0)
    {
      wl_name ("child-wait-job");
      child_work (length);
      _exit (0);
    }
  wl_wait_for_job (child);
  wl_json_begin ("child-wait", begin);
  wl_json_number ("child_pid", child);
  wl_json_end ();
  return 0;
}
