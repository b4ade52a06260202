/* preempted [MS [CPU]]: works for MS milliseconds of CPU time on one CPU (0) that a child, "wl-rival", wants as much.
 * involuntary_ns is the wall time in which the parent wanted to run and did not. */
#include "workload.h"

#include <sched.h>
#include <sys/prctl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

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
pin (int cpu)
{
  cpu_set_t set;

  CPU_ZERO (&set);
  CPU_SET (cpu, &set);
  wl_check (sched_setaffinity (0, sizeof set, &set), "sched_setaffinity");
}

static void
rival (volatile int64_t *ready)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  wl_name ("wl-rival");
  *ready = 1;
  for (;;)
    rival_work (WL_MS * 100);
}

int
main (int argc, char **argv)
{
  int64_t length = wl_argument (argc, argv, 1, 100) * WL_MS;
  volatile int64_t *ready = wl_shared (sizeof *ready);
  struct rusage before, after;
  int64_t begin, end, cpu;
  pid_t child;

  pin ((int) wl_argument (argc, argv, 2, 0));
  child = fork ();
  wl_check (child, "fork");
  if (child == 0)
    rival (ready);
  while (!*ready)
    sched_yield ();
  wl_check (getrusage (RUSAGE_SELF, &before), "getrusage");
  begin = wl_begin ();
  cpu = work (length);
  end = wl_now ();
  wl_check (getrusage (RUSAGE_SELF, &after), "getrusage");
  wl_check (kill (child, SIGKILL), "kill");
  waitpid (child, NULL, 0);
  wl_json_begin ("preempted", begin, end);
  wl_json_object ("cpu_ns", (const char *[]) { "work" }, &cpu, 1);
  wl_json_number ("involuntary_ns", end - begin - cpu);
  wl_json_number ("preemptions", after.ru_nivcsw - before.ru_nivcsw);
  wl_json_number ("rival_pid", child);
  wl_json_end ();
  return 0;
}
