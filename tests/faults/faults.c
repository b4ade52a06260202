/* Preloaded into a program: counts its calls of the system, lets one of them fail or be short, or ends the program there, and notes what is
 * written. By environment:
 *
 *   FAULTS_LOG    a file that gets a line for each call: number, name, path, what more there is, separated by tabs
 *   FAULTS_CALL   set: only calls of this name count
 *   FAULTS_DATA   set: lines of writes have the bytes in hexadecimal
 *   FAULTS_AT     the number of the call that is hit; the first is 1
 *   FAULTS_ERRNO  what it fails with, by number
 *   FAULTS_ON     set: all that count from there on fail, too, as on a disk that is full
 *   FAULTS_SHORT  set: a read or write takes half of its bytes; other calls are as ever
 *   FAULTS_KILL   set: the program is killed before it; "after": when it is done
 *   FAULTS_HOLD   a path: what is to get that name gets it once there is a file of this name with ".go" behind it
 *   FAULTS_NAMED  set: the file system has no files without a name, as some have none
 *
 * What the program starts is left alone. What libc calls within itself (for stdio, for memory) is not seen, and what threads say to each
 * other (eventfd) does not count: it cannot fail, and how often there is something to say is chance. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long count;
static long at;
static int error, out = -1;
static pid_t own; /* a child between fork and exec is none of ours */
static const char *only, *hold;
static bool with_data, on, halve, kill_before, kill_after, named;

/* Those of libc, found before there are threads or a child of one, in which a lock of the loader may be held for ever. */
static DIR *(*real_opendir) (const char *);
static pid_t (*real_fork) (void);
static __typeof__ (posix_spawn) *real_spawn, *real_spawnp;

static long
number (const char *name)
{
  const char *text = getenv (name);

  return text != NULL ? strtol (text, NULL, 10) : 0;
}

__attribute__ ((constructor)) static void
begin (void)
{
  const char *log = getenv ("FAULTS_LOG"), *kill_how = getenv ("FAULTS_KILL");

  own = getpid ();
  real_opendir = (__typeof__ (real_opendir)) dlsym (RTLD_NEXT, "opendir");
  real_fork = (__typeof__ (real_fork)) dlsym (RTLD_NEXT, "fork");
  real_spawn = (__typeof__ (real_spawn)) dlsym (RTLD_NEXT, "posix_spawn");
  real_spawnp = (__typeof__ (real_spawnp)) dlsym (RTLD_NEXT, "posix_spawnp");
  unsetenv ("LD_PRELOAD");
  only = getenv ("FAULTS_CALL");
  hold = getenv ("FAULTS_HOLD");
  named = getenv ("FAULTS_NAMED") != NULL;
  at = number ("FAULTS_AT");
  error = (int) number ("FAULTS_ERRNO");
  on = getenv ("FAULTS_ON") != NULL;
  halve = getenv ("FAULTS_SHORT") != NULL;
  with_data = getenv ("FAULTS_DATA") != NULL;
  kill_after = kill_how != NULL && strcmp (kill_how, "after") == 0;
  kill_before = kill_how != NULL && !kill_after;
  if (log != NULL) /* far from the numbers that the program gets */
    {
      int fd = (int) syscall (SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);

      out = fcntl (fd, F_DUPFD_CLOEXEC, 500);
      syscall (SYS_close, fd);
    }
}

/* --- noting ------------------------------------------------------------------------------------------------------------- */

/* Long enough for a path and a piece of data. */
typedef struct
{
  char text[2 * PATH_MAX + 128];
  size_t n;
} Line;

static void
add (Line *line, const char *text)
{
  size_t n = strlen (text);

  if (n > sizeof line->text - line->n)
    n = sizeof line->text - line->n;
  memcpy (line->text + line->n, text, n);
  line->n += n;
}

static void
add_fd (Line *line, int fd)
{
  char link[64], path[PATH_MAX];
  ssize_t n;

  snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
  n = syscall (SYS_readlink, link, path, sizeof path - 1);
  path[n > 0 ? n : 0] = '\0';
  add (line, path);
}

/* Absolute, as far as that is easily known. */
static void
add_path (Line *line, int folder, const char *path)
{
  char here[PATH_MAX];

  if (strncmp (path, "/proc/self/fd/", 14) == 0)
    {
      add_fd (line, atoi (path + 14));
      return;
    }
  if (path[0] != '/' && folder != AT_FDCWD)
    {
      add_fd (line, folder);
      add (line, "/");
    }
  else if (path[0] != '/' && getcwd (here, sizeof here) != NULL)
    {
      add (line, here);
      add (line, "/");
    }
  add (line, path);
}

/* What is said of a call with data is written in pieces, and the program may have several threads. */
static atomic_flag noting = ATOMIC_FLAG_INIT;

static void
lock (void)
{
  while (atomic_flag_test_and_set (&noting))
    syscall (SYS_sched_yield);
}

static void
unlock (void)
{
  atomic_flag_clear (&noting);
}

static void
put (const Line *line)
{
  if (out >= 0)
    syscall (SYS_write, out, line->text, line->n);
}

static void
put_data (const unsigned char *data, size_t n)
{
  for (size_t i = 0; i < n; i += 1024)
    {
      char hex[2049];
      size_t part = n - i < 1024 ? n - i : 1024;

      for (size_t k = 0; k < part; k++)
        snprintf (hex + 2 * k, 3, "%02x", data[i + k]);
      syscall (SYS_write, out, hex, 2 * part);
    }
}

/* --- hitting ------------------------------------------------------------------------------------------------------------ */

/* What becomes of a call. */
typedef enum
{
  DONE,
  FAILS, /* errno is set */
  SHORT,
} Fate;

static Line
begin_line (long n, const char *name)
{
  Line line = { .n = 0 };

  line.n = (size_t) snprintf (line.text, 64, "%ld\t%s\t", n, name);
  return line;
}

static Fate
fate_of (long n)
{
  if (n == 0 || (on ? n < at : n != at))
    return DONE;
  if (kill_before)
    raise (SIGKILL);
  if (halve)
    return SHORT;
  if (error == 0)
    return DONE;
  errno = error;
  return FAILS;
}

static void
end (long n)
{
  int before = errno;

  if (n > 0 && n == at && kill_after && getpid () == own)
    raise (SIGKILL);
  errno = before;
}

static bool
is_between_threads (int fd)
{
  char link[64], path[32] = "";

  snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
  return syscall (SYS_readlink, link, path, sizeof path - 1) > 0 && strcmp (path, "anon_inode:[eventfd]") == 0;
}

/* 0: it does not count. */
static long
number_of (const char *name, int fd)
{
  if (getpid () != own || (only != NULL && strcmp (only, name) != 0) || (fd >= 0 && is_between_threads (fd)))
    return 0;
  return atomic_fetch_add (&count, 1) + 1;
}

/* A call with a path or a descriptor, or neither: its number, 0 where it does not count. */
static long
begin_path (const char *name, int folder, const char *path, const char *more)
{
  int before = errno;
  long n = number_of (name, path == NULL ? folder : -1);

  if (n > 0 && out >= 0)
    {
      Line line = begin_line (n, name);

      if (path != NULL)
        add_path (&line, folder, path);
      else if (folder >= 0)
        add_fd (&line, folder);
      add (&line, "\t");
      add (&line, more);
      add (&line, "\n");
      lock ();
      put (&line);
      unlock ();
    }
  errno = before;
  return n;
}

/* --- open --------------------------------------------------------------------------------------------------------------- */

static int
open_any (int folder, const char *path, int flags, mode_t mode)
{
  bool made = (flags & O_CREAT) && faccessat (folder, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
  const char *what = made ? "create" : (flags & O_TRUNC) ? "truncate" : "";
  long n = begin_path ("open", folder, path, what);
  int fd;

  if (fate_of (n) == FAILS)
    return -1;
  if (named && (flags & O_TMPFILE) == O_TMPFILE)
    return errno = EOPNOTSUPP, -1;
  fd = (int) syscall (SYS_openat, folder, path, flags, mode);
  end (n);
  return fd;
}

#define MODE(flags)                                        \
  mode_t mode = 0;                                         \
  if (((flags) & O_CREAT) || ((flags) & O_TMPFILE) == O_TMPFILE) \
    {                                                      \
      va_list args;                                        \
      va_start (args, flags);                              \
      mode = va_arg (args, mode_t);                        \
      va_end (args);                                       \
    }

int
open (const char *path, int flags, ...)
{
  MODE (flags)
  return open_any (AT_FDCWD, path, flags, mode);
}

int
open64 (const char *path, int flags, ...)
{
  MODE (flags)
  return open_any (AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

int
openat (int folder, const char *path, int flags, ...)
{
  MODE (flags)
  return open_any (folder, path, flags, mode);
}

int
openat64 (int folder, const char *path, int flags, ...)
{
  MODE (flags)
  return open_any (folder, path, flags | O_LARGEFILE, mode);
}

int __open_2 (const char *path, int flags);
int __open64_2 (const char *path, int flags);
int __openat_2 (int folder, const char *path, int flags);
int __openat64_2 (int folder, const char *path, int flags);

int
__open_2 (const char *path, int flags)
{
  return open_any (AT_FDCWD, path, flags, 0);
}

int
__open64_2 (const char *path, int flags)
{
  return open_any (AT_FDCWD, path, flags | O_LARGEFILE, 0);
}

int
__openat_2 (int folder, const char *path, int flags)
{
  return open_any (folder, path, flags, 0);
}

int
__openat64_2 (int folder, const char *path, int flags)
{
  return open_any (folder, path, flags | O_LARGEFILE, 0);
}

/* --- read and write ----------------------------------------------------------------------------------------------------- */

static size_t
part_of (Fate fate, size_t n)
{
  return fate == SHORT && n > 1 ? n / 2 : n;
}

ssize_t
read (int fd, void *data, size_t n)
{
  long call = begin_path ("read", fd, NULL, "");
  Fate fate = fate_of (call);
  ssize_t got = fate == FAILS ? -1 : syscall (SYS_read, fd, data, part_of (fate, n));

  end (call);
  return got;
}

ssize_t __read_chk (int fd, void *data, size_t n, size_t room);

ssize_t
__read_chk (int fd, void *data, size_t n, size_t room)
{
  return read (fd, data, n <= room ? n : room);
}

ssize_t
pread (int fd, void *data, size_t n, off_t offset)
{
  long call = begin_path ("pread", fd, NULL, "");
  Fate fate = fate_of (call);
  ssize_t got = fate == FAILS ? -1 : syscall (SYS_pread64, fd, data, part_of (fate, n), offset);

  end (call);
  return got;
}

ssize_t
pread64 (int fd, void *data, size_t n, off64_t offset)
{
  return pread (fd, data, n, offset);
}

static long
begin_write (const char *name, int fd, const void *data, size_t n, off_t offset)
{
  int before = errno;
  long call = number_of (name, fd);

  if (call > 0 && out >= 0)
    {
      Line line = begin_line (call, name);
      char text[64];

      add_fd (&line, fd);
      snprintf (text, sizeof text, "\t%lld\t", (long long) offset);
      add (&line, text);
      lock ();
      put (&line);
      if (with_data)
        put_data (data, n);
      put (&(Line) { .text = "\n", .n = 1 });
      unlock ();
    }
  errno = before;
  return call;
}

ssize_t
write (int fd, const void *data, size_t n)
{
  int before = errno;
  off_t offset = lseek (fd, 0, SEEK_CUR);
  long call = (errno = before, begin_write ("write", fd, data, n, offset));
  Fate fate = fate_of (call);
  ssize_t done = fate == FAILS ? -1 : syscall (SYS_write, fd, data, part_of (fate, n));

  end (call);
  return done;
}

ssize_t
pwrite (int fd, const void *data, size_t n, off_t offset)
{
  long call = begin_write ("pwrite", fd, data, n, offset);
  Fate fate = fate_of (call);
  ssize_t done = fate == FAILS ? -1 : syscall (SYS_pwrite64, fd, data, part_of (fate, n), offset);

  end (call);
  return done;
}

ssize_t
pwrite64 (int fd, const void *data, size_t n, off64_t offset)
{
  return pwrite (fd, data, n, offset);
}

/* --- all else ----------------------------------------------------------------------------------------------------------- */

#define WRAP(result, fails, begun, call)      \
  do                                          \
    {                                         \
      long wrapped = begun;                   \
      result value;                           \
      if (fate_of (wrapped) == FAILS)         \
        return fails;                         \
      value = call;                           \
      end (wrapped);                          \
      return value;                           \
    }                                         \
  while (0)

DIR *
opendir (const char *path)
{
  WRAP (DIR *, NULL, begin_path ("opendir", AT_FDCWD, path, ""), real_opendir (path));
}

static void
wait_until_it_may (void)
{
  char go[PATH_MAX];

  snprintf (go, sizeof go, "%s.go", hold);
  while (syscall (SYS_faccessat, AT_FDCWD, go, F_OK) != 0)
    usleep (10000);
}

/* Two paths: the second stands where more is said. */
static long
begin_two (const char *name, int from_folder, const char *from, int to_folder, const char *to)
{
  Line line = { .n = 0 };

  if (hold != NULL && strcmp (to, hold) == 0)
    wait_until_it_may ();
  add_path (&line, to_folder, to);
  line.text[line.n < sizeof line.text ? line.n : sizeof line.text - 1] = '\0';
  return begin_path (name, from_folder, from, line.text);
}

int
fsync (int fd)
{
  WRAP (int, -1, begin_path ("fsync", fd, NULL, ""), (int) syscall (SYS_fsync, fd));
}

int
fdatasync (int fd)
{
  WRAP (int, -1, begin_path ("fsync", fd, NULL, ""), (int) syscall (SYS_fdatasync, fd));
}

int
rename (const char *from, const char *to)
{
  WRAP (int, -1, begin_two ("rename", AT_FDCWD, from, AT_FDCWD, to),
        (int) syscall (SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int
renameat (int from_folder, const char *from, int to_folder, const char *to)
{
  WRAP (int, -1, begin_two ("rename", from_folder, from, to_folder, to),
        (int) syscall (SYS_renameat2, from_folder, from, to_folder, to, 0));
}

int
renameat2 (int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
  WRAP (int, -1, begin_two ("rename", from_folder, from, to_folder, to),
        (int) syscall (SYS_renameat2, from_folder, from, to_folder, to, flags));
}

int
link (const char *from, const char *to)
{
  WRAP (int, -1, begin_two ("link", AT_FDCWD, from, AT_FDCWD, to), (int) syscall (SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int
linkat (int from_folder, const char *from, int to_folder, const char *to, int flags)
{
  WRAP (int, -1, begin_two ("link", from_folder, from, to_folder, to),
        (int) syscall (SYS_linkat, from_folder, from, to_folder, to, flags));
}

int
unlink (const char *path)
{
  WRAP (int, -1, begin_path ("unlink", AT_FDCWD, path, ""), (int) syscall (SYS_unlinkat, AT_FDCWD, path, 0));
}

int
unlinkat (int folder, const char *path, int flags)
{
  WRAP (int, -1, begin_path ("unlink", folder, path, ""), (int) syscall (SYS_unlinkat, folder, path, flags));
}

int
mkdir (const char *path, mode_t mode)
{
  WRAP (int, -1, begin_path ("mkdir", AT_FDCWD, path, ""), (int) syscall (SYS_mkdirat, AT_FDCWD, path, mode));
}

int
fchmod (int fd, mode_t mode)
{
  WRAP (int, -1, begin_path ("fchmod", fd, NULL, ""), (int) syscall (SYS_fchmod, fd, mode));
}

int
flock (int fd, int how)
{
  WRAP (int, -1, begin_path ("flock", fd, NULL, ""), (int) syscall (SYS_flock, fd, how));
}

void *
mmap (void *address, size_t n, int protection, int flags, int fd, off_t offset)
{
  WRAP (void *, MAP_FAILED, begin_path ("mmap", fd, NULL, ""), (void *) syscall (SYS_mmap, address, n, protection, flags, fd, offset));
}

void *
mmap64 (void *address, size_t n, int protection, int flags, int fd, off64_t offset)
{
  return mmap (address, n, protection, flags, fd, offset);
}

pid_t
fork (void)
{
  WRAP (pid_t, -1, begin_path ("fork", -1, NULL, ""), real_fork ());
}

int
posix_spawn (pid_t *child, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
             char *const argv[], char *const environment[])
{
  WRAP (int, errno, begin_path ("spawn", AT_FDCWD, path, ""), real_spawn (child, path, actions, attributes, argv, environment));
}

int
posix_spawnp (pid_t *child, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
              char *const argv[], char *const environment[])
{
  WRAP (int, errno, begin_path ("spawn", AT_FDCWD, path, ""), real_spawnp (child, path, actions, attributes, argv, environment));
}

int
pipe2 (int ends[2], int flags)
{
  WRAP (int, -1, begin_path ("pipe", -1, NULL, ""), (int) syscall (SYS_pipe2, ends, flags));
}

int
pipe (int ends[2])
{
  return pipe2 (ends, 0);
}

int
socketpair (int domain, int type, int protocol, int ends[2])
{
  WRAP (int, -1, begin_path ("socketpair", -1, NULL, ""), (int) syscall (SYS_socketpair, domain, type, protocol, ends));
}
