#include "workspace/stacks/stacks-callers.h"

#include <glib/gi18n.h>

#include "base/pair-map.h"
#include "stacks/measure.h"
#include "stacks/sums.h"
#include "view/layout.h"

struct WpCallersRequest
{
  WpShared *views;
  guint32 frame;
};

WpCallersRequest *
wp_callers_request_new (WpShared *views, guint32 frame)
{
  WpCallersRequest *self = g_new0 (WpCallersRequest, 1);

  self->views = wp_shared_ref (views);
  self->frame = frame;
  return self;
}

void
wp_callers_request_free (gpointer request)
{
  WpCallersRequest *self = request;

  wp_shared_unref (self->views);
  g_free (self);
}

void
wp_stacks_callers_free (WpStacksCallers *self)
{
  wp_tree_free (self->caller_tree);
  wp_tree_free (self->callee_tree);
  wp_shared_unref (self->rows);
  wp_shared_unref (self->callers);
  wp_shared_unref (self->callees);
  g_free (self);
}

/* --- both sides --------------------------------------------------------------------------------------------------- */

typedef struct
{
  WpTree *tree;
  WpPairMap nodes; /* parent, function → node */
} Side;

static WpId
child_of (Side *self, WpId parent, const WpTree *whole, const WpNode *origin)
{
  /* What is too small to be seen has no function; it is one box, too. */
  WpId *found = wp_pair_map_at (&self->nodes, parent, origin->function);

  if (*found == 0)
    {
      WpId name = wp_strings_intern (self->tree->strings, wp_strings_get (whole->strings, origin->name));

      *found = self->tree->nodes.len;
      wp_array_push (&self->tree->nodes, ((WpNode) { .name = name, .parent = parent, .function = origin->function, .kind = origin->kind }));
    }
  return *found;
}

static void
add_total (WpTree *tree, WpId id, const WpNode *more)
{
  WpNode *node = &tree->nodes.data[id];

  node->total = wp_sum_capped (node->total, more->total);
  node->total_divisor = wp_sum_capped (node->total_divisor, more->total_divisor);
}

static void
add_self (WpTree *tree, WpId id, gint64 sum, gint64 divisor)
{
  WpNode *node = &tree->nodes.data[id];

  node->self = wp_sum_capped (node->self, sum);
  node->self_divisor = wp_sum_capped (node->self_divisor, divisor);
}

static void
add_callers (Side *callers, const WpTree *whole, WpId call)
{
  const WpNode *called = &whole->nodes.data[call];
  WpId node = 0;

  add_total (callers->tree, 0, called);
  for (WpId at = called->parent; at != 0; at = whole->nodes.data[at].parent)
    {
      node = child_of (callers, node, whole, &whole->nodes.data[at]);
      add_total (callers->tree, node, called);
    }
  add_self (callers->tree, node, called->total, called->total_divisor);
}

/* Outermost calls of the function, and all that stands on them. Parents come before their children. */
static gboolean
add_calls (Side *callers, Side *callees, const WpTree *whole, WpId function, WpProgress *progress, GError **error)
{
  g_autofree WpId *nodes = g_new0 (WpId, whole->nodes.len); /* of the callees; 0: not within a call */

  for (WpId n = 1; n < whole->nodes.len; n++)
    {
      const WpNode *node = &whole->nodes.data[n];

      if (n % 4096 == 0 && !wp_progress_step (progress, (double) n / whole->nodes.len, error))
        return FALSE;
      if (nodes[node->parent] == 0 && node->function != function)
        continue;
      if (nodes[node->parent] == 0)
        {
          add_callers (callers, whole, n);
          add_total (callees->tree, 0, node);
        }
      nodes[n] = child_of (callees, nodes[node->parent], whole, node);
      add_total (callees->tree, nodes[n], node);
      add_self (callees->tree, nodes[n], node->self, node->self_divisor);
    }
  return TRUE;
}

/* --- tables ------------------------------------------------------------------------------------------------------- */

WpGrid *
wp_calls_table_new (guint32 n, const char *heading)
{
  WpGrid *grid = wp_grid_new (n);

  wp_grid_add (grid, heading);
  wp_grid_add (grid, _("Total"));
  grid->columns.data[wp_grid_add (grid, _("Share"))].shown = WP_GRID_SHARE;
  return grid;
}

static void
set_row (WpGrid *grid, guint32 row, const char *name, WpGraphValue value, gint64 sum, const char *unit)
{
  g_autofree char *text = wp_measure_words (wp_graph_value (value), unit);
  char share[WP_FORMAT_MAX];

  wp_grid_set_text (grid, WP_CALLS_NAME, row, name);
  wp_grid_set_number (grid, WP_CALLS_TOTAL, row, (double) wp_graph_value (value), text);
  wp_grid_set_number (grid, WP_CALLS_SHARE, row, sum != 0 ? (double) value.sum / (double) sum : 0,
                      wp_measure_share_words (value.sum, sum, share));
}

static WpGraphValue
total_of (const WpTree *tree, WpId node)
{
  return (WpGraphValue) { tree->nodes.data[node].total, tree->nodes.data[node].total_divisor };
}

/* The nodes that stand on one, largest first, and what is left of it. */
static WpShared *
list_side (const WpTree *tree, WpId of, const char *heading, const char *rest_name, const char *unit)
{
  const WpGraphValue total = total_of (tree, of);
  WpGraphValue rest = total;
  guint32 n = 0, row = 0;
  WpGrid *grid;

  for (WpId child = tree->nodes.data[of].first_child; child != 0; child = tree->nodes.data[child].next)
    {
      rest.sum = wp_sum (rest.sum, wp_negative (tree->nodes.data[child].total));
      rest.divisor = wp_sum (rest.divisor, wp_negative (tree->nodes.data[child].total_divisor));
      n++;
    }
  grid = wp_calls_table_new (n + (rest.sum > 0), heading);
  for (WpId child = tree->nodes.data[of].first_child; child != 0; child = tree->nodes.data[child].next)
    set_row (grid, row++, wp_strings_get (tree->strings, tree->nodes.data[child].name), total_of (tree, child), total.sum, unit);
  if (rest.sum > 0)
    set_row (grid, row, rest_name, rest, total.sum, unit);
  return wp_shared_new (grid, (GDestroyNotify) wp_grid_free);
}

static void
make_tables (WpStacksCallers *self, const char *unit)
{
  WpId function = self->callee_tree->nodes.data[0].first_child;

  self->callers = list_side (self->caller_tree, 0, _("Called By"), _("(nobody)"), unit);
  self->callees = list_side (self->callee_tree, function, _("Calls"), _("(itself)"), unit);
}

/* --- making ------------------------------------------------------------------------------------------------------- */

/* The upright tree: the one that is drawn, unless that is turned over. */
static gboolean
sum_calls (WpStacksCallers *self, const WpStacksViews *views, WpProgress *progress, GError **error)
{
  const WpStackTreeOptions options
      = { .type = views->choice.type, .mean = views->choice.mean, .collapse_recursion = views->choice.collapse_recursion };
  g_autoptr (WpTree) upright = views->choice.inverted ? wp_stack_tree_new (views->stacks, views->graph->names, &options, progress, error) : NULL;
  const WpTree *whole = views->choice.inverted ? upright : views->tree;
  Side callers = { self->caller_tree = wp_tree_alloc () }, callees = { self->callee_tree = wp_tree_alloc () };
  gboolean done = whole != NULL && add_calls (&callers, &callees, whole, self->frame + 1, progress, error);

  wp_pair_map_clear (&callers.nodes);
  wp_pair_map_clear (&callees.nodes);
  wp_tree_link (self->caller_tree);
  wp_tree_link (self->callee_tree);
  return done;
}

gpointer
wp_callers_request_run (gpointer request, WpProgress *progress, GError **error)
{
  const WpCallersRequest *r = request;
  const WpStacksViews *views = wp_shared_get (r->views);
  WpStacksCallers *self = g_new0 (WpStacksCallers, 1);
  WpRows *rows;

  self->frame = r->frame;
  if (!sum_calls (self, views, progress, error))
    {
      wp_stacks_callers_free (self);
      return NULL;
    }
  self->total = wp_node_total (&self->callee_tree->nodes.data[0]);
  make_tables (self, views->unit);
  rows = wp_layout_callers (self->caller_tree, self->callee_tree);
  wp_stacks_set_unit (rows, views->unit);
  self->rows = wp_shared_new (rows, (GDestroyNotify) wp_rows_free);
  return self;
}

/* --- which frame -------------------------------------------------------------------------------------------------- */

static const WpNode *
node_of (const WpStacksCallers *self, const WpBox *box)
{
  return &(box->ref_kind == WP_REF_CALLER ? self->caller_tree : self->callee_tree)->nodes.data[box->ref];
}

guint32
wp_stacks_callers_box_frame (const WpStacksCallers *self, const WpBox *box)
{
  return node_of (self, box)->function - 1;
}

char *
wp_stacks_callers_describe (const WpStacksCallers *self, const WpStacksViews *views, const WpBox *box)
{
  const WpTree *tree = box->ref_kind == WP_REF_CALLER ? self->caller_tree : self->callee_tree;
  const WpNode *node = node_of (self, box);
  g_autofree char *total = wp_measure_words (wp_node_total (node), views->unit);
  GString *text = g_string_new (NULL);
  char of_function[WP_FORMAT_MAX], of_all[WP_FORMAT_MAX];

  g_string_append_printf (text, _("%s\n%s, %s of the function, %s of everything"), wp_strings_get (tree->strings, node->name), total,
                          wp_measure_share_words (node->total, self->callee_tree->nodes.data[0].total, of_function),
                          wp_measure_share_words (node->total, views->sum, of_all));
  if (node->function != 0)
    wp_stacks_views_append_place (views, text, node->function - 1);
  return g_string_free (text, FALSE);
}

guint32
wp_stacks_callers_frame (const WpStacksCallers *self, const WpShared *table, guint32 row)
{
  const WpTree *tree = table == self->callers ? self->caller_tree : self->callee_tree;
  WpId child = table == self->callers ? tree->nodes.data[0].first_child
                                      : tree->nodes.data[tree->nodes.data[0].first_child].first_child;

  for (; row > 0 && child != 0; row--)
    child = tree->nodes.data[child].next;
  return child != 0 ? tree->nodes.data[child].function - 1 : G_MAXUINT32;
}
