/* Gathering what is compared: each profile adds its figures, frames and stacks, then wp_comparer_finish() makes the
 * comparison. Private to compare*.c and their tests. */
#pragma once

#include "profile/compare/compare.h"
#include "profile/model/profile.h"

#include "base/pair-map.h"

typedef struct
{
  WpComparison *result;
  guint n[WP_N_SIDES], columns; /* profiles; columns: of both sides */
  guint added[WP_N_SIDES];
  guint column;     /* of the profile that is being added: A's first */
  WpSide side;
  GHashTable *rows; /* "category\nname" → row + 1 */
  WpPairMap frames; /* name, module → frame */
  WpPairMap nodes;  /* parent, frame → node */
  WP_ARRAY (double) row_values, self_values, total_values, node_values; /* `columns` to each row, frame, frame, node's total */
  WP_ARRAY (double) amounts; /* of the profile that is being added: each node's own */
} WpComparer;

WpComparer *wp_comparer_new (guint n_a, guint n_b);
void wp_comparer_free (WpComparer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpComparer, wp_comparer_free)

/* Begins the next profile of a side. Its facts are filled in by the caller (valid until the next call); `unit_name` is
 * as profiles have it, and must mean the same for all; each amount of that unit is `*factor` of the comparison's. */
WpCompared *wp_comparer_begin (WpComparer *self, WpSide side, const char *path, const char *unit_name, double *factor,
                               GError **error);

void wp_comparer_row (WpComparer *self, WpRowLevel level, const char *id, const char *name, double amount);
WpId wp_comparer_frame (WpComparer *self, const char *name, const char *module);
WpId wp_comparer_node (WpComparer *self, WpId parent, WpId frame);
void wp_comparer_amount (WpComparer *self, WpId node, double amount); /* the node's own */

/* Once all amounts of the profile are in. */
void wp_comparer_end (WpComparer *self);

/* NULL: nothing failed, but the numbers of profiles are not those that were announced. Frees nothing. */
WpComparison *wp_comparer_finish (WpComparer *self, gboolean normalise);

/* compare-load.c: all of one profile. */
gboolean wp_comparer_add_paths (WpComparer *self, WpSide side, const WpDocument *document, const WpPaths *paths,
                                WpProgress *progress, GError **error);
gboolean wp_comparer_add_profile (WpComparer *self, WpSide side, const WpProfile *profile, GError **error);

/* compare-warnings.c: of the facts of all profiles. */
void wp_comparison_warn (WpComparison *self);
