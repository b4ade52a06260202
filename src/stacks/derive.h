/* Making stacks from other stacks: which samples stay, which locations their stacks keep. Whatever is not changed is shared. */
#pragma once

#include "base/progress.h"
#include "stacks/maker.h"

/* Copies the tables of modules, functions, lines and locations, to change them; without stacks. */
WpFrames *wp_frames_copy (const WpFrames *self);
WpRuns wp_runs_copy (const WpRuns *self);

/* Takes over samples of another one whose texts, labels and threads it shares: these rows, or where it is NULL all of them. It must have none yet. */
void wp_stacks_take (WpStacks *self, const WpStacks *origin, const WpIdArray *samples);

/* The same with one more comment. */
WpStacks *wp_stacks_with_comment (const WpStacks *origin, const char *comment);

/* Whether each stack has any of the locations that are marked: a byte for each. Free with g_free(). */
guint8 *wp_frames_find (const WpFrames *self, const guint8 *marked);

/* The samples whose stacks, or sets of labels, are marked, or all others. `column` is the one of `origin` that has these. */
WpStacks *wp_stacks_select (const WpStacks *origin, const WpIdArray *column, const guint8 *marked, gboolean others);

/* The same samples with the same stacks of these locations, which have kept their ids. Takes `frames`, which has no stacks. */
WpStacks *wp_stacks_relocated (const WpStacks *origin, WpFrames *frames);

/* Locations with the outermost of their lines only: that of the function which is not inlined. As in pprof they have no columns then. */
WpStacks *wp_stacks_without_inlined (const WpStacks *origin);

/* Whether a location stays in a stack, for each of the states 0 … 2 of the way from its outermost frame, where that is 0, to its innermost one; and which
 * state comes then. Four bits a state, from the lowest on. */
typedef guint16 WpFate;

#define WP_STAYS(next) ((next) << 2 | 1)
#define WP_GOES(next) ((next) << 2)
#define WP_FATE(in_0, in_1, in_2) ((WpFate) ((in_0) | (in_1) << 4 | (in_2) << 8))

/* Stacks of the locations that stay, in the tables of `frames`, which it takes: they have the same ids there. `drop_empty`: a sample that has no
 * location goes. What becomes equal may be there several times. NULL where it was cancelled. */
WpStacks *wp_stacks_rebuild (const WpStacks *origin, WpFrames *frames, const WpFate *fates, gboolean drop_empty, WpProgress *progress,
                             GError **error);

/* Stacks that end with the innermost location that is marked; those without one stay as they are. Takes `frames`. */
WpStacks *wp_stacks_cut (const WpStacks *origin, WpFrames *frames, const guint8 *marked, WpProgress *progress, GError **error);
