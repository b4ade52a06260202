/* child-wait [MS]: forks a child ("wl-child") that works for MS milliseconds of CPU time in child_work(), and waits
 * for it; before that the parent works a quarter of that in parent_work(). wait_ns is the time measured around
 * waitpid. */
#include "workload.h"

#include <sys/wait.h>

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

static WL_NOINLINE int64_t
wait_for (pid_t child)
{
  int64_t begin = wl_now ();
  int status = -1;

  wl_check (WL_CALL (wait4, child, &status, 0, 0), "wait4");
  wl_check (status == 0 ? 0 : -1, "child");
  return wl_now () - begin;
}

int
main (int argc, char **argv)
{
  int64_t length = wl_argument (argc, argv, 1, 100) * WL_MS;
  int64_t *child_cpu = wl_shared (sizeof *child_cpu);
  int64_t begin = wl_begin (), cpu[2], waited;
  pid_t child;

  cpu[0] = parent_work (length / 4);
  child = fork ();
  wl_check (child, "fork");
  if (child == 0)
    {
      wl_name ("wl-child");
      *child_cpu = child_work (length);
      _exit (0);
    }
  waited = wait_for (child);
  cpu[1] = *child_cpu;
  wl_json_begin ("child-wait", begin, wl_now ());
  wl_json_object ("cpu_ns", (const char *[]) { "parent_work", "child_work" }, cpu, 2);
  wl_json_number ("wait_ns", waited);
  wl_json_number ("child_pid", child);
  wl_json_end ();
  return 0;
}
