#include "paths/tree.h"

#include "paths/pseudo-stacks.h"
#include "paths/stacks.h"
#include "stacks/labels.h"

#include <glib/gi18n.h>

/* Stacks that are turned over share less: so many nodes always, and so many for each there was. */
#define TURNED_ALWAYS (1 << 20)
#define TURNED_EACH 32
#define STEP 8192 /* rows from one look at the progress to the next */

typedef struct
{
  WpTree *tree;
  const WpStacks *stacks; /* whose frames the tree has */
  const WpIdArray *functions; /* location → what a node's `function` is; 0: no code */
  guint8 *const *code;        /* by location: a node's `code`; NULL: its module says it */
  gboolean collapse_recursion;
  WpPairMap nodes;   /* parent, name → node */
  WpPairMap sources; /* node, row → index + 1 of the tree's sources */
  WpIdArray stack_nodes; /* stack → the node of its innermost frame */
  gint64 *longest;  /* node → the longest piece it came from (its `part`) */
  guint32 longest_cap;
} Builder;

/* A tree with these texts, those of the stacks that it is made of. */
static WpTree *
tree_with (WpStrings *strings)
{
  WpTree *tree = wp_tree_alloc ();

  wp_strings_free (tree->strings);
  tree->strings = wp_strings_ref (strings);
  return tree;
}

static void
builder_init (Builder *self, const WpStacks *stacks, const WpIdArray *functions, gboolean collapse_recursion)
{
  *self = (Builder) { .tree = tree_with (stacks->strings), .stacks = stacks, .functions = functions, .collapse_recursion = collapse_recursion };
  wp_array_push (&self->stack_nodes, 0);
}

static void
builder_clear (Builder *self)
{
  wp_pair_map_clear (&self->nodes);
  wp_pair_map_clear (&self->sources);
  wp_array_clear (&self->stack_nodes);
  g_free (self->longest);
}

/* --- nodes -------------------------------------------------------------------------------------------------------- */

static WpId
child_node (Builder *self, WpId parent, WpId name, WpFrameKind kind, WpId function)
{
  WpTree *tree = self->tree;
  WpId *found;

  if (self->collapse_recursion && function != 0 && tree->nodes.data[parent].function != 0 && tree->nodes.data[parent].name == name)
    return parent;
  found = wp_pair_map_at (&self->nodes, parent, name);
  if (*found == 0)
    {
      *found = tree->nodes.len;
      wp_array_push (&tree->nodes, ((WpNode) { .name = name, .parent = parent, .kind = kind, .function = function }));
    }
  return *found;
}

/* What runs or sleeps is told apart when all times are known. */
static WpFrameKind
kind_of (const WpStacks *stacks, const WpLocation *location)
{
  WpFrameKind kind = wp_module_frame_kind (wp_stacks_text (stacks, stacks->frames->modules.data[location->module].file));

  return wp_frame_is_code (kind) ? WP_FRAME_RUN : kind;
}

static guint8
code_of (const Builder *self, WpId location)
{
  const WpFrames *frames = self->stacks->frames;
  WpFrameKind kind;

  if (self->code != NULL)
    return (*self->code)[location];
  kind = wp_module_frame_kind (wp_stacks_text (self->stacks, frames->modules.data[frames->locations.data[location].module].file));
  return wp_frame_is_code (kind) ? kind : 0;
}

static WpId
frame_node (Builder *self, WpId parent, WpId location, WpId name)
{
  guint32 n = self->tree->nodes.len;
  WpId node = child_node (self, parent, name, WP_FRAME_RUN, self->functions->data[location]);

  if (node == n)
    {
      self->tree->nodes.data[node].kind = kind_of (self->stacks, &self->stacks->frames->locations.data[location]);
      self->tree->nodes.data[node].code = code_of (self, location);
    }
  return node;
}

/* What was read back may have inlined functions, or no names. */
static WpId
location_node (Builder *self, WpId parent, WpId id)
{
  const WpFrames *frames = self->stacks->frames;
  const WpLocation *location = &frames->locations.data[id];

  if (location->n_lines == 0)
    return frame_node (self, parent, id, frames->modules.data[location->module].file);
  for (guint32 l = location->n_lines; l-- > 0;)
    parent = frame_node (self, parent, id, frames->functions.data[frames->lines.data[location->first_line + l].function].name);
  return parent;
}

/* The node of a stack; nodes are made for all stacks up to it, in their order. */
static WpId
stack_node (Builder *self, WpId stack)
{
  const WpFrames *frames = self->stacks->frames;

  while (self->stack_nodes.len <= stack)
    {
      const WpStackNode *row = &frames->nodes.data[self->stack_nodes.len];
      WpId node = self->stack_nodes.data[row->prefix];

      for (guint32 i = 0; i < row->n; i++)
        node = location_node (self, node, wp_runs_get (&frames->runs, row->first + i));
      wp_array_push (&self->stack_nodes, node);
    }
  return self->stack_nodes.data[stack];
}

/* --- times -------------------------------------------------------------------------------------------------------- */

static void
add_source (Builder *self, WpId node, guint32 row, gint64 ns)
{
  guint32 *source = wp_pair_map_at (&self->sources, node, row);

  if (*source == 0)
    {
      wp_array_push (&self->tree->sources, ((WpNodeSource) { .node = node, .row = row }));
      *source = self->tree->sources.len;
    }
  self->tree->sources.data[*source - 1].ns += ns;
}

static void
add_time (Builder *self, WpId node, gint64 ns, WpFrameKind kind)
{
  WpNode *n = &self->tree->nodes.data[node];

  n->self += ns;
  n->ns[kind] += ns;
}

/* What a time of a node came from. */
static void
add_piece_to (Builder *self, WpId node, const WpPiece *piece, gint64 ns)
{
  add_source (self, node, piece->row, ns);
  if (node >= self->longest_cap)
    {
      guint32 cap = MAX (self->tree->nodes.cap, node + 1);

      self->longest = g_renew (gint64, self->longest, cap);
      memset (self->longest + self->longest_cap, 0, (cap - self->longest_cap) * sizeof (gint64));
      self->longest_cap = cap;
    }
  if (ns > self->longest[node])
    {
      self->longest[node] = ns;
      self->tree->nodes.data[node].part = piece->part;
    }
}

/* Children were made after their parents: one pass from the last to the first sums everything up. */
static void
sum_up (WpTree *tree)
{
  for (WpId n = tree->nodes.len; n-- > 1;)
    {
      WpNode *node = &tree->nodes.data[n], *parent = &tree->nodes.data[node->parent];

      node->total += node->self;
      parent->total += node->total;
      parent->extra += node->extra;
      parent->latency += node->latency;
      for (guint k = 0; k < WP_FRAME_TIMED_COUNT; k++)
        parent->ns[k] += node->ns[k];
    }
  for (WpId n = 1; n < tree->nodes.len; n++)
    {
      WpNode *node = &tree->nodes.data[n];

      if (node->kind == WP_FRAME_RUN || node->kind == WP_FRAME_SLEEP)
        node->kind = node->ns[WP_FRAME_RUN] * 2 > node->total ? WP_FRAME_RUN : WP_FRAME_SLEEP;
    }
}

/* --- stacks turned over ------------------------------------------------------------------------------------------- */

/* A node's stack turned over; its own times go to the outermost node, which is returned. */
static WpId
turn_over (Builder *self, const WpTree *upright, WpId from)
{
  const WpNode *nodes = upright->nodes.data;
  WpNode *turned;
  WpId node = 0;

  for (WpId at = from; at != 0; at = nodes[at].parent)
    {
      node = child_node (self, node, nodes[at].name, nodes[at].kind, nodes[at].function);
      self->tree->nodes.data[node].code = nodes[at].code;
    }
  turned = &self->tree->nodes.data[node];
  turned->self += nodes[from].self;
  turned->latency += nodes[from].latency;
  turned->part = nodes[from].part;
  for (guint k = 0; k < WP_FRAME_TIMED_COUNT; k++)
    turned->ns[k] += nodes[from].ns[k];
  return node;
}

static gboolean
too_deep (GError **error)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _ ("the stacks are too many and too deep to be turned over"));
  return FALSE;
}

/* The same times with every stack turned over. `upright` is not summed up yet. NULL when cancelled. */
static WpTree *
invert (const WpTree *upright, gboolean collapse_recursion, WpProgress *progress, GError **error)
{
  Builder builder = { .tree = tree_with (upright->strings), .collapse_recursion = collapse_recursion };
  g_autofree WpId *turned = g_new0 (WpId, upright->nodes.len);
  guint64 most = TURNED_ALWAYS + (guint64) TURNED_EACH * upright->nodes.len;
  gboolean going_on = TRUE;

  builder.tree->inverted = TRUE;
  for (WpId n = 1; n < upright->nodes.len && going_on; n++)
    {
      if (upright->nodes.data[n].self != 0)
        turned[n] = turn_over (&builder, upright, n);
      if (builder.tree->nodes.len > most)
        going_on = too_deep (error);
      else if (n % 64 == 0)
        going_on = wp_progress_step (progress, (double) n / upright->nodes.len, error);
    }
  for (guint32 i = 0; i < upright->sources.len && going_on; i++)
    add_source (&builder, turned[upright->sources.data[i].node], upright->sources.data[i].row,
                upright->sources.data[i].ns);
  builder_clear (&builder);
  if (!going_on)
    g_clear_pointer (&builder.tree, wp_tree_free);
  return builder.tree;
}

/* Takes the tree, when all of its own times are there; NULL is one that could not be made. */
static WpTree *
finish (WpTree *tree)
{
  if (tree == NULL)
    return NULL;
  sum_up (tree);
  wp_tree_link (tree);
  return tree;
}

/* What sleeps were spent on that have a kind of their own; 0: none. */
static const WpFrameKind waits[WP_CATEGORY_COUNT] = {
  [WP_CATEGORY_OTHER_PATH] = WP_FRAME_OTHER_PATH, [WP_CATEGORY_SCHEDULER] = WP_FRAME_RUNNABLE,
  [WP_CATEGORY_INVOLUNTARY] = WP_FRAME_RUNNABLE,  [WP_CATEGORY_HARDWARE] = WP_FRAME_HARDWARE,
};

/* --- of paths ----------------------------------------------------------------------------------------------------- */

/* What sleeps is told apart by what it waited for, as far as nothing stands on it that tells it. */
static WpFrameKind
kind_of_top (const WpOp *op, WpCategory category)
{
  static const WpFrameKind kinds[WP_OP_KIND_COUNT] = {
    [WP_OP_RUN] = WP_FRAME_RUN, [WP_OP_SLEEP] = WP_FRAME_SLEEP, [WP_OP_DISK] = WP_FRAME_DISK, [WP_OP_DISK_QUEUE] = WP_FRAME_QUEUE,
    [WP_OP_NET] = WP_FRAME_NET,
  };

  if (op->flags & WP_OP_LOST)
    return WP_FRAME_UNKNOWN;
  return op->kind == WP_OP_SLEEP && waits[category] != 0 ? waits[category] : kinds[op->kind];
}

static void
add_piece (Builder *self, WpPseudoStacks *pseudo, const WpExplanation *explanation, const WpPiece *piece, WpSliceArray *slices)
{
  const WpOp *op = &pseudo->trace->ops.data[pseudo->paths->parts.data[piece->part].op];
  WpFrameKind kind = kind_of_top (op, explanation->rows.data[piece->row].category);

  wp_pseudo_stacks_of_piece (pseudo, piece, slices);
  for (guint32 i = 0; i < slices->len; i++)
    {
      const WpSlice *slice = &slices->data[i];
      WpId node = stack_node (self, slice->stack);

      add_time (self, node, slice->end - slice->start, kind);
      add_piece_to (self, node, piece, slice->end - slice->start);
      self->tree->nodes.data[node].latency += wp_explanation_latency (explanation, piece, slice->start, slice->end);
    }
}

/* By how much a child reaches beyond its parent is extra time of the parent's frames. */
static void
add_extra (Builder *self, const WpPseudoStacks *pseudo, WpId part, gint64 from, gint64 to)
{
  const WpPart *parts = pseudo->paths->parts.data, *p = &parts[part], *parent = &parts[p->parent];
  gint64 start = MAX (p->start, from), end = MIN (p->end, to), inside;
  WpId node;

  if (p->parent == 0 || start >= end)
    return;
  inside = MAX (0, MIN (end, parent->end) - MAX (start, parent->start));
  node = stack_node (self, pseudo->part_stacks[p->parent]);
  self->tree->nodes.data[node].extra += end - start - inside;
}

/* The node of a stack's frame (WpPseudoHidden), 0 for a stack that nothing stands on. Goes up along frames that are there. */
static WpId
hiding_node (Builder *self, const WpPseudoHidden *hidden)
{
  const WpFrames *frames = self->stacks->frames;
  WpId node;

  if (hidden->stack >= self->stack_nodes.len)
    return 0;
  if (hidden->n == 0)
    return self->stack_nodes.data[hidden->stack];
  node = self->stack_nodes.data[frames->nodes.data[hidden->stack].prefix];
  for (guint32 i = 0; i < hidden->n; i++)
    node = location_node (self, node, wp_runs_get (&frames->runs, frames->nodes.data[hidden->stack].first + i));
  return node;
}

/* Frames without names: the most that a node hides, and the stack of one. */
typedef struct
{
  guint n;
  WpId inner;
} Unnamed;

/* What the node of frames without names is called: how many it hides at most is known last. */
typedef struct
{
  WpId node, name, module;
} Naming;

struct WpTreeBasis
{
  WpTree *own; /* nodes with nothing but their own times */
  gboolean collapse_recursion;
  WP_ARRAY (Naming) namings; /* where stacks are upright */
};

static void
add_all_hidden (WpTreeBasis *basis, Builder *self, const WpPseudoStacks *pseudo)
{
  WpTree *tree = self->tree;
  WpPairMap known = { 0 };
  g_autofree Unnamed *most = g_new0 (Unnamed, tree->nodes.len);

  for (guint32 i = 0; i < pseudo->hidden.len; i++)
    {
      const WpPseudoHidden *hidden = &pseudo->hidden.data[i];
      WpId node = hiding_node (self, hidden);

      if (node == 0)
        continue;
      wp_hidden_add (&tree->hidden, &known, node, &tree->nodes.data[node].hidden, hidden->inner, hidden->outer);
      if (hidden->unnamed)
        {
          guint n = wp_depth_count (pseudo->trace, hidden->inner, hidden->outer);

          most[node] = (Unnamed) { MAX (most[node].n, n), hidden->inner };
        }
    }
  for (WpId n = 1; n < tree->nodes.len; n++)
    if (most[n].n > 0)
      {
        g_autofree char *text = wp_depth_unnamed_text (pseudo->trace, most[n].inner, most[n].n);

        wp_array_push (&basis->namings, ((Naming) { n, wp_strings_intern (tree->strings, text),
                                                    pseudo->trace->frames.data[pseudo->trace->stacks.data[most[n].inner].frame].module }));
      }
  wp_pair_map_clear (&known);
}

/* Parts whose stacks are not known yet stand on one another: the lowest first. */
static void
place (WpPseudoStacks *pseudo, WpIdArray *above, WpId part)
{
  for (; part != 0 && pseudo->part_stacks[part] == 0; part = pseudo->paths->parts.data[part].parent)
    wp_array_push (above, part);
  for (; above->len > 0; above->len--)
    wp_pseudo_stacks_place (pseudo, above->data[above->len - 1]);
}

/* Of the parts only those in the range, and what they stand on. FALSE when cancelled. */
static gboolean
add_everything (Builder *self, WpPseudoStacks *pseudo, const WpExplanation *explanation, WpProgress *progress, GError **error)
{
  guint32 n_parts = pseudo->paths->parts.len, n_pieces = explanation->pieces.len;
  double steps = (double) n_parts + n_pieces;
  WpSliceArray slices = { 0 };
  WpIdArray above = { 0 };
  gboolean going_on = TRUE;

  wp_progress_phase (progress, "Gathering stacks");
  for (WpId p = 1; p < n_parts && going_on; p++)
    {
      const WpPart *part = &pseudo->paths->parts.data[p];

      if (part->end >= explanation->from && part->start <= explanation->to)
        {
          place (pseudo, &above, p);
          add_extra (self, pseudo, p, explanation->from, explanation->to);
        }
      going_on = p % STEP != 0 || wp_progress_step (progress, p / steps, error);
    }
  for (guint32 i = 0; i < n_pieces && going_on; i++)
    {
      add_piece (self, pseudo, explanation, &explanation->pieces.data[i], &slices);
      going_on = i % STEP != 0 || wp_progress_step (progress, (n_parts + i) / steps, error);
    }
  wp_array_clear (&slices);
  wp_array_clear (&above);
  return going_on;
}

WpTreeBasis *
wp_tree_basis_new (const WpPaths *paths, const WpTreeOptions *options, WpProgress *progress, GError **error)
{
  gint64 from = options != NULL ? options->from : 0;
  gint64 to = options != NULL && options->to > from ? options->to : G_MAXINT64;
  const WpExplanation *explanation = options != NULL ? options->explanation : NULL;
  g_autoptr (WpExplanation) made = explanation == NULL ? wp_explain (paths, from, to, progress, error) : NULL;
  WpTreeBasis *basis = NULL;
  WpPseudoStacks pseudo;
  Builder builder;
  gboolean done;

  if (explanation == NULL && made == NULL)
    return NULL;
  done = wp_pseudo_stacks_init (&pseudo, paths, options != NULL ? options->depth : (WpDepthChoice) { 0 }, progress, error);
  builder_init (&builder, pseudo.maker.stacks, &pseudo.functions, options != NULL && options->collapse_recursion);
  builder.code = &pseudo.code.data;
  if (done && add_everything (&builder, &pseudo, explanation != NULL ? explanation : made, progress, error))
    {
      basis = g_new0 (WpTreeBasis, 1);
      basis->collapse_recursion = builder.collapse_recursion;
      add_all_hidden (basis, &builder, &pseudo);
      basis->own = g_steal_pointer (&builder.tree);
    }
  wp_tree_free (builder.tree);
  builder_clear (&builder);
  wp_pseudo_stacks_clear (&pseudo);
  return basis;
}

void
wp_tree_basis_free (WpTreeBasis *self)
{
  if (self == NULL)
    return;
  wp_tree_free (self->own);
  wp_array_clear (&self->namings);
  g_free (self);
}

static WpTree *
put_up (const WpTreeBasis *self)
{
  WpTree *tree = tree_with (self->own->strings);

  wp_array_copy (&tree->nodes, &self->own->nodes);
  wp_array_copy (&tree->sources, &self->own->sources);
  wp_array_copy (&tree->hidden, &self->own->hidden);
  for (guint32 i = 0; i < self->namings.len; i++)
    {
      WpNode *node = &tree->nodes.data[self->namings.data[i].node];

      node->name = self->namings.data[i].name;
      node->unnamed = self->namings.data[i].module;
    }
  return tree;
}

WpTree *
wp_tree_of_basis (const WpTreeBasis *self, gboolean inverted, WpProgress *progress, GError **error)
{
  return finish (inverted ? invert (self->own, self->collapse_recursion, progress, error) : put_up (self));
}

WpTree *
wp_tree_new (const WpPaths *paths, const WpTreeOptions *options, WpProgress *progress, GError **error)
{
  g_autoptr (WpTreeBasis) basis = wp_tree_basis_new (paths, options, progress, error);

  return basis != NULL ? wp_tree_of_basis (basis, options != NULL && options->inverted, progress, error) : NULL;
}

/* --- of stacks ---------------------------------------------------------------------------------------------------- */

static gboolean
has_latency (const WpStacks *stacks)
{
  return stacks->types.len == WP_VALUES_OF_EXPLAINED;
}

gboolean
wp_stacks_are_explained (const WpStacks *stacks)
{
  return (stacks->types.len == WP_TIME_COUNT || has_latency (stacks))
         && g_str_equal (wp_stacks_text (stacks, stacks->types.data[WP_TIME_RUNNING].type), "running")
         && g_str_equal (wp_stacks_text (stacks, stacks->types.data[WP_TIME_WAITING].type), "waiting");
}

/* By set of labels: what those that wait do, as its category says; 0: it has no kind of its own. */
static guint8 *
find_waits (const WpStacks *stacks)
{
  const WpLabelSets *sets = stacks->labels;
  WpId category = wp_label_key (stacks, "category");
  guint8 *found = g_new0 (guint8, sets->sets.len);

  for (WpId set = 0; set < sets->sets.len; set++)
    for (guint32 i = 0; i < sets->sets.data[set].n; i++)
      {
        const WpLabel *label = &sets->labels.data[sets->sets.data[set].first + i];
        WpCategory c = label->key == category && !label->is_number ? wp_category_from_id (wp_stacks_text (stacks, label->text)) : WP_CATEGORY_COUNT;

        if (c != WP_CATEGORY_COUNT)
          found[set] = (guint8) waits[c];
      }
  return found;
}

/* What waits is coloured by what is on top: a device, or else something that sleeps. */
static WpFrameKind
kind_of_wait (const WpStacks *stacks, WpId stack)
{
  const WpStackNode *node = &stacks->frames->nodes.data[stack];
  WpFrameKind kind = node->n == 0 ? WP_FRAME_SLEEP
                                  : kind_of (stacks, &stacks->frames->locations.data[wp_runs_get (&stacks->frames->runs, node->first + node->n - 1)]);

  return kind == WP_FRAME_DISK || kind == WP_FRAME_QUEUE || kind == WP_FRAME_NET ? kind : WP_FRAME_SLEEP;
}

static void
add_sample (Builder *self, int type, guint32 sample, WpFrameKind wait)
{
  const WpStacks *stacks = self->stacks;
  WpId stack = stacks->sample_stacks.data[sample], node = stack_node (self, stack);

  if (has_latency (stacks))
    self->tree->nodes.data[node].latency += stacks->values[WP_TIME_LATENCY].data[sample];
  for (int t = 0; t < WP_TIME_COUNT; t++)
    {
      gint64 ns = stacks->values[t].data[sample];

      if (ns != 0 && type == WP_TIME_LATENCY)
        ns = stacks->values[WP_TIME_LATENCY].data[sample];
      if (ns != 0 && (type == WP_TREE_BOTH_TYPES || type == WP_TIME_LATENCY || type == t))
        add_time (self, node, ns, t == WP_TIME_RUNNING ? WP_FRAME_RUN : wait != 0 ? wait : kind_of_wait (stacks, stack));
    }
}

static gboolean
add_samples (Builder *self, int type, WpProgress *progress, GError **error)
{
  g_autofree guint8 *kinds = find_waits (self->stacks);

  wp_progress_phase (progress, "Gathering stacks");
  for (guint32 i = 0; i < self->stacks->n_samples; i++)
    {
      add_sample (self, type, i, kinds[self->stacks->sample_labels.data[i]]);
      if (i % STEP == 0 && !wp_progress_step (progress, (double) i / self->stacks->n_samples, error))
        return FALSE;
    }
  return TRUE;
}

WpTree *
wp_tree_of_stacks (const WpStacks *stacks, int type, const WpTreeOptions *options, WpProgress *progress, GError **error)
{
  WpIdArray functions = { 0 };
  Builder builder;
  WpTree *tree = NULL;

  for (WpId i = 0; i < stacks->frames->locations.len; i++)
    wp_array_push (&functions, kind_of (stacks, &stacks->frames->locations.data[i]) == WP_FRAME_RUN ? i : 0);
  builder_init (&builder, stacks, &functions, options != NULL && options->collapse_recursion);
  if (add_samples (&builder, type, progress, error))
    tree = finish (options != NULL && options->inverted ? invert (builder.tree, builder.collapse_recursion, progress, error)
                                                        : g_steal_pointer (&builder.tree));
  wp_tree_free (builder.tree);
  builder_clear (&builder);
  wp_array_clear (&functions);
  return tree;
}
