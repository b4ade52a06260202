/* postprocess: models of a profile's amounts, or its resources changed; the result is a profile again. */
#include "cli/command.h"
#include "cli/named.h"
#include "cli/open.h"
#include "cli/profiles.h"
#include "cli/store.h"
#include "profile/postprocess.h"
#include "profile/regression.h"

typedef struct
{
  char *method, *models, *of, *per, *strategy, *width, *height, *output;
  int steps, seed;
  gboolean no_shuffle;
} Options;

/* --- the postprocessors ----------------------------------------------------------------------------------------------- */

static gboolean
refuse (GError **error, const char *option, const char *text)
{
  g_set_error (error, WP_JSON_ERROR, WP_JSON_ERROR_VALUE, "%s: “%s” is none of its values", option, text);
  return FALSE;
}

static gboolean
parse_models (const char *text, guint *models, GError **error)
{
  g_auto (GStrv) names = g_strsplit (text, ",", -1);

  *models = 0;
  for (guint i = 0; names[i] != NULL; i++)
    {
      WpModelKind kind;

      if (g_str_equal (names[i], "all"))
        *models |= WP_MODEL_ALL;
      else if (wp_model_kind_find (names[i], &kind))
        *models |= 1u << kind;
      else
        return refuse (error, "--models", names[i]);
    }
  return TRUE;
}

static gboolean
run_regression (WpProfile *profile, const Options *options, GError **error)
{
  WpRegression regression = WP_REGRESSION_DEFAULTS;
  guint32 skipped;

  if (options->method != NULL && !wp_regression_method_find (options->method, &regression.method))
    return refuse (error, "--method", options->method);
  if (options->models != NULL && !parse_models (options->models, &regression.models, error))
    return FALSE;
  if (options->steps < 1)
    return refuse (error, "--steps", "less than 1");
  regression.steps = (guint32) options->steps;
  regression.seed = (guint32) options->seed;
  regression.shuffle = !options->no_shuffle;
  regression.of = options->of;
  regression.per = options->per;
  wp_regression_analysis (&regression, profile, &skipped);
  if (skipped > 0)
    g_printerr ("wakepath-cli: %s: %u uids have too few points of “%s” by “%s” for models\n", profile->path, skipped, options->of,
                options->per);
  return TRUE;
}

static gboolean
run_normalizer (WpProfile *profile, const Options *options G_GNUC_UNUSED, GError **error G_GNUC_UNUSED)
{
  wp_postprocess_normalize (profile);
  return TRUE;
}

static gboolean
run_filter (WpProfile *profile, const Options *options G_GNUC_UNUSED, GError **error G_GNUC_UNUSED)
{
  wp_postprocess_filter (profile);
  return TRUE;
}

/* "5" is absolute, "25%" relative. */
static gboolean
parse_measure (const char *option, const char *text, double *value, gboolean *is_relative, GError **error)
{
  char *end;

  if (text == NULL)
    return TRUE;
  *value = g_ascii_strtod (text, &end);
  *is_relative = g_str_equal (end, "%");
  if (end == text || (*end != '\0' && !*is_relative) || !(*value >= 0))
    return refuse (error, option, text);
  *value /= *is_relative ? 100 : 1;
  return TRUE;
}

static gboolean
run_clusterizer (WpProfile *profile, const Options *options, GError **error)
{
  WpClusters clusters = WP_CLUSTERS_DEFAULTS;

  if (options->strategy != NULL && g_str_equal (options->strategy, "sort_order"))
    clusters.strategy = WP_CLUSTER_SORT_ORDER;
  else if (options->strategy != NULL && !g_str_equal (options->strategy, "sliding_window"))
    return refuse (error, "--strategy", options->strategy);
  if (!parse_measure ("--width", options->width, &clusters.width, &clusters.relative_width, error)
      || !parse_measure ("--height", options->height, &clusters.height, &clusters.relative_height, error))
    return FALSE;
  wp_postprocess_clusters (profile, &clusters);
  return TRUE;
}

static const struct
{
  const char *name;
  gboolean (*run) (WpProfile *profile, const Options *options, GError **error);
} postprocessors[] = {
  { "regression-analysis", run_regression },
  { "normalizer", run_normalizer },
  { "filter", run_filter },
  { "clusterizer", run_clusterizer },
};

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
run (Options *options, const char *spec, const char *name)
{
  g_auto (WpCliNames) names = { 0 };
  g_autoptr (WpCliNamed) named = NULL;
  g_autoptr (WpProfile) profile = NULL;
  GError *error = NULL;
  guint i = 0;
  int status;

  wp_cli_default (&options->of, "amount");
  wp_cli_default (&options->per, "structure-unit-size");
  while (i < G_N_ELEMENTS (postprocessors) && !g_str_equal (postprocessors[i].name, name))
    i++;
  if (i == G_N_ELEMENTS (postprocessors))
    return wp_cli_usage ("postprocess", "there is no postprocessor “%s”", name);
  named = wp_cli_names_one (&names, spec, &status);
  if (named != NULL && !has_place (options, named))
    return wp_cli_usage ("postprocess", "%s: where is the result to be written? Name a file with -o", spec);
  profile = named != NULL ? wp_cli_named_profile (named, &status) : NULL;
  if (profile == NULL)
    return status;
  if (!postprocessors[i].run (profile, options, &error)
      || !wp_profile_save (profile, options->output != NULL ? options->output : named->file, &error)
      || (options->output == NULL && named->entry != NULL && *named->entry->sha1 != '\0' && !save_pending (&names, named, &error)))
    return wp_cli_fail (error);
  return 0;
}

static void
clear (Options *self)
{
  char **texts[] = { &self->method, &self->models, &self->of, &self->per, &self->strategy, &self->width, &self->height, &self->output };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_clear_pointer (texts[i], g_free);
}

int
wp_cmd_postprocess (int argc, char **argv)
{
  Options options = { .steps = 3 };
  const GOptionEntry entries[] = { { "method", 0, 0, G_OPTION_ARG_STRING, &options.method, NULL, NULL },
                                   { "models", 0, 0, G_OPTION_ARG_STRING, &options.models, NULL, NULL },
                                   { "of", 0, 0, G_OPTION_ARG_STRING, &options.of, NULL, NULL },
                                   { "per", 0, 0, G_OPTION_ARG_STRING, &options.per, NULL, NULL },
                                   { "steps", 0, 0, G_OPTION_ARG_INT, &options.steps, NULL, NULL },
                                   { "seed", 0, 0, G_OPTION_ARG_INT, &options.seed, NULL, NULL },
                                   { "no-shuffle", 0, 0, G_OPTION_ARG_NONE, &options.no_shuffle, NULL, NULL },
                                   { "strategy", 0, 0, G_OPTION_ARG_STRING, &options.strategy, NULL, NULL },
                                   { "width", 0, 0, G_OPTION_ARG_STRING, &options.width, NULL, NULL },
                                   { "height", 0, 0, G_OPTION_ARG_STRING, &options.height, NULL, NULL },
                                   { "output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output, NULL, NULL },
                                   { 0 } };
  int status = wp_cli_arguments (&argc, &argv, entries, 2, 2) ? run (&options, argv[1], argv[2]) : 2;

  clear (&options);
  return status;
}
