/* CPUs whose clocks do not agree, told by what is impossible: who was asleep is switched in before anybody has woken him.
 *
 * In a sound recording that never happens. Where it does, and always earlier by the same time, one CPU's clock is ahead of the
 * others' or behind them, from some record on. Who is woken on another CPU that has nothing to do is mostly switched in *promptly*,
 * within 100 µs: such pairs tell how far the clock is off and since when. Events that are missing make no such pattern. */
#pragma once

#include "base/array.h"

typedef enum
{
  WP_CLOCK_LEAVE, /* a task goes to sleep */
  WP_CLOCK_YIELD, /* … leaves its CPU, but is ready to go on, or is dead */
  WP_CLOCK_ENTER, /* is switched in */
  WP_CLOCK_WAKING,
} WpClockKind;

typedef struct
{
  gint64 time;   /* ns, as that CPU has it */
  guint64 place; /* grows in the true order of a lane's events */
  gint32 tid;    /* who leaves, enters or is woken; above 0 */
  guint16 lane;  /* the CPU */
  guint8 kind;   /* WpClockKind */
} WpClockEvent;

typedef WP_ARRAY (WpClockEvent) WpClockEvents;

/* Somewhere behind the one place, and at the latest at the other. */
typedef struct
{
  guint64 after, upto; /* 0: before all others; G_MAXUINT64: never */
} WpClockMoment;

/* From some record on, a lane's clock is ahead, until another or to the end. */
typedef struct
{
  WpClockMoment begin, end;
  gint64 ahead; /* ns; negative: behind */
  guint16 lane;
  guint32 pairs; /* how many pairs more are prompt without it */
} WpClockStep;

typedef WP_ARRAY (WpClockStep) WpClockSteps;

/* What explains what is impossible in these events, in the order of `time`; best first, and only those nearly as good as the best (of two
 * CPUs, one being ahead explains the same as the other being behind). Returns how many impossible pairs there are. */
guint32 wp_clocks_find (const WpClockEvents *events, WpClockSteps *steps);
