/* Making stacks from other stacks: which samples stay, which locations their stacks keep. Whatever is not changed is shared. */
#pragma once

#include "base/progress.h"
#include "stacks/maker.h"

/* Copies the tables of modules, functions, lines and locations, to change them; without stacks. */
WpFrames *wp_frames_copy (const WpFrames *self);

/* Adds a sample with the values, labels, moment and thread of one of another WpStacks, whose texts, labels and threads it shares. */
void wp_stacks_add_like (WpStacks *self, const WpStacks *origin, guint32 sample, WpId stack);

/* Whether each stack has any of the locations that are marked: a byte for each. Free with g_free(). */
guint8 *wp_frames_find (const WpFrames *self, const guint8 *marked);

/* The samples whose stacks are marked, or all others. */
WpStacks *wp_stacks_select (const WpStacks *origin, const guint8 *marked, gboolean others);

/* Locations with the outermost of their lines only: that of the function which is not inlined. As in pprof they have no columns then. */
WpStacks *wp_stacks_without_inlined (const WpStacks *origin);

/* Whether a location stays. `state` begins as 0 in each stack, and is handed on from one location to the next, from the outermost on. */
typedef gboolean (*WpKeepFunc) (gconstpointer data, WpId location, guint8 *state);

/* Stacks of the locations that stay, in the tables of `frames`, which it takes: they have the same ids there. `drop_empty`: a sample that has no
 * location goes. NULL where it was cancelled. */
WpStacks *wp_stacks_rebuild (const WpStacks *origin, WpFrames *frames, WpKeepFunc keep, gconstpointer data, gboolean drop_empty,
                             WpProgress *progress, GError **error);

/* Stacks that end with the innermost location that is marked; those without one stay as they are. Takes `frames`. */
WpStacks *wp_stacks_cut (const WpStacks *origin, WpFrames *frames, const guint8 *marked, WpProgress *progress, GError **error);
