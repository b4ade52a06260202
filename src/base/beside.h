/* Work that a thread does while its starter does other work: both look at the same immutable things, and are cancelled together. Who starts it tells the
 * progress; it only asks whether to go on. */
#pragma once

#include "base/progress.h"

/* FALSE with `error` set. */
typedef gboolean (*WpBesideRun) (gpointer data, WpProgress *progress, GError **error);

typedef struct
{
  WpBesideRun run;
  gpointer data;
  WpProgress progress;
  GError *error;
  gboolean done;
  GThread *thread;
} WpBeside;

/* `progress` may be NULL. `self` stays where it is until wp_beside_join(), which must be called. */
void wp_beside_start (WpBeside *self, WpBesideRun run, gpointer data, const WpProgress *progress);

/* Waits for the end of it. FALSE where it failed; its error is told, unless `error` has one already. */
gboolean wp_beside_join (WpBeside *self, GError **error);
