/* What a number counts, and how people read it. */
#pragma once

#include "base/format.h"

typedef enum
{
  WP_UNIT_TIME,    /* ns */
  WP_UNIT_BYTES,
  WP_UNIT_ADDRESS, /* a place in memory */
  WP_UNIT_PLAIN,   /* anything else: just the number */
  WP_UNIT_COUNT
} WpUnit;

/* From how a profile names its unit ("ms", "B", "") to the unit and how many of it one of those is: 1e6 and WP_UNIT_TIME for ms. Multiples of
 * bytes are those of 1024, with “i” and without, as pprof has them. */
WpUnit wp_unit_from_name (const char *name, double *factor);

/* Three significant digits for people: "1.50 MiB", "0x7f3a10", "12,345" as "12345". */
const char *wp_unit_format (WpUnit unit, double value, char buffer[WP_FORMAT_MAX]);

/* On an axis whose ticks are `step` apart: as many decimals as tell two ticks apart. */
const char *wp_unit_format_tick (WpUnit unit, double value, double step, char buffer[WP_FORMAT_MAX]);

/* A step between ticks, at least `least`: 1, 2 or 5 times a power of ten; of addresses and bytes a power of two. */
double wp_unit_step (WpUnit unit, double least);
