/* postprocess: models of a profile's amounts, or its resources changed; the result is a profile again. */
#include "cli/command.h"
#include "cli/named.h"
#include "cli/profiles.h"
#include "profile/model/postprocessors.h"

#include <string.h>

typedef struct
{
  char *method, *models, *of, *per, *steps, *strategy, *width, *height, *output;
  int seed;
  gboolean no_shuffle;
} Options;

/* --- what is asked for ------------------------------------------------------------------------------------------------ */

/* "5" is absolute, "25%" relative. */
static gboolean
set_measure (WpPostprocess *what, const char *text, const char *number, const char *measure, GError **error)
{
  gboolean relative = g_str_has_suffix (text, "%");
  g_autofree char *value = g_strndup (text, strlen (text) - (relative ? 1 : 0));
  char share[G_ASCII_DTOSTR_BUF_SIZE];

  if (!relative || !wp_postprocess_set (what, number, value, NULL))
    return wp_postprocess_set (what, number, text, error) && wp_postprocess_set (what, measure, "absolute", error);
  g_ascii_dtostr (share, sizeof share, g_ascii_strtod (value, NULL) / 100);
  return wp_postprocess_set (what, number, share, error) && wp_postprocess_set (what, measure, "relative", error);
}

static gboolean
take_options (WpPostprocess *what, const Options *options, GError **error)
{
  const struct
  {
    const char *option, *text, *param, *measure;
  } given[] = {
    { "--method", options->method, "method", NULL },
    { "--models", options->models, "regression_models", NULL },
    { "--steps", options->steps, "steps", NULL },
    { "--of", options->of, "of_key", NULL },
    { "--per", options->per, "per_key", NULL },
    { "--strategy", options->strategy, "strategy", NULL },
    { "--width", options->width, "window_width", "width_measure" },
    { "--height", options->height, "window_height", "height_measure" },
  };

  what->regression.seed = (guint32) options->seed;
  what->regression.shuffle = !options->no_shuffle;
  for (guint i = 0; i < G_N_ELEMENTS (given); i++)
    {
      gboolean taken = given[i].text == NULL
                       || (given[i].measure != NULL ? set_measure (what, given[i].text, given[i].param, given[i].measure, error)
                                                    : wp_postprocess_set (what, given[i].param, given[i].text, error));

      if (!taken)
        {
          g_prefix_error (error, "%s: ", given[i].option);
          return FALSE;
        }
    }
  return TRUE;
}

static void
apply (const WpPostprocess *what, WpProfile *profile)
{
  guint32 skipped = wp_postprocess_run (what, profile);

  if (skipped > 0)
    g_printerr ("wakepath-cli: %s: %u uids have too few points of “%s” by “%s” for models\n", profile->path, skipped, what->regression.of,
                what->regression.per);
}

/* --- the command ------------------------------------------------------------------------------------------------------ */

/* What was registered stays what it is: what is made of it is pending, as one of the same commit. */
static gboolean
save_pending (WpCliNames *names, const WpCliNamed *named, GError **error)
{
  g_autofree char *path = wp_store_add_pending (names->store.store, named->file, named->commit, NULL, error);

  if (path != NULL)
    g_print ("%s\n", path);
  return path != NULL;
}

/* A file of the user's own, which may be changed: what standard input comes from is not named by who wrote "-". */
static gboolean
has_place (const Options *options, const WpCliNamed *named)
{
  return options->output != NULL || (!g_str_has_prefix (named->file, "/dev/") && !g_str_has_prefix (named->file, "/proc/"));
}

static int
run (gpointer data, int n G_GNUC_UNUSED, char **operands)
{
  const Options *options = data;
  const char *spec = operands[0], *name = operands[1];
  g_auto (WpCliNames) names = { 0 };
  g_autoptr (WpCliNamed) named = NULL;
  g_autoptr (WpProfile) profile = NULL;
  g_autoptr (GError) wrong = NULL;
  WpPostprocess what;
  GError *error = NULL;
  int status;

  if (!wp_postprocess_find (name, &what))
    return wp_cli_usage ("there is no postprocessor “%s”", name);
  if (!take_options (&what, options, &wrong))
    return wp_cli_usage ("%s", wrong->message);
  named = wp_cli_names_one (&names, spec, &status);
  if (named != NULL && !has_place (options, named))
    return wp_cli_usage ("%s: where is the result to be written? Name a file with -o", spec);
  profile = named != NULL ? wp_cli_named_profile (named, &status) : NULL;
  if (profile == NULL)
    return status;
  apply (&what, profile);
  if (!wp_profile_save (profile, options->output != NULL ? options->output : named->file, &error)
      || (options->output == NULL && named->entry != NULL && *named->entry->sha1 != '\0' && !save_pending (&names, named, &error)))
    return wp_cli_fail (error);
  return 0;
}

static const WpOption rows[] = {
  { "method", 0, G_OPTION_ARG_STRING, offsetof (Options, method), "full|iterative|interval|initial_guess|bisection",
    "How the regression analysis finds the best model" },
  { "models", 0, G_OPTION_ARG_STRING, offsetof (Options, models), "NAME,…",
    "What it looks for: constant, linear, quadratic, logarithmic, power, exponential; or all" },
  WP_OPTION_OF (Options, of),
  { "per", 0, G_OPTION_ARG_STRING, offsetof (Options, per), "KEY", "The field that these depend on" },
  { "steps", 0, G_OPTION_ARG_STRING, offsetof (Options, steps), "N", "How many parts the stepwise methods have" },
  { "seed", 0, G_OPTION_ARG_INT, offsetof (Options, seed), "N", "Another order in which points are taken" },
  { "no-shuffle", 0, G_OPTION_ARG_NONE, offsetof (Options, no_shuffle), NULL, "Take points in the order in which they are" },
  { "strategy", 0, G_OPTION_ARG_STRING, offsetof (Options, strategy), "sort_order|sliding_window", "How the clusterizer groups resources" },
  { "width", 0, G_OPTION_ARG_STRING, offsetof (Options, width), "N|N%", "How many resources a window of the clusterizer has at most" },
  { "height", 0, G_OPTION_ARG_STRING, offsetof (Options, height), "N|N%", "How far apart the amounts in a window may be" },
  { "output", 'o', G_OPTION_ARG_FILENAME, offsetof (Options, output), "FILE", "Write to this file instead" },
  WP_OPTION_END,
};

const WpCommand wp_cmd_postprocess = {
  .name = "postprocess",
  .group = WP_GROUP_PROFILES,
  .operands = "PROFILE regression-analysis|normalizer|filter|clusterizer",
  .summary = "Models of a profile's amounts, or its resources changed",
  .description = "A file is changed itself; what is made of a registered profile is pending. A saved recording that was normalized explains no process any "
                 "more: shares are no times.",
  .options = rows,
  .size = sizeof (Options),
  .least = 2,
  .most = 2,
  .run = run,
};
