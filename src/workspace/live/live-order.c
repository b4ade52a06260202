#include "workspace/live/live-order.h"

#include "base/pair-map.h"
#include "base/sort.h"

#define MANY (1 << 20) /* names that were seen, then everything begins anew */
#define GONE_MAX 500   /* rows of a table that are kept for what is not there any more */

/* What names are ranked below; those of nodes follow. */
enum
{
  BELOW_TREE = 1,
  BELOW_CATEGORY,
  FIRST_RANK = BELOW_CATEGORY + WP_CATEGORY_COUNT,
};

typedef struct
{
  WpId texts[2]; /* strings of the order */
} TableRow;

struct WpLiveOrder
{
  WpStrings *strings;
  WpPairMap ranks; /* what it is below, its name → its rank: less was seen earlier */
  guint32 n_ranks;
  WP_ARRAY (TableRow) rows; /* of the table, in their order */
  WpPairMap row_of;         /* its texts → row + 1 */
};

static void
begin (WpLiveOrder *self)
{
  self->strings = wp_strings_new ();
  self->n_ranks = FIRST_RANK;
}

static void
clear (WpLiveOrder *self)
{
  wp_strings_free (self->strings);
  wp_pair_map_clear (&self->ranks);
  wp_pair_map_clear (&self->row_of);
  wp_array_clear (&self->rows);
}

WpLiveOrder *
wp_live_order_new (void)
{
  WpLiveOrder *self = g_new0 (WpLiveOrder, 1);

  begin (self);
  return self;
}

void
wp_live_order_free (WpLiveOrder *self)
{
  if (self == NULL)
    return;
  clear (self);
  g_free (self);
}

static guint32
rank_of (WpLiveOrder *self, guint32 below, const char *name)
{
  guint32 *rank = wp_pair_map_at (&self->ranks, below, wp_strings_intern (self->strings, name));

  if (*rank == 0)
    *rank = self->n_ranks++;
  return *rank;
}

/* An hour of ever new names does not add up. */
static void
begin_anew_where_many (WpLiveOrder *self)
{
  if (self->n_ranks < MANY)
    return;
  clear (self);
  *self = (WpLiveOrder) { 0 };
  begin (self);
}

/* --- trees -------------------------------------------------------------------------------------------------------- */

typedef struct
{
  WpId parent, node;
  guint32 rank;
} Child;

WP_DEFINE_COMPARE_2 (compare_children, Child, parent, rank)

void
wp_live_order_tree (WpLiveOrder *self, WpTree *tree)
{
  g_autofree guint32 *ranks = g_new (guint32, tree->nodes.len);
  WP_ARRAY (Child) children = { 0 };

  begin_anew_where_many (self);
  ranks[0] = BELOW_TREE;
  for (WpId parent = 0; parent < tree->nodes.len; parent++) /* parents come before their children */
    for (WpId c = tree->nodes.data[parent].first_child; c != 0; c = tree->nodes.data[c].next)
      {
        ranks[c] = rank_of (self, ranks[parent], wp_strings_get (tree->strings, tree->nodes.data[c].name));
        wp_array_push (&children, ((Child) { parent, c, ranks[c] }));
      }
  wp_array_sort (&children, compare_children);
  for (guint32 i = 0; i < children.len; i++)
    {
      const Child *child = &children.data[i];
      gboolean first = i == 0 || child[-1].parent != child->parent;
      gboolean last = i + 1 == children.len || child[1].parent != child->parent;

      if (first)
        tree->nodes.data[child->parent].first_child = child->node;
      tree->nodes.data[child->node].next = last ? 0 : child[1].node;
    }
  wp_array_clear (&children);
}

/* --- explanations ------------------------------------------------------------------------------------------------- */

typedef struct
{
  guint32 category, rank;
  WpExplanationRow row;
} RankedRow;

WP_DEFINE_COMPARE_2 (compare_ranked, RankedRow, category, rank)

void
wp_live_order_explanation (WpLiveOrder *self, WpExplanation *explanation)
{
  WP_ARRAY (RankedRow) ranked = { 0 };

  for (guint32 i = 0; i < explanation->rows.len; i++)
    {
      const WpExplanationRow *row = &explanation->rows.data[i];

      wp_array_push (&ranked, ((RankedRow) { row->category,
                                             rank_of (self, BELOW_CATEGORY + row->category, row->name != NULL ? row->name : ""),
                                             *row }));
    }
  wp_array_sort (&ranked, compare_ranked);
  for (guint32 i = 0; i < ranked.len; i++)
    explanation->rows.data[i] = ranked.data[i].row;
  wp_array_clear (&ranked);
  wp_array_clear (&explanation->pieces);
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

/* Where each row of a grid stands; those that were not seen before are appended. */
static void
place_rows (WpLiveOrder *self, const WpGrid *grid, const guint32 keys[2], WpIdArray *places)
{
  for (guint32 i = 0; i < grid->n_rows; i++)
    {
      TableRow row;
      guint32 *place;

      for (guint k = 0; k < 2; k++)
        row.texts[k] = wp_strings_intern (self->strings, wp_grid_text (grid, keys[k], i));
      place = wp_pair_map_at (&self->row_of, row.texts[0], row.texts[1]);
      if (*place == 0)
        {
          wp_array_push (&self->rows, row);
          *place = self->rows.len;
        }
      wp_array_push (places, *place - 1);
    }
}

static void
copy_row (WpGrid *to, guint32 row, const WpGrid *from, guint32 from_row)
{
  for (guint32 c = 0; c < from->columns.len; c++)
    if (from->columns.data[c].numbers != NULL)
      wp_grid_set_number (to, c, row, from->columns.data[c].numbers[from_row], wp_grid_text (from, c, from_row));
    else
      wp_grid_set_text (to, c, row, wp_grid_text (from, c, from_row));
}

static void
add_gone (WpLiveOrder *self, WpGrid *grid, guint32 row, const WpGrid *like, const guint32 keys[2])
{
  for (guint32 c = 0; c < like->columns.len; c++)
    if (c == keys[0] || c == keys[1])
      wp_grid_set_text (grid, c, row, wp_strings_get (self->strings, self->rows.data[row].texts[c == keys[1]]));
    else if (like->columns.data[c].numbers != NULL)
      wp_grid_set_number (grid, c, row, 0, "0");
}

WpGrid *
wp_live_order_grid (WpLiveOrder *self, const WpGrid *grid, guint32 key, guint32 other)
{
  const guint32 keys[2] = { key, other };
  g_autofree guint8 *there = NULL;
  WpIdArray places = { 0 };
  WpGrid *ordered;

  if (self->rows.len > (guint64) grid->n_rows + GONE_MAX)
    {
      wp_pair_map_clear (&self->row_of);
      self->rows.len = 0;
    }
  place_rows (self, grid, keys, &places);
  ordered = wp_grid_new (self->rows.len);
  there = g_new0 (guint8, MAX (self->rows.len, 1));
  for (guint32 c = 0; c < grid->columns.len; c++)
    {
      guint32 column = wp_grid_add (ordered, wp_strings_get (grid->strings, grid->columns.data[c].name));

      ordered->columns.data[column].shown = grid->columns.data[c].shown;
    }
  for (guint32 i = 0; i < places.len; i++)
    {
      copy_row (ordered, places.data[i], grid, i);
      there[places.data[i]] = 1;
    }
  for (guint32 row = 0; row < self->rows.len; row++)
    if (!there[row])
      add_gone (self, ordered, row, grid, keys);
  wp_array_clear (&places);
  return ordered;
}
