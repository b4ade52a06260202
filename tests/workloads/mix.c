/* mix [ROUNDS [FOLDER]]: everything there is, by one task. In each round it works, sleeps, waits for what does not come,
 * waits for the disk in three ways, asks a helper ("mix-helper") over every channel, works beside a "rival" on the same
 * CPU, and waits for a child ("mix-job") that works; in every fourth also for the kernel's bookkeeping. */
#include "channel.h"
#include "file.h"
#include "workload.h"

#include <linux/membarrier.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>

typedef struct
{
  WlChannel channels[WL_CHANNELS], to_rival;
  WlFile files[WL_FILE_KINDS];
  int silent; /* nothing ever comes from here */
} Mix;

static WL_NOINLINE int64_t
work (int64_t ns)
{
  return wl_burn (ns);
}

static WL_NOINLINE int64_t
help (int64_t ns)
{
  return wl_burn (ns);
}

static WL_NOINLINE int64_t
child_work (int64_t ns)
{
  return wl_burn (ns);
}

static WL_NOINLINE int64_t
rival_work (int64_t ns)
{
  return wl_burn (ns);
}

static WL_NOINLINE void
rest (int64_t ns)
{
  struct timespec t = { .tv_nsec = ns };

  wl_check (WL_BLOCKING (WL_ASLEEP, WL_CALL (nanosleep, &t, 0, 0, 0)), "nanosleep");
}

static WL_NOINLINE void
wait_in_poll (int fd, int64_t ns)
{
  struct timespec t = { .tv_nsec = ns };
  struct pollfd p = { .fd = fd, .events = POLLIN };

  wl_check (WL_BLOCKING (WL_TIMED_OUT, WL_CALL (ppoll, &p, 1, &t, 0)), "ppoll");
}

static WL_NOINLINE void
wait_for_kernel (void)
{
  wl_check (WL_BLOCKING (WL_KERNEL, WL_CALL (membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0, 0)), "membarrier");
}

static WL_NOINLINE void
wait_for_child (void)
{
  pid_t child = fork ();

  wl_check (child, "fork");
  if (child == 0)
    {
      wl_name ("mix-job");
      child_work (2 * WL_MS);
      _exit (0);
    }
  wl_wait_for_job (child);
}

static void
helper (const Mix *mix, long rounds)
{
  wl_name ("mix-helper");
  wl_pin (1);
  wl_join ();
  for (long i = 0; i < rounds * WL_CHANNELS; i++)
    {
      wl_receive (&mix->channels[i % WL_CHANNELS], 1);
      help (WL_MS);
      wl_send (&mix->channels[i % WL_CHANNELS], 1);
    }
  wl_leave ();
  _exit (0);
}

static void
rival (const Mix *mix)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  wl_name ("rival");
  wl_pin (0);
  for (;;)
    {
      wl_receive (&mix->to_rival, 1);
      rival_work (2 * WL_MS);
    }
}

static void
play_round (Mix *mix, long i)
{
  work (2 * WL_MS);
  rest (2 * WL_MS);
  wait_in_poll (mix->silent, 2 * WL_MS);
  for (int kind = 0; kind < WL_FILE_KINDS; kind++)
    wl_file_use (&mix->files[kind]);
  for (int kind = 0; kind < WL_CHANNELS; kind++)
    {
      wl_send (&mix->channels[kind], 0);
      wl_receive (&mix->channels[kind], 0);
    }
  wl_send (&mix->to_rival, 0);
  work (2 * WL_MS);
  wait_for_child ();
  if (i % 4 == 0)
    wait_for_kernel ();
}

int
main (int argc, char **argv)
{
  long rounds = wl_argument (argc, argv, 1, 12);
  const char *folder = argc > 2 ? argv[2] : ".";
  Mix mix = { .to_rival = wl_channel_new (WL_PIPE) };
  pid_t helper_pid, rival_pid;
  int silent[2];
  int64_t begin;

  for (int kind = 0; kind < WL_CHANNELS; kind++)
    mix.channels[kind] = wl_channel_new (kind);
  for (int kind = 0; kind < WL_FILE_KINDS; kind++)
    mix.files[kind] = wl_file_new (folder, kind);
  wl_check (pipe (silent), "pipe");
  mix.silent = silent[0];
  helper_pid = fork ();
  wl_check (helper_pid, "fork");
  if (helper_pid == 0)
    helper (&mix, rounds);
  rival_pid = fork ();
  wl_check (rival_pid, "fork");
  if (rival_pid == 0)
    rival (&mix);
  wl_pin (0);
  begin = wl_begin ();
  for (long i = 0; i < rounds; i++)
    play_round (&mix, i);
  wl_json_begin ("mix", begin);
  wl_wait (helper_pid);
  wl_json_end ();
  return 0;
}
