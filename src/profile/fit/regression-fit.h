/* One model, fitted part by part: its sums go on. */
#pragma once

#include "profile/fit/regression.h"

typedef struct
{
  WpModelKind kind;
  double x, y, xx, yy, xy, xxx, xxxx, xxy; /* sums, of transformed points */
  guint32 low, high;                       /* points with the least and the greatest x */
  gboolean started;
  double n;                                /* points, as the formulas count them */
  gboolean good;                           /* the formulas have a result */
  WpModel model;
} WpFit;

/* Takes the points from start to end (not included) on top of those before, and fits anew. */
void wp_fit_step (WpFit *self, const WpPoint *points, guint32 start, guint32 end);

/* The constant that a fitted linear model gives. */
WpModel wp_fit_constant (const WpModel *linear);
