#include "base/progress.h"

void
wp_progress_phase (WpProgress *self, const char *phase)
{
  if (self == NULL)
    return;
  self->phase = phase;
  self->last_told = g_get_monotonic_time ();
  if (self->func != NULL)
    self->func (phase, 0, self->user_data);
}

gboolean
wp_progress_step (WpProgress *self, double fraction, GError **error)
{
  if (self == NULL)
    return TRUE;
  if (self->func != NULL)
    {
      gint64 now = g_get_monotonic_time ();

      if (now - self->last_told >= 50000)
        {
          self->last_told = now;
          self->func (self->phase, CLAMP (fraction, 0, 1), self->user_data);
        }
    }
  return !g_cancellable_set_error_if_cancelled (self->cancellable, error);
}
