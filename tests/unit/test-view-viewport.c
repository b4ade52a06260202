/* Arithmetic of zooming and panning: what is under the pointer stays there, nothing leaves its limits. */
#include "view/viewport.h"

#include <math.h>

static WpRows *
some_rows (gint64 end, guint n)
{
  WpRows *rows = wp_rows_new ();

  for (guint i = 0; i < n; i++)
    {
      wp_array_push (&rows->boxes, ((WpBox) { .start = 0, .end = end }));
      wp_array_push (&rows->rows, ((WpRow) { .first = i, .n = 1 }));
    }
  wp_rows_finish (rows);
  return rows;
}

static void
check_limits (const WpViewport *vp, const WpRows *rows)
{
  double epsilon = MAX (1e-6, (rows->end - rows->start) * 1e-12);

  g_assert_cmpfloat (vp->start, >=, rows->start - epsilon);
  g_assert_cmpfloat (vp->end, <=, rows->end + epsilon);
  g_assert_cmpfloat (vp->end - vp->start, >=, MIN ((double) (rows->end - rows->start), vp->width / 16) - epsilon);
  g_assert_cmpfloat (vp->y, >=, 0);
}

static void
test_pointer_stays (void)
{
  GRand *rand = g_rand_new_with_seed (1);
  g_autoptr (WpRows) rows = some_rows (G_GINT64_CONSTANT (3600000000000), 3);
  WpViewport vp = { .width = 1920, .height = 800, .row_height = 20 };

  wp_viewport_fit (&vp, rows);
  for (guint i = 0; i < 20000; i++)
    {
      double x = g_rand_double_range (rand, 0, vp.width), before = wp_viewport_time (&vp, x);
      double span = vp.end - vp.start;

      wp_viewport_zoom (&vp, rows, exp (g_rand_double_range (rand, -0.5, 0.55)), x);
      check_limits (&vp, rows);
      if (vp.start > rows->start && vp.end < rows->end) /* not held back by an edge */
        g_assert_cmpfloat_with_epsilon (wp_viewport_x (&vp, before), x,
                                        0.02 + 1e-3 * 3.6e12 / 9e15 / ((vp.end - vp.start) / vp.width));
      if (i % 500 == 0)
        wp_viewport_fit (&vp, rows);
      g_assert_cmpfloat (span, >, 0);
    }
  g_rand_free (rand);
}

static void
test_zoom_and_back (void)
{
  g_autoptr (WpRows) rows = some_rows (1000000, 1);
  WpViewport vp = { .width = 1000, .height = 100, .row_height = 20 }, before;

  wp_viewport_fit (&vp, rows);
  wp_viewport_zoom (&vp, rows, 8, 500);
  before = vp;
  wp_viewport_zoom (&vp, rows, 2, 123);
  wp_viewport_zoom (&vp, rows, 0.5, 123);
  g_assert_cmpfloat_with_epsilon (vp.start, before.start, 1e-6);
  g_assert_cmpfloat_with_epsilon (vp.end, before.end, 1e-6);
  wp_viewport_zoom (&vp, rows, 1e-9, 123);
  g_assert_cmpfloat (vp.start, ==, 0);
  g_assert_cmpfloat (vp.end, ==, 1000000);
  wp_viewport_zoom (&vp, rows, 1e12, 500);
  g_assert_cmpfloat_with_epsilon (vp.end - vp.start, 1000.0 / 16, 1e-6);
}

static void
test_pan (void)
{
  g_autoptr (WpRows) rows = some_rows (1000000, 50);
  WpViewport vp = { .width = 1000, .height = 300, .row_height = 20 };

  wp_viewport_fit (&vp, rows);
  wp_viewport_pan (&vp, rows, 100, 40);
  g_assert_cmpfloat (vp.start, ==, 0); /* all is shown already */
  g_assert_cmpfloat (vp.y, ==, 40);
  wp_viewport_zoom (&vp, rows, 10, 500);
  wp_viewport_pan (&vp, rows, 10, 0);
  g_assert_cmpfloat_with_epsilon (vp.start, 451000, 1e-6);
  wp_viewport_pan (&vp, rows, 1e9, 1e9);
  g_assert_cmpfloat_with_epsilon (vp.end, 1000000, 1e-6);
  g_assert_cmpfloat (vp.y, ==, 700);
  wp_viewport_pan (&vp, rows, -1e9, -1e9);
  g_assert_cmpfloat (vp.start, ==, 0);
  g_assert_cmpfloat (vp.y, ==, 0);
}

static void
test_show (void)
{
  g_autoptr (WpRows) rows = some_rows (1000000, 50);
  WpViewport vp = { .width = 1000, .height = 100, .row_height = 20 };

  wp_viewport_fit (&vp, rows);
  wp_viewport_show (&vp, rows, 500000, 600000);
  g_assert_cmpfloat_with_epsilon (vp.start, 498000, 1e-3);
  g_assert_cmpfloat_with_epsilon (vp.end, 602000, 1e-3);
  wp_viewport_show (&vp, rows, 0, 100000);
  g_assert_cmpfloat (vp.start, ==, 0);
  wp_viewport_show (&vp, rows, 10, 10);
  g_assert_cmpfloat_with_epsilon (vp.end - vp.start, 1000.0 / 16, 1e-6);
  wp_viewport_show_row (&vp, rows, 30);
  g_assert_cmpfloat (vp.y, ==, 31 * 20 - 100);
  wp_viewport_show_row (&vp, rows, 2);
  g_assert_cmpfloat (vp.y, ==, 40);
}

/* A flame view starts at its roots, which are below. */
static void
test_home (void)
{
  g_autoptr (WpRows) rows = some_rows (1000000, 50);
  WpViewport vp = { .width = 1000, .height = 100, .row_height = 20 };

  rows->home = 30;
  wp_viewport_fit (&vp, rows);
  g_assert_cmpfloat (vp.y, ==, 31 * 20 - 100);
  vp.height = 2000;
  wp_viewport_fit (&vp, rows);
  g_assert_cmpfloat (vp.y, ==, 0);
}

/* All is shown on whole pixels, too, where the last one may be cut; two pixels less are not all. */
static void
test_shows_all (void)
{
  GRand *rand = g_rand_new_with_seed (9);

  for (guint i = 0; i < 2000; i++)
    {
      g_autoptr (WpRows) rows = some_rows ((gint64) exp (g_rand_double_range (rand, 15, 30)), 3);
      WpViewport vp = { .width = g_rand_int_range (rand, 100, 4000), .height = 200, .row_height = 22 }, less;

      wp_viewport_fit (&vp, rows);
      wp_viewport_snap (&vp, rows);
      g_assert_true (wp_viewport_shows_all (&vp, rows));
      less = vp;
      less.start += 2 * wp_viewport_cell (&vp);
      g_assert_false (wp_viewport_shows_all (&less, rows));
      less = vp;
      less.end -= 2 * wp_viewport_cell (&vp);
      g_assert_false (wp_viewport_shows_all (&less, rows));
    }
  g_rand_free (rand);
}

static void
test_history (void)
{
  WpZoomTrail *history = wp_zoom_trail_new ();
  WpViewport vp = { .width = 640 };

  g_assert_false (wp_zoom_trail_can (history, -1));
  g_assert_false (wp_zoom_trail_can (history, 1));
  g_assert_false (wp_zoom_trail_back (history, &vp));
  for (guint i = 0; i < 3; i++)
    {
      vp.start = i;
      vp.end = 10 + i;
      wp_zoom_trail_push (history, &vp);
      wp_zoom_trail_push (history, &vp); /* the same place twice is one */
    }
  vp.width = 800;
  g_assert_true (wp_zoom_trail_back (history, &vp));
  g_assert_cmpfloat (vp.start, ==, 1);
  g_assert_cmpfloat (vp.width, ==, 800);
  g_assert_true (wp_zoom_trail_back (history, &vp));
  g_assert_cmpfloat (vp.start, ==, 0);
  g_assert_false (wp_zoom_trail_back (history, &vp));
  g_assert_true (wp_zoom_trail_forward (history, &vp));
  g_assert_cmpfloat (vp.end, ==, 11);
  vp.start = 7;
  wp_zoom_trail_push (history, &vp); /* drops what was forward */
  g_assert_false (wp_zoom_trail_can (history, 1));
  g_assert_true (wp_zoom_trail_back (history, &vp));
  g_assert_cmpfloat (vp.start, ==, 1);
  for (guint i = 0; i < 1000; i++)
    {
      vp.start = 100 + i;
      wp_zoom_trail_push (history, &vp);
    }
  for (guint i = 0; wp_zoom_trail_back (history, &vp); i++)
    g_assert_cmpuint (i, <, 1000);
  g_assert_cmpfloat (vp.start, >, 100);
  wp_zoom_trail_free (history);
}

/* All rows are in sight, as high as that lets them be; what would be too low to read stays higher than fits. */
static void
test_fitting_height (void)
{
  for (guint n = 1; n < 200; n++)
    {
      g_autoptr (WpRows) rows = some_rows (1000, n);
      WpViewport vp = { .width = 500, .height = 600, .row_height = 22 };
      double height = wp_viewport_fitting_height (&vp, rows, 22);

      vp.row_height = height + 1;
      g_assert_true (height == 22 || wp_rows_y (rows, &vp, n) > vp.height);
      vp.row_height = height;
      g_assert_true (height == WP_ROW_HEIGHT_LEAST || wp_rows_y (rows, &vp, n) <= vp.height);
      g_assert_true (height >= WP_ROW_HEIGHT_LEAST && height <= 22);
    }
}

/* On whole pixels it is where it was, to a pixel; it stays there; and however it is panned a pixel is exactly as much. */
static void
test_snap (void)
{
  GRand *rand = g_rand_new_with_seed (5);

  for (guint i = 0; i < 2000; i++)
    {
      g_autoptr (WpRows) rows = some_rows ((gint64) exp (g_rand_double_range (rand, 5, 30)), 30);
      WpViewport vp = { .width = g_rand_int_range (rand, 100, 4000), .height = 200, .row_height = 22 }, before, snapped;
      double cell;

      wp_viewport_fit (&vp, rows);
      wp_viewport_zoom (&vp, rows, exp (g_rand_double_range (rand, 0, 12)), g_rand_double_range (rand, 0, vp.width));
      wp_viewport_pan (&vp, rows, 0, g_rand_double_range (rand, 0, 400));
      before = snapped = vp;
      wp_viewport_snap (&snapped, rows);
      cell = wp_viewport_cell (&snapped);
      g_assert_cmpfloat (fabs (snapped.start - before.start), <=, 0.51 * cell);
      g_assert_cmpfloat (fabs (snapped.end - before.end), <=, 0.52 * cell);
      g_assert_cmpfloat (fabs (snapped.y - before.y), <=, 0.5);
      vp = snapped;
      wp_viewport_snap (&vp, rows);
      g_assert_cmpmem (&vp, sizeof vp, &snapped, sizeof snapped);
      for (guint k = 0; k < 20; k++)
        {
          wp_viewport_pan (&vp, rows, g_rand_double_range (rand, -500, 500), g_rand_double_range (rand, -50, 50));
          wp_viewport_snap (&vp, rows);
          g_assert_true (wp_viewport_cell (&vp) == cell);
          g_assert_true (fmod (vp.start - (double) rows->start, cell) == 0);
          g_assert_true (vp.y == floor (vp.y));
        }
    }
  g_rand_free (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/viewport/pointer-stays", test_pointer_stays);
  g_test_add_func ("/viewport/zoom-and-back", test_zoom_and_back);
  g_test_add_func ("/viewport/pan", test_pan);
  g_test_add_func ("/viewport/show", test_show);
  g_test_add_func ("/viewport/home", test_home);
  g_test_add_func ("/viewport/history", test_history);
  g_test_add_func ("/viewport/fitting-height", test_fitting_height);
  g_test_add_func ("/viewport/snap", test_snap);
  g_test_add_func ("/viewport/shows-all", test_shows_all);
  return g_test_run ();
}
