/* Maps of address ranges that share what they have in common: a process that is forked has its parent's until either changes, and a
 * change copies the few nodes that lead to it, not the whole map.
 *
 * A map is the root of a tree, 0 while it is empty. Nodes live in one block, as long as that does. */
#pragma once

#include "base/array.h"

typedef struct
{
  guint64 start, end;
  guint64 file_offset; /* what of the file begins at `start`; 0 of what is no file */
  WpId module;
} WpMapping;

typedef struct WpAddressRanges WpAddressRanges;

WpAddressRanges *wp_address_ranges_new (void);
void wp_address_ranges_free (WpAddressRanges *self);

/* Nodes of one edition belong to one map and are changed where they are. Whoever begins to share a map takes a new one for each side. */
guint32 wp_address_ranges_new_edition (WpAddressRanges *self);

/* The map with this range in place of whatever was there; start < end. */
WpId wp_address_ranges_put (WpAddressRanges *self, WpId root, guint32 edition, const WpMapping *range);

/* The range that an address lies in, valid until the next change; or NULL. */
const WpMapping *wp_address_ranges_find (const WpAddressRanges *self, WpId root, guint64 address);
