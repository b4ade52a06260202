/* Fills a trace's tables from events in time order: runs, sleeps, links, samples, disk and network operations.
 *
 * The rules stand in DESIGN.md beside this file. Nothing that an event says is trusted: a task that acts is running; what must
 * have ended is closed, marked as inferred and counted. One pass, no allocation per event beyond the growth of the columns.
 *
 * assembler.c gives each event to an object that keeps what it is about: scheduling.h (the core: who runs where), disk-tracker.h,
 * net-tracker.h, sample-clock.h, wakeups.h. These know the core, and wakeups know disk and network; the core knows none
 * of them. */
#pragma once

#include "trace/event.h"
#include "trace/trace.h"

typedef struct WpAssembler WpAssembler;

typedef struct
{
  const char *idle_task; /* name of a task that plays the idle task (a spinner that keeps a CPU awake), or NULL */
  gboolean all_samples;  /* those of no known run are kept: of idle tasks, and of whoever seemed to be off its CPU */
} WpAssemblerOptions;

/* The trace stays the caller's; its strings, stacks and frames are filled by whoever makes the events. */
WpAssembler *wp_assembler_new (WpTrace *trace, const WpAssemblerOptions *options);

/* A task that existed before the recording. Before the first event. */
void wp_assembler_known_task (WpAssembler *self, gint32 tid, gint32 pid, WpId comm, gboolean kernel);

/* What it waited in then, after itself: its first sleep is that; where it never runs, all of the recording is. */
void wp_assembler_known_wait (WpAssembler *self, const WpKnownWait *wait);

/* A task has ended, says whoever does not tell when it ran. */
void wp_assembler_ended (WpAssembler *self, gint32 tid);

/* There is no task switch in the recording: nothing becomes of it but tasks and samples. Before the first event. */
void wp_assembler_no_switches (WpAssembler *self);

void wp_assembler_event (WpAssembler *self, const WpEvent *event);

/* Closes what is open, sorts operations by task, computes links' ends. Frees the assembler. */
void wp_assembler_finish (WpAssembler *self);

void wp_assembler_free (WpAssembler *self); /* without finishing */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpAssembler, wp_assembler_free)
