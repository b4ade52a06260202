#include "app/compare/compare-checks.h"

#include <glib/gi18n.h>

#include "app/plots/grid-table.h"
#include "app/widgets/status-page.h"
#include "plots/compare-grids.h"
#include "workspace/job.h"

struct _WpCompareChecks
{
  AdwBin parent_instance;

  GtkStack *stack; /* "message", "table" */
  AdwStatusPage *message;
  GtkLabel *summary;
  WpGridTable *table;

  char **files[2]; /* of each side, NULL-terminated */
  gboolean wanted;
  WpJob *job;
};

G_DEFINE_FINAL_TYPE (WpCompareChecks, wp_compare_checks, ADW_TYPE_BIN)

typedef struct
{
  char **files[2];
} Request;

static void
request_free (gpointer data)
{
  Request *self = data;

  g_strfreev (self->files[0]);
  g_strfreev (self->files[1]);
  g_free (self);
}

static gpointer
run (gpointer data, WpProgress *progress, GError **error)
{
  const Request *self = data;

  return wp_checked_new ((const char *const *) self->files[0], (const char *const *) self->files[1], progress, error);
}

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
  g_autoptr (WpChecked) checked = result;
  g_autoptr (WpShared) grid = NULL;
  g_autofree char *summary = NULL, *text = NULL;
  const guint n[] = { g_strv_length (self->files[0]), g_strv_length (self->files[1]) };

  self->job = NULL;
  if (checked == NULL)
    {
      show_message (self, "dialog-information-symbolic", _("The Checks Do Not Apply"), error->message);
      return;
    }
  summary = wp_checked_summary (checked);
  text = n[0] + n[1] > 2 ? g_strdup_printf (_("%s · of %u and %u profiles; what may be noise is no change"), summary, n[0], n[1])
                         : g_strdup (summary);
  gtk_label_set_label (self->summary, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->summary), text);
  grid = wp_shared_new (g_steal_pointer (&checked->grid), (GDestroyNotify) wp_grid_free);
  wp_grid_table_set_grid (self->table, grid);
  gtk_stack_set_visible_child_name (self->stack, "table");
}

static void
start_if_seen (WpCompareChecks *self)
{
  Request *request;

  if (!self->wanted || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  self->wanted = FALSE;
  request = g_new0 (Request, 1);
  request->files[0] = g_strdupv (self->files[0]);
  request->files[1] = g_strdupv (self->files[1]);
  show_message (self, NULL, _("Checking"), "");
  wp_job_drop (&self->job);
  self->job = wp_job_start (&(WpJobSpec) { .run = run, .done = on_done, .data = request, .free_data = request_free,
                                           .free_result = (GDestroyNotify) wp_checked_free, .user_data = self });
}

void
wp_compare_checks_set_files (WpCompareChecks *self, const char *const *a, const char *const *b)
{
  const char *const *sides[] = { a, b };

  for (guint side = 0; side < 2; side++)
    {
      g_strfreev (self->files[side]);
      self->files[side] = g_strdupv ((char **) sides[side]);
    }
  self->wanted = TRUE;
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
  wp_job_drop (&WP_COMPARE_CHECKS (object)->job);
  G_OBJECT_CLASS (wp_compare_checks_parent_class)->dispose (object);
}

static void
wp_compare_checks_finalize (GObject *object)
{
  WpCompareChecks *self = WP_COMPARE_CHECKS (object);

  g_strfreev (self->files[0]);
  g_strfreev (self->files[1]);
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

GtkWidget *
wp_compare_checks_new (void)
{
  return g_object_new (WP_TYPE_COMPARE_CHECKS, NULL);
}
