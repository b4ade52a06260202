#include "base/beside.h"

static gpointer
work (gpointer data)
{
  WpBeside *self = data;

  self->done = self->run (self->data, &self->progress, &self->error);
  return NULL;
}

void
wp_beside_start (WpBeside *self, WpBesideRun run, gpointer data, const WpProgress *progress)
{
  *self = (WpBeside) { .run = run, .data = data, .progress = { .cancellable = progress != NULL ? progress->cancellable : NULL } };
  self->thread = g_thread_try_new ("beside", work, self, NULL);
  if (self->thread == NULL) /* there is no room for a thread: it is done at once */
    work (self);
}

gboolean
wp_beside_join (WpBeside *self, GError **error)
{
  if (self->thread != NULL)
    g_thread_join (self->thread);
  if (self->error != NULL && (error == NULL || *error != NULL))
    g_clear_error (&self->error);
  else if (self->error != NULL)
    g_propagate_error (error, self->error);
  return self->done;
}
