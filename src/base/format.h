/* Durations, sizes and shares written for people. */
#pragma once

#include <glib.h>

#define WP_NS_PER_S G_GINT64_CONSTANT (1000000000)
#define WP_NS_PER_US G_GINT64_CONSTANT (1000)

#define WP_FORMAT_MAX 32 /* enough for every buffer below */

/* Three significant digits with the unit that fits: "312 ns", "4.71 µs", "16.2 ms", "1.25 s", "2 min 5 s", "1 h 3 min". */
const char *wp_format_ns (gint64 ns, char buffer[WP_FORMAT_MAX]);

/* A moment on an axis whose ticks are `step` ns apart: as many decimals as tell two ticks apart. */
const char *wp_format_time (gint64 ns, gint64 step, char buffer[WP_FORMAT_MAX]);

/* "84.2 %"; below a tenth of a percent "< 0.1 %", zero "0 %". */
const char *wp_format_share (double share, char buffer[WP_FORMAT_MAX]);

/* Reads "1.5s", "20ms", "300us", "4711ns", "12" (seconds) into ns. FALSE when it is none of these. */
gboolean wp_parse_duration (const char *text, gint64 *ns);
