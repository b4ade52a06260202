/* The postprocessors by their names, with parameters as texts: as local.yml, the command line and the window ask for them. */
#pragma once

#include "profile/model/postprocess.h"
#include "profile/fit/regression.h"

typedef enum
{
  WP_POSTPROCESS_REGRESSION,
  WP_POSTPROCESS_NORMALIZER,
  WP_POSTPROCESS_CLUSTERIZER,
  WP_POSTPROCESS_FILTER,
  WP_N_POSTPROCESSORS
} WpPostprocessor;

typedef struct
{
  WpPostprocessor which;
  WpRegression regression;
  WpClusters clusters;
} WpPostprocess;

const char *wp_postprocessor_name (WpPostprocessor which); /* as profiles keep it: "regression_analysis", … */

/* With the defaults of its parameters. "regression-analysis" is one, too. FALSE: there is none of that name. */
gboolean wp_postprocess_find (const char *name, WpPostprocess *self);

/* A parameter by the name that profiles keep it under: method, regression_models (a list with commas), steps, of_key, per_key; strategy,
 * window_width, width_measure, window_height, height_measure. FALSE and an error where this postprocessor has none of that name, or the value is
 * none of its. */
gboolean wp_postprocess_set (WpPostprocess *self, const char *param, const char *value, GError **error);

/* Changes the profile. Gives how many uids have too few points for models. */
guint32 wp_postprocess_run (const WpPostprocess *self, WpProfile *profile);
