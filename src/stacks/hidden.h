/* Frames that a picture does not show, since they are hidden in a box: stretches of stacks of the trace, as chains in a table. */
#pragma once

#include "base/pair-map.h"

typedef struct
{
  WpId inner, outer; /* the frames of these stacks, from `inner` outwards to that before `outer` */
  guint32 next;      /* of the same box; 0: the last */
} WpHidden;
typedef WP_ARRAY (WpHidden) WpHiddenArray; /* row 0 is empty */

/* Adds a stretch to the chain of `owner` that begins at `first`, unless `known` (owner, inner) says that it is there. */
static inline void
wp_hidden_add (WpHiddenArray *self, WpPairMap *known, guint32 owner, guint32 *first, WpId inner, WpId outer)
{
  guint32 *is_known = inner != outer ? wp_pair_map_at (known, owner, inner) : NULL;

  if (is_known == NULL || *is_known != 0)
    return;
  *is_known = 1;
  if (self->len == 0)
    wp_array_resize (self, 1);
  wp_array_push (self, ((WpHidden) { inner, outer, *first }));
  *first = self->len - 1;
}
