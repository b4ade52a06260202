/* wakepath-collector: records what the whole system does as a perf.data stream. The only part of Wakepath that runs
 * with privileges; it takes no paths and no free text. It reads all it needs, gives its privileges up, and only then writes. The same built
 * with WPC_COPIES is wakepath-collector-memory, which copies stacks: polkit tells the two apart by their paths. */
#include "caller.h"
#include "control.h"
#include "doors.h"
#include "pen.h"
#include "privileges.h"
#include "probes.h"
#include "processes.h"
#include "readers.h"
#include "slots.h"
#include "snapshot.h"
#include "stream.h"

#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned user; /* who records */

/* Made before the privileges go, since it takes memory. */
static WpcBuffer
make_started (const WpcEvents *events, const WpcRings *rings)
{
  WpcBuffer line = { 0 };
  const char *before = "";

  wpc_json_text (&line, "{\"message\":\"started\",\"events\":[");
  for (int k = 1; k < events->n_instances; k++)
    {
      const char *name = wpc_instance_name (&events->instances[k]);

      if (strcmp (name, wpc_instance_name (&events->instances[k - 1])) == 0)
        continue;
      wpc_json_text (&line, before);
      wpc_json_string (&line, name);
      before = ",";
    }
  wpc_json_text (&line, "],");
  wpc_missing_json (&events->missing, &line);
  wpc_json_text (&line, ",\"sampling\":");
  wpc_json_string (&line, events->sampling);
  wpc_json_number (&line, "cpus", (uint64_t) events->n_cpus);
  wpc_json_number (&line, "buffer_kb", rings->buffer_kb);
  wpc_json_number (&line, "readers", (uint64_t) (rings->n_readers > 0 ? rings->n_readers : 1));
  wpc_json_number (&line, "rate", events->rate);
  wpc_json_number (&line, "chosen_threads", (uint64_t) events->n_chosen);
  wpc_json_text (&line, "}\n");
  return line;
}

/* Of a recording that becomes too large that is missing, too. */
static WpcEnding
make_ending (WpcMissing *missing, unsigned size_mb)
{
  WpcEnding ending = { .most = (uint64_t) size_mb << 20 };
  char why[64];

  snprintf (why, sizeof why, "the recording ended when it had become %u MB large", size_mb);
  wpc_missing_add (missing, "the end", why, "nothing that came later is in it");
  wpc_json_text (&ending.line, "{\"message\":\"full\",");
  wpc_missing_json (missing, &ending.line);
  wpc_json_text (&ending.line, "}\n");
  wpc_add_missing (missing, &ending.record);
  return ending;
}

static int
leave_privileges (void)
{
  static bool left;

  if (left)
    return 0;
  wpc_caller_begin ();
  left = wpc_privileges_drop (user) == 0;
  return left ? 0 : 1;
}

/* Names and maps are followed from before the processes are looked at, so that none falls between. */
static int
gather (WpcEvents *events, WpcBuffer *beginning)
{
  wpc_events_enable_carrier (events);
  if (wpc_privileges_gather () != 0)
    return 1;
  wpc_add_head (events, beginning);
  wpc_add_kernel (beginning);
  wpc_add_processes (beginning, &events->missing, user);
  wpc_add_missing (&events->missing, beginning);
  return wpc_caller_goes_on () ? 0 : wpc_fail ("stopped", "stopped before the recording began");
}

static int
write_out (WpcBuffer *beginning, WpcCounters *counters)
{
  int error = wpc_write (STDOUT_FILENO, beginning->data, beginning->len);

  if (error != 0)
    return wpc_fail_output (error);
  counters->bytes += beginning->len;
  wpc_buffer_clear (beginning);
  return 0;
}

static int
record (const WpcOptions *options)
{
  WpcEvents events = { 0 };
  WpcRings rings = { 0 };
  WpcCounters counters = { 0 };
  WpcBuffer beginning = { 0 }, started;
  WpcEnding ending;

  if (wpc_events_open (&events, options) != 0 || wpc_rings_open (&rings, &events, options) != 0 ||
      wpc_control_prepare (&rings) != 0 || gather (&events, &beginning) != 0)
    return 1;
  if (wpc_readers_start (&rings, &events, options, user) != 0)
    return 1;
  started = make_started (&events, &rings);
  ending = make_ending (&events.missing, options->size_mb);
  if (leave_privileges () != 0 || write_out (&beginning, &counters) != 0)
    return 1;
  wpc_pen_give ();
  wpc_events_enable (&events, true);
  wpc_send (started.data, started.len);
  return wpc_record (&events, &rings, &ending, &counters);
}

/* As root, if at all, only up to where the privileges begin to go. */
static int
run (int argc, char **argv)
{
  static WpcOptions options;
  const char *wrong = NULL;

  if (wpc_shut_doors (&user) != 0)
    return 2;
  wpc_caller_limit ();
  if (!wpc_options_parse (&options, WPC_COPIES, argc, argv, &wrong))
    return 1 + wpc_fail ("usage", "not an option: %s", wrong);
  wpc_caller_hurry (options.patience_s);
  if (!wpc_find_tracefs ())
    return wpc_fail ("tracefs", "tracefs is not mounted on /sys/kernel/tracing");
  if (wpc_slots_open (user) != 0)
    return 1;
  wpc_caller_meet ();
  if (isatty (STDOUT_FILENO))
    return 1 + wpc_fail ("usage", "standard output is a terminal");
  wpc_probes_open ();
  return wpc_privileges_begin (user, options.n_sampled > 0) != 0 ? 1 : record (&options);
}

int
main (int argc, char **argv)
{
  int status = run (argc, argv);

  if (status != 0 && leave_privileges () == 0)
    {
      if (status == 2)
        wpc_send (wpc_usage, strlen (wpc_usage));
      wpc_tell_failure ();
    }
  /* Leaves at once, by no library's way: what one would do at exit is not among the system calls still allowed. */
  syscall (SYS_exit_group, status);
  return 1;
}
