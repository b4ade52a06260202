#include "paint/paint-private.h"

#include "base/format.h"

#include <math.h>

#define BATCH 64            /* rectangles a fill */
#define MANY_SPANS 2000     /* from which pixels are filled without cairo */
#define SEAM_MIN_WIDTH 4    /* pixels; wider boxes end a pixel before the next */
#define SHADED_MIN_WIDTH 3  /* pixels; narrower boxes of one kind all have the same shade */
#define LABEL_MIN_WIDTH 22  /* pixels a box needs to be labelled at all */
#define LABELS_MAX 1600     /* a frame; the narrowest go without */
#define LABEL_PADDING 4

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
paint_ground (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp)
{
  const WpThemeColors *colors = wp_theme_colors (self->theme);
  double origin = wp_painter_origin (self, rows), from = vp->start - origin, to = vp->end - origin;
  WpTicks ticks = wp_ticks (from, to, wp_axis_step (self, rows, vp), vp->width + 2);
  guint32 first, last;

  cairo_rectangle (cr, 0, 0, vp->width, vp->height);
  wp_set_color (cr, colors->background, 1);
  cairo_fill (cr);
  for (guint i = 0; i < ticks.n; i++)
    cairo_rectangle (cr, floor (wp_viewport_x (vp, origin + wp_tick (&ticks, i))), 0, 1, vp->height);
  wp_set_color (cr, colors->grid, 1);
  cairo_fill (cr);
  wp_rows_visible (rows, vp, &first, &last);
  for (guint32 r = MAX (first, 1); r < last; r++)
    if (rows->rows.data[r].group)
      cairo_rectangle (cr, 0, floor (wp_rows_y (rows, vp, r) - vp->y - WP_GROUP_SPACE (vp) / 2), vp->width, 1);
  wp_set_color (cr, colors->separator, 1);
  cairo_fill (cr);
}

/* --- boxes -------------------------------------------------------------------------------------------------------- */

static inline gboolean
is_faded (const WpPaintState *state, guint32 box)
{
  return state->highlight != NULL && !state->highlight[box];
}

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
      WpLook look = wp_painter_look (self, rows, &box, is_faded (state, s->box));

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

/* --- labels ------------------------------------------------------------------------------------------------------- */

static inline double
seen_width (const WpRect *r, const WpViewport *vp)
{
  return MIN (r->x + r->w, vp->width) - MAX (r->x, 0);
}

/* How wide a box must be for its label so that not too many are drawn. */
static int
least_width (const WpPainter *self, const WpViewport *vp)
{
  guint32 n[256] = { 0 }, sum = 0;

  for (guint32 i = 0; i < self->rects.len; i++)
    {
      double w = seen_width (&self->rects.data[i], vp);

      if (w >= LABEL_MIN_WIDTH)
        n[MIN (255, (int) w)]++;
    }
  for (int w = 255; w >= LABEL_MIN_WIDTH; w--)
    if ((sum += n[w]) > LABELS_MAX)
      return w;
  return LABEL_MIN_WIDTH;
}

/* Marks along the bottom edge push the text up a little. */
static inline double
label_height (const WpRect *r)
{
  return r->h >= 18 ? r->h - 2 : r->h;
}

/* One label, at the left end of what is seen of the box: more of them would look like several calls. */
static void
paint_label (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp, const WpRect *r, gboolean folds)
{
  const WpBox *box = &rows->boxes.data[self->spans.data[r->span].box];
  const WpBoxLabel *label = wp_labels_get (self->labels, wp_rows_string (rows, box->label));
  double left = MAX (r->x, 0) + LABEL_PADDING + (box->kind == WP_BOX_PROCESS && r->x >= 0 ? 2 : 0);
  double right = MIN (r->x + r->w, vp->width) - (LABEL_PADDING - 1);
  cairo_rectangle_t mark;

  if (folds && wp_painter_fold_mark (self, rows, vp, self->spans.data[r->span].box, &mark))
    {
      left = wp_fold_mark_from_right (self) ? mark.x + mark.width : left;
      right = wp_fold_mark_from_right (self) ? right : mark.x;
    }
  wp_labels_show (self->labels, cr, label, left, r->y, right - left, label_height (r), FALSE);
}

static void
paint_labels (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp, const WpPaintState *state)
{
  int least = least_width (self, vp), bucket = -1;

  if (vp->row_height < 9)
    return;
  for (guint32 i = 0; i < self->rects.len; i++)
    {
      const WpRect *r = &self->rects.data[i];
      const WpSpan *span = &self->spans.data[r->span];
      const WpBox *box = &rows->boxes.data[span->box];
      gboolean faded = is_faded (state, span->box);
      int wanted;

      if (seen_width (r, vp) < least || box->label == 0)
        continue;
      wanted = 2 * (int) wp_bucket (wp_painter_look (self, rows, box, faded)) + (box->ghost && !faded);
      if (bucket != wanted)
        wp_set_color (cr, wp_painter_ink (self, rows, box, faded), 1);
      bucket = wanted;
      paint_label (self, cr, rows, vp, r, state->folds && span->n_boxes == 1);
    }
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

/* --- selection ---------------------------------------------------------------------------------------------------- */

static gboolean
box_rect (const WpRows *rows, const WpViewport *vp, guint32 box, double *x, double *y, double *w, double *h)
{
  guint32 row = wp_rows_row_of (rows, box);
  double x0, x1;

  if (row == G_MAXUINT32)
    return FALSE;
  x0 = floor (CLAMP (wp_viewport_x (vp, rows->boxes.data[box].start), -10, vp->width + 10) + 0.5);
  x1 = floor (CLAMP (wp_viewport_x (vp, rows->boxes.data[box].end), -10, vp->width + 10) + 0.5);
  *x = x0;
  *w = MAX (2, x1 - x0);
  *y = round (wp_rows_y (rows, vp, row) - vp->y);
  *h = MAX (1, round (vp->row_height) - 1);
  return x1 >= -5 && x0 <= vp->width + 5 && *y + *h > 0 && *y < vp->height;
}

void
wp_paint_frame (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp, guint32 box, gboolean selected)
{
  const WpThemeColors *colors = wp_theme_colors (self->theme);
  double x, y, w, h;

  if (box == G_MAXUINT32 || !box_rect (rows, vp, box, &x, &y, &w, &h))
    return;
  if (selected)
    {
      cairo_rectangle (cr, x - 2, y - 2, w + 3, h + 4);
      wp_set_color (cr, colors->background, 1);
      cairo_set_line_width (cr, 4);
      cairo_stroke_preserve (cr);
      wp_set_color (cr, colors->accent, 1);
      cairo_set_line_width (cr, 2.5);
      cairo_stroke (cr);
      return;
    }
  cairo_rectangle (cr, x + 0.5, y + 0.5, w - 1, h - 1);
  wp_set_color (cr, colors->text, 0.08);
  cairo_fill_preserve (cr);
  wp_set_color (cr, colors->text, 0.85);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

/* How long the marked range is, on a plate at its top. */
static void
paint_range_length (WpPainter *self, cairo_t *cr, const WpViewport *vp, const WpPaintState *state)
{
  const WpThemeColors *colors = wp_theme_colors (self->theme);
  double x0 = MAX (wp_viewport_x (vp, state->mark_start), 0), x1 = MIN (wp_viewport_x (vp, state->mark_end), vp->width);
  double ns = state->mark_end - state->mark_start;
  char text[WP_FORMAT_MAX];
  const WpBoxLabel *label = wp_labels_get (self->labels, wp_format_ns ((gint64) llround (ns), text));
  double width = ceil (wp_label_width (label)) + 16, height = 20;
  double x = round (CLAMP ((x0 + x1 - width) / 2, 2, MAX (2, vp->width - width - 2))), y = 4;

  cairo_new_sub_path (cr);
  cairo_arc (cr, x + height / 2, y + height / 2, height / 2, G_PI / 2, G_PI * 3 / 2);
  cairo_arc (cr, x + width - height / 2, y + height / 2, height / 2, -G_PI / 2, G_PI / 2);
  cairo_close_path (cr);
  wp_set_color (cr, colors->accent, 1);
  cairo_fill (cr);
  wp_set_color (cr, colors->background, 1);
  wp_labels_show (self->labels, cr, label, x + 8, y, width - 8, height, FALSE);
}

/* What is not drawn out fades: it will be gone. */
static void
paint_band (WpPainter *self, cairo_t *cr, const WpViewport *vp, const WpPaintState *state)
{
  const WpThemeColors *colors = wp_theme_colors (self->theme);
  double x0 = floor (CLAMP (wp_viewport_x (vp, MIN (state->band_start, state->band_end)), 0, vp->width));
  double x1 = ceil (CLAMP (wp_viewport_x (vp, MAX (state->band_start, state->band_end)), 0, vp->width));

  if (state->band_start == state->band_end)
    return;
  cairo_rectangle (cr, 0, 0, x0, vp->height);
  cairo_rectangle (cr, x1, 0, vp->width - x1, vp->height);
  wp_set_color (cr, colors->background, 0.6);
  cairo_fill (cr);
  cairo_rectangle (cr, x0 + 0.5, 0.5, MAX (x1 - x0 - 1, 0), vp->height - 1);
  wp_set_color (cr, colors->text, 0.8);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

static void
paint_range (WpPainter *self, cairo_t *cr, const WpViewport *vp, const WpPaintState *state)
{
  const WpThemeColors *colors = wp_theme_colors (self->theme);
  double x0 = wp_viewport_x (vp, MIN (state->mark_start, state->mark_end));
  double x1 = wp_viewport_x (vp, MAX (state->mark_start, state->mark_end));

  if (state->mark_start == state->mark_end || x1 < 0 || x0 > vp->width)
    return;
  x0 = floor (MAX (x0, -5));
  x1 = ceil (MIN (x1, vp->width + 5));
  cairo_rectangle (cr, x0, 0, x1 - x0, vp->height);
  wp_set_color (cr, colors->accent, 0.14);
  cairo_fill (cr);
  cairo_rectangle (cr, x0, 0, 1, vp->height);
  cairo_rectangle (cr, x1 - 1, 0, 1, vp->height);
  wp_set_color (cr, colors->accent, 0.9);
  cairo_fill (cr);
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
  paint_ground (self, cr, rows, vp);
  wp_paint_spans (self, cr, rows, vp, state);
  paint_notches (self, cr, rows, vp);
  paint_labels (self, cr, rows, vp, state);
  if (state->folds)
    wp_paint_fold_marks (self, cr, rows, vp, state);
  if (state->lines)
    wp_paint_lines (self, cr, rows, vp, state);
  paint_range (self, cr, vp, state);
  if (state->hovered != state->selected)
    wp_paint_frame (self, cr, rows, vp, state->hovered, FALSE);
  wp_paint_frame (self, cr, rows, vp, state->selected, TRUE);
  if (rows->is_time && state->mark_end > state->mark_start && wp_viewport_x (vp, state->mark_end) >= 0
      && wp_viewport_x (vp, state->mark_start) <= vp->width)
    paint_range_length (self, cr, vp, state);
  paint_band (self, cr, vp, state);
  cairo_restore (cr);
}
