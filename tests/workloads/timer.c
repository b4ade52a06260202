/* timer [COUNT [MS]]: waits COUNT times for MS milliseconds for data that never comes, in turn with poll and with
 * epoll; a little work after each. */
#include "workload.h"

#include <poll.h>
#include <sys/epoll.h>

static WL_NOINLINE void
wait_in_poll (int fd, int ms)
{
  struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * WL_MS };
  struct pollfd p = { .fd = fd, .events = POLLIN };

  wl_check (WL_BLOCKING (WL_TIMED_OUT, WL_CALL (ppoll, &p, 1, &t, 0)), "ppoll");
}

static WL_NOINLINE void
wait_in_epoll (int epoll, int ms)
{
  struct epoll_event event;

  wl_check (WL_BLOCKING (WL_TIMED_OUT, WL_CALL (epoll_pwait, epoll, &event, 1, ms)), "epoll_pwait");
}

static WL_NOINLINE int64_t
work (int64_t ns)
{
  return wl_burn (ns);
}

int
main (int argc, char **argv)
{
  long count = wl_argument (argc, argv, 1, 20), ms = wl_argument (argc, argv, 2, 5);
  struct epoll_event event = { .events = EPOLLIN };
  int ends[2], epoll = epoll_create1 (0);
  int64_t begin;

  wl_check (epoll, "epoll_create1");
  wl_check (pipe (ends), "pipe");
  wl_check (epoll_ctl (epoll, EPOLL_CTL_ADD, ends[0], &event), "epoll_ctl");
  begin = wl_begin ();
  for (long i = 0; i < count; i++)
    {
      if (i % 2 == 0)
        wait_in_poll (ends[0], (int) ms);
      else
        wait_in_epoll (epoll, (int) ms);
      work (WL_MS);
    }
  wl_json_begin ("timer", begin);
  wl_json_end ();
  return 0;
}
