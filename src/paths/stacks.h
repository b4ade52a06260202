/* The explained process as stacks with values: all that it did and waited for, as samples of the pseudo-stacks that the call tree gathers.
 *
 * Types: "running", "waiting" and "latency", in nanoseconds; what all samples have of the first two is the total of the explanation, and latency is
 * what of the elapsed time they answer for: its wall time, if something went on all the time (wp_explanation_latency()). Older files have no latency. A sample is a piece of the
 * explanation, of a run the part of it that one of its samples stands for. Moments: its start, since the recording's.
 *
 * The comment is the recorded command.
 *
 * Frames: at the wanted depth (depth.h), functions, with the module that the trace knows them in. What else is a frame has a module that says what it is (stacks/tree.h)
 *
 * Labels: "process" and "thread" ("NAME:TID", as --task has it) of whose time it was, unless it was a device's; "category", an id of the
 * explanation; and of what is waiting "waited_for": the row of its table, or "CPU"; "mark", what that thread said that it was doing then (trace/marks.h). */
#pragma once

#include "paths/tree.h"
#include "stacks/stacks.h"

#define WP_NOT_SAMPLED "(not sampled)" /* the frame of a run without a sample */

/* Their value types. */
enum
{
  WP_TIME_RUNNING,
  WP_TIME_WAITING,
  WP_TIME_COUNT,
  WP_TIME_LATENCY = WP_TIME_COUNT,
  WP_VALUES_OF_EXPLAINED
};

/* `explanation` is of these paths; its range counts. NULL only when cancelled. */
WpStacks *wp_paths_stacks (const WpPaths *paths, const WpExplanation *explanation, WpDepthChoice depth, WpProgress *progress, GError **error);

/* Whether stacks are those of an explained process, filtered or read back from any format that tells their types. */
gboolean wp_stacks_are_explained (const WpStacks *stacks);

/* The call tree (paths/tree.h) of such stacks, of both types or of one: without parts, sources and what overflows. A node's `function` is a location. */
#define WP_TREE_BOTH_TYPES (-1)
WpTree *wp_tree_of_stacks (const WpStacks *stacks, int type, const WpTreeOptions *options, WpProgress *progress, GError **error);
