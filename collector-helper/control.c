/* The loop that records; see control.h. Nothing here takes memory or opens a file: the system-call filter is on. */
#include "control.h"

#include "caller.h"
#include "stream.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUND_MS 250 /* at least this often the file grows and the caller hears of it */

typedef struct
{
  WpcEvents *events;
  WpcRings *rings;
  const WpcEnding *ending;
  WpcCounters *counters;
  bool paused;
  int64_t paused_since; /* ns */
} Control;

static struct pollfd *polls; /* standard input, then a ring each where nobody else looks after those */

int
wpc_control_prepare (const WpcRings *rings)
{
  polls = calloc ((size_t) rings->n + 1, sizeof *polls);
  return polls != NULL ? 0 : wpc_fail ("memory", "out of memory");
}

static int
prepare_polls (const Control *self)
{
  const WpcRingShare own = { 0, self->rings->n_readers == 0 ? self->rings->n : 0 };

  polls[0] = (struct pollfd) { .events = POLLIN };
  wpc_rings_poll (self->events, &own, polls + 1);
  return own.end;
}

/* So much of a pause as there is. The rest is a further piece, which begins where this one ends. */
static int
write_pause (Control *self)
{
  int64_t since = self->paused_since;

  self->paused_since = wpc_now_ns ();
  return wpc_write_pause (since, self->paused_since, self->counters);
}

static int
pause_or_resume (Control *self)
{
  self->paused = !self->paused;
  if (self->paused)
    self->paused_since = wpc_now_ns ();
  wpc_events_enable (self->events, !self->paused);
  return self->paused ? 0 : write_pause (self);
}

static int
change_rate (Control *self, unsigned rate)
{
  unsigned before = self->events->rate;

  if (rate == 0 || rate == self->events->asked_rate || !wpc_events_set_rate (self->events, rate) || self->events->rate == before)
    return 0;
  return wpc_write_rate (wpc_now_ns (), self->events->rate, self->counters);
}

/* Returns 0 or an errno, as all that writes. */
static int
follow (Control *self)
{
  const WpcCommands *wishes = wpc_caller_wishes ();
  bool was_paused = self->paused;
  int error;

  if (wishes->n == self->counters->commands)
    return 0;
  error = change_rate (self, wishes->rate);
  if (wishes->sample != WPC_SAMPLE_AS_BEGUN)
    wpc_events_sample (self->events, wishes->sample == WPC_SAMPLE_CHOSEN, !self->paused);
  if (error == 0 && (wishes->pauses > 0) != self->paused)
    error = pause_or_resume (self);
  else if (error == 0 && self->paused) /* what stands before the answer may become a recording of its own */
    error = write_pause (self);
  if (error == 0)
    error = wpc_rings_write (self->rings, self->counters);
  self->counters->commands = wishes->n;
  self->counters->rate = self->events->rate;
  if (error == 0)
    wpc_send_counters (self->paused == was_paused ? "progress" : self->paused ? "paused" : "resumed", self->counters, NULL);
  return error;
}

/* Line by line, so that a pause and its resume are both followed; what comes within one read is all for this round. */
static int
follow_all (Control *self)
{
  int error = 0;

  for (int lines = 0; lines < 64 && error == 0 && wpc_caller_take (); lines++)
    error = follow (self);
  return error != 0 ? error : follow (self);
}

/* Looked at between rounds: what is in the rings then is still written, up to the same moment on all CPUs. */
static bool
is_full (const Control *self)
{
  return self->counters->bytes >= self->ending->most;
}

static int
tell_full (Control *self)
{
  int error = wpc_write_with_pen (self->ending->record.data, self->ending->record.len, self->counters);

  if (error != 0)
    return error;
  wpc_send (self->ending->line.data, self->ending->line.len);
  return 0;
}

static int
finish (Control *self)
{
  bool full = is_full (self);
  int error;

  wpc_events_enable (self->events, false);
  error = self->paused ? write_pause (self) : 0;
  if (error == 0)
    error = wpc_rings_write (self->rings, self->counters);
  if (error == 0)
    error = wpc_rings_write_untold (self->rings, self->events, self->counters);
  if (error == 0 && full)
    error = tell_full (self);
  if (error != 0)
    return wpc_fail_output (error);
  wpc_send_counters ("stopped", self->counters, wpc_caller_why ());
  return 0;
}

int
wpc_record (WpcEvents *events, WpcRings *rings, const WpcEnding *ending, WpcCounters *counters)
{
  Control self = { .events = events, .rings = rings, .ending = ending, .counters = counters };
  int64_t told = wpc_now_ms ();
  int n_polled = prepare_polls (&self);

  counters->rate = events->rate;
  while (wpc_caller_why () == NULL)
    {
      int64_t left = told + ROUND_MS - wpc_now_ms ();
      int n, error;

      polls[0].fd = wpc_caller_has_turn () ? STDIN_FILENO : -1;
      n = poll (polls, (nfds_t) n_polled + 1, left > 0 ? (int) left : 0);
      error = wpc_rings_write (rings, counters);
      if (error == 0)
        error = follow_all (&self);
      if (error != 0)
        return wpc_fail_output (error);
      if (is_full (&self))
        wpc_caller_stop ("size");
      if (n > 0)
        wpc_rings_forget_dead (polls + 1, n_polled);
      if (wpc_now_ms () - told < ROUND_MS)
        continue;
      told = wpc_now_ms ();
      if (wpc_somebody_reads ())
        wpc_send_counters ("progress", counters, NULL);
    }
  return finish (&self);
}
