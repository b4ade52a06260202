/* Listening and writing; see caller.h. Nothing here takes memory or opens a file: the system-call filter is on. */
#include "caller.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define BEGINNING_MS 60000  /* until there is something to write */
#define PATIENCE_MS 30000   /* so long a caller may take nothing */
#define AFTER_STOP_MS 5000  /* … when it is to stop */
#define FAREWELL_MS 30000   /* and so long, in all, what is left is written then */
#define TURN_MS 32          /* a line, or a reading, so often … */
#define TURNS 32            /* … and so many at once */

static struct
{
  WpcCommands commands;
  int64_t patience_ms; /* 0: all there is */
  const char *why;   /* to stop */
  int64_t why_since; /* by wpc_now_ms() */
  bool reads;
  bool silent; /* it says no words, and is waited for */
  int64_t turns_end; /* when the turns that were taken will have been due; by wpc_now_ms() */
  char bytes[4096]; /* read and not taken: from `at` to `length` */
  size_t at, length;
} caller;

static volatile sig_atomic_t terminated;

int64_t
wpc_now_ns (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * INT64_C (1000000000) + t.tv_nsec;
}

int64_t
wpc_now_ms (void)
{
  return wpc_now_ns () / 1000000;
}

void
wpc_caller_limit (void)
{
  wpc_caller_hurry (0);
}

void
wpc_caller_meet (void)
{
  struct stat input;

  caller.reads = fstat (STDIN_FILENO, &input) == 0 && (S_ISFIFO (input.st_mode) || S_ISSOCK (input.st_mode));
}

int64_t
wpc_at_most_ms (int64_t usual)
{
  return caller.patience_ms > 0 && caller.patience_ms < usual ? caller.patience_ms : usual;
}

void
wpc_caller_hurry (unsigned seconds)
{
  caller.patience_ms = seconds * INT64_C (1000);
  alarm ((unsigned) (wpc_at_most_ms (BEGINNING_MS) / 1000));
}

static void
on_term (int signal_number)
{
  terminated = 1;
}

static void
on_tick (int signal_number)
{
}

/* The tick ends a write that blocks: nobody can be asked to make his descriptors non-blocking, since others may have them, too. */
void
wpc_caller_begin (void)
{
  const struct itimerval tick = { { WPC_TICK_S, 0 }, { WPC_TICK_S, 0 } };
  struct sigaction term = { .sa_handler = on_term }, ticks = { .sa_handler = on_tick };

  sigaction (SIGTERM, &term, NULL);
  sigaction (SIGALRM, &ticks, NULL);
  setitimer (ITIMER_REAL, &tick, NULL);
  caller.reads = true;
}

/* --- what it says ------------------------------------------------------------------------------------------------- */

void
wpc_caller_stop (const char *why)
{
  if (caller.why != NULL)
    return;
  caller.why = why;
  caller.why_since = wpc_now_ms ();
}

bool
wpc_caller_has_turn (void)
{
  return caller.turns_end < wpc_now_ms () + TURNS * TURN_MS;
}

/* Whoever feeds us without end would have us busy without end, before everybody else: what we do for a word is a hundred times its price. */
static bool
take_turn (void)
{
  int64_t now = wpc_now_ms ();

  if (!wpc_caller_has_turn ())
    return false;
  caller.turns_end = (caller.turns_end > now ? caller.turns_end : now) + TURN_MS;
  return true;
}

static void
listen_once (void)
{
  struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
  ssize_t n;

  if (!caller.reads || poll (&input, 1, 0) <= 0 || !take_turn ())
    return;
  n = read (STDIN_FILENO, caller.bytes, sizeof caller.bytes);
  if (n < 0 && (errno == EINTR || errno == EAGAIN))
    return;
  if (n <= 0)
    wpc_caller_stop ("end of input");
  caller.at = 0;
  caller.length = n > 0 ? (size_t) n : 0;
}

bool
wpc_caller_take (void)
{
  if (terminated)
    wpc_caller_stop ("signal");
  if (caller.why == NULL && caller.at == caller.length)
    listen_once ();
  if (caller.why != NULL || caller.at == caller.length || !take_turn ())
    return false;
  caller.at += wpc_commands_take (&caller.commands, caller.bytes + caller.at, caller.length - caller.at);
  if (caller.commands.stop)
    wpc_caller_stop ("stop");
  return true;
}

bool
wpc_caller_goes_on (void)
{
  while (wpc_caller_take () && caller.at < caller.length)
    ;
  return caller.why == NULL;
}

const WpcCommands *
wpc_caller_wishes (void)
{
  return &caller.commands;
}

const char *
wpc_caller_why (void)
{
  return caller.why;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

void
wpc_caller_is_silent (void)
{
  caller.silent = true;
}

static bool
is_there (void)
{
  struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };

  return poll (&input, 1, 0) <= 0 || (input.revents & (POLLHUP | POLLERR)) == 0;
}

bool
wpc_caller_may_wait (int64_t moved)
{
  int64_t now = wpc_now_ms ();

  if (caller.silent)
    return is_there ();
  if (wpc_caller_goes_on ())
    return now - moved < wpc_at_most_ms (PATIENCE_MS);
  if (moved < caller.why_since)
    moved = caller.why_since;
  return now - moved < wpc_at_most_ms (AFTER_STOP_MS) && now - caller.why_since < wpc_at_most_ms (FAREWELL_MS);
}

int
wpc_write (int fd, const void *data, size_t length)
{
  const char *p = data;
  int64_t moved = 0;

  while (length > 0)
    {
      struct pollfd room = { .fd = fd, .events = POLLOUT };
      ssize_t n = write (fd, p, length);

      if (n == (ssize_t) length)
        return 0;
      if (n < 0 && errno != EINTR && errno != EAGAIN)
        return errno;
      if (n < 0 && errno == EAGAIN)
        poll (&room, 1, WPC_TICK_S * 1000);
      if (n > 0 || moved == 0)
        moved = wpc_now_ms ();
      if (n > 0)
        {
          p += n;
          length -= (size_t) n;
        }
      if (!wpc_caller_may_wait (moved))
        return ETIMEDOUT;
    }
  return 0;
}
