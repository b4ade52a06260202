/* What an input could do harm with is taken from the process: starting programs, writing outside of its folder. */
#include "shut-in.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WRITING                                                                                                                        \
  (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_DIR        \
   | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_SOCK)

static void
allow (int rules, const char *path)
{
  struct landlock_path_beneath_attr beneath = { .allowed_access = WRITING, .parent_fd = open (path, O_PATH | O_CLOEXEC) };

  if (beneath.parent_fd < 0 || syscall (SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) != 0)
    g_error ("%s: %s", path, g_strerror (errno));
  close (beneath.parent_fd);
}

static void
shut_files (const char *folder)
{
  struct landlock_ruleset_attr attr = { .handled_access_fs = WRITING };
  int rules = (int) syscall (SYS_landlock_create_ruleset, &attr, sizeof attr, 0);

  if (rules < 0)
    g_error ("inputs of this target may write anywhere, and this kernel has no Landlock to stop them: %s", g_strerror (errno));
  allow (rules, folder);
  allow (rules, ".");
  if (syscall (SYS_landlock_restrict_self, rules, 0) != 0)
    g_error ("landlock: %s", g_strerror (errno));
  close (rules);
}

/* Whoever tries is told that he may not. */
static void
shut_programs (void)
{
  struct sock_filter filter[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_execve, 1, 0),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_execveat, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = { G_N_ELEMENTS (filter), filter };

  if (prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    g_error ("seccomp: %s", g_strerror (errno));
}

void
fuzz_shut_in (const char *folder)
{
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    g_error ("prctl: %s", g_strerror (errno));
  shut_files (folder);
  shut_programs ();
}
