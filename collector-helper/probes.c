/* Kernel probes through tracefs; see probes.h. */
#include "probes.h"

#include "doors.h"
#include "events.h"
#include "privileges.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define GROUP "wakepath_"
#define COMMAND_MAX 1024
#define MADE_MAX 16
#define LIST_MAX (1u << 20) /* of everybody’s probes */
#define REMOVE_MS 5000 /* the kernel lets go of a probe some time after its last user has ended */
#define RETRY_MS 10

char wpc_probe_group[32];

static int list = -1; /* tracefs' kprobe_events, for writing */
static const char *made[MADE_MAX];
static int n_made;

/* One command a write. Returns 0 or an errno. */
static int
command (const char *text)
{
  return write (list, text, strlen (text)) < 0 ? errno : 0;
}

static int
remove_probe (const char *group, const char *name)
{
  char text[COMMAND_MAX];

  snprintf (text, sizeof text, "-:%s/%s\n", group, name);
  return command (text);
}

/* --- what others have left ---------------------------------------------------------------------------------------- */

/* A line "p:GROUP/NAME place arguments": removed if it is ours, and of no process that is still there. */
static void
remove_stale (const char *line)
{
  char group[32], name[64];
  int pid;

  if (sscanf (line, "p:%31[^/ \n]/%63[^ \n]", group, name) != 2 || sscanf (group, GROUP "%d", &pid) != 1 || pid <= 0)
    return;
  if (pid == getpid () || (kill (pid, 0) != 0 && errno == ESRCH))
    remove_probe (group, name);
}

static void
remove_all_stale (const char *path)
{
  WpcBuffer text = { 0 };

  if (wpc_buffer_add_file (&text, path, LIST_MAX) == 0)
    {
      wpc_buffer_add (&text, NULL, 1);
      for (const char *line = text.data; *line != '\0'; line += strcspn (line, "\n"), line += *line == '\n')
        remove_stale (line);
    }
  wpc_buffer_clear (&text);
}

/* --- the process that removes ours -------------------------------------------------------------------------------- */

static void
remove_made (void)
{
  for (int i = 0; i < n_made; i++)
    for (int ms = 0; ms < REMOVE_MS; ms += RETRY_MS)
      {
        if (remove_probe (wpc_probe_group, made[i]) != EBUSY)
          break;
        poll (NULL, 0, RETRY_MS);
      }
}

/* Waits for the pipe's end, without capabilities, with no files but these two, and may only read, write and wait. Its user, whose it is as
 * the helper is, can end it: then the next recording removes what it left. */
static void
keep (int pipe_end)
{
  char byte;

  signal (SIGTERM, SIG_IGN);
  setsid ();
  if (dup2 (list, 0) < 0 || dup2 (pipe_end, 1) < 0)
    return;
  close (2);
  wpc_close_from (3);
  list = 0;
  if (wpc_drop_capabilities () != 0)
    return;
  while (read (1, &byte, 1) < 0 && errno == EINTR)
    ;
  remove_made ();
}

int
wpc_probes_guard (void)
{
  int ends[2];
  pid_t child;

  if (n_made == 0)
    {
      if (list >= 0)
        close (list);
      list = -1;
      return 0;
    }
  if (pipe2 (ends, O_CLOEXEC) != 0)
    return errno;
  child = fork ();
  if (child < 0)
    return errno;
  if (child == 0)
    {
      keep (ends[0]);
      syscall (SYS_exit_group, 0);
    }
  close (ends[0]);
  close (list);
  list = -1;
  return 0;
}

/* --- making them -------------------------------------------------------------------------------------------------- */

/* Without O_APPEND, or truncated, everybody's probes would be gone. */
void
wpc_probes_open (void)
{
  char path[128];

  snprintf (path, sizeof path, "%s/kprobe_events", wpc_tracefs);
  list = open (path, O_WRONLY | O_APPEND | O_CLOEXEC);
}

static void
begin_group (void)
{
  char path[128];

  if (wpc_probe_group[0] != '\0')
    return;
  snprintf (path, sizeof path, "%s/kprobe_events", wpc_tracefs);
  snprintf (wpc_probe_group, sizeof wpc_probe_group, GROUP "%d", (int) getpid ());
  remove_all_stale (path);
}

static int
make_on (const char *name, const char *function, size_t length, const char *fetch)
{
  char text[COMMAND_MAX];
  int n = snprintf (text, sizeof text, "p:%s/%s %.*s %s\n", wpc_probe_group, name, (int) length, function, fetch);

  return n < (int) sizeof text ? command (text) : E2BIG;
}

int
wpc_probe_make (const char *name, const char *functions, const char *fetch)
{
  size_t length;
  int error = 0;

  if (list < 0 || n_made == MADE_MAX)
    return list < 0 ? ENOENT : E2BIG;
  begin_group ();
  for (const char *f = functions; *f != '\0'; f += length + (f[length] == ' '))
    {
      length = strcspn (f, " ");
      error = make_on (name, f, length, fetch);
      if (error == EINVAL)
        error = make_on (name, f, length, WPC_FETCH_SOCKET);
      if (error == 0)
        {
          made[n_made++] = name;
          return 0;
        }
    }
  return error == EINVAL ? ENOENT : error; /* that is what newer kernels say when there is no such function */
}
