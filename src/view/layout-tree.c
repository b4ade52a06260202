/* The consolidated view: nodes as boxes as wide as they lasted, children side by side on their parent. */
#include "stacks/sums.h"
#include "view/bodies.h"
#include "view/layout.h"

#include <glib/gi18n.h>

enum
{
  CALLS_RUN = 1 << 0,
  CALLS_SLEEP = 1 << 1,
  CALLS_UNKNOWN = 1 << 2,
};

/* What stands on a node that sleeps and has nothing else on it: what it waited for. */
static const struct
{
  WpFrameKind kind;
  WpBoxKind box;
  const char *label;
} tops[] = {
  { WP_FRAME_OTHER_PATH, WP_BOX_OTHER_PATH, N_ ("waiting for another lane") },
  { WP_FRAME_RUNNABLE, WP_BOX_RUNNABLE, N_ ("runnable") },
  { WP_FRAME_HARDWARE, WP_BOX_INTERRUPT, N_ ("interrupt") },
};

typedef struct
{
  const WpTree *tree;
  WpRows *rows;
  WpGather gather;
  WpIdArray labels;  /* of the rows, by string of the tree */
  guint8 *calls;     /* by node: CALLS_* */
  gint64 *x;         /* by node: where it starts */
  guint8 *bodies;    /* by node: WP_BODY_* */
  guint32 depth;
} TreeLayout;

static const guint8 box_kinds[WP_FRAME_KIND_COUNT] = {
  [WP_FRAME_PROCESS] = WP_BOX_PROCESS, [WP_FRAME_RUN] = WP_BOX_RUN,   [WP_FRAME_SLEEP] = WP_BOX_SLEEP,
  [WP_FRAME_DISK] = WP_BOX_DISK,       [WP_FRAME_QUEUE] = WP_BOX_QUEUE, [WP_FRAME_NET] = WP_BOX_NET,
  [WP_FRAME_OTHER_PATH] = WP_BOX_OTHER_PATH, [WP_FRAME_OF_PROGRAM] = WP_BOX_PROGRAM, [WP_FRAME_OF_LIBRARY] = WP_BOX_LIBRARY,
  [WP_FRAME_RUNNABLE] = WP_BOX_RUNNABLE, [WP_FRAME_HARDWARE] = WP_BOX_INTERRUPT, [WP_FRAME_UNKNOWN] = WP_BOX_UNKNOWN,
  [WP_FRAME_OF_KERNEL] = WP_BOX_KERNEL, [WP_FRAME_OF_LABEL] = WP_BOX_LABEL,
};

gboolean
wp_layout_shows (const WpBox *box, WpCategory category)
{
  static const guint8 kinds[WP_CATEGORY_COUNT] = {
    [WP_CATEGORY_OTHER_PATH] = WP_BOX_OTHER_PATH, [WP_CATEGORY_SCHEDULER] = WP_BOX_RUNNABLE,
    [WP_CATEGORY_INVOLUNTARY] = WP_BOX_RUNNABLE,  [WP_CATEGORY_HARDWARE] = WP_BOX_INTERRUPT,
    [WP_CATEGORY_INTERRUPTS] = WP_BOX_INTERRUPT,
  };

  if (kinds[category] != 0)
    return box->kind == kinds[category];
  return box->frame != WP_FRAME_OF_TOP;
}

WpBoxKind
wp_layout_box_kind (WpFrameKind kind)
{
  return box_kinds[kind];
}

/* Walks the nodes parents first, without a stack: up by `parent`, along by `next`. */
static WpId
next_node (const WpTree *tree, WpId node, guint32 *depth)
{
  if (tree->nodes.data[node].first_child != 0)
    {
      ++*depth;
      return tree->nodes.data[node].first_child;
    }
  while (node != 0 && tree->nodes.data[node].next == 0)
    {
      node = tree->nodes.data[node].parent;
      --*depth;
    }
  return node != 0 ? tree->nodes.data[node].next : 0;
}

static inline gboolean
is_function (const WpNode *node)
{
  return node->kind == WP_FRAME_RUN || node->kind == WP_FRAME_SLEEP;
}

/* Whether it tells what its task does on a CPU or off it, or what interrupted that. */
static inline gboolean
is_of_task (const WpNode *node)
{
  return is_function (node) || node->kind == WP_FRAME_HARDWARE;
}

/* What a node's own time was spent on: its time less its children's. */
static void
find_self (TreeLayout *l, WpId id, gint64 self[WP_FRAME_TIMED_COUNT])
{
  memcpy (self, l->tree->nodes.data[id].ns, sizeof l->tree->nodes.data[id].ns);
  for (WpId c = l->tree->nodes.data[id].first_child; c != 0; c = l->tree->nodes.data[c].next)
    for (guint k = 0; k < WP_FRAME_TIMED_COUNT; k++)
      self[k] -= l->tree->nodes.data[c].ns[k];
}

static guint8
call_of (guint kind)
{
  return kind == WP_FRAME_RUN ? CALLS_RUN : kind == WP_FRAME_UNKNOWN ? CALLS_UNKNOWN : CALLS_SLEEP;
}

/* A function runs or sleeps by what is at the inner end of its stacks, whatever stands on them: only what sleeps
 * carries a process or a device. Deepest first: the order of the walk, backwards. */
static void
find_calls (TreeLayout *l, const WpIdArray *order)
{
  for (guint32 i = order->len; i-- > 0;)
    {
      WpId id = order->data[i];
      const WpNode *node = &l->tree->nodes.data[id];
      gint64 self[WP_FRAME_TIMED_COUNT];

      find_self (l, id, self);
      for (guint k = 0; k < WP_FRAME_TIMED_COUNT; k++)
        if (self[k] > 0)
          l->calls[id] |= call_of (k);
      l->calls[node->parent] |= is_of_task (node) ? l->calls[id] : CALLS_SLEEP;
    }
}

/* Where stacks are turned over the innermost frame is the root, and tells how its callers' time went; whoever waited
 * for their process, behind its box, slept. */
static void
find_turned_calls (TreeLayout *l, const WpIdArray *order)
{
  const WpNode *nodes = l->tree->nodes.data;
  g_autofree gboolean *waited = g_new0 (gboolean, l->tree->nodes.len);

  for (guint32 i = 0; i < order->len; i++)
    {
      WpId id = order->data[i], below = nodes[id].parent;

      waited[id] = waited[below] || (below != 0 && !is_of_task (&nodes[below]));
      for (guint k = 0; k < WP_FRAME_TIMED_COUNT; k++)
        if (nodes[id].ns[k] > 0)
          l->calls[id] |= waited[id] ? CALLS_SLEEP : call_of (k);
    }
}

static guint8
kind_of (const TreeLayout *l, WpId id)
{
  const WpNode *node = &l->tree->nodes.data[id];

  if (!is_function (node))
    return box_kinds[node->kind];
  if ((l->calls[id] & CALLS_RUN) && (l->calls[id] & CALLS_SLEEP))
    return WP_BOX_BOTH;
  if (l->calls[id] & CALLS_RUN)
    return WP_BOX_RUN;
  return l->calls[id] == CALLS_UNKNOWN ? WP_BOX_UNKNOWN : WP_BOX_SLEEP;
}

static WpId
label_of (TreeLayout *l, const WpNode *node)
{
  WpId *label = &l->labels.data[node->name];
  const char *name = wp_strings_get (l->tree->strings, node->name);
  gboolean not_sampled = node->function == 0 && g_str_equal (name, "(not sampled)");

  if (*label == 0)
    *label = wp_strings_intern (l->rows->strings, not_sampled ? _("(not sampled)") : name);
  return *label;
}

/* Of a device, or of a handler that interrupted somebody. */
static gboolean
is_nobodys (const WpNode *node)
{
  return node->kind == WP_FRAME_DISK || node->kind == WP_FRAME_QUEUE || node->kind == WP_FRAME_NET || node->kind == WP_FRAME_HARDWARE;
}

/* Whose a node is: that of the process it stands on. Where stacks are turned over the process stands on it, or several that
 * share it. */
static void
find_bodies (TreeLayout *l, const WpIdArray *order, const WpBodies *of)
{
  const WpNode *nodes = l->tree->nodes.data;

  for (guint32 i = 0; i < order->len; i++)
    {
      WpId id = order->data[i];

      if (nodes[id].kind == WP_FRAME_PROCESS)
        l->bodies[id] = wp_bodies_of_name (of, wp_strings_get (l->tree->strings, nodes[id].name));
      else if (!l->tree->inverted && !is_nobodys (&nodes[id]))
        l->bodies[id] = l->bodies[nodes[id].parent];
    }
  for (guint32 i = order->len; i-- > 0 && l->tree->inverted;)
    {
      WpId id = order->data[i], parent = nodes[id].parent;

      if (parent == 0 || nodes[parent].kind == WP_FRAME_PROCESS || is_nobodys (&nodes[parent]))
        continue;
      l->bodies[parent] = l->bodies[parent] == WP_BODY_NONE || l->bodies[parent] == l->bodies[id] ? l->bodies[id]
              : WP_BODY_NEUTRAL;
    }
}

/* Beside its children, one after the other. Where words say it already, that is the node. */
static void
add_tops (TreeLayout *l, WpId id, guint32 depth, gint64 x)
{
  const WpNode *node = &l->tree->nodes.data[id];
  gint64 self[WP_FRAME_TIMED_COUNT];

  find_self (l, id, self);
  for (guint i = 0; i < G_N_ELEMENTS (tops); i++)
    {
      gint64 ns = self[tops[i].kind], end = wp_sum_capped (x, ns);

      if (ns <= 0 || node->kind == tops[i].kind)
        continue;
      wp_gather_add (&l->gather, depth,
                     &(WpBox) { .start = x, .end = end, .label = wp_strings_intern (l->rows->strings, _(tops[i].label)), .ref = id,
                                .kind = tops[i].box, .ref_kind = WP_REF_NODE, .frame = WP_FRAME_OF_TOP,
                                .body = l->rows->by_module ? WP_BODY_NEUTRAL : l->bodies[id], .pale = 1 });
      l->depth = MAX (l->depth, depth + 1);
      x = end;
    }
}

/* Children start where their parent does and follow one another; each takes the room of its total, since that is how
 * far what stands on it reaches. Its own box leaves out what overflows. */
static void
place_node (TreeLayout *l, WpId id, guint32 depth)
{
  const WpNode *node = &l->tree->nodes.data[id];
  const guint8 code = wp_frame_is_code ((WpFrameKind) node->kind) ? node->kind : node->code;
  gint64 x = l->x[id];

  l->depth = MAX (l->depth, depth);
  if (id != 0 && node->total > node->extra)
    wp_gather_add (&l->gather, depth - 1,
                   &(WpBox) { .start = x, .end = wp_sum_capped (x, node->total - node->extra), .label = label_of (l, node),
                              .ref = id, .kind = kind_of (l, id), .ref_kind = WP_REF_NODE, .hidden = node->hidden,
                              .body = l->bodies[id], .pale = code == WP_FRAME_OF_KERNEL, .code = wp_layout_code (code) });
  for (WpId c = node->first_child; c != 0; c = l->tree->nodes.data[c].next)
    {
      l->x[c] = x;
      x = wp_sum_capped (x, l->tree->nodes.data[c].total);
    }
  if (id != 0)
    add_tops (l, id, depth, x);
}

/* What is no function is neutral, and names of processes have the colour of their kind. */
static void
find_modules (TreeLayout *l, const WpModuleHues *modules)
{
  for (WpId id = 1; id < l->tree->nodes.len; id++)
    {
      const WpNode *node = &l->tree->nodes.data[id];
      WpId module = node->unnamed != 0 ? node->unnamed : modules->trace->functions.data[node->function].module;

      if (node->kind != WP_FRAME_PROCESS && !is_nobodys (node))
        l->bodies[id] = wp_module_hue (modules, module, node->code);
    }
  wp_module_hues_tell (modules, l->rows);
}

static void
find_colors (TreeLayout *l, const WpIdArray *order, const WpBodies *bodies, const WpModuleHues *modules)
{
  WpBodies own = { 0 };

  if (modules != NULL)
    {
      find_modules (l, modules);
      return;
    }
  if (bodies == NULL)
    wp_bodies_of_tree (&own, l->tree);
  find_bodies (l, order, bodies != NULL ? bodies : &own);
  wp_bodies_tell (bodies != NULL ? bodies : &own, l->rows);
  wp_bodies_clear (&own);
}

static WpRows *
lay_out (const WpTree *tree, gboolean icicle, const WpBodies *bodies, const WpModuleHues *modules)
{
  TreeLayout l = { .tree = tree, .rows = wp_rows_new () };
  WpIdArray order = { 0 };
  guint32 depth = 0;

  l.calls = g_new0 (guint8, tree->nodes.len + 1);
  l.x = g_new0 (gint64, tree->nodes.len + 1);
  l.bodies = g_new0 (guint8, tree->nodes.len + 1);
  wp_array_copy (&l.rows->hidden, &tree->hidden);
  wp_array_resize (&l.labels, wp_strings_count (tree->strings));
  if (tree->nodes.len > 0)
    {
      for (WpId id = next_node (tree, 0, &depth); id != 0; id = next_node (tree, id, &depth))
        wp_array_push (&order, id);
      if (tree->inverted)
        find_turned_calls (&l, &order);
      else
        find_calls (&l, &order);
      find_colors (&l, &order, bodies, modules);
      depth = 0;
      place_node (&l, 0, 0);
      for (WpId id = next_node (tree, 0, &depth); id != 0; id = next_node (tree, id, &depth))
        place_node (&l, id, depth);
      l.rows->end = tree->nodes.data[0].total;
    }
  wp_array_resize (&l.rows->rows, l.depth);
  l.rows->home = icicle || l.depth == 0 ? 0 : l.depth - 1;
  if (!icicle)
    for (guint32 i = 0; i < l.gather.rows.len; i++)
      l.gather.rows.data[i] = l.depth - 1 - l.gather.rows.data[i];
  wp_gather_finish (&l.gather, l.rows);
  l.rows->is_time = FALSE;
  wp_rows_finish (l.rows);
  wp_array_clear (&order);
  wp_array_clear (&l.labels);
  g_free (l.calls);
  g_free (l.x);
  g_free (l.bodies);
  return l.rows;
}

WpRows *
wp_layout_tree (const WpTree *tree, gboolean icicle, const WpBodies *bodies)
{
  return lay_out (tree, icicle, bodies, NULL);
}

WpRows *
wp_layout_tree_by_module (const WpTree *tree, gboolean icicle, const WpModuleHues *modules)
{
  return lay_out (tree, icicle, NULL, modules);
}
