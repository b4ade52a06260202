/* From a recording to a registered profile, and which profiles a commit has already. In a thread. */
#include "range/range-private.h"

#include "profile/model/document.h"
#include "profile/perun/perun.h"

/* --- what is wanted -------------------------------------------------------------------------------------------------- */

/* Whether a profile was made, and then changed, as the next one is going to be. */
static gboolean
is_postprocessed_so (const WpRange *self, const WpStoreEntry *entry)
{
  const GArray *steps = self->options.postprocesses;

  if (g_strv_length (entry->postprocessors) != steps->len + 1 || !g_str_equal (entry->postprocessors[0], WP_PERUN_POSTPROCESSOR))
    return FALSE;
  for (guint i = 0; i < steps->len; i++)
    if (!g_str_equal (entry->postprocessors[i + 1], wp_postprocessor_name (g_array_index (steps, WpPostprocess, i).which)))
      return FALSE;
  return TRUE;
}

/* How many of a commit's profiles are of this job. */
static guint
count_of (const WpRange *self, const GPtrArray *entries, const WpStoreJob *job)
{
  g_autofree char *line = wp_store_job_line (job);
  guint n = 0;

  for (guint i = 0; i < entries->len; i++)
    {
      const WpStoreEntry *entry = entries->pdata[i];
      WpStoreJob of = { .cmd = entry->cmd, .args = entry->args, .workload = entry->workload };
      g_autofree char *its = wp_store_job_line (&of);

      n += g_str_equal (entry->collector, "wakepath") && g_str_equal (its, line) && is_postprocessed_so (self, entry);
    }
  return n;
}

gboolean
wp_range_count_profiles (WpRange *self, GError **error)
{
  g_autoptr (GPtrArray) entries = wp_store_registered (self->store, wp_range_current (self)->hash, error);

  if (entries == NULL)
    return FALSE;
  for (guint i = 0; i < self->options.jobs->len; i++)
    {
      self->wanted[i] = MAX (self->options.repeat, 1);
      if (!self->options.again)
        self->wanted[i] -= MIN (self->wanted[i], count_of (self, entries, self->options.jobs->pdata[i]));
    }
  self->job = 0;
  return TRUE;
}

const WpStoreJob *
wp_range_next_job (WpRange *self)
{
  while (self->job < self->options.jobs->len && self->wanted[self->job] == 0)
    self->job++;
  return self->job < self->options.jobs->len ? self->options.jobs->pdata[self->job] : NULL;
}

/* --- what is made ---------------------------------------------------------------------------------------------------- */

char *
wp_range_recording_path (const WpRange *self)
{
  return g_build_filename (wp_work_folder_path (self->work), WP_RANGE_RECORDING_FILE, NULL);
}

/* The recording's own command explained, as a profile in `path`. While the work tree is there: its programs have the symbols. */
static gboolean
explain (const WpRange *self, const char *path, GError **error)
{
  g_autofree char *recording = wp_range_recording_path (self);
  WpProgress progress = { .cancellable = self->cancellable };
  g_autoptr (WpDocument) document = wp_document_open (recording, NULL, &progress, error);
  g_autoptr (WpExplanation) explanation = NULL;
  gboolean owned = FALSE, done;
  WpPaths *paths;

  if (document == NULL)
    return FALSE;
  wp_read_symbols (document->trace, NULL, &progress, NULL);
  paths = wp_document_paths (document, NULL, NULL, &owned, &progress, error);
  explanation = paths != NULL ? wp_explain (paths, 0, G_MAXINT64, &progress, error) : NULL;
  done = explanation != NULL && wp_perun_save (path, paths, explanation, &progress, error);
  if (owned)
    wp_paths_free (paths);
  return done;
}

static void
set_header (WpProfile *profile, const char *key, const char *text)
{
  profile->header = wp_values_set (profile->values, profile->header, key, wp_values_string (profile->values, text));
  profile->changed = TRUE;
}

/* What a job matrix says of it, and wants done to it. */
static gboolean
postprocess (const WpRange *self, const char *path, GError **error)
{
  const WpStoreJob *job = self->options.jobs->pdata[self->job];
  const GArray *steps = self->options.postprocesses;
  WpProgress progress = { .cancellable = self->cancellable };
  g_autoptr (WpProfile) profile = NULL;

  if (steps->len == 0 && job->cmd == NULL)
    return TRUE;
  profile = wp_profile_load (path, &progress, error);
  if (profile == NULL)
    return FALSE;
  if (job->cmd != NULL)
    {
      set_header (profile, "cmd", job->cmd);
      set_header (profile, "args", job->args);
      set_header (profile, "workload", job->workload);
    }
  for (guint i = 0; i < steps->len; i++)
    wp_postprocess_run (&g_array_index (steps, WpPostprocess, i), profile);
  return wp_profile_save (profile, path, error);
}

gboolean
wp_range_explain_and_register (WpRange *self, GError **error)
{
  WpRangeCommit *commit = wp_range_current (self);
  g_autofree char *profile = g_build_filename (wp_work_folder_path (self->work), WP_RANGE_PROFILE_FILE, NULL), *pending = NULL;
  gboolean done = explain (self, profile, error) && postprocess (self, profile, error);
  char sha1[41];

  wp_work_folder_unlink (self->work, WP_RANGE_RECORDING_FILE);
  if (done)
    pending = wp_store_add_pending (self->store, profile, commit->hash, NULL, error);
  wp_work_folder_unlink (self->work, WP_RANGE_PROFILE_FILE);
  return pending != NULL && wp_store_add (self->store, commit->hash, pending, 0, sha1, error);
}
