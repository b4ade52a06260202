/* save: what explains one process, as a profile small enough to keep: in a file, or pending in the store. */
#include "base/remove-tree.h"
#include "cli/open.h"
#include "cli/store.h"
#include "profile/perun/perun.h"

typedef struct
{
  WpCliPathOptions paths;
  char *format, *output, *minor;
  gboolean pending;
} Options;

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

  if (wp_vcs_has_commit (wp_store_vcs (store->store), commit))
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
save_pending (const WpPaths *paths, const char *minor)
{
  g_auto (WpCliStore) store = { 0 };
  g_autofree char *folder = NULL, *file = NULL;
  GError *error = NULL;
  int status = wp_cli_store_open (&store, minor, TRUE);

  if (status != 0)
    return status;
  if (minor == NULL)
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
save (const WpPaths *paths, const Options *options)
{
  g_autofree char *file = options->output != NULL ? g_strdup (options->output) : wp_cli_file_of (paths, "perf");
  int status = save_file (paths, file);

  if (status == 0)
    g_print ("%s\n", file);
  return status;
}

static int
run (gpointer data, int n G_GNUC_UNUSED, char **operands)
{
  Options *options = data;
  g_auto (WpCliFile) file = { 0 };
  int status;

  if (options->pending && options->output != NULL)
    return wp_cli_usage ("--pending chooses the name itself; leave out -o");
  if (!options->pending && options->minor != NULL)
    return wp_cli_usage ("--minor goes with --pending");
  status = wp_cli_open_for_paths (&file, operands[0], &options->paths, 0);
  if (status == 0)
    status = wp_cli_find_paths (&file, &options->paths);
  if (status == 0)
    status = options->pending ? save_pending (file.paths, options->minor) : save (file.paths, options);
  return status;
}

static const WpOption rows[] = {
  WP_OPTIONS_PATHS (Options, paths),
  { "pending", 0, G_OPTION_ARG_NONE, offsetof (Options, pending), NULL, "Into the store, as a pending profile" },
  { "minor", 'm', G_OPTION_ARG_STRING, offsetof (Options, minor), "COMMIT", "With *--pending*: of this commit" },
  { "output", 'o', G_OPTION_ARG_FILENAME, offsetof (Options, output), "FILE.perf", "Write to this file" },
  { "format", 'f', G_OPTION_ARG_STRING, offsetof (Options, format), "perf", NULL },
  WP_OPTION_END,
};

const WpCommand wp_cmd_save = {
  .name = "save",
  .group = WP_GROUP_RECORDINGS,
  .operands = "FILE",
  .summary = "What explains one process, as a profile to keep",
  .description = "Without *--task* it is the process of the command that was recorded. The profile is a file that is named after the process where *-o* does not "
                 "say otherwise.\n\n"
                 "With *--pending* it goes into the store instead, as a pending profile of the commit that was recorded, or of HEAD where "
                 "the recording does not say; with _profiles.register_after_run_ in local.yml it is registered at once.",
  .options = rows,
  .size = sizeof (Options),
  .least = 1,
  .most = 1,
  .run = run,
};
