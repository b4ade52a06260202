#include "paths/tree.h"

#include "base/pair-map.h"

#include <glib/gi18n.h>

static const char not_sampled[] = "(not sampled)";

/* Stacks that are turned over share less: so many nodes always, and so many for each there was. */
#define TURNED_ALWAYS (1 << 20)
#define TURNED_EACH 32
#define STEP 8192 /* rows from one look at the progress to the next */

typedef struct
{
  WpTree *tree;
  const WpPaths *paths;
  const WpTrace *trace;
  gboolean collapse_recursion;
  WpPairMap nodes;   /* parent, name → node */
  WpPairMap stacked; /* node, stack → the node of the stack on top of it */
  WpPairMap sources; /* node, row → index + 1 of the tree's sources */
  WpId *function_names; /* function → string of the tree, 0: not asked for yet */
  WpId *task_names;     /* task → string of the tree: what boxes of its operations are called */
  WpId *part_nodes; /* part → the node of its innermost frame, 0: not made yet */
  gint64 *longest;  /* node → the longest piece it came from (its `part`) */
  guint32 longest_cap;
  WpSliceArray slices;
  WpIdArray frames; /* of the stack at hand, innermost first */
} Builder;

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

static WpId
intern (Builder *self, const char *name)
{
  return wp_strings_intern (self->tree->strings, *name != '\0' ? name : "(unnamed)");
}

static WpId
function_name (Builder *self, WpId function)
{
  if (self->function_names[function] == 0)
    self->function_names[function] = intern (self, wp_trace_function_name (self->trace, function));
  return self->function_names[function];
}

static WpId
part_name (Builder *self, WpId part)
{
  WpId task = self->trace->ops.data[self->paths->parts.data[part].op].task;

  if (self->task_names[task] == 0)
    self->task_names[task] = intern (self, wp_part_name (self->paths, part));
  return self->task_names[task];
}

/* The node of a stack on top of `node`. */
static WpId
stack_node (Builder *self, WpId node, WpId stack, WpFrameKind kind)
{
  WpId top, *found = stack != 0 ? wp_pair_map_at (&self->stacked, node, stack) : &node;

  if (*found != 0)
    return *found;
  self->frames.len = 0;
  for (; stack != 0; stack = self->trace->stacks.data[stack].parent)
    wp_array_push (&self->frames, self->trace->frames.data[self->trace->stacks.data[stack].frame].function);
  top = node;
  for (guint32 i = self->frames.len; i-- > 0;)
    top = child_node (self, top, function_name (self, self->frames.data[i]), kind, self->frames.data[i]);
  return *found = top;
}

/* The node that a part's own box stands on top of: its process' or device's name above its parent's innermost frame. */
static WpId
base_node (Builder *self, WpId part)
{
  const WpPart *p = &self->paths->parts.data[part];
  WpOpKind kind = self->trace->ops.data[p->op].kind;
  WpId below = p->parent != 0 ? self->part_nodes[p->parent] : 0;
  char name[64];

  if (kind == WP_OP_DISK_QUEUE)
    {
      g_snprintf (name, sizeof name, "%s queue", wp_part_name (self->paths, part));
      return child_node (self, below, intern (self, name), WP_FRAME_QUEUE, 0);
    }
  return child_node (self, below, part_name (self, part),
                     kind == WP_OP_DISK ? WP_FRAME_DISK : kind == WP_OP_NET ? WP_FRAME_NET : WP_FRAME_PROCESS, 0);
}

/* The part's innermost node, for what stands on it; parents come before their children in the table. */
static void
place_part (Builder *self, WpId part)
{
  const WpOp *op = &self->trace->ops.data[self->paths->parts.data[part].op];
  WpId node = base_node (self, part);

  self->part_nodes[part] = op->kind == WP_OP_SLEEP ? stack_node (self, node, op->detail, WP_FRAME_SLEEP) : node;
}

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
add_time (Builder *self, WpId node, const WpPiece *piece, gint64 ns, WpFrameKind kind)
{
  WpNode *n = &self->tree->nodes.data[node];

  if (ns <= 0)
    return;
  n->self += ns;
  n->ns[kind] += ns;
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
      n->part = piece->part;
    }
}

static void
add_run (Builder *self, const WpPiece *piece)
{
  WpId base = base_node (self, piece->part);

  wp_part_slices (self->paths, piece->part, &self->slices);
  for (guint32 i = 0; i < self->slices.len; i++)
    {
      WpSlice slice = self->slices.data[i];
      WpId node = slice.stack != 0 ? stack_node (self, base, slice.stack, WP_FRAME_RUN)
                                   : child_node (self, base, intern (self, not_sampled), WP_FRAME_RUN, 0);

      add_time (self, node, piece, MIN (slice.end, piece->end) - MAX (slice.start, piece->start), WP_FRAME_RUN);
    }
}

static void
add_piece (Builder *self, const WpPiece *piece, WpCategory category)
{
  static const WpFrameKind kinds[WP_OP_KIND_COUNT] = {
    [WP_OP_SLEEP] = WP_FRAME_SLEEP, [WP_OP_DISK] = WP_FRAME_DISK, [WP_OP_DISK_QUEUE] = WP_FRAME_QUEUE,
    [WP_OP_NET] = WP_FRAME_NET,
  };
  WpOpKind kind = self->trace->ops.data[self->paths->parts.data[piece->part].op].kind;

  if (kind == WP_OP_RUN)
    add_run (self, piece);
  else
    add_time (self, self->part_nodes[piece->part], piece, piece->end - piece->start,
              category == WP_CATEGORY_OTHER_PATH ? WP_FRAME_OTHER_PATH : kinds[kind]);
}

/* By how much a child reaches beyond its parent is extra time of the parent's frames. */
static void
add_extra (Builder *self, WpId part, gint64 from, gint64 to)
{
  const WpPart *p = &self->paths->parts.data[part], *parent = &self->paths->parts.data[p->parent];
  gint64 start = MAX (p->start, from), end = MIN (p->end, to), inside;

  if (p->parent == 0 || start >= end)
    return;
  inside = MAX (0, MIN (end, parent->end) - MAX (start, parent->start));
  self->tree->nodes.data[self->part_nodes[p->parent]].extra += end - start - inside;
}

/* Children were made after their parents: one pass from the last to the first sums everything up. */
static void
sum_up (WpTree *tree)
{
  g_autofree guint32 *depth = g_new0 (guint32, tree->nodes.len);

  for (WpId n = 1; n < tree->nodes.len; n++)
    {
      depth[n] = depth[tree->nodes.data[n].parent] + 1;
      tree->depth = MAX (tree->depth, depth[n]);
    }
  for (WpId n = tree->nodes.len; n-- > 1;)
    {
      WpNode *node = &tree->nodes.data[n], *parent = &tree->nodes.data[node->parent];

      node->total += node->self;
      parent->total += node->total;
      parent->extra += node->extra;
      for (guint k = 0; k < WP_FRAME_KIND_COUNT; k++)
        parent->ns[k] += node->ns[k];
    }
  for (WpId n = 1; n < tree->nodes.len; n++)
    {
      WpNode *node = &tree->nodes.data[n];

      if (node->kind == WP_FRAME_RUN || node->kind == WP_FRAME_SLEEP)
        node->kind = node->ns[WP_FRAME_RUN] * 2 > node->total ? WP_FRAME_RUN : WP_FRAME_SLEEP;
    }
}

static int
compare_nodes (const void *a, const void *b, void *data)
{
  const WpTree *tree = data;
  const WpNode *x = &tree->nodes.data[*(const WpId *) a], *y = &tree->nodes.data[*(const WpId *) b];

  if (x->total != y->total)
    return x->total > y->total ? -1 : 1;
  return strcmp (wp_strings_get (tree->strings, x->name), wp_strings_get (tree->strings, y->name));
}

/* Links every node's children, longest first: all nodes are sorted once, then hung on in reverse. */
static void
link_children (WpTree *tree)
{
  g_autofree WpId *order = g_new (WpId, tree->nodes.len);

  for (WpId n = 0; n < tree->nodes.len; n++)
    order[n] = n;
  g_qsort_with_data (order + 1, tree->nodes.len - 1, sizeof *order, (GCompareDataFunc) compare_nodes, tree);
  for (guint32 i = tree->nodes.len; i-- > 1;)
    {
      WpNode *node = &tree->nodes.data[order[i]], *parent = &tree->nodes.data[node->parent];

      if (node->total == 0)
        continue;
      node->next = parent->first_child;
      parent->first_child = order[i];
    }
}

static void
builder_init (Builder *self, const WpPaths *paths, const WpTreeOptions *options)
{
  self->tree = g_new0 (WpTree, 1);
  self->tree->strings = wp_strings_new ();
  wp_array_resize (&self->tree->nodes, 1);
  self->paths = paths;
  self->trace = paths->trace;
  self->collapse_recursion = options != NULL && options->collapse_recursion;
  self->function_names = g_new0 (WpId, paths->trace->functions.len);
  self->task_names = g_new0 (WpId, paths->trace->tasks.len);
}

static void
builder_clear (Builder *self)
{
  wp_pair_map_clear (&self->nodes);
  wp_pair_map_clear (&self->stacked);
  wp_pair_map_clear (&self->sources);
  g_free (self->function_names);
  g_free (self->task_names);
  g_free (self->part_nodes);
  g_free (self->longest);
  wp_array_clear (&self->slices);
  wp_array_clear (&self->frames);
}

/* A node's stack turned over; its own times go to the outermost node, which is returned. */
static WpId
turn_over (Builder *self, const WpTree *upright, WpId from)
{
  const WpNode *nodes = upright->nodes.data;
  WpNode *turned;
  WpId node = 0;

  for (WpId at = from; at != 0; at = nodes[at].parent)
    node = child_node (self, node, intern (self, wp_strings_get (upright->strings, nodes[at].name)), nodes[at].kind,
                       nodes[at].function);
  turned = &self->tree->nodes.data[node];
  turned->self += nodes[from].self;
  turned->part = nodes[from].part;
  for (guint k = 0; k < WP_FRAME_KIND_COUNT; k++)
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
invert (const WpTree *upright, const WpPaths *paths, const WpTreeOptions *options, WpProgress *progress, GError **error)
{
  Builder builder = { 0 };
  g_autofree WpId *turned = g_new0 (WpId, upright->nodes.len);
  guint64 most = TURNED_ALWAYS + (guint64) TURNED_EACH * upright->nodes.len;
  gboolean going_on = TRUE;

  builder_init (&builder, paths, options);
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

/* FALSE when cancelled. */
static gboolean
add_everything (Builder *self, const WpExplanation *explanation, WpProgress *progress, GError **error)
{
  const WpPaths *paths = self->paths;
  double steps = (double) paths->parts.len + explanation->pieces.len;

  wp_progress_phase (progress, "Gathering stacks");
  for (WpId p = 1; p < paths->parts.len; p++)
    {
      place_part (self, p);
      add_extra (self, p, explanation->from, explanation->to);
      if (p % STEP == 0 && !wp_progress_step (progress, p / steps, error))
        return FALSE;
    }
  for (guint32 i = 0; i < explanation->pieces.len; i++)
    {
      const WpPiece *piece = &explanation->pieces.data[i];

      add_piece (self, piece, explanation->rows.data[piece->row].category);
      if (i % STEP == 0 && !wp_progress_step (progress, (paths->parts.len + i) / steps, error))
        return FALSE;
    }
  return TRUE;
}

WpTree *
wp_tree_new (const WpPaths *paths, const WpTreeOptions *options, WpProgress *progress, GError **error)
{
  gint64 from = options != NULL ? options->from : 0;
  gint64 to = options != NULL && options->to > from ? options->to : G_MAXINT64;
  const WpExplanation *explanation = options != NULL ? options->explanation : NULL;
  g_autoptr (WpExplanation) made = explanation == NULL ? wp_explain (paths, from, to, progress, error) : NULL;
  g_autoptr (WpTree) tree = NULL;
  Builder builder = { 0 };
  gboolean done;

  if (explanation == NULL && made == NULL)
    return NULL;
  builder_init (&builder, paths, options);
  builder.part_nodes = g_new0 (WpId, paths->parts.len);
  done = add_everything (&builder, explanation != NULL ? explanation : made, progress, error);
  tree = builder.tree;
  builder_clear (&builder);
  if (done && options != NULL && options->inverted)
    {
      g_autoptr (WpTree) upright = g_steal_pointer (&tree);

      tree = invert (upright, paths, options, progress, error);
      done = tree != NULL;
    }
  if (!done)
    return NULL;
  sum_up (tree);
  link_children (tree);
  return g_steal_pointer (&tree);
}

void
wp_tree_free (WpTree *self)
{
  if (self == NULL)
    return;
  wp_strings_free (self->strings);
  wp_array_clear (&self->nodes);
  wp_array_clear (&self->sources);
  g_free (self);
}

static void
append_name (GString *out, const char *name)
{
  for (; *name != '\0'; name++)
    g_string_append_c (out, *name == ';' ? ':' : *name == '\n' || *name == '\r' ? ' ' : *name);
}

guint64
wp_tree_folded_size (const WpTree *self)
{
  g_autofree guint64 *lengths = g_new0 (guint64, self->nodes.len + 1);
  guint64 sum = 0;

  for (WpId n = 1; n < self->nodes.len; n++) /* parents come before their children */
    {
      const WpNode *node = &self->nodes.data[n];

      lengths[n] = lengths[node->parent] + strlen (wp_strings_get (self->strings, node->name)) + 1;
      sum += node->self != 0 ? lengths[n] + 21 : 0;
    }
  return sum;
}

void
wp_tree_folded (const WpTree *self, GString *out)
{
  WpIdArray path = { 0 };

  for (WpId n = 1; n < self->nodes.len; n++)
    {
      if (self->nodes.data[n].self == 0)
        continue;
      path.len = 0;
      for (WpId at = n; at != 0; at = self->nodes.data[at].parent)
        wp_array_push (&path, self->nodes.data[at].name);
      for (guint32 i = path.len; i-- > 0;)
        {
          append_name (out, wp_strings_get (self->strings, path.data[i]));
          g_string_append_c (out, i > 0 ? ';' : ' ');
        }
      g_string_append_printf (out, "%" G_GINT64_FORMAT "\n", self->nodes.data[n].self);
    }
  wp_array_clear (&path);
}
