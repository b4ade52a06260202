/* Gathering what is compared: each profile adds its figures, frames and stacks, then wp_comparer_finish() makes the
 * comparison. Private to compare*.c and their tests. */
#pragma once

#include "paths/answer.h"
#include "profile/compare/compare.h"
#include "profile/model/profile.h"
#include "stacks/stacks.h"

#include "base/pair-map.h"

/* What the processes' own time went to, as WpSpent has it; or all such of one disk that are small. */
typedef struct
{
  WpId words;    /* string of the comparison; of a disk its name */
  WpId disk;     /* … of the disk that it waited for; or 0 */
  guint32 pool;  /* the row of that disk, where it is small; or 0 */
  guint32 n;     /* of a disk: how many there are */
  gboolean said;
  WpChange change;
} WpComparedSpent;

/* All waits of tasks with one name for one thing. */
typedef struct
{
  WpId who, words; /* strings of the comparison */
  WpChange change;
  double count[WP_N_SIDES];
} WpComparerWait;

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
  WpPairMap hidden; /* node, inner stack → 1: what is hidden there is known */
  WP_ARRAY (double) row_values, self_values, total_values, node_values; /* `columns` to each row, frame, frame, node's total */
  WP_ARRAY (double) amounts; /* of the profile that is being added: each node's own */
  WP_ARRAY (WpComparedSpent) spent;
  guint answers;                  /* of how many profiles that is */
  WP_ARRAY (double) spent_values; /* `columns` to each */
  WpPairMap spent_rows;           /* compare-answer.c; words or disk → row + 1 */
  WP_ARRAY (WpComparerWait) waits;
  WP_ARRAY (double) wait_values;  /* `columns` to each: ns … */
  WP_ARRAY (double) wait_counts;  /* … and how often */
  WpPairMap wait_rows;            /* who, words → row + 1 */
  gboolean frames_given;     /* of that profile, by wp_comparer_frame_amounts() */
} WpComparer;

WpComparer *wp_comparer_new (guint n_a, guint n_b);
void wp_comparer_free (WpComparer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpComparer, wp_comparer_free)

/* Begins the next profile of a side. Its facts are filled in by the caller (valid until the next call); `unit_name` is
 * as profiles have it, and must mean the same for all; each amount of that unit is `*factor` of the comparison's. */
WpCompared *wp_comparer_begin (WpComparer *self, WpSide side, const char *path, const char *unit_name, double *factor,
                               GError **error);

void wp_comparer_row (WpComparer *self, WpRowLevel level, const char *id, const char *name, double amount);

/* A figure in a unit of its own, as profiles have units; it must be the same in all. */
void wp_comparer_figure (WpComparer *self, const char *name, const char *unit_name, double amount);

WpId wp_comparer_frame (WpComparer *self, const char *name, const char *module);
WpId wp_comparer_node (WpComparer *self, WpId parent, WpId frame);
void wp_comparer_amount (WpComparer *self, WpId node, double amount); /* the node's own */

/* What is added to a frame: where any frame is given so, frames are not summed up from the nodes. */
void wp_comparer_frame_amounts (WpComparer *self, WpId frame, double own, double total);

/* Once all amounts of the profile are in. */
void wp_comparer_end (WpComparer *self);

/* NULL: nothing failed, but the numbers of profiles are not those that were announced. Frees nothing. */
WpComparison *wp_comparer_finish (WpComparer *self, gboolean normalise);

/* What the values of both sides say of a figure, `columns` of them; tested where all of them together come to at least `least`. That sum does
 * not depend on which side a value is of, so that leaving out by it does not change what a p means (Bourgon and others, 2010). */
WpChange wp_comparer_change (const WpComparer *self, const double *values, double least);
double wp_comparer_least (const WpComparer *self, const double *everything); /* of what is a part of this */
guint32 wp_comparer_adjust (WpChange **changes, guint32 n); /* those of one table: how many of them were tested */

/* compare-answer.c: adds what the profile's own time went to, and who waited; and, at the end, says in words what of it changed, and lists whose
 * waits did. */
void wp_comparer_add_answer (WpComparer *self, const WpAnswer *answer);
void wp_comparer_say (WpComparer *self);

void wp_compared_set_fact (WpCompared *self, WpFact fact, const char *text); /* compare-load.c; NULL: nothing is said */

/* compare-load.c: all of one profile. `opened`: as the options have it. */
gboolean wp_comparer_add_paths (WpComparer *self, WpSide side, const WpDocument *document, const WpPaths *paths, WpDepthChoice depth,
                                const WpNamedStacks *opened, WpProgress *progress, GError **error);
gboolean wp_comparer_add_profile (WpComparer *self, WpSide side, const WpProfile *profile, GError **error);


/* A file opened as stacks. */
typedef struct
{
  WpSide side;
  WpCompared said; /* the facts are owned; the path is not */
  WpStacks *stacks;
  GHashTable *types; /* name → one more than the type; made by wp_comparer_add_stacks() */
  guint32 type;      /* of which frames are compared */
} WpStacksFile;

/* compare-stacks.c: what the options leave of all files of both sides, A's first: what is compared is what all of them have. */
gboolean wp_comparer_add_stacks (WpComparer *self, WpStacksFile *files, guint n, const WpCompareOptions *options, WpProgress *progress,
                                 GError **error);

/* compare-text.c: a text whose two %s are these; NULL: it has not two. Free with g_free(). */
char *wp_comparison_fill (const char *format, const char *first, const char *second);

/* compare-warnings.c: of the facts of all profiles. */
void wp_comparison_warn (WpComparison *self);
