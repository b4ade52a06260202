/* What may play the idle task: whoever leaves its CPU only when another one wants it. */
#include "base/hash.h"
#include "paths/paths.h"

#define RUN_PART 100     /* less than this part of the recording on a CPU is nothing to ask about */
#define PREEMPTED_OF 10  /* of so many sleeps one may be of its own will */
#define SPINNERS_MAX 6

typedef struct
{
  WpId name;
  gint64 run; /* ns */
  guint64 sleeps, preempted;
} Spinner;

typedef WP_ARRAY (Spinner) SpinnerArray;

/* Something that keeps a CPU awake is there before recording begins and after it ends. */
static gboolean
is_there_throughout (const WpTrace *trace, const WpTask *task)
{
  const WpOp *first = &trace->ops.data[task->first_op], *last = first + task->n_ops - 1;

  return task->n_ops > 0 && last->end - first->start >= trace->end - trace->end / 10;
}

static void
add_op (Spinner *self, const WpOp *op)
{
  if (op->kind == WP_OP_RUN)
    self->run += op->end - op->start;
  else if (op->kind == WP_OP_SLEEP && op->state != WP_STATE_UNKNOWN && op->state != WP_STATE_DEAD)
    {
      self->sleeps++;
      self->preempted += op->state == WP_STATE_PREEMPTED;
    }
}

/* The row of a name, made where there is none. */
static Spinner *
spinner_of (SpinnerArray *all, GHashTable *rows, WpId name)
{
  guint row = GPOINTER_TO_UINT (g_hash_table_lookup (rows, GUINT_TO_POINTER (name)));

  if (row == 0)
    {
      wp_array_push (all, ((Spinner) { .name = name }));
      row = all->len;
      g_hash_table_insert (rows, GUINT_TO_POINTER (name), GUINT_TO_POINTER (row));
    }
  return &all->data[row - 1];
}

static int
longest_first (const void *a, const void *b)
{
  const Spinner *left = a, *right = b;

  if (left->run != right->run)
    return left->run > right->run ? -1 : 1;
  return left->name < right->name ? -1 : left->name > right->name;
}

static gboolean
is_spinner (const Spinner *self, gint64 length)
{
  return self->run > 0 && self->run >= length / RUN_PART
         && (self->sleeps - self->preempted) * PREEMPTED_OF <= self->sleeps;
}

char **
wp_paths_find_spinners (const WpTrace *trace)
{
  g_autoptr (GHashTable) rows = g_hash_table_new (wp_hash_pointer, NULL);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  SpinnerArray all = { 0 };
  guint found = 0;

  for (WpId t = 1; t < trace->tasks.len; t++)
    {
      const WpTask *task = &trace->tasks.data[t];

      if (task->kind != WP_TASK_THREAD || (task->flags & WP_TASK_KERNEL) || task->tid == 0 || !is_there_throughout (trace, task))
        continue;
      for (guint32 i = 0; i < task->n_ops; i++)
        add_op (spinner_of (&all, rows, task->name), &trace->ops.data[task->first_op + i]);
    }
  if (all.len > 0)
    qsort (all.data, all.len, sizeof *all.data, longest_first);
  for (guint32 i = 0; i < all.len && found < SPINNERS_MAX; i++)
    if (is_spinner (&all.data[i], trace->end))
      {
        g_strv_builder_add (names, wp_trace_string (trace, all.data[i].name));
        found++;
      }
  wp_array_clear (&all);
  return g_strv_builder_end (names);
}
