/* In which order vertices stand in their layers: each as near as it can be to the middle of its neighbours, sweeping down and up, and two that stand
 * side by side the other way round where that has fewer crossings. The best of all sweeps is kept. */
#include "view/layered-private.h"

#define SWEEPS 24  /* down and up, at most */
#define IN_VAIN 4  /* so many of them without a better order are enough */
#define SWAPS 8    /* looks at one layer for neighbours that are better the other way round */

/* --- crossings ------------------------------------------------------------------------------------------------------- */

/* Segments that stand left above and right below of others: a tree of sums over the places below (W. Barth, P. Mutzel, M. Jünger, 2004). */
static guint64
count_between (const WpLayering *self, guint32 layer, guint32 *sums)
{
  guint32 n = self->layer_first[layer + 2] - self->layer_first[layer + 1];
  guint64 crossings = 0;
  guint32 passed = 0;

  memset (sums, 0, (n + 1) * sizeof *sums);
  for (guint32 i = self->layer_first[layer]; i < self->layer_first[layer + 1]; i++)
    {
      guint32 first = self->first[WP_LAYER_BELOW][self->order[i]], end = self->first[WP_LAYER_BELOW][self->order[i] + 1];

      for (guint32 k = first; k < end; k++)
        {
          guint32 not_right = 0;

          for (guint32 at = self->at[wp_layering_other (self, WP_LAYER_BELOW, k)] + 1; at > 0; at &= at - 1)
            not_right += sums[at];
          crossings += passed - not_right;
        }
      for (guint32 k = first; k < end; k++)
        for (guint32 at = self->at[wp_layering_other (self, WP_LAYER_BELOW, k)] + 1; at <= n; at += at & -at)
          sums[at]++;
      passed += end - first;
    }
  return crossings;
}

static guint64
count_crossings (const WpLayering *self, guint32 *sums)
{
  guint64 crossings = 0;

  for (guint32 l = 0; l + 1 < self->n_layers; l++)
    crossings += count_between (self, l, sums);
  return crossings;
}

/* --- towards the middle ---------------------------------------------------------------------------------------------- */

/* As Gansner and others have it: of two middle neighbours the one leans to that has the others nearer. -1: there are none. */
static double
middle_of (const WpLayering *self, guint32 vertex, guint side)
{
  guint32 first = self->first[side][vertex], n = self->first[side][vertex + 1] - first;
#define AT(i) ((double) self->at[wp_layering_other (self, side, first + (i))])
  double left, right;

  if (n == 0)
    return -1;
  if (n % 2 == 1)
    return AT (n / 2);
  if (n == 2)
    return (AT (0) + AT (1)) / 2;
  left = AT (n / 2 - 1) - AT (0);
  right = AT (n - 1) - AT (n / 2);
  return left + right > 0 ? (AT (n / 2 - 1) * right + AT (n / 2) * left) / (left + right) : AT (n / 2);
#undef AT
}

typedef struct
{
  double middle;
  guint32 at, vertex;
} Wish;

static int
compare_wishes (const void *a, const void *b)
{
  const Wish *x = a, *y = b;

  if (x->middle != y->middle)
    return x->middle < y->middle ? -1 : 1;
  return x->at < y->at ? -1 : x->at > y->at;
}

/* What has no neighbours on that side stays where it is. */
static void
lean (WpLayering *self, guint32 layer, guint side, Wish *wishes)
{
  guint32 first = self->layer_first[layer], end = self->layer_first[layer + 1], n = 0, next = 0;

  for (guint32 i = first; i < end; i++)
    {
      double middle = middle_of (self, self->order[i], side);

      if (middle >= 0)
        wishes[n++] = (Wish) { middle, i, self->order[i] };
    }
  qsort (wishes, n, sizeof *wishes, compare_wishes);
  for (guint32 i = first; i < end; i++)
    if (self->first[side][self->order[i]] < self->first[side][self->order[i] + 1])
      self->order[i] = wishes[next++].vertex;
  wp_layering_number (self, layer);
}

/* --- side by side ----------------------------------------------------------------------------------------------------- */

/* Crossings of the segments of two vertices, `a` left of `b`, less those the other way round. */
static gint64
gain_of_swap (const WpLayering *self, guint32 a, guint32 b, guint side)
{
  guint32 first_a = self->first[side][a], end_a = self->first[side][a + 1], first_b = self->first[side][b], end_b = self->first[side][b + 1];
  guint32 left = first_b, not_right = first_b; /* b's that stand left of a's, and no further right */
  gint64 gain = 0;

  for (guint32 k = first_a; k < end_a; k++)
    {
      guint32 at = self->at[wp_layering_other (self, side, k)];

      while (left < end_b && self->at[wp_layering_other (self, side, left)] < at)
        left++;
      while (not_right < end_b && self->at[wp_layering_other (self, side, not_right)] <= at)
        not_right++;
      gain += (gint64) (left - first_b) - (gint64) (end_b - not_right);
    }
  return gain;
}

static void
swap_neighbours (WpLayering *self, guint32 layer)
{
  gboolean better = TRUE;

  for (guint look = 0; look < SWAPS && better; look++)
    {
      better = FALSE;
      for (guint32 i = self->layer_first[layer]; i + 1 < self->layer_first[layer + 1]; i++)
        {
          guint32 a = self->order[i], b = self->order[i + 1];

          if (gain_of_swap (self, a, b, WP_LAYER_ABOVE) + gain_of_swap (self, a, b, WP_LAYER_BELOW) <= 0)
            continue;
          self->order[i] = b;
          self->order[i + 1] = a;
          self->at[a]++;
          self->at[b]--;
          better = TRUE;
        }
    }
}

static void
sort_around (WpLayering *self, guint32 layer)
{
  if (layer > 0)
    wp_layering_sort_near (self, layer, WP_LAYER_ABOVE);
  if (layer + 1 < self->n_layers)
    wp_layering_sort_near (self, layer, WP_LAYER_BELOW);
}

/* From one end of the layers to the other, each towards the one before it. */
static void
sweep (WpLayering *self, guint side, Wish *wishes)
{
  for (guint32 i = 0; i < self->n_layers; i++)
    {
      guint32 layer = side == WP_LAYER_ABOVE ? i : self->n_layers - 1 - i;

      lean (self, layer, side, wishes);
      swap_neighbours (self, layer);
      sort_around (self, layer);
    }
}

static void
take_order (WpLayering *self, const guint32 *order)
{
  memcpy (self->order, order, self->n * sizeof *order);
  for (guint32 l = 0; l < self->n_layers; l++)
    wp_layering_number (self, l);
  for (guint32 l = 0; l < self->n_layers; l++)
    sort_around (self, l);
}

gboolean
wp_layering_order (WpLayering *self, guint64 *crossings, WpProgress *progress, GError **error)
{
  g_autofree guint32 *sums = g_new (guint32, self->n + 2), *best = g_memdup2 (self->order, self->n * sizeof *best);
  g_autofree Wish *wishes = g_new (Wish, self->n);
  guint64 fewest = G_MAXUINT64;
  guint in_vain = 0;

  for (guint32 l = 0; l < self->n_layers; l++)
    sort_around (self, l);
  fewest = count_crossings (self, sums);
  for (guint i = 0; i < 2 * SWEEPS && in_vain < 2 * IN_VAIN && fewest > 0; i++)
    {
      guint64 n;

      if (!wp_progress_step (progress, (double) i / (2 * SWEEPS), error))
        return FALSE;
      sweep (self, i % 2 == 0 ? WP_LAYER_ABOVE : WP_LAYER_BELOW, wishes);
      n = count_crossings (self, sums);
      in_vain = n < fewest ? 0 : in_vain + 1;
      if (n < fewest)
        {
          fewest = n;
          memcpy (best, self->order, self->n * sizeof *best);
        }
    }
  take_order (self, best);
  *crossings = fewest;
  return TRUE;
}
