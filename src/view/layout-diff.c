/* The differential view: a comparison's nodes, children side by side on their parent, coloured by change. */
#include "view/layout.h"

#include <math.h>

#define SOME 0.05       /* of the larger side: a change worth a colour */
#define MUCH (1.0 / 3)  /* half as much again, or a third less */

typedef struct
{
  const WpComparison *comparison;
  WpRows *rows;
  WpGather gather;
  double *width; /* by node */
  double *x;     /* by node: where its next child starts */
  guint32 depth;
} Layout;

static WpBoxKind
kind_of (const WpComparison *self, const WpComparedNode *node)
{
  const double *all = self->nodes.data[0].total;
  double a = node->total[WP_SIDE_A], b = node->total[WP_SIDE_B], change = b - a;
  double by = change / MAX (MAX (a, b), G_MINDOUBLE);

  if (node->evidence == WP_EVIDENCE_NOISE || fabs (change) < WP_COMPARE_LEAST * MAX (all[WP_SIDE_A], all[WP_SIDE_B]))
    return WP_BOX_SAME;
  if (a == 0)
    return WP_BOX_NEW;
  if (b == 0)
    return WP_BOX_VANISHED;
  if (fabs (by) < SOME)
    return WP_BOX_SAME;
  return by > MUCH ? WP_BOX_MUCH_MORE : by > 0 ? WP_BOX_MORE : by < -MUCH ? WP_BOX_MUCH_LESS : WP_BOX_LESS;
}

/* What says the sign without colour: the name, and by how much it changed. */
static WpId
label_of (const Layout *self, const WpComparedNode *node, WpBoxKind kind)
{
  const WpComparison *c = self->comparison;
  const char *name = wp_strings_get (c->strings, c->frames.data[node->frame].name);
  const WpChange change = { .mean = { node->total[WP_SIDE_A], node->total[WP_SIDE_B] } };
  g_autofree char *text = NULL;
  char by[32];

  if (kind == WP_BOX_SAME)
    return wp_strings_intern (self->rows->strings, name);
  wp_format_change (&change, by);
  text = g_strdup_printf ("%s  %s", name, by);
  return wp_strings_intern (self->rows->strings, text);
}

/* Parents come before their children, so one pass backwards sums up what vanished. */
static void
find_widths (Layout *self, WpDiffWidth what)
{
  const WpComparedNode *nodes = self->comparison->nodes.data;

  for (WpId n = self->comparison->nodes.len; n-- > 0;)
    if (what != WP_DIFF_VANISHED)
      self->width[n] = nodes[n].total[what == WP_DIFF_A ? WP_SIDE_A : WP_SIDE_B];
    else
      {
        if (nodes[n].total[WP_SIDE_B] == 0)
          self->width[n] = nodes[n].total[WP_SIDE_A];
        if (n > 0 && nodes[nodes[n].parent].total[WP_SIDE_B] != 0)
          self->width[nodes[n].parent] += self->width[n];
      }
}

static void
place (Layout *self, WpId id, guint32 depth)
{
  const WpComparedNode *node = &self->comparison->nodes.data[id];
  double start = self->x[node->parent], end = start + self->width[id];
  WpBoxKind kind = kind_of (self->comparison, node);
  WpBox box = { .start = llround (start), .end = llround (end), .ref = id, .kind = kind, .ref_kind = WP_REF_NODE, .hidden = node->hidden };

  self->x[node->parent] = end;
  self->x[id] = start;
  if (box.end <= box.start)
    return;
  box.label = label_of (self, node, kind);
  wp_gather_add (&self->gather, depth, &box);
  self->depth = MAX (self->depth, depth + 1);
}

/* Parents first, without a stack: up by `parent`, along by `next`. */
static void
place_all (Layout *self)
{
  const WpComparedNode *nodes = self->comparison->nodes.data;
  guint32 depth = 0;

  for (WpId id = nodes[0].first_child; id != 0;)
    {
      place (self, id, depth);
      if (nodes[id].first_child != 0)
        {
          id = nodes[id].first_child;
          depth++;
          continue;
        }
      while (id != 0 && nodes[id].next == 0)
        {
          id = nodes[id].parent;
          depth--;
        }
      id = id != 0 ? nodes[id].next : 0;
    }
}

static WpRows *
lay_out (const WpComparison *comparison, WpDiffWidth width, gboolean icicle)
{
  guint32 n = comparison->nodes.len;
  Layout l = { .comparison = comparison, .rows = wp_rows_new (), .width = g_new0 (double, n), .x = g_new0 (double, n) };

  find_widths (&l, width);
  place_all (&l);
  wp_array_resize (&l.rows->rows, l.depth);
  l.rows->home = icicle || l.depth == 0 ? 0 : l.depth - 1;
  for (guint32 i = 0; !icicle && i < l.gather.rows.len; i++)
    l.gather.rows.data[i] = l.depth - 1 - l.gather.rows.data[i];
  wp_gather_finish (&l.gather, l.rows);
  wp_array_copy (&l.rows->hidden, &comparison->hidden);
  l.rows->is_time = FALSE;
  l.rows->end = llround (l.width[0]);
  l.rows->x_unit = comparison->unit;
  g_free (l.width);
  g_free (l.x);
  return l.rows;
}

WpRows *
wp_layout_diff (const WpComparison *comparison, WpDiffWidth width, gboolean icicle)
{
  WpRows *rows = lay_out (comparison, width, icicle);

  wp_rows_finish (rows);
  return rows;
}

/* Empty rows at the top. */
static void
make_as_high (WpRows *rows, guint32 n)
{
  guint32 before = rows->rows.len, more = n - before;

  if (before == 0 || more == 0)
    return;
  wp_array_resize (&rows->rows, n);
  memmove (rows->rows.data + more, rows->rows.data, before * sizeof *rows->rows.data);
  memset (rows->rows.data, 0, more * sizeof *rows->rows.data);
  rows->home += more;
}

void
wp_layout_diff_sides (const WpComparison *comparison, WpRows *rows[WP_N_SIDES])
{
  guint32 high = 0;
  gint64 end = 0;

  for (guint side = 0; side < WP_N_SIDES; side++)
    {
      rows[side] = lay_out (comparison, side == WP_SIDE_A ? WP_DIFF_A : WP_DIFF_B, FALSE);
      high = MAX (high, rows[side]->rows.len);
      end = MAX (end, rows[side]->end);
    }
  for (guint side = 0; side < WP_N_SIDES; side++)
    {
      make_as_high (rows[side], high);
      rows[side]->all = rows[side]->end;
      rows[side]->end = end;
      wp_rows_finish (rows[side]);
    }
}
