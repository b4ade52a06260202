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

/* The chosen pieces of each part: `first[part]` is one more than the index of the part's first piece. Pieces are sorted
 * by part. */
static guint32 *
first_pieces (const WpExplanation *explanation, const WpPaths *paths, const WpChoice *choice)
{
  guint32 *first = g_new0 (guint32, paths->parts.len);

  for (guint32 i = explanation->pieces.len; i-- > 0;)
    if (chosen (explanation, &explanation->pieces.data[i], choice))
      first[explanation->pieces.data[i].part] = i + 1;
  return first;
}

static gboolean
part_overlaps (const WpExplanation *explanation, const WpChoice *choice, guint32 first, gint64 start, gint64 end)
{
  WpId part;

  if (first == 0)
    return FALSE;
  part = explanation->pieces.data[first - 1].part;
  for (guint32 i = first - 1; i < explanation->pieces.len && explanation->pieces.data[i].part == part; i++)
    {
      const WpPiece *piece = &explanation->pieces.data[i];

      if (piece->start >= end)
        break;
      if (piece->end > start && chosen (explanation, piece, choice))
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
highlight_ops (const WpRows *rows, const WpAnalysis *analysis, const WpExplanation *explanation, const WpChoice *choice,
               const guint32 *first, guint8 *boxes)
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
        boxes[i] = part_overlaps (explanation, choice, first[part], box->start, box->end);
    }
}

static void
highlight_parts (const WpRows *rows, const WpPaths *paths, const WpExplanation *explanation, const WpChoice *choice,
                 const guint32 *first, guint8 *boxes)
{
  for (guint32 i = 0; i < rows->boxes.len; i++)
    {
      const WpBox *box = &rows->boxes.data[i];
      WpId part = box->ref_kind == WP_REF_PART ? box->ref : 0;

      for (; part != 0 && !boxes[i]; part = wp_box_next_part (box, paths, part))
        boxes[i] = part_overlaps (explanation, choice, first[part], box->start, box->end);
    }
}

/* The nodes whose own time is the choice's, and all they stand on. */
static void
highlight_nodes (const WpRows *rows, const WpAnalysis *analysis, const WpChoice *choice, guint8 *boxes)
{
  const WpTree *tree = analysis->tree;
  g_autofree guint8 *nodes = g_new0 (guint8, tree->nodes.len);

  for (guint32 i = 0; i < tree->sources.len; i++)
    if (row_chosen (analysis->explanation, tree->sources.data[i].row, choice))
      for (WpId n = tree->sources.data[i].node; n != 0 && !nodes[n]; n = tree->nodes.data[n].parent)
        nodes[n] = 1;
  for (guint32 i = 0; i < rows->boxes.len; i++)
    if (rows->boxes.data[i].ref_kind == WP_REF_NODE)
      boxes[i] = nodes[rows->boxes.data[i].ref];
}

guint8 *
wp_highlight_boxes (const WpRows *rows, const WpAnalysis *analysis, const WpChoice *choice)
{
  const WpExplanation *explanation = analysis->explanation;
  guint8 *boxes = g_new0 (guint8, MAX (rows->boxes.len, 1));
  g_autofree guint32 *first = first_pieces (explanation, analysis->paths, choice);
  guint8 kind = rows->boxes.len > 0 ? rows->boxes.data[0].ref_kind : WP_REF_NONE;

  if (kind == WP_REF_NODE)
    highlight_nodes (rows, analysis, choice, boxes);
  else if (kind == WP_REF_PART)
    highlight_parts (rows, analysis->paths, explanation, choice, first, boxes);
  else
    highlight_ops (rows, analysis, explanation, choice, first, boxes);
  return boxes;
}
