/* Sentences and the longest waits; see answer.h. */
#include "paths/answer.h"

#include "base/format.h"
#include "base/sort.h"
#include "paths/rivals.h"

#include <glib/gi18n.h>

#define STEP 8192        /* rows from one look at the progress to the next */
#define SENTENCES 4      /* about the process, behind the first one; one more where that says all */
#define OPEN_SENTENCES 2 /* of these, about what had not ended with the recording: a hundred idle threads say nothing of the one that works */
#define SAID_SHARE 0.05  /* of all that had ended with the recording; of what had not, of the wall time: less is not worth a sentence */
#define HELPER_SHARE 0.1 /* of the wait */

typedef struct
{
  const WpPaths *paths;
  const WpTrace *trace;
  const WpExplanation *explanation;
  WpAnswer *out;
  WpPairMap waits;   /* who, words → wait + 1 */
  WpPairMap groups;  /* words, 1 → group; 0: not there */
  WpId *roots;            /* part → the sleep of a base path that it stands on, or that itself; 0: of no base path, or on a run */
  guint32 *group_of_part; /* of such a sleep: group + 1 */
  guint32 *said;          /* groups with a sentence of their own, most first */
  guint n_said;
  guint32 *unsaid;        /* the others that took time, most first */
  guint n_unsaid;
  guint32 *clause_of_group; /* the sentence that it is in; 0: none */
  guint32 cpu_clause, unknown_clause;
  gint64 total;           /* of all groups that had ended with the recording */
  WpHelperArray *helpers; /* of each that is said */
  gint64 *by_function;    /* of the trace: what the process ran in it, innermost function of its program */
  gint64 unsampled;
  WpSliceArray slices;
} Maker;

static gint64
within (const Maker *self, gint64 start, gint64 end)
{
  return MAX (MIN (end, self->explanation->to) - MAX (start, self->explanation->from), 0);
}

/* --- waits -------------------------------------------------------------------------------------------------------- */

static void
add_wait (Maker *self, WpId part, WpId words, gint64 ns)
{
  WpId who = wp_paths_task_name (self->paths, self->trace->ops.data[self->paths->parts.data[part].op].task);
  guint32 *place = wp_pair_map_at (&self->waits, who, words);
  WpWait *wait;

  if (*place == 0)
    {
      wp_array_push (&self->out->waits, ((WpWait) { .who = who, .words = words }));
      *place = self->out->waits.len;
    }
  wait = &self->out->waits.data[*place - 1];
  wait->ns += ns;
  wait->count++;
  if (ns > wait->longest)
    {
      wait->longest = ns;
      wait->part = part;
    }
}

static guint32
find_group (Maker *self, WpId words)
{
  guint32 *group = wp_pair_map_at (&self->groups, words, 1);

  if (*group == 0)
    {
      wp_array_push (&self->out->spent, ((WpSpent) { .words = words }));
      *group = self->out->spent.len - 1;
    }
  return *group;
}

static void
add_to_group (Maker *self, guint32 group, WpId part, gint64 ns)
{
  WpSpent *g = &self->out->spent.data[group];

  g->ns += ns;
  if (ns > g->longest)
    {
      g->longest = ns;
      g->part = part;
    }
}

static gboolean
is_base_root (const Maker *self, WpId part)
{
  const WpPart *p = &self->paths->parts.data[part];

  return p->parent == 0 && self->paths->paths.data[p->path].base;
}

/* The disk that a sleep waited for, or 0. */
static WpId
device_of (const Maker *self, WpId sleep)
{
  WpId by = self->trace->ops.data[sleep].explained_by, task = self->trace->ops.data[by].task;

  return by != 0 && self->trace->tasks.data[task].kind == WP_TASK_DISK ? task : 0;
}

/* A wait that is told without its disk may have been for several: then it is for none of them. */
static guint32
group_of_sleep (Maker *self, WpId sleep, WpId words)
{
  guint32 n = self->out->spent.len, group = find_group (self, words);
  WpSpent *g = &self->out->spent.data[group];
  WpId device = device_of (self, sleep);

  g->open = wp_unfinished (&self->trace->ops.data[sleep]);
  g->device = group == n || g->device == device ? device : 0;
  return group;
}

static void
take_sleep (Maker *self, WpId part)
{
  const WpPart *p = &self->paths->parts.data[part];
  gint64 woken = CLAMP (wp_paths_woken (self->paths, p->op), p->start, p->end);
  gint64 blocked = within (self, p->start, woken), ready = within (self, woken, p->end);
  WpId words = wp_wait_words_of (&self->out->words, p->op), cpu = wp_wait_words_for_cpu (&self->out->words);
  gboolean base = is_base_root (self, part), certain = !(self->trace->ops.data[p->op].flags & WP_OP_LOST);

  if (blocked > 0 && certain)
    add_wait (self, part, words, blocked);
  if (ready > 0 && certain)
    add_wait (self, part, cpu, ready);
  if (!base)
    return;
  self->group_of_part[part] = group_of_sleep (self, p->op, words) + 1;
  self->roots[part] = part;
  if (blocked > 0)
    add_to_group (self, self->group_of_part[part] - 1, part, blocked);
  if (ready > 0)
    add_to_group (self, find_group (self, cpu), part, ready);
}

/* --- what the process runs ---------------------------------------------------------------------------------------- */

/* The innermost function that is not the kernel's. */
static WpId
own_function (const WpTrace *trace, WpId stack)
{
  WpId own = wp_trace_user_stack (trace, stack);

  return own != 0 ? trace->frames.data[trace->stacks.data[own].frame].function : 0;
}

static void
take_run (Maker *self, WpId part)
{
  const WpPart *p = &self->paths->parts.data[part];

  if (within (self, p->start, p->end) > 0)
    add_to_group (self, 0, part, within (self, p->start, p->end));
  wp_part_slices (self->paths, part, &self->slices);
  for (guint32 i = 0; i < self->slices.len; i++)
    {
      const WpSlice *slice = &self->slices.data[i];
      gint64 ns = within (self, slice->start, slice->end);

      if (slice->stack != 0)
        self->by_function[own_function (self->trace, slice->stack)] += ns;
      else
        self->unsampled += ns;
    }
}

static void
take_part (Maker *self, WpId part)
{
  const WpPart *p = &self->paths->parts.data[part];
  const WpOp *op = &self->trace->ops.data[p->op];

  self->roots[part] = self->roots[p->parent];
  if (op->kind == WP_OP_SLEEP)
    take_sleep (self, part);
  else if (op->kind == WP_OP_RUN && is_base_root (self, part))
    take_run (self, part);
}

/* --- what nobody knows --------------------------------------------------------------------------------------------- */

/* Where events were lost, a sleep of the process may have been anything: that is not what it was counted as. */
static void
take_unknown (Maker *self, const WpPiece *piece)
{
  const WpPart *p = &self->paths->parts.data[piece->part];
  gint64 woken = CLAMP (wp_paths_woken (self->paths, p->op), p->start, p->end);
  gint64 blocked = MAX (MIN (piece->end, woken) - piece->start, 0);

  self->out->spent.data[self->group_of_part[piece->part] - 1].ns -= blocked;
  if (piece->end - piece->start > blocked)
    self->out->spent.data[find_group (self, wp_wait_words_for_cpu (&self->out->words))].ns -= piece->end - piece->start - blocked;
  self->out->unknown += piece->end - piece->start;
}

static gboolean
is_unknown (const Maker *self, const WpPiece *piece)
{
  const WpOp *op = &self->trace->ops.data[self->paths->parts.data[piece->part].op];

  return self->roots[piece->part] == piece->part && (op->flags & WP_OP_LOST)
         && self->explanation->rows.data[piece->row].category == WP_CATEGORY_UNACCOUNTED;
}

/* --- which of it is said -------------------------------------------------------------------------------------------- */

static int
compare_groups (const void *a, const void *b, void *data)
{
  const WpSpent *groups = data, *x = &groups[*(const guint32 *) a], *y = &groups[*(const guint32 *) b];

  if (x->ns != y->ns)
    return x->ns > y->ns ? -1 : 1;
  return x->words < y->words ? -1 : x->words > y->words;
}

static void
choose (Maker *self)
{
  guint32 n = self->out->spent.len;
  guint left[2] = { SENTENCES, OPEN_SENTENCES }; /* by whether it had not ended */
  g_autofree guint32 *order = g_new (guint32, n);
  gint64 total[2] = { 0, self->explanation->wall };

  for (guint32 i = 0; i < n; i++)
    {
      order[i] = i;
      total[FALSE] += self->out->spent.data[i].open ? 0 : self->out->spent.data[i].ns;
    }
  g_qsort_with_data (order, n, sizeof *order, compare_groups, self->out->spent.data);
  self->total = total[FALSE];
  self->clause_of_group = g_new0 (guint32, n);
  self->said = g_new (guint32, n);
  self->unsaid = g_new (guint32, n);
  for (guint32 i = 0; i < n; i++)
    {
      const WpSpent *group = &self->out->spent.data[order[i]];

      if (group->ns == 0)
        continue;
      if (self->n_said < SENTENCES && left[group->open] > 0 && (double) group->ns >= (double) total[group->open] * SAID_SHARE)
        {
          left[group->open]--;
          self->said[self->n_said++] = order[i];
        }
      else
        self->unsaid[self->n_unsaid++] = order[i];
    }
  if (self->n_unsaid == 1) /* "one more thing" would be no shorter */
    self->said[self->n_said++] = self->unsaid[--self->n_unsaid];
}

/* FALSE when cancelled. */
static gboolean
find_helpers (Maker *self, WpProgress *progress, GError **error)
{
  guint32 n = self->paths->parts.len;
  g_autofree guint32 *sets = g_new0 (guint32, n), *set_of_group = g_new0 (guint32, self->out->spent.len);
  WpMeanwhile asked = { .paths = self->paths, .explanation = self->explanation, .words = &self->out->words, .roots = self->roots,
                        .set_of_part = sets, .n_sets = self->n_said };

  for (guint i = 0; i < self->n_said; i++)
    set_of_group[self->said[i]] = i + 1;
  for (WpId part = 1; part < n; part++)
    if (self->roots[part] == part)
      sets[part] = set_of_group[self->group_of_part[part] - 1];
  self->helpers = g_new0 (WpHelperArray, self->n_said);
  if (!wp_meanwhile_find (&asked, self->helpers, progress, error))
    return FALSE;
  for (guint i = 0; i < self->n_said; i++)
    if (self->out->spent.data[self->said[i]].words == wp_wait_words_for_cpu (&self->out->words))
      return wp_rivals_find (self->paths, self->explanation, self->roots, &self->helpers[i], progress, error);
  return TRUE;
}

/* --- sentences ---------------------------------------------------------------------------------------------------- */

/* "; meanwhile NAME runs for 112 ms, NAME reads … for 31 ms" */
static void
append_helpers (Maker *self, const WpHelperArray *helpers, gboolean rivals, WpClause *clause, GString *text)
{
  for (guint32 i = 0; i < MIN (helpers->len, WP_MENTIONS_MAX); i++)
    {
      const WpHelper *helper = &helpers->data[i];
      const char *who = wp_trace_string (self->trace, helper->who);
      char time[WP_FORMAT_MAX];

      if (helper->ns < (gint64) ((double) clause->ns * HELPER_SHARE))
        return;
      g_string_append (text, i == 0 ? _("; meanwhile ") : _(", "));
      clause->mentions[clause->n_mentions++] = (WpMention) { (guint32) text->len, helper->op };
      wp_format_ns (helper->ns, time);
      if (rivals) /* Translators: “sh runs there for 400 ms”, on the CPU that is waited for */
        g_string_append_printf (text, _("%s runs there for %s"), who, time);
      else if (helper->words == 0)
        g_string_append_printf (text, _("%s runs for %s"), who, time);
      else
        g_string_append_printf (text, _("%s %s for %s"), who, wp_strings_get (self->out->words.strings, helper->words), time);
    }
}

static void
append_functions (const Maker *self, gint64 ran, GString *text)
{
  WpId most = 1;

  for (WpId f = 2; f < self->trace->functions.len; f++)
    if (self->by_function[f] > self->by_function[most])
      most = f;
  if (2 * self->unsampled > ran)
    g_string_append (text, _(", too briefly to be sampled"));
  else if (self->trace->functions.len > 1 && 2 * self->by_function[most] > ran)
    g_string_append_printf (text, _(", mostly in %s"), wp_trace_function_name (self->trace, most));
  else if (self->trace->functions.len > 1 && 10 * self->by_function[most] > ran)
    g_string_append_printf (text, _(", the longest in %s"), wp_trace_function_name (self->trace, most));
}

static void
add_clause (Maker *self, const char *text, gint64 ns)
{
  wp_array_push (&self->out->clauses, ((WpClause) { .text = g_strdup (text), .ns = ns }));
}

static gboolean
are_several_processes (const WpPaths *paths)
{
  const WpTask *tasks = paths->trace->tasks.data;

  for (guint32 i = 1; i < paths->base_tasks.len; i++)
    if (tasks[paths->base_tasks.data[i]].pid != tasks[paths->base_tasks.data[0]].pid)
      return TRUE;
  return FALSE;
}

static void
say_all (Maker *self)
{
  guint n = self->paths->base_tasks.len;
  g_autoptr (GString) text = g_string_new (NULL);
  char time[WP_FORMAT_MAX];

  wp_format_ns (self->explanation->wall, time);
  if (are_several_processes (self->paths))
    g_string_printf (text, _("%s take %s; the times below are those of their %u threads together."), self->paths->name, time, n);
  else if (n > 1)
    g_string_printf (text, _("%s takes %s; the times below are those of its %u threads together."), self->paths->name, time, n);
  else
    g_string_printf (text, _("%s takes %s."), self->paths->name, time);
  add_clause (self, text->str, self->explanation->wall);
}

static void
say_group (Maker *self, guint said)
{
  const WpSpent *g = &self->out->spent.data[self->said[said]];
  WpClause clause = { .ns = g->ns };
  GString *text = g_string_new (NULL);
  char time[WP_FORMAT_MAX];

  self->clause_of_group[self->said[said]] = self->out->clauses.len;
  wp_format_ns (g->ns, time);
  if (g->words == 0)
    {
      g_string_printf (text, _("For %s it runs"), time);
      append_functions (self, g->ns, text);
    }
  else
    {
      if (g->open && self->trace->goes_on) /* Translators: “It still reads a pipe, for 2.5 s so far” */
        g_string_printf (text, _("It %s, for %s so far"), wp_strings_get (self->out->words.strings, g->words), time);
      else if (g->open) /* Translators: “It still reads a pipe when the recording stops, for 2.5 s so far” */
        g_string_printf (text, _("It %s when the recording stops, for %s so far"), wp_strings_get (self->out->words.strings, g->words), time);
      else
        g_string_printf (text, _("For %s it %s"), time, wp_strings_get (self->out->words.strings, g->words));
      append_helpers (self, &self->helpers[said], g->words == wp_wait_words_for_cpu (&self->out->words), &clause, text);
    }
  g_string_append_c (text, '.');
  clause.text = g_string_free (text, FALSE);
  wp_array_push (&self->out->clauses, clause);
}

static void
say_rest (Maker *self, gint64 ns, guint n)
{
  g_autofree char *text = NULL;
  char time[WP_FORMAT_MAX];

  if (n == 0 || ns == 0)
    return;
  for (guint i = 0; i < self->n_unsaid; i++)
    if (self->clause_of_group[self->unsaid[i]] == 0)
      self->clause_of_group[self->unsaid[i]] = self->out->clauses.len;
  text = g_strdup_printf (ngettext ("The other %s it does one more thing.", "The other %s it does %u other things.", n),
                          wp_format_ns (ns, time), n);
  add_clause (self, text, ns);
}

/* A cold start waits for a hundred files, none of them for long: of what is not said by itself, the disk that most of it waited for. Returns how
 * many groups it says, and their time. */
static guint
say_device (Maker *self, gint64 *ns)
{
  g_autofree WpSpent *by_device = g_new0 (WpSpent, self->trace->tasks.len);
  g_autofree guint *counts = g_new0 (guint, self->trace->tasks.len);
  g_autofree char *text = NULL;
  char time[WP_FORMAT_MAX];
  WpId most = 0;

  *ns = 0;
  for (guint i = 0; i < self->n_unsaid; i++)
    {
      const WpSpent *group = &self->out->spent.data[self->unsaid[i]];
      WpSpent *pool = &by_device[group->device];

      if (group->device == 0)
        continue;
      counts[group->device]++;
      pool->ns += group->ns;
      if (pool->ns > by_device[most].ns)
        most = group->device;
    }
  if (counts[most] < 2 || (double) by_device[most].ns < (double) self->total * SAID_SHARE)
    return 0;
  for (guint i = 0; i < self->n_unsaid; i++)
    if (self->out->spent.data[self->unsaid[i]].device == most)
      self->clause_of_group[self->unsaid[i]] = self->out->clauses.len;
  *ns = by_device[most].ns;
  text = g_strdup_printf (_("For %s it waits for %s, %u different files or calls together."), wp_format_ns (*ns, time),
                          wp_trace_task_name (self->trace, most), counts[most]);
  add_clause (self, text, *ns);
  return counts[most];
}

static void
say_unknown (Maker *self)
{
  char time[WP_FORMAT_MAX];
  g_autofree char *text = g_strdup_printf (_("For %s nobody knows what it does: the recording is not whole there."),
                                           wp_format_ns (self->out->unknown, time));

  if (self->out->unknown == 0)
    return;
  self->unknown_clause = self->out->clauses.len;
  add_clause (self, text, self->out->unknown);
}

static void
say (Maker *self)
{
  gint64 rest = 0, pooled;
  guint n_pooled;

  say_all (self);
  for (guint i = 0; i < self->n_said; i++)
    say_group (self, i);
  for (guint i = 0; i < self->n_unsaid; i++)
    rest += self->out->spent.data[self->unsaid[i]].ns;
  n_pooled = say_device (self, &pooled);
  say_rest (self, rest - pooled, self->n_unsaid - n_pooled);
  say_unknown (self);
}

/* --- which parts they are about ----------------------------------------------------------------------------------- */

static void
add_said (Maker *self, WpId part, gint64 start, gint64 end, guint32 clause, guint mention)
{
  start = MAX (start, self->explanation->from);
  end = MIN (end, self->explanation->to);
  if (clause != 0 && start < end)
    wp_array_push (&self->out->said, ((WpSaid) { part, start, end, clause, mention }));
}

/* A stretch of a sleep of a base path: blocked until it is woken, then waiting for a CPU. */
static void
add_said_sleep (Maker *self, WpId part, gint64 start, gint64 end)
{
  gint64 woken = CLAMP (wp_paths_woken (self->paths, self->paths->parts.data[part].op), start, end);

  add_said (self, part, start, woken, self->clause_of_group[self->group_of_part[part] - 1], 0);
  add_said (self, part, woken, end, self->cpu_clause, 0);
}

/* `piece`: the first of that part, or of one before it; it goes on to the next part's. */
static void
find_own (Maker *self, WpId part, guint32 *piece)
{
  const WpPart *p = &self->paths->parts.data[part];
  const WpPiece *pieces = self->explanation->pieces.data;
  gint64 at = p->start;

  if (self->trace->ops.data[p->op].kind == WP_OP_RUN)
    add_said (self, part, p->start, p->end, self->clause_of_group[0], 0);
  if (self->roots[part] != part)
    return;
  while (*piece < self->explanation->pieces.len && pieces[*piece].part < part)
    ++*piece;
  for (; *piece < self->explanation->pieces.len && pieces[*piece].part == part; ++*piece)
    if (is_unknown (self, &pieces[*piece]))
      {
        add_said_sleep (self, part, at, pieces[*piece].start);
        add_said (self, part, pieces[*piece].start, pieces[*piece].end, self->unknown_clause, 0);
        at = pieces[*piece].end;
      }
  add_said_sleep (self, part, at, p->end);
}

static gboolean
does_the_same (Maker *self, WpId op, WpId other)
{
  const WpOp *a = &self->trace->ops.data[op], *b = &self->trace->ops.data[other];

  return a->kind == b->kind && wp_paths_task_name (self->paths, a->task) == wp_paths_task_name (self->paths, b->task)
         && (a->kind != WP_OP_SLEEP || wp_wait_words_of (&self->out->words, op) == wp_wait_words_of (&self->out->words, other));
}

/* What stands on a wait of a sentence, and is of somebody whom it mentions. */
static void
find_mentioned (Maker *self, WpId part)
{
  const WpPart *p = &self->paths->parts.data[part];
  WpId root = self->roots[part];
  guint32 which = root != 0 ? self->clause_of_group[self->group_of_part[root] - 1] : 0;
  const WpClause *clause = &self->out->clauses.data[which];

  for (guint i = 0; i < clause->n_mentions; i++)
    if (does_the_same (self, p->op, clause->mentions[i].op))
      add_said (self, part, p->start, p->end, which, i + 1);
}

/* Each sentence leads to the longest stretch that it is about. */
static void
name_longest (WpAnswer *out)
{
  g_autofree gint64 *longest = g_new0 (gint64, out->clauses.len);

  for (guint32 i = 0; i < out->said.len; i++)
    {
      const WpSaid *said = &out->said.data[i];

      if (said->mention != 0 || said->end - said->start <= longest[said->clause])
        continue;
      longest[said->clause] = said->end - said->start;
      out->clauses.data[said->clause].part = said->part;
    }
}

/* FALSE when cancelled. */
static gboolean
find_said (Maker *self, WpProgress *progress, GError **error)
{
  WpId cpu = wp_wait_words_for_cpu (&self->out->words);
  guint32 piece = 0;

  for (guint32 i = 1; i < self->out->spent.len; i++)
    if (self->out->spent.data[i].words == cpu)
      self->cpu_clause = self->clause_of_group[i];
  for (WpId part = 1; part < self->paths->parts.len; part++)
    {
      if (is_base_root (self, part))
        find_own (self, part, &piece);
      else
        find_mentioned (self, part);
      if (part % STEP == 0 && !wp_progress_step (progress, 1, error))
        return FALSE;
    }
  name_longest (self->out);
  return TRUE;
}

/* --- in one line -------------------------------------------------------------------------------------------------- */

/* The largest; or a disk, where all that waited for it together is more than that. */
static void
find_most (Maker *self)
{
  const WpSpent *spent = self->out->spent.data, *most = &spent[0];
  g_autofree gint64 *by_disk = g_new0 (gint64, self->trace->tasks.len);
  gint64 total = self->out->unknown, ns;
  WpId disk = 0;

  for (guint32 i = 0; i < self->out->spent.len; i++)
    {
      total += spent[i].ns;
      if (spent[i].ns > most->ns)
        most = &spent[i];
      if (spent[i].device == 0)
        continue;
      by_disk[spent[i].device] += spent[i].ns;
      if (by_disk[spent[i].device] > by_disk[disk])
        disk = spent[i].device;
    }
  ns = MAX (most->ns, by_disk[disk]);
  if (ns <= self->out->unknown)
    return;
  if (by_disk[disk] > most->ns)
    self->out->most.words = (WpPlainWords) { .words = N_("waits for %s"), .of = wp_trace_task_name (self->trace, disk) };
  else if (most->words == wp_wait_words_for_cpu (&self->out->words))
    self->out->most.words = (WpPlainWords) { .words = N_("waits for a CPU") };
  else
    self->out->most.words = wp_wait_words_plain (&self->out->words, self->paths->parts.data[most->part].op);
  self->out->most.percent = (guint) (100.0 * (double) ns / (double) total);
}

char *
wp_most_say (const WpMost *self)
{
  g_autofree char *words = wp_plain_words_say (self->words);

  return self->percent > 50 ? g_strdup_printf (_("mostly %s"), words) : g_strdup_printf (_("%s %u %% of the time"), words, self->percent);
}

/* --- all of it ---------------------------------------------------------------------------------------------------- */

static int
compare_waits (const void *a, const void *b)
{
  const WpWait *x = a, *y = b;

  if (x->ns != y->ns)
    return x->ns > y->ns ? -1 : 1;
  return x->part < y->part ? -1 : x->part > y->part;
}

/* FALSE when cancelled. */
static gboolean
gather (Maker *self, WpProgress *progress, GError **error)
{
  guint32 n_parts = self->paths->parts.len, n_pieces = self->explanation->pieces.len;
  double steps = (double) n_parts + n_pieces;

  wp_progress_phase (progress, "Finding the longest waits");
  for (WpId p = 1; p < n_parts; p++)
    {
      take_part (self, p);
      if (p % STEP == 0 && !wp_progress_step (progress, p / steps, error))
        return FALSE;
    }
  for (guint32 i = 0; i < n_pieces; i++)
    {
      if (is_unknown (self, &self->explanation->pieces.data[i]))
        take_unknown (self, &self->explanation->pieces.data[i]);
      if (i % STEP == 0 && !wp_progress_step (progress, (n_parts + i) / steps, error))
        return FALSE;
    }
  return TRUE;
}

WpAnswer *
wp_answer_new (const WpPaths *paths, const WpExplanation *explanation, WpProgress *progress, GError **error)
{
  Maker self = { .paths = paths, .trace = paths->trace, .explanation = explanation, .out = g_new0 (WpAnswer, 1) };
  gboolean done;

  wp_wait_words_init (&self.out->words, paths);
  self.group_of_part = g_new0 (guint32, paths->parts.len);
  self.roots = g_new0 (WpId, paths->parts.len);
  self.by_function = g_new0 (gint64, MAX (paths->trace->functions.len, 2));
  wp_array_push (&self.out->spent, ((WpSpent) { 0 }));
  done = gather (&self, progress, error);
  if (done)
    {
      wp_array_sort (&self.out->waits, compare_waits);
      choose (&self);
      done = find_helpers (&self, progress, error);
    }
  if (done)
    {
      say (&self);
      done = find_said (&self, progress, error);
      find_most (&self);
    }
  wp_pair_map_clear (&self.waits);
  wp_pair_map_clear (&self.groups);
  for (guint i = 0; self.helpers != NULL && i < self.n_said; i++)
    wp_array_clear (&self.helpers[i]);
  wp_array_clear (&self.slices);
  g_free (self.helpers);
  g_free (self.said);
  g_free (self.unsaid);
  g_free (self.clause_of_group);
  g_free (self.group_of_part);
  g_free (self.roots);
  g_free (self.by_function);
  if (!done)
    g_clear_pointer (&self.out, wp_answer_free);
  return self.out;
}

void
wp_answer_free (WpAnswer *self)
{
  if (self == NULL)
    return;
  for (guint32 i = 0; i < self->clauses.len; i++)
    g_free (self->clauses.data[i].text);
  wp_array_clear (&self->clauses);
  wp_array_clear (&self->said);
  wp_array_clear (&self->waits);
  wp_array_clear (&self->spent);
  wp_wait_words_clear (&self->words);
  g_free (self);
}

const char *
wp_spent_words (const WpAnswer *self, const WpSpent *spent)
{
  return spent->words != 0 ? wp_strings_get (self->words.strings, spent->words) : _("runs");
}
