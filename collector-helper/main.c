/* wakepath-collector: records what the whole system does as a perf.data stream. The only part of Wakepath that runs
 * with privileges; it takes no paths and no free text, and gives its privileges up before it records. */
#include "control.h"
#include "privileges.h"
#include "snapshot.h"
#include "stream.h"

#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

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
  wpc_json_text (&line, "],\"missing\":[");
  wpc_buffer_add (&line, events->missing.data, events->missing.len);
  wpc_json_text (&line, "],\"sampling\":");
  wpc_json_string (&line, events->sampling);
  wpc_json_number (&line, "cpus", (uint64_t) events->n_cpus);
  wpc_json_number (&line, "buffer_kb", rings->buffer_kb);
  wpc_json_number (&line, "rate", events->rate);
  wpc_json_text (&line, "}\n");
  return line;
}

/* Names and maps are followed from before the processes are looked at, so that none falls between. */
static int
write_beginning (WpcEvents *events, WpcCounters *counters)
{
  int error;

  wpc_events_enable_carrier (events);
  error = wpc_write_head (events, counters);
  if (error == 0)
    error = wpc_write_kernel (counters);
  if (error == 0)
    error = wpc_write_processes (counters);
  return error == 0 ? 0 : wpc_fail ("output", "cannot write the recording: %s", strerror (error));
}

static int
run (const WpcOptions *options)
{
  WpcEvents events = { 0 };
  WpcRings rings = { 0 };
  WpcCounters counters = { 0 };
  WpcBuffer started;

  if (!wpc_find_tracefs ())
    return wpc_fail ("tracefs", "tracefs is not mounted on /sys/kernel/tracing");
  if (wpc_events_open (&events, options) != 0 || wpc_rings_open (&rings, &events, options) != 0 ||
      write_beginning (&events, &counters) != 0 || wpc_control_prepare (&rings) != 0)
    return 1;
  started = make_started (&events, &rings);
  if (wpc_drop_privileges () != 0)
    return 1;
  wpc_events_enable (&events, true);
  wpc_send (started.data, started.len);
  return wpc_record (&events, &rings, &counters);
}

int
main (int argc, char **argv)
{
  const char *wrong = NULL;
  static WpcOptions options;

  if (!wpc_options_parse (&options, argc, argv, &wrong))
    {
      fputs (wpc_usage, stderr);
      wpc_fail ("usage", "not an option: %s", wrong);
      return 2;
    }
  if (wpc_shut_doors () != 0)
    return 2;
  /* Leaves at once, by no library's way: what one would do at exit is not among the system calls still allowed. */
  syscall (SYS_exit_group, run (&options));
  return 1;
}
