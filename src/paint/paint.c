#include "paint/paint-private.h"

#include <math.h>

#define BATCH 64            /* rectangles a fill */
#define MANY_SPANS 2000     /* from which pixels are filled without cairo */
#define SEAM_MIN_WIDTH 4    /* pixels; wider boxes end a pixel before the next */
#define SHADED_MIN_WIDTH 3  /* pixels; narrower boxes of one kind all have the same shade */

/* For pictures: letters stand where their outlines say, not where they would be sharpest on a screen. */
static PangoContext *
own_context (void)
{
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());
  PangoFontDescription *font = pango_font_description_from_string ("Cantarell, DejaVu Sans, Sans 9");
  cairo_font_options_t *options = cairo_font_options_create ();

  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias (options, CAIRO_ANTIALIAS_GRAY);
  pango_cairo_context_set_font_options (context, options);
  pango_context_set_round_glyph_positions (context, FALSE);
  pango_context_set_font_description (context, font);
  cairo_font_options_destroy (options);
  pango_font_description_free (font);
  return context;
}

WpPainter *
wp_painter_new (PangoContext *context, WpTheme theme)
{
  WpPainter *self = g_new0 (WpPainter, 1);

  self->context = context != NULL ? g_object_ref (context) : own_context ();
  self->theme = theme;
  self->labels = wp_labels_new (self->context);
  return self;
}

static void
forget_pictures (WpPainter *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->tiles); i++)
    g_clear_pointer (&self->tiles[i], cairo_pattern_destroy);
  for (guint i = 0; i < G_N_ELEMENTS (self->bands); i++)
    g_clear_pointer (&self->bands[i], cairo_pattern_destroy);
  g_clear_pointer (&self->minimap, cairo_surface_destroy);
}

void
wp_painter_free (WpPainter *self)
{
  if (self == NULL)
    return;
  forget_pictures (self);
  wp_labels_free (self->labels);
  wp_array_clear (&self->spans);
  wp_array_clear (&self->shades);
  wp_array_clear (&self->lines);
  wp_array_clear (&self->rects);
  wp_array_clear (&self->wide);
  wp_array_clear (&self->buckets);
  g_object_unref (self->context);
  g_free (self);
}

void
wp_painter_set_theme (WpPainter *self, WpTheme theme)
{
  if (self->theme != theme)
    forget_pictures (self);
  self->theme = theme;
}

void
wp_painter_set_colors (WpPainter *self, WpColors colors)
{
  if (self->colors != colors)
    g_clear_pointer (&self->minimap, cairo_surface_destroy);
  self->colors = colors;
}

void
wp_painter_set_origin (WpPainter *self, gint64 origin)
{
  self->origin = origin;
}

gboolean
wp_painter_from_right (const WpPainter *self)
{
  return pango_context_get_base_dir (self->context) == PANGO_DIRECTION_RTL;
}

gboolean
wp_painter_by_body (const WpPainter *self, const WpRows *rows)
{
  return self->colors == (rows->by_module ? WP_COLORS_MODULE : WP_COLORS_PROCESS);
}

WpLook
wp_painter_look (const WpPainter *self, const WpRows *rows, const WpBox *box, gboolean faded)
{
  gboolean by_body = wp_painter_by_body (self, rows) && box->body != WP_BODY_NONE && box->kind != WP_BOX_UNKNOWN;

  return (WpLook) { .kind = self->colors == WP_COLORS_CODE ? wp_box_code_kind (box) : box->kind, .body = by_body ? box->body : WP_BODY_NONE, .pale = by_body && box->pale,
                    .faded = faded || box->ghost };
}

/* A ghost is as pale as what is faded, but there to be read. */
WpRgb
wp_painter_ink (const WpPainter *self, const WpRows *rows, const WpBox *box, gboolean faded)
{
  return box->ghost && !faded ? wp_theme_colors (self->theme)->text : wp_box_ink (self->theme, wp_painter_look (self, rows, box, faded));
}

guint32
wp_painter_kinds (const WpPainter *self, const WpRows *rows)
{
  return self->colors == WP_COLORS_CODE ? rows->code_kinds : rows->kinds;
}

/* --- the ground --------------------------------------------------------------------------------------------------- */

static void
paint_ground (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp, double step)
{
  const WpThemeColors *colors = wp_theme_colors (self->theme);
  double origin = wp_painter_origin (self, rows), from = vp->start - origin, to = vp->end - origin;
  WpTicks ticks = wp_ticks (from, to, step, vp->width + 2);
  guint32 first, last;

  cairo_rectangle (cr, 0, 0, vp->width, vp->height);
  wp_set_color (cr, colors->background, 1);
  cairo_fill (cr);
  for (guint i = 0; i < ticks.n; i++)
    cairo_rectangle (cr, floor (wp_viewport_x (vp, origin + wp_tick (&ticks, i))), 0, 1, vp->height);
  wp_set_color (cr, colors->grid, 1);
  cairo_fill (cr);
  wp_rows_visible (rows, vp, &first, &last);
  for (guint32 r = MAX (first, 1); r < MIN (last + 1, rows->rows.len); r++) /* that of the row below the area may be within it */
    if (rows->rows.data[r].group)
      cairo_rectangle (cr, 0, floor (floor (wp_rows_y (rows, vp, r) - WP_GROUP_SPACE (vp) / 2) - vp->y), vp->width, 1);
  wp_set_color (cr, colors->separator, 1);
  cairo_fill (cr);
}

/* --- boxes -------------------------------------------------------------------------------------------------------- */

/* Boxes have a pixel between them, small ones only where the next one would look like a part of them. */
static gboolean
has_seam (const WpSpan *s, const WpSpan *next, int width)
{
  if (width >= SEAM_MIN_WIDTH)
    return TRUE;
  return width >= 2 && next != NULL && next->row == s->row && next->x0 == s->x1 && next->kind == s->kind && next->label == s->label;
}

void
wp_place_span (const WpPainter *self, guint32 i, int *x, int *width)
{
  const WpSpan *s = &self->spans.data[i];
  int x1 = (int) floorf (s->x1 + 0.5f);

  *x = (int) floorf (s->x0 + 0.5f);
  *width = MAX (1, x1 - *x - has_seam (s, i + 1 < self->spans.len ? s + 1 : NULL, x1 - *x));
}

/* Sorts the spans into buckets of one colour each; bucket b is rects[starts[b]] … rects[starts[b + 1]]. */
static void
sort_spans (WpPainter *self, const WpRows *rows, const WpViewport *vp, const WpPaintState *state,
            guint32 starts[WP_N_BUCKETS + 1])
{
  guint32 at[WP_N_BUCKETS + 1] = { 0 }, row = G_MAXUINT32;
  int y = 0, h = (int) MAX (1, round (vp->row_height) - 1);

  wp_array_resize (&self->buckets, self->spans.len);
  for (guint32 i = 0; i < self->spans.len; i++)
    {
      const WpSpan *s = &self->spans.data[i];
      const WpBox box = { .kind = s->kind, .code = s->code, .ghost = s->ghost, .body = s->body, .pale = s->pale };
      WpLook look = wp_painter_look (self, rows, &box, wp_is_faded (state, s->box));

      look.shade = s->x1 - s->x0 < SHADED_MIN_WIDTH ? 0 : wp_box_shade (look.kind, wp_rows_string (rows, s->label));
      self->buckets.data[i] = (guint16) wp_bucket (look);
      at[self->buckets.data[i] + 1]++;
    }
  for (guint b = 0; b < WP_N_BUCKETS; b++)
    at[b + 1] += at[b];
  memcpy (starts, at, sizeof at);
  wp_array_resize (&self->rects, self->spans.len);
  for (guint32 i = 0; i < self->spans.len; i++)
    {
      const WpSpan *s = &self->spans.data[i];
      int x, width;

      wp_place_span (self, i, &x, &width);
      if (s->row != row)
        {
          row = s->row;
          y = (int) round (wp_rows_y (rows, vp, row) - vp->y);
        }
      self->rects.data[at[self->buckets.data[i]]++] = (WpRect) { x, y, width, h, i };
    }
}

/* What cairo fills boxes with, many at a time. */
typedef struct
{
  cairo_t *cr;
  guint n; /* rectangles that are still to be filled */
} Fill;

static void
fill_flush (Fill *self)
{
  if (self->n > 0)
    cairo_fill (self->cr);
  self->n = 0;
}

/* What is added from now on has this colour. */
static void
fill_color (Fill *self, WpRgb color, double alpha)
{
  fill_flush (self);
  wp_set_color (self->cr, color, alpha);
}

static inline void
fill_add (Fill *self, int x, int y, int width, int height)
{
  cairo_rectangle (self->cr, x, y, width, height);
  if (++self->n == BATCH)
    fill_flush (self);
}

/* A rectangle without its corner pixels: as good as rounded at this size, and the fill stays one of whole pixels. */
static inline void
fill_rounded (Fill *self, const WpRect *r)
{
  if (!wp_rect_is_rounded (r->w, r->h))
    {
      fill_add (self, r->x, r->y, r->w, r->h);
      return;
    }
  fill_add (self, r->x + 1, r->y, r->w - 2, 1);
  fill_add (self, r->x, r->y + 1, r->w, r->h - 2);
  fill_add (self, r->x + 1, r->y + r->h - 1, r->w - 2, 1);
}

static void
paint_outlines (cairo_t *cr, const WpRect *rects, guint32 n)
{
  for (guint32 i = 0; i < n; i++)
    if (rects[i].w >= 4)
      {
        cairo_rectangle (cr, rects[i].x + 0.5, rects[i].y + 0.5, rects[i].w - 1, rects[i].h - 1);
        if (i % BATCH == BATCH - 1)
          cairo_stroke (cr);
      }
  cairo_stroke (cr);
}

/* Where little of a pixel is covered the ground shines through, one share after the other. */
static void
fill_shades (WpPainter *self, Fill *fill, const WpRows *rows, const WpViewport *vp)
{
  int h = (int) MAX (1, round (vp->row_height) - 1);

  for (guint share = 1; share < WP_SHARES && self->shades.len > 0; share++)
    {
      fill_color (fill, wp_theme_colors (self->theme)->background, wp_shade_alpha (share));
      for (guint32 i = 0; i < self->shades.len; i++)
        {
          const WpShade *s = &self->shades.data[i];
          int x = (int) floorf (s->x0 + 0.5f);

          if (s->share == share)
            fill_add (fill, x, (int) round (wp_rows_y (rows, vp, self->spans.data[s->span].row) - vp->y), (int) floorf (s->x1 + 0.5f) - x, h);
        }
    }
}

/* A drawing that is made of shapes stays so. */
static gboolean
is_of_pixels (cairo_t *cr)
{
  cairo_surface_type_t type = cairo_surface_get_type (cairo_get_group_target (cr));

  return type == CAIRO_SURFACE_TYPE_IMAGE || type == CAIRO_SURFACE_TYPE_RECORDING;
}

static void
fill_spans (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp, const guint32 starts[WP_N_BUCKETS + 1])
{
  Fill fill = { .cr = cr };

  for (guint b = 0; b < WP_N_BUCKETS; b++)
    {
      if (starts[b + 1] == starts[b])
        continue;
      fill_color (&fill, wp_box_color (self->theme, wp_look_of_bucket (b)), 1);
      for (guint32 i = starts[b]; i < starts[b + 1]; i++)
        fill_rounded (&fill, &self->rects.data[i]);
    }
  fill_shades (self, &fill, rows, vp);
  fill_flush (&fill);
}

static void
paint_spans (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp, const WpPaintState *state)
{
  guint32 starts[WP_N_BUCKETS + 1];
  int phase = wp_mark_phase (rows, vp);

  sort_spans (self, rows, vp, state, starts);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  if (self->spans.len + self->shades.len <= MANY_SPANS || !is_of_pixels (cr) || !wp_fill_pixels (self, cr, rows, vp))
    fill_spans (self, cr, rows, vp, starts);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_DEFAULT);
  cairo_set_line_width (cr, 1);
  for (guint b = 0; b < WP_N_BUCKETS; b++)
    {
      WpLook look = wp_look_of_bucket (b);

      if (starts[b + 1] == starts[b])
        continue;
      wp_paint_marks (self, cr, self->rects.data + starts[b], starts[b + 1] - starts[b], look, phase);
      if (!wp_theme_colors (self->theme)->outlines)
        continue;
      wp_set_color (cr, wp_box_ink (self->theme, look), 1);
      paint_outlines (cr, self->rects.data + starts[b], starts[b + 1] - starts[b]);
    }
}

void
wp_paint_spans (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp, const WpPaintState *state)
{
  wp_fold_shaded (rows, vp, &self->spans, &self->shades);
  paint_spans (self, cr, rows, vp, state);
}

/* --- notches ------------------------------------------------------------------------------------------------------ */

static void
paint_notches (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp)
{
  wp_fold_notches (rows, vp, &self->lines);
  wp_set_color (cr, wp_theme_colors (self->theme)->background, 1);
  for (guint32 i = 0; i < self->lines.len; i++)
    {
      const WpNotch *notch = &rows->notches.data[self->lines.data[i]];
      double x0 = floor (MAX (wp_viewport_x (vp, notch->start), -5) + 0.5);
      double x1 = floor (MIN (wp_viewport_x (vp, notch->end), vp->width + 5) + 0.5);

      cairo_rectangle (cr, x0, round (wp_rows_y (rows, vp, notch->row) - vp->y), x1 - x0 - 1, WP_NOTCH_DEPTH);
    }
  cairo_fill (cr);
}

void
wp_paint_ground (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp, const WpPaintState *state, double step)
{
  paint_ground (self, cr, rows, vp, step);
  wp_paint_spans (self, cr, rows, vp, state);
  paint_notches (self, cr, rows, vp);
}

void
wp_paint_on_boxes (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp, const WpPaintState *state, const WpWideArray *wide)
{
  wp_paint_labels (self, cr, rows, vp, state, wide);
  if (state->folds)
    wp_paint_fold_marks (self, cr, rows, vp, state, wide);
  if (state->lines)
    wp_paint_lines (self, cr, rows, vp);
}

void
wp_painter_boxes (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp, const WpPaintState *state)
{
  static const WpPaintState plain = { .selected = G_MAXUINT32, .hovered = G_MAXUINT32, .lines = TRUE };

  state = state != NULL ? state : &plain;
  if (vp->width < 1 || vp->height < 1 || vp->end <= vp->start)
    return;
  wp_labels_trim (self->labels);
  wp_labels_set_size (self->labels, wp_label_size (vp));
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, vp->width, vp->height);
  cairo_clip (cr);
  wp_paint_ground (self, cr, rows, vp, state, wp_axis_step (self, rows, vp));
  self->wide.len = 0;
  wp_add_wide (self, rows, vp, &self->wide, 0, 0);
  wp_paint_on_boxes (self, cr, rows, vp, state, &self->wide);
  wp_painter_overlay (self, cr, rows, vp, state);
  cairo_restore (cr);
}
