#include "profile/model/postprocessors.h"

#include "base/find.h"
#include "base/json-reader.h"

typedef gboolean (*SetFunc) (WpPostprocess *self, const char *value);

typedef struct
{
  const char *name;
  SetFunc set;
} Param;

/* --- parameters of the regression analysis ------------------------------------------------------------------------------ */

static gboolean
set_method (WpPostprocess *self, const char *value)
{
  return wp_regression_method_find (value, &self->regression.method);
}

static gboolean
set_models (WpPostprocess *self, const char *value)
{
  g_auto (GStrv) names = g_strsplit (value, ",", -1);

  self->regression.models = 0;
  for (guint i = 0; names[i] != NULL; i++)
    {
      const char *name = g_strstrip (names[i]);
      WpModelKind kind;

      if (g_str_equal (name, "all"))
        self->regression.models |= WP_MODEL_ALL;
      else if (wp_model_kind_find (name, &kind))
        self->regression.models |= 1u << kind;
      else
        return FALSE;
    }
  return self->regression.models != 0;
}

static gboolean
set_steps (WpPostprocess *self, const char *value)
{
  guint64 steps;

  if (!g_ascii_string_to_unsigned (value, 10, 1, G_MAXINT32, &steps, NULL))
    return FALSE;
  self->regression.steps = (guint32) steps;
  return TRUE;
}

/* Keys are few: they are kept as long as the program runs. */
static gboolean
set_of (WpPostprocess *self, const char *value)
{
  self->regression.of = g_intern_string (value);
  return *value != '\0';
}

static gboolean
set_per (WpPostprocess *self, const char *value)
{
  self->regression.per = g_intern_string (value);
  return *value != '\0';
}

/* --- parameters of the clusterizer --------------------------------------------------------------------------------------- */

/* TRUE and whether the first was said. */
static gboolean
choose (const char *value, const char *first, const char *second, gboolean *is_first)
{
  *is_first = g_str_equal (value, first);
  return *is_first || g_str_equal (value, second);
}

static gboolean
set_strategy (WpPostprocess *self, const char *value)
{
  gboolean sorted;

  if (!choose (value, "sort_order", "sliding_window", &sorted))
    return FALSE;
  self->clusters.strategy = sorted ? WP_CLUSTER_SORT_ORDER : WP_CLUSTER_SLIDING_WINDOW;
  return TRUE;
}

static gboolean
set_number (const char *value, double *number)
{
  char *end;

  *number = g_ascii_strtod (value, &end);
  return end > value && *end == '\0' && *number >= 0;
}

static gboolean
set_width (WpPostprocess *self, const char *value)
{
  return set_number (value, &self->clusters.width);
}

static gboolean
set_height (WpPostprocess *self, const char *value)
{
  return set_number (value, &self->clusters.height);
}

static gboolean
set_width_measure (WpPostprocess *self, const char *value)
{
  return choose (value, "relative", "absolute", &self->clusters.relative_width);
}

static gboolean
set_height_measure (WpPostprocess *self, const char *value)
{
  return choose (value, "relative", "absolute", &self->clusters.relative_height);
}

/* --- the table ----------------------------------------------------------------------------------------------------------- */

static const Param none[] = { { 0 } };
static const Param regression[] = { { "method", set_method }, { "regression_models", set_models }, { "steps", set_steps },
                                    { "of_key", set_of },     { "per_key", set_per },              { 0 } };
static const Param clusterizer[] = { { "strategy", set_strategy },           { "window_width", set_width },
                                     { "width_measure", set_width_measure }, { "window_height", set_height },
                                     { "height_measure", set_height_measure }, { 0 } };

static guint32
run_regression (const WpPostprocess *self, WpProfile *profile)
{
  guint32 skipped = 0;

  wp_regression_analysis (&self->regression, profile, &skipped);
  return skipped;
}

static guint32
run_normalizer (const WpPostprocess *self G_GNUC_UNUSED, WpProfile *profile)
{
  wp_postprocess_normalize (profile);
  return 0;
}

static guint32
run_clusterizer (const WpPostprocess *self, WpProfile *profile)
{
  wp_postprocess_clusters (profile, &self->clusters);
  return 0;
}

static guint32
run_filter (const WpPostprocess *self G_GNUC_UNUSED, WpProfile *profile)
{
  wp_postprocess_filter (profile);
  return 0;
}

static const struct
{
  const char *name;
  const Param *params;
  guint32 (*run) (const WpPostprocess *self, WpProfile *profile);
} postprocessors[WP_N_POSTPROCESSORS] = {
  [WP_POSTPROCESS_REGRESSION] = { "regression_analysis", regression, run_regression },
  [WP_POSTPROCESS_NORMALIZER] = { "normalizer", none, run_normalizer },
  [WP_POSTPROCESS_CLUSTERIZER] = { "clusterizer", clusterizer, run_clusterizer },
  [WP_POSTPROCESS_FILTER] = { "filter", none, run_filter },
};

const char *
wp_postprocessor_name (WpPostprocessor which)
{
  return postprocessors[which].name;
}

gboolean
wp_postprocess_find (const char *name, WpPostprocess *self)
{
  g_autofree char *wanted = g_strdelimit (g_strdup (name), "-", '_');

  *self = (WpPostprocess) { .regression = WP_REGRESSION_DEFAULTS, .clusters = WP_CLUSTERS_DEFAULTS };
  self->which = WP_FIND_ROW (postprocessors, name, wanted);
  return self->which < WP_N_POSTPROCESSORS;
}

gboolean
wp_postprocess_set (WpPostprocess *self, const char *name, const char *value, GError **error)
{
  const Param *param = postprocessors[self->which].params;

  while (param->name != NULL && !g_str_equal (param->name, name))
    param++;
  if (param->name != NULL && param->set (self, value))
    return TRUE;
  if (param->name == NULL)
    g_set_error (error, WP_JSON_ERROR, WP_JSON_ERROR_VALUE, "the postprocessor “%s” has no such parameter", postprocessors[self->which].name);
  else
    g_set_error (error, WP_JSON_ERROR, WP_JSON_ERROR_VALUE, "“%s” is none of its values", value);
  return FALSE;
}

guint32
wp_postprocess_run (const WpPostprocess *self, WpProfile *profile)
{
  return postprocessors[self->which].run (self, profile);
}
