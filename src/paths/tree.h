/* The call tree of an explained process: all pseudo-stacks of all control paths merged by frame name. Process names are frames too. */
#pragma once

#include "paths/depth.h"
#include "paths/explain.h"
#include "stacks/tree.h"

typedef struct
{
  gboolean inverted;           /* leaf first */
  gboolean collapse_recursion; /* a function that calls itself is one frame */
  gint64 from, to;             /* time range; 0, 0: everything */
  WpDepthChoice depth;
  const WpExplanation *explanation; /* of these paths and this range, where the caller has it; NULL: it is made */
} WpTreeOptions;

/* NULL when cancelled, or where stacks are too many and too deep to be turned over. */
WpTree *wp_tree_new (const WpPaths *paths, const WpTreeOptions *options, WpProgress *progress, GError **error);

/* The same in two steps, for whoever turns stacks over and back: all stacks with their own times, which takes most of the time and hangs on every option but
 * `inverted`; and the tree that is made of them. It needs neither paths nor explanation any more. */
typedef struct WpTreeBasis WpTreeBasis;
WpTreeBasis *wp_tree_basis_new (const WpPaths *paths, const WpTreeOptions *options, WpProgress *progress, GError **error); /* NULL when cancelled */
WpTree *wp_tree_of_basis (const WpTreeBasis *self, gboolean inverted, WpProgress *progress, GError **error);
void wp_tree_basis_free (WpTreeBasis *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpTreeBasis, wp_tree_basis_free)
