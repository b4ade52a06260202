/* Models of how an amount depends on a size, as a profile keeps them and regression analysis makes them. */
#pragma once

#include "profile/model/profile.h"

/* In the order in which Perun computes them; constants are made from linear models, after all others. */
typedef enum
{
  WP_MODEL_LINEAR,      /* b0 + b1·x */
  WP_MODEL_LOGARITHMIC, /* b0 + b1·ln x */
  WP_MODEL_QUADRATIC,   /* b0 + b1·x + b2·x² */
  WP_MODEL_POWER,       /* b0·x^b1 */
  WP_MODEL_EXPONENTIAL, /* b0·b1^x */
  WP_MODEL_CONSTANT,    /* b0 */
  WP_N_MODELS,
} WpModelKind;

#define WP_MODEL_ALL ((1u << WP_N_MODELS) - 1) /* as a set: bits of kinds */

typedef struct
{
  WpModelKind kind;
  double r_square;
  double b[3];
  guint n_coeffs;
  WpValue start, end; /* of x: numbers */
  WpValue uid;        /* a STRING; any value in profiles that others made */
  WpValue method;     /* a STRING */
  double mean;        /* of y; where it was fitted here */
} WpModel;

typedef WP_ARRAY (WpModel) WpModelArray;

const char *wp_model_kind_id (WpModelKind kind);                      /* "linear", … */
gboolean wp_model_kind_find (const char *id, WpModelKind *kind);      /* FALSE: there is none of that name */
guint wp_model_kind_order (WpModelKind kind);                         /* 0 constant, logarithmic, linear, quadratic, power, exponential 5 */

/* y at x. */
double wp_model_at (const WpModel *self, double x);

/* Reads a model of a profile. FALSE and an error where it is not one of these kinds (Perun has others, without coefficients),
 * or lacks coefficients; the message begins with "models[INDEX]". */
gboolean wp_model_read (const WpProfile *profile, guint32 index, WpModel *model, GError **error);

/* A non-parametric model, as Perun 0.16 and newer have them: values along x instead of coefficients. Read, never made. */
typedef struct
{
  const char *name;  /* "regressogram", "moving_average", "kernel_regression" */
  gboolean steps;    /* the values are those of equal parts of the interval; else of the distinct x of the points in it */
  double r_square, start, end;
  WpValue uid, stats; /* any value; numbers */
  guint32 n;          /* of `stats`, at least 1 */
} WpCurve;

gboolean wp_curve_read (const WpProfile *profile, guint32 index, WpCurve *curve); /* FALSE: it is none, or not whole */

/* The object that a profile keeps: model, r_square, x_interval_start, x_interval_end, method, uid, coeffs. */
WpValue wp_model_value (const WpModel *self, WpValues *values);

/* n points, equally far apart, from start to end; an x nearer to 0 than 1e-6 is 1e-6. Perun's plot data has 51. */
#define WP_MODEL_PLOT_POINTS 51
void wp_model_plot (const WpModel *self, const WpValues *values, guint n, double *x, double *y);
