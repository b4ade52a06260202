/* Steps of a range that may take long: each runs in a thread, one at a time, and the state machine stays on the main context. */
#include "range/range-private.h"

typedef struct
{
  WpRange *range;
  WpRangeStepFunc step;
  WpRangeThenFunc then;
} Step;

static void
run_step (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Step *step = data;
  GError *error = NULL;

  if (step->step (step->range, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
after_step (GObject *source, GAsyncResult *result, gpointer data)
{
  Step *step = g_task_get_task_data (G_TASK (result));
  WpRange *self = step->range;
  GError *error = NULL;

  g_task_propagate_boolean (G_TASK (result), &error);
  self->busy = FALSE;
  if (self->freed)
    {
      g_clear_error (&error);
      wp_range_destroy (self);
    }
  else
    step->then (self, error);
}

void
wp_range_in_thread (WpRange *self, WpRangeStepFunc step, WpRangeThenFunc then)
{
  GTask *task = g_task_new (NULL, NULL, after_step, NULL);
  Step *data = g_new (Step, 1);

  *data = (Step) { self, step, then };
  self->busy = TRUE;
  g_task_set_task_data (task, data, g_free);
  g_task_run_in_thread (task, run_step);
  g_object_unref (task);
}
