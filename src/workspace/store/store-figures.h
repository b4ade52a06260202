/* How long a profile is in all and how much of that is accounted for, where it says so. A worker reads it from the beginning of the profile's
 * file, for rows that are on the screen. Of a saved recording that is its total; of another profile with times, if it is small, the sum of its
 * amounts.
 *
 * Signal: known (): figures have become known */
#pragma once

#include "workspace/store/store-data.h"

#define WP_TYPE_STORE_FIGURES (wp_store_figures_get_type ())
G_DECLARE_FINAL_TYPE (WpStoreFigures, wp_store_figures, WP, STORE_FIGURES, GObject)

typedef struct
{
  gint64 total;   /* ns; 0: unknown */
  double percent; /* accounted for; -1: the profile does not say */
  char *most;     /* what most of it is, a line in words; NULL: the profile does not say */
} WpStoreFigure;

/* Of repeats. */
typedef struct
{
  guint n;
  double *totals; /* ns, in the order of the repeats */
  double median, low, high;
  const char *most; /* of the one in the middle, as WpStoreFigure has it; or NULL */
} WpStoreRuns;

WpStoreFigures *wp_store_figures_new (void);
void wp_store_figures_set_session (WpStoreFigures *self, WpStoreSession *session); /* where profiles are read from now on; NULL: nowhere */

/* What is known by now. NULL: nothing; then it is read, and “known” follows. */
const WpStoreFigure *wp_store_figures_get (WpStoreFigures *self, WpStoreProfile *profile);

/* The same of repeats (WpStoreProfile), once all of them are known and tell a time; else FALSE, and nothing is there. What is there lasts as
 * long as nothing becomes known. */
gboolean wp_store_figures_get_runs (WpStoreFigures *self, const GPtrArray *runs, WpStoreRuns *out);
void wp_store_runs_clear (WpStoreRuns *self);
gint64 wp_store_figures_longest (const WpStoreFigures *self); /* of all that are known */
