/* CPU time of a frame at 1920 × 1080 on one, three and ten million operations of 400 tasks, at 3840 × 2160 on the last: fold and paint, zooming from everything to a
 * few microseconds and back, and panning at several zoom levels, as the canvas does it. Prints the median and the worst frame of each view; the median of
 * zooming must stay within 16 ms. */
#include "base/moments.h"
#include "base/search.h"
#include "figures.h"
#include "measure.h"
#include "paint/paint.h"
#include "view/viewport.h"

#define N_TASKS 400
#define LIMIT_MS 16.0
#define STEPS 60
#define PAN_EVERY 6 /* steps … */
#define PANS 6      /* … so many frames of panning */
#define N_PANS (STEPS / PAN_EVERY * PANS)
#define GOAL_MEDIAN_MS 8
#define GOAL_WORST_MS 40

/* Sizes of the screen. Goals of the larger one are twice as high. */
enum
{
  SMALL,
  LARGE,
  N_SIZES
};

static const struct
{
  const char *name;
  double width, height, goal;
} screens[N_SIZES] = { { "", 1920, 1080, 1 }, { " at 3840 × 2160", 3840, 2160, 2 } };

static guint n_ops;

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

/* Tasks that run and sleep in turn, and wake one another; links are in the order of time, as those of a recording. */
static WpTrace *
make_trace (void)
{
  WpTrace *trace = wp_trace_new ();
  WpMoments wakes = { 0 };
  WpId stacks[50];
  guint32 random = 1;

  add_stacks (trace, stacks, G_N_ELEMENTS (stacks));
  for (guint t = 0; t < N_TASKS; t++)
    {
      WpTask *task = wp_array_add (&trace->tasks);
      char name[32];
      gint64 time = t * 100;

      g_snprintf (name, sizeof name, "worker%u", t % 12);
      task->name = wp_strings_intern (trace->strings, name);
      task->tid = task->pid = 100 + t;
      task->first_op = trace->ops.len;
      task->n_ops = n_ops / N_TASKS / 2 * 2;
      for (guint i = 0; i < task->n_ops; i++)
        {
          gint64 length = 1000 + next_random (&random) % (next_random (&random) % 50 == 0 ? 2000000 : 40000);
          WpOp op = { .start = time, .end = time + length, .task = t + 1, .kind = i % 2 ? WP_OP_SLEEP : WP_OP_RUN };

          if (i % 2)
            {
              op.detail = stacks[next_random (&random) % G_N_ELEMENTS (stacks)];
              op.state = WP_STATE_SLEEPING;
              wp_array_push (&wakes, ((WpMoment) { .at = op.end - 700, .id = trace->ops.len }));
            }
          wp_array_push (&trace->ops, op);
          time = op.end;
        }
      trace->end = MAX (trace->end, time);
    }
  wp_moments_sort (&wakes, NULL, NULL);
  for (guint32 w = 0; w < wakes.len; w++)
    {
      const WpTask *task = &trace->tasks.data[1 + next_random (&random) % N_TASKS];
      const WpId end = task->first_op + task->n_ops, sleep = wakes.data[w].id;
      const WpId op = WP_SEARCH (task->first_op, end, i, trace->ops.data[i].end <= wakes.data[w].at);

      trace->ops.data[sleep].link = trace->links.len;
      wp_array_push (&trace->links, ((WpLink) { .start = wakes.data[w].at, .cause = WP_CAUSE_TASK,
                                                .source = op < end && trace->ops.data[op].start <= wakes.data[w].at ? op : 0,
                                                .target = sleep + 1 < trace->ops.len ? sleep + 1 : 0 }));
    }
  wp_array_clear (&wakes);
  return trace;
}

/* What a view is made of; what it takes to make this is not measured. */
typedef struct
{
  WpTrace *trace;
  WpPaths paths;
  WpExplanation explanation;
  WpRows *rows; /* to be finished */
} Fixture;

static void
fixture_clear (Fixture *self)
{
  wp_array_clear (&self->paths.parts);
  wp_array_clear (&self->explanation.rows);
  wp_array_clear (&self->explanation.pieces);
  g_clear_pointer (&self->trace, wp_trace_free);
}

static void
prepare_trace (Fixture *self)
{
  self->trace = make_trace ();
}

static WpRows *
lay_out_processes (Fixture *self)
{
  return wp_layout_processes (self->trace, &(WpProcessesOptions) { .show_sleeps = FALSE }, NULL, NULL);
}

static WpRows *
lay_out_processes_with_sleeps (Fixture *self)
{
  return wp_layout_processes (self->trace, &(WpProcessesOptions) { .show_sleeps = TRUE }, NULL, NULL);
}

/* Fifty rows where no neighbours are equal: nothing is unified, each pixel of each row has a box of its own. */
static void
prepare_unequal (Fixture *self, gboolean processes)
{
  WpRows *rows = self->rows = wp_rows_new ();
  guint32 random = 7;

  for (guint r = 0; r < 50; r++)
    {
      gint64 time = 0;

      wp_array_push (&rows->rows, ((WpRow) { .first = rows->boxes.len, .n = n_ops / 50 }));
      for (guint i = 0; i < n_ops / 50; i++)
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
}

static void
prepare_worst (Fixture *self)
{
  prepare_unequal (self, FALSE);
}

/* The same of processes: their colours, and the bands of what they do. */
static void
prepare_worst_processes (Fixture *self)
{
  prepare_unequal (self, TRUE);
}

static WpRows *
finish_rows (Fixture *self)
{
  wp_rows_finish (self->rows);
  return g_steal_pointer (&self->rows);
}

/* Work that goes from task to task. */
static void
prepare_strip (Fixture *self)
{
  guint32 random = 3;
  gint64 time = 0;

  self->trace = make_trace ();
  self->paths.trace = self->trace;
  wp_array_resize (&self->paths.parts, 1);
  wp_array_push (&self->explanation.rows, ((WpExplanationRow) { .category = WP_CATEGORY_UNDERSTOOD }));
  for (guint i = 0; i < n_ops; i++)
    {
      gint64 length = 500 + next_random (&random) % 100000;
      WpId op = 1 + next_random (&random) % (self->trace->ops.len - 1);

      wp_array_push (&self->paths.parts, ((WpPart) { .start = time, .end = time + length, .op = op, .path = 1 }));
      wp_array_push (&self->explanation.pieces, ((WpPiece) { .start = time, .end = time + length, .part = self->paths.parts.len - 1 }));
      time += length;
    }
}

static WpRows *
lay_out_strip (Fixture *self)
{
  return wp_layout_strip (&self->paths, &self->explanation);
}

typedef struct
{
  double median, worst; /* ms of CPU */
} Frames;

typedef struct
{
  double ready; /* ms of CPU */
  Frames zoom[N_SIZES], pan[N_SIZES];
} Cost;

static double
frame (WpPainter *painter, WpPlate *plate, cairo_surface_t *surface, const WpRows *rows, WpViewport *vp, gboolean strip)
{
  double before = wp_bench_cpu_ms ();

  if (strip)
    {
      cairo_t *cr = cairo_create (surface);

      wp_painter_strip (painter, cr, rows, vp, &WP_PAINT_STATE_DEFAULT);
      cairo_destroy (cr);
    }
  else
    {
      wp_viewport_snap (vp, rows);
      wp_plate_show (plate, painter, rows, vp, &WP_PAINT_STATE_DEFAULT, 1);
    }
  return wp_bench_cpu_ms () - before;
}

static Frames
frames_of (double *times, guint n)
{
  double median = wp_bench_median (times, n);

  return (Frames) { median, times[n - 1] };
}

/* Zooms in at a pixel off the middle and out again, and goes to the side a little now and then. */
static void
measure_size (const WpRows *rows, gboolean strip, guint size, Cost *cost)
{
  g_autoptr (WpPainter) painter = wp_painter_new (NULL, WP_THEME_LIGHT);
  WpPlate *plate = wp_plate_new ();
  WpViewport vp = { .width = screens[size].width, .height = screens[size].height, .row_height = 20 };
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) vp.width, (int) vp.height);
  double times[STEPS], pans[N_PANS];
  WpSpanArray spans = { 0 };
  guint32 most = 0;
  guint n_pans = 0;

  wp_viewport_fit (&vp, rows);
  for (guint i = 0; i < STEPS; i++)
    {
      times[i] = frame (painter, plate, surface, rows, &vp, strip);
      wp_fold (rows, &vp, &spans);
      most = MAX (most, spans.len);
      for (guint k = 0; i % PAN_EVERY == PAN_EVERY - 1 && k < PANS; k++)
        {
          wp_viewport_pan (&vp, rows, 20, 5);
          pans[n_pans++] = frame (painter, plate, surface, rows, &vp, strip);
        }
      wp_viewport_zoom (&vp, rows, i < STEPS / 2 ? 1.5 : 1 / 1.5, 700);
    }
  cost->zoom[size] = frames_of (times, STEPS);
  cost->pan[size] = frames_of (pans, n_pans);
  g_print ("  %.0f × %.0f: a zoom step: median %.1f ms, worst %.1f ms, up to %u spans; panning: median %.1f ms, worst %.1f ms\n", vp.width, vp.height,
           cost->zoom[size].median, cost->zoom[size].worst, most, cost->pan[size].median, cost->pan[size].worst);
  wp_array_clear (&spans);
  cairo_surface_destroy (surface);
  wp_plate_free (plate);
}

typedef struct
{
  const char *name;
  void (*prepare) (Fixture *fixture);
  WpRows *(*lay_out) (Fixture *fixture);
  gboolean strip;
} View;

static const View views[] = {
  { "processes", prepare_trace, lay_out_processes },
  { "processes with sleeps", prepare_trace, lay_out_processes_with_sleeps },
  { "nothing unified", prepare_worst, finish_rows },
  { "the same of processes", prepare_worst_processes, finish_rows },
  { "wait chain", prepare_strip, lay_out_strip, TRUE },
};

static Cost
measure (const View *view, gboolean large)
{
  g_autoptr (WpRows) rows = NULL;
  Fixture fixture = { 0 };
  Cost cost = { 0 };
  double begin;

  view->prepare (&fixture);
  begin = wp_bench_cpu_ms ();
  rows = view->lay_out (&fixture);
  cost.ready = wp_bench_cpu_ms () - begin;
  fixture_clear (&fixture);
  g_print ("%s: %u boxes, %u lines, laid out in %.0f ms\n", view->name, rows->boxes.len, rows->lines.len, cost.ready);
  measure_size (rows, view->strip, SMALL, &cost);
  if (large)
    measure_size (rows, view->strip, LARGE, &cost);
  return cost;
}

static void
print_frames (const char *view, const char *what, Frames frames, guint size)
{
  g_autofree char *median = g_strdup_printf ("%s, 10 million operations: %s%s, median", view, what, screens[size].name);
  g_autofree char *worst = g_strdup_printf ("%s, 10 million operations: %s%s, worst", view, what, screens[size].name);

  wp_bench_figure (median, frames.median, "ms", GOAL_MEDIAN_MS * screens[size].goal);
  wp_bench_figure (worst, frames.worst, "ms", GOAL_WORST_MS * screens[size].goal);
}

int
main (void)
{
  static const double sizes[] = { 1e6, 3e6, 1e7 };
  double worst = 0, ready[G_N_ELEMENTS (views)][G_N_ELEMENTS (sizes)];
  Cost last[G_N_ELEMENTS (views)];

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    {
      n_ops = (guint) sizes[s];
      g_print ("%u operations\n", n_ops);
      for (guint i = 0; i < G_N_ELEMENTS (views); i++)
        {
          last[i] = measure (&views[i], s == G_N_ELEMENTS (sizes) - 1);
          ready[i][s] = last[i].ready;
          worst = MAX (worst, last[i].zoom[SMALL].median);
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      g_autofree char *layout = g_strdup_printf ("%s: laid out", views[i].name);

      for (guint size = 0; size < N_SIZES; size++)
        {
          print_frames (views[i].name, "a frame", last[i].zoom[size], size);
          print_frames (views[i].name, "a frame while panning", last[i].pan[size], size);
        }
      wp_bench_growth (layout, sizes, ready[i], G_N_ELEMENTS (sizes));
    }
  if (worst > LIMIT_MS)
    g_printerr ("a zoom step costs %.1f ms of CPU time: more than %.0f ms\n", worst, LIMIT_MS);
  return worst > LIMIT_MS;
}
