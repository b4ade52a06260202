/* Values with units. Text of the command line has them as pprof measures and writes them: "1.50s", "64kB", " 5.26%" (formulas: its
 * internal/measurement); a window as it has all other figures: "1.50 s", "64.0 KiB", "5.3 %". */
#pragma once

#include "base/unit.h"

/* A value in another unit: "auto" and "minimum" are the largest of its kind in which it is at least 1. A unit of another kind gives the
 * one that this kind is told in; where `from` is not known, the value stays as it is. `unit` is set to the unit that it is in then, a constant or
 * `to`. */
double wp_measure (gint64 value, const char *from, const char *to, const char **unit);

/* "1.50s": two decimals, none where they are zeros, no unit of 0. Free with g_free(). */
char *wp_measure_text (gint64 value, const char *from, const char *to);

/* " 5.26%": at least 5 characters before the sign. */
const char *wp_measure_share (gint64 value, gint64 total, char text[WP_FORMAT_MAX]);

/* What values in a unit count, and how many of that one of them is: 1e6 and WP_UNIT_TIME for "ms", 1 and WP_UNIT_PLAIN for what is neither time nor bytes. */
WpUnit wp_measure_unit (const char *name, double *factor);

/* For a window: time and bytes as wp_unit_format() writes them, what is neither as a number with its unit: "12 GCU". Free with g_free(). */
char *wp_measure_words (gint64 value, const char *from);

/* The share for a window: "5.3 %". */
const char *wp_measure_share_words (gint64 value, gint64 total, char text[WP_FORMAT_MAX]);

/* Whether two units are of one kind: values can be brought from one to the other. */
gboolean wp_measure_is_alike (const char *a, const char *b);

/* How many of the smaller unit the larger one is: 1e6 of "ms" and "ns". Of the same or unknown kinds 1. */
double wp_measure_ratio (const char *larger, const char *smaller);
