/* The window at a recording of millions of operations: how long until its first picture, how soon it answers the pointer and a search, and how long
 * it is ever busy with one thing from opening to closing, which is how long it cannot answer.
 *
 *   bench-large-window FILE
 *
 * Needs a display. Fails if it is ever busy for more than a second. */
#include "app/page/page.h"
#include "app/page/search-bar.h"
#include "app/page/views.h"
#include "app/shell/application.h"
#include "app/shell/window.h"
#include "figures.h"
#include "main-loop.h"
#include "measure.h"
#include "window-measure.h"

#define GOAL_FIRST_MS 1500
#define GOAL_BUSY_MS 50
#define GOAL_HOVER_MS 1
#define GOAL_SEARCH_MS 200
#define LIMIT_BUSY_MS 1000
#define N_HOVERS 500
#define N_STEPS 20

typedef struct
{
  GtkWindow *window;
  WpPage *page;
  WpViews *views;
  double busy;           /* the longest so far, ms */
  const char *busy_with;
  double cpu; /* of all threads, until what was said last, ms */
} Bench;

/* What was done since the last time. */
static void
say (Bench *self, const char *what, gint64 begun)
{
  double busy = (double) longest_busy / 1000, cpu = wp_bench_cpu_ms ();

  g_print ("%-36s %7.0f ms, %7.0f ms of CPU on all threads; busy for at most %6.1f ms (%.1f ms of CPU)\n", what, since (begun), cpu - self->cpu, busy,
           (double) longest_cpu / 1000);
  self->cpu = cpu;
  if (busy > self->busy)
    {
      self->busy = busy;
      self->busy_with = what;
    }
  forget_busy ();
}

static void
on_after_paint (GdkFrameClock *clock, guint *n_painted)
{
  ++*n_painted;
}

static void
next_frame (GtkWidget *widget)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (widget);
  guint n_painted = 0;
  gulong handler = g_signal_connect (clock, "after-paint", G_CALLBACK (on_after_paint), &n_painted);

  gtk_widget_queue_draw (widget);
  RUN_UNTIL (n_painted > 0);
  g_signal_handler_disconnect (clock, handler);
}

static WpCanvas *
canvas_of (Bench *self)
{
  return wp_views_canvas (self->views);
}

static gboolean
has_picture (Bench *self)
{
  return gtk_widget_get_mapped (GTK_WIDGET (canvas_of (self))) && wp_canvas_ready (canvas_of (self));
}

static void
settle (Bench *self)
{
  RUN_UNTIL (!wp_page_busy (self->page) && has_picture (self));
  next_frame (GTK_WIDGET (canvas_of (self)));
}

static double
open_file (Bench *self, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  gint64 begun = g_get_monotonic_time ();
  double first;

  wp_window_open (WP_WINDOW (self->window), file, NULL);
  RUN_UNTIL ((self->page = (WpPage *) find_widget (GTK_WIDGET (self->window), WP_TYPE_PAGE)) != NULL
             && (self->views = (WpViews *) find_widget (GTK_WIDGET (self->page), WP_TYPE_VIEWS)) != NULL && has_picture (self));
  next_frame (GTK_WIDGET (canvas_of (self)));
  first = since (begun);
  say (self, "opened: first picture", begun);
  settle (self);
  say (self, "opened: names, and the rest", begun);
  return first;
}

/* Closer and closer about a place off the middle, along it, and out again. */
static void
zoom (Bench *self, const char *what)
{
  WpCanvas *canvas = canvas_of (self);
  gint64 begun = g_get_monotonic_time ();

  for (guint i = 0; i < 2 * N_STEPS; i++)
    {
      wp_canvas_zoom_at (canvas, i < N_STEPS ? WP_ZOOM_STEP : 1 / WP_ZOOM_STEP, 500);
      next_frame (GTK_WIDGET (canvas));
      wp_canvas_pan (canvas, 40, 10);
      next_frame (GTK_WIDGET (canvas));
    }
  wp_canvas_fit (canvas);
  next_frame (GTK_WIDGET (canvas));
  say (self, what, begun);
}

/* What the tooltip says where the pointer is; gives the median, ms. */
static double
hover (Bench *self)
{
  GtkWidget *canvas = GTK_WIDGET (canvas_of (self));
  g_autoptr (GtkTooltip) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  gint64 begun = g_get_monotonic_time ();
  double times[N_HOVERS];
  guint n = 0;

  while (n < N_HOVERS)
    {
      int x = g_rand_int_range (random, 0, gtk_widget_get_width (canvas)), y = g_rand_int_range (random, 0, gtk_widget_get_height (canvas));
      double before = wp_bench_cpu_ms ();

      if (GTK_WIDGET_GET_CLASS (canvas)->query_tooltip (canvas, x, y, FALSE, tooltip))
        times[n++] = wp_bench_cpu_ms () - before;
    }
  run_for (0);
  forget_busy (); /* with all of them at once */
  say (self, "pointed at", begun);
  return wp_bench_median (times, N_HOVERS);
}

static void
on_search_changed (WpSearchBar *bar, gboolean *changed)
{
  *changed = TRUE;
}

/* Until what matches is on the screen; gives ms. */
static double
search (Bench *self, const char *text)
{
  WpSearchBar *bar = WP_SEARCH_BAR (find_widget (GTK_WIDGET (self->page), WP_TYPE_SEARCH_BAR));
  gint64 begun = g_get_monotonic_time ();
  gboolean changed = FALSE;
  gulong handler = g_signal_connect (bar, "changed", G_CALLBACK (on_search_changed), &changed);
  double took;

  wp_search_bar_open (bar, text);
  RUN_UNTIL (changed);
  g_signal_handler_disconnect (bar, handler);
  next_frame (GTK_WIDGET (canvas_of (self)));
  took = since (begun);
  settle (self);
  say (self, "searched", begun);
  wp_canvas_clear (canvas_of (self));
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.search", NULL);
  settle (self);
  forget_busy ();
  return took;
}

static void
turn (Bench *self, WpAction action, gboolean on, const char *what)
{
  gint64 begun = g_get_monotonic_time ();

  wp_page_do (self->page, action, g_variant_new_boolean (on));
  settle (self);
  say (self, what, begun);
}

static void
show_view (Bench *self, const char *id, const char *what)
{
  gint64 begun = g_get_monotonic_time ();

  wp_page_do (self->page, WP_ACTION_VIEW, g_variant_new_string (id));
  settle (self);
  say (self, what, begun);
}

/* Of the task with the most boxes. */
static void
explain (Bench *self)
{
  const WpRows *rows = wp_canvas_rows (canvas_of (self));
  gint64 begun = g_get_monotonic_time ();
  guint32 most = 0;

  for (guint32 i = 1; i < rows->rows.len; i++)
    if (rows->rows.data[i].n > rows->rows.data[most].n)
      most = i;
  wp_canvas_select (canvas_of (self), rows->rows.data[most].first + rows->rows.data[most].n / 2, TRUE);
  settle (self);
  say (self, "a box selected", begun);
  begun = g_get_monotonic_time ();
  wp_page_do (self->page, WP_ACTION_OPEN_FLAME, NULL);
  RUN_UNTIL (wp_views_current (self->views) == WP_VIEW_FLAME);
  settle (self);
  say (self, "its process explained: flame view", begun);
}

static gboolean
on_close (gpointer window)
{
  gtk_widget_activate_action (window, "win.close-tab", NULL);
  return G_SOURCE_REMOVE;
}

static void
close_it (Bench *self)
{
  gint64 begun = g_get_monotonic_time ();
  gpointer page = self->page;

  g_object_add_weak_pointer (G_OBJECT (self->page), &page);
  g_idle_add (on_close, self->window); /* as a key does: the main loop runs */
  RUN_UNTIL (page == NULL);
  run_for (1000);
  say (self, "closed", begun);
}

static void
measure (Bench *self, const char *path)
{
  double first = open_file (self, path), hovered, searched;
  g_autofree char *busy = NULL;

  g_print ("%u boxes in %u rows\n", wp_canvas_rows (canvas_of (self))->boxes.len, wp_canvas_rows (canvas_of (self))->rows.len);
  zoom (self, "zoomed: Processes");
  hovered = hover (self);
  searched = search (self, "sleep|sched");
  turn (self, WP_ACTION_SHOW_SLEEPS, TRUE, "sleeps shown");
  zoom (self, "zoomed: with sleeps");
  turn (self, WP_ACTION_BY_CPU, TRUE, "rows of CPUs");
  turn (self, WP_ACTION_BY_CPU, FALSE, "rows of tasks");
  explain (self);
  zoom (self, "zoomed: Flame");
  hovered = MAX (hovered, hover (self));
  searched = MAX (searched, search (self, "read|write"));
  show_view (self, "consolidated", "consolidated");
  zoom (self, "zoomed: Consolidated");
  turn (self, WP_ACTION_INVERTED, TRUE, "inverted");
  turn (self, WP_ACTION_INVERTED, FALSE, "and back");
  show_view (self, "processes", "back to Processes");
  close_it (self);
  busy = g_strdup_printf ("busy with one thing for at most (%s)", self->busy_with);
  wp_bench_figure ("first picture of Processes", first, "ms", GOAL_FIRST_MS);
  wp_bench_figure ("tooltip of what is pointed at, CPU", hovered, "ms", GOAL_HOVER_MS);
  wp_bench_figure ("search until its matches are drawn", searched, "ms", GOAL_SEARCH_MS);
  wp_bench_figure (busy, self->busy, "ms", GOAL_BUSY_MS);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GApplication) application = NULL;
  Bench bench = { 0 };

  if (argc != 2)
    g_error ("bench-large-window FILE");
  application = G_APPLICATION (wp_application_new ());
  g_application_set_flags (application, G_APPLICATION_NON_UNIQUE);
  if (!g_application_register (application, NULL, &error))
    g_error ("%s", error->message);
  g_main_context_set_poll_func (NULL, timing_poll);
  bench.window = GTK_WINDOW (wp_window_new (GTK_APPLICATION (application)));
  gtk_window_set_default_size (bench.window, 1900, 1000);
  gtk_window_present (bench.window);
  run_for (500);
  forget_busy ();
  measure (&bench, argv[1]);
  gtk_window_destroy (bench.window);
  return bench.busy > LIMIT_BUSY_MS;
}
