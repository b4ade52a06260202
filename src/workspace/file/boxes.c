#include "workspace/file/boxes.h"

#include <glib/gi18n.h>

#include "base/format.h"
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

/* Of a part's own pieces within a time. */
static gint64
part_latency (const WpExplanation *explanation, WpId part, gint64 from, gint64 to)
{
  const WpPiece *pieces = explanation->pieces.data;
  guint32 n = explanation->pieces.len;
  gint64 latency = 0;

  for (guint32 i = WP_SEARCH (0, n, k, pieces[k].part < part); i < n && pieces[i].part == part; i++)
    {
      gint64 start = MAX (pieces[i].start, from), end = MIN (pieces[i].end, to);

      if (start < end)
        latency += wp_explanation_latency (explanation, &pieces[i], start, end);
    }
  return latency;
}

/* The same of all that stands on it, too. */
static gint64
tree_latency (const WpAnalysis *analysis, WpId root, gint64 from, gint64 to)
{
  const WpPart *parts = analysis->paths->parts.data;
  gint64 latency = 0;
  WpId part = root;

  for (;;)
    {
      latency += part_latency (analysis->explanation, part, from, to);
      if (parts[part].first_child != 0)
        {
          part = parts[part].first_child;
          continue;
        }
      while (part != root && parts[part].next == 0)
        part = parts[part].parent;
      if (part == root)
        return latency;
      part = parts[part].next;
    }
}

gint64
wp_box_latency (const WpBox *box, const WpAnalysis *analysis)
{
  gint64 latency = 0;

  for (WpId part = box->ref; part != 0; part = wp_box_next_part (box, analysis->paths, part))
    latency += tree_latency (analysis, part, box->start, box->end);
  return latency;
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
  if (box->ghost)
    return FALSE;
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

/* --- functions --- */

/* The first frame whose function has this name in the stacks of a part, or 0. */
static WpId
frame_in_stacks (const WpTrace *trace, const WpPaths *paths, WpId part, WpId name)
{
  WpSliceArray slices = { 0 };
  WpId found = 0;

  wp_part_slices (paths, part, &slices);
  for (guint32 i = 0; i < slices.len && found == 0; i++)
    for (WpId s = slices.data[i].stack; s != 0 && found == 0; s = trace->stacks.data[s].parent)
      {
        WpId frame = trace->stacks.data[s].frame;

        found = trace->functions.data[trace->frames.data[frame].function].name == name ? frame : 0;
      }
  wp_array_clear (&slices);
  return found;
}

static WpId
function_named (const WpTrace *trace, WpId name)
{
  for (WpId f = 1; f < trace->functions.len; f++)
    if (trace->functions.data[f].name == name)
      return f;
  return 0;
}

static gboolean
is_own_frame (const WpBox *box, const WpAnalysis *analysis)
{
  WpFrameKind kind;

  if (box->ref_kind == WP_REF_PART)
    return box->frame > 0 && box->frame < WP_FRAME_OF_TOP && box->ref < analysis->paths->parts.len;
  if (box->ref_kind != WP_REF_NODE || box->ref >= analysis->tree->nodes.len)
    return FALSE;
  kind = analysis->tree->nodes.data[box->ref].kind;
  return kind == WP_FRAME_RUN || kind == WP_FRAME_SLEEP;
}

WpId
wp_box_function (const WpRows *rows, guint32 box, const WpTrace *trace, const WpAnalysis *analysis)
{
  const WpBox *b = &rows->boxes.data[box];
  WpId name, found;

  if (trace == NULL || analysis == NULL || !is_own_frame (b, analysis))
    return 0;
  if (b->ref_kind == WP_REF_NODE)
    return analysis->tree->nodes.data[b->ref].function;
  name = wp_strings_find (trace->strings, wp_rows_string (rows, b->label));
  found = name != 0 ? frame_in_stacks (trace, analysis->paths, b->ref, name) : 0;
  return found != 0 ? trace->frames.data[found].function : name != 0 ? function_named (trace, name) : 0;
}

WpId
wp_box_frame (const WpRows *rows, guint32 box, WpId part, const WpTrace *trace, const WpAnalysis *analysis)
{
  const WpBox *b = &rows->boxes.data[box];
  WpId of = part != 0 ? part : b->ref_kind == WP_REF_PART ? b->ref : 0, name;

  if (trace == NULL || analysis == NULL || of == 0 || of >= analysis->paths->parts.len || !is_own_frame (b, analysis))
    return 0;
  name = wp_strings_find (trace->strings, wp_rows_string (rows, b->label));
  return name != 0 ? frame_in_stacks (trace, analysis->paths, of, name) : 0;
}

WpId
wp_box_module (const WpRows *rows, guint32 box, const WpTrace *trace, const WpAnalysis *analysis)
{
  const WpBox *b = &rows->boxes.data[box];
  WpId function = wp_box_function (rows, box, trace, analysis);

  if (function != 0)
    return trace->functions.data[function].module;
  if (trace == NULL || analysis == NULL || b->hidden == 0 || !is_own_frame (b, analysis))
    return 0;
  return trace->frames.data[trace->stacks.data[rows->hidden.data[b->hidden].inner].frame].module;
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

void
wp_box_append_share (GString *text, const WpRows *rows, guint32 box, double from, double to)
{
  const WpBox *b = &rows->boxes.data[box];
  double start = to > from ? from : (double) rows->start, end = to > from ? to : (double) rows->end;
  double seen = MIN ((double) b->end, end) - MAX ((double) b->start, start);
  char share[WP_FORMAT_MAX];

  if (end > start && seen > 0)
    g_string_append_printf (text, _(" (%s of what is seen)"), wp_format_share (seen / (end - start), share));
}
