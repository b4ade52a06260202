/* Two profiles, or two sets of them, being compared, without a display: which files, what has become of it, and how it is taken away. Workers
 * compare; everything here is for the main thread.
 *
 * Signals:
 *   progress (const char *phase, double fraction)  while it is compared; `phase` may be NULL
 *   changed ()                                     it has begun, has been done or has failed
 *   cancelled ()                                   the user does not want it any more */
#pragma once

#include "paint/paint.h"
#include "workspace/compare/compare-data.h"
#include "workspace/file/export.h"

#define WP_TYPE_COMPARE_MODEL (wp_compare_model_get_type ())
G_DECLARE_FINAL_TYPE (WpCompareModel, wp_compare_model, WP, COMPARE_MODEL, GObject)

/* Files of both sides, NULL-terminated, at least one each. `names`: how people call A and B, "": by their files; or NULL. It begins at once. */
WpCompareModel *wp_compare_model_new (const char *const *a, const char *const *b, const char *const *names, WpDepth depth);

void wp_compare_model_set_normalise (WpCompareModel *self, gboolean normalise); /* scales A's frames to B's duration; compares again */
void wp_compare_model_choose_type (WpCompareModel *self, guint32 type);         /* of those of the comparison; compares again */
void wp_compare_model_swap (WpCompareModel *self);                              /* the sides, and compares again */
void wp_compare_model_cancel (WpCompareModel *self);

/* Of explained processes the depth of both sides, and what is hidden (NULL: nothing); any change compares again. Figures stay. */
WpDepth wp_compare_model_depth (WpCompareModel *self);
void wp_compare_model_set_depth (WpCompareModel *self, WpDepth depth);
const WpHideRules *wp_compare_model_hide_rules (WpCompareModel *self);
void wp_compare_model_hide (WpCompareModel *self, WpHideKind kind, const char *name); /* of expressions one that is valid */
void wp_compare_model_unhide (WpCompareModel *self, guint32 rule);
void wp_compare_model_unhide_all (WpCompareModel *self);

/* What is shown of what the depth and the rules fold away: the folds of one node of the last comparison, or those that have a function whose name matches,
 * as in search.h (FALSE: these are open). Any change compares again. Another depth closes all of it. */
void wp_compare_model_open_folds (WpCompareModel *self, WpId node);
guint32 *wp_compare_model_matching (WpCompareModel *self, const char *text); /* wp_search_matching_named() of the last comparison, or NULL. Free with g_free() */
gboolean wp_compare_model_open_matching (WpCompareModel *self, const char *text);
void wp_compare_model_close_found (WpCompareModel *self); /* what was opened by that */

gboolean wp_compare_model_is_busy (WpCompareModel *self);
const char *wp_compare_model_title (WpCompareModel *self);
const char *wp_compare_model_failure (WpCompareModel *self); /* why it could not be compared; NULL: it could, or is being compared */
WpShared *wp_compare_model_data (WpCompareModel *self);      /* WpCompareData of the last comparison, or NULL */
const char *const *wp_compare_model_files (WpCompareModel *self, WpSide side);

/* --- of a comparison that is there ----------------------------------------------------------------------------------- */

char *wp_compare_model_warnings (WpCompareModel *self); /* a sentence a line; "": none. Free with g_free() */
char *wp_compare_model_markdown (WpCompareModel *self, double threshold); /* the tables; `threshold` as wp_comparison_verdict() has it. Free with g_free() */

/* A view as a picture: all of it, by itself. */
WpExport *wp_compare_model_export (WpCompareModel *self, WpCompareView view, WpTheme theme);
