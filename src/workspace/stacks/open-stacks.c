#include "workspace/stacks/open-stacks.h"

#include "paths/stacks.h"
#include "profile/model/document.h"
#include "profile/model/profile-stacks.h"
#include "read/read.h"
#include "read/symbols/stacks-symbols.h"
#include "stacks/formats.h"
#include "trace/trace-stacks.h"

/* --- explained processes ------------------------------------------------------------------------------------------ */

static WpStacks *
stacks_of_paths (const WpPaths *paths, const WpDepthChoice *depth, WpProgress *progress, GError **error)
{
  g_autoptr (WpExplanation) explanation = wp_explain (paths, 0, G_MAXINT64, progress, error);

  return explanation != NULL ? wp_paths_stacks (paths, explanation, depth != NULL ? *depth : (WpDepthChoice) { 0 }, progress, error) : NULL;
}

/* Of a recording or a saved explanation. */
static WpStacks *
open_explained (const char *path, const char *task, const WpDepthChoice *depth, WpProgress *progress, GError **error)
{
  g_autoptr (WpDocument) document = wp_document_open (path, NULL, progress, error);
  WpPathOptions options = WP_PATH_OPTIONS_DEFAULT;
  WpStacks *stacks = NULL;
  WpPaths *paths;
  gboolean owned;

  if (document == NULL)
    return NULL;
  if (document->saved == NULL)
    wp_document_name (document, NULL, progress, NULL);
  paths = wp_document_paths (document, task, &options, &owned, progress, error);
  if (paths != NULL)
    stacks = stacks_of_paths (paths, depth, progress, error);
  else
    g_prefix_error (error, "%s: ", path);
  if (paths != NULL && owned)
    wp_paths_free (paths);
  return stacks;
}

/* --- whole recordings --------------------------------------------------------------------------------------------- */

static WpStacks *
open_recording (const char *path, WpProgress *progress, GError **error)
{
  const WpReadOptions options = { .all_samples = TRUE };
  g_autoptr (WpTrace) trace = wp_read (path, &options, progress, error);
  GError *problem = NULL;

  if (trace == NULL)
    return NULL;
  wp_read_symbols (trace, &options, progress, &problem);
  if (problem != NULL)
    {
      g_propagate_error (error, problem);
      return NULL;
    }
  return wp_trace_stacks (trace, progress, error);
}

/* --- profiles ----------------------------------------------------------------------------------------------------- */

/* Of Perun's format: ours, or any other profile. */
static WpStacks *
open_perun (const char *path, WpProgress *progress, GError **error)
{
  g_autoptr (GError) wrong = NULL;
  WpStacks *stacks = open_explained (path, NULL, NULL, progress, &wrong);
  g_autoptr (WpProfile) profile = NULL;

  if (stacks == NULL && g_error_matches (wrong, WP_JSON_ERROR, WP_JSON_ERROR_FOREIGN))
    profile = wp_profile_load (path, progress, error);
  else if (stacks == NULL)
    g_propagate_error (error, g_steal_pointer (&wrong));
  return profile != NULL ? wp_profile_stacks (profile, progress, error) : stacks;
}

WpStacks *
wp_open_stacks_profile (const char *path, WpProgress *progress, GError **error)
{
  g_autoptr (WpStacks) stacks = wp_stacks_open (path, NULL, progress, error);

  return stacks != NULL ? wp_read_stacks_symbols (stacks, NULL, progress, error) : NULL;
}

static WpStacks *
open_json (const char *path, WpProgress *progress, GError **error)
{
  g_autoptr (GError) wrong = NULL;
  WpStacks *stacks = wp_open_stacks_profile (path, progress, &wrong);

  if (stacks == NULL && g_error_matches (wrong, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED))
    return open_perun (path, progress, error);
  if (stacks == NULL)
    g_propagate_error (error, g_steal_pointer (&wrong));
  return stacks;
}

WpStacks *
wp_open_stacks (const char *path, const char *task, const WpDepthChoice *depth, WpProgress *progress, GError **error)
{
  if (task != NULL || depth != NULL)
    return open_explained (path, task, depth, progress, error);
  switch (wp_sniff (path, NULL))
    {
    case WP_FORMAT_PERF_FILE:
    case WP_FORMAT_PERF_STREAM:
    case WP_FORMAT_PERF_SCRIPT:
      return open_recording (path, progress, error);
    case WP_FORMAT_PERUN:
      return open_json (path, progress, error);
    default:
      return wp_open_stacks_profile (path, progress, error);
    }
}
