/* What benchmarks in C measure with. */
#pragma once

#include <glib.h>
#include <stdlib.h>
#include <time.h>

/* What this process has had of the processors, ms. */
static inline double
wp_bench_cpu_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static inline int
wp_bench_compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* The middle one. They are in order afterwards, the largest at the end. */
static inline double
wp_bench_median (double *values, guint n)
{
  qsort (values, n, sizeof *values, wp_bench_compare);
  return values[n / 2];
}
