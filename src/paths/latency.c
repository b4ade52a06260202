/* What of the elapsed time each row of an explanation answers for, as `perf report --latency` asks: each moment is shared equally by those that ran
 * then, by the waits where nobody ran, and by the waits for another lane where there was nothing else. */
#include "paths/explain-private.h"

#include "base/moments.h"
#include "base/search.h"

#define STEP 65536 /* edges from one look at the progress to the next */

enum
{
  RUNNING,
  WAITING,
  WAITING_FOR_LANE,
};

/* What happens to a piece at a moment: WpMoment.what. */
enum
{
  BEGINS,
  ENDS,
};

typedef struct
{
  WpExplanation *out;
  gint64 now, from, to;
  gint64 shares[WP_LATENCY_RANKS]; /* what one piece that is there since the beginning has got so far, ns */
  guint32 there[WP_LATENCY_RANKS]; /* how many pieces are, now */
  gint64 left;            /* ns that could not be divided, for those that come next */
  guint8 *ranks;          /* by row */
} Sweep;

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

/* What is known at this moment, later than those before. */
static void
step (Sweep *self, gint64 at)
{
  WpLatencyStep now = { .at = at };

  memcpy (now.shares, self->shares, sizeof now.shares);
  wp_array_push (&self->out->latency_steps, now);
}

/* A piece's latency is what it had got at its end, less what it had at its beginning. */
static void
meet (Sweep *self, const WpMoment *moment)
{
  WpPiece *piece = &self->out->pieces.data[moment->id];
  guint rank = self->ranks[piece->row];
  gboolean ends = moment->what == ENDS;

  if (moment->at > self->now)
    {
      go_on_to (self, moment->at);
      step (self, moment->at);
    }
  piece->latency += ends ? self->shares[rank] : -self->shares[rank];
  self->there[rank] += ends ? -1 : 1;
}

/* Who gets what could not be divided: of the pieces that end last one of the last row. */
static guint32
last_of_all (const WpExplanation *out, const WpMoments *moments)
{
  guint32 last = moments->data[moments->len - 1].id;

  for (guint32 i = moments->len; i-- > 0 && moments->data[i].at == moments->data[moments->len - 1].at;)
    if (out->pieces.data[moments->data[i].id].row > out->pieces.data[last].row)
      last = moments->data[i].id;
  return last;
}

static void
sum_up (WpExplanation *out)
{
  for (guint32 i = 0; i < out->pieces.len; i++)
    out->rows.data[out->pieces.data[i].row].latency += out->pieces.data[i].latency;
  for (guint32 i = 0; i < out->rows.len; i++)
    out->latency[out->rows.data[i].category] += out->rows.data[i].latency;
}

static void
find_moments (const WpExplanation *out, WpMoments *moments)
{
  wp_array_reserve (moments, 2 * (guint64) out->pieces.len);
  for (guint32 i = 0; i < out->pieces.len; i++)
    {
      wp_array_push (moments, ((WpMoment) { out->pieces.data[i].start, i, BEGINS }));
      wp_array_push (moments, ((WpMoment) { out->pieces.data[i].end, i, ENDS }));
    }
}

gboolean
wp_explain_latency (const WpPaths *paths, WpExplanation *out, WpProgress *progress, GError **error)
{
  Sweep self = { .out = out, .now = G_MININT64, .from = MAX (paths->wall_start, out->from), .to = MIN (paths->wall_end, out->to) };
  WpMoments moments = { 0 };
  gboolean going_on;

  if (out->pieces.len == 0)
    return wp_progress_step (progress, 1, error);
  self.ranks = g_new (guint8, out->rows.len);
  for (guint32 i = 0; i < out->rows.len; i++)
    self.ranks[i] = (guint8) rank_of (out->rows.data[i].category);
  find_moments (out, &moments);
  going_on = wp_moments_sort (&moments, progress, error);
  for (guint32 i = 0; i < moments.len && going_on; i++)
    {
      meet (&self, &moments.data[i]);
      if (i % STEP == 0)
        going_on = wp_progress_step (progress, 1, error);
    }
  if (going_on)
    {
      out->undivided = self.left;
      out->undivided_to = last_of_all (out, &moments);
      out->pieces.data[out->undivided_to].latency += self.left;
      sum_up (out);
    }
  wp_array_clear (&moments);
  g_free (self.ranks);
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
