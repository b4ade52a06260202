/* Helpers of a wait; see meanwhile.h. First what stands on the sleeps, then, path by path, what goes on where they wait for another one. */
#include "paths/meanwhile.h"

#include "base/moments.h"
#include "base/sort.h"
#include "stacks/sums.h"

#define STEP 8192 /* rows from one look at the progress to the next */
#define LEVELS 8  /* from path to path: two may wait for each other */

/* Waits of one set for one path: so many of them at once. */
typedef struct
{
  gint64 start, end;
  guint32 set, times;
  WpId path;
} Stretch;
typedef WP_ARRAY (Stretch) StretchArray;

/* What happens to a stretch at a moment: WpMoment.what. */
enum
{
  BEGINS,
  ENDS,
};

typedef struct
{
  const WpMeanwhile *in;
  const WpTrace *trace;
  WpHelperArray *helpers;
  WpPairMap actors;        /* who, words → number */
  WpPairMap places;        /* set, actor → row of its helpers + 1 */
  StretchArray to_follow;
  WpMoments edges;         /* of the stretches at hand, by their numbers */
  WpMoments starts;        /* of pieces */
  guint32 *by_path;        /* pieces by path, then time; NULL: not needed so far */
  guint32 *first_of_path;  /* path → where its pieces begin there; one more behind the last */
  guint level;
} Finder;

static const WpPart *
part_of (const Finder *self, const WpPiece *piece)
{
  return &self->in->paths->parts.data[piece->part];
}

static WpCategory
category_of (const Finder *self, const WpPiece *piece)
{
  return self->in->explanation->rows.data[piece->row].category;
}

static WpId
words_of (Finder *self, const WpPiece *piece)
{
  WpCategory category = category_of (self, piece);
  WpId op = part_of (self, piece)->op;

  if (self->trace->ops.data[op].kind == WP_OP_RUN)
    return 0;
  if (category == WP_CATEGORY_SCHEDULER || category == WP_CATEGORY_INVOLUNTARY)
    return wp_wait_words_for_cpu (self->in->words);
  return wp_wait_words_of (self->in->words, op);
}

void
wp_helper_add (WpHelper *self, WpId op, gint64 ns, guint32 times)
{
  gint64 all;

  if (__builtin_mul_overflow (ns, times, &all)) /* whatever a file says */
    all = G_MAXINT64;
  self->ns = wp_sum_capped (self->ns, all);
  if (ns > self->longest)
    {
      self->longest = ns;
      self->op = op;
    }
}

static int
compare_helpers (const void *a, const void *b)
{
  const WpHelper *x = a, *y = b;

  if (x->ns != y->ns)
    return x->ns > y->ns ? -1 : 1;
  return x->who != y->who ? WP_COMPARE (x->who, y->who) : WP_COMPARE (x->words, y->words);
}

void
wp_helpers_sort (WpHelperArray *self)
{
  wp_array_sort (self, compare_helpers);
}

/* --- who --------------------------------------------------------------------------------------------------------------- */

static void
count (Finder *self, guint32 set, const WpPiece *piece, gint64 ns, guint32 times)
{
  WpId who = wp_paths_task_name (self->in->paths, self->trace->ops.data[part_of (self, piece)->op].task), words = words_of (self, piece);
  guint32 *actor = wp_pair_map_at (&self->actors, who, words), *place;
  WpHelperArray *helpers = &self->helpers[set - 1];

  if (*actor == 0)
    *actor = self->actors.n;
  place = wp_pair_map_at (&self->places, set, *actor);
  if (*place == 0)
    {
      wp_array_push (helpers, ((WpHelper) { .who = who, .words = words }));
      *place = helpers->len;
    }
  wp_helper_add (&helpers->data[*place - 1], part_of (self, piece)->op, ns, times);
}

/* Whether it waits for another path that can be followed: then who works is to be found there. */
static gboolean
leads_on (Finder *self, guint32 set, const WpPiece *piece, gint64 start, gint64 end, guint32 times)
{
  const WpPart *part = part_of (self, piece);

  if (category_of (self, piece) != WP_CATEGORY_OTHER_PATH || part->waits_path == 0 || part->waits_path == part->path || self->level == LEVELS)
    return FALSE;
  wp_array_push (&self->to_follow, ((Stretch) { .start = start, .end = end, .set = set, .times = times, .path = part->waits_path }));
  return TRUE;
}

/* What of it lies in the blocked part of the sleep that it stands on: when that is ready, it waits for a CPU, whoever works. */
static void
take_piece (Finder *self, const WpPiece *piece)
{
  WpId root = self->in->roots[piece->part];
  const WpPart *sleep = &self->in->paths->parts.data[root];
  guint32 set = self->in->set_of_part[root];
  gint64 start, end;

  if (set == 0)
    return;
  start = MAX (piece->start, sleep->start);
  end = MIN (piece->end, MIN (wp_paths_woken (self->in->paths, sleep->op), sleep->end));
  if (start < end && !leads_on (self, set, piece, start, end, 1) && root != piece->part)
    count (self, set, piece, end - start, 1);
}

/* --- on other paths ------------------------------------------------------------------------------------------------------ */

static int
compare_pieces (const void *a, const void *b, void *data)
{
  const WpPiece *pieces = data, *x = &pieces[*(const guint32 *) a], *y = &pieces[*(const guint32 *) b];

  return x->start != y->start ? WP_COMPARE (x->start, y->start) : WP_COMPARE (x->end, y->end);
}

/* Those that begin at once are few. */
static void
sort_ends (const WpPiece *pieces, guint32 *ids, guint32 n)
{
  for (guint32 first = 0, end; first < n; first = end)
    {
      for (end = first + 1; end < n && pieces[ids[end]].start == pieces[ids[first]].start;)
        end++;
      if (end - first > 1)
        g_qsort_with_data (&ids[first], (int) (end - first), sizeof *ids, compare_pieces, (gpointer) pieces);
    }
}

/* Pieces of one path, by start, then end. */
static gboolean
sort_pieces (Finder *self, guint32 *ids, guint32 n, WpProgress *progress, GError **error)
{
  const WpPiece *pieces = self->in->explanation->pieces.data;

  self->starts.len = 0;
  wp_array_reserve (&self->starts, n);
  for (guint32 i = 0; i < n; i++)
    wp_array_push (&self->starts, ((WpMoment) { .at = pieces[ids[i]].start, .id = ids[i] }));
  if (!wp_moments_sort (&self->starts, progress, error))
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    ids[i] = self->starts.data[i].id;
  sort_ends (pieces, ids, n);
  return TRUE;
}

static gboolean
sort_by_path (Finder *self, WpProgress *progress, GError **error)
{
  const WpExplanation *e = self->in->explanation;
  guint32 n_paths = self->in->paths->paths.len;
  g_autofree guint32 *next = NULL;

  self->first_of_path = g_new0 (guint32, n_paths + 1);
  self->by_path = g_new (guint32, MAX (e->pieces.len, 1));
  for (guint32 i = 0; i < e->pieces.len; i++)
    self->first_of_path[part_of (self, &e->pieces.data[i])->path + 1]++;
  for (guint32 path = 0; path < n_paths; path++)
    self->first_of_path[path + 1] += self->first_of_path[path];
  next = g_memdup2 (self->first_of_path, (n_paths + 1) * sizeof *next);
  for (guint32 i = 0; i < e->pieces.len; i++)
    self->by_path[next[part_of (self, &e->pieces.data[i])->path]++] = i;
  for (guint32 path = 1; path < n_paths; path++)
    if (!sort_pieces (self, &self->by_path[self->first_of_path[path]], self->first_of_path[path + 1] - self->first_of_path[path], progress, error))
      return FALSE;
  return TRUE;
}

/* What goes on there from one edge to the next. `at`: where to look first; returns that for the next edge. */
static guint32
take_between (Finder *self, const Stretch *of, guint32 at, gint64 start, gint64 end, guint32 times)
{
  const WpPiece *pieces = self->in->explanation->pieces.data;
  guint32 last = self->first_of_path[of->path + 1];

  while (at < last && pieces[self->by_path[at]].end <= start)
    at++;
  for (guint32 i = at; i < last && pieces[self->by_path[i]].start < end; i++)
    {
      const WpPiece *piece = &pieces[self->by_path[i]];
      gint64 from = MAX (piece->start, start), to = MIN (piece->end, end);

      if (from < to && !leads_on (self, of->set, piece, from, to, times))
        count (self, of->set, piece, to - from, times);
    }
  return at;
}

/* All waits of one set for one path. */
static gboolean
follow (Finder *self, const Stretch *stretches, guint32 n, WpProgress *progress, GError **error)
{
  guint32 at = self->first_of_path[stretches->path];
  gint64 times = 0;

  self->edges.len = 0;
  for (guint32 i = 0; i < n; i++)
    {
      wp_array_push (&self->edges, ((WpMoment) { stretches[i].start, i, BEGINS }));
      wp_array_push (&self->edges, ((WpMoment) { stretches[i].end, i, ENDS }));
    }
  if (!wp_moments_sort (&self->edges, progress, error))
    return FALSE;
  for (guint32 i = 0; i + 1 < self->edges.len; i++)
    {
      const WpMoment *edge = &self->edges.data[i];

      times += edge->what == BEGINS ? (gint64) stretches[edge->id].times : -(gint64) stretches[edge->id].times;
      if (times > 0 && edge->at < edge[1].at)
        at = take_between (self, stretches, at, edge->at, edge[1].at, (guint32) times);
      if (i % STEP == 0 && !wp_progress_step (progress, 0, error))
        return FALSE;
    }
  return TRUE;
}

WP_DEFINE_COMPARE_2 (compare_stretches, Stretch, set, path)

/* By set, then path. Where that are not more than stretches they are counted, not compared. */
static gboolean
sort_stretches (const Finder *self, StretchArray *stretches, WpProgress *progress, GError **error)
{
  guint64 n_paths = self->in->paths->paths.len, n_places = n_paths * (self->in->n_sets + 1);
  g_autofree guint32 *next = NULL;
  Stretch *sorted;
  guint32 sum = 0;

  if (n_places > stretches->len)
    return wp_sort_many (stretches->data, stretches->len, sizeof *stretches->data, compare_stretches, progress, error);
  next = g_new0 (guint32, n_places);
  sorted = g_new (Stretch, stretches->len);
  for (guint32 i = 0; i < stretches->len; i++)
    next[stretches->data[i].set * n_paths + stretches->data[i].path]++;
  for (guint64 place = 0; place < n_places; place++)
    {
      guint32 n = next[place];

      next[place] = sum;
      sum += n;
    }
  for (guint32 i = 0; i < stretches->len; i++)
    sorted[next[stretches->data[i].set * n_paths + stretches->data[i].path]++] = stretches->data[i];
  g_free (stretches->data);
  stretches->data = sorted;
  stretches->cap = stretches->len;
  return wp_progress_step (progress, 0, error);
}

/* FALSE when cancelled. */
static gboolean
follow_all (Finder *self, WpProgress *progress, GError **error)
{
  StretchArray now = { 0 };
  gboolean going = TRUE;

  if (self->to_follow.len > 0)
    going = sort_by_path (self, progress, error);
  for (self->level = 1; self->to_follow.len > 0 && going; self->level++)
    {
      StretchArray swap = now;

      now = self->to_follow;
      self->to_follow = swap;
      self->to_follow.len = 0;
      going = sort_stretches (self, &now, progress, error);
      for (guint32 i = 0, end; i < now.len && going; i = end)
        {
          for (end = i; end < now.len && compare_stretches (&now.data[i], &now.data[end]) == 0;)
            end++;
          going = follow (self, &now.data[i], end - i, progress, error) && wp_progress_step (progress, (double) end / now.len, error);
        }
    }
  wp_array_clear (&now);
  return going;
}

/* --- all of it ----------------------------------------------------------------------------------------------------------- */

gboolean
wp_meanwhile_find (const WpMeanwhile *in, WpHelperArray *helpers, WpProgress *progress, GError **error)
{
  Finder self = { .in = in, .trace = in->paths->trace, .helpers = helpers };
  guint32 n = in->explanation->pieces.len;
  gboolean going = TRUE;

  wp_progress_phase (progress, "Finding who worked meanwhile");
  for (guint32 i = 0; i < n && going; i++)
    {
      take_piece (&self, &in->explanation->pieces.data[i]);
      if (i % STEP == 0)
        going = wp_progress_step (progress, (double) i / n, error);
    }
  going = going && follow_all (&self, progress, error);
  for (guint set = 0; set < in->n_sets; set++)
    wp_helpers_sort (&helpers[set]);
  wp_pair_map_clear (&self.actors);
  wp_pair_map_clear (&self.places);
  wp_array_clear (&self.to_follow);
  wp_array_clear (&self.edges);
  wp_array_clear (&self.starts);
  g_free (self.by_path);
  g_free (self.first_of_path);
  return going;
}
