/* What the workloads share; see workload.h. */
#include "workload.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/prctl.h>
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
wl_listen (struct sockaddr_in *address)
{
  socklen_t length = sizeof *address;
  int fd = socket (AF_INET, SOCK_STREAM, 0);

  wl_check (fd, "socket");
  *address = (struct sockaddr_in) { .sin_family = AF_INET, .sin_addr.s_addr = htonl (INADDR_LOOPBACK) };
  wl_check (bind (fd, (struct sockaddr *) address, length), "bind");
  wl_check (listen (fd, 1), "listen");
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

static int64_t run_begin, run_end;

int64_t
wl_begin (void)
{
  run_begin = wl_clock (CLOCK_PROCESS_CPUTIME_ID);
  return wl_now ();
}

void
wl_json_begin (const char *workload, int64_t begin_ns, int64_t end_ns)
{
  run_end = wl_clock (CLOCK_PROCESS_CPUTIME_ID);
  printf ("{\"workload\":\"%s\",\"pid\":%d,\"begin_ns\":%" PRId64 ",\"end_ns\":%" PRId64 ",\"wall_ns\":%" PRId64, workload,
          (int) getpid (), begin_ns, end_ns, end_ns - begin_ns);
}

void
wl_json_number (const char *key, int64_t value)
{
  printf (",\"%s\":%" PRId64, key, value);
}

void
wl_json_numbers (const char *key, const int64_t *values, int n)
{
  printf (",\"%s\":[", key);
  for (int i = 0; i < n; i++)
    printf ("%s%" PRId64, i == 0 ? "" : ",", values[i]);
  printf ("]");
}

void
wl_json_object (const char *key, const char *const *names, const int64_t *values, int n)
{
  printf (",\"%s\":{", key);
  for (int i = 0; i < n; i++)
    printf ("%s\"%s\":%" PRId64, i == 0 ? "" : ",", names[i], values[i]);
  printf ("}");
}

void
wl_json_end (void)
{
  struct rusage usage = { 0 };

  wl_check (getrusage (RUSAGE_CHILDREN, &usage), "getrusage");
  wl_json_number ("run_ns", run_end - run_begin);
  wl_json_number ("children_run_ns", (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * INT64_C (1000000000)
                                       + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * INT64_C (1000));
  printf ("}\n");
}
