/* What a piece of work takes of a processor, whatever other threads do meanwhile: the difference of two moments of its thread. */
#pragma once

#include <time.h>

static inline double
wp_thread_seconds (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return (double) time.tv_sec + (double) time.tv_nsec / 1e9;
}
