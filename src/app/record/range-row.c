#include "app/record/range-row.h"

#include <glib/gi18n.h>

#include "app/widgets/error-style.h"

struct _WpRangeRow
{
  AdwBin parent_instance;

  GtkLabel *title, *subtitle, *state;
  GtkWidget *log;
  guint position;
};

G_DEFINE_FINAL_TYPE (WpRangeRow, wp_range_row, ADW_TYPE_BIN)

static guint signal_log;

static const char *const state_names[] = {
  [WP_RANGE_WAITING] = "",
  [WP_RANGE_CHECKING_OUT] = N_ ("Checking out"),
  [WP_RANGE_BUILDING] = N_ ("Building"),
  [WP_RANGE_RECORDING] = N_ ("Recording"),
  [WP_RANGE_EXPLAINING] = N_ ("Explaining"),
  [WP_RANGE_DONE] = N_ ("Registered"),
  [WP_RANGE_PASSED_OVER] = N_ ("Profiled before"),
  [WP_RANGE_FAILED] = N_ ("Failed"),
  [WP_RANGE_STOPPED] = N_ ("Stopped"),
};

void
wp_range_row_show (WpRangeRow *self, const WpRangeCommit *commit, guint position)
{
  gboolean failed = commit->state == WP_RANGE_FAILED;
  g_autofree char *subtitle
    = commit->problem != NULL ? g_strdup_printf ("%.8s · %s", commit->hash, commit->problem) : g_strndup (commit->hash, 8);

  self->position = position;
  gtk_label_set_text (self->title, *commit->subject != '\0' ? commit->subject : _("(no message)"));
  gtk_label_set_text (self->subtitle, subtitle);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->title), commit->subject);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->subtitle), commit->problem);
  gtk_label_set_text (self->state, *state_names[commit->state] != '\0' ? _(state_names[commit->state]) : "");
  wp_set_wrong (GTK_WIDGET (self->state), failed);
  gtk_widget_set_visible (self->log, failed);
}

guint
wp_range_row_position (WpRangeRow *self)
{
  return self->position;
}

static void
on_log (GtkButton *button, WpRangeRow *self)
{
  g_signal_emit (self, signal_log, 0, self->position);
}

static void
wp_range_row_class_init (WpRangeRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  signal_log = g_signal_new ("log", WP_TYPE_RANGE_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/wakepath/Wakepath/range-row.ui");
  gtk_widget_class_bind_template_child (widget_class, WpRangeRow, title);
  gtk_widget_class_bind_template_child (widget_class, WpRangeRow, subtitle);
  gtk_widget_class_bind_template_child (widget_class, WpRangeRow, state);
  gtk_widget_class_bind_template_child (widget_class, WpRangeRow, log);
  gtk_widget_class_bind_template_callback (widget_class, on_log);
}

static void
wp_range_row_init (WpRangeRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
wp_range_row_new (void)
{
  return g_object_new (WP_TYPE_RANGE_ROW, NULL);
}
