/* CPU time of a zoom step at 1920 × 1080 on one million operations: fold and paint, from everything to a few
 * microseconds and back. Prints the median and the worst step of each view; the median must stay within 16 ms. */
#include "base/search.h"
#include "paint/paint.h"
#include "view/viewport.h"

#include <stdlib.h>
#include <time.h>

#define N_OPS 1000000
#define WIDTH 1920
#define HEIGHT 1080
#define LIMIT_MS 16.0
#define STEPS 60

static double
cpu_ms (void)
{
  struct timespec t;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static guint32
next_random (guint32 *state)
{
  *state = *state * 1664525 + 1013904223;
  return *state >> 8;
}

static void
add_stacks (WpTrace *trace, WpId *stacks, guint n)
{
  WpId module = wp_trace_module (trace, "/usr/lib/libbench.so", NULL);

  for (guint i = 0; i < n; i++)
    {
      char name[64];

      g_snprintf (name, sizeof name, "bench::wait_for_something_%u(int)", i);
      stacks[i] = wp_trace_stack (trace, 0, wp_trace_named_frame (trace, module, name));
    }
}

/* Sixty tasks that run and sleep in turn, and wake one another. */
static WpTrace *
make_trace (void)
{
  WpTrace *trace = wp_trace_new ();
  WpId stacks[50];
  guint32 random = 1;
  const guint n_tasks = 60;

  add_stacks (trace, stacks, G_N_ELEMENTS (stacks));
  for (guint t = 0; t < n_tasks; t++)
    {
      WpTask *task = wp_array_add (&trace->tasks);
      char name[32];
      gint64 time = t * 100;

      g_snprintf (name, sizeof name, "worker%u", t % 12);
      task->name = wp_strings_intern (trace->strings, name);
      task->tid = task->pid = 100 + t;
      task->first_op = trace->ops.len;
      task->n_ops = N_OPS / n_tasks / 2 * 2;
      for (guint i = 0; i < task->n_ops; i++)
        {
          gint64 length = 1000 + next_random (&random) % (next_random (&random) % 50 == 0 ? 2000000 : 40000);
          WpOp op = { .start = time, .end = time + length, .task = t + 1, .kind = i % 2 ? WP_OP_SLEEP : WP_OP_RUN };

          if (i % 2)
            {
              op.detail = stacks[next_random (&random) % G_N_ELEMENTS (stacks)];
              op.state = WP_STATE_SLEEPING;
              op.link = trace->links.len;
              wp_array_push (&trace->links, ((WpLink) { .start = op.end - 700, .target = trace->ops.len + 1,
                                                        .cause = WP_CAUSE_TASK }));
            }
          wp_array_push (&trace->ops, op);
          time = op.end;
        }
      trace->end = MAX (trace->end, time);
    }
  for (WpId l = 1; l < trace->links.len; l++)
    {
      WpLink *link = &trace->links.data[l];
      const WpTask *task = &trace->tasks.data[1 + next_random (&random) % n_tasks];
      const WpId end = task->first_op + task->n_ops;
      const WpId op = WP_SEARCH (task->first_op, end, i, trace->ops.data[i].end <= link->start);

      link->source = op < end && trace->ops.data[op].start <= link->start ? op : 0;
      if (link->target >= trace->ops.len)
        link->target = 0;
    }
  return trace;
}

static WpRows *
make_processes (gboolean sleeps)
{
  g_autoptr (WpTrace) trace = make_trace ();

  return wp_layout_processes (trace, &(WpProcessesOptions) { .show_sleeps = sleeps }, NULL, NULL);
}

static WpRows *
make_processes_plain (void)
{
  return make_processes (FALSE);
}

static WpRows *
make_processes_sleeps (void)
{
  return make_processes (TRUE);
}

/* Fifty rows where no neighbours are equal: nothing is unified, each pixel of each row has a box of its own. */
static WpRows *
make_unequal (gboolean processes)
{
  WpRows *rows = wp_rows_new ();
  guint32 random = 7;

  for (guint r = 0; r < 50; r++)
    {
      gint64 time = 0;

      wp_array_push (&rows->rows, ((WpRow) { .first = rows->boxes.len, .n = N_OPS / 50 }));
      for (guint i = 0; i < N_OPS / 50; i++)
        {
          gint64 length = 500 + next_random (&random) % 100000;
          char name[32];

          g_snprintf (name, sizeof name, "function_%u", next_random (&random) % 500);
          wp_array_push (&rows->boxes, ((WpBox) { .start = time, .end = time + length,
                                                  .kind = (guint8) (random >> 12) % (processes ? WP_BOX_BOTH + 1 : WP_BOX_KIND_COUNT),
                                                  .body = processes ? 1 + (random >> 8) % (WP_BODY_COUNT - 1) : WP_BODY_NONE,
                                                  .pale = processes && random & 16,
                                                  .label = wp_strings_intern (rows->strings, name) }));
          time += length;
        }
    }
  wp_rows_finish (rows);
  return rows;
}

static WpRows *
make_worst (void)
{
  return make_unequal (FALSE);
}

/* The same of processes: their colours, and the bands of what they do. */
static WpRows *
make_worst_processes (void)
{
  return make_unequal (TRUE);
}

/* Work that goes from task to task, a million times. */
static WpRows *
make_strip (void)
{
  g_autoptr (WpTrace) trace = make_trace ();
  WpPaths paths = { .trace = trace };
  WpExplanation explanation = { 0 };
  WpRows *strip;
  guint32 random = 3;
  gint64 time = 0;

  wp_array_resize (&paths.parts, 1);
  wp_array_push (&explanation.rows, ((WpExplanationRow) { .category = WP_CATEGORY_UNDERSTOOD }));
  for (guint i = 0; i < N_OPS; i++)
    {
      gint64 length = 500 + next_random (&random) % 100000;
      WpId op = 1 + next_random (&random) % (trace->ops.len - 1);

      wp_array_push (&paths.parts, ((WpPart) { .start = time, .end = time + length, .op = op, .path = 1 }));
      wp_array_push (&explanation.pieces, ((WpPiece) { .start = time, .end = time + length, .part = paths.parts.len - 1 }));
      time += length;
    }
  strip = wp_layout_strip (&paths, &explanation);
  wp_array_clear (&paths.parts);
  wp_array_clear (&explanation.rows);
  wp_array_clear (&explanation.pieces);
  return strip;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return x < y ? -1 : x > y;
}

/* Zooms in at a pixel off the middle and out again; returns the median. */
static double
measure (const char *name, WpRows *(*make) (void), gboolean strip)
{
  double begin = cpu_ms (), ready;
  g_autoptr (WpRows) rows = make ();
  g_autoptr (WpPainter) painter = wp_painter_new (NULL, WP_THEME_LIGHT);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  WpViewport vp = { .width = WIDTH, .height = HEIGHT, .row_height = 20 };
  double times[STEPS];
  WpSpanArray spans = { 0 };
  guint32 most = 0;

  ready = cpu_ms ();
  wp_viewport_fit (&vp, rows);
  for (guint i = 0; i < STEPS; i++)
    {
      cairo_t *cr = cairo_create (surface);
      double before = cpu_ms ();

      if (strip)
        wp_painter_strip (painter, cr, rows, &vp, &WP_PAINT_STATE_DEFAULT);
      else
        wp_painter_boxes (painter, cr, rows, &vp, NULL);
      times[i] = cpu_ms () - before;
      cairo_destroy (cr);
      wp_fold (rows, &vp, &spans);
      most = MAX (most, spans.len);
      wp_viewport_zoom (&vp, rows, i < STEPS / 2 ? 1.5 : 1 / 1.5, 700);
    }
  qsort (times, STEPS, sizeof *times, compare_doubles);
  g_print ("%-28s %u boxes, %u lines, ready after %.0f ms; "
           "a zoom step: median %.1f ms, worst %.1f ms, up to %u spans\n",
           name, rows->boxes.len, rows->lines.len, ready - begin, times[STEPS / 2], times[STEPS - 1], most);
  wp_array_clear (&spans);
  cairo_surface_destroy (surface);
  return times[STEPS / 2];
}

int
main (void)
{
  static const struct
  {
    const char *name;
    WpRows *(*make) (void);
    gboolean strip;
  } views[] = {
    { "processes", make_processes_plain },
    { "processes with sleeps", make_processes_sleeps },
    { "nothing unified", make_worst },
    { "the same of processes", make_worst_processes },
    { "wait chain", make_strip, TRUE },
  };
  double worst = 0;

  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      double median = measure (views[i].name, views[i].make, views[i].strip);

      worst = MAX (worst, median);
    }
  if (worst > LIMIT_MS)
    g_printerr ("a zoom step costs %.1f ms of CPU time: more than %.0f ms\n", worst, LIMIT_MS);
  return worst > LIMIT_MS;
}
