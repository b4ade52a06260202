#include "app/compare/compare-flames.h"

#include <glib/gi18n.h>

static WpCompareView
view_of (WpCompareFlames *self, WpCanvas *canvas)
{
  WpCompareView view = 0;

  while (view + 1 < WP_N_COMPARE_VIEWS && wp_view_canvas (self->view[view]) != canvas)
    view++;
  return view;
}

static gboolean
other_view (WpCompareView view, WpCompareView *other)
{
  *other = view == WP_COMPARE_VIEW_A ? WP_COMPARE_VIEW_B : WP_COMPARE_VIEW_A;
  return view != WP_COMPARE_VIEW_VANISHED;
}

/* The other side shows the same frames: wp_canvas_show_range() adds a margin, which is taken off first. */
static void
on_place_changed (WpCanvas *canvas, WpCompareFlames *self)
{
  const WpCompareData *data = self->data;
  WpCompareView view = view_of (self, canvas), other;
  const WpViewport *viewport = wp_canvas_viewport (canvas);
  double start, end, margin;

  if (self->following || data == NULL || wp_canvas_rows (canvas) == NULL || !other_view (view, &other))
    return;
  start = wp_compare_map (data, view, other, viewport->start);
  end = wp_compare_map (data, view, other, viewport->end);
  margin = (end - start) * WP_VIEWPORT_MARGIN / (1 + 2 * WP_VIEWPORT_MARGIN);
  self->following = TRUE;
  wp_canvas_show_range (wp_view_canvas (self->view[other]), start + margin, end - margin);
  self->following = FALSE;
}

static void
on_box_selected (WpCanvas *canvas, guint box, WpCompareFlames *self)
{
  const WpCompareData *data = self->data;
  WpCompareView view = view_of (self, canvas), other;
  const WpRows *rows = wp_canvas_rows (canvas);
  g_autofree char *text = NULL, *line = NULL;
  guint32 there;

  if (self->following || data == NULL || rows == NULL)
    return;
  if (box < rows->boxes.len)
    {
      g_auto (GStrv) lines = NULL;

      text = wp_compare_describe (data, rows->boxes.data[box].ref);
      lines = g_strsplit (text, "\n", -1);
      line = g_strjoinv (" · ", lines);
    }
  gtk_label_set_label (self->node, line != NULL ? line : _("Click a frame to see its change"));
  if (!other_view (view, &other))
    return;
  there = box < rows->boxes.len ? data->box_of[other][rows->boxes.data[box].ref] : G_MAXUINT32;
  self->following = TRUE;
  wp_canvas_select (wp_view_canvas (self->view[other]), there != G_MAXUINT32 ? there : WP_NO_BOX, FALSE);
  self->following = FALSE;
}

static char *
describe (WpCompareFlames *self, WpCompareView view, guint box)
{
  const WpCompareData *data = self->data;
  const WpRows *rows = data != NULL ? wp_compare_rows (data, view) : NULL;

  return rows != NULL && box < rows->boxes.len ? wp_compare_describe (data, rows->boxes.data[box].ref) : NULL;
}

static char *
describe_a (guint box, double time, gpointer self)
{
  return describe (self, WP_COMPARE_VIEW_A, box);
}

static char *
describe_b (guint box, double time, gpointer self)
{
  return describe (self, WP_COMPARE_VIEW_B, box);
}

static char *
describe_vanished (guint box, double time, gpointer self)
{
  return describe (self, WP_COMPARE_VIEW_VANISHED, box);
}

static void
on_box_opened (WpCanvas *canvas, guint box, WpCompareFlames *self)
{
  wp_canvas_fit_box (canvas, box);
}

void
wp_compare_flames_build (WpCompareFlames *self, AdwBin *const bins[WP_N_COMPARE_VIEWS], GtkLabel *node)
{
  const struct
  {
    const char *name;
    WpDescribeFunc describe;
  } views[WP_N_COMPARE_VIEWS] = { [WP_COMPARE_VIEW_A] = { _("Flame View of A"), describe_a },
                                  [WP_COMPARE_VIEW_B] = { _("Flame View of B"), describe_b },
                                  [WP_COMPARE_VIEW_VANISHED] = { _("Vanished frames"), describe_vanished } };

  self->node = node;
  for (guint v = 0; v < WP_N_COMPARE_VIEWS; v++)
    {
      WpCanvas *canvas;

      self->view[v] = WP_VIEW (wp_view_new (views[v].name));
      canvas = wp_view_canvas (self->view[v]);
      adw_bin_set_child (bins[v], GTK_WIDGET (self->view[v]));
      gtk_widget_set_visible (GTK_WIDGET (wp_view_toolbar (self->view[v])), FALSE);
      wp_canvas_set_describe (canvas, views[v].describe, self);
      g_signal_connect (canvas, "place-changed", G_CALLBACK (on_place_changed), self);
      g_signal_connect (canvas, "box-selected", G_CALLBACK (on_box_selected), self);
      g_signal_connect (canvas, "box-opened", G_CALLBACK (on_box_opened), self);
    }
  wp_view_show_empty (self->view[WP_COMPARE_VIEW_VANISHED], "emblem-ok-symbolic", _("Nothing Vanished"),
                      _("Every frame of A is in B too."));
}

void
wp_compare_flames_show (WpCompareFlames *self, const WpCompareData *data)
{
  self->data = data;
  self->following = TRUE;
  for (guint v = 0; v < WP_N_COMPARE_VIEWS; v++)
    wp_view_set_rows (self->view[v], wp_compare_rows (data, v)->boxes.len > 0 ? data->rows[v] : NULL, FALSE);
  self->following = FALSE;
}

void
wp_compare_flames_clear (WpCompareFlames *self)
{
  for (guint v = 0; v < WP_N_COMPARE_VIEWS; v++)
    if (self->view[v] != NULL)
      g_signal_handlers_disconnect_by_data (wp_view_canvas (self->view[v]), self);
  *self = (WpCompareFlames) { 0 };
}
