/* Traces made by hand: each call is an event, times are ns. */
#pragma once

#include "trace/assembler.h"

typedef struct
{
  WpTrace *trace;
  WpAssembler *assembler;
  WpId stack; /* of every switch */
} TraceMaker;

static inline WpId
trace_maker_stack (TraceMaker *self, const char *function)
{
  WpId kernel = wp_trace_module (self->trace, "[kernel]", NULL);

  return wp_trace_stack (self->trace, 0, wp_trace_kernel_frame (self->trace, kernel, function));
}

static inline void
trace_maker_init (TraceMaker *self)
{
  *self = (TraceMaker) { .trace = wp_trace_new () };
  self->assembler = wp_assembler_new (self->trace, NULL);
  self->stack = trace_maker_stack (self, "anon_pipe_read");
}

static inline void
trace_maker_know (TraceMaker *self, gint32 tid, gint32 pid, const char *name)
{
  wp_assembler_known_task (self->assembler, tid, pid, wp_strings_intern (self->trace->strings, name), FALSE);
}

static inline void
trace_maker_wait (TraceMaker *self, gint32 tid, gint32 pid, WpState state, WpId stack)
{
  wp_assembler_known_wait (self->assembler, &(WpKnownWait) { .tid = tid, .pid = pid, .state = state, .stack = stack });
}

static inline void
trace_maker_switch (TraceMaker *self, gint64 time, guint32 cpu, gint32 prev, guint32 state, gint32 next)
{
  WpEvent event = { .time = time, .tid = prev, .pid = prev, .cpu = cpu, .kind = WP_EVENT_SWITCH, .stack = self->stack,
                    .sw = { .prev_tid = prev, .next_tid = next, .prev_state = state } };

  wp_assembler_event (self->assembler, &event);
}

/* An event of whoever is on that CPU, of which only its kind is said yet. */
static inline WpEvent
trace_maker_event (WpEventKind kind, gint64 time, guint32 cpu, gint32 tid, guint8 irq_flags)
{
  return (WpEvent) { .kind = kind, .time = time, .cpu = cpu, .tid = tid, .pid = tid, .irq_flags = irq_flags, .has_irq_flags = TRUE };
}

static inline void
trace_maker_wake (TraceMaker *self, gint64 time, guint32 cpu, gint32 who, gint32 whom)
{
  WpEvent event = { .time = time, .tid = who, .pid = who, .cpu = cpu, .kind = WP_EVENT_WAKING, .has_irq_flags = TRUE,
                    .wake = { .tid = whom } };

  wp_assembler_event (self->assembler, &event);
}

/* A timer's interrupt wakes. */
static inline void
trace_maker_time_out (TraceMaker *self, gint64 time, guint32 cpu, gint32 on, gint32 whom)
{
  WpEvent event = { .time = time, .tid = on, .pid = on, .cpu = cpu, .kind = WP_EVENT_WAKING, .has_irq_flags = TRUE,
                    .irq_flags = WP_IRQ_HARD, .stack = trace_maker_stack (self, "hrtimer_wakeup"), .wake = { .tid = whom } };

  wp_assembler_event (self->assembler, &event);
}

static inline void
trace_maker_fork (TraceMaker *self, gint64 time, guint32 cpu, gint32 parent, gint32 child)
{
  WpEvent event = { .time = time, .tid = parent, .pid = parent, .cpu = cpu, .kind = WP_EVENT_FORK,
                    .fork = { .parent_tid = parent, .child_tid = child, .child_pid = child } };

  wp_assembler_event (self->assembler, &event);
}

/* Tasks 1 and 2 run on CPUs of their own, and 2 leaves at once. */
static inline void
trace_maker_begin (TraceMaker *self)
{
  trace_maker_init (self);
  trace_maker_switch (self, 0, 0, 0, 0, 1);
  trace_maker_switch (self, 0, 1, 2, 1, 0);
}

/* A block device's event about eight sectors. */
static inline void
trace_maker_disk (TraceMaker *self, gint64 time, guint32 cpu, gint32 tid, WpEventKind kind, guint64 sector)
{
  WpEvent event = { .time = time, .tid = tid, .pid = tid, .cpu = cpu, .kind = kind,
                    .block = { .dev = 8 << 20 | 16, .sector = sector, .sectors = 8,
                               .rwbs = wp_strings_intern (self->trace->strings, "W") } };

  wp_assembler_event (self->assembler, &event);
}

/* The device's interrupt: the request is done, and whoever waits for it is woken. */
static inline void
trace_maker_disk_done (TraceMaker *self, gint64 time, guint32 cpu, gint32 on, gint32 whom, guint64 sector)
{
  WpEvent event = { .time = time + 100, .tid = on, .pid = on, .cpu = cpu, .kind = WP_EVENT_WAKING, .has_irq_flags = TRUE,
                    .irq_flags = WP_IRQ_SOFT, .stack = trace_maker_stack (self, "blk_update_request"),
                    .wake = { .tid = whom } };

  trace_maker_disk (self, time, cpu, on, WP_EVENT_RQ_COMPLETE, sector);
  wp_assembler_event (self->assembler, &event);
}

static inline void
trace_maker_finish (TraceMaker *self)
{
  wp_assembler_finish (self->assembler);
  self->assembler = NULL;
  g_assert_cmpstr (wp_trace_check (self->trace), ==, NULL);
}
