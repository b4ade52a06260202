/* save: what explains one process, as a profile small enough to keep: in a file, or pending in the store. */
#include "base/remove-tree.h"
#include "cli/command.h"
#include "cli/open.h"
#include "cli/store.h"
#include "profile/perun/perun.h"

/* Options of this command alone. */
static gboolean pending;
static char *minor;

static int
save_file (const WpPaths *paths, const char *file)
{
  GError *error = NULL;
  g_autoptr (WpExplanation) explanation = wp_explain (paths, 0, G_MAXINT64, NULL, NULL);

  if (!wp_perun_save (file, paths, explanation, NULL, &error))
    return wp_cli_fail (error);
  return 0;
}

static const char *
recorded (const WpTrace *trace, const char *key)
{
  return trace->extra != NULL ? g_hash_table_lookup (trace->extra, key) : NULL;
}

/* What was recorded at another commit of this repository belongs to that one. */
static void
find_commit (WpCliStore *store, const WpTrace *trace)
{
  const char *commit = recorded (trace, "commit");

  if (minor == NULL && wp_vcs_has_commit (wp_store_vcs (store->store), commit))
    g_strlcpy (store->minor, commit, sizeof store->minor);
}

/* Whether files that are under version control were changed since their commit when it was recorded, or, for what does not say so of that
 * commit, are changed now. */
static gboolean
is_dirty (const WpCliStore *store, const WpTrace *trace)
{
  const char *said = recorded (trace, "dirty");
  gboolean dirty = FALSE;

  if (said != NULL && g_strcmp0 (recorded (trace, "commit"), store->minor) == 0)
    return g_str_equal (said, "true");
  return wp_vcs_is_dirty (wp_store_vcs (store->store), &dirty, NULL) && dirty;
}

static void
warn_of_changes (const WpCliStore *store, const WpTrace *trace)
{
  if (is_dirty (store, trace))
    g_printerr ("wakepath-cli: files of %s had changes that are not committed: what ran was not quite commit %.8s, which the profile is "
                "kept with\n", wp_vcs_folder (wp_store_vcs (store->store)), store->minor);
}

/* As the settings want it: pending, or registered at once. */
static int
add (WpCliStore *store, const char *file)
{
  GError *error = NULL;
  char sha1[41];
  g_autofree char *path = wp_store_keep (store->store, file, store->minor, sha1, NULL, &error);

  if (path == NULL)
    return wp_cli_fail (error);
  if (*sha1 != '\0')
    g_print ("%s: registered with commit %.8s as %s\n", path, store->minor, sha1);
  else
    g_print ("%s\n", path);
  return 0;
}

static int
save_pending (const WpPaths *paths)
{
  g_auto (WpCliStore) store = { 0 };
  g_autofree char *folder = NULL, *file = NULL;
  GError *error = NULL;
  int status = wp_cli_store_open (&store, minor, TRUE);

  if (status != 0)
    return status;
  find_commit (&store, paths->trace);
  folder = g_dir_make_tmp ("wakepath-XXXXXX", &error);
  if (folder == NULL)
    return wp_cli_fail (error);
  file = g_build_filename (folder, "saving.perf", NULL);
  status = save_file (paths, file);
  if (status == 0)
    status = add (&store, file);
  if (status == 0)
    warn_of_changes (&store, paths->trace);
  wp_remove_made_folder (folder);
  wp_cli_store_notice (&store);
  return status;
}

static int
save (WpDocument *document, const WpPaths *paths, const WpCliOptions *options)
{
  g_autofree char *file = g_strdup (options->output);
  int status;

  (void) document;
  if (pending && file != NULL)
    return wp_cli_usage ("save", "--pending chooses the name itself; leave out -o");
  if (!pending && minor != NULL)
    return wp_cli_usage ("save", "--minor goes with --pending");
  if (pending)
    return save_pending (paths);
  if (file == NULL)
    file = wp_cli_file_of (paths, "perf");
  status = save_file (paths, file);
  if (status == 0)
    g_print ("%s\n", file);
  return status;
}

int
wp_cmd_save (int argc, char **argv)
{
  static const char *const formats[] = { "perf", NULL };
  const GOptionEntry entries[] = {
    { "pending", 0, 0, G_OPTION_ARG_NONE, &pending, "Into the store, as a pending profile", NULL },
    { "minor", 'm', 0, G_OPTION_ARG_STRING, &minor, "With --pending: of which commit", "COMMIT" },
    { NULL },
  };
  int status = wp_cli_with_paths (argc, argv, formats, entries, save);

  g_clear_pointer (&minor, g_free);
  return status;
}
