/* Processes by CPU: a row for each, on which stands who ran there. Where nothing stands it was idle. Under it, where the recording has them, what
 * interrupted that. */
#include "base/format.h"
#include "trace/interrupts.h"
#include "view/layout.h"
#include "view/task-rows.h"

#include <glib/gi18n.h>

/* Whose runs are shown, by task. */
static guint8 *
find_shown (const WpTrace *trace, const char *filter)
{
  g_autofree char *wanted = filter != NULL ? g_utf8_casefold (filter, -1) : NULL;
  guint8 *shown = g_new0 (guint8, trace->tasks.len);

  for (WpId t = 1; t < trace->tasks.len; t++)
    shown[t] = trace->tasks.data[t].kind == WP_TASK_THREAD && !(trace->tasks.data[t].flags & WP_TASK_IDLE) && wp_task_name_has (trace, t, wanted);
  return shown;
}

/* By number of the CPU + 1: how long it was busy, ns; `n` of them. Recordings may name any number. */
static gint64 *
find_busy (const WpTrace *trace, const guint8 *shown, guint32 *n)
{
  gint64 *busy;

  *n = 1;
  for (WpId o = 1; o < trace->ops.len; o++)
    *n = MAX (*n, MIN (trace->ops.data[o].cpu, WP_LAYOUT_CPUS_MAX) + 1);
  busy = g_new0 (gint64, *n);
  for (WpId o = 1; o < trace->ops.len; o++)
    {
      const WpOp *op = &trace->ops.data[o];

      if (op->kind == WP_OP_RUN && op->cpu < *n && shown[op->task])
        busy[op->cpu] += op->end - op->start;
    }
  return busy;
}

static char *
cpu_name (const WpTrace *trace, guint32 cpu, gint64 busy)
{
  char share[WP_FORMAT_MAX];

  return g_strdup_printf (_("CPU %u · %s busy"), cpu - 1, wp_format_share ((double) busy / (double) MAX (trace->end, 1), share));
}

/* Those of one CPU, in a row of their own: whoever they interrupted went on. */
static void
add_interrupts (const WpTrace *trace, guint32 cpu, WpRows *rows, WpGather *gather)
{
  guint32 i = wp_interrupts_after (trace, cpu, G_MININT64);
  const WpInterrupt *interrupt;

  if (wp_interrupt_before (trace, i, cpu, G_MAXINT64) == NULL)
    return;
  wp_array_push (&rows->rows, ((WpRow) { .label = wp_strings_intern (rows->strings, _("interrupts")), .indent = 1 }));
  for (; (interrupt = wp_interrupt_before (trace, i, cpu, G_MAXINT64)) != NULL; i++)
    wp_gather_add (gather, rows->rows.len - 1, &(WpBox) { .start = interrupt->start, .end = interrupt->end, .kind = WP_BOX_INTERRUPT,
                                                          .label = wp_strings_intern (rows->strings, wp_trace_string (trace, interrupt->name)) });
}

WpRows *
wp_layout_cpus (const WpTrace *trace, const WpProcessesOptions *options, WpProgress *progress, GError **error)
{
  g_autoptr (WpRows) rows = wp_rows_new ();
  g_autofree guint8 *shown = find_shown (trace, options->filter);
  g_autofree WpId *labels = g_new0 (WpId, trace->tasks.len);
  WpGather gather = { 0 };
  WpBodies bodies;
  gboolean going_on = TRUE;
  guint32 n;
  g_autofree gint64 *busy = find_busy (trace, shown, &n);
  g_autofree guint32 *row_of = g_new0 (guint32, n);

  wp_progress_phase (progress, "Laying out the processes");
  wp_bodies_of_runs (&bodies, trace);
  for (guint32 cpu = 1; cpu < n; cpu++)
    {
      g_autofree char *name = cpu_name (trace, cpu, busy[cpu]);

      row_of[cpu] = rows->rows.len;
      if (busy[cpu] == 0)
        continue;
      wp_array_push (&rows->rows, ((WpRow) { .label = wp_strings_intern (rows->strings, name) }));
      if (options->filter == NULL)
        add_interrupts (trace, cpu, rows, &gather);
    }
  for (WpId o = 1; o < trace->ops.len && going_on; o++)
    {
      const WpOp *op = &trace->ops.data[o];

      going_on = wp_progress_row (progress, o, error);
      if (op->kind != WP_OP_RUN || op->cpu == 0 || op->cpu >= n || !shown[op->task] || op->start >= op->end)
        continue;
      if (labels[op->task] == 0)
        labels[op->task] = wp_strings_intern (rows->strings, wp_trace_task_name (trace, op->task));
      wp_gather_add (&gather, row_of[op->cpu], &(WpBox) { .start = op->start, .end = op->end, .label = labels[op->task], .ref = o,
                                                          .ref_kind = WP_REF_OP, .kind = op->flags & WP_OP_LOST ? WP_BOX_UNKNOWN : WP_BOX_RUN,
                                                          .body = wp_bodies_of_task (&bodies, op->task) });
    }
  wp_gather_finish (&gather, rows);
  wp_bodies_tell (&bodies, rows);
  wp_bodies_clear (&bodies);
  rows->shaded = rows->of_recording = TRUE;
  rows->end = trace->end;
  wp_rows_finish (rows);
  return going_on && wp_progress_step (progress, 1, error) ? g_steal_pointer (&rows) : NULL;
}
