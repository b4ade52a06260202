#include "workspace/range/range-matrix.h"

#include <glib/gi18n.h>

struct WpRangeMatrix
{
  GPtrArray *matrix;       /* WpStoreJob; may be empty */
  GPtrArray *chosen;       /* what was chosen last */
  GArray *postprocesses;   /* of the matrix */
  WpRangeOptions settings; /* rate, duration, stacks */
  char *problem;           /* what is wrong with local.yml; then it offers nothing */
};

/* Above the rows of the matrix stands what means all of them, where there are several; below them what means none. */
static guint
rows_above (const WpRangeMatrix *self)
{
  return self->matrix->len > 1;
}

gboolean
wp_range_matrix_is_typed (const WpRangeMatrix *self, guint row)
{
  return row >= rows_above (self) + self->matrix->len;
}

/* --- what local.yml says ---------------------------------------------------------------------------------------------- */

static GPtrArray *
new_jobs (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_job_free);
}

static gboolean
read_settings (WpRangeMatrix *self, const WpStore *store, GError **error)
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

WpRangeMatrix *
wp_range_matrix_new (const WpStore *store)
{
  WpRangeMatrix *self = g_new0 (WpRangeMatrix, 1);
  g_autoptr (GError) error = NULL;

  self->matrix = new_jobs ();
  if (!read_settings (self, store, &error))
    {
      self->problem = g_strdup (error->message);
      g_ptr_array_set_size (self->matrix, 0);
    }
  return self;
}

void
wp_range_matrix_free (WpRangeMatrix *self)
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

char **
wp_range_matrix_names (const WpRangeMatrix *self)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_autofree char *all = g_strdup_printf (ngettext ("All %u of local.yml", "All %u of local.yml", self->matrix->len), self->matrix->len);

  if (rows_above (self) > 0)
    g_strv_builder_add (names, all);
  for (guint i = 0; i < self->matrix->len; i++)
    {
      g_autofree char *line = wp_store_job_line (self->matrix->pdata[i]);

      g_strv_builder_add (names, line);
    }
  g_strv_builder_add (names, _("Another command"));
  return g_strv_builder_end (names);
}

gboolean
wp_range_matrix_offers (const WpRangeMatrix *self)
{
  return self->matrix->len > 0 || self->problem != NULL;
}

char *
wp_range_matrix_describe (const WpRangeMatrix *self, guint row)
{
  g_autoptr (GString) names = g_string_new (NULL);

  if (self->problem != NULL || wp_range_matrix_is_typed (self, row))
    return g_strdup (self->problem != NULL ? self->problem : "");
  for (guint i = 0; i < self->postprocesses->len; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "",
                            wp_postprocessor_name (g_array_index (self->postprocesses, WpPostprocess, i).which));
  return names->len > 0 ? g_strdup_printf (_("Postprocessed: %s"), names->str) : g_strdup ("");
}

gboolean
wp_range_matrix_can_run (const WpRangeMatrix *self, guint row, const char *command)
{
  g_auto (GStrv) words = NULL;

  return !wp_range_matrix_is_typed (self, row) || g_shell_parse_argv (command, NULL, &words, NULL);
}

/* A range may live longer than we do. */
static GPtrArray *
jobs_of (const WpRangeMatrix *self, guint row, const char *command)
{
  guint above = rows_above (self);
  g_auto (GStrv) words = NULL;
  GPtrArray *jobs;

  if (row < above)
    return g_ptr_array_ref (self->matrix);
  jobs = new_jobs ();
  if (!wp_range_matrix_is_typed (self, row))
    g_ptr_array_add (jobs, wp_store_job_copy (self->matrix->pdata[row - above]));
  else if (g_shell_parse_argv (command, NULL, &words, NULL))
    g_ptr_array_add (jobs, wp_store_job_new (words));
  return jobs;
}

void
wp_range_matrix_choose (WpRangeMatrix *self, guint row, const char *command, WpRangeOptions *options)
{
  g_clear_pointer (&self->chosen, g_ptr_array_unref);
  self->chosen = jobs_of (self, row, command);
  options->jobs = self->chosen;
  options->postprocesses = wp_range_matrix_is_typed (self, row) ? NULL : self->postprocesses;
  options->rate = self->settings.rate;
  options->duration = self->settings.duration;
  options->stacks = self->settings.stacks;
}
