/* The call tree of stacks with values. */
#pragma once

#include "base/progress.h"
#include "stacks/frame-names.h"
#include "stacks/tree.h"

typedef struct
{
  guint32 type; /* of values */
  gboolean mean;               /* nodes know what their values are divided by: those of the first type */
  gboolean inverted;           /* innermost frames first */
  gboolean collapse_recursion; /* a frame on top of itself is one */
  gboolean exact; /* none is too small: for texts */
} WpStackTreeOptions;

/* The kinds (WpFrameKind) of all modules' frames, by module (free with g_free()), and that of a location's. */
guint8 *wp_stacks_module_kinds (const WpStacks *stacks);

static inline WpFrameKind
wp_location_kind (const WpLocation *location, const guint8 *module_kinds)
{
  return location->of == WP_LOCATION_OF_CODE ? module_kinds[location->module]
         : location->of == WP_LOCATION_OF_PROCESS ? WP_FRAME_PROCESS : WP_FRAME_OF_LABEL;
}

/* Frames are those of `names`; a node's `function` is one more than its row there, 0 of what stands for several. Values count without
 * their signs: of a difference, whatever changed. What is wide or large is so by sums, also of a mean, which does not add up. Where a row would have more boxes than any screen can show (WP_STACK_TREE_ROW), those of each
 * parent that are too small become one. NULL where it was cancelled, or where stacks are too many and too deep to be turned over. */
#define WP_STACK_TREE_ROW 16384
WpTree *wp_stack_tree_new (const WpStacks *stacks, const WpFrameNames *names, const WpStackTreeOptions *options, WpProgress *progress,
                           GError **error);
