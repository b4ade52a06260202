/* What of the elapsed time each row of an explanation answers for, as `perf report --latency` asks: each moment is shared equally by those that ran
 * then, by the waits where nobody ran, and by the waits for another lane where there was nothing else. */
#include "paths/explain-private.h"

#include "base/search.h"
#include "base/sort.h"

#define STEP 65536 /* pieces from one look at the progress to the next */

enum
{
  RUNNING,
  WAITING,
  WAITING_FOR_LANE,
};

/* Pieces that follow one another in time, as those of a thread do: going along it one meets each beginning and each end in order. */
typedef struct
{
  gint64 at;     /* what comes next: the beginning of `piece`, or its end */
  guint32 piece;
  guint32 end;   /* behind the last piece */
  gboolean ends; /* its end */
} Row;
typedef WP_ARRAY (Row) RowArray;

typedef struct
{
  WpExplanation *out;
  gint64 now, from, to;
  gint64 shares[WP_LATENCY_RANKS]; /* what one piece that is there since the beginning has got so far, ns */
  guint32 there[WP_LATENCY_RANKS]; /* how many pieces are, now */
  gint64 left;            /* ns that could not be divided, for those that come next */
  guint8 *ranks;          /* by row of the explanation */
  RowArray waiting;       /* rows by their beginning … */
  guint32 met;            /* … of which so many have begun */
  RowArray going;         /* those that have begun and not ended: a heap by `at` */
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
meet (Sweep *self, const Row *row)
{
  WpPiece *piece = &self->out->pieces.data[row->piece];
  guint rank = self->ranks[piece->row];

  if (row->at > self->now)
    {
      go_on_to (self, row->at);
      step (self, row->at);
    }
  piece->latency += row->ends ? self->shares[rank] : -self->shares[rank];
  self->there[rank] += row->ends ? -1 : 1;
}

/* --- rows, all at once -------------------------------------------------------------------------------------------- */

WP_DEFINE_COMPARE_2 (compare_rows, Row, at, piece)

static gboolean
find_rows (Sweep *self, WpProgress *progress, GError **error)
{
  const WpPiece *pieces = self->out->pieces.data;

  for (guint32 i = 0; i < self->out->pieces.len; i++)
    {
      if (i == 0 || pieces[i].start < pieces[i - 1].end)
        wp_array_push (&self->waiting, ((Row) { .at = pieces[i].start, .piece = i }));
      self->waiting.data[self->waiting.len - 1].end = i + 1;
      if (i % STEP == 0 && !wp_progress_step (progress, 1, error))
        return FALSE;
    }
  return wp_sort_many (self->waiting.data, self->waiting.len, sizeof *self->waiting.data, compare_rows, progress, error);
}

/* The first of the heap has changed, or a row has come to its end. */
static void
sift_down (RowArray *heap)
{
  Row row = heap->data[0];
  guint32 at = 0;

  for (guint32 child; (child = 2 * at + 1) < heap->len; at = child)
    {
      child += child + 1 < heap->len && heap->data[child + 1].at < heap->data[child].at;
      if (heap->data[child].at >= row.at)
        break;
      heap->data[at] = heap->data[child];
    }
  heap->data[at] = row;
}

static void
sift_up (RowArray *heap)
{
  guint32 at = heap->len - 1;
  Row row = heap->data[at];

  for (; at > 0 && heap->data[(at - 1) / 2].at > row.at; at = (at - 1) / 2)
    heap->data[at] = heap->data[(at - 1) / 2];
  heap->data[at] = row;
}

/* To what comes next in the first row. */
static void
go_along (Sweep *self)
{
  Row *row = &self->going.data[0];
  const WpPiece *pieces = self->out->pieces.data;

  if (!row->ends)
    row->at = pieces[row->piece].end;
  else if (++row->piece < row->end)
    row->at = pieces[row->piece].start;
  else
    {
      *row = self->going.data[--self->going.len];
      if (self->going.len > 0)
        sift_down (&self->going);
      return;
    }
  row->ends = !row->ends;
  sift_down (&self->going);
}

static void
begin_rows (Sweep *self)
{
  while (self->met < self->waiting.len && (self->going.len == 0 || self->waiting.data[self->met].at <= self->going.data[0].at))
    {
      wp_array_push (&self->going, self->waiting.data[self->met++]);
      sift_up (&self->going);
    }
}

static gboolean
sweep (Sweep *self, WpProgress *progress, GError **error)
{
  guint64 n = 0, all = 2 * (guint64) self->out->pieces.len;

  for (begin_rows (self); self->going.len > 0; begin_rows (self))
    {
      meet (self, &self->going.data[0]);
      go_along (self);
      if (++n % STEP == 0 && !wp_progress_step (progress, (double) n / (double) all, error))
        return FALSE;
    }
  return TRUE;
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

/* Who gets what could not be divided: of the pieces that end last the last one of the last row. */
static gboolean
is_later (const WpPiece *piece, const WpPiece *other)
{
  return piece->end != other->end ? piece->end > other->end : piece->row >= other->row;
}

static gboolean
sum_up (WpExplanation *out, gint64 undivided, WpProgress *progress, GError **error)
{
  out->undivided = undivided;
  for (guint32 i = 0; i < out->pieces.len; i++)
    {
      if (is_later (&out->pieces.data[i], &out->pieces.data[out->undivided_to]))
        out->undivided_to = i;
      out->rows.data[out->pieces.data[i].row].latency += out->pieces.data[i].latency;
      if (i % STEP == 0 && !wp_progress_step (progress, 1, error))
        return FALSE;
    }
  out->pieces.data[out->undivided_to].latency += undivided;
  out->rows.data[out->pieces.data[out->undivided_to].row].latency += undivided;
  for (guint32 i = 0; i < out->rows.len; i++)
    out->latency[out->rows.data[i].category] += out->rows.data[i].latency;
  return TRUE;
}

gboolean
wp_explain_latency (const WpPaths *paths, WpExplanation *out, WpProgress *progress, GError **error)
{
  Sweep self = { .out = out, .now = G_MININT64, .from = MAX (paths->wall_start, out->from), .to = MIN (paths->wall_end, out->to) };
  gboolean going_on;

  if (out->pieces.len == 0)
    return wp_progress_step (progress, 1, error);
  self.ranks = g_new (guint8, out->rows.len);
  for (guint32 i = 0; i < out->rows.len; i++)
    self.ranks[i] = (guint8) rank_of (out->rows.data[i].category);
  going_on = find_rows (&self, progress, error) && sweep (&self, progress, error) && sum_up (out, self.left, progress, error);
  wp_array_clear (&self.waiting);
  wp_array_clear (&self.going);
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
