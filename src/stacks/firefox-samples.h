/* What is read of a profile of Firefox becomes samples. Private to this folder. */
#pragma once

#include "stacks/firefox-resolve.h"

/* The document, and in Gecko's each process within it. */
typedef struct
{
  WpFirefoxCode code;   /* what its threads share */
  char *place;          /* in front of its members in messages */
  WpFirefoxMemory memory;
  double start;         /* ms since 1970; NaN: not told */
  double interval, profiling_start, profiling_end; /* ms */
  WpId cpu_unit;        /* of threadCPUDelta, as it is called */
  gboolean processed, symbolicated;
  guint32 n_threads;    /* that were read */
} WpFirefoxProcess;

typedef struct
{
  WpFirefoxCode code;
  WpFirefoxProcess *process;
  WpStackThread row;
} WpFirefoxThread;

typedef struct
{
  WpStacksMaker maker;  /* empty, but for texts and modules */
  GPtrArray *processes; /* WpFirefoxProcess; the first one is the document */
  GPtrArray *threads;   /* WpFirefoxThread: those that have samples */
} WpFirefoxDocument;

/* Errors are those of `json`. */
void wp_firefox_make_samples (WpFirefoxDocument *self, WpJsonReader *json);
