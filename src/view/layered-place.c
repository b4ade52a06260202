/* Where vertices stand in their layers, whose order is given. Vertices are aligned with the middle one of their neighbours, and what is aligned
 * stands on one line; done four times, towards each corner, and each vertex stands in the middle of its four places. Of an edge that passes
 * several layers nothing but its ends may bend: where a segment crosses the inner part of such an edge, it is not aligned. */
#include "view/layered-private.h"

#include <math.h>

typedef struct
{
  WpLayering *layering;
  gboolean *bends;  /* segment → it crosses the inner part of a long edge */
  guint32 *root;    /* vertex → the first vertex of its line */
  guint32 *next;    /* vertex → the next one of its line; of the last one the root */
  guint32 *n_left;  /* root → lines left of it that have no place yet */
  guint32 *queue;   /* roots, in the order in which they get their places: left ones first */
  double *x;        /* root → */
} Placing;

static inline gboolean
passes (const WpLayering *self, guint32 vertex)
{
  return vertex >= self->n_nodes;
}

/* The vertex above one where an edge passes both; G_MAXUINT32: there is none. */
static guint32
inner_above (const WpLayering *self, guint32 vertex)
{
  guint32 first = self->first[WP_LAYER_ABOVE][vertex];

  if (!passes (self, vertex) || !passes (self, wp_layering_other (self, WP_LAYER_ABOVE, first)))
    return G_MAXUINT32;
  return wp_layering_other (self, WP_LAYER_ABOVE, first);
}

static void
mark_between (Placing *self, guint32 layer)
{
  WpLayering *l = self->layering;
  guint32 first = l->layer_first[layer + 1], end = l->layer_first[layer + 2], done = first, left = 0;

  for (guint32 i = first; i < end; i++)
    {
      guint32 inner = inner_above (l, l->order[i]), right = inner != G_MAXUINT32 ? l->at[inner] : G_MAXUINT32;

      if (inner == G_MAXUINT32 && i + 1 < end)
        continue;
      for (; done <= i; done++)
        for (guint32 k = l->first[WP_LAYER_ABOVE][l->order[done]]; k < l->first[WP_LAYER_ABOVE][l->order[done] + 1]; k++)
          {
            guint32 at = l->at[wp_layering_other (l, WP_LAYER_ABOVE, k)];

            self->bends[l->near[WP_LAYER_ABOVE][k]] = at < left || (right != G_MAXUINT32 && at > right);
          }
      left = right;
    }
}

/* --- lines ------------------------------------------------------------------------------------------------------------ */

/* One of the two middle neighbours becomes the next above on the line, unless that would cross a line. `edge`: the number of the neighbour up to which lines
 * are taken; one more, so that 0 is none; counted from the side that is aligned to. */
static void
align (Placing *self, guint32 vertex, guint side, gboolean from_right, guint32 *taken)
{
  const WpLayering *l = self->layering;
  guint32 first = l->first[side][vertex], n = l->first[side][vertex + 1] - first;
  guint32 middle[2] = { (n - 1) / 2, n / 2 };

  if (n == 0)
    return;
  for (guint i = 0; i < 2 && self->next[vertex] == vertex; i++)
    {
      guint32 k = first + middle[from_right ? 1 - i : i], other = wp_layering_other (l, side, k);
      guint32 layer = l->layer[other], size = l->layer_first[layer + 1] - l->layer_first[layer];
      guint32 at = from_right ? size - l->at[other] : l->at[other] + 1;

      if (self->bends[l->near[side][k]] || at <= *taken)
        continue;
      self->next[other] = vertex;
      self->root[vertex] = self->root[other];
      self->next[vertex] = self->root[vertex];
      *taken = at;
    }
}

static void
align_all (Placing *self, guint side, gboolean from_right)
{
  const WpLayering *l = self->layering;

  for (guint32 v = 0; v < l->n; v++)
    self->root[v] = self->next[v] = v;
  for (guint32 i = 1; i < l->n_layers; i++)
    {
      guint32 layer = side == WP_LAYER_ABOVE ? i : l->n_layers - 1 - i;
      guint32 first = l->layer_first[layer], n = l->layer_first[layer + 1] - first, taken = 0;

      for (guint32 k = 0; k < n; k++)
        align (self, l->order[first + (from_right ? n - 1 - k : k)], side, from_right, &taken);
    }
}

/* --- places of lines ---------------------------------------------------------------------------------------------------- */

/* The neighbour in the layer; G_MAXUINT32: none. */
static guint32
beside (const WpLayering *self, guint32 vertex, gboolean on_right)
{
  guint32 first = self->layer_first[self->layer[vertex]], end = self->layer_first[self->layer[vertex] + 1], at = first + self->at[vertex];

  if (on_right ? at + 1 >= end : at <= first)
    return G_MAXUINT32;
  return self->order[on_right ? at + 1 : at - 1];
}

static double
apart (const WpLayering *self, guint32 a, guint32 b)
{
  return (self->width[a] + self->width[b]) / 2 + self->gap_x;
}

/* Each line once all those on its one side have their places. */
static guint32
queue_lines (Placing *self, gboolean from_right)
{
  const WpLayering *l = self->layering;
  guint32 n = 0;

  memset (self->n_left, 0, l->n * sizeof *self->n_left);
  for (guint32 v = 0; v < l->n; v++)
    self->n_left[self->root[v]] += beside (l, v, from_right) != G_MAXUINT32;
  for (guint32 v = 0; v < l->n; v++)
    if (self->root[v] == v && self->n_left[v] == 0)
      self->queue[n++] = v;
  for (guint32 i = 0; i < n; i++)
    {
      guint32 v = self->queue[i];

      do
        {
          guint32 other = beside (l, v, !from_right);

          if (other != G_MAXUINT32 && --self->n_left[self->root[other]] == 0)
            self->queue[n++] = self->root[other];
          v = self->next[v];
        }
      while (v != self->queue[i]);
    }
  return n;
}

/* As far as it can be to one side; then back to what stands on the other, where that is further away than it must be. */
static void
place_lines (Placing *self, gboolean from_right)
{
  const WpLayering *l = self->layering;
  guint32 n = queue_lines (self, from_right);

  for (guint32 i = 0; i < n; i++)
    {
      guint32 root = self->queue[i], v = root;
      double x = 0;

      do
        {
          guint32 other = beside (l, v, from_right);

          if (other != G_MAXUINT32)
            x = MAX (x, self->x[self->root[other]] + apart (l, v, other));
          v = self->next[v];
        }
      while (v != root);
      self->x[root] = x;
    }
  for (guint32 i = n; i-- > 0;)
    {
      guint32 root = self->queue[i], v = root;
      double x = G_MAXDOUBLE;

      do
        {
          guint32 other = beside (l, v, !from_right);

          if (other != G_MAXUINT32)
            x = MIN (x, self->x[self->root[other]] - apart (l, v, other));
          v = self->next[v];
        }
      while (v != root);
      if (x < G_MAXDOUBLE)
        self->x[root] = MAX (self->x[root], x);
    }
}

/* --- the four of them ---------------------------------------------------------------------------------------------------- */

static void
find_extent (const WpLayering *self, const double *x, double *left, double *right)
{
  *left = G_MAXDOUBLE;
  *right = -G_MAXDOUBLE;
  for (guint32 v = 0; v < self->n; v++)
    {
      *left = MIN (*left, x[v] - self->width[v] / 2);
      *right = MAX (*right, x[v] + self->width[v] / 2);
    }
}

static void
place_towards (Placing *self, guint side, gboolean from_right, double *x)
{
  align_all (self, side, from_right);
  place_lines (self, from_right);
  for (guint32 v = 0; v < self->layering->n; v++)
    x[v] = from_right ? -self->x[self->root[v]] : self->x[self->root[v]];
}

/* The average of the two in the middle; before that all are moved so that their sides are those of the narrowest. */
static double *
balance (const WpLayering *self, double *four[4])
{
  double left[4], right[4], *x = g_new (double, self->n);
  guint narrowest = 0;

  for (guint i = 0; i < 4; i++)
    {
      find_extent (self, four[i], &left[i], &right[i]);
      if (right[i] - left[i] < right[narrowest] - left[narrowest])
        narrowest = i;
    }
  for (guint32 v = 0; v < self->n; v++)
    {
      double least = G_MAXDOUBLE, most = -G_MAXDOUBLE, sum = 0;

      for (guint i = 0; i < 4; i++)
        {
          double moved = four[i][v] + (i % 2 == 1 ? right[narrowest] - right[i] : left[narrowest] - left[i]);

          least = MIN (least, moved);
          most = MAX (most, moved);
          sum += moved;
        }
      x[v] = (sum - least - most) / 2;
    }
  return x;
}

double *
wp_layering_place (WpLayering *self)
{
  Placing placing = { .layering = self, .bends = g_new0 (gboolean, self->n_segments), .root = g_new (guint32, self->n), .next = g_new (guint32, self->n),
                      .n_left = g_new (guint32, self->n), .queue = g_new (guint32, self->n), .x = g_new (double, self->n) };
  double *four[4], *x;

  for (guint32 layer = 0; layer + 1 < self->n_layers; layer++)
    mark_between (&placing, layer);
  for (guint i = 0; i < 4; i++)
    {
      four[i] = g_new (double, self->n);
      place_towards (&placing, i / 2 == 0 ? WP_LAYER_ABOVE : WP_LAYER_BELOW, i % 2 == 1, four[i]);
    }
  x = balance (self, four);
  for (guint i = 0; i < 4; i++)
    g_free (four[i]);
  g_free (placing.bends);
  g_free (placing.root);
  g_free (placing.next);
  g_free (placing.n_left);
  g_free (placing.queue);
  g_free (placing.x);
  return x;
}
