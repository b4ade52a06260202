/* Starting readers, asking them, and what they do; see readers.h. A reader says that it is ready by a byte. From then on a byte asks for a pass over all
 * rings, and a byte answers: 0 or an errno. When nobody can ask any more, a reader ends. */
#include "readers.h"

#include "caller.h"
#include "messages.h"
#include "pen.h"
#include "privileges.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RINGS_MAX 32 /* of one reader, unless the options say otherwise */

static struct
{
  int ask, answers; /* our ends */
} readers[WPC_READERS_MAX];

static const WpcRings *shared; /* what they count in */

/* --- it ----------------------------------------------------------------------------------------------------------- */

/* What went wrong before is told when it is asked. */
static void
serve (WpcRings *rings, const WpcRingShare *share, struct pollfd *polls, int answers)
{
  int n = share->end - share->first, error = 0;

  for (;;)
    {
      char byte, answer;
      bool asked;

      if (poll (polls, error == 0 ? (nfds_t) n + 1 : 1, -1) < 0)
        continue;
      asked = polls[0].revents != 0 && read (STDIN_FILENO, &byte, 1) == 1;
      if (polls[0].revents != 0 && !asked)
        return;
      if (error == 0)
        error = wpc_rings_write_share (rings, share);
      answer = (char) error;
      if (asked && write (answers, &answer, 1) != 1)
        return;
      wpc_rings_forget_dead (polls + 1, n);
    }
}

/* With rings of its own: those that are mapped are not inherited. */
static void
be_reader (WpcRings *rings, const WpcEvents *events, const WpcRingShare *share, unsigned user, int answers)
{
  struct pollfd *polls = calloc ((size_t) (share->end - share->first) + 1, sizeof *polls);

  if (polls == NULL || wpc_rings_map_share (rings, events, share) != 0)
    return;
  polls[0] = (struct pollfd) { .fd = STDIN_FILENO, .events = POLLIN };
  wpc_rings_poll (events, share, polls + 1);
  wpc_caller_is_silent ();
  wpc_caller_begin ();
  if (wpc_privileges_drop (user) == 0 && write (answers, "", 1) == 1)
    serve (rings, share, polls, answers);
}

/* --- we ----------------------------------------------------------------------------------------------------------- */

static uint64_t
written (void)
{
  uint64_t bytes = 0;

  for (int i = 0; i < shared->n; i++)
    bytes += __atomic_load_n (&shared->counts[i].bytes, __ATOMIC_RELAXED);
  return bytes;
}

/* Returns 0 or an errno. */
static int
start (int which, WpcRings *rings, const WpcEvents *events, const WpcRingShare *share, unsigned user)
{
  int questions[2], answers[2];
  pid_t child;

  if (pipe2 (questions, O_CLOEXEC) != 0 || pipe2 (answers, O_CLOEXEC) != 0)
    return errno;
  readers[which].ask = questions[1];
  readers[which].answers = answers[0];
  child = fork ();
  if (child < 0)
    return errno;
  if (child == 0)
    {
      for (int i = 0; i <= which; i++)
        {
          close (readers[i].ask);
          close (readers[i].answers);
        }
      if (dup2 (questions[0], STDIN_FILENO) == STDIN_FILENO)
        be_reader (rings, events, share, user, answers[1]);
      syscall (SYS_exit_group, 0);
    }
  close (questions[0]);
  close (answers[1]);
  return 0;
}

/* Returns what it says, or an errno. */
static int
hear (int which)
{
  unsigned char answer;
  int error = wpc_wait_for (readers[which].answers);

  if (error == 0 && read (readers[which].answers, &answer, 1) == 1)
    return answer;
  if (error == 0 || error == EPIPE)
    wpc_fail ("perf", "a process that reads the buffers has ended");
  return error == 0 ? EPIPE : error;
}

static int
hear_all (void)
{
  int error = 0;

  for (int i = 0; i < shared->n_readers && error == 0; i++)
    error = hear (i);
  return error;
}

int
wpc_readers_start (WpcRings *rings, const WpcEvents *events, const WpcOptions *options, unsigned user)
{
  int n = options->readers > 0 ? (int) options->readers : (rings->n + RINGS_MAX - 1) / RINGS_MAX, error;

  if (n > rings->n)
    n = rings->n;
  if (n > WPC_READERS_MAX)
    n = WPC_READERS_MAX;
  if (n == 1)
    return 0;
  shared = rings;
  error = wpc_pen_make (written);
  for (; rings->n_readers < n && error == 0; rings->n_readers++)
    {
      const WpcRingShare share = { rings->n_readers * rings->n / n, (rings->n_readers + 1) * rings->n / n };

      error = start (rings->n_readers, rings, events, &share, user);
    }
  if (error == 0)
    error = hear_all ();
  return error == 0 ? 0 : wpc_fail ("memory", "cannot start the %d processes that read the buffers: %s", n, strerror (error));
}

int
wpc_readers_pass (void)
{
  for (int i = 0; i < shared->n_readers; i++)
    if (write (readers[i].ask, "", 1) != 1)
      return hear (i);
  return hear_all ();
}
