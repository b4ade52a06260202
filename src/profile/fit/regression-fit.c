#include "profile/fit/regression-fit.h"

#include <math.h>

#define NEAR_ZERO 1e-6

/* Divides as the formulas do. */
static double
over (double a, double b)
{
  return a / (b == 0 ? NEAR_ZERO : b);
}

static double
square (double x)
{
  return x * x;
}

/* --- sums ------------------------------------------------------------------------------------------------------------- */

static double
same (double x)
{
  return x;
}

static const struct
{
  double (*x) (double), (*y) (double);
  gboolean log_x, log_y; /* for positive values only */
} transforms[WP_N_MODELS] = {
  [WP_MODEL_LINEAR] = { same, same, FALSE, FALSE }, [WP_MODEL_LOGARITHMIC] = { log, same, TRUE, FALSE },
  [WP_MODEL_QUADRATIC] = { same, same, FALSE, FALSE }, [WP_MODEL_POWER] = { log10, log10, TRUE, TRUE },
  [WP_MODEL_EXPONENTIAL] = { same, log10, FALSE, TRUE }, [WP_MODEL_CONSTANT] = { same, same, FALSE, FALSE },
};

/* Products are rounded once: whole numbers are exact in Perun until they are added up. */
static void
add_point (WpFit *self, double x, double y)
{
  long double lx = x, ly = y;

  self->x += x;
  self->y += y;
  self->xx += (double) (lx * lx);
  self->yy += (double) (ly * ly);
  self->xy += (double) (lx * ly);
  self->xxx += (double) (lx * lx * lx);
  self->xxxx += (double) (lx * lx * lx * lx);
  self->xxy += (double) (lx * lx * ly);
}

static guint32
add_points (WpFit *self, const WpPoint *points, guint32 start, guint32 end)
{
  guint32 skipped = 0;

  for (guint32 i = start; i < end; i++)
    {
      if ((transforms[self->kind].log_x && !(points[i].x > 0)) || (transforms[self->kind].log_y && !(points[i].y > 0)))
        {
          skipped++;
          continue;
        }
      add_point (self, transforms[self->kind].x (points[i].x), transforms[self->kind].y (points[i].y));
      if (points[i].x < points[self->low].x)
        self->low = i;
      if (points[i].x > points[self->high].x)
        self->high = i;
    }
  return skipped;
}

/* --- formulas --------------------------------------------------------------------------------------------------------- */

static void
fit_line (WpFit *self)
{
  double root = sqrt (self->n), sum_x = over (self->x, root), sum_y = over (self->y, root);
  double sxy = self->xy - sum_x * sum_y, sxx = self->xx - square (sum_x), tss = self->yy - square (sum_y);
  double b1 = over (sxy, sxx), b0 = over (self->y - b1 * self->x, self->n);

  self->good = sxx >= 0;
  self->model.b[0] = self->kind == WP_MODEL_POWER || self->kind == WP_MODEL_EXPONENTIAL ? pow (10, b0) : b0;
  self->model.b[1] = self->kind == WP_MODEL_EXPONENTIAL ? pow (10, b1) : b1;
  self->model.n_coeffs = 2;
  self->model.r_square = self->good ? over (square (over (sxy, sqrt (sxx))), tss) : NAN;
}

static void
fit_parabola (WpFit *self)
{
  double n = self->n;
  double sxx = self->xx - square (self->x) / n, sxy = self->xy - self->x * self->y / n;
  double sxx2 = self->xxx - self->xx * self->x / n, sx2y = self->xxy - self->xx * self->y / n;
  double sx2x2 = self->xxxx - square (self->xx) / n, det = sxx * sx2x2 - square (sxx2);
  double b2 = (sx2y * sxx - sxy * sxx2) / det, b1 = (sxy * sx2x2 - sx2y * sxx2) / det;
  double b0 = (self->y - b1 * self->x - b2 * self->xx) / n;
  double sse = self->yy - b0 * self->y - b1 * self->xy - b2 * self->xxy, tss = self->yy - square (self->y) / n;

  self->good = det != 0;
  self->model.b[0] = b0;
  self->model.b[1] = b1;
  self->model.b[2] = b2;
  self->model.n_coeffs = 3;
  self->model.r_square = 1 - over (sse, tss);
}

void
wp_fit_step (WpFit *self, const WpPoint *points, guint32 start, guint32 end)
{
  guint32 skipped = add_points (self, points, start, end);

  /* Perun takes off only what was skipped in the last part. */
  self->n = (double) end - skipped;
  self->model.mean = over (self->y, self->n);
  if (self->kind == WP_MODEL_QUADRATIC)
    fit_parabola (self);
  else
    fit_line (self);
  self->model.kind = self->kind;
  self->model.start = points[self->low].x_value;
  self->model.end = points[self->high].x_value;
}

/* The flatter the line and the less it says, the better is the constant. */
WpModel
wp_fit_constant (const WpModel *linear)
{
  WpModel constant = *linear;
  double r = 1 - linear->r_square, slope = fabs (linear->b[1]), factor;

  if (slope > 0.001)
    {
      factor = slope / 0.001 / 10;
      r /= factor < 1 ? factor + 1 : factor;
    }
  else
    r *= 1000 * (0.001 - slope) + 1;
  constant.kind = WP_MODEL_CONSTANT;
  constant.r_square = CLAMP (r, 0, 1);
  constant.b[0] = linear->mean;
  constant.b[1] = 0;
  return constant;
}
