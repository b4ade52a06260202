#include "store/jobs.h"

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

/* "cmd args workload", the empty ones left out, taken apart as the shell does it. */
static gboolean
add_job (GPtrArray *jobs, const WpStore *self, const char *cmd, const char *args, const char *workload, GError **error)
{
  const char *const parts[] = { cmd, args, workload };
  g_autoptr (GString) line = g_string_new (NULL);
  char **words = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      g_autofree char *part = g_strstrip (g_strdup (parts[i]));

      if (*part != '\0')
        g_string_append_printf (line, "%s%s", line->len > 0 ? " " : "", part);
    }
  if (line->len == 0)
    return TRUE;
  if (!g_shell_parse_argv (line->str, NULL, &words, error))
    {
      g_prefix_error (error, "%s/local.yml: cmds: “%s”: ", wp_store_folder (self), line->str);
      return FALSE;
    }
  g_ptr_array_add (jobs, words);
  return TRUE;
}

GPtrArray *
wp_store_jobs (const WpStore *self, GError **error)
{
  g_auto (GStrv) cmds = wp_store_setting_list (self, "cmds");
  g_auto (GStrv) workloads = lines_of (self, "workloads"), args = lines_of (self, "args");
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);

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
