#include "workspace/file/boxes.h"

#include "base/search.h"

/* A node that is only passed through has no part of its own: that of its longest child stands for it. */
static WpId
node_part (const WpTree *tree, WpId node)
{
  while (node != 0 && tree->nodes.data[node].part == 0)
    node = tree->nodes.data[node].first_child;
  return tree->nodes.data[node].part;
}

static WpId
longest_part (const WpBox *box, const WpPaths *paths, double from, double to, guint *n_parts)
{
  WpId best = box->ref;
  double most = 0;

  *n_parts = 0;
  for (WpId part = box->ref; part != 0; part = wp_box_next_part (box, paths, part))
    {
      const WpPart *p = &paths->parts.data[part];
      double seen = MIN ((double) p->end, to) - MAX ((double) p->start, from);

      ++*n_parts;
      if (seen > most)
        {
          most = seen;
          best = part;
        }
    }
  return best;
}

WpId
wp_box_part (const WpBox *box, const WpAnalysis *analysis, double from, double to, guint *n_parts)
{
  guint n;

  n_parts = n_parts != NULL ? n_parts : &n;
  *n_parts = 1;
  if (analysis == NULL)
    return 0;
  if (box->ref_kind == WP_REF_PART && box->ref < analysis->paths->parts.len)
    return longest_part (box, analysis->paths, from, to, n_parts);
  if (box->ref_kind == WP_REF_NODE && box->ref < analysis->tree->nodes.len)
    return node_part (analysis->tree, box->ref);
  return 0;
}

WpId
wp_box_last_part (const WpBox *box, const WpAnalysis *analysis)
{
  WpId part = box->ref_kind == WP_REF_PART && box->ref < analysis->paths->parts.len ? box->ref : 0;

  for (WpId next = part; next != 0; next = wp_box_next_part (box, analysis->paths, part))
    part = next;
  return part;
}

WpId
wp_box_op (const WpBox *box, const WpAnalysis *analysis, WpId part)
{
  if (box->ref_kind == WP_REF_OP)
    return box->ref;
  return part != 0 ? analysis->paths->parts.data[part].op : 0;
}

/* Whether a box may show the part: the part's own, or one that a part before it on the same level began. */
static gboolean
may_show (const WpBox *box, const WpAnalysis *analysis, WpId part)
{
  const WpPart *parts = analysis->paths->parts.data;

  if (box->ref_kind == WP_REF_OP)
    return box->ref == parts[part].op;
  if (box->ref_kind == WP_REF_PART)
    return box->ref == part
           || (parts[box->ref].parent == parts[part].parent && parts[box->ref].path == parts[part].path);
  return wp_box_part (box, analysis, box->start, box->end, NULL) == part;
}

/* The first box of a row that ends after a moment. */
static guint32
first_after (const WpRows *rows, const WpRow *row, gint64 time)
{
  return WP_SEARCH (row->first, row->first + row->n, i, rows->boxes.data[i].end <= time);
}

guint32
wp_box_of_part (const WpRows *rows, const WpAnalysis *analysis, WpId part, gint64 start, gint64 end)
{
  guint32 best = G_MAXUINT32;
  int frame = -1;

  for (guint32 r = 0; r < rows->rows.len; r++)
    {
      const WpRow *row = &rows->rows.data[r];

      for (guint32 i = rows->is_time ? first_after (rows, row, start) : row->first; i < row->first + row->n; i++)
        {
          const WpBox *box = &rows->boxes.data[i];

          if (rows->is_time && box->start >= end)
            break;
          if (box->frame <= frame || !may_show (box, analysis, part))
            continue;
          best = i;
          frame = box->frame;
        }
    }
  return best;
}

guint32
wp_box_of_op (const WpRows *rows, const WpAnalysis *analysis, WpId op)
{
  if (rows->boxes.len == 0 || rows->boxes.data[0].ref_kind == WP_REF_OP)
    {
      for (guint32 i = 0; i < rows->boxes.len; i++)
        if (rows->boxes.data[i].ref_kind == WP_REF_OP && rows->boxes.data[i].ref == op)
          return i;
      return G_MAXUINT32;
    }
  for (WpId part = 1; analysis != NULL && part < analysis->paths->parts.len; part++)
    if (analysis->paths->parts.data[part].op == op)
      return wp_box_of_part (rows, analysis, part, analysis->paths->parts.data[part].start, analysis->paths->parts.data[part].end);
  return G_MAXUINT32;
}

WpSelection
wp_select_box (const WpRows *rows, guint32 box, const WpTrace *trace, const WpAnalysis *analysis, double from, double to)
{
  const WpBox *b = &rows->boxes.data[box];
  WpSelection selection = { 0 };

  selection.part = wp_box_part (b, analysis, from, to, &selection.n_parts);
  selection.op = trace != NULL ? wp_box_op (b, analysis, selection.part) : 0;
  return selection;
}

/* --- what woke what --- */

WpId
wp_op_waker (const WpTrace *trace, WpId op)
{
  WpId link = trace->ops.data[op].link;

  if (link == 0 && trace->ops.data[op].kind != WP_OP_SLEEP)
    {
      WpId before = wp_trace_prev_op (trace, op);

      link = before != 0 ? trace->ops.data[before].link : 0;
    }
  return link != 0 ? trace->links.data[link].source : 0;
}

WpId
wp_op_first_woken (const WpTrace *trace, WpId op)
{
  for (WpId i = 1; i < trace->links.len; i++)
    if (trace->links.data[i].source == op && trace->links.data[i].target != 0)
      return trace->links.data[i].target;
  return 0;
}
