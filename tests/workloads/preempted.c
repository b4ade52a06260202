/* preempted [MS [CPU]]: works for MS milliseconds of CPU time on one CPU (0) that a child, "rival", wants as much. All its
 * waiting for the CPU is preemption. Nobody waits for the rival, which ends with its parent. */
#include "workload.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

static WL_NOINLINE int64_t
work (int64_t ns)
{
  return wl_burn (ns);
}

static WL_NOINLINE int64_t
rival_work (int64_t ns)
{
  return wl_burn (ns);
}

static void
rival (volatile int64_t *ready)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  wl_name ("rival");
  *ready = 1;
  for (;;)
    rival_work (WL_MS * 100);
}

int
main (int argc, char **argv)
{
  int64_t length = wl_argument (argc, argv, 1, 100) * WL_MS, begin;
  volatile int64_t *ready = wl_shared (sizeof *ready);
  struct rusage before, after;
  pid_t child;

  wl_pin ((int) wl_argument (argc, argv, 2, 0));
  child = fork ();
  wl_check (child, "fork");
  if (child == 0)
    rival (ready);
  while (!*ready)
    sched_yield ();
  wl_check (getrusage (RUSAGE_SELF, &before), "getrusage");
  begin = wl_begin ();
  work (length);
  wl_json_begin ("preempted", begin);
  wl_check (getrusage (RUSAGE_SELF, &after), "getrusage");
  wl_json_number ("preemptions", after.ru_nivcsw - before.ru_nivcsw);
  wl_json_number ("rival_pid", child);
  wl_json_end ();
  return 0;
}
