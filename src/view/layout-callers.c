/* The two-sided flame view of one function: it stands in the middle, above it those that call it, below it those that it calls. */
#include "view/layout.h"

static void
add_rows (WpGather *gather, WpRows *to, const WpRows *from, guint32 first_row, WpRefKind ref_kind)
{
  for (guint32 r = 0; r < from->rows.len; r++)
    for (guint32 b = 0; b < from->rows.data[r].n; b++)
      {
        WpBox box = from->boxes.data[from->rows.data[r].first + b];

        box.label = wp_strings_intern (to->strings, wp_rows_string (from, box.label));
        box.ref_kind = ref_kind;
        wp_gather_add (gather, first_row + r, &box);
      }
}

WpRows *
wp_layout_callers (const WpTree *callers, const WpTree *callees)
{
  g_autoptr (WpRows) above = wp_layout_tree (callers, FALSE, NULL), below = wp_layout_tree (callees, TRUE, NULL);
  WpRows *self = wp_rows_new ();
  const WpNode *function = &callees->nodes.data[callees->nodes.data[0].first_child];
  WpGather gather = { 0 };

  add_rows (&gather, self, above, 0, WP_REF_CALLER);
  add_rows (&gather, self, below, above->rows.len, WP_REF_NODE);
  wp_array_resize (&self->rows, above->rows.len + below->rows.len);
  wp_gather_finish (&gather, self);
  self->end = function->total;
  self->home = above->rows.len;
  self->is_time = FALSE;
  wp_rows_finish (self);
  return self;
}
