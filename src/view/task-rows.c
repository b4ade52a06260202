#include "view/task-rows.h"

#include "base/hash.h"
#include "base/sort.h"

#include <stdlib.h>

#define SUMMARY_SHARE 300 /* summary hides tasks that ran less than this part of the trace */
#define FOLD_FROM 3       /* of so many others a row is made */
#define THREADS_OPEN 8    /* processes with more are closed at first */

/* Where a process stands. */
typedef enum
{
  PLACE_PINNED,
  PLACE_MAIN,
  PLACE_OTHERS,
  PLACE_SLEEPERS,
  N_PLACES
} Place;

typedef struct
{
  WpId task;       /* the last of the thread that leads it */
  guint32 first, n; /* its strands, once these are sorted by process */
  gint64 cpu, start;
  WpId parent;     /* the process that forked it: row of the processes, or 0 */
  gboolean slept, ours;
} Process;

typedef struct
{
  const WpTrace *trace;
  const WpProcessesOptions *options;
  WpTaskPlan *plan;
  WP_ARRAY (WpStrand) strands;   /* by process */
  WP_ARRAY (Process) processes;  /* row 0 is empty */
  WpId *ends;                    /* by task: the last of its strand */
  GHashTable *names;             /* name → how many processes have it */
  guint32 *process_of;           /* by last task of a leader: row of the processes; 0: none */
} Planner;

gboolean
wp_task_name_has (const WpTrace *trace, WpId task, const char *wanted)
{
  g_autofree char *name = wanted != NULL ? g_utf8_casefold (wp_trace_task_name (trace, task), -1) : NULL;

  return wanted == NULL || strstr (name, wanted) != NULL;
}

/* --- strands ------------------------------------------------------------------------------------------------------ */

static WpStrand
strand_from (const Planner *p, WpId first)
{
  const WpTask *tasks = p->trace->tasks.data;
  WpStrand strand = { .first = first, .last = first, .start = G_MAXINT64 };
  guint32 n_ops = 0;
  WpId any = 0;

  for (WpId t = first; t != 0; t = tasks[t].after)
    {
      for (WpId o = tasks[t].first_op; o < tasks[t].first_op + tasks[t].n_ops; o++)
        if (p->trace->ops.data[o].kind == WP_OP_RUN)
          strand.cpu += p->trace->ops.data[o].end - p->trace->ops.data[o].start;
      if (tasks[t].n_ops > 0)
        {
          strand.start = MIN (strand.start, p->trace->ops.data[tasks[t].first_op].start);
          any = tasks[t].first_op;
        }
      n_ops += tasks[t].n_ops;
      strand.last = t;
    }
  strand.slept = n_ops == 1 && wp_slept_throughout (&p->trace->ops.data[any]);
  return strand;
}

static gboolean
is_wanted (const Planner *p, const WpStrand *strand, const char *wanted)
{
  gboolean named = wanted == NULL;

  if (strand->slept ? p->options->summary
                    : strand->cpu == 0 || (p->options->summary && strand->cpu < p->trace->end / SUMMARY_SHARE))
    return FALSE;
  for (WpId t = strand->first; t != 0 && !named; t = p->trace->tasks.data[t].after)
    named = wp_task_name_has (p->trace, t, wanted);
  return named;
}

static void
find_strands (Planner *p)
{
  const WpTask *tasks = p->trace->tasks.data;
  g_autofree char *wanted = p->options->filter != NULL ? g_utf8_casefold (p->options->filter, -1) : NULL;

  for (WpId t = 1; t < p->trace->tasks.len; t++)
    {
      WpStrand strand;

      if (tasks[t].before != 0 || tasks[t].kind != WP_TASK_THREAD)
        continue;
      strand = strand_from (p, t);
      for (WpId a = t; a != 0; a = tasks[a].after)
        p->ends[a] = strand.last;
      if (!(tasks[t].flags & WP_TASK_IDLE) && is_wanted (p, &strand, wanted))
        wp_array_push (&p->strands, strand);
    }
  for (guint32 i = 0; i < p->strands.len; i++)
    p->strands.data[i].process = p->ends[wp_trace_leader (p->trace, p->strands.data[i].last)];
}

/* --- processes ---------------------------------------------------------------------------------------------------- */

/* Of one process: who leads it, who ran, and who slept all the time; each in the order of their first moments. */
static int
compare_strands (const void *a, const void *b)
{
  const WpStrand *x = a, *y = b;

  if (x->process != y->process)
    return x->process < y->process ? -1 : 1;
  if ((x->last == x->process) != (y->last == y->process))
    return x->last == x->process ? -1 : 1;
  if (x->slept != y->slept)
    return x->slept ? 1 : -1;
  return x->start != y->start ? (x->start < y->start ? -1 : 1) : WP_COMPARE (x->first, y->first);
}

/* Threads that slept all the time, of a process that did not, are shown as sleeps are. */
static gboolean
is_shown (const Planner *p, const Process *process, const WpStrand *strand)
{
  return !strand->slept || process->slept || p->options->show_sleeps || p->options->filter != NULL || process->ours;
}

static void
find_processes (Planner *p)
{
  wp_array_sort (&p->strands, compare_strands);
  wp_array_resize (&p->processes, 1);
  for (guint32 i = 0; i < p->strands.len; i++)
    {
      const WpStrand *strand = &p->strands.data[i];
      Process *process = &p->processes.data[p->processes.len - 1];

      if (p->processes.len == 1 || process->task != strand->process)
        {
          process = wp_array_add (&p->processes);
          *process = (Process) { .task = strand->process, .first = i, .start = strand->start, .slept = TRUE };
          p->process_of[strand->process] = p->processes.len - 1;
        }
      process->n++;
      process->cpu += strand->cpu;
      process->start = MIN (process->start, strand->start);
      process->slept = process->slept && strand->slept;
    }
}

static guint32
process_of_op (const Planner *p, WpId op)
{
  WpId task = op != 0 ? p->trace->ops.data[op].task : 0;

  return task != 0 && p->ends[task] != 0 ? p->process_of[p->ends[wp_trace_leader (p->trace, task)]] : 0;
}

static void
find_parents (Planner *p)
{
  const WpTask *tasks = p->trace->tasks.data;

  for (guint32 i = 1; i < p->processes.len; i++)
    {
      WpId first = p->processes.data[i].task;

      while (tasks[first].before != 0)
        first = tasks[first].before;
      p->processes.data[i].parent = process_of_op (p, tasks[first].forked_by);
      if (p->processes.data[i].parent == i)
        p->processes.data[i].parent = 0;
    }
}

/* A process whose forefather is ours is ours. Each is walked over once; what has no end, in a damaged recording, ends where it began. */
static void
find_offspring (Planner *p)
{
  enum { UNKNOWN, ON_THE_WAY, KNOWN };
  g_autofree guint8 *state = g_new0 (guint8, p->processes.len);
  WpIdArray way = { 0 };

  for (guint32 i = 1; i < p->processes.len; i++)
    {
      guint32 at = i;

      for (; at != 0 && state[at] == UNKNOWN && !p->processes.data[at].ours; at = p->processes.data[at].parent)
        {
          state[at] = ON_THE_WAY;
          wp_array_push (&way, at);
        }
      for (guint32 k = 0; k < way.len; k++)
        {
          p->processes.data[way.data[k]].ours = at != 0 && p->processes.data[at].ours;
          state[way.data[k]] = KNOWN;
        }
      way.len = 0;
    }
  wp_array_clear (&way);
}

/* The recorded command, what it forked, whoever woke one of these or was woken by one: but for the recorder, who forked the command, and threads
 * of the kernel that it only woke. FALSE: no command was recorded. */
static gboolean
find_ours (Planner *p)
{
  const WpTrace *trace = p->trace;
  guint32 recorder = 0;
  gboolean found = FALSE;
  WpIdArray others = { 0 };

  for (guint32 i = 1; i < p->processes.len && trace->command_pid > 0; i++)
    if (trace->tasks.data[p->processes.data[i].task].pid == trace->command_pid)
      {
        p->processes.data[i].ours = found = TRUE;
        recorder = p->processes.data[i].parent;
      }
  if (!found)
    return FALSE;
  find_offspring (p);
  for (WpId l = 1; l < trace->links.len; l++)
    {
      const WpLink *link = &trace->links.data[l];
      guint32 from = link->cause == WP_CAUSE_TASK ? process_of_op (p, link->source) : 0, to = from != 0 ? process_of_op (p, link->target) : 0;
      gboolean from_us = p->processes.data[from].ours, to_us = p->processes.data[to].ours;

      if (to_us && !from_us && from != 0 && from != recorder)
        wp_array_push (&others, from);
      else if (from_us && !to_us && to != 0 && to != recorder && !(trace->tasks.data[p->processes.data[to].task].flags & WP_TASK_KERNEL))
        wp_array_push (&others, to);
    }
  for (guint32 i = 0; i < others.len; i++)
    p->processes.data[others.data[i]].ours = TRUE;
  wp_array_clear (&others);
  return TRUE;
}

/* --- the plan ----------------------------------------------------------------------------------------------------- */

static gboolean
is_turned (const Planner *p, gint32 key)
{
  for (guint i = 0; i < p->options->n_turned; i++)
    if (p->options->turned[i] == key)
      return TRUE;
  return FALSE;
}

/* 0: it is not known; as a key that is none. */
static gint32
pid_of (const Planner *p, const Process *process)
{
  return MAX (p->trace->tasks.data[process->task].pid, 0);
}

/* From 1, in their order; 0: it is not. */
static guint
pin_of (const Planner *p, const Process *process)
{
  for (guint i = 0; i < p->options->n_pinned; i++)
    if (p->options->pinned[i] == pid_of (p, process))
      return i + 1;
  return 0;
}

static void
add_line (Planner *p, const WpTaskLine *line, const WpStrand *strands, guint32 n)
{
  WpTaskLine *added;

  wp_array_push (&p->plan->lines, *line);
  added = &p->plan->lines.data[p->plan->lines.len - 1];
  added->first = p->plan->strands.len;
  added->n = n;
  for (guint32 i = 0; i < n; i++)
    wp_array_push (&p->plan->strands, strands[i]);
}

static void
count_names (Planner *p)
{
  p->names = g_hash_table_new (wp_hash_pointer, NULL);
  for (guint32 i = 1; i < p->processes.len; i++)
    {
      gpointer name = GUINT_TO_POINTER (p->trace->tasks.data[p->processes.data[i].task].name);

      g_hash_table_insert (p->names, name, GUINT_TO_POINTER (GPOINTER_TO_UINT (g_hash_table_lookup (p->names, name)) + 1));
    }
}

static gboolean
shares_name (const Planner *p, const Process *process)
{
  return GPOINTER_TO_UINT (g_hash_table_lookup (p->names, GUINT_TO_POINTER (p->trace->tasks.data[process->task].name))) > 1;
}

/* Who leads it first, so that its row is the process'; where that one has none, a row with its name alone. */
static void
add_process (Planner *p, const Process *process, gboolean group, guint8 indent)
{
  const WpStrand *strands = p->strands.data + process->first;
  guint32 n = 0, at = 0;
  WpTaskLine line = { .task = process->task, .key = pid_of (p, process), .indent = indent, .group = group, .pinned = pin_of (p, process) != 0,
                      .shared = shares_name (p, process) };
  gboolean open;

  while (n < process->n && is_shown (p, process, &strands[n]))
    n++;
  if (n == 1)
    {
      line.task = strands[0].last;
      add_line (p, &line, strands, 1);
      return;
    }
  open = (n <= THREADS_OPEN || p->options->filter != NULL) != is_turned (p, line.key);
  line.fold = open ? WP_FOLD_OPEN : WP_FOLD_CLOSED;
  if (!open)
    {
      add_line (p, &line, strands, n);
      return;
    }
  if (strands[0].last == process->task)
    at = 1;
  add_line (p, &line, strands, at);
  for (; at < n; at++)
    add_line (p, &(WpTaskLine) { .task = strands[at].last, .indent = indent + 1 }, &strands[at], 1);
}

/* A row for all of a place; where that is closed it shows who ran, all on one row. */
static gboolean
add_fold (Planner *p, Place place, const WpTaskRows *rows)
{
  gboolean sleepers = place == PLACE_SLEEPERS, open;
  WpTaskLine line = { .key = sleepers ? WP_FOLD_SLEEPERS : WP_FOLD_OTHERS, .group = TRUE, .stray = TRUE };
  guint32 first = p->plan->strands.len;

  open = (sleepers && p->options->show_sleeps) != is_turned (p, line.key);
  line.fold = open ? WP_FOLD_OPEN : WP_FOLD_CLOSED;
  for (guint32 i = 0; i < rows->len; i++)
    line.fold_count += sleepers ? 1 : p->processes.data[p->process_of[rows->data[i].task]].n;
  add_line (p, &line, NULL, 0);
  for (guint32 i = 0; i < rows->len && !open && !sleepers; i++)
    {
      const Process *process = &p->processes.data[p->process_of[rows->data[i].task]];

      for (guint32 s = 0; s < process->n; s++)
        wp_array_push (&p->plan->strands, p->strands.data[process->first + s]);
    }
  p->plan->lines.data[p->plan->lines.len - 1].n = p->plan->strands.len - first;
  return open;
}

static void
add_place (Planner *p, Place place, WpTaskRows *rows, const WpId *heads)
{
  gboolean folds = place >= PLACE_OTHERS && rows->len >= FOLD_FROM && p->options->filter == NULL;

  if (rows->len == 0)
    return;
  if (place != PLACE_PINNED)
    wp_order_tasks (p->trace, rows, p->options->sort, heads);
  if (folds && !add_fold (p, place, rows))
    return;
  for (guint32 i = 0; i < rows->len; i++)
    add_process (p, &p->processes.data[p->process_of[rows->data[i].task]], i == 0 ? !folds && p->plan->lines.len > 0 : rows->data[i].group, folds);
}

static Place
place_of (const Planner *p, const Process *process, gboolean divided)
{
  if (pin_of (p, process) != 0)
    return PLACE_PINNED;
  if (process->slept)
    return PLACE_SLEEPERS;
  return divided && !process->ours ? PLACE_OTHERS : PLACE_MAIN;
}

static int
compare_pins (gconstpointer a, gconstpointer b, gpointer data)
{
  const Planner *p = data;
  const WpTaskRow *x = a, *y = b;

  return (int) pin_of (p, &p->processes.data[p->process_of[x->task]]) - (int) pin_of (p, &p->processes.data[p->process_of[y->task]]);
}

static void
make_plan (Planner *p)
{
  WpTaskRows places[N_PLACES] = { 0 };
  g_autofree WpId *heads = g_new0 (WpId, p->trace->tasks.len);
  gboolean divided = find_ours (p);
  guint32 n_others = 0;

  for (WpId t = 1; t < p->trace->tasks.len; t++)
    if (p->ends[t] != 0)
      heads[t] = p->ends[wp_trace_leader (p->trace, t)];
  for (guint32 i = 1; i < p->processes.len; i++)
    n_others += place_of (p, &p->processes.data[i], divided) == PLACE_OTHERS;
  divided = n_others >= FOLD_FROM;
  for (guint32 i = 1; i < p->processes.len; i++)
    {
      const Process *process = &p->processes.data[i];

      wp_array_push (&places[place_of (p, process, divided)], ((WpTaskRow) { .task = process->task, .cpu = process->cpu, .first = process->start }));
    }
  if (places[PLACE_PINNED].len > 1)
    g_qsort_with_data (places[PLACE_PINNED].data, places[PLACE_PINNED].len, sizeof *places[PLACE_PINNED].data, compare_pins, p);
  for (Place place = 0; place < N_PLACES; place++)
    {
      add_place (p, place, &places[place], heads);
      wp_array_clear (&places[place]);
    }
}

void
wp_task_plan_init (WpTaskPlan *self, const WpTrace *trace, const WpProcessesOptions *options)
{
  Planner p = { .trace = trace, .options = options, .plan = self };

  *self = (WpTaskPlan) { 0 };
  p.ends = g_new0 (WpId, trace->tasks.len);
  p.process_of = g_new0 (guint32, trace->tasks.len);
  find_strands (&p);
  find_processes (&p);
  find_parents (&p);
  count_names (&p);
  make_plan (&p);
  wp_array_clear (&p.strands);
  wp_array_clear (&p.processes);
  g_hash_table_unref (p.names);
  g_free (p.ends);
  g_free (p.process_of);
}

void
wp_task_plan_clear (WpTaskPlan *self)
{
  wp_array_clear (&self->strands);
  wp_array_clear (&self->lines);
}
