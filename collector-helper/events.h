/* Which events are recorded, and opening them on every CPU. */
#pragma once

#include "missing.h"
#include "options.h"

#include <linux/perf_event.h>

typedef struct WpcEventKind WpcEventKind;

/* One instance of an event, open on every CPU. */
typedef struct
{
  const WpcEventKind *kind;
  struct perf_event_attr attr;
  int *fds;      /* one a CPU, in the order of WpcEvents.cpus; where threads are chosen, for each of them again */
  uint64_t *ids; /* as in the records */
  int n;         /* of both */
  bool chosen;   /* CPU samples of the chosen threads; others are everybody's */
} WpcInstance;

typedef struct
{
  int *cpus;
  int n_cpus;
  WpcInstance *instances; /* the first is the carrier: names, maps and task records, no events of its own */
  int n_instances;
  const char *sampling; /* "cycles", "cpu-clock", or "" without CPU samples */
  int n_chosen;         /* threads that can be sampled alone; 0: none */
  bool sample_chosen;   /* they are; else all are */
  unsigned rate;        /* as it is, once the kernel's limit is applied */
  unsigned asked_rate;  /* as it was asked for last; 0: that failed */
  unsigned rate_limit;  /* the most that the kernel lets through */
  bool can_defer;       /* the kernel defers user stacks, and they are wanted; see src/read/perf/perf-deferred.h */
  uint64_t read_format; /* of all: with how many of its records were lost, where the kernel counts that */
  WpcMissing missing;   /* what could not be got */
} WpcEvents;

extern char wpc_tracefs[64]; /* where it is mounted; set by wpc_find_tracefs() */

/* False when no tracefs with events is mounted. */
bool wpc_find_tracefs (void);

#define WPC_EVENTS_MAX 64 /* of one CPU: a descriptor each */

#define WPC_SAMPLE_EVENTS_MAX 8000 /* CPU samples of chosen threads: a descriptor for each and CPU; their ids fit into a record */

/* Returns 0, or 1 when there is no system-wide sched_switch: the error is told. All events are off. */
int wpc_events_open (WpcEvents *self, const WpcOptions *options);

const char *wpc_instance_system (const WpcInstance *instance); /* of a tracepoint or probe; NULL for others */
const char *wpc_instance_folder (const WpcInstance *instance); /* of its system in tracefs: a probe's is our own */
const char *wpc_instance_name (const WpcInstance *instance);

/* While recording: these take no memory and open nothing, since the system-call filter is on. */
void wpc_events_enable_carrier (const WpcEvents *self);
void wpc_events_enable (const WpcEvents *self, bool on); /* all but the carrier, and of CPU samples those that are wanted */
void wpc_events_sample (WpcEvents *self, bool chosen, bool on); /* whom, where there is a choice; `on`: there is no pause */
bool wpc_events_set_rate (WpcEvents *self, unsigned rate);
