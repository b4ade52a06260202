/* CPU samples: whose each is, how often they come, and those that the kernel holds back. */
#pragma once

#include "trace/scheduling.h"

/* Beside the core's CPUs. */
typedef struct
{
  gint64 sampled;   /* the last sample there; 0: none */
  gint64 pace;      /* ns from one sample to the next while somebody runs; 0: not known */
  gint64 throttled; /* up to where samples that the kernel holds back are accounted for; -1: it holds none back */
  gint64 held_pace; /* … and how often it would take one */
  guint32 rates;    /* so many changes of the rate are known here */
} WpSampledCpu;

typedef struct
{
  WpScheduling *core;
  gboolean all; /* samples of no known run are kept */
  WP_ARRAY (WpSampledCpu) cpus; /* by number */
} WpSampleClock;

void wp_sample_clock_clear (WpSampleClock *self);
void wp_sample_clock_sample (WpSampleClock *self, const WpEvent *event);
void wp_sample_clock_throttle (WpSampleClock *self, const WpEvent *event);
void wp_sample_clock_rate (WpSampleClock *self, const WpEvent *event);
void wp_sample_clock_lost (WpSampleClock *self, guint32 cpu);                  /* events were lost there */
void wp_sample_clock_paused (WpSampleClock *self);
void wp_sample_clock_switch (WpSampleClock *self, guint32 cpu, gint64 until); /* somebody is about to leave that CPU */
