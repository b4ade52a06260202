/* Progress of a long job, and its cancellation.
 * A job calls wp_progress_step() often (it is cheap) and stops when it returns FALSE; by then the error is set.
 * NULL is a valid progress: nobody watches and nothing cancels.
 */
#pragma once

#include <gio/gio.h>

/* Called on the job's thread, at most every 50 ms and at each change of phase. `fraction` is in 0..1 within the phase. */
typedef void (*WpProgressFunc) (const char *phase, double fraction, gpointer user_data);

typedef struct
{
  GCancellable *cancellable; /* may be NULL; not owned */
  WpProgressFunc func;       /* may be NULL */
  gpointer user_data;
  const char *phase; /* static */
  gint64 last_told;  /* monotonic µs */
} WpProgress;

/* `phase` is a text of the program's own, "Reading": who shows it translates it. */
void wp_progress_phase (WpProgress *self, const char *phase);
gboolean wp_progress_step (WpProgress *self, double fraction, GError **error);

/* The same in a loop over many rows that each take little: looks at some of them only. */
static inline gboolean
wp_progress_row (WpProgress *self, guint32 row, GError **error)
{
  return row % 16384 != 0 || wp_progress_step (self, 0, error);
}
