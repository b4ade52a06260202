/* Locks of a user's own; see slots.h. */
#include "slots.h"

#include "messages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "/run/wakepath"

static int file = -1;
static int taken; /* how many are ours */
static int next;  /* the first that was not tried */

static int
open_folder (void)
{
  struct stat folder;
  int fd;

  if (mkdir (FOLDER, 0700) != 0 && errno != EEXIST)
    return -1;
  fd = open (FOLDER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd >= 0 && fstat (fd, &folder) == 0 && folder.st_uid == 0 && (folder.st_mode & 022) == 0)
    return fd;
  if (fd >= 0)
    close (fd);
  errno = EPERM;
  return -1;
}

/* Of the open file, not of the process: whoever has the descriptor has the lock, and nobody else is left with it in the end. */
static int
lock (int slot)
{
  struct flock range = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = slot, .l_len = 1 };

  return fcntl (file, F_OFD_SETLK, &range);
}

int
wpc_slots_take (int wanted)
{
  if (file < 0)
    return wanted;
  for (; taken < wanted && next < WPC_SLOTS; next++)
    taken += lock (next) == 0;
  return taken;
}

int
wpc_slots_open (unsigned user)
{
  char name[16];
  int folder;

  if (geteuid () != 0)
    return 0;
  folder = open_folder ();
  snprintf (name, sizeof name, "%u", user);
  if (folder >= 0)
    {
      file = openat (folder, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
      close (folder);
    }
  if (file < 0)
    return wpc_fail ("perf", "cannot count the recordings under way in " FOLDER ": %s", strerror (errno));
  if (wpc_slots_take (1) == 0)
    return wpc_fail ("busy", "%d recordings of this user are under way, which is as many as there may be", WPC_SLOTS);
  return 0;
}
