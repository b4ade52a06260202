/* The wait chain: a band for each process and device that takes part, lit while the work that is waited for goes on
 * in it, and a line wherever it goes from one to another. */
#include "base/moments.h"
#include "base/pair-map.h"
#include "base/sort.h"
#include "view/bodies.h"
#include "view/layout.h"

#include <glib/gi18n.h>

#define NOT_LIT WP_BOX_KIND_COUNT /* waits for another path: what is lit is there */

/* A process or a device; later all that share a band. */
typedef struct
{
  WpId label;
  gint64 first, ns; /* when it is first lit, and for how long */
  guint32 exec;     /* which of its programs names it */
  guint32 n;        /* how many share it */
  guint32 band;
  gboolean base;    /* of the process of interest */
} Actor;
typedef WP_ARRAY (Actor) ActorArray;

typedef struct
{
  gint64 start, end;
  WpId part, path;
  guint32 band; /* an actor, until there are bands */
  guint8 kind;
} Stretch;

typedef struct
{
  const WpPaths *paths;
  const WpTrace *trace;
  WpRows *rows;
  WpPairMap known; /* number of a process, or 0 and the task of a device → actor + 1 */
  ActorArray actors;
  WpIdArray actor_of; /* by task: actor + 1 */
  WP_ARRAY (Stretch) stretches;
  WpBodies bodies;
} Strip;

/* Of two that go on at once in a band, the one that tells more. */
static const guint8 ranks[WP_BOX_KIND_COUNT] = {
  [WP_BOX_RUN] = 8, [WP_BOX_DISK] = 7, [WP_BOX_NET] = 6, [WP_BOX_QUEUE] = 5, [WP_BOX_RUNNABLE] = 4, [WP_BOX_INTERRUPT] = 3,
  [WP_BOX_SLEEP] = 2, [WP_BOX_OTHER_PATH] = 1,
};

/* The leader of a process has the same number through all its execs. */
static guint32
actor_of_task (Strip *s, WpId task)
{
  WpId leader = wp_trace_leader (s->trace, task);
  gint32 tid = s->trace->tasks.data[leader].tid;
  guint32 *known;

  if (s->actor_of.data[task] != 0)
    return s->actor_of.data[task] - 1;
  known = wp_pair_map_at (&s->known, (guint32) tid, tid != 0 ? 0 : leader);
  if (*known == 0)
    {
      wp_array_push (&s->actors, ((Actor) { .first = G_MAXINT64, .n = 1 }));
      *known = s->actors.len;
    }
  s->actor_of.data[task] = *known;
  return *known - 1;
}

/* As the flame view draws it. */
static guint8
kind_of_piece (const WpOp *op, WpCategory category)
{
  static const guint8 kinds[WP_OP_KIND_COUNT] = { [WP_OP_RUN] = WP_BOX_RUN, [WP_OP_SLEEP] = WP_BOX_SLEEP, [WP_OP_DISK] = WP_BOX_DISK,
                                                  [WP_OP_DISK_QUEUE] = WP_BOX_QUEUE, [WP_OP_NET] = WP_BOX_NET };

  if (op->flags & WP_OP_LOST)
    return WP_BOX_UNKNOWN;
  if (op->kind == WP_OP_SLEEP)
    return category == WP_CATEGORY_SCHEDULER || category == WP_CATEGORY_INVOLUNTARY ? WP_BOX_RUNNABLE
           : category == WP_CATEGORY_HARDWARE ? WP_BOX_INTERRUPT : category == WP_CATEGORY_OTHER_PATH ? WP_BOX_OTHER_PATH : WP_BOX_SLEEP;
  return kinds[op->kind];
}

static void
add_piece (Strip *s, const WpPiece *piece, WpCategory category)
{
  const WpPart *part = &s->paths->parts.data[piece->part];
  const WpOp *op = &s->trace->ops.data[part->op];
  Stretch stretch = { piece->start, piece->end, piece->part, part->path, actor_of_task (s, op->task), kind_of_piece (op, category) };

  if (stretch.kind == WP_BOX_OTHER_PATH && part->waits_path != 0)
    {
      stretch.kind = NOT_LIT;
      stretch.band = actor_of_task (s, s->paths->paths.data[part->waits_path].task);
    }
  wp_array_push (&s->stretches, stretch);
}

/* A process has the name of its last program: before that it was a copy of whoever forked it. */
static void
name_actors (Strip *s)
{
  for (guint32 i = 0; i < s->stretches.len; i++)
    {
      const Stretch *stretch = &s->stretches.data[i];
      Actor *actor = &s->actors.data[stretch->band];

      if (stretch->kind == NOT_LIT)
        continue;
      actor->ns += stretch->end - stretch->start;
      actor->first = MIN (actor->first, stretch->start);
    }
  for (WpId t = 1; t < s->trace->tasks.len; t++)
    {
      Actor *actor = s->actor_of.data[t] != 0 ? &s->actors.data[s->actor_of.data[t] - 1] : NULL;
      WpId leader = wp_trace_leader (s->trace, t);

      if (actor == NULL || (actor->label != 0 && s->trace->tasks.data[leader].exec <= actor->exec))
        continue;
      actor->exec = s->trace->tasks.data[leader].exec;
      actor->label = wp_strings_intern (s->rows->strings, wp_trace_task_name (s->trace, leader));
    }
  for (guint32 i = 0; i < s->paths->base_tasks.len; i++)
    if (s->actor_of.data[s->paths->base_tasks.data[i]] != 0)
      s->actors.data[s->actor_of.data[s->paths->base_tasks.data[i]] - 1].base = TRUE;
}

/* --- bands -------------------------------------------------------------------------------------------------------- */

static void
join (Actor *band, const Actor *other)
{
  band->n += other->n;
  band->ns += other->ns;
  band->first = MIN (band->first, other->first);
  band->base |= other->base;
}

/* Those of one name. */
static void
join_names (Strip *s, ActorArray *bands)
{
  WpPairMap named = { 0 };

  for (guint32 i = 0; i < s->actors.len; i++)
    {
      guint32 *band = wp_pair_map_at (&named, s->actors.data[i].label, 0);

      if (*band == 0)
        {
          wp_array_push (bands, s->actors.data[i]);
          *band = bands->len;
        }
      else
        join (&bands->data[*band - 1], &s->actors.data[i]);
      s->actors.data[i].band = *band - 1;
    }
  wp_pair_map_clear (&named);
}

/* The process of interest first, then the longest. */
static int
compare_weights (const void *a, const void *b)
{
  const Actor *x = a, *y = b;

  return x->base != y->base ? y->base - x->base : x->ns != y->ns ? WP_COMPARE (y->ns, x->ns) : WP_COMPARE (x->first, y->first);
}

WP_DEFINE_COMPARE_2 (compare_first, Actor, first, band)

static WpId
band_label (Strip *s, const Actor *band)
{
  g_autofree char *text = NULL;

  if (band->n == 1)
    return band->label;
  text = g_strdup_printf ("%s × %u", wp_rows_string (s->rows, band->label), band->n);
  return wp_strings_intern (s->rows->strings, text);
}

/* The first of `bands` by weight stay, the others share the last. Says of each which row it becomes. */
static void
choose_bands (Strip *s, ActorArray *bands, guint32 *rows)
{
  guint32 kept = bands->len > WP_LAYOUT_STRIP_BANDS ? WP_LAYOUT_STRIP_BANDS - 1 : bands->len;
  g_autofree char *rest = NULL;
  guint32 n = 0;

  for (guint32 i = 0; i < bands->len; i++)
    bands->data[i].band = i;
  wp_array_sort (bands, compare_weights);
  for (guint32 i = kept; i < bands->len; i++)
    {
      rows[bands->data[i].band] = kept;
      n += bands->data[i].n;
    }
  rest = g_strdup_printf (ngettext ("%u more", "%u more", n), n);
  if (kept > 1)
    qsort (bands->data, kept, sizeof *bands->data, compare_first);
  wp_array_resize (&s->rows->rows, kept + (n > 0));
  for (guint32 i = 0; i < kept; i++)
    {
      rows[bands->data[i].band] = i;
      s->rows->rows.data[i].label = band_label (s, &bands->data[i]);
    }
  if (n > 0)
    s->rows->rows.data[kept].label = wp_strings_intern (s->rows->strings, rest);
  for (guint32 i = 0; i < s->rows->rows.len; i++)
    s->rows->rows.data[i].group = 1;
}

static void
make_bands (Strip *s)
{
  ActorArray bands = { 0 };
  g_autofree guint32 *rows = g_new0 (guint32, MAX (s->actors.len, 1));

  name_actors (s);
  if (s->actors.len > WP_LAYOUT_STRIP_BANDS)
    join_names (s, &bands);
  else
    for (guint32 i = 0; i < s->actors.len; i++)
      {
        wp_array_push (&bands, s->actors.data[i]);
        s->actors.data[i].band = i;
      }
  choose_bands (s, &bands, rows);
  for (guint32 i = 0; i < s->stretches.len; i++)
    s->stretches.data[i].band = rows[s->actors.data[s->stretches.data[i].band].band];
  wp_array_clear (&bands);
}

/* --- what is lit -------------------------------------------------------------------------------------------------- */

typedef struct
{
  gint64 end[WP_BOX_KIND_COUNT]; /* of each kind what lasts longest of what has begun */
  WpId part[WP_BOX_KIND_COUNT];
  gint64 now;
} Lit;

static void
light (Strip *s, WpRow *row, const Lit *lit, guint kind, gint64 end)
{
  WpRows *rows = s->rows;
  WpBox *last = row->n > 0 ? &rows->boxes.data[rows->boxes.len - 1] : NULL;

  if (last != NULL && last->end == lit->now && last->kind == kind && last->ref == lit->part[kind])
    last->end = end;
  else
    {
      guint8 body = wp_bodies_of_task (&s->bodies, s->trace->ops.data[s->paths->parts.data[lit->part[kind]].op].task);

      wp_array_push (&rows->boxes, ((WpBox) { .start = lit->now, .end = end, .ref = lit->part[kind], .ref_kind = WP_REF_PART,
                                              .kind = (guint8) kind, .body = body, .pale = kind != WP_BOX_RUN }));
      row->n++;
    }
}

static void
advance (Strip *s, WpRow *row, Lit *lit, gint64 to)
{
  while (lit->now < to)
    {
      guint best = WP_BOX_KIND_COUNT;
      gint64 end = to;

      for (guint k = 0; k < WP_BOX_KIND_COUNT; k++)
        if (lit->end[k] > lit->now && (best == WP_BOX_KIND_COUNT || ranks[k] > ranks[best]))
          best = k;
      if (best != WP_BOX_KIND_COUNT)
        {
          end = MIN (end, lit->end[best]);
          light (s, row, lit, best, end);
        }
      lit->now = end;
    }
}

/* By band or by path, `n` of them, then start. */
static void
sort_stretches (Strip *s, gboolean by_path, guint32 n)
{
  g_auto (WpMomentGroups) groups = { 0 };
  Stretch *from = s->stretches.data, *to = g_new (Stretch, MAX (s->stretches.len, 1));
  WpMoments starts = { 0 };

  wp_array_reserve (&starts, s->stretches.len);
  for (guint32 i = 0; i < s->stretches.len; i++)
    wp_array_push (&starts, ((WpMoment) { .at = from[i].start, .id = i, .what = by_path ? from[i].path : from[i].band }));
  wp_moments_group (&starts, n, &groups, NULL, NULL);
  for (guint32 i = 0; i < groups.ids.len; i++)
    to[i] = from[groups.ids.data[i]];
  g_free (from);
  s->stretches.data = to;
  s->stretches.cap = MAX (s->stretches.len, 1);
  wp_array_clear (&starts);
}

static void
light_bands (Strip *s)
{
  guint32 i = 0;

  sort_stretches (s, FALSE, s->rows->rows.len);
  for (guint32 band = 0; band < s->rows->rows.len; band++)
    {
      WpRow *row = &s->rows->rows.data[band];
      gint64 last = G_MININT64;
      Lit lit = { .now = i < s->stretches.len ? s->stretches.data[i].start : 0 };

      for (guint k = 0; k < WP_BOX_KIND_COUNT; k++)
        lit.end[k] = G_MININT64;
      row->first = s->rows->boxes.len;
      for (; i < s->stretches.len && s->stretches.data[i].band == band; i++)
        {
          const Stretch *stretch = &s->stretches.data[i];

          if (stretch->kind == NOT_LIT)
            continue;
          advance (s, row, &lit, stretch->start);
          if (stretch->end > lit.end[stretch->kind])
            {
              lit.end[stretch->kind] = stretch->end;
              lit.part[stretch->kind] = stretch->part;
            }
          last = MAX (last, stretch->end);
        }
      advance (s, row, &lit, last);
    }
}

/* --- from one band to another ------------------------------------------------------------------------------------- */

static void
add_handovers (Strip *s)
{
  sort_stretches (s, TRUE, s->paths->paths.len);
  for (guint32 i = 1; i < s->stretches.len; i++)
    {
      const Stretch *from = &s->stretches.data[i - 1], *to = &s->stretches.data[i];

      if (from->path == to->path && from->band != to->band)
        wp_array_push (&s->rows->lines, ((WpLine) { .start = to->start, .end = to->start, .from_row = from->band, .to_row = to->band }));
    }
}

WpRows *
wp_layout_strip (const WpPaths *paths, const WpExplanation *explanation)
{
  Strip s = { .paths = paths, .trace = paths->trace, .rows = wp_rows_new () };

  wp_array_resize (&s.actor_of, paths->trace->tasks.len);
  for (guint32 i = 0; i < explanation->pieces.len; i++)
    if (explanation->pieces.data[i].start < explanation->pieces.data[i].end)
      add_piece (&s, &explanation->pieces.data[i], explanation->rows.data[explanation->pieces.data[i].row].category);
  wp_bodies_of_paths (&s.bodies, paths);
  make_bands (&s);
  light_bands (&s);
  add_handovers (&s);
  s.rows->shaded = s.rows->of_recording = TRUE;
  wp_rows_finish (s.rows);
  wp_pair_map_clear (&s.known);
  wp_bodies_clear (&s.bodies);
  wp_array_clear (&s.actors);
  wp_array_clear (&s.actor_of);
  wp_array_clear (&s.stretches);
  return s.rows;
}
