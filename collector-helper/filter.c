/* Tables of system calls, loaded by libseccomp; see filter.h. */
#include "filter.h"

#include "messages.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <seccomp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

enum
{
  GATHERING = WPC_FILTER_GATHERING,
  RECORDING = WPC_FILTER_RECORDING,
  BOTH = GATHERING | RECORDING,
};

static const struct
{
  int call;
  unsigned filters;
} plain[] = {
  { SCMP_SYS (read), BOTH },
  { SCMP_SYS (write), BOTH },
  { SCMP_SYS (poll), BOTH },
  { SCMP_SYS (ppoll), BOTH },
  { SCMP_SYS (munmap), BOTH },
  { SCMP_SYS (clock_gettime), BOTH },
  { SCMP_SYS (rt_sigreturn), BOTH },
  { SCMP_SYS (restart_syscall), BOTH },
  { SCMP_SYS (exit), BOTH },
  { SCMP_SYS (exit_group), BOTH },
  /* files, read only: see `conditions` for opening them */
  { SCMP_SYS (close), GATHERING },
  { SCMP_SYS (close_range), GATHERING },
  { SCMP_SYS (fstat), GATHERING },
  { SCMP_SYS (newfstatat), GATHERING },
  { SCMP_SYS (getdents64), GATHERING },
  { SCMP_SYS (lseek), GATHERING },
  /* memory */
  { SCMP_SYS (brk), GATHERING },
  { SCMP_SYS (mremap), GATHERING },
  /* what the machine has */
  { SCMP_SYS (clock_getres), GATHERING },
  { SCMP_SYS (sched_getaffinity), GATHERING },
  { SCMP_SYS (sysinfo), GATHERING },
  { SCMP_SYS (uname), GATHERING },
  { SCMP_SYS (getpid), GATHERING },
  { SCMP_SYS (getuid), GATHERING },
  { SCMP_SYS (geteuid), GATHERING },
  { SCMP_SYS (getrandom), GATHERING },
  /* the process that removes kernel probes */
  { SCMP_SYS (pipe2), GATHERING },
  { SCMP_SYS (dup2), GATHERING },
  { SCMP_SYS (dup3), GATHERING },
  { SCMP_SYS (setsid), GATHERING },
  { SCMP_SYS (set_robust_list), GATHERING },
  /* giving up what is left */
  { SCMP_SYS (capget), GATHERING },
  { SCMP_SYS (capset), GATHERING },
  { SCMP_SYS (seccomp), GATHERING },
  { SCMP_SYS (rt_sigaction), GATHERING },
  { SCMP_SYS (rt_sigprocmask), GATHERING },
  { SCMP_SYS (setitimer), GATHERING },
  { SCMP_SYS (setpriority), GATHERING },
};

#define WRITING (O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY))
#define NAMESPACES (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWCGROUP)
#define REQUEST(request, filters) { SCMP_SYS (ioctl), filters, { 1, SCMP_CMP_EQ, request } }
#define OPERATION(operation) { SCMP_SYS (prctl), GATHERING, { 0, SCMP_CMP_EQ, operation } }

/* Calls that are allowed where one argument is so. */
static const struct
{
  int call;
  unsigned filters;
  struct scmp_arg_cmp argument;
} conditions[] = {
  REQUEST (PERF_EVENT_IOC_ENABLE, BOTH),
  REQUEST (PERF_EVENT_IOC_DISABLE, BOTH),
  REQUEST (PERF_EVENT_IOC_PERIOD, BOTH),
  REQUEST (PERF_EVENT_IOC_ID, GATHERING),
  REQUEST (PERF_EVENT_IOC_SET_FILTER, GATHERING),
  REQUEST (PERF_EVENT_IOC_SET_OUTPUT, GATHERING),
  OPERATION (PR_SET_NO_NEW_PRIVS),
  OPERATION (PR_SET_DUMPABLE),
  OPERATION (PR_SET_SECCOMP),
  OPERATION (PR_GET_SECCOMP),
  OPERATION (PR_CAP_AMBIENT),
  OPERATION (PR_CAPBSET_READ),
  { SCMP_SYS (openat), GATHERING, { 2, SCMP_CMP_MASKED_EQ, WRITING, O_RDONLY } },
  { SCMP_SYS (mmap), GATHERING, { 2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0 } },
  { SCMP_SYS (perf_event_open), GATHERING, { 1, SCMP_CMP_MASKED_EQ, 0xffffffffu, 0xffffffffu } }, /* every process */
  { SCMP_SYS (perf_event_open), WPC_FILTER_CHOOSING, { 2, SCMP_CMP_MASKED_EQ, 0x80000000u, 0 } }, /* a thread on a CPU: less */
  { SCMP_SYS (fcntl), GATHERING, { 1, SCMP_CMP_EQ, F_OFD_SETLK } },
  { SCMP_SYS (fcntl), GATHERING, { 1, SCMP_CMP_EQ, F_GETFL } },
  { SCMP_SYS (clone), GATHERING, { 0, SCMP_CMP_MASKED_EQ, NAMESPACES, 0 } },
  { SCMP_SYS (kill), GATHERING, { 1, SCMP_CMP_EQ, 0 } }, /* whether it is there */
};

static int
add_rules (scmp_filter_ctx filter, unsigned which)
{
  int error = 0;

  for (size_t i = 0; i < sizeof plain / sizeof *plain && error == 0; i++)
    if (plain[i].filters & which)
      error = seccomp_rule_add (filter, SCMP_ACT_ALLOW, plain[i].call, 0);
  for (size_t i = 0; i < sizeof conditions / sizeof *conditions && error == 0; i++)
    if (conditions[i].filters & which)
      error = seccomp_rule_add_array (filter, SCMP_ACT_ALLOW, conditions[i].call, 1, &conditions[i].argument);
  return error;
}

int
wpc_filter_load (unsigned which)
{
  scmp_filter_ctx filter = seccomp_init (SCMP_ACT_KILL_PROCESS);
  int error = filter == NULL ? -ENOMEM : add_rules (filter, which);

  if (error == 0)
    error = seccomp_load (filter);
  if (error == 0)
    return 0; /* it is not given back: that is among what is forbidden now */
  seccomp_release (filter);
  return wpc_fail ("permission", "cannot filter its system calls: %s", strerror (-error));
}
