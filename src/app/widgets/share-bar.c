#include "app/widgets/share-bar.h"

#define HEIGHT 4

struct _WpShareBar
{
  GtkWidget parent_instance;
  double before, share;
};

G_DEFINE_FINAL_TYPE (WpShareBar, wp_share_bar, GTK_TYPE_WIDGET)

/* Where people read from right to left, a bar begins at the right. */
static void
append (GtkWidget *widget, GtkSnapshot *snapshot, GdkRGBA color, double alpha, double x0, double x1)
{
  gboolean from_right = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  double left = from_right ? gtk_widget_get_width (widget) - x1 : x0;

  color.alpha *= alpha;
  gtk_snapshot_append_color (snapshot, &color, &GRAPHENE_RECT_INIT (left, 0, x1 - x0, HEIGHT));
}

static void
wp_share_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  WpShareBar *self = WP_SHARE_BAR (widget);
  double width = gtk_widget_get_width (widget);
  double x0 = self->before * width, x1 = MIN ((self->before + self->share) * width, width);
  GskRoundedRect clip;
  GdkRGBA color;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  gsk_rounded_rect_init_from_rect (&clip, &GRAPHENE_RECT_INIT (0, 0, width, HEIGHT), HEIGHT / 2.0);
  gtk_snapshot_push_rounded_clip (snapshot, &clip);
  append (widget, snapshot, color, 0.12, 0, width);
  append (widget, snapshot, color, 0.25, 0, x0);
  if (self->share > 0)
    append (widget, snapshot, color, 1, MIN (x0, width - 2), MAX (x1, MIN (x0, width - 2) + 2));
  gtk_snapshot_pop (snapshot);
}

static void
wp_share_bar_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                      int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 40 : HEIGHT;
}

static void
wp_share_bar_class_init (WpShareBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->snapshot = wp_share_bar_snapshot;
  widget_class->measure = wp_share_bar_measure;
  gtk_widget_class_set_css_name (widget_class, "wpsharebar");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
wp_share_bar_init (WpShareBar *self)
{
}

void
wp_share_bar_set (WpShareBar *self, double before, double share)
{
  self->before = CLAMP (before, 0, 1);
  self->share = CLAMP (share, 0, 1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

GtkWidget *
wp_share_bar_new (double before, double share)
{
  WpShareBar *self = g_object_new (WP_TYPE_SHARE_BAR, NULL);

  wp_share_bar_set (self, before, share);
  return GTK_WIDGET (self);
}
