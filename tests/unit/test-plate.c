/* The pixels that the canvas keeps: after any pan they are those of a picture that is painted whole, and little of it was painted; what is the same is not
 * painted at all. */
#include "paint/paint-private.h"

#include <math.h>

#define ROWS 60
#define WIDTH 500
#define HEIGHT 301

/* Boxes from crumbs to such as are wider than the area, in groups, some folded, some ghosts, with gaps, notches and links. */
static WpRows *
random_rows (GRand *rand, gboolean shaded)
{
  WpRows *rows = wp_rows_new ();

  rows->shaded = shaded;
  rows->is_time = TRUE;
  rows->of_recording = g_rand_boolean (rand);
  wp_array_push (&rows->hidden, ((WpHidden) { 0 }));
  wp_array_push (&rows->hidden, ((WpHidden) { 0 }));
  for (guint r = 0; r < ROWS; r++)
    {
      gint64 time = g_rand_int_range (rand, 0, 1000), most = g_rand_boolean (rand) ? 300 : 30000;
      guint32 first = rows->boxes.len;

      while (time < 1000000)
        {
          gint64 length = (gint64) exp (g_rand_double_range (rand, 0, log ((double) most)));
          char name[64];

          g_snprintf (name, sizeof name, "%.*s_%d", g_rand_int_range (rand, 1, 40), "wait_for_something_that_another_one_does",
                      g_rand_int_range (rand, 0, 3));
          wp_array_push (&rows->boxes,
                         ((WpBox) { .start = time, .end = time + length, .kind = (guint8) g_rand_int_range (rand, 0, WP_BOX_KIND_COUNT),
                                    .body = g_rand_int_range (rand, 0, WP_BODY_COUNT), .pale = g_rand_boolean (rand), .ghost = r % 7 == 6,
                                    .hidden = g_rand_boolean (rand), .label = wp_strings_intern (rows->strings, name) }));
          if (length > 50 && r % 3 == 0)
            wp_array_push (&rows->notches, ((WpNotch) { time + length / 4, time + length / 2, r }));
          time += length + (g_rand_boolean (rand) ? 0 : g_rand_int_range (rand, 0, 40));
        }
      wp_array_push (&rows->rows, ((WpRow) { .first = first, .n = rows->boxes.len - first, .group = r % 4 == 3, .ref = r + 1 }));
    }
  for (guint i = 0; i < 3000; i++)
    {
      gint64 start = g_rand_int_range (rand, 0, 1000000);

      wp_array_push (&rows->lines, ((WpLine) { .start = start, .end = start + g_rand_int_range (rand, 0, 200), .from_row = (guint32) g_rand_int_range (rand, 0, ROWS),
                                               .to_row = (guint32) g_rand_int_range (rand, 0, ROWS) }));
    }
  wp_rows_finish (rows);
  return rows;
}

static cairo_surface_t *
paint_whole (WpPainter *painter, const WpRows *rows, const WpViewport *vp, const WpPaintState *state, double scale)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int) ceil (vp->width * scale), (int) ceil (vp->height * scale));
  cairo_t *cr;

  cairo_surface_set_device_scale (surface, scale, scale);
  cr = cairo_create (surface);
  wp_painter_boxes (painter, cr, rows, vp, state);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static void
assert_same (cairo_surface_t *a, cairo_surface_t *b, const char *after)
{
  int width = cairo_image_surface_get_width (a), stride = cairo_image_surface_get_stride (a);

  g_assert_cmpint (width, ==, cairo_image_surface_get_width (b));
  g_assert_cmpint (cairo_image_surface_get_height (a), ==, cairo_image_surface_get_height (b));
  for (int y = 0; y < cairo_image_surface_get_height (a); y++)
    {
      const guint32 *x = (const guint32 *) (gconstpointer) (cairo_image_surface_get_data (a) + y * stride);
      const guint32 *z = (const guint32 *) (gconstpointer) (cairo_image_surface_get_data (b) + y * stride);

      for (int i = 0; i < width; i++)
        if (x[i] != z[i])
          g_error ("after %s pixel %d, %d is %08x and ought to be %08x", after, i, y, x[i], z[i]);
    }
}

typedef struct
{
  GRand *rand;
  WpRows *rows;
  WpPainter *painter, *other;
  WpPlate *plate;
  WpViewport vp;
  WpPaintState state;
  double scale;
} Fixture;

static void
set_up (Fixture *self, guint32 seed)
{
  self->rand = g_rand_new_with_seed (seed);
  self->rows = random_rows (self->rand, seed % 3 == 0);
  self->painter = wp_painter_new (NULL, (WpTheme) (seed % (WP_THEME_DARK_CONTRAST + 1)));
  self->other = wp_painter_new (NULL, (WpTheme) (seed % (WP_THEME_DARK_CONTRAST + 1)));
  self->plate = wp_plate_new ();
  self->vp = (WpViewport) { .width = WIDTH, .height = HEIGHT, .row_height = seed % 2 ? 22 : 19 };
  self->state = WP_PAINT_STATE_DEFAULT;
  self->state.folds = TRUE;
  self->scale = 1 + seed % 5 / 4;
  wp_viewport_fit (&self->vp, self->rows);
  wp_viewport_snap (&self->vp, self->rows);
}

static void
tear_down (Fixture *self)
{
  wp_plate_free (self->plate);
  wp_painter_free (self->painter);
  wp_painter_free (self->other);
  wp_rows_free (self->rows);
  g_rand_free (self->rand);
}

static void
check (Fixture *self, const char *after)
{
  cairo_surface_t *whole = paint_whole (self->other, self->rows, &self->vp, &self->state, self->scale);

  assert_same (wp_plate_show (self->plate, self->painter, self->rows, &self->vp, &self->state, self->scale), whole, after);
  cairo_surface_destroy (whole);
}

/* A few pixels mostly, seldom further than what is seen. */
static int
random_step (GRand *rand, int size)
{
  double most = g_rand_int_range (rand, 0, 4) == 0 ? size * 1.1 : 12;

  return g_rand_int_range (rand, 0, 3) == 0 ? 0 : (int) g_rand_double_range (rand, -most, most);
}

static void
test_pans (void)
{
  for (guint32 seed = 0; seed < 12; seed++)
    {
      Fixture self;

      set_up (&self, seed);
      check (&self, "nothing");
      for (guint i = 0; i < 100; i++)
        {
          int dx = random_step (self.rand, WIDTH), dy = random_step (self.rand, HEIGHT);
          g_autofree char *pan = g_strdup_printf ("pan %u of seed %u by %d, %d", i, seed, dx, dy);

          if (i % 25 == 0)
            wp_viewport_zoom (&self.vp, self.rows, exp (g_rand_double_range (self.rand, -2, 4)), g_rand_double_range (self.rand, 0, WIDTH));
          self.state.lines = i % 50 < 30;
          wp_viewport_pan (&self.vp, self.rows, dx, dy);
          wp_viewport_snap (&self.vp, self.rows);
          check (&self, pan);
        }
      tear_down (&self);
    }
}

/* Pixels of the area that one more picture takes. */
static guint64
painted_for (Fixture *self, double dx, double dy)
{
  guint64 before = wp_plate_painted (self->plate);

  wp_viewport_pan (&self->vp, self->rows, dx, dy);
  wp_viewport_snap (&self->vp, self->rows);
  wp_plate_show (self->plate, self->painter, self->rows, &self->vp, &self->state, self->scale);
  return wp_plate_painted (self->plate) - before;
}

static void
test_painted (void)
{
  Fixture self;
  cairo_surface_t *shown;
  guint8 *highlight;

  set_up (&self, 1);
  g_assert_cmpuint (painted_for (&self, 0, 0), ==, WIDTH * HEIGHT);
  shown = wp_plate_show (self.plate, self.painter, self.rows, &self.vp, &self.state, 1);
  self.state.hovered = self.state.selected = 3; /* lie on it */
  self.state.mark_end = 100;
  g_assert_cmpuint (painted_for (&self, 0, 0), ==, 0);
  g_assert_true (wp_plate_show (self.plate, self.painter, self.rows, &self.vp, &self.state, 1) == shown);
  wp_viewport_zoom (&self.vp, self.rows, 20, 100);
  g_assert_cmpuint (painted_for (&self, 0, 50), ==, WIDTH * HEIGHT);
  g_assert_cmpuint (painted_for (&self, 1, 0), ==, WIDTH * HEIGHT);
  g_assert_cmpuint (painted_for (&self, 1, 0), ==, WIDTH * HEIGHT); /* again: without what is written on it */
  g_assert_cmpuint (painted_for (&self, 7, 0), ==, 7 * HEIGHT);
  g_assert_cmpuint (painted_for (&self, -3, 0), ==, 3 * HEIGHT);
  g_assert_cmpuint (painted_for (&self, 0, 5), ==, WIDTH * 5);
  g_assert_cmpuint (painted_for (&self, WIDTH, 0), ==, WIDTH * HEIGHT);
  wp_plate_rest (self.plate);
  g_assert_cmpuint (painted_for (&self, 0, 0), ==, 0); /* what is shown stays */
  g_assert_cmpuint (painted_for (&self, -1, 0), ==, WIDTH * HEIGHT);
  painted_for (&self, -1, 0);
  self.state.lines = FALSE; /* are not in what moves */
  g_assert_cmpuint (painted_for (&self, 0, 0), ==, 0);
  wp_painter_set_theme (self.painter, WP_THEME_DARK_CONTRAST);
  g_assert_cmpuint (painted_for (&self, 0, 0), ==, WIDTH * HEIGHT);
  wp_painter_set_colors (self.painter, WP_COLORS_STATE);
  g_assert_cmpuint (painted_for (&self, 0, 0), ==, WIDTH * HEIGHT);
  self.scale = 1.5;
  g_assert_cmpuint (painted_for (&self, 0, 0), ==, WIDTH * HEIGHT);
  g_assert_cmpuint (painted_for (&self, 1, 0), ==, WIDTH * HEIGHT); /* a pixel and a half */
  highlight = g_new0 (guint8, self.rows->boxes.len);
  self.state.highlight = highlight;
  wp_plate_forget (self.plate);
  g_assert_cmpuint (painted_for (&self, 0, 0), ==, WIDTH * HEIGHT);
  tear_down (&self);
  g_free (highlight);
}

/* A picture that somebody has stays as it is. */
static void
test_kept (void)
{
  Fixture self;
  cairo_surface_t *had, *copy;

  set_up (&self, 2);
  wp_viewport_zoom (&self.vp, self.rows, 20, 100);
  wp_viewport_snap (&self.vp, self.rows);
  had = cairo_surface_reference (wp_plate_show (self.plate, self.painter, self.rows, &self.vp, &self.state, 1));
  copy = paint_whole (self.other, self.rows, &self.vp, &self.state, 1);
  for (guint i = 0; i < 5; i++)
    painted_for (&self, 9, 0);
  assert_same (had, copy, "five pans");
  cairo_surface_destroy (had);
  cairo_surface_destroy (copy);
  tear_down (&self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plate/pans", test_pans);
  g_test_add_func ("/plate/painted", test_painted);
  g_test_add_func ("/plate/kept", test_kept);
  return g_test_run ();
}
