/* What of the elapsed time each row of an explanation answers for, as `perf report --latency` asks: each moment is shared equally by those that ran
 * then, by the waits where nobody ran, and by the waits for another lane where there was nothing else. */
#include "paths/explain-private.h"

#include "base/search.h"
#include "base/sort.h"

#define STEP 65536 /* edges from one look at the progress to the next */

enum
{
  RUNNING,
  WAITING,
  WAITING_FOR_LANE,
};

/* Where a piece begins or ends. */
typedef struct
{
  gint64 at;
  guint32 row, piece;
  gboolean ends;
} Edge;

typedef struct
{
  WpExplanation *out;
  gint64 now, from, to;
  gint64 shares[WP_LATENCY_RANKS]; /* what one piece that is there since the beginning has got so far, ns */
  guint32 there[WP_LATENCY_RANKS]; /* how many pieces are, now */
  gint64 left;            /* ns that could not be divided, for those that come next */
} Sweep;

WP_DEFINE_COMPARE_2 (compare_edges, Edge, at, row)

G_STATIC_ASSERT (WAITING_FOR_LANE + 1 == WP_LATENCY_RANKS);

static guint
rank_of (WpCategory category)
{
  if (category == WP_CATEGORY_UNDERSTOOD || category == WP_CATEGORY_NOT_SAMPLED || category == WP_CATEGORY_INTERRUPTS)
    return RUNNING;
  return category == WP_CATEGORY_OTHER_PATH ? WAITING_FOR_LANE : WAITING;
}

static void
go_on_to (Sweep *self, gint64 at)
{
  gint64 ns = MIN (at, self->to) - MAX (self->now, self->from);
  guint rank = 0;

  self->now = at;
  while (rank < WP_LATENCY_RANKS && self->there[rank] == 0)
    rank++;
  if (ns <= 0 || rank == WP_LATENCY_RANKS)
    return;
  ns += self->left;
  self->left = ns % self->there[rank];
  self->shares[rank] += ns / self->there[rank];
}

/* What is known at this moment. */
static void
step (Sweep *self, gint64 at)
{
  WpLatencyStep *last = self->out->latency_steps.len > 0 ? &self->out->latency_steps.data[self->out->latency_steps.len - 1] : NULL;

  if (last == NULL || last->at < at)
    last = wp_array_add (&self->out->latency_steps);
  last->at = at;
  memcpy (last->shares, self->shares, sizeof last->shares);
}

/* A piece's latency is what it had got at its end, less what it had at its beginning. */
static void
meet (Sweep *self, const Edge *edge)
{
  WpExplanationRow *row = &self->out->rows.data[edge->row];
  guint rank = rank_of (row->category);
  gint64 share;

  go_on_to (self, edge->at);
  step (self, edge->at);
  share = edge->ends ? self->shares[rank] : -self->shares[rank];
  row->latency += share;
  self->out->pieces.data[edge->piece].latency += share;
  self->there[rank] += edge->ends ? -1 : 1;
}

gboolean
wp_explain_latency (const WpPaths *paths, WpExplanation *out, WpProgress *progress, GError **error)
{
  Sweep self = { .out = out, .from = MAX (paths->wall_start, out->from), .to = MIN (paths->wall_end, out->to) };
  WP_ARRAY (Edge) edges = { 0 };
  gboolean going_on;

  for (guint32 i = 0; i < out->pieces.len; i++)
    {
      const WpPiece *piece = &out->pieces.data[i];

      wp_array_push (&edges, ((Edge) { .at = piece->start, .row = piece->row, .piece = i }));
      wp_array_push (&edges, ((Edge) { .at = piece->end, .row = piece->row, .piece = i, .ends = TRUE }));
    }
  going_on = edges.len == 0 || wp_sort_many (edges.data, edges.len, sizeof *edges.data, compare_edges, progress, error);
  for (guint32 i = 0; i < edges.len && going_on; i++)
    {
      meet (&self, &edges.data[i]);
      if (i % STEP == 0)
        going_on = wp_progress_step (progress, 1, error);
    }
  if (edges.len > 0)
    {
      out->undivided = self.left;
      out->undivided_to = edges.data[edges.len - 1].piece;
      out->rows.data[edges.data[edges.len - 1].row].latency += self.left;
      out->pieces.data[out->undivided_to].latency += self.left;
    }
  for (guint32 i = 0; i < out->rows.len; i++)
    out->latency[out->rows.data[i].category] += out->rows.data[i].latency;
  wp_array_clear (&edges);
  return going_on;
}

/* What such a piece would have got up to a moment. */
static gint64
share_at (const WpExplanation *self, guint rank, gint64 at)
{
  const WpLatencyStep *steps = self->latency_steps.data;
  guint32 n = self->latency_steps.len, next = WP_SEARCH (0, n, i, steps[i].at <= at);
  gint64 before;

  if (next == 0 || n == 0)
    return 0;
  before = steps[next - 1].shares[rank];
  if (next == n)
    return before;
  return before + (gint64) ((double) (steps[next].shares[rank] - before) * (double) (at - steps[next - 1].at) / (double) (steps[next].at - steps[next - 1].at));
}

gint64
wp_explanation_latency (const WpExplanation *self, const WpPiece *piece, gint64 start, gint64 end)
{
  guint rank = rank_of (self->rows.data[piece->row].category);
  gboolean has_undivided = end == piece->end && piece == &self->pieces.data[self->undivided_to];

  if (start == piece->start && end == piece->end)
    return piece->latency;
  return share_at (self, rank, end) - share_at (self, rank, start) + (has_undivided ? self->undivided : 0);
}
