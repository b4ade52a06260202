/* Frames that a picture does not show, since they are hidden in a box: stretches of stacks of the trace, as chains in a table. */
#pragma once

#include "base/pair-map.h"

typedef struct
{
  WpId inner, outer; /* the frames of these stacks, from `inner` outwards to that before `outer` */
  guint32 next;      /* of the same box; 0: the last */
} WpHidden;
typedef WP_ARRAY (WpHidden) WpHiddenArray; /* row 0 is empty */

/* Of a box that hides more stretches than so many a table knows all. Most hide one or two. */
#define WP_HIDDEN_FEW 8

/* Adds a stretch to the chain of `owner` that begins at `first`, unless one from `inner` is there. `known` (owner, inner) has those of long chains. */
static inline void
wp_hidden_add (WpHiddenArray *self, WpPairMap *known, guint32 owner, guint32 *first, WpId inner, WpId outer)
{
  guint32 n = 0;

  if (inner == outer)
    return;
  for (guint32 h = *first; h != 0 && n <= WP_HIDDEN_FEW; h = self->data[h].next, n++)
    if (self->data[h].inner == inner)
      return;
  if (n > WP_HIDDEN_FEW && *wp_pair_map_at (known, owner, inner) != 0)
    return;
  if (self->len == 0)
    wp_array_resize (self, 1);
  wp_array_push (self, ((WpHidden) { inner, outer, *first }));
  *first = self->len - 1;
  if (n > WP_HIDDEN_FEW)
    *wp_pair_map_at (known, owner, inner) = 1;
  else if (n == WP_HIDDEN_FEW) /* it has become long: the table has all of it from now on */
    for (guint32 h = *first; h != 0; h = self->data[h].next)
      *wp_pair_map_at (known, owner, self->data[h].inner) = 1;
}
