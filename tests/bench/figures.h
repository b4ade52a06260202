/* Figures of benchmarks in C: see figures.py. */
#pragma once

#include <glib.h>
#include <math.h>
#include <stdio.h>

/* Not by g_print, which would write ? for × where the locale is none of UTF-8. */
static inline void
wp_bench_figure (const char *name, double value, const char *unit, double at_most)
{
  printf ("figure\t%s\t%.4g\t%s\tat most %g\t\n", name, value, unit, at_most);
}

/* The slope of both logarithms (least squares): 1 is linear. */
static inline void
wp_bench_growth (const char *name, const double *sizes, const double *costs, guint n)
{
  g_autofree char *text = g_strdup_printf ("%s: exponent of growth", name);
  double x = 0, y = 0, up = 0, down = 0;

  for (guint i = 0; i < n; i++)
    {
      x += log (sizes[i]) / n;
      y += log (costs[i]) / n;
    }
  for (guint i = 0; i < n; i++)
    {
      up += (log (sizes[i]) - x) * (log (costs[i]) - y);
      down += (log (sizes[i]) - x) * (log (sizes[i]) - x);
    }
  wp_bench_figure (text, up / down, "", 1.1);
}
