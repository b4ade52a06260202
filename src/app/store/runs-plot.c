#include "app/store/runs-plot.h"

#include <math.h>

#define WIDTH 48
#define HEIGHT 14
#define THICKEST 6 /* of a bar, with the gap beside it */

struct _WpRunsPlot
{
  GtkWidget parent_instance;
  double bars[WIDTH]; /* shares of the largest */
  guint n;
};

G_DEFINE_FINAL_TYPE (WpRunsPlot, wp_runs_plot, GTK_TYPE_WIDGET)

static void
wp_runs_plot_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  WpRunsPlot *self = WP_RUNS_PLOT (widget);
  double step = self->n > 0 ? MIN ((double) WIDTH / self->n, THICKEST) : 0, height = gtk_widget_get_height (widget);
  gboolean from_right = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  GdkRGBA color;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  for (guint i = 0; i < self->n; i++)
    {
      double x = step * (from_right ? self->n - 1 - i : i), tall = MAX (1, round (self->bars[i] * height));

      gtk_snapshot_append_color (snapshot, &color,
                                 &GRAPHENE_RECT_INIT (x, height - tall, step > 2 ? step - 1 : step, tall));
    }
}

static void
wp_runs_plot_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
                      int *natural_baseline)
{
  const WpRunsPlot *self = WP_RUNS_PLOT (widget);

  *minimum = *natural = orientation == GTK_ORIENTATION_VERTICAL ? HEIGHT : (int) MIN (self->n * THICKEST, WIDTH);
}

static void
wp_runs_plot_class_init (WpRunsPlotClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->snapshot = wp_runs_plot_snapshot;
  widget_class->measure = wp_runs_plot_measure;
  gtk_widget_class_set_css_name (widget_class, "wprunsplot");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
wp_runs_plot_init (WpRunsPlot *self)
{
}

/* Where there are more than pixels, a bar is the largest of some. */
void
wp_runs_plot_set (WpRunsPlot *self, const double *values, guint n)
{
  double largest = 0;

  self->n = MIN (n, WIDTH);
  memset (self->bars, 0, sizeof self->bars);
  for (guint i = 0; i < n; i++)
    {
      double *bar = &self->bars[(guint64) i * self->n / n];

      *bar = MAX (*bar, values[i]);
      largest = MAX (largest, values[i]);
    }
  for (guint i = 0; i < self->n; i++)
    self->bars[i] /= largest > 0 ? largest : 1;
  if (largest <= 0)
    self->n = 0;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}
