/* Descriptors, signals, limits, environment; see doors.h. */
#include "doors.h"

#include "events.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

/* Kernels before 5.9 want them one by one. Who lists them has one too, which is closed last. */
void
wpc_close_from (int first)
{
  struct dirent *entry;
  DIR *folder;
  unsigned fd;

  if (syscall (SYS_close_range, (unsigned) first, ~0u, 0u) == 0)
    return;
  folder = opendir ("/proc/self/fd");
  while (folder != NULL && (entry = readdir (folder)) != NULL)
    if (wpc_parse_number (entry->d_name, 1u << 30, &fd) && fd >= (unsigned) first && (int) fd != dirfd (folder))
      close ((int) fd);
  if (folder != NULL)
    closedir (folder);
}

/* What the caller has set survives pkexec: a signal that is blocked would stop nothing, one of a file too large would kill, and so would a
 * timer. The terminal's signals are the caller's business. */
static void
settle_signals (void)
{
  static const int ignored[] = { SIGINT, SIGQUIT, SIGHUP, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU, SIGXFSZ,
                                SIGCHLD /* nobody asks what became of them */ };
  static const int timers[] = { ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF };
  const struct itimerval never = { 0 };
  sigset_t none;

  for (size_t i = 0; i < sizeof timers / sizeof *timers; i++)
    setitimer (timers[i], &never, NULL);
  for (int i = 1; i < NSIG; i++)
    signal (i, SIG_DFL);
  for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
    signal (ignored[i], SIG_IGN);
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
}

/* As much as is needed where that is allowed, else as much as is; no core is ever written. How large a file may be stays the caller's to say. */
static void
settle_limits (void)
{
  const rlim_t files = (rlim_t) sysconf (_SC_NPROCESSORS_CONF) * WPC_EVENTS_MAX + WPC_SAMPLE_EVENTS_MAX + 64;
  const struct
  {
    int which;
    rlim_t least;
  } rows[] = { { RLIMIT_NOFILE, files }, { RLIMIT_AS, RLIM_INFINITY }, { RLIMIT_DATA, RLIM_INFINITY }, { RLIMIT_CPU, RLIM_INFINITY },
               { RLIMIT_NPROC, RLIM_INFINITY } };
  const struct rlimit none = { 0 };

  setrlimit (RLIMIT_CORE, &none);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    {
      struct rlimit limit, raised;

      if (getrlimit (rows[i].which, &limit) != 0 || limit.rlim_cur >= rows[i].least)
        continue;
      raised = (struct rlimit) { .rlim_cur = rows[i].least, .rlim_max = limit.rlim_max < rows[i].least ? rows[i].least : limit.rlim_max };
      limit.rlim_cur = rows[i].least < limit.rlim_max ? rows[i].least : limit.rlim_max;
      if (setrlimit (rows[i].which, &raised) != 0) /* some containers let nobody raise what is allowed at most */
        setrlimit (rows[i].which, &limit);
    }
}

/* pkexec runs us as root for whom it names. Nobody else's word is taken: secure_getenv() knows nothing in a program that has privileges
 * by its file. */
static int
find_user (unsigned *user)
{
  const char *text = secure_getenv ("PKEXEC_UID");

  *user = getuid ();
  if (text == NULL || geteuid () != 0)
    return 0;
  if (wpc_parse_number (text, ~0u - 1, user))
    return 0;
  *user = 65534;
  return wpc_fail ("permission", "PKEXEC_UID is not a user");
}

int
wpc_shut_doors (unsigned *user)
{
  int error;

  for (int fd = 0; fd <= 2; fd++)
    if (fcntl (fd, F_GETFD) < 0)
      syscall (SYS_exit_group, 1); /* a file opened later would take its place */
  wpc_close_from (3);
  if (prctl (PR_SET_DUMPABLE, 0) != 0 || chdir ("/") != 0)
    return wpc_fail ("perf", "cannot protect itself: %s", strerror (errno));
  umask (077);
  settle_signals ();
  settle_limits ();
  error = find_user (user);
  clearenv ();
  return error;
}
