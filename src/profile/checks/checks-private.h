/* What the files of the checks share. */
#pragma once

#include "profile/checks/checks.h"
#include "profile/fit/models.h"

typedef gboolean (*WpCheckFunc) (WpProfile *baseline, WpProfile *target, GPtrArray *verdicts, GError **error);

gboolean wp_check_amounts (WpProfile *baseline, WpProfile *target, GPtrArray *verdicts, GError **error);
gboolean wp_check_model_order (WpProfile *baseline, WpProfile *target, GPtrArray *verdicts, GError **error);
gboolean wp_check_polynomial (WpProfile *baseline, WpProfile *target, GPtrArray *verdicts, GError **error);
gboolean wp_check_linear (WpProfile *baseline, WpProfile *target, GPtrArray *verdicts, GError **error);
gboolean wp_check_fast (WpProfile *baseline, WpProfile *target, GPtrArray *verdicts, GError **error);
gboolean wp_check_integrals (WpProfile *baseline, WpProfile *target, GPtrArray *verdicts, GError **error);
gboolean wp_check_windows (WpProfile *baseline, WpProfile *target, GPtrArray *verdicts, GError **error);
gboolean wp_check_exclusive (WpProfile *baseline, WpProfile *target, GPtrArray *verdicts, GError **error);

/* verdicts.c */
GPtrArray *wp_verdicts_new (void); /* empty; owns its WpCheckVerdict */

/* A new verdict at the end; texts are copied. */
void wp_verdict_set_amounts (WpCheckVerdict *self, const char *unit, double from, double to);
WpCheckVerdict *wp_verdicts_add (GPtrArray *verdicts, WpCheckChange change, const char *location, const char *type, const char *from,
                            const char *to);

/* checks-common.c */

/* The models of one uid that are compared. `best` has the highest r² above 0. */
typedef struct
{
  WpModel best, linear;
  gboolean has_best, has_linear;
  gboolean whole_confidence; /* the file has r² of the best one without ".0" */
} WpBestModels;

/* uid text -> WpBestModels; models of other kinds do not count. What they give is multiplied by `scale`. */
GHashTable *wp_check_best_models (WpProfile *profile, double scale);

/* What brings amounts of the target to the unit of the baseline: 1000 where one is in ms and the other in µs. */
double wp_check_scale (const WpProfile *baseline, const WpProfile *target);

/* Uids that both have, sorted. */
GPtrArray *wp_check_common_keys (GHashTable *a, GHashTable *b);

/* Half to even at two digits, as numpy rounds. */
double wp_check_round (double x, int digits);

WpCheckChange wp_check_by_thresholds (double rate, double none, double certain);
