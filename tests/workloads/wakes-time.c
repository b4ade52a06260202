/* Sleeps that end by a timer or by a disk. */
#include "wakes.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096
#define PAGES (BIG_FILE_SIZE / PAGE)

/* A pipe's end that nothing ever comes out of. */
static int
silence (void)
{
  int ends[2];

  wakes_need (pipe (ends), "pipe");
  return ends[0];
}

static void
sleeping (void)
{
  for (int i = 0; i < TIMES; i++)
    wakes_sleep (2 * MS);
}

static void
microseconds (void)
{
  for (int i = 0; i < TIMES; i++)
    usleep (500);
}

static void
poll_timeout (void)
{
  struct pollfd wanted = { .fd = silence (), .events = POLLIN };

  for (int i = 0; i < TIMES; i++)
    poll (&wanted, 1, 3);
}

static void
epoll_timeout (void)
{
  struct epoll_event event = { .events = EPOLLIN };
  int epoll = (int) wakes_need (epoll_create1 (0), "epoll");

  epoll_ctl (epoll, EPOLL_CTL_ADD, silence (), &event);
  for (int i = 0; i < TIMES; i++)
    epoll_wait (epoll, &event, 1, 3);
}

static void
select_timeout (void)
{
  int fd = silence ();

  for (int i = 0; i < TIMES; i++)
    {
      struct timeval time = { .tv_usec = 3000 };
      fd_set set;

      FD_ZERO (&set);
      FD_SET (fd, &set);
      select (fd + 1, &set, NULL, NULL, &time);
    }
}

static void
futex_timeout (void)
{
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t never = PTHREAD_COND_INITIALIZER;
  struct timespec time;

  pthread_mutex_lock (&mutex);
  for (int i = 0; i < TIMES; i++)
    {
      clock_gettime (CLOCK_REALTIME, &time);
      time.tv_nsec += 3 * MS;
      time.tv_sec += time.tv_nsec / (1000 * MS);
      time.tv_nsec %= 1000 * MS;
      pthread_cond_timedwait (&never, &mutex, &time);
    }
}

static void
timer_descriptor (void)
{
  struct itimerspec every = { { 0, 3 * MS }, { 0, 3 * MS } };
  int timer = (int) wakes_need (timerfd_create (CLOCK_MONOTONIC, 0), "timerfd");
  uint64_t expired;

  timerfd_settime (timer, 0, &every, NULL);
  for (int i = 0; i < TIMES; i++)
    wakes_need (read (timer, &expired, sizeof expired), "read");
}

static void
nothing (int number)
{
  (void) number;
}

static void
interval_timer (void)
{
  struct itimerval every = { { 0, 3000 }, { 0, 3000 } };

  signal (SIGALRM, nothing);
  setitimer (ITIMER_REAL, &every, NULL);
  for (int i = 0; i < TIMES; i++)
    pause ();
}

static void
signal_timeout (void)
{
  struct timespec time = { .tv_nsec = 3 * MS };
  sigset_t set;

  sigemptyset (&set);
  sigaddset (&set, SIGUSR1);
  sigprocmask (SIG_BLOCK, &set, NULL);
  for (int i = 0; i < TIMES; i++)
    sigtimedwait (&set, NULL, &time);
}

static void
receive_timeout (void)
{
  struct timeval time = { .tv_usec = 8000 };
  int ends[2];
  char c;

  wakes_need (socketpair (AF_UNIX, SOCK_STREAM, 0, ends), "socketpair");
  setsockopt (ends[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
  for (int i = 0; i < TIMES; i++)
    recv (ends[0], &c, 1, 0);
}

/* --- disks ---------------------------------------------------------------------------------------------------------- */

static void *
aligned (size_t size)
{
  void *memory = NULL;

  if (posix_memalign (&memory, PAGE, size) != 0)
    abort ();
  return memory;
}

#define DISK_TIMES (8 * TIMES) /* a quick disk often answers before who asked it sleeps */

static off_t
some_page (void)
{
  return (off_t) (rand () % PAGES) * PAGE;
}

static void
direct_read (void)
{
  int fd = (int) wakes_need (open (BIG_FILE, O_RDONLY | O_DIRECT), "O_DIRECT");
  char *block = aligned (16 * PAGE);

  for (int i = 0; i < DISK_TIMES; i++)
    wakes_need (pread (fd, block, PAGE, some_page ()), "read");
  for (int i = 0; i < DISK_TIMES; i++)
    wakes_need (pread (fd, block, 16 * PAGE, some_page () / (16 * PAGE) * (16 * PAGE)), "read");
}

static void
direct_write (void)
{
  int fd = (int) wakes_need (open (BIG_FILE, O_RDWR | O_DIRECT), "O_DIRECT");
  char *block = aligned (PAGE);

  for (int i = 0; i < DISK_TIMES; i++)
    wakes_need (pwrite (fd, block, PAGE, some_page ()), "write");
}

static void
buffered_read (void)
{
  int fd = (int) wakes_need (open (BIG_FILE, O_RDONLY), BIG_FILE);
  char page[PAGE];

  posix_fadvise (fd, 0, 0, POSIX_FADV_DONTNEED);
  posix_fadvise (fd, 0, 0, POSIX_FADV_RANDOM);
  for (int i = 0; i < DISK_TIMES; i++)
    wakes_need (pread (fd, page, PAGE, some_page ()), "read");
  posix_fadvise (fd, 0, 0, POSIX_FADV_NORMAL);
  posix_fadvise (fd, 0, 0, POSIX_FADV_DONTNEED);
  for (int i = 0; i < 2000; i++)
    wakes_need (pread (fd, page, PAGE, (off_t) i * PAGE), "read");
}

static void
page_fault (void)
{
  int fd = (int) wakes_need (open (BIG_FILE, O_RDONLY), BIG_FILE);
  volatile char *memory;

  posix_fadvise (fd, 0, 0, POSIX_FADV_DONTNEED);
  memory = mmap (NULL, BIG_FILE_SIZE, PROT_READ, MAP_PRIVATE, fd, 0);
  wakes_need (memory == MAP_FAILED ? -1 : 0, "mmap");
  madvise ((void *) memory, BIG_FILE_SIZE, MADV_RANDOM);
  for (int i = 0; i < TIMES; i++)
    (void) memory[some_page ()];
}

static void
write_and_sync (int flags, int (*sync_file) (int fd))
{
  static char block[2 * PAGE];
  int fd = (int) wakes_need (open ("wakes.tmp", O_RDWR | O_CREAT | flags, 0644), "wakes.tmp");

  for (int i = 0; i < TIMES; i++)
    {
      block[0]++;
      wakes_need (pwrite (fd, block, sizeof block, (off_t) i * (off_t) sizeof block), "write");
      if (sync_file != NULL)
        wakes_need (sync_file (fd), "sync");
    }
}

static void
sync_all (void)
{
  write_and_sync (0, fsync);
}

static void
sync_data (void)
{
  write_and_sync (0, fdatasync);
}

static void
write_synchronously (void)
{
  write_and_sync (O_SYNC, NULL);
}

const Wake wakes_time[] = {
  { "w-nanosleep", sleeping },
  { "w-usleep", microseconds },
  { "w-poll-to", poll_timeout },
  { "w-epoll-to", epoll_timeout },
  { "w-select-to", select_timeout },
  { "w-futex-to", futex_timeout },
  { "w-timerfd", timer_descriptor },
  { "w-itimer", interval_timer },
  { "w-sigto", signal_timeout },
  { "w-rcvto", receive_timeout },
  { "w-odirect", direct_read },
  { "w-bufread", buffered_read },
  { "w-pgfault", page_fault },
  { "w-fsync", sync_all },
  { "w-fdatasync", sync_data },
  { "w-osync", write_synchronously },
  { "w-dwrite", direct_write },
  { NULL, NULL },
};
