#include "app/widgets/share-bar.h"

#include "app/canvas/canvas.h"

#define HEIGHT 4
#define HEIGHT_OF_CATEGORY 8 /* with an edge around its colour */
#define RANKS_MAX 4

struct _WpShareBar
{
  GtkWidget parent_instance;
  double before, share;
  double ranks[RANKS_MAX]; /* instead of these, where there are any */
  guint n_ranks;
  WpCategory category; /* whose colours it has; WP_CATEGORY_COUNT: none */
};

G_DEFINE_FINAL_TYPE (WpShareBar, wp_share_bar, GTK_TYPE_WIDGET)

static double
height_of (const WpShareBar *self)
{
  return self->category == WP_CATEGORY_COUNT ? HEIGHT : HEIGHT_OF_CATEGORY;
}

/* Where people read from right to left, a bar begins at the right. */
static graphene_rect_t
stretch (WpShareBar *self, double x0, double x1)
{
  gboolean from_right = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  double left = from_right ? gtk_widget_get_width (GTK_WIDGET (self)) - x1 : x0;

  return GRAPHENE_RECT_INIT (left, 0, x1 - x0, height_of (self));
}

static void
append (WpShareBar *self, GtkSnapshot *snapshot, GdkRGBA color, double alpha, double x0, double x1)
{
  graphene_rect_t rect = stretch (self, x0, x1);

  color.alpha *= alpha;
  gtk_snapshot_append_color (snapshot, &color, &rect);
}

static void
append_category (WpShareBar *self, GtkSnapshot *snapshot, double x0, double x1)
{
  double fill[3], edge[3];
  graphene_rect_t rect = stretch (self, x0, x1);
  GskRoundedRect outline;
  GdkRGBA line;

  wp_category_colors (wp_current_theme (), self->category, fill, edge);
  gtk_snapshot_append_color (snapshot, &(GdkRGBA) { fill[0], fill[1], fill[2], 1 }, &rect);
  line = (GdkRGBA) { edge[0], edge[1], edge[2], 1 };
  gsk_rounded_rect_init_from_rect (&outline, &rect, 0);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]) { 1, 1, 1, 1 }, (GdkRGBA[4]) { line, line, line, line });
}

/* Each one is paler than the one before it. */
static void
append_ranks (WpShareBar *self, GtkSnapshot *snapshot, GdkRGBA color, double width)
{
  double x = 0;

  for (guint i = 0; i < self->n_ranks; i++)
    {
      double end = MIN (x + self->ranks[i] * width, width);

      append (self, snapshot, color, 1 - 0.8 * i / RANKS_MAX, x, MAX (end - 1, x));
      x = end;
    }
}

static void
wp_share_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  WpShareBar *self = WP_SHARE_BAR (widget);
  double width = gtk_widget_get_width (widget);
  double x0 = self->before * width, x1 = MIN ((self->before + self->share) * width, width);
  double first = MIN (x0, width - 2), last = MAX (x1, first + 2);
  gboolean colored = self->category != WP_CATEGORY_COUNT;
  GskRoundedRect clip;
  GdkRGBA color;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  gsk_rounded_rect_init_from_rect (&clip, &GRAPHENE_RECT_INIT (0, 0, width, height_of (self)), height_of (self) / 2);
  gtk_snapshot_push_rounded_clip (snapshot, &clip);
  append (self, snapshot, color, colored ? 0.08 : 0.12, 0, width);
  append (self, snapshot, color, colored ? 0.12 : 0.25, 0, x0);
  append_ranks (self, snapshot, color, width);
  if (self->share > 0 && colored)
    append_category (self, snapshot, first, last);
  else if (self->share > 0)
    append (self, snapshot, color, 1, first, last);
  gtk_snapshot_pop (snapshot);
}

static void
wp_share_bar_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                      int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 40 : (int) height_of (WP_SHARE_BAR (widget));
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
  self->category = WP_CATEGORY_COUNT;
}

void
wp_share_bar_set (WpShareBar *self, double before, double share)
{
  self->before = CLAMP (before, 0, 1);
  self->share = CLAMP (share, 0, 1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
wp_share_bar_set_ranks (WpShareBar *self, const double *shares, guint n)
{
  self->n_ranks = MIN (n, RANKS_MAX);
  for (guint i = 0; i < self->n_ranks; i++)
    self->ranks[i] = CLAMP (shares[i], 0, 1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
wp_share_bar_set_category (WpShareBar *self, WpCategory category)
{
  self->category = category;
  gtk_widget_add_css_class (GTK_WIDGET (self), "category");
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

GtkWidget *
wp_share_bar_new (double before, double share)
{
  WpShareBar *self = g_object_new (WP_TYPE_SHARE_BAR, NULL);

  wp_share_bar_set (self, before, share);
  return GTK_WIDGET (self);
}
