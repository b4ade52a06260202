#include "workspace/file/cuts.h"

#include <glib/gi18n.h>

#include "base/sort.h"

struct WpCuts
{
  GArray *ops; /* WpId, sorted */
};

WpCuts *
wp_cuts_new (void)
{
  WpCuts *self = g_new0 (WpCuts, 1);

  self->ops = g_array_new (FALSE, FALSE, sizeof (WpId));
  return self;
}

WpCuts *
wp_cuts_copy (const WpCuts *self)
{
  WpCuts *copy = g_new0 (WpCuts, 1);

  copy->ops = g_array_copy (self->ops);
  return copy;
}

void
wp_cuts_free (WpCuts *self)
{
  g_array_unref (self->ops);
  g_free (self);
}

const GArray *
wp_cuts_ops (const WpCuts *self)
{
  return self->ops;
}

gboolean
wp_cuts_add (WpCuts *self, WpId op)
{
  if (g_array_binary_search (self->ops, &op, wp_compare_ids, NULL))
    return FALSE;
  g_array_append_val (self->ops, op);
  g_array_sort (self->ops, wp_compare_ids);
  return TRUE;
}

gboolean
wp_cuts_clear (WpCuts *self)
{
  gboolean any = self->ops->len > 0;

  g_array_set_size (self->ops, 0);
  return any;
}

char *
wp_cuts_text (const WpCuts *self)
{
  guint n = self->ops->len;

  if (n == 0)
    return NULL;
  return g_strdup_printf (ngettext ("%u branch is cut: its time is unexplained", "%u branches are cut: their time is unexplained", n), n);
}
