/* Sleeps that end by locks, signals, children, the scheduler and the kernel itself. */
#include "wakes.h"

#include <fcntl.h>
#include <linux/membarrier.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS 4

/* --- futexes -------------------------------------------------------------------------------------------------------- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int signalled;

static void *
signal_slowly (void *unused)
{
  prctl (PR_SET_NAME, "k-cond", 0, 0, 0);
  for (int i = 0; i < TIMES; i++)
    {
      wakes_sleep (2 * MS);
      pthread_mutex_lock (&mutex);
      signalled++;
      pthread_cond_signal (&condition);
      pthread_mutex_unlock (&mutex);
    }
  return unused;
}

static void
condition_wait (void)
{
  pthread_t thread;

  pthread_mutex_lock (&mutex);
  pthread_create (&thread, NULL, signal_slowly, NULL);
  while (signalled < TIMES)
    pthread_cond_wait (&condition, &mutex);
  pthread_mutex_unlock (&mutex);
  pthread_join (thread, NULL);
}

static void *
hold_mutex (void *unused)
{
  prctl (PR_SET_NAME, "k-mtx", 0, 0, 0);
  for (int i = 0; i < TIMES; i++)
    {
      pthread_mutex_lock (&mutex);
      wakes_sleep (2 * MS);
      pthread_mutex_unlock (&mutex);
      wakes_sleep (MS);
    }
  return unused;
}

static void
mutex_wait (void)
{
  pthread_t thread;

  pthread_create (&thread, NULL, hold_mutex, NULL);
  wakes_sleep (MS);
  for (int i = 0; i < TIMES; i++)
    {
      pthread_mutex_lock (&mutex);
      pthread_mutex_unlock (&mutex);
      usleep (1200);
    }
  pthread_join (thread, NULL);
}

static void *
short_thread (void *unused)
{
  prctl (PR_SET_NAME, "k-thr", 0, 0, 0);
  wakes_sleep (3 * MS);
  return unused;
}

static void
join_threads (void)
{
  for (int i = 0; i < TIMES; i++)
    {
      pthread_t thread;

      pthread_create (&thread, NULL, short_thread, NULL);
      pthread_join (thread, NULL);
    }
}

/* --- signals -------------------------------------------------------------------------------------------------------- */

static void
nothing (int number)
{
  (void) number;
}

/* Until it is killed itself: a signal that comes before its receiver sleeps is lost on it. */
static void
kill_slowly (int pid)
{
  do
    wakes_sleep (2 * MS);
  while (kill (pid, SIGUSR1) == 0);
}

static int
start_killer (void)
{
  signal (SIGUSR1, nothing);
  return wakes_helper ("k-kill", kill_slowly, getpid ());
}

static int
start_blocked_killer (sigset_t *set)
{
  sigemptyset (set);
  sigaddset (set, SIGUSR1);
  sigprocmask (SIG_BLOCK, set, NULL);
  return wakes_helper ("k-kill", kill_slowly, getpid ());
}

static void
signal_pause (void)
{
  int killer = start_killer ();

  for (int i = 0; i < TIMES; i++)
    pause ();
  kill (killer, SIGKILL);
}

static void
signal_nanosleep (void)
{
  struct timespec long_time = { .tv_sec = 1 };
  int killer = start_killer ();

  for (int i = 0; i < TIMES; i++)
    nanosleep (&long_time, NULL);
  kill (killer, SIGKILL);
}

static void
signal_poll (void)
{
  int killer = start_killer ();

  for (int i = 0; i < TIMES; i++)
    poll (NULL, 0, 1000);
  kill (killer, SIGKILL);
}

static void
signal_wait (void)
{
  sigset_t set;
  int killer = start_blocked_killer (&set), number;

  for (int i = 0; i < TIMES; i++)
    sigwait (&set, &number);
  kill (killer, SIGKILL);
}

static void
signal_descriptor (void)
{
  sigset_t set;
  int killer = start_blocked_killer (&set), fd = (int) wakes_need (signalfd (-1, &set, 0), "signalfd");
  struct signalfd_siginfo info;

  for (int i = 0; i < TIMES; i++)
    wakes_need (read (fd, &info, sizeof info), "read");
  kill (killer, SIGKILL);
}

static void
stop_and_go_on (void)
{
  for (int i = 0; i < 4; i++)
    {
      pid_t child = fork ();

      if (child == 0)
        {
          prctl (PR_SET_NAME, "w-stopped", 0, 0, 0);
          wakes_spin (100 * MS);
          _exit (0);
        }
      wakes_sleep (2 * MS);
      kill (child, SIGSTOP);
      wakes_sleep (3 * MS);
      kill (child, SIGCONT);
      wakes_sleep (2 * MS);
      kill (child, SIGKILL);
      waitpid (child, NULL, 0);
    }
}

/* --- children ------------------------------------------------------------------------------------------------------- */

static void
short_child (int unused)
{
  (void) unused;
  wakes_sleep (3 * MS);
}

static void
wait_for_children (void)
{
  for (int i = 0; i < TIMES; i++)
    {
      wakes_helper ("k-child", short_child, 0);
      wait (NULL);
    }
}

static void
wait_for_exec (void)
{
  for (int i = 0; i < TIMES; i++)
    {
      pid_t child = vfork ();

      if (child == 0)
        {
          execl ("/bin/true", "true", (char *) NULL);
          _exit (1);
        }
      wait (NULL);
    }
}

/* --- the scheduler -------------------------------------------------------------------------------------------------- */

static void
spin_there (int unused)
{
  (void) unused;
  wakes_pin (1);
  wakes_spin (60 * MS);
}

static void
be_preempted (void)
{
  wakes_pin (1);
  wakes_helper ("k-spin", spin_there, 0);
  wakes_spin (60 * MS);
}

static void
yield_there (int unused)
{
  (void) unused;
  wakes_pin (1);
  for (int i = 0; i < 50; i++)
    {
      wakes_spin (MS / 10);
      sched_yield ();
    }
}

static void
yield (void)
{
  wakes_pin (1);
  wakes_helper ("k-yield", yield_there, 0);
  yield_there (0);
}

static void
migrate (void)
{
  for (int i = 0; i < TIMES; i++)
    {
      wakes_pin (i & 1);
      wakes_spin (MS / 5);
    }
}

static void
barrier (void)
{
  for (int i = 0; i < 3; i++)
    wakes_need (syscall (SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0), "membarrier");
}

/* --- the kernel's locks --------------------------------------------------------------------------------------------- */

static void
lock_file (int unused)
{
  int fd = (int) wakes_need (open ("wakes.lock", O_RDWR | O_CREAT, 0644), "wakes.lock");

  (void) unused;
  for (int i = 0; i < TIMES; i++)
    {
      flock (fd, LOCK_EX);
      wakes_sleep (2 * MS);
      flock (fd, LOCK_UN);
      wakes_sleep (MS);
    }
}

static void
file_lock (void)
{
  wakes_helper ("k-flock", lock_file, 0);
  wakes_sleep (MS);
  lock_file (0);
}

static void
with_threads (void *(*run) (void *))
{
  pthread_t threads[THREADS];

  for (int i = 0; i < THREADS; i++)
    pthread_create (&threads[i], NULL, run, NULL);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
}

static void *
map_and_unmap (void *unused)
{
  for (int i = 0; i < 500; i++)
    {
      void *memory = mmap (NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

      munmap (memory, 1 << 20);
    }
  return unused;
}

static void
memory_lock (void)
{
  with_threads (map_and_unmap);
}

static void *
overwrite (void *unused)
{
  int fd = (int) wakes_need (open ("wakes.tmp3", O_RDWR | O_CREAT, 0644), "wakes.tmp3");
  char *block = calloc (1, 1 << 20);

  for (int i = 0; i < 30; i++)
    wakes_need (pwrite (fd, block, 1 << 20, 0), "write");
  free (block);
  close (fd);
  return unused;
}

static void
inode_lock (void)
{
  with_threads (overwrite);
}

static void
drain_caches (void)
{
  int fd = (int) wakes_need (open (BIG_FILE, O_RDONLY), BIG_FILE);

  mlockall (MCL_CURRENT);
  munlockall ();
  posix_fadvise (fd, 0, 4096 * 3, POSIX_FADV_DONTNEED);
}

const Wake wakes_tasks[] = {
  { "w-futex-cond", condition_wait },
  { "w-futex-mtx", mutex_wait },
  { "w-join", join_threads },
  { "w-sig-pause", signal_pause },
  { "w-sig-nanosl", signal_nanosleep },
  { "w-sig-poll", signal_poll },
  { "w-sig-wait", signal_wait },
  { "w-sigfd", signal_descriptor },
  { "w-stopcont", stop_and_go_on },
  { "w-waitpid", wait_for_children },
  { "w-vfork", wait_for_exec },
  { "w-preempt", be_preempted },
  { "w-yield", yield },
  { "w-migrate", migrate },
  { "w-membar", barrier },
  { "w-flock", file_lock },
  { "w-mmaplock", memory_lock },
  { "w-irwsem", inode_lock },
  { "w-lrudrain", drain_caches },
  { "w-sync", sync },
  { NULL, NULL },
};
