/* A long piece of work on a worker thread: it tells its progress, can be cancelled, and hands its result to the main
 * thread. Every function here is for the main thread. */
#pragma once

#include "base/progress.h"

typedef struct WpWorker WpWorker;

/* Runs on the worker. Returns the result, or NULL with `error` set. Must not touch widgets. */
typedef gpointer (*WpWorkerRun) (gpointer data, WpProgress *progress, GError **error);

/* On the main thread, a few times a second. `phase` is what the work calls its present step; may be NULL. */
typedef void (*WpWorkerTold) (const char *phase, double fraction, gpointer user_data);

/* On the main thread, once: `result` (now the callee's) or `error` (not the callee's). The worker is gone afterwards. */
typedef void (*WpWorkerDone) (gpointer result, const GError *error, gpointer user_data);

typedef struct
{
  WpWorkerRun run;
  WpWorkerTold told; /* may be NULL */
  WpWorkerDone done;
  gpointer data; /* for `run`; freed with `free_data` when the work is over */
  GDestroyNotify free_data;
  GDestroyNotify free_result; /* for results that nobody waits for any more */
  gpointer user_data; /* for `told` and `done` */
} WpWorkerSpec;

WpWorker *wp_worker_start (const WpWorkerSpec *spec);

/* Stops caring: neither `told` nor `done` is called again, and the worker is asked to stop. Clears *worker; NULL is fine. */
void wp_worker_drop (WpWorker **worker);

/* Asks the worker to stop; `done` is still called, with a G_IO_ERROR_CANCELLED, when it has. NULL is fine. */
void wp_worker_cancel (WpWorker *worker);
