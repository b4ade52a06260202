#include "workspace/file/highlight.h"

#include "workspace/file/boxes.h"

static gboolean
row_chosen (const WpExplanation *explanation, guint32 row, const WpChoice *choice)
{
  if (choice->row != G_MAXUINT32)
    return row == choice->row;
  return explanation->rows.data[row].category == choice->category;
}

static gboolean
chosen (const WpExplanation *explanation, const WpPiece *piece, const WpChoice *choice)
{
  return row_chosen (explanation, piece->row, choice);
}

static int
by_time (gconstpointer a, gconstpointer b, gpointer data)
{
  const WpPiece *pieces = data, *p = &pieces[*(const guint32 *) a], *q = &pieces[*(const guint32 *) b];

  return p->start < q->start ? -1 : p->start > q->start;
}

GArray *
wp_choice_pieces (const WpExplanation *explanation, const WpChoice *choice)
{
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 i = 0; i < explanation->pieces.len; i++)
    if (chosen (explanation, &explanation->pieces.data[i], choice))
      g_array_append_val (found, i);
  g_array_sort_with_data (found, by_time, explanation->pieces.data);
  return found;
}

gint64 *
wp_choice_nodes (const WpAnalysis *analysis, const WpChoice *choice)
{
  const WpTree *tree = analysis->tree;
  gint64 *ns = g_new0 (gint64, MAX (tree->nodes.len, 1));

  for (guint32 i = 0; i < tree->sources.len; i++)
    if (row_chosen (analysis->explanation, tree->sources.data[i].row, choice))
      ns[tree->sources.data[i].node] += tree->sources.data[i].ns;
  return ns;
}

/* What keeps its colours: stretches of parts, by part and time. */
typedef struct
{
  WpSaidArray stretches; /* their part, start and end */
  guint32 *first;        /* part → one more than the index of its first; 0: none */
} Lit;

static void
lit_index (Lit *self, const WpPaths *paths)
{
  self->first = g_new0 (guint32, paths->parts.len);
  for (guint32 i = self->stretches.len; i-- > 0;)
    self->first[self->stretches.data[i].part] = i + 1;
}

static void
lit_clear (Lit *self)
{
  wp_array_clear (&self->stretches);
  g_free (self->first);
}

static gboolean
is_lit (const Lit *self, WpId part, gint64 start, gint64 end)
{
  for (guint32 i = self->first[part] - 1; i < self->stretches.len && self->stretches.data[i].part == part; i++)
    {
      if (self->stretches.data[i].start >= end)
        break;
      if (self->stretches.data[i].end > start)
        return TRUE;
    }
  return FALSE;
}

/* The parts of each operation, for views whose boxes are operations: chains that begin in `head`. */
static void
index_parts (const WpPaths *paths, guint32 *head, guint32 *next)
{
  for (guint32 i = paths->parts.len; i-- > 1;)
    {
      WpId op = paths->parts.data[i].op;

      next[i] = head[op];
      head[op] = i;
    }
}

static void
highlight_ops (const WpRows *rows, const WpAnalysis *analysis, const Lit *lit, guint8 *boxes)
{
  g_autofree guint32 *head = g_new0 (guint32, wp_analysis_trace (analysis)->ops.len);
  g_autofree guint32 *next = g_new0 (guint32, analysis->paths->parts.len);

  index_parts (analysis->paths, head, next);
  for (guint32 i = 0; i < rows->boxes.len; i++)
    {
      const WpBox *box = &rows->boxes.data[i];

      if (box->ref_kind != WP_REF_OP)
        continue;
      for (WpId part = head[box->ref]; part != 0 && !boxes[i]; part = next[part])
        boxes[i] = is_lit (lit, part, box->start, box->end);
    }
}

static void
highlight_parts (const WpRows *rows, const WpPaths *paths, const Lit *lit, guint8 *boxes)
{
  for (guint32 i = 0; i < rows->boxes.len; i++)
    {
      const WpBox *box = &rows->boxes.data[i];
      WpId part = box->ref_kind == WP_REF_PART && !box->ghost ? box->ref : 0;

      for (; part != 0 && !boxes[i]; part = wp_box_next_part (box, paths, part))
        boxes[i] = is_lit (lit, part, box->start, box->end);
    }
}

/* Nodes, and all they stand on. */
static void
light_node (const WpTree *tree, WpId node, guint8 *nodes)
{
  for (WpId n = node; n != 0 && !nodes[n]; n = tree->nodes.data[n].parent)
    nodes[n] = 1;
}

static void
highlight_nodes (const WpRows *rows, const guint8 *nodes, guint8 *boxes)
{
  for (guint32 i = 0; i < rows->boxes.len; i++)
    if (rows->boxes.data[i].ref_kind == WP_REF_NODE)
      boxes[i] = nodes[rows->boxes.data[i].ref];
}

static WpRefKind
kind_of (const WpRows *rows)
{
  return rows->boxes.len > 0 ? rows->boxes.data[0].ref_kind : WP_REF_NONE;
}

/* What lights nothing would take the colours of all. */
static guint8 *
unless_none (const WpRows *rows, guint8 *boxes)
{
  if (memchr (boxes, 1, rows->boxes.len) == NULL)
    g_clear_pointer (&boxes, g_free);
  return boxes;
}

/* In rows whose boxes are no nodes. */
static void
highlight_lit (const WpRows *rows, const WpAnalysis *analysis, const Lit *lit, guint8 *boxes)
{
  if (kind_of (rows) == WP_REF_PART)
    highlight_parts (rows, analysis->paths, lit, boxes);
  else
    highlight_ops (rows, analysis, lit, boxes);
}

guint8 *
wp_highlight_boxes (const WpRows *rows, const WpAnalysis *analysis, const WpChoice *choice)
{
  const WpExplanation *explanation = analysis->explanation;
  const WpTree *tree = analysis->tree;
  guint8 *boxes = g_new0 (guint8, MAX (rows->boxes.len, 1));
  Lit lit = { 0 };

  if (kind_of (rows) == WP_REF_NODE)
    {
      g_autofree guint8 *nodes = g_new0 (guint8, tree->nodes.len);

      for (guint32 i = 0; i < tree->sources.len; i++)
        if (row_chosen (explanation, tree->sources.data[i].row, choice))
          light_node (tree, tree->sources.data[i].node, nodes);
      highlight_nodes (rows, nodes, boxes);
      return unless_none (rows, boxes);
    }
  for (guint32 i = 0; i < explanation->pieces.len; i++)
    {
      const WpPiece *piece = &explanation->pieces.data[i];

      if (chosen (explanation, piece, choice))
        wp_array_push (&lit.stretches, ((WpSaid) { .part = piece->part, .start = piece->start, .end = piece->end }));
    }
  lit_index (&lit, analysis->paths);
  highlight_lit (rows, analysis, &lit, boxes);
  lit_clear (&lit);
  return unless_none (rows, boxes);
}

/* Of nodes those whose longest part is of the sentence. */
static void
highlight_said_nodes (const WpRows *rows, const WpTree *tree, const Lit *lit, guint8 *boxes)
{
  g_autofree guint8 *nodes = g_new0 (guint8, tree->nodes.len);

  for (WpId n = 1; n < tree->nodes.len; n++)
    if (tree->nodes.data[n].part != 0 && lit->first[tree->nodes.data[n].part] != 0)
      light_node (tree, n, nodes);
  highlight_nodes (rows, nodes, boxes);
}

guint8 *
wp_highlight_said (const WpRows *rows, const WpAnalysis *analysis, guint32 clause, guint mention)
{
  const WpAnswer *answer = analysis->answer;
  Lit lit = { 0 };
  guint8 *boxes;

  if (answer == NULL || clause >= answer->clauses.len || mention > answer->clauses.data[clause].n_mentions)
    return NULL;
  boxes = g_new0 (guint8, MAX (rows->boxes.len, 1));
  for (guint32 i = 0; i < answer->said.len; i++)
    if (answer->said.data[i].clause == clause && answer->said.data[i].mention == mention)
      wp_array_push (&lit.stretches, answer->said.data[i]);
  lit_index (&lit, analysis->paths);
  if (lit.stretches.len == 0 && mention > 0)
    {
      guint32 box = wp_box_of_op (rows, analysis, answer->clauses.data[clause].mentions[mention - 1].op);

      if (box < rows->boxes.len)
        boxes[box] = 1;
    }
  else if (kind_of (rows) == WP_REF_NODE)
    highlight_said_nodes (rows, analysis->tree, &lit, boxes);
  else
    highlight_lit (rows, analysis, &lit, boxes);
  lit_clear (&lit);
  return unless_none (rows, boxes);
}
