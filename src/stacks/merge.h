/* One profile of several, and the difference of two. As pprof merges: FORMAT.md. */
#pragma once

#include "base/progress.h"
#include "stacks/stacks.h"

/* Value types that all have, by name, in the order of the first one; each in the finest of their units. Samples of equal stacks and labels are
 * one; those of which all values are 0 go. NULL and an error that names the two types that do not fit, or that says that stacks are out of all
 * proportion (proportion.h): here they become runs of their own. */
WpStacks *wp_stacks_merge (WpStacks *const *profiles, guint n, WpProgress *progress, GError **error);

typedef enum
{
  WP_DIFFERENCE_PLAIN,  /* shares are of what is left */
  WP_DIFFERENCE_OF_BASE /* samples of the base have the label WP_LABEL_BASE, and shares are of them */
} WpDifference;

/* `normalize`: each type is scaled first so that its sum is that of the base. */
WpStacks *wp_stacks_subtract (WpStacks *stacks, WpStacks *base, WpDifference kind, gboolean normalize, WpProgress *progress, GError **error);
