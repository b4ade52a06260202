#include "workspace/file/cuts.h"

#include <glib/gi18n.h>

#include "base/sort.h"

struct WpCuts
{
  GArray *ops;       /* WpId, sorted */
  GPtrArray *before; /* GArray: what `ops` was before each change, the latest at the end */
};

WpCuts *
wp_cuts_new (void)
{
  WpCuts *self = g_new0 (WpCuts, 1);

  self->ops = g_array_new (FALSE, FALSE, sizeof (WpId));
  self->before = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  return self;
}

void
wp_cuts_free (WpCuts *self)
{
  g_array_unref (self->ops);
  g_ptr_array_unref (self->before);
  g_free (self);
}

const GArray *
wp_cuts_ops (const WpCuts *self)
{
  return self->ops;
}

gboolean
wp_cuts_can_undo (const WpCuts *self)
{
  return self->before->len > 0;
}

static void
change (WpCuts *self, GArray *ops)
{
  g_ptr_array_add (self->before, self->ops);
  self->ops = ops;
}

gboolean
wp_cuts_add (WpCuts *self, WpId op)
{
  GArray *ops;

  if (g_array_binary_search (self->ops, &op, wp_compare_ids, NULL))
    return FALSE;
  ops = g_array_copy (self->ops);
  g_array_append_val (ops, op);
  g_array_sort (ops, wp_compare_ids);
  change (self, ops);
  return TRUE;
}

gboolean
wp_cuts_restore (WpCuts *self)
{
  if (self->ops->len == 0)
    return FALSE;
  change (self, g_array_new (FALSE, FALSE, sizeof (WpId)));
  return TRUE;
}

gboolean
wp_cuts_undo (WpCuts *self)
{
  if (self->before->len == 0)
    return FALSE;
  g_array_unref (self->ops);
  self->ops = g_ptr_array_steal_index (self->before, self->before->len - 1);
  return TRUE;
}

void
wp_cuts_forget (WpCuts *self)
{
  g_array_set_size (self->ops, 0);
  g_ptr_array_set_size (self->before, 0);
}

char *
wp_cuts_text (const WpCuts *self)
{
  guint n = self->ops->len;

  if (n == 0)
    return NULL;
  return g_strdup_printf (ngettext ("%u branch is cut: its time is unexplained", "%u branches are cut: their time is unexplained", n), n);
}
