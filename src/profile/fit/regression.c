#include "profile/fit/regression-fit.h"

#include "base/find.h"
#include "base/hash.h"

#include <math.h>

#define POINTS_MIN 3

static const char *const method_ids[WP_N_REGRESSIONS] = { "full", "iterative", "interval", "initial_guess", "bisection" };

gboolean
wp_regression_method_find (const char *id, WpRegressionMethod *method)
{
  guint row = WP_FIND_NAME (method_ids, id);

  if (row < WP_N_REGRESSIONS)
    *method = row;
  return row < WP_N_REGRESSIONS;
}

guint32
wp_regression_part (guint32 n, guint32 parts, guint32 i)
{
  return (guint32) ((guint64) i * (n / parts)) + MIN (i, n % parts);
}

/* Parts of less than two points say nothing. */
static gboolean
can_split (guint32 n, guint32 parts)
{
  return parts > 0 && n / parts >= 2;
}

/* --- points ----------------------------------------------------------------------------------------------------------- */

static void
clear_series (gpointer series)
{
  wp_array_clear (&((WpSeries *) series)->points);
}

static int
compare_series (const void *a, const void *b, gpointer values)
{
  const WpSeries *x = a, *y = b;

  return strcmp (wp_value_string (values, x->uid), wp_value_string (values, y->uid));
}

/* A uid as a text, also when it is a number. */
static WpValue
uid_text (WpFlattener *flattener, WpValues *values, WpValue uid)
{
  WpValue joined = wp_flatten_joined (flattener, uid);
  g_autoptr (GString) text = NULL;

  if (wp_value_kind (values, joined) == WP_VALUE_STRING)
    return joined;
  text = g_string_new (NULL);
  wp_value_str (values, joined, text);
  return wp_values_string (values, text->str);
}

static WpSeries *
series_of (GArray *series, GHashTable *known, WpValue uid)
{
  gpointer row = g_hash_table_lookup (known, GUINT_TO_POINTER (uid));

  if (row == NULL)
    {
      g_array_set_size (series, series->len + 1);
      g_array_index (series, WpSeries, series->len - 1).uid = uid;
      row = GUINT_TO_POINTER (series->len);
      g_hash_table_insert (known, GUINT_TO_POINTER (uid), row);
    }
  return &g_array_index (series, WpSeries, GPOINTER_TO_UINT (row) - 1);
}

GArray *
wp_series_by_uid (WpProfile *profile, const char *of, const char *per)
{
  GArray *series = g_array_new (FALSE, TRUE, sizeof (WpSeries));
  g_autoptr (GHashTable) known = g_hash_table_new (wp_hash_pointer, NULL);
  g_autoptr (WpFlattener) flattener = wp_flattener_new (profile->values);

  g_array_set_clear_func (series, clear_series);
  for (guint32 i = 0; i < profile->resources.len; i++)
    {
      WpValue uid = wp_profile_field (profile, i, "uid"), x = wp_profile_field (profile, i, per);
      WpPoint point = { wp_value_number (profile->values, x),
                        wp_value_number (profile->values, wp_profile_field (profile, i, of)), x };

      if (uid != 0 && isfinite (point.x) && isfinite (point.y))
        wp_array_push (&series_of (series, known, uid_text (flattener, profile->values, uid))->points, point);
    }
  return series;
}

/* --- fitting ---------------------------------------------------------------------------------------------------------- */

typedef struct
{
  const WpRegression *options;
  WpValue method, uid;
  WpPointArray points;
  WpModelArray *models;
} Fitting;

static gboolean
is_wanted (const Fitting *self, WpModelKind kind)
{
  guint models = self->options->models;

  if (models & 1u << WP_MODEL_CONSTANT)
    models |= 1u << WP_MODEL_LINEAR;
  return kind != WP_MODEL_CONSTANT && (models & 1u << kind) != 0;
}

static void
take (Fitting *self, const WpFit *fit)
{
  WpModel model = fit->model;

  model.uid = self->uid;
  model.method = self->method;
  wp_array_push (self->models, model);
}

/* Fits each wanted model to the points from start to end. Returns how many have a result; those come first. */
static guint
fit_all (const Fitting *self, guint32 start, guint32 end, WpFit *fits)
{
  guint n = 0;

  for (guint kind = 0; kind < WP_N_MODELS; kind++)
    if (is_wanted (self, kind))
      {
        fits[n] = (WpFit) { .kind = kind };
        wp_fit_step (&fits[n], self->points.data + start, 0, end - start);
        n += fits[n].good;
      }
  return n;
}

static const WpFit *
best_of (const WpFit *fits, guint n)
{
  const WpFit *best = fits;

  for (guint i = 1; i < n; i++)
    if (fits[i].model.r_square > best->model.r_square)
      best = &fits[i];
  return best;
}

/* The best model of some points; FALSE: there are too few, or none has a result. */
static gboolean
fit_best (const Fitting *self, guint32 start, guint32 end, WpFit *best)
{
  WpFit fits[WP_N_MODELS];
  guint n = end - start >= POINTS_MIN ? fit_all (self, start, end, fits) : 0;

  if (n > 0)
    *best = *best_of (fits, n);
  return n > 0;
}

static gboolean
fit_full (Fitting *self)
{
  WpFit fits[WP_N_MODELS];
  guint n = fit_all (self, 0, self->points.len, fits);

  for (guint i = 0; i < n; i++)
    take (self, &fits[i]);
  return TRUE;
}

static gboolean
fit_intervals (Fitting *self)
{
  guint32 parts = self->options->steps, n = self->points.len;

  if (!can_split (n, parts))
    return FALSE;
  for (guint32 i = 0; i < parts; i++)
    {
      WpFit best;

      if (!fit_best (self, wp_regression_part (n, parts, i), wp_regression_part (n, parts, i + 1), &best))
        return FALSE;
      take (self, &best);
    }
  return TRUE;
}

/* All models on the first part of the points; then part after part with the best one, which may change on the way when
 * `again`. */
static gboolean
fit_in_steps (Fitting *self, gboolean again)
{
  guint32 parts = self->options->steps, n = self->points.len, done[WP_N_MODELS] = { 0 };
  WpFit fits[WP_N_MODELS];
  guint n_fits = 0, best;

  if (!can_split (n, parts))
    return FALSE;
  for (guint kind = 0; kind < WP_N_MODELS; kind++)
    if (is_wanted (self, kind))
      {
        fits[n_fits] = (WpFit) { .kind = kind };
        wp_fit_step (&fits[n_fits], self->points.data, 0, wp_regression_part (n, parts, 1));
        n_fits += fits[n_fits].good;
      }
  if (n_fits == 0)
    return FALSE;
  for (best = (guint) (best_of (fits, n_fits) - fits); done[best] + 1 < parts;)
    {
      guint32 part = ++done[best];

      wp_fit_step (&fits[best], self->points.data, wp_regression_part (n, parts, part), wp_regression_part (n, parts, part + 1));
      if (again)
        best = (guint) (best_of (fits, n_fits) - fits);
    }
  take (self, &fits[best]);
  return TRUE;
}

static gboolean
fit_iteratively (Fitting *self)
{
  return fit_in_steps (self, TRUE);
}

static gboolean
fit_first_guess (Fitting *self)
{
  return fit_in_steps (self, FALSE);
}

/* A stretch of the points and its best model. One that is `final` is not halved. */
typedef struct
{
  guint32 start, end;
  WpFit best;
  gboolean final;
} Stretch;

typedef WP_ARRAY (Stretch) StretchArray;

/* The halves of a stretch that differ are halved in turn. FALSE: the stretch stays whole. Where its halves would be too short, the
 * whole of the points has no result, and any other stretch stays as it is. */
static gboolean
halve (const Fitting *self, const Stretch *whole, StretchArray *todo)
{
  guint32 middle = whole->start + wp_regression_part (whole->end - whole->start, 2, 1);
  Stretch halves[] = { { .start = whole->start, .end = middle }, { .start = middle, .end = whole->end } };
  WpModelKind kind = whole->best.kind;

  for (guint i = 0; i < 2; i++)
    if (!fit_best (self, halves[i].start, halves[i].end, &halves[i].best))
      return FALSE;
  if (halves[0].best.kind == kind && halves[1].best.kind == kind)
    return FALSE;
  for (guint i = 2; i-- > 0;)
    {
      halves[i].final = halves[i].best.kind == kind;
      wp_array_push (todo, halves[i]);
    }
  return TRUE;
}

static gboolean
fit_halves (Fitting *self)
{
  Stretch whole = { .end = self->points.len };
  StretchArray todo = { 0 };

  gboolean good = TRUE;

  if (whole.end < 2 * POINTS_MIN || !fit_best (self, 0, whole.end, &whole.best))
    return FALSE;
  wp_array_push (&todo, whole);
  while (good && todo.len > 0)
    {
      Stretch stretch = todo.data[--todo.len];

      /* Perun gives up where a stretch cannot be split at all, and keeps what it has so far. */
      good = stretch.final || can_split (stretch.end - stretch.start, 2);
      if (good && (stretch.final || !halve (self, &stretch, &todo)))
        take (self, &stretch.best);
    }
  wp_array_clear (&todo);
  return good;
}

/* --- methods ---------------------------------------------------------------------------------------------------------- */

static const struct
{
  gboolean (*fit) (Fitting *self);
  gboolean sorted, shuffled;
} methods[WP_N_REGRESSIONS] = {
  [WP_REGRESSION_FULL] = { fit_full, FALSE, FALSE },           [WP_REGRESSION_ITERATIVE] = { fit_iteratively, FALSE, TRUE },
  [WP_REGRESSION_INTERVAL] = { fit_intervals, TRUE, FALSE },   [WP_REGRESSION_INITIAL_GUESS] = { fit_first_guess, FALSE, TRUE },
  [WP_REGRESSION_BISECTION] = { fit_halves, TRUE, FALSE },
};

typedef struct
{
  WpPoint point;
  guint32 place;
} Placed;

static int
compare_placed (const void *a, const void *b)
{
  const Placed *p = a, *q = b;

  return p->point.x != q->point.x ? (p->point.x < q->point.x ? -1 : 1) : p->place < q->place ? -1 : 1;
}

static void
sort_points (WpPointArray *points)
{
  g_autofree Placed *placed = g_new (Placed, (gsize) points->len + 1);

  for (guint32 i = 0; i < points->len; i++)
    placed[i] = (Placed) { points->data[i], i };
  qsort (placed, points->len, sizeof *placed, compare_placed);
  for (guint32 i = 0; i < points->len; i++)
    points->data[i] = placed[i].point;
}

static void
shuffle_points (WpPointArray *points, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  for (guint32 i = points->len; i > 1; i--)
    {
      guint32 k = (guint32) (g_rand_double (rand) * i);
      WpPoint moved = points->data[i - 1];

      points->data[i - 1] = points->data[k];
      points->data[k] = moved;
    }
}

gboolean
wp_regression_fit (const WpRegression *options, WpValues *values, const WpSeries *series, WpModelArray *models)
{
  Fitting fitting = { .options = options, .uid = series->uid, .models = models };
  gboolean good;

  if (series->points.len < POINTS_MIN)
    return FALSE;
  fitting.method = wp_values_string (values, method_ids[options->method]);
  wp_array_resize (&fitting.points, series->points.len);
  memcpy (fitting.points.data, series->points.data, series->points.len * sizeof *series->points.data);
  if (methods[options->method].sorted)
    sort_points (&fitting.points);
  if (methods[options->method].shuffled && options->shuffle)
    shuffle_points (&fitting.points, options->seed);
  good = methods[options->method].fit (&fitting);
  wp_array_clear (&fitting.points);
  return good;
}

/* --- profiles --------------------------------------------------------------------------------------------------------- */

void
wp_regression_add_constants (WpModelArray *models)
{
  for (guint32 i = 0, n = models->len; i < n; i++)
    if (models->data[i].kind == WP_MODEL_LINEAR)
      wp_array_push (models, wp_fit_constant (&models->data[i]));
}

void
wp_regression_models (const WpRegression *options, WpProfile *profile, WpModelArray *models, guint32 *skipped)
{
  g_autoptr (GArray) series = wp_series_by_uid (profile, options->of, options->per);
  WpModelArray made = { 0 };
  guint32 too_few = 0;

  g_array_sort_with_data (series, compare_series, profile->values);
  for (guint i = 0; i < series->len; i++)
    too_few += !wp_regression_fit (options, profile->values, &g_array_index (series, WpSeries, i), &made);
  if (options->models & 1u << WP_MODEL_CONSTANT)
    wp_regression_add_constants (&made);
  for (guint32 i = 0; i < made.len; i++)
    wp_array_push (models, made.data[i]);
  wp_array_clear (&made);
  if (skipped != NULL)
    *skipped = too_few;
}

static WpValue
params_of (const WpRegression *options, WpValues *values)
{
  WpValue models[WP_N_MODELS], words[10];
  guint n = 0;

  for (guint kind = 0; kind < WP_N_MODELS; kind++)
    if (options->models & 1u << kind)
      models[n++] = wp_values_string (values, wp_model_kind_id (kind));
  words[0] = wp_values_string (values, "method");
  words[1] = wp_values_string (values, method_ids[options->method]);
  words[2] = wp_values_string (values, "regression_models");
  words[3] = wp_values_array (values, models, n);
  words[4] = wp_values_string (values, "steps");
  words[5] = wp_values_int (values, options->steps);
  words[6] = wp_values_string (values, "of_key");
  words[7] = wp_values_string (values, options->of);
  words[8] = wp_values_string (values, "per_key");
  words[9] = wp_values_string (values, options->per);
  return wp_values_object (values, words, 5);
}

void
wp_regression_analysis (const WpRegression *options, WpProfile *profile, guint32 *skipped)
{
  WpModelArray models = { 0 };

  wp_regression_models (options, profile, &models, skipped);
  for (guint32 i = 0; i < models.len; i++)
    wp_array_push (&profile->models, wp_model_value (&models.data[i], profile->values));
  wp_array_clear (&models);
  wp_profile_add_postprocessor (profile, "regression_analysis", params_of (options, profile->values));
}
