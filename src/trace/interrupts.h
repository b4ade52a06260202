/* Interrupt handlers: when each had its CPU. They run in the midst of whatever runs there, and belong to no task. */
#pragma once

#include "trace/event.h"
#include "trace/trace.h"

/* A handler that was entered, by CPU. */
typedef struct
{
  gint64 start;
  WpId name; /* string */
  guint32 irq;
  guint8 open;
} WpHandler;

typedef struct
{
  WpTrace *trace;
  WP_ARRAY (WpHandler) handlers; /* by number of the CPU */
} WpInterrupts;

void wp_interrupts_init (WpInterrupts *self, WpTrace *trace);
void wp_interrupts_clear (WpInterrupts *self);
void wp_interrupts_entry (WpInterrupts *self, const WpEvent *event);
void wp_interrupts_exit (WpInterrupts *self, const WpEvent *event);
void wp_interrupts_over (WpInterrupts *self, guint32 cpu); /* what has begun there has ended, and nobody knows when */
void wp_interrupts_all_over (WpInterrupts *self);          /* the same of all CPUs */
void wp_interrupts_finish (WpInterrupts *self);            /* puts the trace's table in order */

/* The first interrupt of a CPU (its number + 1) that ends after a moment; where there is none, whatever comes next. Logarithmic. */
guint32 wp_interrupts_after (const WpTrace *trace, guint32 cpu, gint64 time);

/* The i-th interrupt, if it is one of that CPU and begins before a moment; else NULL. */
const WpInterrupt *wp_interrupt_before (const WpTrace *trace, guint32 i, guint32 cpu, gint64 time);
