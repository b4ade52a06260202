/* The window at a large store: how long until there are rows, and how long it is ever busy with one thing, which is how long it cannot answer.
 *
 *   bench-store-window FOLDER
 *
 * FOLDER: where bench-store keeps its repository; made if it is missing. Needs a display. Fails if the first rows take more than 100 ms or
 * one of twenty frames while scrolling more than 16 ms. */
#include "app/shell/application.h"
#include "app/history/history-page.h"
#include "app/store/store-panel.h"
#include "app/shell/window.h"
#include "large-store.h"
#include "main-loop.h"
#include "window-measure.h"

#define COMMITS 100000
#define PROFILES 10000
#define TIMES 9
#define FIRST_ROWS_MAX 100.0
#define FRAME_MAX 16.0

typedef struct
{
  GtkWindow *window;
  WpStorePanel *panel;
  WpStoreModel *model; /* the panel's */
  GArray *frames; /* double: what each frame cost, in ms, while it is not NULL */
  gint64 frame_begun;
  guint n_painted;
} Bench;

/* --- frames ------------------------------------------------------------------------------------------------------------------------ */

static void
on_before_paint (GdkFrameClock *clock, Bench *self)
{
  self->frame_begun = g_get_monotonic_time ();
}

static void
on_after_paint (GdkFrameClock *clock, Bench *self)
{
  double took = since (self->frame_begun);

  self->n_painted++;
  if (self->frames != NULL)
    g_array_append_val (self->frames, took);
}

static void
next_frame (Bench *self)
{
  guint before = self->n_painted;

  gtk_widget_queue_draw (GTK_WIDGET (self->panel));
  RUN_UNTIL (self->n_painted != before);
}

/* --- figures ---------------------------------------------------------------------------------------------------------------------- */

static int
compare_times (gconstpointer a, gconstpointer b)
{
  return (*(const double *) a > *(const double *) b) - (*(const double *) a < *(const double *) b);
}

static double
at (const GArray *sorted, double share)
{
  return g_array_index (sorted, double, (guint) (share * (sorted->len - 1)));
}

static void
say (const char *what, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
say (const char *what, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_print ("%-44s %s; busy for at most %.1f ms (%.1f ms of CPU)\n", what, text, (double) longest_busy / 1000,
           (double) longest_cpu / 1000);
  forget_busy ();
}

/* Gives what 95 % of them stay below: now and then a frame waits for the machine. */
static double
say_frames (Bench *self, const char *what)
{
  g_autoptr (GArray) frames = g_steal_pointer (&self->frames);

  g_array_sort (frames, compare_times);
  say (what, "%u frames: median %.1f ms, 95 %% below %.1f ms, longest %.1f ms", frames->len, at (frames, 0.5), at (frames, 0.95),
       at (frames, 1));
  return at (frames, 0.95);
}

static void
begin_frames (Bench *self)
{
  self->frames = g_array_new (FALSE, FALSE, sizeof (double));
}

/* --- the panel -------------------------------------------------------------------------------------------------------------------- */

static GtkDropDown *
drop_down (Bench *self, guint nth)
{
  return GTK_DROP_DOWN (find_nth (GTK_WIDGET (self->panel), GTK_TYPE_DROP_DOWN, nth));
}

#define BRANCHES 0
#define COMMANDS 2

static GListModel *
rows (Bench *self)
{
  return G_LIST_MODEL (wp_store_model_rows (self->model));
}

static void
set_filter (Bench *self, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (find_widget (GTK_WIDGET (self->panel), GTK_TYPE_SEARCH_ENTRY)), text);
  run_for (250); /* the entry waits for more for 150 ms */
}

static GtkAdjustment *
adjustment (Bench *self)
{
  return gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (find_widget (GTK_WIDGET (self->panel), GTK_TYPE_SCROLLED_WINDOW)));
}

static void
settle (Bench *self)
{
  RUN_UNTIL (!wp_store_model_is_reading (self->model)
             && (wp_store_model_last (self->model) == NULL || wp_store_model_tree (self->model) != WP_STORE_TREE_UNKNOWN));
  run_for (300); /* figures of what is seen, moves of what fades */
}

static gboolean
has_rows (Bench *self)
{
  GtkWidget *row = gtk_widget_get_first_child (find_widget (GTK_WIDGET (self->panel), GTK_TYPE_LIST_VIEW));

  while (row != NULL && (!gtk_widget_get_mapped (row) || gtk_widget_get_height (row) <= 1)) /* some are kept aside */
    row = gtk_widget_get_next_sibling (row);
  return wp_store_model_session (self->model) != NULL && row != NULL;
}

static const char *
first_commit (Bench *self)
{
  GPtrArray *commits = wp_store_rows_commits (wp_store_model_rows (self->model));

  return commits->len > 0 ? ((const WpStoreCommit *) commits->pdata[0])->hash : "";
}

static void
until_painted (Bench *self)
{
  RUN_UNTIL (has_rows (self));
  next_frame (self);
}

/* Each time anew: of what was read before, nothing is kept but what the system keeps. */
static double
first_rows (Bench *self, const char *repo)
{
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));

  for (guint i = 0; i < TIMES; i++)
    {
      gint64 begun;
      double took;

      wp_store_model_open (self->model, NULL);
      settle (self);
      if (i == 0)
        forget_busy ();
      begun = g_get_monotonic_time ();
      wp_store_model_open (self->model, repo);
      until_painted (self);
      took = since (begun);
      g_array_append_val (times, took);
    }
  g_array_sort (times, compare_times);
  say ("folder chosen until rows are on the screen", "median of %u %.1f ms, longest %.1f ms", TIMES, at (times, 0.5), at (times, 1));
  return at (times, 0.5);
}

/* `pixels` a frame: 53 are what a touchpad moves at most, some 500 a hand that turns the wheel as fast as it can. */
static double
scroll (Bench *self, const char *what, double pixels, guint n)
{
  GtkAdjustment *bar = adjustment (self);

  begin_frames (self);
  for (guint i = 0; i < n; i++)
    {
      gtk_adjustment_set_value (bar, gtk_adjustment_get_value (bar) + pixels);
      next_frame (self);
    }
  return say_frames (self, what);
}

/* The scroll bar, dragged all over the list. */
static double
leap (Bench *self, guint n)
{
  GtkAdjustment *bar = adjustment (self);
  double upper = gtk_adjustment_get_upper (bar) - gtk_adjustment_get_page_size (bar);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  begin_frames (self);
  for (guint i = 0; i < n; i++)
    {
      gtk_adjustment_set_value (bar, g_rand_double_range (random, 0, upper));
      next_frame (self);
    }
  return say_frames (self, "scroll bar dragged all over the list");
}

static void
type (Bench *self, const char *text)
{
  guint n = 0;

  begin_frames (self);
  for (const char *end = text + 1; end[-1] != '\0'; end++)
    {
      g_autofree char *typed = g_strndup (text, (gsize) (end - text));

      set_filter (self, typed);
      n = g_list_model_get_n_items (rows (self));
    }
  set_filter (self, "");
  g_print ("filtered by “%s”: %u rows\n", text, n);
  say_frames (self, "filter typed, and cleared");
}

/* As the first time a filter is typed: everything is read. */
static void
read_all (Bench *self)
{
  gint64 begun = g_get_monotonic_time ();

  set_filter (self, "commit 31415");
  RUN_UNTIL (!wp_store_model_has_more (self->model));
  say ("filter that reads all commits", "%.0f ms, %u rows found", since (begun), g_list_model_get_n_items (rows (self)));
  set_filter (self, "");
  say ("cleared", "%u rows", g_list_model_get_n_items (rows (self)));
}

static void
choose (Bench *self, guint which, const char *what)
{
  gint64 begun = g_get_monotonic_time ();

  gtk_drop_down_set_selected (drop_down (self, COMMANDS), which);
  next_frame (self);
  say (what, "%.1f ms, %u rows", since (begun), g_list_model_get_n_items (rows (self)));
}

static void
branch (Bench *self, const char *what)
{
  guint other = gtk_drop_down_get_selected (drop_down (self, BRANCHES)) == 0;
  g_autofree char *before = g_strdup (first_commit (self));
  gint64 begun = g_get_monotonic_time ();

  gtk_drop_down_set_selected (drop_down (self, BRANCHES), other);
  RUN_UNTIL (!g_str_equal (first_commit (self), before));
  until_painted (self);
  say (what, "%.1f ms until its rows are on the screen", since (begun));
  settle (self);
  forget_busy ();
}

static void
history (Bench *self)
{
  gint64 begun = g_get_monotonic_time ();
  GtkWidget *page = NULL, *spinner = NULL;
  double first = 0;

  gtk_widget_activate_action (GTK_WIDGET (self->panel), "store.history", NULL);
  begin_frames (self);
  while (page == NULL || first == 0 || gtk_widget_get_visible (spinner))
    {
      g_main_context_iteration (NULL, TRUE);
      if (page == NULL && (page = find_widget (GTK_WIDGET (self->window), WP_TYPE_HISTORY_PAGE)) != NULL)
        spinner = find_widget (page, GTK_TYPE_SPINNER);
      if (page != NULL && first == 0 && gtk_widget_get_mapped (spinner))
        first = since (begun);
    }
  say ("history: first points", "%.0f ms; all %u profiles %.0f ms", first, PROFILES, since (begun));
  say_frames (self, "while it was read");
}

/* --- all of it --------------------------------------------------------------------------------------------------------------------- */

static void
open_window (Bench *self, GtkApplication *application)
{
  GdkFrameClock *clock;

  self->window = GTK_WINDOW (wp_window_new (application));
  gtk_window_set_default_size (self->window, 1300, 860);
  gtk_window_present (self->window);
  self->panel = WP_STORE_PANEL (find_widget (GTK_WIDGET (self->window), WP_TYPE_STORE_PANEL));
  self->model = wp_store_panel_model (self->panel);
  RUN_UNTIL (gtk_widget_get_mapped (GTK_WIDGET (self->panel)));
  clock = gtk_widget_get_frame_clock (GTK_WIDGET (self->window));
  g_signal_connect (clock, "before-paint", G_CALLBACK (on_before_paint), self);
  g_signal_connect (clock, "after-paint", G_CALLBACK (on_after_paint), self);
  settle (self);
}

static double
measure (Bench *self, const char *repo, double *rows)
{
  double longest[4];

  *rows = first_rows (self, repo);
  settle (self);
  forget_busy ();
  longest[0] = scroll (self, "scrolled while commits are read", 53, 300);
  longest[1] = scroll (self, "the same, as fast as a hand turns the wheel", 500, 300);
  settle (self);
  forget_busy ();
  read_all (self);
  longest[2] = scroll (self, "scrolled with all of them there", 53, 300);
  longest[3] = leap (self, 100);
  settle (self);
  forget_busy ();
  type (self, "commit 4242");
  choose (self, 1, "a command chosen");
  choose (self, 0, "all commands again");
  branch (self, "another branch chosen");
  branch (self, "and back");
  history (self);
  return MAX (MAX (longest[0], longest[1]), MAX (longest[2], longest[3]));
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GApplication) application = NULL;
  g_autofree char *repo = NULL;
  Bench bench = { 0 };
  double rows, longest;

  if (argc != 2)
    g_error ("bench-store-window FOLDER");
  large_store_make (argv[1], COMMITS, PROFILES);
  repo = g_build_filename (argv[1], "repo", NULL);
  application = G_APPLICATION (wp_application_new ());
  g_application_set_flags (application, G_APPLICATION_NON_UNIQUE);
  if (!g_application_register (application, NULL, &error))
    g_error ("%s", error->message);
  g_main_context_set_poll_func (NULL, timing_poll);
  open_window (&bench, GTK_APPLICATION (application));
  longest = measure (&bench, repo, &rows);
  gtk_window_destroy (bench.window);
  if (rows > FIRST_ROWS_MAX)
    g_printerr ("the first rows took more than %.0f ms\n", FIRST_ROWS_MAX);
  if (longest > FRAME_MAX)
    g_printerr ("frames took more than %.0f ms\n", FRAME_MAX);
  return rows > FIRST_ROWS_MAX || longest > FRAME_MAX;
}
