/* mix [ROUNDS [FOLDER]]: everything at once. In each round the program works, sleeps, reads from disk past the page
 * cache, waits for a timeout, asks a helper ("mix-helper") over a pipe, and waits for a child ("mix-child") that
 * works. */
#include "workload.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>

#define READ_SIZE (1 << 20)
#define PAUSE (3 * WL_MS) /* of a sleep and of a timeout: asked_ns is their sum over all rounds, each */

typedef struct
{
  int64_t work, help, child, sleep, disk, timeout, ask, wait; /* nanoseconds */
} Truth;

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
rest (int64_t ns)
{
  struct timespec t = { .tv_nsec = ns };
  int64_t begin = wl_now ();

  wl_check (WL_CALL (nanosleep, &t, 0, 0, 0), "nanosleep");
  return wl_now () - begin;
}

static WL_NOINLINE int64_t
read_block (int fd, void *buffer)
{
  int64_t begin = wl_now ();

  wl_check (WL_CALL (pread64, fd, buffer, READ_SIZE, 0) == READ_SIZE ? 0 : -1, "pread");
  return wl_now () - begin;
}

static WL_NOINLINE int64_t
wait_in_poll (int fd, int64_t ns)
{
  struct timespec t = { .tv_nsec = ns };
  struct pollfd p = { .fd = fd, .events = POLLIN };
  int64_t begin = wl_now ();

  wl_check (WL_CALL (ppoll, &p, 1, &t, 0), "ppoll");
  return wl_now () - begin;
}

static WL_NOINLINE int64_t
ask (int out, int in)
{
  int64_t begin = wl_now ();
  char byte;

  wl_check (WL_CALL (write, out, "x", 1, 0), "write");
  wl_check (WL_CALL (read, in, &byte, 1, 0) == 1 ? 0 : -1, "read");
  return wl_now () - begin;
}

static WL_NOINLINE int64_t
wait_for_child (Truth *truth)
{
  pid_t child = fork ();
  int64_t begin = wl_now ();
  int status;

  wl_check (child, "fork");
  if (child == 0)
    {
      wl_name ("mix-child");
      truth->child += child_work (3 * WL_MS);
      _exit (0);
    }
  wl_check (WL_CALL (wait4, child, &status, 0, 0), "wait4");
  return wl_now () - begin;
}

static void
helper (Truth *truth, int in, int out)
{
  char byte;

  wl_name ("mix-helper");
  while (WL_CALL (read, in, &byte, 1, 0) == 1)
    {
      truth->help += help (2 * WL_MS);
      wl_check (WL_CALL (write, out, "x", 1, 0), "write");
    }
  _exit (0);
}

static int
make_file (const char *folder, void *buffer)
{
  char path[4096];
  int fd;

  snprintf (path, sizeof path, "%s/wl-mix-XXXXXX", folder);
  fd = mkostemp (path, O_DIRECT);
  wl_check (fd, path);
  wl_check (unlink (path), path);
  memset (buffer, 'w', READ_SIZE);
  wl_check (write (fd, buffer, READ_SIZE), "write");
  wl_check (fsync (fd), "fsync");
  return fd;
}

static void
print (const Truth *truth, long rounds, int64_t begin, int64_t end)
{
  wl_json_begin ("mix", begin, end);
  wl_json_object ("cpu_ns", (const char *[]) { "work", "help", "child_work" },
                  (int64_t[]) { truth->work, truth->help, truth->child }, 3);
  wl_json_number ("sleep_ns", truth->sleep);
  wl_json_number ("asked_ns", rounds * PAUSE);
  wl_json_number ("disk_ns", truth->disk);
  wl_json_number ("timeout_ns", truth->timeout);
  wl_json_number ("ask_ns", truth->ask);
  wl_json_number ("wait_ns", truth->wait);
  wl_json_end ();
}

int
main (int argc, char **argv)
{
  long rounds = wl_argument (argc, argv, 1, 10);
  Truth *truth = wl_shared (sizeof *truth);
  int there[2], back[2], fd;
  int64_t begin, end;
  void *buffer = NULL;
  pid_t child;

  if (posix_memalign (&buffer, 4096, READ_SIZE) != 0)
    wl_check (-1, "memory");
  fd = make_file (argc > 2 ? argv[2] : ".", buffer);
  wl_check (pipe (there), "pipe");
  wl_check (pipe (back), "pipe");
  begin = wl_begin ();
  child = fork ();
  wl_check (child, "fork");
  close (there[child == 0 ? 1 : 0]);
  close (back[child == 0 ? 0 : 1]);
  wl_pin (child == 0 ? 1 : 0);
  if (child == 0)
    helper (truth, there[0], back[1]);
  for (long i = 0; i < rounds; i++)
    {
      truth->work += work (4 * WL_MS);
      truth->sleep += rest (PAUSE);
      truth->disk += read_block (fd, buffer);
      truth->timeout += wait_in_poll (back[0], PAUSE);
      truth->ask += ask (there[1], back[0]);
      truth->wait += wait_for_child (truth);
    }
  end = wl_now ();
  close (there[1]);
  wl_wait (child);
  print (truth, rounds, begin, end);
  free (buffer);
  return 0;
}
