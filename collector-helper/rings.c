/* Mapping, counting and writing out the ring buffers; see rings.h. */
#include "rings.h"

#include "caller.h"
#include "pen.h"
#include "readers.h"
#include "slots.h"
#include "stream.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define DEFAULT_KB 16384
#define COPIES_KB 131072 /* with copies of stacks: a switch takes 30 times as much */
#define USUAL_SLOTS 2
#define SMALLEST_KB 64
#define WRITE_MAX (1u << 20) /* the kernel gets room back after each */

static unsigned
power_of_two (unsigned kb)
{
  unsigned n = SMALLEST_KB;

  while (n * 2 <= kb)
    n *= 2;
  return n;
}

static unsigned
usual_kb (const WpcOptions *options)
{
  return options->stacks == WPC_STACKS_DWARF ? COPIES_KB : DEFAULT_KB;
}

/* Nobody else can have the memory of rings: as much as the user's slots are good for, and no more than two of them without a wish. */
static unsigned
choose_kb (int n_cpus, const WpcOptions *options)
{
  uint64_t slot = (uint64_t) sysconf (_SC_PHYS_PAGES) * (uint64_t) sysconf (_SC_PAGESIZE) / 1024 / WPC_SLOT_SHARE;
  uint64_t asked = options->buffer_kb > 0 ? options->buffer_kb : usual_kb (options);
  uint64_t wanted = (asked * (unsigned) n_cpus + slot - 1) / slot, most = options->buffer_kb > 0 ? WPC_SLOTS : USUAL_SLOTS;
  uint64_t share = slot * (uint64_t) wpc_slots_take ((int) (wanted < most ? wanted : most)) / (unsigned) n_cpus;

  return power_of_two ((unsigned) (share < asked ? share : asked));
}

static int
map_ring (WpcRing *ring, int fd, unsigned kb)
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE), size = (size_t) kb * 1024;
  void *memory = mmap (NULL, page + size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

  if (memory == MAP_FAILED)
    return errno;
  ring->page = memory;
  ring->data = (char *) memory + page;
  ring->size = size;
  ring->seen = 0;
  return 0;
}

static int
map_all (WpcRings *self, const WpcEvents *events, unsigned kb)
{
  for (int i = 0; i < events->n_cpus; i++)
    {
      int error = map_ring (&self->rings[i], events->instances[0].fds[i], kb);

      if (error == 0)
        continue;
      while (i-- > 0)
        munmap (self->rings[i].page, (size_t) sysconf (_SC_PAGESIZE) + self->rings[i].size);
      return error;
    }
  self->n = events->n_cpus;
  self->buffer_kb = kb;
  return 0;
}

static int
send_to_rings (const WpcEvents *events)
{
  for (int k = 1; k < events->n_instances; k++)
    for (int i = 0; i < events->instances[k].n; i++)
      if (ioctl (events->instances[k].fds[i], PERF_EVENT_IOC_SET_OUTPUT, events->instances[0].fds[i % events->n_cpus]) < 0)
        return wpc_fail ("perf", "cannot join the buffers of %s: %s", wpc_instance_name (&events->instances[k]),
                         strerror (errno));
  return 0;
}

static void
tell_smaller (const WpcRings *self, WpcEvents *events, const WpcOptions *options)
{
  char why[128];

  if (options->buffer_kb == 0 || self->buffer_kb >= power_of_two (options->buffer_kb))
    return;
  snprintf (why, sizeof why, "there is memory for %u KB a CPU, not %u, among one user's recordings", self->buffer_kb, options->buffer_kb);
  wpc_missing_add (&events->missing, "a larger buffer", why, "events may be lost where many come at once");
}

int
wpc_rings_open (WpcRings *self, WpcEvents *events, const WpcOptions *options)
{
  unsigned kb = choose_kb (events->n_cpus, options);
  int error;

  self->rings = calloc ((size_t) events->n_cpus, sizeof *self->rings);
  self->counts = mmap (NULL, (size_t) events->n_cpus * sizeof *self->counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (self->rings == NULL || self->counts == MAP_FAILED)
    return wpc_fail ("memory", "out of memory");
  while ((error = map_all (self, events, kb)) != 0)
    {
      kb /= 2;
      if (kb < SMALLEST_KB)
        return wpc_fail ("memory", "cannot map buffers for the events: %s", strerror (error));
    }
  tell_smaller (self, events, options);
  return send_to_rings (events);
}

/* --- counting ----------------------------------------------------------------------------------------------------- */

/* Records are padded to 8 bytes, so neither a header nor the number after one ever wraps; what follows them may. */
static uint64_t
number_at (const WpcRing *ring, uint64_t at)
{
  uint64_t n;

  memcpy (&n, ring->data + (at & (ring->size - 1)), sizeof n);
  return n;
}

static void
count (WpcRing *ring, uint64_t head, WpcRingCount *counts)
{
  while (ring->seen < head)
    {
      const struct perf_event_header *header = (const void *) (ring->data + (ring->seen & (ring->size - 1)));

      if (header->size < sizeof *header)
        break;
      if (header->type == PERF_RECORD_SAMPLE)
        counts->events++;
      else if (header->type == PERF_RECORD_LOST)
        counts->lost += number_at (ring, ring->seen + 16);
      else if (header->type == PERF_RECORD_LOST_SAMPLES)
        counts->lost += number_at (ring, ring->seen + 8);
      ring->seen += header->size;
    }
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static int
write_until (WpcRing *ring, uint64_t head, WpcRingCount *counts)
{
  uint64_t tail = ring->page->data_tail;

  while (tail < head)
    {
      uint64_t at = tail & (ring->size - 1), length = head - tail;
      int error;

      if (length > ring->size - at)
        length = ring->size - at;
      if (length > WRITE_MAX)
        length = WRITE_MAX;
      error = wpc_write (STDOUT_FILENO, ring->data + at, length);
      if (error != 0)
        return error;
      tail += length;
      __atomic_store_n (&counts->bytes, counts->bytes + length, __ATOMIC_RELAXED);
      __atomic_store_n (&ring->page->data_tail, tail, __ATOMIC_RELEASE);
    }
  return 0;
}

static int
write_ring (WpcRing *ring, WpcRingCount *counts)
{
  uint64_t head = __atomic_load_n (&ring->page->data_head, __ATOMIC_ACQUIRE);
  WpcRingCount fresh = { 0 };
  int error;

  if (head == ring->page->data_tail)
    return 0;
  count (ring, head, &fresh);
  error = wpc_pen_take ();
  if (error != 0)
    return error;
  error = write_until (ring, head, counts);
  counts->events += fresh.events;
  counts->lost += fresh.lost;
  wpc_pen_give ();
  return error;
}

int
wpc_rings_write_share (WpcRings *self, const WpcRingShare *share)
{
  int error = 0;

  for (int i = share->first; i < share->end && error == 0; i++)
    error = write_ring (&self->rings[i], &self->counts[i]);
  return error;
}

/* What has come since the last time. */
static void
add_up (WpcRings *self, WpcCounters *counters)
{
  WpcRingCount all = { 0 };

  for (int i = 0; i < self->n; i++)
    {
      all.bytes += self->counts[i].bytes;
      all.events += self->counts[i].events;
      all.lost += self->counts[i].lost;
    }
  counters->bytes += all.bytes - self->told.bytes;
  counters->events += all.events - self->told.events;
  counters->lost += all.lost - self->told.lost;
  self->told = all;
}

/* Nobody else writes meanwhile: the counters tell where the round ends. */
static int
end_round (WpcRings *self, WpcCounters *counters)
{
  int error = wpc_pen_take ();

  if (error != 0)
    return error;
  error = wpc_write_round (counters);
  add_up (self, counters);
  wpc_pen_give ();
  return error;
}

int
wpc_rings_write (WpcRings *self, WpcCounters *counters)
{
  int error = self->n_readers > 0 ? wpc_readers_pass () : wpc_rings_write_share (self, &(WpcRingShare) { 0, self->n });

  return error == 0 ? end_round (self, counters) : error;
}

/* By the numbers of the events that write into a CPU's ring. A kernel that does not count gives fewer. */
static uint64_t
read_lost (const WpcEvents *events, int cpu)
{
  uint64_t lost = 0, numbers[2];

  for (int k = 0; k < events->n_instances; k++)
    for (int i = cpu; i < events->instances[k].n; i += events->n_cpus)
      if (read (events->instances[k].fds[i], numbers, sizeof numbers) == sizeof numbers)
        lost += numbers[1];
  return lost;
}

int
wpc_rings_write_untold (WpcRings *self, const WpcEvents *events, WpcCounters *counters)
{
  uint64_t before = counters->lost;

  for (int i = 0; i < self->n; i++)
    {
      uint64_t lost = read_lost (events, i), told = self->counts[i].lost;
      int error = lost > told ? wpc_write_lost (events->cpus[i], events->instances[0].ids[i], lost - told, counters) : 0;

      if (error != 0)
        return error;
    }
  return counters->lost > before ? end_round (self, counters) : 0;
}

/* --- for a reader ------------------------------------------------------------------------------------------------- */

int
wpc_rings_map_share (WpcRings *self, const WpcEvents *events, const WpcRingShare *share)
{
  int error = 0;

  for (int i = share->first; i < share->end && error == 0; i++)
    error = map_ring (&self->rings[i], events->instances[0].fds[i], self->buffer_kb);
  return error;
}

void
wpc_rings_poll (const WpcEvents *events, const WpcRingShare *share, struct pollfd *polls)
{
  for (int i = share->first; i < share->end; i++)
    polls[i - share->first] = (struct pollfd) { .fd = events->instances[0].fds[i], .events = POLLIN };
}

void
wpc_rings_forget_dead (struct pollfd *polls, int n)
{
  for (int i = 0; i < n; i++)
    if (polls[i].revents & (POLLHUP | POLLERR | POLLNVAL))
      polls[i].fd = -1;
}
