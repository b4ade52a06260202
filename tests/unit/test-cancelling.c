/* All that is made of a trace stops soon when it is cancelled. */
#include "paths-maker.h"

#include <pthread.h>
#include <time.h>

typedef struct
{
  GCancellable *cancellable;
  pthread_t worker;
  int delay_ms;
  double cancelled_ms; /* what the worker's clock said then */
} Canceller;

static double
clock_ms (clockid_t clock)
{
  struct timespec t;

  clock_gettime (clock, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

/* Cancels when the worker has worked for so long. The worker's own time is what counts: the machine may be busy. */
static gpointer
cancel_later (gpointer data)
{
  Canceller *self = data;
  clockid_t clock;
  double begin;

  pthread_getcpuclockid (self->worker, &clock);
  begin = clock_ms (clock);
  while (clock_ms (clock) - begin < self->delay_ms)
    g_usleep (200);
  self->cancelled_ms = clock_ms (clock);
  g_cancellable_cancel (self->cancellable);
  return NULL;
}

typedef gboolean (*Job) (const WpPaths *paths, WpProgress *progress, GError **error);

static gboolean
job_paths (const WpPaths *paths, WpProgress *progress, GError **error)
{
  static const WpPathOptions options = { .grace = WP_GRACE_DEFAULT, .started_work = TRUE };
  g_autoptr (WpPaths) made = wp_paths_new (paths->trace, paths->base_tasks.data, paths->base_tasks.len, &options, progress, error);

  return made != NULL;
}

static gboolean
job_explain (const WpPaths *paths, WpProgress *progress, GError **error)
{
  g_autoptr (WpExplanation) made = wp_explain (paths, 0, G_MAXINT64, progress, error);

  return made != NULL;
}

static gboolean
job_tree (const WpPaths *paths, WpProgress *progress, GError **error)
{
  g_autoptr (WpTree) made = wp_tree_new (paths, NULL, progress, error);

  return made != NULL;
}

static gboolean
job_inverted (const WpPaths *paths, WpProgress *progress, GError **error)
{
  g_autoptr (WpTree) made = wp_tree_new (paths, &(WpTreeOptions) { .inverted = TRUE }, progress, error);

  return made != NULL;
}

/* Whether the job was still at work when it was cancelled; how long it went on. */
static gboolean
cancel_after (Job job, const WpPaths *paths, int delay_ms, double *went_on_ms)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  WpProgress progress = { .cancellable = cancellable };
  Canceller canceller = { .cancellable = cancellable, .worker = pthread_self (), .delay_ms = delay_ms };
  g_autoptr (GError) error = NULL;
  GThread *thread = g_thread_new ("cancel", cancel_later, &canceller);
  gboolean done = job (paths, &progress, &error);
  double end = clock_ms (CLOCK_THREAD_CPUTIME_ID);

  while (!g_cancellable_is_cancelled (cancellable)) /* the canceller waits for our own time to go by */
    ;
  g_thread_join (thread);
  if (done)
    return FALSE;
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  *went_on_ms = end - canceller.cancelled_ms;
  return TRUE;
}

#ifdef __SANITIZE_THREAD__ /* which makes everything ten times slower */
#define SOON_MS 2000
#elif defined (__SANITIZE_ADDRESS__) /* three times */
#define SOON_MS 300
#else
#define SOON_MS 100
#endif

/* It must stop within this much of its CPU time; what the host of a virtual machine takes away counts as that, so it may show it again. */
static gboolean
stops_soon (Job job, const WpPaths *paths, int delay_ms)
{
  double went_on_ms = G_MAXDOUBLE;

  for (guint tries = 0; tries < 3 && went_on_ms >= SOON_MS; tries++)
    if (!cancel_after (job, paths, delay_ms, &went_on_ms))
      return FALSE;
  g_assert_cmpfloat (went_on_ms, <, SOON_MS);
  return TRUE;
}

/* Two tasks take turns 400,000 times while a third waits for the last turn; all of that stands on its one sleep. */
static void
test_cancel (void)
{
  static const Job jobs[] = { job_paths, job_explain, job_tree, job_inverted };
  TraceMaker m;
  gint64 time = 0;

  trace_maker_init (&m);
  trace_maker_switch (&m, time, 0, 0, 0, 3);
  trace_maker_wake (&m, time += US, 0, 3, 1);
  trace_maker_switch (&m, time += US, 0, 3, 1, 1);
  for (guint i = 0; i < 400000; i++)
    {
      trace_maker_wake (&m, time += US, 0, 1, 2);
      trace_maker_switch (&m, time += US, 0, 1, 1, 2);
      trace_maker_wake (&m, time += US, 0, 2, 1);
      trace_maker_switch (&m, time += US, 0, 2, 1, 1);
    }
  trace_maker_wake (&m, time += US, 0, 1, 3);
  trace_maker_switch (&m, time += US, 0, 1, 16, 3);
  trace_maker_switch (&m, time += US, 0, 3, 16, 0);
  trace_maker_finish (&m);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (WpPaths) paths = make_paths (m.trace, i == 0 ? 1 : 3, NULL);

      g_assert_cmpuint (paths->parts.len, >, 1000000);
      for (guint j = 0; j < G_N_ELEMENTS (jobs); j++)
        {
          guint cancelled = 0;

          for (int delay = 1; delay < 1000 && stops_soon (jobs[j], paths, delay); delay = delay * 3 / 2 + 1)
            cancelled++;
          g_assert_cmpuint (cancelled, >, 1);
        }
    }
  wp_trace_free (m.trace);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cancelling/at-work", test_cancel);
  return g_test_run ();
}
