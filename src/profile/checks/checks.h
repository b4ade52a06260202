/* Whether one profile is worse than another: Perun's checks. */
#pragma once

#include "profile/model/profile.h"

typedef enum
{
  WP_CHANGE_NONE,
  WP_CHANGE_UNKNOWN,
  WP_CHANGE_MAYBE_OPTIMIZATION,
  WP_CHANGE_OPTIMIZATION,
  WP_CHANGE_SEVERE_OPTIMIZATION,
  WP_CHANGE_TOTAL_OPTIMIZATION,
  WP_CHANGE_NOT_IN_TARGET,
  WP_CHANGE_MAYBE_DEGRADATION,
  WP_CHANGE_DEGRADATION,
  WP_CHANGE_SEVERE_DEGRADATION,
  WP_CHANGE_TOTAL_DEGRADATION,
  WP_CHANGE_NOT_IN_BASELINE,
  WP_N_CHANGES,
} WpCheckChange;

const char *wp_change_id (WpCheckChange change);      /* as Perun names it: "NoChange", "MaybeDegradation", … */
gboolean wp_change_find (const char *id, WpCheckChange *change);
gboolean wp_change_is_degradation (WpCheckChange change); /* for certain: what a status of 3 is for */
gboolean wp_change_is_optimization (WpCheckChange change); /* for certain */

/* What a check says of one place, such as a function. */
typedef struct
{
  WpCheckChange change;
  char *location;         /* a uid */
  char *type;             /* of what changed: "memory", "model", "linear", …; may be empty */
  char *from, *to;        /* of the baseline, of the target, as Perun writes them: "757.0ms", "linear" */
  char *unit;             /* of amounts, by its name; NULL: what changed is no amount */
  double amounts[2];      /* … these are from and to then, in it */
  double rate;            /* how much; what it means depends on the check */
  const char *confidence_type; /* static */
  double confidence;
  gboolean whole_rate, whole_confidence; /* are written without ".0" */
  guint n_baseline, n_target; /* of sets: how many profiles have the place; else 0 */
  gboolean tested;        /* of sets: whether there are enough of them for a test, which gives … */
  double p;               /* … this; … */
  double adjusted;        /* … among the p of all places that the check tested (Benjamini and Hochberg): above 0.05 is noise, and no change */
} WpCheckVerdict;

typedef enum
{
  WP_CHECK_AVERAGE_AMOUNT_THRESHOLD,  /* mean amount of each uid: twice is a degradation, half an optimization */
  WP_CHECK_BEST_MODEL_ORDER_EQUALITY, /* kind of the best model, where both have r² of 0.9 and more */
  WP_CHECK_POLYNOMIAL_REGRESSION,     /* difference of the best models; its kind by polynomials */
  WP_CHECK_LINEAR_REGRESSION,         /* … by linear regression */
  WP_CHECK_FAST_CHECK,                /* … by regression analysis of the difference */
  WP_CHECK_INTEGRAL_COMPARISON,       /* integrals of the best models: more than 10 % is perhaps a change, 25 % is one */
  WP_CHECK_LOCAL_STATISTICS,          /* eight figures of each twentieth of the best models, by the same thresholds */
  WP_CHECK_EXCLUSIVE_TIME_OUTLIERS,   /* exclusive times of functions: outliers among their changes */
  WP_N_CHECKS,
} WpCheck;

const char *wp_check_id (WpCheck check); /* "average_amount_threshold" */
gboolean wp_check_find (const char *id, WpCheck *check); /* also by its short name, "aat" */

/* Verdicts by location: WpCheckVerdict, which the array owns; amounts of the target are in the unit of the baseline. NULL and an error when
 * the profiles have not what the check needs, or amounts that cannot be compared. */
GPtrArray *wp_check_run (WpCheck check, WpProfile *baseline, WpProfile *target, GError **error);

/* The same of several profiles (WpProfile *) of one configuration on each side, at least one. All are checked against the one of the
 * baseline whose total is in the middle; a place's verdict is the target's one in the middle. What the test of Mann and Whitney
 * on the rates of both sides takes for noise (two-sided, adjusted p above 5 %) is no change. With too few for a test the verdict stands. */
GPtrArray *wp_check_run_sets (WpCheck check, const GPtrArray *baseline, const GPtrArray *target, GError **error);

/* Whether both have the same configuration (collector, cmd, args, workload, postprocessors), so that a comparison means anything. */
gboolean wp_check_same_configuration (const WpProfile *baseline, const WpProfile *target);

/* From and to for people: amounts in the unit that fits ("6.48 ms"), anything else as it is. Free with g_free(). */
char *wp_verdict_from (const WpCheckVerdict *self);
char *wp_verdict_to (const WpCheckVerdict *self);

/* The head of a line of Perun's `.changes`: LOCATION PerformanceChange.RESULT TYPE FROM TO RATE CTYPE CONFIDENCE. */
void wp_verdict_record (const WpCheckVerdict *self, GString *out);
