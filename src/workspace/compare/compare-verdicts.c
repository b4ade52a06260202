#include "workspace/compare/compare-verdicts.h"

#include <glib/gi18n.h>

WpVerdictsRequest *
wp_verdicts_request_new (const char *const *a, const char *const *b)
{
  WpVerdictsRequest *self = g_new0 (WpVerdictsRequest, 1);

  self->files[0] = g_strdupv ((char **) a);
  self->files[1] = g_strdupv ((char **) b);
  return self;
}

void
wp_verdicts_request_free (gpointer request)
{
  WpVerdictsRequest *self = request;

  g_strfreev (self->files[0]);
  g_strfreev (self->files[1]);
  g_free (self);
}

void
wp_verdicts_free (gpointer verdicts)
{
  WpVerdicts *self = verdicts;

  g_free (self->summary);
  g_clear_pointer (&self->grid, wp_grid_free);
  g_free (self);
}

gpointer
wp_verdicts_run (gpointer request, WpProgress *progress, GError **error)
{
  const WpVerdictsRequest *wanted = request;
  const guint n[] = { g_strv_length (wanted->files[0]), g_strv_length (wanted->files[1]) };
  g_autoptr (WpChecked) checked
    = wp_checked_new ((const char *const *) wanted->files[0], (const char *const *) wanted->files[1], progress, error);
  g_autofree char *summary = checked != NULL ? wp_checked_summary (checked) : NULL;
  WpVerdicts *self;

  if (checked == NULL)
    return NULL;
  self = g_new0 (WpVerdicts, 1);
  self->summary = n[0] + n[1] > 2 ? g_strdup_printf (_("%s · of %u and %u profiles; what may be noise is no change"), summary, n[0], n[1])
                                  : g_steal_pointer (&summary);
  self->grid = g_steal_pointer (&checked->grid);
  return self;
}
