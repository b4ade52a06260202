#include "app/record/range-jobs.h"

#include <glib/gi18n.h>

struct WpRangeJobs
{
  AdwComboRow *which;
  AdwEntryRow *command;
  GPtrArray *matrix;       /* WpStoreJob; may be empty */
  GPtrArray *chosen;       /* what was chosen last */
  GArray *postprocesses;   /* of the matrix */
  WpRangeOptions settings; /* rate, duration, stacks */
  char *problem;           /* what is wrong with local.yml; then it offers nothing */
};

/* Above the rows of the matrix stands what means all of them, where there are several; below them what means none. */
static guint
rows_above (const WpRangeJobs *self)
{
  return self->matrix->len > 1;
}

gboolean
wp_range_jobs_is_typed (const WpRangeJobs *self)
{
  return adw_combo_row_get_selected (self->which) >= rows_above (self) + self->matrix->len;
}

/* --- what local.yml says ---------------------------------------------------------------------------------------------- */

static GPtrArray *
new_jobs (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_job_free);
}

static gboolean
read_settings (WpRangeJobs *self, const WpStore *store, GError **error)
{
  g_auto (GStrv) cmds = wp_store_setting_list (store, "cmds");
  GPtrArray *matrix = cmds[0] != NULL ? wp_store_jobs (store, error) : new_jobs ();

  if (matrix == NULL)
    return FALSE;
  g_ptr_array_unref (self->matrix);
  self->matrix = matrix;
  self->postprocesses = matrix->len > 0 ? wp_store_postprocesses (store, error) : NULL;
  return (self->postprocesses != NULL || matrix->len == 0) && wp_range_take_settings (&self->settings, store, error);
}

static void
fill (WpRangeJobs *self)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  g_autofree char *all = g_strdup_printf (ngettext ("All %u of local.yml", "All %u of local.yml", self->matrix->len), self->matrix->len);

  if (rows_above (self) > 0)
    gtk_string_list_append (list, all);
  for (guint i = 0; i < self->matrix->len; i++)
    gtk_string_list_take (list, wp_store_job_line (self->matrix->pdata[i]));
  gtk_string_list_append (list, _("Another command"));
  adw_combo_row_set_model (self->which, G_LIST_MODEL (list));
  gtk_widget_set_visible (GTK_WIDGET (self->which), self->matrix->len > 0 || self->problem != NULL);
}

WpRangeJobs *
wp_range_jobs_new (const WpStore *store, AdwComboRow *which, AdwEntryRow *command)
{
  WpRangeJobs *self = g_new0 (WpRangeJobs, 1);
  g_autoptr (GError) error = NULL;

  self->which = which;
  self->command = command;
  self->matrix = new_jobs ();
  if (!read_settings (self, store, &error))
    {
      self->problem = g_strdup (error->message);
      g_ptr_array_set_size (self->matrix, 0);
    }
  fill (self);
  return self;
}

void
wp_range_jobs_free (WpRangeJobs *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->matrix);
  g_clear_pointer (&self->chosen, g_ptr_array_unref);
  g_clear_pointer (&self->postprocesses, g_array_unref);
  g_free (self->problem);
  g_free (self);
}

/* --- what is chosen --------------------------------------------------------------------------------------------------- */

static char *
describe (const WpRangeJobs *self)
{
  g_autoptr (GString) names = g_string_new (NULL);

  if (self->problem != NULL || wp_range_jobs_is_typed (self))
    return g_strdup (self->problem != NULL ? self->problem : "");
  for (guint i = 0; i < self->postprocesses->len; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "",
                            wp_postprocessor_name (g_array_index (self->postprocesses, WpPostprocess, i).which));
  return names->len > 0 ? g_strdup_printf (_("Postprocessed: %s"), names->str) : g_strdup ("");
}

gboolean
wp_range_jobs_update (WpRangeJobs *self)
{
  g_autofree char *text = describe (self);
  g_auto (GStrv) words = NULL;

  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->which), text);
  gtk_widget_set_visible (GTK_WIDGET (self->command), wp_range_jobs_is_typed (self));
  return !wp_range_jobs_is_typed (self) || g_shell_parse_argv (gtk_editable_get_text (GTK_EDITABLE (self->command)), NULL, &words, NULL);
}

/* What is chosen; a range may live longer than we do. */
static GPtrArray *
chosen_jobs (const WpRangeJobs *self)
{
  guint at = adw_combo_row_get_selected (self->which), above = rows_above (self);
  g_auto (GStrv) words = NULL;
  GPtrArray *jobs;

  if (at < above)
    return g_ptr_array_ref (self->matrix);
  jobs = new_jobs ();
  if (!wp_range_jobs_is_typed (self))
    g_ptr_array_add (jobs, wp_store_job_copy (self->matrix->pdata[at - above]));
  else if (g_shell_parse_argv (gtk_editable_get_text (GTK_EDITABLE (self->command)), NULL, &words, NULL))
    g_ptr_array_add (jobs, wp_store_job_new (words));
  return jobs;
}

void
wp_range_jobs_choose (WpRangeJobs *self, WpRangeOptions *options)
{
  g_clear_pointer (&self->chosen, g_ptr_array_unref);
  self->chosen = chosen_jobs (self);
  options->jobs = self->chosen;
  options->postprocesses = wp_range_jobs_is_typed (self) ? NULL : self->postprocesses;
  options->rate = self->settings.rate;
  options->duration = self->settings.duration;
  options->stacks = self->settings.stacks;
}
