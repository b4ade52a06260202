#include "base/mapped.h"

#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

static struct sigaction before;
static uintptr_t page;
static int gone; /* atomic */

/* Returning from it reads again. */
static void
on_bus_error (int number, siginfo_t *info, void *context)
{
  void *start = (void *) ((uintptr_t) info->si_addr & ~(page - 1));

  if (info->si_code == BUS_ADRERR
      && mmap (start, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == start)
    g_atomic_int_inc (&gone);
  else
    sigaction (SIGBUS, &before, NULL);
}

void
wp_mapped_guard (void)
{
  static gsize done;
  struct sigaction action = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO | SA_RESTART };

  if (!g_once_init_enter (&done))
    return;
  page = sysconf (_SC_PAGESIZE);
  sigemptyset (&action.sa_mask);
  sigaction (SIGBUS, &action, &before);
  g_once_init_leave (&done, 1);
}

guint
wp_mapped_gone (void)
{
  return g_atomic_int_get (&gone);
}
