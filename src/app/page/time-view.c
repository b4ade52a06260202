#include "app/page/time-view.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/canvas/canvas.h"
#include "app/widgets/describe-lines.h"
#include "base/format.h"
#include "paint/paint.h"

#define HEIGHT 18

struct _WpTimeView
{
  GtkDrawingArea parent_instance;

  WpTimeBar bar;
  WpPainter *painter; /* NULL: nothing was drawn yet */
  WpCategory chosen;
};

enum
{
  SIGNAL_CATEGORY_CLICKED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (WpTimeView, wp_time_view, GTK_TYPE_DRAWING_AREA)

/* Where people read from right to left, the bar begins at the right. */
static gboolean
is_mirrored (WpTimeView *self)
{
  return gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
}

static void
draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  WpTimeView *self = WP_TIME_VIEW (area);

  if (self->painter == NULL)
    self->painter = wp_painter_new (gtk_widget_get_pango_context (GTK_WIDGET (area)), wp_current_theme ());
  wp_painter_set_theme (self->painter, wp_current_theme ());
  if (is_mirrored (self))
    {
      cairo_translate (cr, width, 0);
      cairo_scale (cr, -1, 1);
    }
  wp_painter_time_bar (self->painter, cr, &self->bar, self->chosen, width, height);
}

static WpCategory
category_at (WpTimeView *self, double x)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self));

  return wp_time_bar_at (&self->bar, is_mirrored (self) ? width - x : x, width);
}

/* "Sleeping on purpose: 12.0 ms, 12.5 %" */
static char *
describe (gpointer widget, guint i)
{
  const WpTimeView *self = widget;
  gint64 total = self->bar.ends[self->bar.n - 1], ns = self->bar.ends[i] - (i > 0 ? self->bar.ends[i - 1] : 0);
  char time[WP_FORMAT_MAX], share[WP_FORMAT_MAX];

  return g_strdup_printf (_("%s: %s, %s"), _(wp_category_name (self->bar.categories[i])), wp_format_ns (ns, time),
                          wp_format_share ((double) ns / (double) total, share));
}

static gboolean
on_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer data)
{
  WpTimeView *self = WP_TIME_VIEW (widget);
  WpCategory c = category_at (self, x);

  for (guint i = 0; !keyboard && i < self->bar.n; i++)
    if (self->bar.categories[i] == c)
      {
        g_autofree char *figures = describe (self, i), *text = g_strdup_printf ("%s\n%s", figures, _(wp_category_help (c)));

        gtk_tooltip_set_text (tooltip, text);
        return TRUE;
      }
  return FALSE;
}

static void
on_clicked (GtkGestureClick *gesture, int n_press, double x, double y, WpTimeView *self)
{
  WpCategory c = category_at (self, x);

  if (c != WP_CATEGORY_COUNT)
    g_signal_emit (self, signals[SIGNAL_CATEGORY_CLICKED], 0, c);
}

void
wp_time_view_show (WpTimeView *self, const WpExplanation *explanation, gboolean longest_first)
{
  wp_time_bar_init (&self->bar, explanation, longest_first);
  wp_describe_lines (GTK_WIDGET (self), self->bar.n, describe);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
wp_time_view_choose (WpTimeView *self, WpCategory category)
{
  self->chosen = category;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
wp_time_view_finalize (GObject *object)
{
  WpTimeView *self = WP_TIME_VIEW (object);

  wp_time_bar_clear (&self->bar);
  g_clear_pointer (&self->painter, wp_painter_free);
  G_OBJECT_CLASS (wp_time_view_parent_class)->finalize (object);
}

static void
wp_time_view_class_init (WpTimeViewClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = wp_time_view_finalize;
  signals[SIGNAL_CATEGORY_CLICKED]
    = g_signal_new ("category-clicked", WP_TYPE_TIME_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "wptimeview");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_IMG);
}

static void
wp_time_view_init (WpTimeView *self)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  GtkGesture *click = gtk_gesture_click_new ();

  self->chosen = WP_CATEGORY_COUNT;
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (self), HEIGHT);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self), draw, NULL, NULL);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
  g_signal_connect (click, "released", G_CALLBACK (on_clicked), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  g_signal_connect_object (style, "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (style, "notify::high-contrast", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("What time was spent on"), -1);
}
