/* crowded [COUNT]: COUNT times sleeps 2 ms on a CPU that a child, "rival", of a real-time class, takes 1 ms later and keeps for
 * 3 ms: so each sleep ends with a wait for the CPU. Needs root. */
#include "channel.h"
#include "workload.h"

#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>

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

static WL_NOINLINE long
rest (int64_t ns)
{
  struct timespec t = { .tv_nsec = ns };

  return WL_CALL (nanosleep, &t, 0, 0, 0);
}

static void
rival (const WlChannel *channel)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  wl_name ("rival");
  wl_check (sched_setscheduler (0, SCHED_FIFO, &(struct sched_param) { .sched_priority = 1 }), "sched_setscheduler");
  wl_send (channel, 1); /* it is there */
  for (;;)
    {
      wl_receive (channel, 1);
      rest (WL_MS);
      rival_work (3 * WL_MS);
    }
}

int
main (int argc, char **argv)
{
  long count = wl_argument (argc, argv, 1, 40);
  WlChannel channel = wl_channel_new (WL_PIPE);
  int64_t begin;
  pid_t child;

  wl_pin (0);
  child = fork ();
  wl_check (child, "fork");
  if (child == 0)
    rival (&channel);
  wl_receive (&channel, 0);
  begin = wl_begin ();
  for (long i = 0; i < count; i++)
    {
      work (WL_MS);
      wl_send (&channel, 0);
      wl_check (WL_BLOCKING (WL_ASLEEP, rest (2 * WL_MS)), "nanosleep");
    }
  wl_json_begin ("crowded", begin);
  wl_json_end ();
  return 0;
}
