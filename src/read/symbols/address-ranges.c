/* A treap: a search tree by `start` that is a heap by the hashes of the starts, which nobody can foresee. So its depth, and with it that of
 * the recursion here, grows with the logarithm of its size whatever the ranges are. */
#include "read/symbols/address-ranges.h"

#include "base/hash.h"

typedef struct
{
  WpMapping range;
  WpId left, right;
  guint32 edition;
} RangeNode;

struct WpAddressRanges
{
  WP_ARRAY (RangeNode) nodes; /* row 0 is empty */
  guint32 last_edition;
};

WpAddressRanges *
wp_address_ranges_new (void)
{
  WpAddressRanges *self = g_new0 (WpAddressRanges, 1);

  wp_array_resize (&self->nodes, 1);
  return self;
}

void
wp_address_ranges_free (WpAddressRanges *self)
{
  if (self == NULL)
    return;
  wp_array_clear (&self->nodes);
  g_free (self);
}

guint32
wp_address_ranges_new_edition (WpAddressRanges *self)
{
  return ++self->last_edition;
}

static WpId
add_node (WpAddressRanges *self, guint32 edition, const WpMapping *range)
{
  wp_array_push (&self->nodes, ((RangeNode) { .range = *range, .edition = edition }));
  return self->nodes.len - 1;
}

/* The node itself where it may be changed, else a copy. */
static WpId
own (WpAddressRanges *self, guint32 edition, WpId node)
{
  RangeNode copy = self->nodes.data[node];

  if (copy.edition == edition)
    return node;
  copy.edition = edition;
  wp_array_push (&self->nodes, copy);
  return self->nodes.len - 1;
}

/* What begins before `at`, and the rest. */
static void
split (WpAddressRanges *self, guint32 edition, WpId root, guint64 at, WpId *before, WpId *rest)
{
  WpId part;

  *before = *rest = 0;
  if (root == 0)
    return;
  root = own (self, edition, root);
  if (self->nodes.data[root].range.start < at)
    {
      split (self, edition, self->nodes.data[root].right, at, &part, rest);
      self->nodes.data[root].right = part;
      *before = root;
    }
  else
    {
      split (self, edition, self->nodes.data[root].left, at, before, &part);
      self->nodes.data[root].left = part;
      *rest = root;
    }
}

static gboolean
is_above (const WpAddressRanges *self, WpId a, WpId b)
{
  return wp_hash_number (self->nodes.data[a].range.start) >= wp_hash_number (self->nodes.data[b].range.start);
}

/* All of `left` is before all of `right`. */
static WpId
join (WpAddressRanges *self, guint32 edition, WpId left, WpId right)
{
  WpId root, part;

  if (left == 0 || right == 0)
    return left != 0 ? left : right;
  if (is_above (self, left, right))
    {
      root = own (self, edition, left);
      part = join (self, edition, self->nodes.data[root].right, right);
      self->nodes.data[root].right = part;
    }
  else
    {
      root = own (self, edition, right);
      part = join (self, edition, left, self->nodes.data[root].left);
      self->nodes.data[root].left = part;
    }
  return root;
}

/* The last range that begins at or before the address. */
static const WpMapping *
last_until (const WpAddressRanges *self, WpId root, guint64 address)
{
  const WpMapping *last = NULL;

  while (root != 0)
    {
      const RangeNode *node = &self->nodes.data[root];

      if (node->range.start <= address)
        last = &node->range;
      root = node->range.start <= address ? node->right : node->left;
    }
  return last;
}

const WpMapping *
wp_address_ranges_find (const WpAddressRanges *self, WpId root, guint64 address)
{
  const WpMapping *found = last_until (self, root, address);

  return found != NULL && address < found->end ? found : NULL;
}

/* Leaves out what the range covers; what reaches over its ends keeps the part outside. */
static void
cut_out (WpAddressRanges *self, guint32 edition, WpId root, const WpMapping *range, WpId *before, WpId *behind)
{
  const WpMapping *over_start = range->start > 0 ? wp_address_ranges_find (self, root, range->start - 1) : NULL;
  const WpMapping *over_end = wp_address_ranges_find (self, root, range->end);
  WpMapping head = { 0 }, tail = { 0 };
  WpId covered;

  if (over_start != NULL && over_start->end > range->start)
    head = *over_start;
  if (over_end != NULL && over_end->start < range->end)
    tail = *over_end;
  split (self, edition, root, range->start, before, &covered);
  split (self, edition, covered, range->end, &covered, behind);
  if (head.end != 0)
    {
      split (self, edition, *before, head.start, before, &covered);
      head.end = range->start;
      *before = join (self, edition, *before, add_node (self, edition, &head));
    }
  if (tail.end != 0)
    {
      tail.file_offset += range->end - tail.start;
      tail.start = range->end;
      *behind = join (self, edition, add_node (self, edition, &tail), *behind);
    }
}

WpId
wp_address_ranges_put (WpAddressRanges *self, WpId root, guint32 edition, const WpMapping *range)
{
  WpId before, behind, node;

  cut_out (self, edition, root, range, &before, &behind);
  node = add_node (self, edition, range);
  return join (self, edition, join (self, edition, before, node), behind);
}
