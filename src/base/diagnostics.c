#include "base/diagnostics.h"

#include <glib/gi18n.h>

static const struct
{
  const char *id;
  const char *one;  /* NULL: nothing to worry about */
  const char *many; /* with one %s for the number */
} rows[WP_DIAG_COUNT] = {
  [WP_DIAG_EVENTS] = { "events" },
  [WP_DIAG_LOST] = { "lost", N_ ("One event was lost"), N_ ("%s events were lost") },
  [WP_DIAG_INFERRED_SWITCHES] = { "inferred_switches", N_ ("One task switch was missing and has been inferred"),
                                  N_ ("%s task switches were missing and have been inferred") },
  [WP_DIAG_INFERRED_WAKEUPS] = { "inferred_wakeups", N_ ("One wakeup was missing and has been inferred"),
                                 N_ ("%s wakeups were missing and have been inferred") },
  [WP_DIAG_LATE_SAMPLES_DROPPED] = { "late_samples_dropped" },
  [WP_DIAG_STACKS] = { "stacks" },
  [WP_DIAG_STACKS_WHOLE] = { "stacks_whole" },
  [WP_DIAG_STACKS_COMPLETED] = { "stacks_completed" },
  [WP_DIAG_DAMAGED_RECORDS] = { "damaged_records", N_ ("One damaged record was skipped"),
                                N_ ("%s damaged records were skipped") },
  [WP_DIAG_TRUNCATED] = { "truncated", N_ ("The file ends in the middle of a record"),
                          N_ ("The file ends in the middle of a record") },
  [WP_DIAG_UNORDERED] = { "unordered", N_ ("One event came out of order"), N_ ("%s events came out of order") },
  [WP_DIAG_THINNED_EVENTS] = { "thinned_events",
                               N_ ("One kind of event was recorded with a sampling rate, so that some are silently "
                                   "missing"),
                               N_ ("%s kinds of event were recorded with a sampling rate, so that some are silently "
                                   "missing") },
  [WP_DIAG_WAKINGS_IGNORED] = { "wakings_ignored" },
  [WP_DIAG_UNKNOWN_WAKERS] = { "unknown_wakers" },
  [WP_DIAG_UNRELIABLE] = { "unreliable", N_ ("One stretch of the recording contradicts itself"),
                           N_ ("%s stretches of the recording contradict themselves") },
  [WP_DIAG_OWN_CLOCKS] = { "own_clocks", N_ ("The clocks of its CPUs may disagree: record with Wakepath, or with perf record -k CLOCK_MONOTONIC"),
                           N_ ("The clocks of its CPUs may disagree: record with Wakepath, or with perf record -k CLOCK_MONOTONIC") },
  [WP_DIAG_THROTTLED] = { "throttled", N_ ("Once the kernel held CPU samples back, since there were too many"),
                          N_ ("%s times the kernel held CPU samples back, since there were too many") },
  [WP_DIAG_SAMPLES_HELD_BACK] = { "samples_held_back" },
  [WP_DIAG_ABSENT_FILES] = { "absent_files" },
  [WP_DIAG_CHOSEN_PROCESSES] = { "chosen_processes", N_ ("Only chosen processes were recorded, not what they waited for: record with perf record -a"),
                                 N_ ("Only chosen processes were recorded, not what they waited for: record with perf record -a") },
  [WP_DIAG_NAMES_GIVEN_UP] = { "names_given_up", N_ ("The name of one function costs too much to be made readable, and stands as the linker has it"),
                               N_ ("The names of %s functions cost too much to be made readable, and stand as the linker has them") },
  [WP_DIAG_NO_DEMANGLER] = { "no_demangler", N_ ("Names of C++ and Rust functions stand as the linker has them, since wakepath-demangler could not be started"),
                             N_ ("Names of C++ and Rust functions stand as the linker has them, since wakepath-demangler could not be started") },
  [WP_DIAG_GUEST_SAMPLES] = { "guest_samples", N_ ("One sample is of a virtual machine, whose functions nobody knows here"),
                              N_ ("%s samples are of virtual machines, whose functions nobody knows here") },
  [WP_DIAG_STRANGERS_FILE] = { "strangers_file", N_ ("Another user’s file was opened with root’s rights, and so was what it names: better open it as yourself"),
                               N_ ("Another user’s file was opened with root’s rights, and so was what it names: better open it as yourself") },
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
    return g_strdup (_(rows[diag].one));
  g_snprintf (number, sizeof number, "%" G_GUINT64_FORMAT, n);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  return g_strdup_printf (_(rows[diag].many), number);
#pragma GCC diagnostic pop
}
