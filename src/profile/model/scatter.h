/* Points of each uid with the models of that uid, as the scatter view draws them. */
#pragma once

#include "profile/fit/regression.h"

typedef struct
{
  WpSeries series;        /* of one uid, two points at least; in the order of the resources */
  WpModelArray models;    /* on one interval of x, in the order of the profile; none: there are no models of this uid */
} WpScatter;

/* Uids as they come up; one with models on several intervals comes once for each, by their starts. Free with g_array_unref(). */
GArray *wp_scatter_new (WpProfile *profile, const char *of, const char *per);
