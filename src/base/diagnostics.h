/* What was odd about a recording: counted, never fatal, shown to the user. */
#pragma once

#include <glib.h>

typedef enum
{
  WP_DIAG_EVENTS,               /* records understood */
  WP_DIAG_LOST,                 /* events the kernel says it lost */
  WP_DIAG_INFERRED_SWITCHES,    /* switch-ins or -outs nobody recorded */
  WP_DIAG_INFERRED_WAKEUPS,     /* sleeps whose end was taken from their stack */
  WP_DIAG_LATE_SAMPLES_DROPPED, /* samples of a task that was not running */
  WP_DIAG_STACKS,               /* user stacks seen */
  WP_DIAG_STACKS_WHOLE,         /* those that reach the program's entry */
  WP_DIAG_STACKS_COMPLETED,     /* stacks that were cut and were completed by an earlier one of their thread */
  WP_DIAG_DAMAGED_RECORDS,      /* records skipped since they make no sense */
  WP_DIAG_TRUNCATED,            /* 1 when the file ends within a record */
  WP_DIAG_UNORDERED,            /* events that came with a time before their predecessor's */
  WP_DIAG_THINNED_EVENTS,       /* tracepoints recorded with a sampling rate: some are missing silently */
  WP_DIAG_WAKINGS_IGNORED,      /* wakeups of tasks that were not asleep */
  WP_DIAG_UNKNOWN_WAKERS,       /* wakeups whose cause no rule knows */
  WP_DIAG_UNRELIABLE,           /* stretches in which so many switches contradict others that nothing there is believed */
  WP_DIAG_OWN_CLOCKS,           /* 1 when some are, and each CPU had a clock of its own as far as is known */
  WP_DIAG_THROTTLED,            /* times that the kernel held CPU samples back, since there were too many */
  WP_DIAG_SAMPLES_HELD_BACK,    /* how many samples that makes in runs; among the samples they have no stack */
  WP_DIAG_ABSENT_FILES,         /* modules whose file is not here as it was recorded, so that functions have no names */
  WP_DIAG_CHOSEN_PROCESSES,     /* 1 when only some processes were recorded, not all that the system did */
  WP_DIAG_NAMES_GIVEN_UP,       /* names of C++ or Rust functions that would have cost too much to make readable */
  WP_DIAG_NO_DEMANGLER,         /* 1 when the program that makes such names readable could not be started */
  WP_DIAG_GUEST_SAMPLES,        /* samples of what ran in a virtual machine: they have no stack */
  WP_DIAG_STRANGERS_FILE,       /* 1 when root opened the file of another user */
  WP_DIAG_COUNT
} WpDiag;

typedef struct
{
  guint64 n[WP_DIAG_COUNT];
} WpDiagnostics;

const char *wp_diag_id (WpDiag diag); /* stable key, as in `report --format json` */

/* A sentence for a banner, or NULL when there is nothing to worry about. Free with g_free(). */
char *wp_diag_sentence (WpDiag diag, guint64 n);
