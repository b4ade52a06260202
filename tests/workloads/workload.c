/* What the workloads share; see workload.h. */
#include "workload.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

long
wl_argument (int argc, char **argv, int index, long otherwise)
{
  char *end;
  long n;

  if (index >= argc)
    return otherwise;
  n = strtol (argv[index], &end, 10);
  if (*end != '\0' || n < 0)
    {
      fprintf (stderr, "%s: not a number: %s\n", argv[0], argv[index]);
      exit (2);
    }
  return n;
}

void
wl_check (long result, const char *what)
{
  if (result >= 0)
    return;
  fprintf (stderr, "%s: %s\n", what, strerror (result == -1 ? errno : (int) -result));
  exit (1);
}

void *
wl_shared (size_t size)
{
  void *memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

  if (memory == MAP_FAILED)
    wl_check (-1, "mmap");
  return memory;
}

void
wl_name (const char *name)
{
  prctl (PR_SET_NAME, name);
}

void
wl_pin (int nth)
{
  cpu_set_t all, one;

  wl_check (sched_getaffinity (0, sizeof all, &all), "sched_getaffinity");
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET (cpu, &all) && nth-- == 0)
      {
        CPU_ZERO (&one);
        CPU_SET (cpu, &one);
        wl_check (sched_setaffinity (0, sizeof one, &one), "sched_setaffinity");
      }
}

int
wl_bound_socket (int type, struct sockaddr_in *address)
{
  socklen_t length = sizeof *address;
  int fd = socket (AF_INET, type, 0);

  wl_check (fd, "socket");
  *address = (struct sockaddr_in) { .sin_family = AF_INET, .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  wl_check (bind (fd, (struct sockaddr *) address, length), "bind");
  wl_check (getsockname (fd, (struct sockaddr *) address, &length), "getsockname");
  return fd;
}

void
wl_wait (pid_t child)
{
  int status;

  wl_check (waitpid (child, &status, 0), "waitpid");
  if (!WIFEXITED (status) || WEXITSTATUS (status) != 0)
    {
      fprintf (stderr, "the child failed\n");
      exit (1);
    }
}

/* --- the truth --------------------------------------------------------------------------------------------------------------- */

static const char *const kind_names[WL_KINDS] = { "asleep", "timed_out", "disk", "kernel", "partner" };

/* In memory that all children share. */
typedef struct
{
  int64_t run, delay, late, left, helped, blocked[WL_KINDS];
} Truth;

static Truth *truth;

/* Of one thread. A child starts with its parent's copy: `owner` tells. */
static _Thread_local struct
{
  pid_t owner;
  int schedstat, task_clock;
  int main;      /* is whose time is explained */
  WlMoment last; /* everything up to here is in `did` */
  Truth did;
} me;

static __attribute__ ((constructor)) void
share_truth (void)
{
  truth = wl_shared (sizeof *truth);
}

/* Counts the time in which this thread is on a CPU, also while a virtual machine's host has taken that CPU away: the thread's
 * clock leaves that out, and serves only where a counter is not allowed. */
static int
open_task_clock (void)
{
  struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof attr, .config = PERF_COUNT_SW_TASK_CLOCK };

  return (int) wl_syscall (SYS_perf_event_open, (long) &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC, 0);
}

static int64_t
time_on_cpu (void)
{
  int64_t ns;

  if (me.task_clock < 0)
    return wl_clock (CLOCK_THREAD_CPUTIME_ID);
  wl_check (WL_CALL (read, me.task_clock, &ns, sizeof ns, 0), "task clock");
  return ns;
}

/* "time on a CPU, time waiting for one, how often". */
static void
read_schedstat (int fd, int64_t *run, int64_t *delay)
{
  char text[96];
  long n = WL_CALL (pread64, fd, text, sizeof text - 1, 0);

  wl_check (n, "schedstat");
  text[n] = '\0';
  if (sscanf (text, "%" SCNd64 " %" SCNd64, run, delay) != 2)
    wl_check (-1, "schedstat");
}

static void
open_clocks (void)
{
  pid_t tid = (pid_t) WL_CALL (gettid, 0, 0, 0, 0);

  if (me.owner == tid)
    return;
  me.owner = tid;
  me.schedstat = open ("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  wl_check (me.schedstat, "/proc/thread-self/schedstat");
  me.task_clock = open_task_clock ();
}

/* All of one moment: again, when the thread was taken off its CPU in between. */
WlMoment
wl_moment (void)
{
  struct rusage usage = { 0 };
  int64_t run, delay;
  WlMoment moment;

  open_clocks ();
  read_schedstat (me.schedstat, &run, &delay);
  do
    {
      moment.delay = delay;
      moment.cpu = time_on_cpu ();
      moment.wall = wl_now ();
      WL_CALL (getrusage, RUSAGE_THREAD, &usage, 0, 0);
      moment.switches = usage.ru_nvcsw;
      read_schedstat (me.schedstat, &run, &delay);
    }
  while (delay != moment.delay);
  return moment;
}

/* Who never left the CPU of its own will has only waited for it. Else the kernel's word on how long that was has to do, though it
 * may begin too early, at the moment the thread was told to leave. */
static int64_t
advance (int64_t *blocked)
{
  WlMoment now = wl_moment ();
  int64_t cpu = now.cpu - me.last.cpu, off = now.wall - me.last.wall - cpu, delay = now.delay - me.last.delay;

  if (now.switches == me.last.switches || delay > off)
    delay = off;
  me.did.run += cpu;
  me.did.delay += delay;
  *blocked += off - delay;
  me.last = now;
  return delay;
}

void
wl_before (void)
{
  advance (&me.did.left);
}

void
wl_after (WlKind kind)
{
  me.did.late += advance (&me.did.blocked[kind]);
}

void
wl_join (void)
{
  memset (&me.did, 0, sizeof me.did);
  me.main = 0;
  me.last = wl_moment ();
}

static void
add (int64_t *sum, int64_t value)
{
  __atomic_fetch_add (sum, value, __ATOMIC_RELAXED);
}

void
wl_leave (void)
{
  advance (&me.did.left);
  if (!me.main)
    add (&truth->helped, me.did.run + me.did.delay);
  add (&truth->run, me.did.run);
  add (&truth->delay, me.did.delay);
  add (&truth->late, me.did.late);
  add (&truth->left, me.did.left);
  for (int kind = 0; kind < WL_KINDS; kind++)
    add (&truth->blocked[kind], me.did.blocked[kind]);
}

void
wl_wait_for_job (pid_t child)
{
  int64_t run, delay;
  siginfo_t info;
  char path[64];
  int fd;

  wl_check (WL_BLOCKING (WL_PARTNER, wl_syscall (SYS_waitid, P_PID, child, (long) &info, WEXITED | WNOWAIT, 0, 0)), "waitid");
  snprintf (path, sizeof path, "/proc/%d/schedstat", (int) child);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  wl_check (fd, path);
  read_schedstat (fd, &run, &delay);
  close (fd);
  add (&truth->run, run);
  add (&truth->delay, delay);
  add (&truth->helped, run + delay);
  wl_wait (child);
}

int64_t
wl_begin (void)
{
  wl_join ();
  me.main = 1;
  return me.last.wall;
}

/* --- the line -------------------------------------------------------------------------------------------------------------- */

void
wl_json_begin (const char *workload, int64_t begin_ns)
{
  int64_t end_ns = wl_now ();

  wl_leave ();
  printf ("{\"workload\":\"%s\",\"pid\":%d,\"begin_ns\":%" PRId64 ",\"end_ns\":%" PRId64 ",\"wall_ns\":%" PRId64, workload,
          (int) getpid (), begin_ns, end_ns, end_ns - begin_ns);
  wl_json_number ("waited_ns", me.did.blocked[WL_PARTNER]);
}

void
wl_json_number (const char *key, int64_t value)
{
  printf (",\"%s\":%" PRId64, key, value);
}

void
wl_json_end (void)
{
  printf (",\"truth\":{\"run\":%" PRId64 ",\"delay\":%" PRId64 ",\"late\":%" PRId64 ",\"left\":%" PRId64, truth->run, truth->delay,
          truth->late, truth->left);
  wl_json_number ("helped", truth->helped);
  for (int kind = 0; kind < WL_KINDS; kind++)
    printf (",\"%s\":%" PRId64, kind_names[kind], truth->blocked[kind]);
  printf ("}}\n");
}
