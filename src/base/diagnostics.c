#include "base/diagnostics.h"

static const struct
{
  const char *id;
  const char *one;  /* NULL: nothing to worry about */
  const char *many; /* with one %s for the number */
} rows[WP_DIAG_COUNT] = {
  [WP_DIAG_EVENTS] = { "events" },
  [WP_DIAG_LOST] = { "lost", "One event was lost", "%s events were lost" },
  [WP_DIAG_INFERRED_SWITCHES] = { "inferred_switches", "One task switch was missing and has been inferred",
                                  "%s task switches were missing and have been inferred" },
  [WP_DIAG_INFERRED_WAKEUPS] = { "inferred_wakeups", "One wakeup was missing and has been inferred",
                                 "%s wakeups were missing and have been inferred" },
  [WP_DIAG_LATE_SAMPLES_DROPPED] = { "late_samples_dropped" },
  [WP_DIAG_STACKS] = { "stacks" },
  [WP_DIAG_STACKS_WHOLE] = { "stacks_whole" },
  [WP_DIAG_DAMAGED_RECORDS] = { "damaged_records", "One damaged record was skipped", "%s damaged records were skipped" },
  [WP_DIAG_TRUNCATED] = { "truncated", "The file ends in the middle of a record", "The file ends in the middle of a record" },
  [WP_DIAG_UNORDERED] = { "unordered", "One event came out of order", "%s events came out of order" },
  [WP_DIAG_THINNED_EVENTS] = { "thinned_events",
                               "One kind of event was recorded with a sampling rate, so that some are silently missing",
                               "%s kinds of event were recorded with a sampling rate, so that some are silently missing" },
  [WP_DIAG_WAKINGS_IGNORED] = { "wakings_ignored" },
  [WP_DIAG_UNKNOWN_WAKERS] = { "unknown_wakers" },
};

const char *
wp_diag_id (WpDiag diag)
{
  return rows[diag].id;
}

char *
wp_diag_sentence (WpDiag diag, guint64 n)
{
  char number[32];

  if (n == 0 || rows[diag].one == NULL)
    return NULL;
  if (n == 1)
    return g_strdup (rows[diag].one);
  g_snprintf (number, sizeof number, "%" G_GUINT64_FORMAT, n);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  return g_strdup_printf (rows[diag].many, number);
#pragma GCC diagnostic pop
}
