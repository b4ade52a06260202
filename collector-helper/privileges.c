/* Capabilities, user and system-call filter; see privileges.h. */
#include "privileges.h"

#include "messages.h"
#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <pwd.h>
#include <seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

void
wpc_close_from (int first)
{
  struct rlimit limit;

  if (syscall (SYS_close_range, (unsigned) first, ~0u, 0u) == 0 || getrlimit (RLIMIT_NOFILE, &limit) != 0)
    return;
  for (int fd = first; (rlim_t) fd < limit.rlim_cur; fd++)
    close (fd);
}

/* Of root's capabilities those that recording takes, and becoming the user afterwards. Before 5.8 there is no CAP_PERFMON, and Debian's
 * kernels ask for CAP_SYS_ADMIN beside it. */
static int
keep_needed_capabilities (void)
{
  static const int needed[] = { CAP_PERFMON,  CAP_SYS_ADMIN,    CAP_DAC_READ_SEARCH, CAP_SYSLOG, CAP_IPC_LOCK, CAP_SYS_PTRACE,
                                CAP_SYS_NICE, CAP_SYS_RESOURCE, CAP_SETUID,          CAP_SETGID, CAP_SETPCAP };
  struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
  struct __user_cap_data_struct data[2], mask[2] = { 0 };

  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    mask[needed[i] / 32].permitted |= 1u << needed[i] % 32;
  if (syscall (SYS_capget, &header, data) != 0)
    return errno;
  for (int i = 0; i < 2; i++)
    {
      data[i].permitted &= mask[i].permitted;
      data[i].effective &= mask[i].permitted;
      data[i].inheritable = 0;
    }
  return syscall (SYS_capset, &header, data) != 0 ? errno : 0;
}

/* What the caller has set survives pkexec: a signal that is blocked would stop nothing, one of a file too large would kill. */
static void
settle_signals (void)
{
  static const int ignored[] = { SIGINT, SIGQUIT, SIGHUP, SIGPIPE, SIGTSTP, SIGXFSZ };
  sigset_t none;

  for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
    signal (ignored[i], SIG_IGN);
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
}

int
wpc_shut_doors (void)
{
  int error;

  for (int fd = 0; fd <= 2; fd++)
    if (fcntl (fd, F_GETFD) < 0)
      return 1; /* a file opened later would take its place */
  if (prctl (PR_SET_DUMPABLE, 0) != 0)
    return wpc_fail ("perf", "cannot protect itself: %s", strerror (errno));
  wpc_close_from (3);
  umask (077);
  settle_signals ();
  error = keep_needed_capabilities ();
  if (error != 0)
    return wpc_fail ("permission", "cannot give up what it does not need: %s", strerror (error));
  return isatty (STDOUT_FILENO) ? wpc_fail ("usage", "standard output is a terminal") : 0;
}

static int
become_user (void)
{
  const char *text = getenv ("PKEXEC_UID");
  struct passwd *user;
  unsigned uid;
  gid_t gid;

  if (text == NULL || geteuid () != 0)
    return 0;
  if (!wpc_parse_number (text, ~0u - 1, &uid))
    return wpc_fail ("permission", "PKEXEC_UID is not a user");
  user = getpwuid (uid);
  gid = user != NULL ? user->pw_gid : (gid_t) 65534;
  if (setgroups (0, NULL) != 0 || setresgid (gid, gid, gid) != 0 || setresuid (uid, uid, uid) != 0)
    return wpc_fail ("permission", "cannot become user %u: %s", uid, strerror (errno));
  return 0;
}

/* The bounding set shrinks while we may still do that; without CAP_SETPCAP it cannot, and no_new_privs has to do. */
static void
empty_bounding_set (void)
{
  for (unsigned long i = 0; i < 64; i++)
    if (prctl (PR_CAPBSET_READ, i, 0, 0, 0) == 1)
      prctl (PR_CAPBSET_DROP, i, 0, 0, 0);
}

static int
clear_capabilities (void)
{
  struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
  struct __user_cap_data_struct none[2] = { 0 };

  prctl (PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  if (syscall (SYS_capset, &header, none) != 0 || prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl (PR_SET_DUMPABLE, 0) != 0)
    return wpc_fail ("permission", "cannot give up its privileges: %s", strerror (errno));
  return 0;
}

static int
filter_system_calls (void)
{
  static const int plain[] = { SCMP_SYS (read),         SCMP_SYS (write),        SCMP_SYS (poll),
                               SCMP_SYS (ppoll),        SCMP_SYS (exit),         SCMP_SYS (exit_group),
                               SCMP_SYS (rt_sigreturn), SCMP_SYS (clock_gettime), SCMP_SYS (restart_syscall) };
  static const unsigned long requests[] = { PERF_EVENT_IOC_ENABLE, PERF_EVENT_IOC_DISABLE, PERF_EVENT_IOC_PERIOD };
  scmp_filter_ctx filter = seccomp_init (SCMP_ACT_KILL_PROCESS);
  int error = filter == NULL ? -ENOMEM : 0;

  for (size_t i = 0; i < sizeof plain / sizeof *plain && error == 0; i++)
    error = seccomp_rule_add (filter, SCMP_ACT_ALLOW, plain[i], 0);
  for (size_t i = 0; i < sizeof requests / sizeof *requests && error == 0; i++)
    error = seccomp_rule_add (filter, SCMP_ACT_ALLOW, SCMP_SYS (ioctl), 1, SCMP_A1 (SCMP_CMP_EQ, requests[i]));
  if (error == 0)
    error = seccomp_load (filter);
  if (filter != NULL)
    seccomp_release (filter);
  return error == 0 ? 0 : wpc_fail ("permission", "cannot filter its system calls: %s", strerror (-error));
}

int
wpc_drop_capabilities (void)
{
  empty_bounding_set ();
  return clear_capabilities () != 0 ? 1 : filter_system_calls ();
}

int
wpc_drop_privileges (void)
{
  empty_bounding_set ();
  return become_user () != 0 || clear_capabilities () != 0 ? 1 : filter_system_calls ();
}
