#include "read/clocks.h"

#include <stdlib.h>

/* So soon after its waking on another CPU a task runs, if that CPU is free. */
#define PROMPT_NS 100000
/* A task may be woken so long before it is switched out: see the assembler. */
#define EARLY_NS 20000
/* No clock is off by more. */
#define REACH_NS 2000000000
/* A step needs so many impossible pairs, most of those meanwhile, and so many more pairs that are prompt with it than without it, at least
 * twice as many. */
#define IMPOSSIBLE_MIN 3
#define PAIRS_MIN 16
/* So many suspects are looked at closely, those with the most impossible pairs. */
#define SUSPECTS_MAX 8
/* Of a pair that is impossible, the waking is one of so many that follow. */
#define LATER_MAX 32

typedef struct
{
  gint64 early; /* when it was woken last while it ran */
  guint8 asleep, woken;
} Task;

typedef WP_ARRAY (Task) TaskArray;

/* One side of an impossible pair: with its lane's clock set right by `gap`, the pair is possible. */
typedef struct
{
  gint64 gap;   /* ns */
  guint64 place;
  guint32 side; /* lane · 2, + 1: it is ahead */
  guint8 later; /* not the first waking that follows */
} Evidence;

typedef WP_ARRAY (Evidence) EvidenceArray;

/* Evidence of one side with nearly the same gap: rows of the sorted evidence. */
typedef struct
{
  guint32 first, n;
} Suspect;

typedef WP_ARRAY (Suspect) SuspectArray;

typedef struct
{
  guint64 place;
  int votes; /* 1: prompt with the clock set right; −1: prompt as it is */
} Vote;

typedef struct
{
  const WpClockEvents *events;
  WpClockEvents wakings; /* by tid, then time */
  WpIdArray first;       /* by tid: its first waking there; one more than there are tids */
  WpIdArray elsewhere;   /* by waking: the task's next one on another lane, or where its wakings end */
  WpIdArray next[3];     /* by tid, while votes are taken: its first waking that is later than the moment asked for last */
  WP_ARRAY (const WpClockEvent *) impossible; /* who was switched in though nobody had woken him */
  EvidenceArray evidence;
  WP_ARRAY (Vote) votes;
  gint64 soonest[2];     /* of the pairs prompt when set right: entering there, entering elsewhere */
} Clocks;

/* --- what is impossible ------------------------------------------------------------------------------------------- */

static Task *
task_of (TaskArray *tasks, WpIdArray *by_tid, gint32 tid)
{
  static const Task fresh = { .early = G_MININT32 };

  if ((guint32) tid >= by_tid->len)
    wp_array_resize (by_tid, tid + 1);
  if (by_tid->data[tid] == 0)
    {
      wp_array_push (tasks, fresh);
      by_tid->data[tid] = tasks->len;
    }
  return &tasks->data[by_tid->data[tid] - 1];
}

static void
find_impossible (Clocks *self)
{
  TaskArray tasks = { 0 };
  WpIdArray by_tid = { 0 };

  for (guint32 i = 0; i < self->events->len; i++)
    {
      const WpClockEvent *event = &self->events->data[i];
      Task *task = task_of (&tasks, &by_tid, event->tid);

      if (event->kind == WP_CLOCK_WAKING && task->asleep)
        task->woken = TRUE;
      else if (event->kind == WP_CLOCK_WAKING)
        task->early = event->time;
      else if (event->kind == WP_CLOCK_ENTER)
        {
          if (task->asleep && !task->woken)
            wp_array_push (&self->impossible, event);
          task->asleep = FALSE;
        }
      else
        {
          task->asleep = event->kind == WP_CLOCK_LEAVE;
          task->woken = event->time - task->early <= EARLY_NS;
        }
    }
  wp_array_clear (&tasks);
  wp_array_clear (&by_tid);
}

/* A counting sort: they are in the order of time already. */
static void
sort_wakings (Clocks *self)
{
  const WpClockEvents *events = self->events;
  guint32 n = 0, tids = 0;

  for (guint32 i = 0; i < events->len; i++)
    tids = MAX (tids, (guint32) events->data[i].tid + 1);
  wp_array_resize (&self->first, tids + 2);
  for (guint32 i = 0; i < events->len; i++)
    if (events->data[i].kind == WP_CLOCK_WAKING)
      self->first.data[events->data[i].tid + 2]++, n++;
  for (guint32 i = 2; i < self->first.len; i++)
    self->first.data[i] += self->first.data[i - 1];
  wp_array_resize (&self->wakings, n);
  for (guint32 i = 0; i < events->len; i++)
    if (events->data[i].kind == WP_CLOCK_WAKING)
      self->wakings.data[self->first.data[events->data[i].tid + 1]++] = events->data[i];
}

static void
find_elsewhere (Clocks *self)
{
  const WpClockEvent *wakings = self->wakings.data;
  guint32 n = self->wakings.len;

  wp_array_resize (&self->elsewhere, n);
  for (guint32 i = n; i-- > 0;)
    self->elsewhere.data[i] = i + 1 < n && wakings[i + 1].tid == wakings[i].tid && wakings[i + 1].lane == wakings[i].lane
                                ? self->elsewhere.data[i + 1] : i + 1;
}

/* How many of the task's wakings come no later. */
static guint32
wakings_until (const Clocks *self, gint32 tid, gint64 time)
{
  guint32 low = self->first.data[tid], high = self->first.data[tid + 1];

  while (low < high)
    {
      guint32 middle = low + (high - low) / 2;

      if (self->wakings.data[middle].time <= time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* What it may have been that woke him; FALSE: nothing on another CPU. */
static gboolean
find_evidence (Clocks *self, const WpClockEvent *enter)
{
  guint32 next = wakings_until (self, enter->tid, enter->time), end = self->first.data[enter->tid + 1];
  guint n = 0;

  while (next < end && n < LATER_MAX)
    {
      const WpClockEvent *waking = &self->wakings.data[next];
      Evidence e = { .gap = waking->time - enter->time, .place = enter->place, .side = enter->lane * 2, .later = n > 0 };

      if (e.gap > REACH_NS)
        break;
      next = waking->lane == enter->lane ? self->elsewhere.data[next] : next + 1;
      if (waking->lane == enter->lane)
        continue;
      wp_array_push (&self->evidence, e);
      e.place = waking->place;
      e.side = waking->lane * 2 + 1;
      wp_array_push (&self->evidence, e);
      n++;
    }
  return n > 0;
}

static int
compare_evidence (const void *a, const void *b)
{
  const Evidence *x = a, *y = b;

  if (x->side != y->side)
    return x->side < y->side ? -1 : 1;
  if (x->gap != y->gap)
    return x->gap < y->gap ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

static int
compare_suspects (const void *a, const void *b)
{
  const Suspect *x = a, *y = b;

  return x->n != y->n ? (x->n > y->n ? -1 : 1) : (x->first > y->first) - (x->first < y->first);
}

/* Of each side the gaps that are most alike. */
static void
find_suspects (Clocks *self, SuspectArray *suspects)
{
  const Evidence *e = self->evidence.data;
  guint32 n = self->evidence.len;
  Suspect best = { 0 };

  if (n > 0)
    qsort (self->evidence.data, n, sizeof *e, compare_evidence);
  for (guint32 first = 0, i = 0; i < n; i++)
    {
      while (e[first].side != e[i].side || e[i].gap - e[first].gap > PROMPT_NS)
        first++;
      if (i + 1 - first > best.n)
        best = (Suspect) { .first = first, .n = i + 1 - first };
      if (i + 1 < n && e[i + 1].side == e[i].side && e[i + 1].gap - e[best.first].gap <= 2 * PROMPT_NS)
        continue;
      if (best.n >= IMPOSSIBLE_MIN)
        wp_array_push (suspects, best);
      best.n = 0;
    }
  if (suspects->len > 0)
    qsort (suspects->data, suspects->len, sizeof *suspects->data, compare_suspects);
  suspects->len = MIN (suspects->len, SUSPECTS_MAX);
}

/* --- what is prompt ----------------------------------------------------------------------------------------------- */

/* The task's last waking up to then, if it is no earlier than what is prompt; or NULL. Each of `next` is asked in the order of time. */
static const WpClockEvent *
prompt_waking (const Clocks *self, const WpIdArray *next, gint32 tid, gint64 time)
{
  WpId *waking = &next->data[tid];
  const WpClockEvent *last;

  while (*waking < self->first.data[tid + 1] && self->wakings.data[*waking].time <= time)
    ++*waking;
  last = *waking > self->first.data[tid] ? &self->wakings.data[*waking - 1] : NULL;
  return last != NULL && time - last->time < PROMPT_NS ? last : NULL;
}

static void
vote (Clocks *self, const WpClockEvent *enter, guint16 lane, gint64 ahead)
{
  gboolean here = enter->lane == lane;
  gint64 then = here ? enter->time - ahead : enter->time + ahead;
  const WpClockEvent *as_is = prompt_waking (self, &self->next[2], enter->tid, enter->time);
  const WpClockEvent *right = prompt_waking (self, &self->next[here], enter->tid, then);

  if (as_is != NULL && (as_is->lane == lane) == here)
    as_is = NULL;
  if (right != NULL && (right->lane == lane) == here)
    right = NULL;
  if ((as_is != NULL) == (right != NULL))
    return;
  if (right != NULL)
    self->soonest[!here] = MIN (self->soonest[!here], then - right->time);
  wp_array_push (&self->votes, ((Vote) { .place = here ? enter->place : (as_is != NULL ? as_is : right)->place,
                                         .votes = as_is != NULL ? -1 : 1 }));
}

static int
compare_votes (const void *a, const void *b)
{
  const Vote *x = a, *y = b;

  return x->place != y->place ? (x->place < y->place ? -1 : 1) : x->votes - y->votes;
}

/* Where the votes for it outweigh those against it most. */
static guint32
count_votes (const Clocks *self, guint32 *first, guint32 *last)
{
  guint32 most = 0, sum = 0, begin = 0;

  for (guint32 i = 0; i < self->votes.len; i++)
    {
      if (sum == 0)
        begin = i;
      if (self->votes.data[i].votes > 0)
        sum++;
      else if (sum > 0)
        sum--;
      if (sum > most)
        {
          most = sum;
          *first = begin;
          *last = i;
        }
    }
  return most;
}

/* Whether most of what is impossible on this side meanwhile becomes possible: what seems to be early is so by the clock's error, less the
 * time from the waking to the switch. */
static gboolean
is_evident (const Clocks *self, const Suspect *suspect, gint64 error, guint64 from, guint64 to)
{
  guint32 side = self->evidence.data[suspect->first].side, possible = 0, all = 0;

  for (guint32 i = 0; i < self->evidence.len; i++)
    {
      const Evidence *e = &self->evidence.data[i];

      if (e->later || e->side != side || e->place < from || e->place > to)
        continue;
      all++;
      possible += e->gap <= error;
    }
  return possible >= IMPOSSIBLE_MIN && 2 * possible > all;
}

/* The pairs in both directions are equally prompt when the clock is right. */
static gint64
correction (const Clocks *self)
{
  return MAX (self->soonest[0], self->soonest[1]) < PROMPT_NS ? (self->soonest[0] - self->soonest[1]) / 2 : 0;
}

static int
sum_votes (const Clocks *self, guint32 first, guint32 n)
{
  int sum = 0;

  for (guint32 i = first; i < first + n; i++)
    sum += self->votes.data[i].votes;
  return sum;
}

/* It lasts to the end unless there is as much to be said against that. */
static void
delimit (const Clocks *self, guint32 first, guint32 last, WpClockStep *step)
{
  const Vote *votes = self->votes.data;
  guint32 n = self->votes.len;

  step->begin = (WpClockMoment) { .after = first > 0 ? votes[first - 1].place : 0, .upto = votes[first].place };
  step->end = (WpClockMoment) { .after = G_MAXUINT64, .upto = G_MAXUINT64 };
  if (sum_votes (self, last + 1, n - last - 1) <= -PAIRS_MIN)
    step->end = (WpClockMoment) { .after = votes[last].place, .upto = votes[last + 1].place };
}

static void
begin_votes (Clocks *self)
{
  self->votes.len = 0;
  self->soonest[0] = self->soonest[1] = PROMPT_NS;
  for (guint i = 0; i < G_N_ELEMENTS (self->next); i++)
    {
      wp_array_resize (&self->next[i], self->first.len);
      memcpy (self->next[i].data, self->first.data, self->first.len * sizeof *self->first.data);
    }
}

/* With that clock so far ahead: whether more pairs are prompt, since when, and how far it really is. */
static gboolean
weigh (Clocks *self, const Suspect *suspect, WpClockStep *step)
{
  guint32 first = 0, last = 0, n;

  begin_votes (self);
  for (guint32 i = 0; i < self->events->len; i++)
    if (self->events->data[i].kind == WP_CLOCK_ENTER)
      vote (self, &self->events->data[i], step->lane, step->ahead);
  if (self->votes.len == 0)
    return FALSE;
  qsort (self->votes.data, self->votes.len, sizeof *self->votes.data, compare_votes);
  step->pairs = count_votes (self, &first, &last);
  n = last - first + 1;
  step->ahead += correction (self);
  delimit (self, first, last, step);
  return step->pairs >= PAIRS_MIN && 3 * step->pairs >= n
         && is_evident (self, suspect, ABS (step->ahead) + EARLY_NS, step->begin.upto, self->votes.data[last].place);
}

static WpClockStep
step_of (const Evidence *widest, gint64 more)
{
  gint64 gap = MAX (widest->gap + more, 0);

  return (WpClockStep) { .lane = widest->side / 2, .ahead = widest->side % 2 ? gap : -gap };
}

/* Whether any of what led to the suspect lies in the step: else its pairs are prompt by chance. */
static gboolean
holds_evidence (const Clocks *self, const Suspect *suspect, const WpClockStep *step)
{
  for (guint32 i = suspect->first; i < suspect->first + suspect->n; i++)
    if (self->evidence.data[i].place >= step->begin.upto && self->evidence.data[i].place <= step->end.after)
      return TRUE;
  return FALSE;
}

/* The widest gap lacks the time that even a prompt task needs, unless it is there by chance. */
static void
try (Clocks *self, const Suspect *suspect, WpClockSteps *steps)
{
  const Evidence *widest = &self->evidence.data[suspect->first + suspect->n - 1];
  WpClockStep best = { 0 }, about = step_of (widest, -PROMPT_NS / 5);

  weigh (self, suspect, &about);
  if (about.pairs < PAIRS_MIN / 2 || !holds_evidence (self, suspect, &about))
    return;

  for (gint64 more = -PROMPT_NS; more <= PROMPT_NS / 2; more += PROMPT_NS / 5)
    {
      WpClockStep step = step_of (widest, more);

      if (weigh (self, suspect, &step) && step.pairs > best.pairs)
        best = step;
    }
  if (best.pairs > 0)
    wp_array_push (steps, best);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static int
compare_steps (const void *a, const void *b)
{
  const WpClockStep *x = a, *y = b;

  return x->pairs != y->pairs ? (x->pairs > y->pairs ? -1 : 1) : (x->lane > y->lane) - (x->lane < y->lane);
}

static void
find_steps (Clocks *self, WpClockSteps *steps)
{
  SuspectArray suspects = { 0 };

  find_suspects (self, &suspects);
  for (guint32 i = 0; i < suspects.len; i++)
    try (self, &suspects.data[i], steps);
  if (steps->len > 0)
    qsort (steps->data, steps->len, sizeof *steps->data, compare_steps);
  while (steps->len > 0 && steps->data[steps->len - 1].pairs * 10 < steps->data[0].pairs * 8)
    steps->len--;
  wp_array_clear (&suspects);
}

guint32
wp_clocks_find (const WpClockEvents *events, WpClockSteps *steps)
{
  Clocks self = { .events = events };
  guint32 n = 0;

  steps->len = 0;
  find_impossible (&self);
  if (self.impossible.len >= IMPOSSIBLE_MIN)
    {
      sort_wakings (&self);
      find_elsewhere (&self);
    }
  for (guint32 i = 0; self.impossible.len >= IMPOSSIBLE_MIN && i < self.impossible.len; i++)
    n += find_evidence (&self, self.impossible.data[i]);
  if (n >= IMPOSSIBLE_MIN)
    find_steps (&self, steps);
  wp_array_clear (&self.impossible);
  wp_array_clear (&self.evidence);
  wp_array_clear (&self.wakings);
  wp_array_clear (&self.first);
  wp_array_clear (&self.elsewhere);
  for (guint i = 0; i < G_N_ELEMENTS (self.next); i++)
    wp_array_clear (&self.next[i]);
  wp_array_clear (&self.votes);
  return n;
}
