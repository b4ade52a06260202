/* What tests of single rules make beside trace-maker.h's events, and what they ask of the trace that comes out. */
#pragma once

#include "paths-maker.h"

#define MS (1000 * US)

/* --- what is asked ------------------------------------------------------------------------------------------------- */

/* What a thread does: "run 0-100, sleep 100-200 task 150", in µs; of a sleep its cause and when it was woken. */
static inline char *
life_of (const WpTrace *trace, gint32 tid)
{
  GString *out = g_string_new (NULL);

  for (WpId o = 1; o < trace->ops.len; o++)
    {
      const WpOp *op = &trace->ops.data[o];

      if (trace->tasks.data[op->task].tid != tid || op->start == op->end)
        continue;
      g_string_append_printf (out, "%s%s %.9g-%.9g", out->len > 0 ? ", " : "", wp_op_kind_id (op->kind), op->start / 1e3, op->end / 1e3);
      if (op->kind == WP_OP_SLEEP)
        g_string_append_printf (out, " %s %.9g", wp_cause_id (op->cause), wp_trace_woken (trace, o) / 1e3);
    }
  return g_string_free (out, FALSE);
}

static inline void
assert_life (const WpTrace *trace, gint32 tid, const char *expected)
{
  g_autofree char *life = life_of (trace, tid);

  g_assert_cmpstr (life, ==, expected);
}

/* The sleep of a thread at this time. */
static inline const WpOp *
sleep_at (const WpTrace *trace, gint32 tid, gint64 time)
{
  for (WpId o = 1; o < trace->ops.len; o++)
    {
      const WpOp *op = &trace->ops.data[o];

      if (op->kind == WP_OP_SLEEP && trace->tasks.data[op->task].tid == tid && op->start <= time && time < op->end)
        return op;
    }
  g_assert_not_reached ();
}

static inline WpCause
cause_at (const WpTrace *trace, gint32 tid, gint64 time)
{
  return sleep_at (trace, tid, time)->cause;
}

/* --- what happens -------------------------------------------------------------------------------------------------- */

/* 2 comes back. */
static inline void
end (TraceMaker *m, gint64 time)
{
  trace_maker_switch (m, time, 1, 0, 0, 2);
  trace_maker_finish (m);
}

static inline void
other (TraceMaker *m, gint64 time, guint32 cpu, gint32 tid)
{
  WpEvent event = trace_maker_event (WP_EVENT_OTHER, time, cpu, tid, 0);

  wp_assembler_event (m->assembler, &event);
}

/* An interrupt wakes `whom`, by this function. */
static inline void
interrupt_wakes (TraceMaker *m, gint64 time, guint32 cpu, gint32 on, gint32 whom, guint8 irq_flags, const char *function)
{
  WpEvent event = trace_maker_event (WP_EVENT_WAKING, time, cpu, on, irq_flags);

  event.stack = function != NULL ? trace_maker_stack (m, function) : 0;
  event.wake.tid = whom;
  wp_assembler_event (m->assembler, &event);
}

enum
{
  DEVICE = 8 << 20 | 16,
};

/* A request for the file that has this number, at this time. */
static inline void
read_file (TraceMaker *m, gint64 time, guint64 inode)
{
  WpEvent event = trace_maker_event (WP_EVENT_FILE, time, 0, 1, 0);

  event.file.inode = inode;
  event.file.dev = DEVICE;
  event.file.writes = TRUE;
  wp_assembler_event (m->assembler, &event);
  event = trace_maker_event (WP_EVENT_BIO_QUEUE, time, 0, 1, 0);
  event.block.dev = DEVICE;
  event.block.sector = time;
  event.block.sectors = 8;
  event.block.rwbs = wp_strings_intern (m->trace->strings, "W");
  wp_assembler_event (m->assembler, &event);
  trace_maker_disk (m, time, 0, 1, WP_EVENT_RQ_ISSUE, time);
}

static inline const char *
file_at (const WpTrace *trace, gint64 time)
{
  for (WpId d = 1; d < trace->disks.len; d++)
    if (trace->ops.data[trace->disks.data[d].queue].start == time)
      return wp_trace_string (trace, trace->disks.data[d].file);
  g_assert_not_reached ();
}
