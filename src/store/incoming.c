#include "store/incoming.h"

#include "read/read.h"
#include "read/symbols/stacks-symbols.h"
#include "stacks/formats.h"
#include "stacks/perun.h"
#include "stacks/proportion.h"
#include "store/store.h"
#include "trace/trace-stacks.h"

/* By task switches waits are told. */
static gboolean
has_switches (const WpTrace *trace)
{
  for (guint32 i = 0; i < trace->events.len; i++)
    if (g_str_equal (wp_trace_string (trace, trace->events.data[i].name), "sched:sched_switch"))
      return TRUE;
  return FALSE;
}

static WpStacks *
read_recording (const char *path, WpProgress *progress, GError **error)
{
  const WpReadOptions options = { .all_samples = TRUE };
  g_autoptr (WpTrace) trace = wp_read (path, &options, progress, error);
  GError *problem = NULL;

  if (trace == NULL)
    return NULL;
  if (has_switches (trace))
    g_set_error (&problem, WP_STORE_ERROR, WP_STORE_ERROR_PROFILE, "%s: a recording of many processes; “save” makes a profile of one of them", path);
  else
    wp_read_symbols (trace, &options, progress, &problem);
  if (problem == NULL)
    return wp_trace_stacks (trace, progress, error);
  g_propagate_error (error, problem);
  return NULL;
}

/* NULL without an error: it is none of these. */
static WpStacks *
read_stacks (const char *path, WpProgress *progress, GError **error)
{
  g_autoptr (WpStacks) stacks = NULL;
  g_autoptr (GError) wrong = NULL;
  WpFormat format = wp_sniff (path, NULL);

  if (format == WP_FORMAT_PERF_FILE || format == WP_FORMAT_PERF_STREAM || format == WP_FORMAT_PERF_SCRIPT)
    return read_recording (path, progress, error);
  stacks = wp_stacks_open (path, NULL, progress, &wrong);
  if (stacks != NULL)
    return wp_read_stacks_symbols (stacks, NULL, progress, error);
  if (!g_error_matches (wrong, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED))
    g_propagate_error (error, g_steal_pointer (&wrong));
  return NULL;
}

/* The file's name says what was run where nothing else does. */
static WpProfile *
convert (const WpStacks *stacks, const char *path, WpProgress *progress, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autoptr (GString) text = NULL;

  if (stacks->types.len == 0)
    {
      g_set_error (error, WP_STORE_ERROR, WP_STORE_ERROR_PROFILE, "%s: the profile has no values", path);
      return NULL;
    }
  if (!wp_stacks_check_proportion (stacks, WP_EACH_SAMPLE, error))
    {
      g_prefix_error (error, "%s: ", path);
      return NULL;
    }
  text = wp_perun_text (stacks, name, progress, error);
  return text != NULL ? wp_profile_parse (path, text->str, text->len, progress, error) : NULL;
}

WpProfile *
wp_store_incoming (const char *path, gboolean *converted, WpProgress *progress, GError **error)
{
  GError *wrong = NULL;
  g_autoptr (WpStacks) stacks = read_stacks (path, progress, &wrong);

  *converted = stacks != NULL;
  if (stacks != NULL)
    return convert (stacks, path, progress, error);
  if (wrong == NULL)
    return wp_profile_load (path, progress, error);
  g_propagate_error (error, wrong);
  return NULL;
}
