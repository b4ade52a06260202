/* Branches cut by hand: operations where the walk along what was waited for stops. */
#include "app/page/page-private.h"

#include <glib/gi18n.h>

#include "workspace/boxes.h"

/* What nothing waits for cannot be cut. */
gboolean
wp_page_can_cut (WpPage *self)
{
  const WpAnalysis *analysis = wp_page_analysis (self);
  const WpPart *part;

  if (self->current != WP_VIEW_FLAME || analysis == NULL || self->part == 0 || !wp_page_has_recording (self))
    return FALSE;
  part = &analysis->paths->parts.data[self->part];
  return part->parent != 0 || !analysis->paths->paths.data[part->path].base;
}

/* What led to the selected box hangs on the last operation it goes over. */
static WpId
branch (WpPage *self)
{
  const WpAnalysis *analysis = wp_page_analysis (self);
  WpCanvas *canvas = wp_page_canvas (self);
  WpId part = wp_box_last_part (&wp_canvas_rows (canvas)->boxes.data[wp_canvas_selected (canvas)], analysis);

  return part != 0 ? analysis->paths->parts.data[part].op : 0;
}

static void
show (WpPage *self)
{
  g_autofree char *text
    = g_strdup_printf (ngettext ("%u branch is cut: its time is unaccounted", "%u branches are cut: their time is unaccounted",
                                 self->cuts->len), self->cuts->len);

  if (self->cuts->len > 0)
    gtk_label_set_text (self->cuts_text, text);
  wp_page_reveal (self->cuts_bar, self->cuts->len > 0);
  wp_page_changed (self);
}

static void
change (WpPage *self, GArray *cuts)
{
  g_ptr_array_add (self->cuts_before, self->cuts);
  self->cuts = cuts;
  show (self);
  wp_page_explain_again (self);
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  WpId x = *(const WpId *) a, y = *(const WpId *) b;

  return x < y ? -1 : x > y;
}

void
wp_page_cut (WpPage *self)
{
  WpId op = wp_page_can_cut (self) ? branch (self) : 0;
  GArray *cuts;

  if (op == 0)
    return;
  if (g_array_binary_search (self->cuts, &op, compare_ids, NULL))
    return;
  cuts = g_array_copy (self->cuts);
  g_array_append_val (cuts, op);
  g_array_sort (cuts, compare_ids);
  change (self, cuts);
}

void
wp_page_restore_cuts (WpPage *self)
{
  if (self->cuts->len > 0)
    change (self, g_array_new (FALSE, FALSE, sizeof (WpId)));
}

void
wp_page_undo_cut (WpPage *self)
{
  if (self->cuts_before->len == 0)
    return;
  g_array_unref (self->cuts);
  self->cuts = g_ptr_array_steal_index (self->cuts_before, self->cuts_before->len - 1);
  show (self);
  wp_page_explain_again (self);
}

void
wp_page_forget_cuts (WpPage *self)
{
  g_array_set_size (self->cuts, 0);
  g_ptr_array_set_size (self->cuts_before, 0);
  show (self);
}
