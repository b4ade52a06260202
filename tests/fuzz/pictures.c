/* Draws what a view shows, small, into files in memory. */
#include "pictures.h"

#include "paint/paint.h"
#include "view/viewport.h"

#include <math.h>

#define WIDTH 320
#define HEIGHT 200
#define AXIS 24             /* its texts are as large as those of rows: a painter keeps one size of texts */
#define WHOLE_EVERY 64      /* a PNG or a PDF takes 20 ms, which goes into packing */
#define PAINTED_EVERY 3
#define WHOLE_ROWS_MAX 100

static const char *const names[WP_PICTURE_FORMAT_COUNT] = { "p.png", "p.svg", "p.pdf" };

/* Boxes of a row stand in order and do not overlap. */
static void
check (const WpRows *rows)
{
  for (guint32 r = 0; r < rows->rows.len; r++)
    {
      const WpRow *row = &rows->rows.data[r];

      g_assert_cmpuint ((guint64) row->first + row->n, <=, rows->boxes.len);
      for (guint32 b = row->first; b < row->first + row->n; b++)
        {
          const WpBox *box = &rows->boxes.data[b];

          g_assert_cmpint (box->start, <, box->end);
          g_assert_true (b == row->first || box[-1].end <= box->start);
          g_assert_cmpuint (box->kind, <, WP_BOX_KIND_COUNT);
        }
    }
}

static void
look (const WpRows *rows, WpViewport *viewport, WpSpanArray *spans, WpIdArray *lines)
{
  wp_fold (rows, viewport, spans);
  wp_fold_lines (rows, viewport, lines);
  for (guint32 i = 0; i < spans->len; i++)
    {
      g_assert_cmpuint (spans->data[i].row, <, rows->rows.len);
      g_assert_cmpuint (spans->data[i].box, <, rows->boxes.len);
      g_assert_true (isfinite (spans->data[i].x0) && isfinite (spans->data[i].x1));
    }
}

/* What a canvas does, on a painter that lives as long as the process. */
static WpPainter *
canvas (cairo_t **cr, FuzzRandom *choice)
{
  static WpPainter *painter;
  static cairo_surface_t *surface;

  if (painter == NULL)
    {
      painter = wp_painter_new (NULL, WP_THEME_LIGHT);
      surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
    }
  wp_painter_set_theme (painter, fuzz_below (choice, 4));
  *cr = cairo_create (surface);
  return painter;
}

static void
finish (cairo_t *cr)
{
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
}

static void
paint (const WpRows *rows, const WpViewport *viewport, FuzzRandom *choice)
{
  WpPaintState state = WP_PAINT_STATE_DEFAULT;
  cairo_t *cr;
  WpPainter *painter = canvas (&cr, choice);

  if (rows->boxes.len > 0 && fuzz_one_in (choice, 2))
    state.selected = state.hovered = fuzz_below (choice, rows->boxes.len);
  wp_painter_boxes (painter, cr, rows, viewport, &state);
  wp_painter_axis (painter, cr, rows, viewport, AXIS);
  wp_painter_row_names (painter, cr, rows, viewport, WIDTH / 3);
  wp_painter_legend_lines (painter, cr, rows, WIDTH, AXIS);
  wp_painter_minimap (painter, cr, rows, viewport, WIDTH, AXIS);
  finish (cr);
}

static void
move_about (const WpRows *rows, FuzzRandom *choice)
{
  WpViewport viewport = { .width = WIDTH, .height = HEIGHT, .row_height = 20 };
  WpSpanArray spans = { 0 };
  WpIdArray lines = { 0 };

  wp_viewport_fit (&viewport, rows);
  look (rows, &viewport, &spans, &lines);
  for (guint i = 0; i < 3; i++)
    {
      wp_viewport_zoom (&viewport, rows, exp2 ((double) fuzz_below (choice, 30) - 5), fuzz_below (choice, WIDTH));
      wp_viewport_pan (&viewport, rows, (double) fuzz_below (choice, 1000) - 500, (double) fuzz_below (choice, 1000) - 500);
      look (rows, &viewport, &spans, &lines);
    }
  if (fuzz_one_in (choice, 2))
    wp_viewport_fit (&viewport, rows);
  if (fuzz_one_in (choice, PAINTED_EVERY))
    paint (rows, &viewport, choice);
  for (guint32 r = 0; r < rows->rows.len && r < 50; r++)
    {
      wp_viewport_show_row (&viewport, rows, r);
      wp_rows_box_at (rows, r, (gint64) fuzz_next (choice));
      if (rows->rows.data[r].n > 0)
        g_assert_cmpuint (wp_rows_row_of (rows, rows->rows.data[r].first), ==, r);
    }
  wp_array_clear (&spans);
  wp_array_clear (&lines);
}

static void
write_picture (const WpRows *rows, FuzzRandom *choice)
{
  WpPictureFormat format = fuzz_below (choice, WP_PICTURE_FORMAT_COUNT);
  g_autofree char *path = fuzz_path (names[format]);
  g_autoptr (GError) error = NULL;

  g_assert_true (wp_picture_write (path, format, rows, "title", WIDTH,
                                   &(WpPictureStyle) { fuzz_below (choice, 4), fuzz_below (choice, 2) },
                                       &error) == (error == NULL));
}

void
fuzz_show_rows (const WpRows *rows, FuzzRandom *choice)
{
  check (rows);
  move_about (rows, choice);
  if (rows->rows.len <= WHOLE_ROWS_MAX && fuzz_one_in (choice, WHOLE_EVERY))
    write_picture (rows, choice);
}

static void
write_chart (const WpChartPlace *place, FuzzRandom *choice)
{
  WpPictureFormat format = fuzz_below (choice, WP_PICTURE_FORMAT_COUNT);
  g_autofree char *path = fuzz_path (names[format]);
  g_autoptr (GError) error = NULL;

  g_assert_true (wp_picture_write_chart (path, format, place, fuzz_below (choice, 4), &error) == (error == NULL));
}

static void
paint_chart (const WpChartPlace *place, FuzzRandom *choice)
{
  cairo_t *cr;
  WpPainter *painter = canvas (&cr, choice);
  double x, y;
  guint32 hovered = wp_painter_chart_at (painter, place, fuzz_below (choice, WIDTH), fuzz_below (choice, HEIGHT));

  wp_painter_chart (painter, cr, place, hovered);
  wp_painter_chart_hovered (painter, cr, place, hovered);
  wp_painter_chart_place (painter, place, 10, 10, &x, &y);
  finish (cr);
}

void
fuzz_show_chart (const WpChart *chart, FuzzRandom *choice)
{
  WpChartView view = wp_chart_whole (chart);
  WpChartPlace place = { chart, &view, WIDTH, HEIGHT };

  g_assert_true (chart->x0 < chart->x1 && chart->y0 < chart->y1);
  if (fuzz_one_in (choice, 2))
    {
      wp_chart_view_zoom (&view, chart, exp2 ((double) fuzz_below (choice, 20) - 5), view.x0, view.y1, TRUE);
      wp_chart_view_pan (&view, chart, view.x1 - view.x0, view.y0 - view.y1);
    }
  for (guint32 i = 0; i < chart->points.len && i < 20; i++)
    {
      g_assert_cmpuint (wp_chart_series_of (chart, i), <, chart->series.len);
      g_free (wp_chart_describe (chart, i));
    }
  if (fuzz_one_in (choice, PAINTED_EVERY))
    paint_chart (&place, choice);
  place.view = NULL;
  if (fuzz_one_in (choice, WHOLE_EVERY))
    write_chart (&place, choice);
}
