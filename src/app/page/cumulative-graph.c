#include "app/page/cumulative-graph.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/canvas/canvas.h"
#include "app/widgets/describe-lines.h"
#include "base/format.h"
#include "paint/paint.h"

struct _WpCumulativeGraph
{
  GtkDrawingArea parent_instance;

  WpCumulative shares;
  WpCategory chosen;
};

enum
{
  SIGNAL_CATEGORY_CLICKED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpCumulativeGraph, wp_cumulative_graph, GTK_TYPE_DRAWING_AREA)

static void
draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  WpCumulativeGraph *self = WP_CUMULATIVE_GRAPH (area);
  g_autoptr (WpPainter) painter
    = wp_painter_new (gtk_widget_get_pango_context (GTK_WIDGET (area)), wp_current_theme ());

  wp_painter_cumulative (painter, cr, &self->shares, self->chosen, width, height);
}

static char *
describe (gpointer widget, guint c)
{
  const WpCumulativeGraph *self = widget;
  char share[WP_FORMAT_MAX], without[WP_FORMAT_MAX];

  wp_format_share (self->shares.all[c], share);
  wp_format_share (self->shares.without[c], without);
  if (!self->shares.differ)
    return g_strdup_printf (_("Up to “%s”: %s"), _(wp_category_name (c)), share);
  return g_strdup_printf (_("Up to “%s”: %s; %s without waiting for other lanes"), _(wp_category_name (c)), share, without);
}

static gboolean
on_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer data)
{
  WpCategory c = wp_cumulative_at (x, gtk_widget_get_width (widget));
  g_autofree char *text = NULL;

  if (keyboard || c == WP_CATEGORY_COUNT)
    return FALSE;
  text = describe (widget, c);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
on_clicked (GtkGestureClick *gesture, int n_press, double x, double y, WpCumulativeGraph *self)
{
  WpCategory c = wp_cumulative_at (x, gtk_widget_get_width (GTK_WIDGET (self)));

  if (c != WP_CATEGORY_COUNT)
    g_signal_emit (self, signals[SIGNAL_CATEGORY_CLICKED], 0, c);
}

void
wp_cumulative_graph_show (WpCumulativeGraph *self, const WpExplanation *explanation)
{
  wp_cumulative_init (&self->shares, explanation);
  wp_describe_lines (GTK_WIDGET (self), WP_CATEGORY_COUNT, describe);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
wp_cumulative_graph_choose (WpCumulativeGraph *self, WpCategory category)
{
  self->chosen = category;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
wp_cumulative_graph_class_init (WpCumulativeGraphClass *klass)
{
  signals[SIGNAL_CATEGORY_CLICKED] = g_signal_new ("category-clicked", WP_TYPE_CUMULATIVE_GRAPH, G_SIGNAL_RUN_LAST, 0, NULL,
                                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "wpcumulativegraph");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
wp_cumulative_graph_init (WpCumulativeGraph *self)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->chosen = WP_CATEGORY_COUNT;
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (self), 110);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self), draw, NULL, NULL);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
  g_signal_connect (click, "released", G_CALLBACK (on_clicked), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  g_signal_connect_object (style, "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (style, "notify::high-contrast", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Cumulative graph"), -1);
}
