/* Checks of the models that regression analysis fitted. */
#include "profile/checks/checks-private.h"

#include "profile/fit/regression.h"

#include <math.h>

#define SAMPLES 1000

/* --- order of the best models ----------------------------------------------------------------------------------------- */

static WpCheckVerdict *
add_model_verdict (GPtrArray *verdicts, WpCheckChange change, const char *uid, const char *type, const WpBestModels *base,
                   const WpBestModels *now)
{
  return wp_verdicts_add (verdicts, change, uid, type, base->has_best ? wp_model_kind_id (base->best.kind) : "",
                          now->has_best ? wp_model_kind_id (now->best.kind) : "");
}

static void
set_r_square (WpCheckVerdict *verdict, double a, gboolean whole_a, double b, gboolean whole_b)
{
  verdict->confidence_type = "r_square";
  verdict->confidence = MIN (a, b);
  verdict->whole_confidence = a <= b ? whole_a : whole_b;
}

gboolean
wp_check_model_order (WpProfile *baseline, WpProfile *target, GPtrArray *verdicts, GError **error G_GNUC_UNUSED)
{
  g_autoptr (GHashTable) from = wp_check_best_models (baseline, 1);
  g_autoptr (GHashTable) to = wp_check_best_models (target, wp_check_scale (baseline, target));
  g_autoptr (GPtrArray) uids = wp_check_common_keys (from, to);

  for (guint i = 0; i < uids->len; i++)
    {
      const char *uid = g_ptr_array_index (uids, i);
      const WpBestModels *base = g_hash_table_lookup (from, uid), *now = g_hash_table_lookup (to, uid);
      WpCheckVerdict *verdict = add_model_verdict (verdicts, WP_CHANGE_NONE, uid, "model", base, now);

      verdict->whole_rate = TRUE;
      set_r_square (verdict, base->best.r_square, base->whole_confidence, now->best.r_square, now->whole_confidence);
      if (verdict->confidence < 0.9 || base->best.kind == now->best.kind)
        continue;
      verdict->rate = (double) wp_model_kind_order (now->best.kind) - wp_model_kind_order (base->best.kind);
      verdict->change = verdict->rate < 0 ? WP_CHANGE_OPTIMIZATION : WP_CHANGE_DEGRADATION;
    }
  return TRUE;
}

/* --- the difference of the best models -------------------------------------------------------------------------------- */

/* Models of one uid in both profiles at 1000 places, each on its own interval. */
typedef struct
{
  const char *uid;
  const WpBestModels *base, *now;
  double x[SAMPLES];          /* of the baseline's best model */
  double error[SAMPLES];      /* of the best models: target − baseline */
  double line_error[SAMPLES]; /* of the linear ones */
  double sum, rate;           /* of the errors; their mean relative to the baseline, in percent */
} Difference;

/* Perun evaluates a power model of a logarithm here. */
static void
sample (const WpModel *model, const WpValues *values, double *x, double *y)
{
  wp_model_plot (model, values, SAMPLES, x, y);
  for (guint i = 0; model->kind == WP_MODEL_POWER && i < SAMPLES; i++)
    y[i] = model->b[0] * pow (log10 (x[i]), model->b[1]);
}

/* What numpy makes of what is no number. */
static double
to_number (double d)
{
  return isnan (d) ? 0 : isinf (d) ? copysign (G_MAXDOUBLE, d) : d;
}

static void
measure (Difference *self, const WpProfile *baseline, const WpProfile *target)
{
  double base[SAMPLES], now[SAMPLES], x[SAMPLES];

  sample (&self->base->linear, baseline->values, x, base);
  sample (&self->now->linear, target->values, x, now);
  for (guint i = 0; i < SAMPLES; i++)
    self->line_error[i] = now[i] - base[i];
  sample (&self->base->best, baseline->values, self->x, base);
  sample (&self->now->best, target->values, x, now);
  self->sum = self->rate = 0;
  for (guint i = 0; i < SAMPLES; i++)
    {
      self->error[i] = now[i] - base[i];
      self->sum += self->error[i];
      self->rate += to_number (self->error[i] / base[i]);
    }
  self->rate = self->rate / SAMPLES * 100;
}

static gboolean
is_unchanged (const Difference *self)
{
  const double *base = self->base->best.b, *now = self->now->best.b;

  return fabs (now[0] - base[0]) <= fabs (0.05 * base[0]) && fabs (now[1] - base[1]) <= fabs (0.05 * base[1]);
}

static WpCheckChange
judge (const Difference *self)
{
  if (self->sum > 0)
    return self->rate > 25 ? WP_CHANGE_DEGRADATION : WP_CHANGE_MAYBE_DEGRADATION;
  return self->rate < -25 ? WP_CHANGE_OPTIMIZATION : WP_CHANGE_MAYBE_OPTIMIZATION;
}

/* What kind of difference it is; NULL and an error when that cannot be decided. Free with g_free(). */
typedef char *(*ClassifyFunc) (const Difference *self, WpProfile *baseline, GError **error);

static gboolean
compare_models (WpProfile *baseline, WpProfile *target, ClassifyFunc classify, GPtrArray *verdicts, GError **error)
{
  g_autoptr (GHashTable) from = wp_check_best_models (baseline, 1);
  g_autoptr (GHashTable) to = wp_check_best_models (target, wp_check_scale (baseline, target));
  g_autoptr (GPtrArray) uids = wp_check_common_keys (from, to);
  g_autofree Difference *difference = g_new0 (Difference, 1);

  for (guint i = 0; i < uids->len; i++)
    {
      const WpBestModels *base = g_hash_table_lookup (from, g_ptr_array_index (uids, i));
      const WpBestModels *now = g_hash_table_lookup (to, g_ptr_array_index (uids, i));
      g_autofree char *type = NULL;
      WpCheckVerdict *verdict;

      if (!base->has_best || !now->has_best || !base->has_linear || !now->has_linear)
        continue;
      difference->uid = g_ptr_array_index (uids, i);
      difference->base = base;
      difference->now = now;
      measure (difference, baseline, target);
      type = is_unchanged (difference) ? g_strdup ("") : classify (difference, baseline, error);
      if (type == NULL)
        return FALSE;
      verdict = add_model_verdict (verdicts, is_unchanged (difference) ? WP_CHANGE_NONE : judge (difference), difference->uid, type,
                                   base, now);
      verdict->rate = difference->rate;
      set_r_square (verdict, base->best.r_square, base->whole_confidence, now->linear.r_square, FALSE);
    }
  return TRUE;
}

/* --- … by polynomials ------------------------------------------------------------------------------------------------- */

/* Takes the part of y that a polynomial of one degree more explains: powers of x are made orthogonal one after the other. */
static double
residual_after (double basis[][SAMPLES], guint degree, double *y)
{
  double *p = basis[degree], along = 0, norm = 0, residual = 0;

  for (guint k = 0; k < degree; k++)
    {
      double product = 0, length = 0;

      for (guint i = 0; i < SAMPLES; i++)
        {
          product += p[i] * basis[k][i];
          length += basis[k][i] * basis[k][i];
        }
      for (guint i = 0; i < SAMPLES; i++)
        p[i] -= length > 0 ? product / length * basis[k][i] : 0;
    }
  for (guint i = 0; i < SAMPLES; i++)
    {
      along += p[i] * y[i];
      norm += p[i] * p[i];
    }
  for (guint i = 0; i < SAMPLES; i++)
    {
      y[i] -= norm > 0 ? along / norm * p[i] : 0;
      residual += y[i] * y[i];
    }
  return residual;
}

static char *
classify_by_polynomials (const Difference *self, WpProfile *baseline G_GNUC_UNUSED, GError **error G_GNUC_UNUSED)
{
  static const char *const names[] = { "constant", "linear", "quadratic ", "unknown" };
  double (*basis)[SAMPLES] = g_malloc (sizeof (double[3][SAMPLES]));
  double y[SAMPLES], middle = (self->x[0] + self->x[SAMPLES - 1]) / 2, half = (self->x[SAMPLES - 1] - self->x[0]) / 2;
  guint degree;

  for (guint i = 0; i < SAMPLES; i++)
    {
      double x = half != 0 ? (self->x[i] - middle) / half : 0;

      basis[0][i] = 1;
      basis[1][i] = x;
      basis[2][i] = x * x;
      y[i] = self->line_error[i];
    }
  for (degree = 0; degree < 3 && !(residual_after (basis, degree, y) < 1e8);)
    degree++;
  g_free (basis);
  return g_strdup (names[degree]);
}

gboolean
wp_check_polynomial (WpProfile *baseline, WpProfile *target, GPtrArray *verdicts, GError **error)
{
  return compare_models (baseline, target, classify_by_polynomials, verdicts, error);
}

/* --- … by regression analysis ----------------------------------------------------------------------------------------- */

static gboolean
is_of_uid (const WpProfile *profile, WpFlattener *flattener, guint32 resource, const char *uid)
{
  g_autoptr (GString) text = g_string_new (NULL);

  wp_value_str (profile->values, wp_flatten_joined (flattener, wp_profile_field (profile, resource, "uid")), text);
  return g_str_equal (text->str, uid);
}

/* Perun writes the difference over the first 1000 resources of the baseline, whatever their uid, and leaves those behind as they are. */
static void
points_of_error (const Difference *self, const double *y, WpProfile *profile, WpPointArray *points)
{
  g_autoptr (WpFlattener) flattener = wp_flattener_new (profile->values);

  for (guint32 i = 0; i < profile->resources.len; i++)
    {
      WpValue size = wp_profile_field (profile, i, "structure-unit-size");
      WpPoint point = { wp_value_number (profile->values, size),
                        wp_value_number (profile->values, wp_profile_field (profile, i, "amount")), size };

      if (!is_of_uid (profile, flattener, i, self->uid))
        continue;
      if (i < SAMPLES)
        point = (WpPoint) { self->x[i], y[i], wp_values_real (profile->values, self->x[i]) };
      if (isfinite (point.x) && isfinite (point.y))
        wp_array_push (points, point);
    }
}

/* Fits all kinds of models to the difference. FALSE and an error when there are too few resources. */
static gboolean
fit_error (const Difference *self, const double *y, WpProfile *profile, WpModelArray *models, GError **error)
{
  WpRegression options = WP_REGRESSION_DEFAULTS;
  WpSeries series = { .uid = wp_values_string (profile->values, self->uid) };

  if (profile->resources.len < SAMPLES)
    {
      g_set_error (error, WP_JSON_ERROR, WP_JSON_ERROR_VALUE, "%s: too few points: this check needs %d resources, there are %u", profile->path,
                   SAMPLES, profile->resources.len);
      return FALSE;
    }
  points_of_error (self, y, profile, &series.points);
  wp_regression_fit (&options, profile->values, &series, models);
  wp_regression_add_constants (models);
  wp_array_clear (&series.points);
  return TRUE;
}

static const char *
best_kind (const WpModelArray *models)
{
  const char *kind = "";
  double best = 0;

  for (guint32 i = 0; i < models->len; i++)
    if (models->data[i].r_square > best)
      {
        best = models->data[i].r_square;
        kind = wp_model_kind_id (models->data[i].kind);
      }
  return kind;
}

static double
r_square_of (const WpModelArray *models, WpModelKind kind)
{
  for (guint32 i = models->len; i-- > 0;)
    if (models->data[i].kind == kind)
      return models->data[i].r_square;
  return 0;
}

static char *
classify_fast (const Difference *self, WpProfile *baseline, GError **error)
{
  WpModelArray models = { 0 };
  char *type = fit_error (self, self->error, baseline, &models, error) ? g_ascii_strup (best_kind (&models), -1) : NULL;

  wp_array_clear (&models);
  return type;
}

gboolean
wp_check_fast (WpProfile *baseline, WpProfile *target, GPtrArray *verdicts, GError **error)
{
  return compare_models (baseline, target, classify_fast, verdicts, error);
}

/* --- … by linear regression ------------------------------------------------------------------------------------------- */

/* The least squares' line through the difference of the linear models. */
static void
fit_line (const Difference *self, double *gradient, double *intercept, double *r)
{
  double mean_x = 0, mean_y = 0, sxx = 0, sxy = 0, syy = 0;

  for (guint i = 0; i < SAMPLES; i++)
    {
      mean_x += self->x[i] / SAMPLES;
      mean_y += self->line_error[i] / SAMPLES;
    }
  for (guint i = 0; i < SAMPLES; i++)
    {
      double dx = self->x[i] - mean_x, dy = self->line_error[i] - mean_y;

      sxx += dx * dx;
      sxy += dx * dy;
      syy += dy * dy;
    }
  *gradient = sxx > 0 ? sxy / sxx : 0;
  *intercept = mean_y - *gradient * mean_x;
  *r = sxx > 0 && syy > 0 ? sxy / sqrt (sxx * syy) : 0;
}

/* Whether |a| is within a part of |b|. */
static gboolean
is_near (double a, double b, double part)
{
  return fabs ((1 - part) * b) <= fabs (a) && fabs (a) <= fabs ((1 + part) * b);
}

static const char *
classify_line (const Difference *self)
{
  double gradient, intercept, r, most = self->error[0];
  double up = self->now->best.b[0] - self->base->best.b[0], steeper = self->now->linear.b[1] - self->base->linear.b[1];
  gboolean simple = self->base->best.kind == WP_MODEL_LINEAR || self->base->best.kind == WP_MODEL_CONSTANT;

  for (guint i = 1; i < SAMPLES; i++)
    most = MAX (most, self->error[i]);
  fit_line (self, &gradient, &intercept, &r);
  if (fabs (gradient) <= fabs (0.05 * most) && is_near (up, intercept, 0.05) && (!simple || fabs (up - intercept) < 1e-12))
    return "constant";
  return is_near (steeper, gradient, 0.3) && r * r > 0.95 ? "linear" : NULL;
}

static char *
classify_by_line (const Difference *self, WpProfile *baseline, GError **error)
{
  const char *type = classify_line (self);
  WpModelArray models = { 0 };
  double quadratic;

  if (!fit_error (self, self->line_error, baseline, &models, error))
    return NULL;
  quadratic = r_square_of (&models, WP_MODEL_QUADRATIC);
  if (quadratic > 0.9 && fabs (quadratic - r_square_of (&models, WP_MODEL_LINEAR)) > 0.01)
    type = "quadratic";
  if (type == NULL)
    type = best_kind (&models);
  wp_array_clear (&models);
  return g_strdup (type);
}

gboolean
wp_check_linear (WpProfile *baseline, WpProfile *target, GPtrArray *verdicts, GError **error)
{
  return compare_models (baseline, target, classify_by_line, verdicts, error);
}
