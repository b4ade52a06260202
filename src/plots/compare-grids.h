/* Comparisons as tables: frames by their change, and what Perun's checks say. */
#pragma once

#include "profile/checks/checks.h"
#include "profile/compare/compare.h"
#include "plots/grid.h"

/* Frames in the order of the comparison, the largest change first. `presences`: a bit (1 << WpPresence) for each kind that is wanted.
 * NULL: cancelled. */
WpGrid *wp_compare_frames_grid (const WpComparison *comparison, guint presences, WpProgress *progress);

typedef struct
{
  WpGrid *grid;           /* the worst first; checks that do not apply at the end, with the reason */
  guint n[WP_N_CHANGES];  /* verdicts of each kind */
  guint applied, failed;  /* checks */
} WpChecked;

/* All of Perun's checks on the profiles of these files, NULL-terminated and at least one on each side; of several noise is told from change
 * (wp_check_run_sets()). Fails where one of them is no profile. */
WpChecked *wp_checked_new (const char *const *baseline, const char *const *target, WpProgress *progress, GError **error);
void wp_checked_free (WpChecked *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpChecked, wp_checked_free)

char *wp_checked_summary (const WpChecked *self); /* a sentence. Free with g_free() */
