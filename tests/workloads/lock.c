/* lock [COUNT]: wants a lock (a futex) COUNT times that another process, "lock-holder", has taken 1 ms before and keeps for
 * 3 ms, in which it works. holder_delay_ns is the time in which it had the lock and waited for a CPU; ready_ns what passed between the
 * lock's release and its new owner's being on a CPU. */
#include "channel.h"
#include "workload.h"

#include <linux/futex.h>
#include <signal.h>
#include <sys/prctl.h>

enum
{
  FREE,
  HELD,
  WANTED
};

typedef struct
{
  uint32_t lock;
  int64_t delay;    /* the holder's */
  int64_t released; /* when it last was, by the holder */
} Shared;

static WL_NOINLINE void
take (uint32_t *lock)
{
  uint32_t expected = FREE;

  if (__atomic_compare_exchange_n (lock, &expected, HELD, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    return;
  while (__atomic_exchange_n (lock, WANTED, __ATOMIC_ACQUIRE) != FREE)
    WL_CALL (futex, lock, FUTEX_WAIT, WANTED, 0);
}

static WL_NOINLINE void
release (uint32_t *lock)
{
  if (__atomic_exchange_n (lock, FREE, __ATOMIC_RELEASE) == WANTED)
    wl_check (WL_CALL (futex, lock, FUTEX_WAKE, 1, 0), "futex");
}

static WL_NOINLINE int64_t
work (int64_t ns)
{
  return wl_burn (ns);
}

static WL_NOINLINE int64_t
work_with_lock (int64_t ns)
{
  return wl_burn (ns);
}

/* It comes back from its sleep by itself: nobody of us calls it. */
static void
holder (Shared *shared, volatile uint32_t *turn)
{
  WlMoment taken, now;

  prctl (PR_SET_PDEATHSIG, SIGKILL);
  wl_name ("lock-holder");
  wl_pin (1);
  for (;;)
    {
      WL_CALL (nanosleep, (&(struct timespec) { .tv_nsec = 2 * WL_MS }), 0, 0, 0);
      take (&shared->lock);
      taken = wl_moment ();
      __atomic_store_n (turn, *turn + 1, __ATOMIC_RELEASE);
      work_with_lock (3 * WL_MS);
      now = wl_moment ();
      __atomic_fetch_add (&shared->delay, now.wall - taken.wall - (now.cpu - taken.cpu), __ATOMIC_RELAXED);
      shared->released = wl_now ();
      release (&shared->lock);
    }
}

/* Returns how long it took to come to a CPU once the lock was free. */
static int64_t
want (Shared *shared)
{
  int64_t begin = wl_now (), now;

  WL_BLOCKING (WL_PARTNER, (take (&shared->lock), 0L));
  now = wl_now ();
  return now - (shared->released > begin ? shared->released : begin);
}

int
main (int argc, char **argv)
{
  long count = wl_argument (argc, argv, 1, 40);
  Shared *shared = wl_shared (sizeof *shared);
  volatile uint32_t *turn = wl_shared (sizeof *turn);
  uint32_t seen;
  int64_t begin, ready = 0;
  pid_t child = fork ();

  wl_check (child, "fork");
  if (child == 0)
    holder (shared, turn);
  wl_pin (0);
  while (*turn == 0)
    work (WL_MS / 10);
  take (&shared->lock); /* the holder's life since the fork is a path of its own, and the first wait is for that */
  release (&shared->lock);
  begin = wl_begin ();
  __atomic_store_n (&shared->delay, 0, __ATOMIC_RELAXED);
  for (long i = 0; i < count; i++)
    {
      for (seen = *turn; *turn == seen;)
        work (WL_MS / 10);
      work (WL_MS);
      ready += want (shared);
      release (&shared->lock);
    }
  wl_json_begin ("lock", begin);
  wl_json_number ("holder_delay_ns", shared->delay);
  wl_json_number ("ready_ns", ready);
  wl_json_end ();
  return 0;
}
