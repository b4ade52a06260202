/* Regression analysis: which model fits best how `of` depends on `per`, for each uid. Perun's methods and formulas.
 *
 * r² is that of the transformed points (logarithms of x, of y, or of both). Where a formula would divide by zero, it divides by 1e-6;
 * a model whose formula has no result is left out. */
#pragma once

#include "profile/model/flatten.h"
#include "profile/fit/models.h"

typedef enum
{
  WP_REGRESSION_FULL,          /* every model, on all points */
  WP_REGRESSION_ITERATIVE,     /* in random parts: each step goes on with the model that is best so far */
  WP_REGRESSION_INTERVAL,      /* the best model of each of some parts of the points, by x */
  WP_REGRESSION_INITIAL_GUESS, /* the model that is best in the first random part, on all points */
  WP_REGRESSION_BISECTION,     /* the best model, and those of halves, as long as these differ from the whole */
  WP_N_REGRESSIONS,
} WpRegressionMethod;

typedef struct
{
  WpRegressionMethod method;
  guint models;      /* a set of bits; constant takes linear with it */
  guint32 steps;     /* parts, for iterative, interval and initial guess */
  gboolean shuffle;  /* for iterative and initial guess: in an order that depends on `seed` only */
  guint32 seed;
  const char *of, *per; /* keys: amount, structure-unit-size */
} WpRegression;

#define WP_REGRESSION_DEFAULTS \
  { .method = WP_REGRESSION_FULL, .models = WP_MODEL_ALL, .steps = 3, .shuffle = TRUE, .of = "amount", .per = "structure-unit-size" }

/* "full", "iterative", "interval", "initial_guess", "bisection". */
gboolean wp_regression_method_find (const char *id, WpRegressionMethod *method);

/* Points of one uid. */
typedef struct
{
  double x, y;
  WpValue x_value;
} WpPoint;

typedef WP_ARRAY (WpPoint) WpPointArray;

typedef struct
{
  WpValue uid;   /* a STRING */
  WpPointArray points; /* in the order of the resources */
} WpSeries;

/* One for each uid: resources that have both numbers, uids as they come up. Free with g_array_unref(). */
GArray *wp_series_by_uid (WpProfile *profile, const char *of, const char *per);

/* Models of one series, constants not yet; appended. FALSE: there were too few points for (all of) it. */
gboolean wp_regression_fit (const WpRegression *options, WpValues *values, const WpSeries *series, WpModelArray *models);

/* A constant for each linear model, behind all others. */
void wp_regression_add_constants (WpModelArray *models);

/* Models of all series: per uid linear, logarithmic, quadratic, power, exponential, then all constants. `skipped`, which may be NULL,
 * counts the uids with too few points. */
void wp_regression_models (const WpRegression *options, WpProfile *profile, WpModelArray *models, guint32 *skipped);

/* Adds them to the profile, and the postprocessor "regression_analysis". */
void wp_regression_analysis (const WpRegression *options, WpProfile *profile, guint32 *skipped);

/* Where part i of n points in `parts` begins: the first ones have one more where they do not divide evenly. */
guint32 wp_regression_part (guint32 n, guint32 parts, guint32 i);
