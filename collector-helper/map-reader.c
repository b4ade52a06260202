/* The process that reads mappings and system calls, and asking it; see map-reader.h. */
#include "map-reader.h"

#include "caller.h"
#include "doors.h"

#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#define PIECE 65536

typedef struct
{
  unsigned pid; /* 0: go on */
  unsigned tid; /* its system call; 0: the mappings */
  unsigned room;
} Request;

static int ask = -1, answers = -1; /* our ends */

/* --- it ----------------------------------------------------------------------------------------------------------- */

/* The kernel gives a page at a time. */
static unsigned
read_piece (int file, char *text, unsigned room)
{
  unsigned length = 0;
  ssize_t n;

  while (length < room && (n = read (file, text + length, room - length)) > 0)
    length += (unsigned) n;
  return length;
}

static unsigned
read_table (const Request *request, char *text)
{
  static int table = -1;
  char path[64];

  if (request->pid != 0)
    {
      if (table >= 0)
        close (table);
      snprintf (path, sizeof path, "/proc/%u/maps", request->pid);
      table = open (path, O_RDONLY | O_CLOEXEC);
    }
  return table >= 0 ? read_piece (table, text, request->room) : 0;
}

static unsigned
read_call (const Request *request, char *text)
{
  char path[64];
  unsigned length;
  int file;

  snprintf (path, sizeof path, "/proc/%u/task/%u/syscall", request->pid, request->tid);
  file = open (path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return 0;
  length = read_piece (file, text, request->room);
  close (file);
  return length;
}

static bool
write_all (const void *data, size_t length)
{
  const char *p = data;
  ssize_t n;

  for (; length > 0; p += n, length -= (size_t) n)
    if ((n = write (1, p, length)) <= 0)
      return false;
  return true;
}

/* Who hangs beyond that is ended by the kernel, and nobody waits for it any more; 0: it goes on. */
static void
limit (int seconds)
{
  const struct itimerval time = { .it_value = { seconds, 0 } };

  setitimer (ITIMER_REAL, &time, NULL);
}

static void
serve (void)
{
  static char text[PIECE];
  Request request;

  while (read (0, &request, sizeof request) == sizeof request)
    {
      unsigned length;

      limit (WPC_MAP_READER_S + 1);
      length = request.tid != 0 ? read_call (&request, text) : read_table (&request, text);
      limit (0);
      if (!write_all (&length, sizeof length) || !write_all (text, length))
        break;
    }
}

/* --- we ----------------------------------------------------------------------------------------------------------- */

static bool
start (void)
{
  int requests[2], pieces[2];
  pid_t child;

  if (pipe2 (requests, O_CLOEXEC) != 0)
    return false;
  if (pipe2 (pieces, O_CLOEXEC) != 0)
    {
      close (requests[0]);
      close (requests[1]);
      return false;
    }
  ask = requests[1];
  answers = pieces[0];
  child = fork ();
  if (child == 0)
    {
      if (dup2 (requests[0], 0) == 0 && dup2 (pieces[1], 1) == 1)
        {
          wpc_close_from (2);
          serve ();
        }
      syscall (SYS_exit_group, 0);
    }
  close (requests[0]);
  close (pieces[1]);
  if (child < 0)
    wpc_map_reader_end ();
  return child > 0;
}

/* All of it before then, if the caller goes on. */
static bool
receive (void *data, size_t length, int64_t until)
{
  char *p = data;

  while (length > 0)
    {
      struct pollfd piece = { .fd = answers, .events = POLLIN };
      int64_t left = until - wpc_now_ms ();
      ssize_t n;

      if (left <= 0 || !wpc_caller_goes_on ())
        return false;
      if (poll (&piece, 1, left < WPC_TICK_S * 1000 ? (int) left : WPC_TICK_S * 1000) <= 0)
        continue;
      n = read (answers, p, length);
      if (n <= 0)
        return false;
      p += n;
      length -= (size_t) n;
    }
  return true;
}

static int
ask_for (unsigned pid, unsigned tid, char *text, size_t room)
{
  const Request request = { pid, tid, (unsigned) (room < PIECE ? room : PIECE) };
  int64_t until = wpc_now_ms () + wpc_at_most_ms (WPC_MAP_READER_S * 1000);
  unsigned length;

  if ((ask >= 0 || start ()) && write (ask, &request, sizeof request) == sizeof request && receive (&length, sizeof length, until) &&
      length <= request.room && receive (text, length, until))
    return (int) length;
  wpc_map_reader_end ();
  return -1;
}

int
wpc_map_reader_read (unsigned pid, char *text, size_t room)
{
  return ask_for (pid, 0, text, room);
}

int
wpc_map_reader_call (unsigned pid, unsigned tid, char *text, size_t room)
{
  return ask_for (pid, tid, text, room);
}

void
wpc_map_reader_end (void)
{
  if (ask < 0)
    return;
  close (ask);
  close (answers);
  ask = answers = -1;
}
