/* A plate: the pixels of a picture of boxes, from one frame to the next. Of its three layers (paint-private.h) the lowest is kept by itself while it is panned:
 * it moves, and is painted only where something comes in. What is written on the boxes hangs on what is seen of them, and is written anew on a copy. Who zooms needs
 * no copy: all is painted at once then, and the second pan in a row paints the lowest layer by itself. */
#include "paint/paint-private.h"

#include "base/sort.h"

#include <math.h>

/* A strip is painted as if so many pixels beside it were seen, too: more than the width of any box that looks otherwise because it is narrow, or has a label
 * (box-labels.c) because it is wide. So what is cut off there looks as if it was not. */
#define BESIDE 32

/* All that the pixels hang on. */
typedef struct
{
  const WpRows *rows;
  const guint8 *highlight;
  WpViewport viewport;
  double scale, step;
  gint64 origin;
  WpTheme theme;
  WpColors colors;
  gboolean lines, folds;
} What;

struct WpPlate
{
  What what;                      /* is shown */
  cairo_surface_t *shown, *spare; /* the picture, NULL: there is none; and the one before it */
  gboolean panned;                /* it is the one before, panned */
  cairo_surface_t *ground;        /* its lowest layer alone; NULL: it was not panned twice */
  int x, y;                       /* where in `ground` the area begins: what is beyond an edge goes on at the other */
  WpWideArray wide;             /* boxes that are written on */
  guint64 n_painted;
};

WpPlate *
wp_plate_new (void)
{
  return g_new0 (WpPlate, 1);
}

void
wp_plate_rest (WpPlate *self)
{
  g_clear_pointer (&self->ground, cairo_surface_destroy);
  g_clear_pointer (&self->spare, cairo_surface_destroy);
  self->panned = FALSE;
}

void
wp_plate_forget (WpPlate *self)
{
  wp_plate_rest (self);
  g_clear_pointer (&self->shown, cairo_surface_destroy);
}

void
wp_plate_free (WpPlate *self)
{
  if (self == NULL)
    return;
  wp_plate_forget (self);
  wp_array_clear (&self->wide);
  g_free (self);
}

guint64
wp_plate_painted (const WpPlate *self)
{
  return self->n_painted;
}

static gboolean
same_ground (const What *a, const What *b)
{
  return a->rows == b->rows && a->highlight == b->highlight && a->viewport.width == b->viewport.width && a->viewport.height == b->viewport.height
         && a->viewport.row_height == b->viewport.row_height && wp_viewport_cell (&a->viewport) == wp_viewport_cell (&b->viewport)
         && a->scale == b->scale && a->step == b->step && a->origin == b->origin && a->theme == b->theme && a->colors == b->colors;
}

static gboolean
same_picture (const What *a, const What *b)
{
  return same_ground (a, b) && a->viewport.start == b->viewport.start && a->viewport.y == b->viewport.y && a->lines == b->lines && a->folds == b->folds;
}

static gboolean
is_whole (double x)
{
  return x == floor (x);
}

/* How many pixels it was panned. FALSE: that is not all that changed, or too far. */
static gboolean
find_move (const WpPlate *self, const What *what, int *dx, int *dy)
{
  const WpViewport *to = &what->viewport, *from = &self->what.viewport;
  double cell = wp_viewport_cell (to), x = (to->start - from->start) / cell, y = to->y - from->y;

  if (self->shown == NULL || !same_ground (what, &self->what) || !is_whole (what->scale) || !is_whole (to->width) || !is_whole (to->height)
      || !is_whole ((to->start - (double) what->rows->start) / cell) || !is_whole (to->y) || !is_whole (x) || !is_whole (y)
      || fabs (x) >= to->width || fabs (y) >= to->height)
    return FALSE;
  *dx = (int) x;
  *dy = (int) y;
  return TRUE;
}

static int
width_of (const What *what)
{
  return (int) ceil (what->viewport.width * what->scale);
}

static int
height_of (const What *what)
{
  return (int) ceil (what->viewport.height * what->scale);
}

static cairo_surface_t *
new_surface (const What *what)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width_of (what), height_of (what));

  cairo_surface_set_device_scale (surface, what->scale, what->scale);
  return surface;
}

/* --- the lowest layer --------------------------------------------------------------------------------------------- */

/* A rectangle of the area, which begins at another place of the surface. */
static void
paint_piece (WpPlate *self, cairo_surface_t *surface, WpPainter *painter, const What *what, const WpPaintState *state, const WpRect *piece, int to_x, int to_y)
{
  int beside = piece->w < what->viewport.width ? BESIDE : 0;
  double cell = wp_viewport_cell (&what->viewport);
  WpViewport part = what->viewport;
  cairo_t *cr = cairo_create (surface);

  part.y += piece->y;
  part.height = piece->h;
  if (beside > 0)
    {
      part.start += (piece->x - beside) * cell;
      part.width = piece->w + 2 * beside;
      part.end = part.start + part.width * cell;
    }
  cairo_rectangle (cr, to_x, to_y, piece->w, piece->h);
  cairo_clip (cr);
  cairo_translate (cr, to_x - beside, to_y);
  wp_paint_ground (painter, cr, what->rows, &part, state, what->step);
  wp_add_wide (painter, what->rows, &part, &self->wide, piece->x - beside, piece->y);
  cairo_destroy (cr);
  self->n_painted += (guint64) piece->w * (guint64) piece->h;
}

/* A rectangle of the area, which goes on at the other edge of the ground where it reaches one. */
static void
paint_round (WpPlate *self, WpPainter *painter, const What *what, const WpPaintState *state, const WpRect *part)
{
  int width = (int) what->viewport.width, height = (int) what->viewport.height, to_y, to_x;

  for (int y = part->y, h; y < part->y + part->h; y += h)
    {
      to_y = (self->y + y) % height;
      h = MIN (part->y + part->h - y, height - to_y);
      for (int x = part->x, w; x < part->x + part->w; x += w)
        {
          to_x = (self->x + x) % width;
          w = MIN (part->x + part->w - x, width - to_x);
          paint_piece (self, self->ground, painter, what, state, &(WpRect) { .x = x, .y = y, .w = w, .h = h }, to_x, to_y);
        }
    }
}

static void
paint_whole (WpPlate *self, cairo_surface_t *surface, WpPainter *painter, const What *what, const WpPaintState *state)
{
  self->wide.len = 0;
  paint_piece (self, surface, painter, what, state,
               &(WpRect) { .w = (int) ceil (what->viewport.width), .h = (int) ceil (what->viewport.height) }, 0, 0);
}

WP_DEFINE_COMPARE_2 (compare_places, WpWide, row, x)

/* A box on the edge of what was painted at once is there in parts, which overlap. Those that are in no visible row any more go. */
static void
join_parts (WpPlate *self, const What *what)
{
  guint32 first, last, n = 0;

  wp_rows_visible (what->rows, &what->viewport, &first, &last);
  wp_array_sort (&self->wide, compare_places);
  for (guint32 i = 0; i < self->wide.len; i++)
    {
      const WpWide *part = &self->wide.data[i];
      WpWide *before = n > 0 ? &self->wide.data[n - 1] : NULL;

      if (part->row < first || part->row >= last || part->x + part->w <= 0 || part->x >= what->viewport.width)
        continue;
      if (before != NULL && before->row == part->row && part->x < before->x + before->w)
        before->w = MAX (before->x + before->w, part->x + part->w) - before->x;
      else
        self->wide.data[n++] = *part;
    }
  self->wide.len = n;
}

/* Paints what comes in at the sides, then at the top or the bottom. */
static void
move_ground (WpPlate *self, WpPainter *painter, const What *what, const WpPaintState *state, int dx, int dy)
{
  int width = (int) what->viewport.width, height = (int) what->viewport.height;

  if (dx == 0 && dy == 0)
    return;
  self->x = (self->x + dx + width) % width;
  self->y = (self->y + dy + height) % height;
  for (guint32 i = 0; i < self->wide.len; i++)
    {
      self->wide.data[i].x -= dx;
      self->wide.data[i].y -= dy;
    }
  if (dx != 0)
    paint_round (self, painter, what, state, &(WpRect) { .x = dx > 0 ? width - dx : 0, .w = abs (dx), .h = height });
  if (dy != 0)
    paint_round (self, painter, what, state, &(WpRect) { .y = dy > 0 ? height - dy : 0, .w = width, .h = abs (dy) });
  join_parts (self, what);
}

static void
keep_ground (WpPlate *self, WpPainter *painter, const What *what, const WpPaintState *state, int dx, int dy)
{
  if (self->ground != NULL)
    move_ground (self, painter, what, state, dx, dy);
  else
    {
      self->x = self->y = 0;
      self->ground = new_surface (what);
      paint_whole (self, self->ground, painter, what, state);
    }
}

/* --- the picture -------------------------------------------------------------------------------------------------- */

/* A picture that nobody has, of that size. The one that is shown becomes the spare one. */
static void
take_picture (WpPlate *self, const What *what)
{
  cairo_surface_t *old = g_steal_pointer (&self->shown), *spare = g_steal_pointer (&self->spare);
  gboolean fits = spare != NULL && cairo_surface_get_reference_count (spare) == 1 && cairo_image_surface_get_width (spare) == width_of (what)
                  && cairo_image_surface_get_height (spare) == height_of (what);

  if (!fits)
    g_clear_pointer (&spare, cairo_surface_destroy);
  self->shown = fits ? spare : new_surface (what);
  cairo_surface_set_device_scale (self->shown, what->scale, what->scale);
  self->spare = old;
}

/* The ground, from where the area begins. */
static void
copy_ground (const WpPlate *self, const What *what)
{
  int width = width_of (what), height = height_of (what), left = self->x * (int) what->scale, top = self->y * (int) what->scale;
  int stride = cairo_image_surface_get_stride (self->shown);
  guint8 *to;
  const guint8 *from;

  cairo_surface_flush (self->ground);
  cairo_surface_flush (self->shown);
  to = cairo_image_surface_get_data (self->shown);
  from = cairo_image_surface_get_data (self->ground);
  if (to == NULL || from == NULL)
    return; /* there was no memory for one of them */
  for (int y = 0; y < height; y++)
    {
      const guint8 *line = from + (gsize) ((top + y) % height) * (gsize) stride;

      memcpy (to + (gsize) y * (gsize) stride, line + 4 * left, 4 * (gsize) (width - left));
      memcpy (to + (gsize) y * (gsize) stride + 4 * (width - left), line, 4 * (gsize) left);
    }
  cairo_surface_mark_dirty (self->shown);
}

cairo_surface_t *
wp_plate_show (WpPlate *self, WpPainter *painter, const WpRows *rows, const WpViewport *viewport, const WpPaintState *state, double scale)
{
  What what = { .rows = rows, .highlight = state->highlight, .viewport = *viewport, .scale = scale, .origin = painter->origin, .theme = painter->theme,
                .colors = painter->colors, .lines = state->lines, .folds = state->folds };
  gboolean panned, again;
  int dx = 0, dy = 0;
  cairo_t *cr;

  wp_labels_trim (painter->labels);
  wp_labels_set_size (painter->labels, wp_label_size (viewport));
  what.step = wp_axis_step (painter, rows, viewport);
  if (self->shown != NULL && same_picture (&what, &self->what))
    return self->shown;
  panned = find_move (self, &what, &dx, &dy);
  again = panned && self->panned;
  self->panned = panned;
  if (again)
    keep_ground (self, painter, &what, state, dx, dy);
  else
    g_clear_pointer (&self->ground, cairo_surface_destroy);
  take_picture (self, &what);
  if (again)
    copy_ground (self, &what);
  else
    paint_whole (self, self->shown, painter, &what, state);
  self->what = what;
  cr = cairo_create (self->shown);
  wp_paint_on_boxes (painter, cr, rows, viewport, state, &self->wide);
  cairo_destroy (cr);
  cairo_surface_flush (self->shown);
  return self->shown;
}
