/* keepcpu [CPU [SECONDS]]: keeps a CPU (1) from going idle: a loop of SCHED_IDLE class that gives way to everything else
 * and so plays the CPU's idle task. On some virtual machines perf drops every event in the context of a true idle task,
 * always on one CPU and now and then on others. Ends with its parent, or after SECONDS (3600); says "ready" when it is in
 * place. */
#include "workload.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>

int
main (int argc, char **argv)
{
  int cpu = (int) wl_argument (argc, argv, 1, 1);
  struct sched_param parameter = { 0 };
  cpu_set_t set;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  alarm ((unsigned) wl_argument (argc, argv, 2, 3600));
  CPU_ZERO (&set);
  CPU_SET (cpu, &set);
  wl_check (sched_setaffinity (0, sizeof set, &set), "sched_setaffinity");
  wl_check (sched_setscheduler (0, SCHED_IDLE, &parameter), "sched_setscheduler");
  wl_name ("keepcpu");
  printf ("ready\n");
  fflush (stdout);
  for (;;)
    {
#if defined(__x86_64__)
      __builtin_ia32_pause ();
#else
      __asm__ volatile ("yield");
#endif
    }
}
