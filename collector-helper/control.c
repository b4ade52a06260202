/* The loop that records; see control.h. Nothing here takes memory or opens a file: the system-call filter is on. */
#include "control.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define ROUND_MS 250 /* at least this often the file grows and the caller hears of it */

typedef struct
{
  WpcEvents *events;
  WpcRings *rings;
  WpcCounters *counters;
  unsigned pauses;    /* they nest */
  const char *why;    /* to stop; NULL: go on */
  char line[64];      /* of standard input, so far */
  size_t line_length; /* more than fits: the line is none of our commands */
} Control;

static volatile sig_atomic_t terminated;
static struct pollfd *polls; /* standard input, then a ring each */

static void
on_term (int signal_number)
{
  terminated = 1;
}

int
wpc_control_prepare (const WpcRings *rings)
{
  struct sigaction action = { .sa_handler = on_term };

  sigaction (SIGTERM, &action, NULL);
  setpriority (PRIO_PROCESS, 0, -20); /* where that is allowed: a ring that nobody empties loses events */
  polls = calloc ((size_t) rings->n + 1, sizeof *polls);
  return polls != NULL ? 0 : wpc_fail ("memory", "out of memory");
}

/* --- commands ----------------------------------------------------------------------------------------------------- */

static void
command_pause (Control *self, const char *argument)
{
  if (self->pauses++ > 0)
    return;
  wpc_events_enable (self->events, false);
  wpc_send_counters ("paused", self->counters, NULL);
}

static void
command_resume (Control *self, const char *argument)
{
  if (self->pauses == 0 || --self->pauses > 0)
    return;
  wpc_events_enable (self->events, true);
  wpc_send_counters ("resumed", self->counters, NULL);
}

static void
command_rate (Control *self, const char *argument)
{
  unsigned rate;

  if (wpc_parse_number (argument, WPC_RATE_MAX, &rate) && rate > 0)
    wpc_events_set_rate (self->events, rate);
}

static void
command_stop (Control *self, const char *argument)
{
  self->why = "stop";
}

static const struct
{
  const char *name; /* the space belongs to it where an argument follows */
  void (*run) (Control *self, const char *argument);
} commands[] = {
  { "pause", command_pause }, { "resume", command_resume }, { "rate ", command_rate }, { "stop", command_stop }
};

static void
run_line (Control *self)
{
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    {
      size_t length = strlen (commands[i].name);
      int takes_argument = commands[i].name[length - 1] == ' ';

      if (strncmp (self->line, commands[i].name, length) == 0 && (takes_argument || self->line[length] == '\0'))
        commands[i].run (self, self->line + length);
    }
}

static void
take_input (Control *self)
{
  char bytes[256];
  ssize_t n = read (STDIN_FILENO, bytes, sizeof bytes);

  if (n < 0 && (errno == EINTR || errno == EAGAIN))
    return;
  if (n <= 0)
    self->why = "end of input";
  for (ssize_t i = 0; i < n && self->why == NULL; i++)
    if (bytes[i] == '\n')
      {
        if (self->line_length < sizeof self->line)
          {
            self->line[self->line_length] = '\0';
            run_line (self);
          }
        self->line_length = 0;
      }
    else if (self->line_length < sizeof self->line - 1)
      self->line[self->line_length++] = bytes[i];
    else
      self->line_length = sizeof self->line;
}

/* --- the loop ----------------------------------------------------------------------------------------------------- */

static void
prepare_polls (const Control *self)
{
  polls[0] = (struct pollfd) { .fd = STDIN_FILENO, .events = POLLIN };
  for (int i = 0; i < self->rings->n; i++)
    polls[i + 1] = (struct pollfd) { .fd = self->events->instances[0].fds[i], .events = POLLIN };
}

static int64_t
now_ms (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * INT64_C (1000) + t.tv_nsec / 1000000;
}

static int
tell_output (int error)
{
  return wpc_fail ("output", "cannot write the recording: %s", strerror (error));
}

static int
finish (Control *self)
{
  int error;

  wpc_events_enable (self->events, false);
  error = wpc_rings_write (self->rings, self->counters);
  if (error != 0)
    return tell_output (error);
  wpc_send_counters ("stopped", self->counters, self->why);
  return 0;
}

/* A CPU that goes offline leaves its events with POLLHUP set for good: they are no longer waited for. */
static void
forget_dead_rings (const Control *self)
{
  for (int i = 1; i <= self->rings->n; i++)
    if (polls[i].revents & (POLLHUP | POLLERR | POLLNVAL))
      polls[i].fd = -1;
}

int
wpc_record (WpcEvents *events, WpcRings *rings, WpcCounters *counters)
{
  Control self = { .events = events, .rings = rings, .counters = counters };
  int64_t told = now_ms ();

  prepare_polls (&self);
  while (self.why == NULL)
    {
      int64_t left = told + ROUND_MS - now_ms ();
      int n = poll (polls, (nfds_t) rings->n + 1, left > 0 ? (int) left : 0);
      int error = wpc_rings_write (rings, counters);

      if (error != 0)
        return tell_output (error);
      if (n > 0 && polls[0].revents != 0)
        take_input (&self);
      if (n > 0)
        forget_dead_rings (&self);
      if (terminated)
        self.why = "signal";
      if (now_ms () - told < ROUND_MS)
        continue;
      told = now_ms ();
      if (wpc_somebody_reads ())
        wpc_send_counters ("progress", counters, NULL);
    }
  return finish (&self);
}
