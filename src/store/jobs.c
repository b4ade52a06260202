#include "store/jobs.h"

#define JOBS_LIMIT 10000

/* Of a list that is not there or empty: one line, the empty one. */
static char **
lines_of (const WpStore *self, const char *path)
{
  static const char *const empty[] = { "", NULL };
  char **lines = wp_store_setting_list (self, path);

  if (lines[0] != NULL)
    return lines;
  g_strfreev (lines);
  return g_strdupv ((char **) empty);
}

/* --- jobs ---------------------------------------------------------------------------------------------------------------- */

WpStoreJob *
wp_store_job_new (char **command)
{
  WpStoreJob *job = g_new0 (WpStoreJob, 1);

  job->command = g_strdupv (command);
  return job;
}

WpStoreJob *
wp_store_job_copy (const WpStoreJob *job)
{
  WpStoreJob *copy = wp_store_job_new (job->command);

  copy->cmd = g_strdup (job->cmd);
  copy->args = g_strdup (job->args);
  copy->workload = g_strdup (job->workload);
  return copy;
}

void
wp_store_job_free (WpStoreJob *job)
{
  g_strfreev (job->command);
  g_free (job->cmd);
  g_free (job->args);
  g_free (job->workload);
  g_free (job);
}

/* "cmd args workload", the empty ones left out. */
char *
wp_store_job_line (const WpStoreJob *job)
{
  const char *const parts[] = { job->cmd, job->args, job->workload };
  g_autoptr (GString) line = g_string_new (NULL);

  if (job->cmd == NULL)
    return g_strjoinv (" ", job->command);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (*parts[i] != '\0')
      g_string_append_printf (line, "%s%s", line->len > 0 ? " " : "", parts[i]);
  return g_string_free (g_steal_pointer (&line), FALSE);
}

/* The line is taken apart as the shell does it; an empty one is no job. */
static gboolean
add_job (GPtrArray *jobs, const WpStore *self, const char *cmd, const char *args, const char *workload, GError **error)
{
  WpStoreJob *job = g_new0 (WpStoreJob, 1);
  g_autofree char *line = NULL;

  job->cmd = g_strstrip (g_strdup (cmd));
  job->args = g_strstrip (g_strdup (args));
  job->workload = g_strstrip (g_strdup (workload));
  line = wp_store_job_line (job);
  if (*line != '\0' && g_shell_parse_argv (line, NULL, &job->command, error))
    {
      g_ptr_array_add (jobs, job);
      return TRUE;
    }
  wp_store_job_free (job);
  if (*line != '\0')
    g_prefix_error (error, "%s/local.yml: cmds: “%s”: ", wp_store_folder (self), line);
  return *line == '\0';
}

/* Three short lists make more than anybody has time for. */
static gboolean
check_size (const WpStore *self, char **cmds, char **workloads, char **args, GError **error)
{
  guint64 n = (guint64) g_strv_length (cmds) * g_strv_length (workloads) * g_strv_length (args);

  if (n <= JOBS_LIMIT)
    return TRUE;
  g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_DAMAGED,
               "%s/local.yml: cmds: with all args and workloads these are %" G_GUINT64_FORMAT " things to be run; at most %d are taken",
               wp_store_folder (self), n, JOBS_LIMIT);
  return FALSE;
}

GPtrArray *
wp_store_jobs (const WpStore *self, GError **error)
{
  g_auto (GStrv) cmds = wp_store_setting_list (self, "cmds");
  g_auto (GStrv) workloads = lines_of (self, "workloads"), args = lines_of (self, "args");
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_store_job_free);

  if (!check_size (self, cmds, workloads, args, error))
    return NULL;
  for (char **cmd = cmds; *cmd != NULL; cmd++)
    for (char **workload = workloads; *workload != NULL; workload++)
      for (char **line = args; *line != NULL; line++)
        if (!add_job (jobs, self, *cmd, *line, *workload, error))
          return NULL;
  if (jobs->len > 0)
    return g_steal_pointer (&jobs);
  g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_NOT_FOUND, "%s/local.yml: cmds: no program is named; list what is to be profiled there",
               wp_store_folder (self));
  return NULL;
}

char *
wp_store_build_line (const WpStore *self)
{
  g_auto (GStrv) lines = wp_store_setting_list (self, "execute.pre_run");

  return lines[0] != NULL ? g_strjoinv (" && ", lines) : NULL;
}

/* --- postprocessors ---------------------------------------------------------------------------------------------------- */

/* Of one place in the list; `path` is "postprocessors.0". */
static gboolean
set_params (const WpStore *self, const char *path, WpPostprocess *step, GError **error)
{
  g_autofree char *params = g_strconcat (path, ".params", NULL);
  g_auto (GStrv) keys = wp_store_setting_keys (self, params);

  for (char **key = keys; *key != NULL; key++)
    {
      g_autofree char *at = g_strjoin (".", params, *key, NULL), *value = NULL;
      g_auto (GStrv) values = wp_store_setting_list (self, at);

      value = g_strjoinv (",", values);
      if (!wp_postprocess_set (step, *key, value, error))
        {
          g_prefix_error (error, "%s/local.yml: %s: ", wp_store_folder (self), at);
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
add_postprocess (GArray *steps, const WpStore *self, const char *place, GError **error)
{
  g_autofree char *path = g_strconcat ("postprocessors.", place, NULL), *at = g_strconcat (path, ".name", NULL);
  const char *name = wp_store_setting (self, at);
  WpPostprocess step;

  if (name == NULL || !wp_postprocess_find (name, &step))
    {
      g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_NOT_FOUND,
                   name != NULL ? "%s/local.yml: %s: there is no postprocessor “%s”, only regression_analysis, normalizer, clusterizer and filter"
                                : "%s/local.yml: %s: missing; write “- name: NAME”",
                   wp_store_folder (self), at, name);
      return FALSE;
    }
  if (!set_params (self, path, &step, error))
    return FALSE;
  g_array_append_val (steps, step);
  return TRUE;
}

GArray *
wp_store_postprocesses (const WpStore *self, GError **error)
{
  g_auto (GStrv) places = wp_store_setting_keys (self, "postprocessors");
  g_autoptr (GArray) steps = g_array_new (FALSE, FALSE, sizeof (WpPostprocess));

  for (char **place = places; *place != NULL; place++)
    if (!add_postprocess (steps, self, *place, error))
      return NULL;
  return g_steal_pointer (&steps);
}

/* --- collectors -------------------------------------------------------------------------------------------------------- */

/* The name of a collector by its place in the list, or NULL. */
static const char *
collector_name (const WpStore *self, const char *place)
{
  g_autofree char *path = g_strdup_printf ("collectors.%s.name", place);

  return wp_store_setting (self, path);
}

const char *
wp_store_collector_param (const WpStore *self, const char *key)
{
  g_auto (GStrv) places = wp_store_setting_keys (self, "collectors");

  for (char **place = places; *place != NULL; place++)
    if (g_strcmp0 (collector_name (self, *place), "wakepath") == 0)
      {
        g_autofree char *path = g_strdup_printf ("collectors.%s.params.%s", *place, key);

        return wp_store_setting (self, path);
      }
  return NULL;
}

const char *
wp_store_foreign_collector (const WpStore *self)
{
  g_auto (GStrv) places = wp_store_setting_keys (self, "collectors");

  for (char **place = places; *place != NULL; place++)
    if (g_strcmp0 (collector_name (self, *place), "wakepath") != 0)
      return collector_name (self, *place);
  return NULL;
}
