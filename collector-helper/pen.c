/* A byte in a pipe; see pen.h. Whoever has read it has the pen. */
#include "pen.h"

#include "caller.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

static int pen[2] = { -1, -1 };
static uint64_t (*how_much) (void);

int
wpc_pen_make (uint64_t (*written) (void))
{
  how_much = written;
  return pipe2 (pen, O_CLOEXEC | O_NONBLOCK) == 0 ? 0 : errno;
}

int
wpc_wait_for (int fd)
{
  struct pollfd wanted = { .fd = fd, .events = POLLIN };
  uint64_t seen = how_much (), now;
  int64_t moved = wpc_now_ms ();

  while (poll (&wanted, 1, WPC_TICK_S * 1000) <= 0)
    {
      now = how_much ();
      if (now != seen)
        moved = wpc_now_ms ();
      seen = now;
      if (!wpc_caller_may_wait (moved))
        return ETIMEDOUT;
    }
  return wanted.revents & POLLIN ? 0 : EPIPE;
}

/* Another one may come first. */
int
wpc_pen_take (void)
{
  char byte;
  int error = 0;

  while (pen[0] >= 0 && error == 0 && read (pen[0], &byte, 1) != 1)
    error = wpc_wait_for (pen[0]);
  return error;
}

void
wpc_pen_give (void)
{
  if (pen[1] >= 0 && write (pen[1], "", 1) != 1)
    return; /* there is room for it: it is the only one */
}
