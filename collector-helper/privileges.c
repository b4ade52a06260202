/* User and capabilities; see privileges.h. */
#include "privileges.h"

#include "buffer.h"
#include "filter.h"
#include "messages.h"
#include "options.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOBODY 65534 /* as a group: what the user's groups may is not needed */

enum
{
  OPENING = 1 << 0,
  GATHERING = 1 << 1,
  PERFMON_IS_NOT_ENOUGH = 1 << 2,
};

static const struct
{
  int capability;
  unsigned when;
} needed[] = {
  { CAP_PERFMON, OPENING },                           /* events of every process */
  { CAP_SYS_ADMIN, OPENING | PERFMON_IS_NOT_ENOUGH }, /* the same where the kernel asks for more */
  { CAP_IPC_LOCK, OPENING },                          /* rings beyond what every user may have */
  { CAP_DAC_READ_SEARCH, OPENING | GATHERING },       /* tracefs */
  { CAP_SYSLOG, OPENING | GATHERING },                /* addresses of the kernel's symbols */
  { CAP_SYS_PTRACE, OPENING | GATHERING },            /* others' mappings */
  { CAP_SYS_NICE, OPENING | GATHERING },              /* a ring that nobody empties loses events */
};

/* Before 5.8 there is no CAP_PERFMON, and Debian's kernels ask for CAP_SYS_ADMIN beside it where perf_event_paranoid is above 2. */
static bool
perfmon_is_enough (void)
{
  char text[32];
  unsigned paranoid;

  return prctl (PR_CAPBSET_READ, CAP_PERFMON, 0, 0, 0) >= 0 &&
         (wpc_read_line ("/proc/sys/kernel/perf_event_paranoid", text, sizeof text) != 0 ||
          !wpc_parse_number (text, 1u << 30, &paranoid) || paranoid <= 2);
}

/* Of those we have, what `when` needs; 0: none. Returns 0 or an errno. */
static int
keep_capabilities (unsigned when, bool enough)
{
  struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
  struct __user_cap_data_struct data[2];
  uint32_t mask[2] = { 0 };

  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    if ((needed[i].when & when) != 0 && !((needed[i].when & PERFMON_IS_NOT_ENOUGH) != 0 && enough))
      mask[needed[i].capability / 32] |= 1u << needed[i].capability % 32;
  if (syscall (SYS_capget, &header, data) != 0)
    return errno;
  for (int i = 0; i < 2; i++)
    {
      data[i].permitted &= mask[i];
      data[i].effective = data[i].permitted;
      data[i].inheritable = 0;
    }
  return syscall (SYS_capset, &header, data) != 0 ? errno : 0;
}

/* The bounding set shrinks while we may still do that; without CAP_SETPCAP it cannot, and no_new_privs has to do. */
static void
empty_bounding_set (void)
{
  prctl (PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  for (unsigned long i = 0; i < 64; i++)
    if (prctl (PR_CAPBSET_READ, i, 0, 0, 0) == 1)
      prctl (PR_CAPBSET_DROP, i, 0, 0, 0);
}

/* Capabilities stay, for now. Who is root himself stays that. */
static int
become (unsigned user)
{
  if (geteuid () != 0)
    return 0;
  if (setgroups (0, NULL) != 0 || prctl (PR_SET_KEEPCAPS, 1, 0, 0, 0) != 0)
    return errno;
  if (user != 0 && (setresgid (NOBODY, NOBODY, NOBODY) != 0 || setresuid (user, user, user) != 0))
    return errno;
  return prctl (PR_SET_KEEPCAPS, 0, 0, 0, 0) != 0 ? errno : 0;
}

static int
protect (void)
{
  return prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl (PR_SET_DUMPABLE, 0) != 0 ? errno : 0;
}

static int
tell (int error)
{
  return error == 0 ? 0 : wpc_fail ("permission", "cannot give up its privileges: %s", strerror (error));
}

int
wpc_privileges_begin (unsigned user, bool choosing)
{
  bool enough = perfmon_is_enough ();
  int error;

  empty_bounding_set ();
  error = become (user);
  if (error == 0)
    error = keep_capabilities (OPENING, enough);
  if (error == 0)
    error = protect ();
  return error == 0 ? wpc_filter_load (WPC_FILTER_GATHERING | (choosing ? WPC_FILTER_CHOOSING : 0)) : tell (error);
}

int
wpc_privileges_gather (void)
{
  return tell (keep_capabilities (GATHERING, true));
}

int
wpc_drop_capabilities (void)
{
  int error = keep_capabilities (0, true);

  if (error == 0)
    error = protect ();
  return error == 0 ? wpc_filter_load (WPC_FILTER_RECORDING) : tell (error);
}

int
wpc_privileges_drop (unsigned user)
{
  int error;

  setpriority (PRIO_PROCESS, 0, -20); /* where that is allowed */
  if (geteuid () == 0 && user != 0)
    {
      empty_bounding_set ();
      error = become (user);
      if (error != 0)
        return tell (error);
    }
  return wpc_drop_capabilities ();
}
