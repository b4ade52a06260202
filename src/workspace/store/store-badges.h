/* Whether a commit is slower or faster than the one before it: the times of its profiles beside those of the nearest commit before it, along the
 * first parents, that has profiles of the same things. Each configuration of which both have enough is tested as a comparison does it
 * (profile/fit/statistics.h), at 5 %, and the p of several are adjusted (Benjamini and Hochberg). A worker tests, for commits that are on the
 * screen only, once their figures are known; what came of it is kept as long as both commits have the same profiles.
 *
 * Signal: known (): badges have become known */
#pragma once

#include "workspace/store/store-figures.h"

#define WP_TYPE_STORE_BADGES (wp_store_badges_get_type ())
G_DECLARE_FINAL_TYPE (WpStoreBadges, wp_store_badges, WP, STORE_BADGES, GObject)

/* Of the configuration that changed most; one that is slower goes before all that are faster. */
typedef struct
{
  double by;      /* the shift's share of the mean before: above 0 it is slower; 0: nothing changed, or it cannot be told */
  double p;       /* adjusted */
  guint runs[2];  /* how many there were, and are */
  guint n_tested; /* configurations */
  char *what;     /* that was run */
  char *before;   /* the other commit, as people name it: “1a2b3c4 Subject” */
} WpStoreBadge;

WpStoreBadges *wp_store_badges_new (WpStoreFigures *figures);

void wp_store_badges_set_threshold (WpStoreBadges *self, double threshold); /* a smaller change than this share is none; at first 0 */

/* What is known by now; NULL: nothing. Then it is worked out, and “known” of this or of the figures follows. `before` may be NULL: there is none. */
const WpStoreBadge *wp_store_badges_get (WpStoreBadges *self, WpStoreCommit *commit, WpStoreCommit *before);
