#include "app/compare/compare-checks.h"

#include <glib/gi18n.h>

#include "app/plots/grid-table.h"
#include "app/widgets/status-page.h"
#include "workspace/compare/compare-verdicts.h"
#include "workspace/worker.h"

struct _WpCompareChecks
{
  AdwBin parent_instance;

  GtkStack *stack; /* "message", "table" */
  AdwStatusPage *message;
  GtkLabel *summary;
  WpGridTable *table;

  WpVerdictsRequest *request; /* that waits for somebody to look; or NULL */
  WpWorker *worker;
};

G_DEFINE_FINAL_TYPE (WpCompareChecks, wp_compare_checks, ADW_TYPE_BIN)

static void
show_message (WpCompareChecks *self, const char *icon, const char *title, const char *text)
{
  wp_status_page_set (self->message, icon, title, text);
  gtk_stack_set_visible_child_name (self->stack, "message");
}

static void
on_done (gpointer result, const GError *error, gpointer data)
{
  WpCompareChecks *self = data;
  WpVerdicts *verdicts = result;
  g_autoptr (WpShared) grid = NULL;

  self->worker = NULL;
  if (verdicts == NULL)
    {
      show_message (self, "dialog-information-symbolic", _("The Checks Do Not Apply"), error->message);
      return;
    }
  gtk_label_set_label (self->summary, verdicts->summary);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->summary), verdicts->summary);
  grid = wp_shared_new (g_steal_pointer (&verdicts->grid), (GDestroyNotify) wp_grid_free);
  wp_grid_table_set_grid (self->table, grid);
  gtk_stack_set_visible_child_name (self->stack, "table");
  wp_verdicts_free (verdicts);
}

static void
start_if_seen (WpCompareChecks *self)
{
  if (self->request == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  show_message (self, NULL, _("Checking"), "");
  wp_worker_drop (&self->worker);
  self->worker = wp_worker_start (&(WpWorkerSpec) { .run = wp_verdicts_run, .done = on_done, .data = g_steal_pointer (&self->request),
                                                    .free_data = wp_verdicts_request_free, .free_result = wp_verdicts_free, .user_data = self });
}

void
wp_compare_checks_set_files (WpCompareChecks *self, const char *const *a, const char *const *b)
{
  g_clear_pointer (&self->request, wp_verdicts_request_free);
  self->request = wp_verdicts_request_new (a, b);
  start_if_seen (self);
}

static void
build (WpCompareChecks *self)
{
  self->stack = GTK_STACK (gtk_stack_new ());
  self->message = ADW_STATUS_PAGE (adw_status_page_new ());
  self->summary = GTK_LABEL (gtk_label_new (NULL));
  self->table = WP_GRID_TABLE (wp_grid_table_new (_("Checks")));
  gtk_label_set_ellipsize (self->summary, PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (self->summary, 0);
  wp_grid_table_add (self->table, GTK_WIDGET (self->summary));
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->message), "message");
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->table), "table");
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->stack));
}

static void
wp_compare_checks_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (wp_compare_checks_parent_class)->map (widget);
  start_if_seen (WP_COMPARE_CHECKS (widget));
}

static void
wp_compare_checks_dispose (GObject *object)
{
  wp_worker_drop (&WP_COMPARE_CHECKS (object)->worker);
  G_OBJECT_CLASS (wp_compare_checks_parent_class)->dispose (object);
}

static void
wp_compare_checks_finalize (GObject *object)
{
  WpCompareChecks *self = WP_COMPARE_CHECKS (object);

  g_clear_pointer (&self->request, wp_verdicts_request_free);
  G_OBJECT_CLASS (wp_compare_checks_parent_class)->finalize (object);
}

static void
wp_compare_checks_class_init (WpCompareChecksClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = wp_compare_checks_dispose;
  G_OBJECT_CLASS (klass)->finalize = wp_compare_checks_finalize;
  GTK_WIDGET_CLASS (klass)->map = wp_compare_checks_map;
}

static void
wp_compare_checks_init (WpCompareChecks *self)
{
  build (self);
}
