#include "profile/fit/models.h"

#include "base/find.h"

#include <math.h>

/* --- kinds ------------------------------------------------------------------------------------------------------------ */

static double
linear (const double *b, double x)
{
  return b[0] + b[1] * x;
}

static double
logarithmic (const double *b, double x)
{
  return b[0] + b[1] * log (x);
}

static double
quadratic (const double *b, double x)
{
  return b[0] + b[1] * x + b[2] * x * x;
}

static double
power (const double *b, double x)
{
  return b[0] * pow (x, b[1]);
}

static double
exponential (const double *b, double x)
{
  return b[0] * pow (b[1], x);
}

static const struct
{
  const char *id;
  guint order, n_coeffs;
  double (*at) (const double *b, double x);
} kinds[WP_N_MODELS] = {
  [WP_MODEL_LINEAR] = { "linear", 2, 2, linear },   [WP_MODEL_LOGARITHMIC] = { "logarithmic", 1, 2, logarithmic },
  [WP_MODEL_QUADRATIC] = { "quadratic", 3, 3, quadratic }, [WP_MODEL_POWER] = { "power", 4, 2, power },
  [WP_MODEL_EXPONENTIAL] = { "exponential", 5, 2, exponential }, [WP_MODEL_CONSTANT] = { "constant", 0, 2, linear },
};

const char *
wp_model_kind_id (WpModelKind kind)
{
  return kinds[kind].id;
}

gboolean
wp_model_kind_find (const char *id, WpModelKind *kind)
{
  guint row = WP_FIND_ROW (kinds, id, id);

  if (row < WP_N_MODELS)
    *kind = row;
  return row < WP_N_MODELS;
}

guint
wp_model_kind_order (WpModelKind kind)
{
  return kinds[kind].order;
}

double
wp_model_at (const WpModel *self, double x)
{
  return kinds[self->kind].at (self->b, x);
}

/* --- in a profile ----------------------------------------------------------------------------------------------------- */

static gboolean
refuse (guint32 index, const char *what, GError **error)
{
  g_set_error (error, WP_JSON_ERROR, WP_JSON_ERROR_VALUE, "models[%u]%s", index, what);
  return FALSE;
}

/* b0, b1, … by their names; those that have none, by their places. */
static gboolean
read_coeffs (const WpValues *values, WpValue coeffs, WpModel *model)
{
  guint found = 0;

  for (guint32 i = 0, n = wp_value_count (values, coeffs); i < n && i < 3; i++)
    {
      WpValue coeff = wp_value_item (values, coeffs, i), value = wp_value_get (values, coeff, "value");
      const char *name = wp_value_string (values, wp_value_get (values, coeff, "name"));
      guint place = name[0] == 'b' && name[1] >= '0' && name[1] <= '2' && name[2] == '\0' ? (guint) (name[1] - '0') : i;

      if (!wp_value_is_number (values, value))
        return FALSE;
      model->b[place] = wp_value_number (values, value);
      found |= 1u << place;
    }
  model->n_coeffs = kinds[model->kind].n_coeffs;
  if (model->kind == WP_MODEL_QUADRATIC && found == 3)
    {
      model->b[2] = model->b[1]; /* old ones have b0 + b1·x² */
      model->b[1] = 0;
      found = 7;
    }
  return (found & ((1u << model->n_coeffs) - 1)) == (1u << model->n_coeffs) - 1;
}

/* Since 0.17.1 the interval is x_start and x_end. */
static WpValue
interval_end (const WpValues *values, WpValue object, const char *key, const char *newer)
{
  WpValue value = wp_value_get (values, object, key);

  return value != 0 ? value : wp_value_get (values, object, newer);
}

gboolean
wp_model_read (const WpProfile *profile, guint32 index, WpModel *model, GError **error)
{
  const WpValues *values = profile->values;
  WpValue object = profile->models.data[index];

  *model = (WpModel) { 0 };
  if (!wp_model_kind_find (wp_value_string (values, wp_value_get (values, object, "model")), &model->kind))
    return refuse (index, ".model: none of constant, linear, logarithmic, quadratic, power, exponential", error);
  if (!read_coeffs (values, wp_value_get (values, object, "coeffs"), model))
    return refuse (index, ".coeffs: not the coefficients of such a model", error);
  model->r_square = wp_value_number (values, wp_value_get (values, object, "r_square"));
  model->start = interval_end (values, object, "x_interval_start", "x_start");
  model->end = interval_end (values, object, "x_interval_end", "x_end");
  model->uid = wp_value_get (values, object, "uid");
  model->method = wp_value_get (values, object, "method");
  if (!wp_value_is_number (values, model->start) || !wp_value_is_number (values, model->end))
    return refuse (index, ": without an interval of numbers", error);
  return TRUE;
}

static const struct
{
  const char *id, *stats;
  gboolean steps;
} curves[] = { { "regressogram", "bucket_stats", TRUE },
               { "moving_average", "bucket_stats", FALSE },
               { "kernel_regression", "kernel_stats", FALSE } };

/* Their name is the method up to 0.16, the model since then. */
gboolean
wp_curve_read (const WpProfile *profile, guint32 index, WpCurve *curve)
{
  const WpValues *values = profile->values;
  WpValue object = profile->models.data[index], model = wp_value_get (values, object, "model");
  const char *name = wp_value_string (values, model != 0 ? model : wp_value_get (values, object, "method"));

  for (guint i = 0; i < G_N_ELEMENTS (curves); i++)
    if (g_str_equal (curves[i].id, name))
      {
        WpValue stats = wp_value_get (values, object, curves[i].stats);

        *curve = (WpCurve) { .name = curves[i].id, .steps = curves[i].steps, .stats = stats, .n = wp_value_count (values, stats),
                             .uid = wp_value_get (values, object, "uid"),
                             .r_square = wp_value_number (values, wp_value_get (values, object, "r_square")),
                             .start = wp_value_number (values, interval_end (values, object, "x_interval_start", "x_start")),
                             .end = wp_value_number (values, interval_end (values, object, "x_interval_end", "x_end")) };
        return curve->n > 0 && isfinite (curve->start) && isfinite (curve->end) && curve->end >= curve->start;
      }
  return FALSE;
}

WpValue
wp_model_value (const WpModel *self, WpValues *values)
{
  static const char *const names[] = { "b0", "b1", "b2" };
  WpValue coeffs[3], words[14], *word = words;
  WpValue name = wp_values_string (values, "name"), value = wp_values_string (values, "value");

  for (guint i = 0; i < self->n_coeffs; i++)
    {
      gboolean whole = self->kind == WP_MODEL_CONSTANT && i == 1; /* Perun writes 0 there, not 0.0 */
      WpValue pair[] = { name, wp_values_string (values, names[i]), value,
                         whole ? wp_values_int (values, 0) : wp_values_real (values, self->b[i]) };

      coeffs[i] = wp_values_object (values, pair, 2);
    }
  *word++ = wp_values_string (values, "model");
  *word++ = wp_values_string (values, kinds[self->kind].id);
  *word++ = wp_values_string (values, "r_square");
  *word++ = wp_values_real (values, self->r_square);
  *word++ = wp_values_string (values, "x_interval_start");
  *word++ = self->start;
  *word++ = wp_values_string (values, "x_interval_end");
  *word++ = self->end;
  *word++ = wp_values_string (values, "method");
  *word++ = self->method;
  *word++ = wp_values_string (values, "uid");
  *word++ = self->uid;
  *word++ = wp_values_string (values, "coeffs");
  *word++ = wp_values_array (values, coeffs, self->n_coeffs);
  return wp_values_object (values, words, 7);
}

void
wp_model_plot (const WpModel *self, const WpValues *values, guint n, double *x, double *y)
{
  double start = wp_value_number (values, self->start), end = wp_value_number (values, self->end);
  double step = n > 1 ? (end - start) / (n - 1) : 0;

  for (guint i = 0; i < n; i++)
    {
      x[i] = i + 1 == n && n > 1 ? end : start + i * step;
      if (fabs (x[i]) < 1e-6)
        x[i] = 1e-6;
      y[i] = wp_model_at (self, x[i]);
    }
}
