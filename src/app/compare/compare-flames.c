#include "app/compare/compare-flames.h"

#include <glib/gi18n.h>

#include "app/canvas/view.h"
#include "app/widgets/context-menu.h"
#include "app/widgets/depth-chooser.h"

#define NARROW 640 /* below it A stands above B, not beside it */

/* What a canvas describes its boxes by. */
typedef struct
{
  WpCompareFlames *flames;
  WpCompareView view;
} Described;

struct _WpCompareFlames
{
  AdwBin parent_instance;

  GtkPaned *both;
  GtkLabel *caption_a, *caption_b, *node, *folded;
  AdwBin *a_bin, *b_bin;

  WpView *view[WP_N_COMPARE_VIEWS];
  Described described[WP_N_COMPARE_VIEWS];
  WpShared *data;     /* WpCompareData; NULL: nothing is shown yet */
  WpId selected;      /* node, or 0 */
  gboolean following; /* a view follows the other one: that is no reason to follow back */
  gboolean narrow;
  guint fitting;      /* source: it is about to be made narrow or wide; 0: not */
};

G_DEFINE_FINAL_TYPE (WpCompareFlames, wp_compare_flames, ADW_TYPE_BIN)

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

/* The other side shows the same frames on the same scale: what begins the view here begins it there. wp_canvas_show_range() adds a margin, which is
 * taken off first. */
static void
on_place_changed (WpCanvas *canvas, WpCompareFlames *self)
{
  const WpCompareData *data = wp_shared_get (self->data);
  WpCompareView view = view_of (self, canvas), other;
  const WpViewport *viewport = wp_canvas_viewport (canvas);
  double start, length, margin;

  if (self->following || data == NULL || wp_canvas_rows (canvas) == NULL || !other_view (view, &other))
    return;
  length = (viewport->end - viewport->start) / (1 + 2 * WP_VIEWPORT_MARGIN);
  margin = length * WP_VIEWPORT_MARGIN;
  start = wp_compare_map (data, view, other, viewport->start + margin);
  self->following = TRUE;
  wp_canvas_show_range (wp_view_canvas (self->view[other]), start, start + length);
  self->following = FALSE;
}

static const char *
nothing_selected (void)
{
  return _("Click a frame to see its change");
}

/* With how much is folded in it. */
static char *
describe_node (const WpCompareData *data, WpId node)
{
  guint n = wp_compare_count_folded (data, node);
  g_autofree char *text = wp_compare_describe (data, node);
  g_autofree char *folded = g_strdup_printf (ngettext ("\n%u frame folded: select and press E", "\n%u frames folded: select and press E", n), n);

  return n > 0 ? g_strconcat (text, folded, NULL) : g_steal_pointer (&text);
}

static void
on_box_selected (WpCanvas *canvas, guint box, WpCompareFlames *self)
{
  const WpCompareData *data = wp_shared_get (self->data);
  WpCompareView view = view_of (self, canvas), other;
  const WpRows *rows = wp_canvas_rows (canvas);
  g_autofree char *text = NULL, *line = NULL;
  guint32 there;

  if (self->following || data == NULL || rows == NULL)
    return;
  self->selected = box < rows->boxes.len ? rows->boxes.data[box].ref : 0;
  if (box < rows->boxes.len)
    {
      g_auto (GStrv) lines = NULL;

      text = describe_node (data, self->selected);
      lines = g_strsplit (text, "\n", -1);
      line = g_strjoinv (" · ", lines);
    }
  gtk_label_set_label (self->node, line != NULL ? line : nothing_selected ());
  if (!other_view (view, &other))
    return;
  there = box < rows->boxes.len ? data->box_of[other][rows->boxes.data[box].ref] : G_MAXUINT32;
  self->following = TRUE;
  wp_canvas_select (wp_view_canvas (self->view[other]), there != G_MAXUINT32 ? there : WP_NO_BOX, FALSE);
  self->following = FALSE;
}

static char *
describe (guint box, double time, gpointer data)
{
  const Described *of = data;
  const WpCompareData *shown = wp_shared_get (of->flames->data);
  const WpRows *rows = shown != NULL ? wp_compare_rows (shown, of->view) : NULL;

  return rows != NULL && box < rows->boxes.len ? describe_node (shown, rows->boxes.data[box].ref) : NULL;
}

static char *
describe_fold (guint box, double time, gpointer data)
{
  const Described *of = data;
  const WpCompareData *shown = wp_shared_get (of->flames->data);
  guint n = wp_compare_count_folded (shown, wp_compare_rows (shown, of->view)->boxes.data[box].ref);

  return g_strdup_printf (ngettext ("%u frame folded — click to open", "%u frames folded — click to open", n), n);
}

static void
on_box_opened (WpCanvas *canvas, guint box, WpCompareFlames *self)
{
  wp_canvas_fit_box (canvas, box);
}

WpCanvas *
wp_compare_flames_canvas (WpCompareFlames *self, WpCompareView view)
{
  return wp_view_canvas (self->view[view]);
}

WpId
wp_compare_flames_folded (WpCompareFlames *self)
{
  return self->selected != 0 && wp_compare_count_folded (wp_shared_get (self->data), self->selected) > 0 ? self->selected : 0;
}

const char *
wp_compare_flames_hideable (WpCompareFlames *self, WpHideKind kind)
{
  return self->selected != 0 ? wp_compare_hideable (wp_shared_get (self->data), self->selected, kind) : NULL;
}

char *
wp_compare_flames_said (WpCompareFlames *self)
{
  return self->selected != 0 && self->data != NULL ? describe_node (wp_shared_get (self->data), self->selected) : NULL;
}

/* Of the selected box, which is the one that was clicked. */
static void
on_menu_wanted (WpCanvas *canvas, guint box, double x, double y, WpCompareFlames *self)
{
  static const struct
  {
    const char *label, *action;
  } items[] = {
    [WP_HIDE_FUNCTION] = { N_("_Hide Function “%s”"), "compare.hide(0)" },
    [WP_HIDE_MODULE] = { N_("Hide Mod_ule “%s”"), "compare.hide(1)" },
  };
  g_autoptr (GMenu) menu = g_menu_new ();

  if (box == WP_NO_BOX)
    return;
  if (wp_compare_flames_folded (self) != 0)
    g_menu_append (menu, _("Show What Is F_olded Here"), "compare.open-fold");
  for (WpHideKind kind = 0; kind < G_N_ELEMENTS (items); kind++)
    {
      const char *name = wp_compare_flames_hideable (self, kind);

      if (name != NULL)
        wp_context_menu_add (menu, _(items[kind].label), name, items[kind].action);
    }
  wp_context_menu_open (GTK_WIDGET (canvas), "compared-menu", G_MENU_MODEL (menu), x, y);
}

/* --- what is shown --------------------------------------------------------------------------------------------------------- */

/* Whether both are as wide: the same files at another depth. */
static gboolean
is_as_wide (const WpCompareData *before, const WpCompareData *now)
{
  const double *a = before != NULL ? before->comparison->nodes.data[0].total : NULL, *b = now->comparison->nodes.data[0].total;

  return a != NULL && a[WP_SIDE_A] == b[WP_SIDE_A] && a[WP_SIDE_B] == b[WP_SIDE_B];
}

void
wp_compare_flames_show (WpCompareFlames *self, WpShared *data)
{
  g_autoptr (WpShared) before = self->data; /* until the views have others */
  const WpCompareData *shown = wp_shared_get (data);
  gboolean keep_place = is_as_wide (wp_shared_get (before), shown);
  g_autofree char *a = wp_comparison_side_name (shown->comparison, WP_SIDE_A), *b = wp_comparison_side_name (shown->comparison, WP_SIDE_B);
  g_autofree char *caption_a = g_strdup_printf (_("A: %s"), a), *caption_b = g_strdup_printf (_("B: %s"), b);
  g_autofree char *folded = wp_depth_folded_text (shown->comparison->n_folded);

  gtk_label_set_label (self->caption_a, caption_a);
  gtk_label_set_label (self->caption_b, caption_b);
  gtk_label_set_label (self->node, nothing_selected ());
  gtk_label_set_label (self->folded, folded);
  gtk_widget_set_visible (GTK_WIDGET (self->folded), shown->comparison->n_folded > 0);
  self->data = wp_shared_ref (data);
  self->selected = 0;
  self->following = TRUE;
  for (guint v = 0; v < WP_N_COMPARE_VIEWS; v++)
    wp_view_set_rows (self->view[v], wp_compare_rows (shown, v)->boxes.len > 0 ? shown->rows[v] : NULL, keep_place);
  self->following = FALSE;
}

GtkWidget *
wp_compare_flames_vanished (WpCompareFlames *self)
{
  return GTK_WIDGET (self->view[WP_COMPARE_VIEW_VANISHED]);
}

static gboolean
fit (gpointer flames)
{
  WpCompareFlames *self = flames;

  self->fitting = 0;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->both), self->narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_paned_set_position (self->both, -1);
  g_object_set (self->both, "position-set", FALSE, NULL);
  return G_SOURCE_REMOVE;
}

/* Sizes are being given out just now: what changes them has to wait. */
void
wp_compare_flames_fit (WpCompareFlames *self, int width)
{
  gboolean narrow = width < NARROW;

  if (narrow == self->narrow)
    return;
  self->narrow = narrow;
  if (self->fitting == 0)
    self->fitting = g_idle_add_full (G_PRIORITY_HIGH_IDLE, fit, self, NULL);
}

/* --- the widget ------------------------------------------------------------------------------------------------------------- */

static void
wp_compare_flames_dispose (GObject *object)
{
  WpCompareFlames *self = WP_COMPARE_FLAMES (object);

  g_clear_handle_id (&self->fitting, g_source_remove);
  for (guint v = 0; v < WP_N_COMPARE_VIEWS; v++)
    if (self->view[v] != NULL)
      {
        g_signal_handlers_disconnect_by_data (wp_view_canvas (self->view[v]), self);
        wp_canvas_set_describe (wp_view_canvas (self->view[v]), NULL, NULL);
      }
  g_clear_object (&self->view[WP_COMPARE_VIEW_VANISHED]);
  self->view[WP_COMPARE_VIEW_A] = self->view[WP_COMPARE_VIEW_B] = NULL;
  G_OBJECT_CLASS (wp_compare_flames_parent_class)->dispose (object);
}

static void
wp_compare_flames_finalize (GObject *object)
{
  wp_shared_unref (WP_COMPARE_FLAMES (object)->data);
  G_OBJECT_CLASS (wp_compare_flames_parent_class)->finalize (object);
}

static void
wp_compare_flames_class_init (WpCompareFlamesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = wp_compare_flames_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_compare_flames_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/compare-flames.ui");
  gtk_widget_class_bind_template_child (widget_class, WpCompareFlames, both);
  gtk_widget_class_bind_template_child (widget_class, WpCompareFlames, caption_a);
  gtk_widget_class_bind_template_child (widget_class, WpCompareFlames, caption_b);
  gtk_widget_class_bind_template_child (widget_class, WpCompareFlames, node);
  gtk_widget_class_bind_template_child (widget_class, WpCompareFlames, folded);
  gtk_widget_class_bind_template_child (widget_class, WpCompareFlames, a_bin);
  gtk_widget_class_bind_template_child (widget_class, WpCompareFlames, b_bin);
}

static void
add_view (WpCompareFlames *self, WpCompareView view, const char *name)
{
  WpCanvas *canvas;

  self->view[view] = WP_VIEW (wp_view_new (name));
  canvas = wp_view_canvas (self->view[view]);
  gtk_widget_set_visible (GTK_WIDGET (wp_view_toolbar (self->view[view])), FALSE);
  self->described[view] = (Described) { self, view };
  wp_canvas_set_describe (canvas, describe, &self->described[view]);
  wp_canvas_set_folds (canvas, describe_fold, "compare.open-fold");
  g_signal_connect (canvas, "place-changed", G_CALLBACK (on_place_changed), self);
  g_signal_connect (canvas, "box-selected", G_CALLBACK (on_box_selected), self);
  g_signal_connect (canvas, "menu-wanted", G_CALLBACK (on_menu_wanted), self);
  g_signal_connect (canvas, "box-opened", G_CALLBACK (on_box_opened), self);
}

static void
wp_compare_flames_init (WpCompareFlames *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  add_view (self, WP_COMPARE_VIEW_A, _("Flame View of A"));
  add_view (self, WP_COMPARE_VIEW_B, _("Flame View of B"));
  add_view (self, WP_COMPARE_VIEW_VANISHED, _("Vanished frames"));
  adw_bin_set_child (self->a_bin, GTK_WIDGET (self->view[WP_COMPARE_VIEW_A]));
  adw_bin_set_child (self->b_bin, GTK_WIDGET (self->view[WP_COMPARE_VIEW_B]));
  g_object_ref_sink (self->view[WP_COMPARE_VIEW_VANISHED]);
  wp_view_show_empty (self->view[WP_COMPARE_VIEW_VANISHED], "emblem-ok-symbolic", _("Nothing Vanished"),
                      _("Every frame of A is in B too."));
}
