/* From a recording to a registered profile, and which profiles a commit has already. In a thread. */
#include "record/range-private.h"

#include "profile/document.h"
#include "profile/perun.h"

#include <glib/gstdio.h>

/* --- what is wanted -------------------------------------------------------------------------------------------------- */

/* How many of a commit's profiles are of this command. */
static guint
count_of (const GPtrArray *entries, char **command)
{
  g_autofree char *line = g_strjoinv (" ", command);
  guint n = 0;

  for (guint i = 0; i < entries->len; i++)
    {
      const WpStoreEntry *entry = entries->pdata[i];
      g_autofree char *its = g_strconcat (entry->cmd, *entry->args != '\0' ? " " : "", entry->args, NULL);

      n += g_str_equal (entry->collector, "wakepath") && g_str_equal (its, line);
    }
  return n;
}

/* What is wanted of each command, and has not been made before. */
gboolean
wp_range_count_profiles (WpRange *self, GError **error)
{
  g_autoptr (GPtrArray) entries = wp_store_registered (self->store, wp_range_current (self)->hash, error);

  if (entries == NULL)
    return FALSE;
  for (guint i = 0; i < self->jobs->len; i++)
    {
      WpRangeJob *job = &g_array_index (self->jobs, WpRangeJob, i);

      job->wanted = MAX (self->options.repeat, 1);
      if (!self->options.again)
        job->wanted -= MIN (job->wanted, count_of (entries, job->command));
    }
  self->job = 0;
  return TRUE;
}

/* The command that profiles are still wanted of, or NULL. */
char **
wp_range_next_command (WpRange *self)
{
  for (; self->job < self->jobs->len; self->job++)
    if (g_array_index (self->jobs, WpRangeJob, self->job).wanted > 0)
      return g_array_index (self->jobs, WpRangeJob, self->job).command;
  return NULL;
}

/* --- what is made ---------------------------------------------------------------------------------------------------- */

char *
wp_range_recording_path (const WpRange *self)
{
  return g_build_filename (self->base, WP_RANGE_RECORDING_FILE, NULL);
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

gboolean
wp_range_explain_and_register (WpRange *self, GError **error)
{
  WpRangeCommit *commit = wp_range_current (self);
  g_autofree char *recording = wp_range_recording_path (self), *pending = NULL;
  g_autofree char *profile = g_build_filename (self->base, WP_RANGE_PROFILE_FILE, NULL);
  gboolean done = explain (self, profile, error);
  char sha1[41];

  g_unlink (recording);
  if (done)
    pending = wp_store_add_pending (self->store, profile, commit->hash, NULL, error);
  g_unlink (profile);
  return pending != NULL && wp_store_add (self->store, commit->hash, pending, 0, sha1, error);
}
