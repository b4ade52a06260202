/* Diagrams: edges as curves, nodes as boxes with two lines of text. Far away only what can be seen is drawn: the widest edges, and no text that
 * nobody could read. */
#include "paint/paint-private.h"

#include <math.h>

#define TEXT_SIZE 12.0     /* all texts are laid out so and scaled */
#define NOTE_SIZE 11.0     /* of a node's second line and of what stands beside edges */
#define READABLE 4.5       /* pixels: letters that are lower are left out */
#define CURVES 1500        /* between two points, at most in one picture: the widest edges have them first */
#define FLOWING 0.25       /* scale below which curves are lines */
#define TOLERANCE 0.3      /* pixels by which a curve may be off: it takes half the time of cairo's own */
#define FADED 0.18
#define ARROW 5.0
#define CORNER 5.0

typedef struct
{
  WpPainter *painter;
  cairo_t *cr;
  const WpDiagram *diagram;
  const WpDiagramPlace *place;
  const WpDiagramState *state;
  const WpThemeColors *colors;
  double left, top, right, bottom; /* of the diagram: what is seen */
} Drawing;

static gboolean
is_faded (const Drawing *self, guint32 node)
{
  return self->state->highlight != NULL && !self->state->highlight[node];
}

/* Letters that are scaled must not be put on whole pixels before. */
WpPainter *
wp_diagram_painter_new (PangoContext *like, WpTheme theme)
{
  PangoContext *context
    = pango_font_map_create_context (like != NULL ? pango_context_get_font_map (like) : pango_cairo_font_map_get_default ());
  cairo_font_options_t *options = cairo_font_options_create ();
  WpPainter *self;

  if (like != NULL)
    {
      pango_context_set_font_description (context, pango_context_get_font_description (like));
      pango_cairo_context_set_resolution (context, pango_cairo_context_get_resolution (like));
      if (pango_cairo_context_get_font_options (like) != NULL)
        cairo_font_options_merge (options, pango_cairo_context_get_font_options (like));
    }
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style (options, CAIRO_HINT_STYLE_NONE);
  pango_cairo_context_set_font_options (context, options);
  pango_context_set_round_glyph_positions (context, FALSE);
  cairo_font_options_destroy (options);
  self = wp_painter_new (context, theme);
  g_object_unref (context);
  return self;
}

/* --- texts ------------------------------------------------------------------------------------------------------------ */

double
wp_painter_text_width (WpPainter *self, const char *text, double size)
{
  wp_labels_set_size (self->labels, TEXT_SIZE);
  wp_labels_trim (self->labels);
  return wp_label_width (wp_labels_get (self->labels, text)) * size / TEXT_SIZE;
}

/* In the present colour, about (x, y), no wider than `width`. */
static void
show_text (const Drawing *self, const char *text, double size, double x, double y, double width)
{
  const WpBoxLabel *label = wp_labels_get (self->painter->labels, text);
  double scale = size / TEXT_SIZE, shown = MIN (wp_label_width (label) * scale, width);

  cairo_save (self->cr);
  cairo_translate (self->cr, x - shown / 2, y);
  cairo_scale (self->cr, scale, scale);
  wp_labels_show (self->painter->labels, self->cr, label, 0, -TEXT_SIZE, width / scale + 0.5, 2 * TEXT_SIZE, TRUE);
  cairo_restore (self->cr);
}

static gboolean
is_readable (const Drawing *self, double size)
{
  return size * self->place->scale >= READABLE;
}

/* --- edges ------------------------------------------------------------------------------------------------------------- */

static gboolean
is_chosen (const Drawing *self, guint32 e)
{
  const WpDiagramEdge *edge = &self->diagram->edges.data[e];

  return self->state->selected != WP_NO_NODE && (edge->from == self->state->selected || edge->to == self->state->selected);
}

static gboolean
stands_out (const Drawing *self, guint32 e)
{
  return e == self->state->hovered_edge || is_chosen (self, e);
}

static gboolean
is_edge_faded (const Drawing *self, guint32 e)
{
  const WpDiagramEdge *edge = &self->diagram->edges.data[e];

  return !stands_out (self, e) && (is_faded (self, edge->from) || is_faded (self, edge->to));
}

static void
set_edge_color (const Drawing *self, guint32 e)
{
  if (stands_out (self, e))
    wp_set_color (self->cr, self->colors->accent, 0.9);
  else
    wp_set_color (self->cr, self->colors->dim_text, is_edge_faded (self, e) ? FADED : 0.55 + 0.35 * self->diagram->edges.data[e].share);
}

static void
draw_arrow (const Drawing *self, const WpDiagramEdge *edge, WpPosition from, WpPosition to)
{
  double size = ARROW + wp_diagram_edge_width (edge), angle = atan2 (to.y - from.y, to.x - from.x);

  cairo_save (self->cr);
  cairo_translate (self->cr, to.x, to.y);
  cairo_rotate (self->cr, angle);
  cairo_move_to (self->cr, 0, 0);
  cairo_line_to (self->cr, -size, -size * 0.5);
  cairo_line_to (self->cr, -size, size * 0.5);
  cairo_close_path (self->cr);
  cairo_restore (self->cr);
  cairo_fill (self->cr);
}

static void
draw_loop (const Drawing *self, const WpDiagramEdge *edge)
{
  WpPosition curve[4];

  wp_diagram_loop (&self->diagram->nodes.data[edge->from], curve);
  cairo_move_to (self->cr, curve[0].x, curve[0].y);
  cairo_curve_to (self->cr, curve[1].x, curve[1].y, curve[2].x, curve[2].y, curve[3].x, curve[3].y);
  cairo_stroke (self->cr);
  draw_arrow (self, edge, (WpPosition) { curve[3].x + WP_DIAGRAM_LOOP / 2, curve[3].y + WP_DIAGRAM_LOOP / 3 }, curve[3]);
}

/* The line ends where its arrow begins. */
static void
draw_edge (const Drawing *self, guint32 e)
{
  const WpDiagramEdge *edge = &self->diagram->edges.data[e];
  const WpPosition *points = self->diagram->points.data + edge->first;
  WpPosition control[2];

  set_edge_color (self, e);
  cairo_set_line_width (self->cr, MAX (wp_diagram_edge_width (edge), 0.6 / self->place->scale));
  if (edge->n == 0)
    {
      draw_loop (self, edge);
      return;
    }
  cairo_move_to (self->cr, points[0].x, points[0].y);
  for (guint32 i = 0; i + 1 < edge->n; i++)
    {
      WpPosition to = points[i + 1];

      wp_diagram_curve (points[i], to, control);
      if (i + 2 == edge->n)
        {
          double way = hypot (to.x - control[1].x, to.y - control[1].y), back = MIN (ARROW, way);

          if (way > 0)
            {
              to.x -= (to.x - control[1].x) / way * back;
              to.y -= (to.y - control[1].y) / way * back;
            }
        }
      if (self->place->scale < FLOWING)
        cairo_line_to (self->cr, to.x, to.y);
      else
        cairo_curve_to (self->cr, control[0].x, control[0].y, control[1].x, control[1].y, to.x, to.y);
    }
  cairo_stroke (self->cr);
  if (self->place->scale >= FLOWING)
    draw_arrow (self, edge, control[1], points[edge->n - 1]);
}

static gboolean
is_in_sight (const Drawing *self, const WpDiagramEdge *edge)
{
  return edge->left - WP_DIAGRAM_LOOP < self->right && edge->right + WP_DIAGRAM_LOOP > self->left && edge->top - WP_DIAGRAM_LOOP < self->bottom
         && edge->bottom + WP_DIAGRAM_LOOP > self->top;
}

/* In the middle of its first curve. */
static void
note_edge (const Drawing *self, guint32 e)
{
  const WpDiagramEdge *edge = &self->diagram->edges.data[e];
  const WpPosition *points = self->diagram->points.data + edge->first;
  const char *note = wp_strings_get (self->diagram->strings, edge->note);
  double width = wp_painter_text_width (self->painter, note, NOTE_SIZE);
  WpPosition middle;

  if (edge->n < 2)
    return;
  middle = wp_diagram_on_curve (points[0], points[1], 0.5);
  wp_set_color (self->cr, self->colors->background, 0.85);
  cairo_rectangle (self->cr, middle.x - width / 2 - 3, middle.y - NOTE_SIZE * 0.75, width + 6, NOTE_SIZE * 1.5);
  cairo_fill (self->cr);
  wp_set_color (self->cr, self->colors->text, is_edge_faded (self, e) ? FADED : 1);
  show_text (self, note, NOTE_SIZE, middle.x, middle.y, width + 1);
}

/* The widest on top of the thinner ones, what is chosen on top of all. */
static void
draw_edges (const Drawing *self)
{
  g_autofree guint32 *drawn = g_new (guint32, self->diagram->edges.len + 1);
  guint32 n = 0, curves = 0;

  for (guint32 e = 0; e < self->diagram->edges.len && curves < CURVES; e++)
    {
      const WpDiagramEdge *edge = &self->diagram->edges.data[e];

      if (!is_in_sight (self, edge))
        continue;
      drawn[n++] = e;
      curves += MAX (edge->n, 1);
    }
  for (guint pass = 0; pass < 2; pass++)
    for (guint32 i = n; i-- > 0;)
      if (stands_out (self, drawn[i]) == (pass == 1))
        draw_edge (self, drawn[i]);
  for (guint32 i = n; i-- > 0 && is_readable (self, NOTE_SIZE);)
    if (self->diagram->edges.data[drawn[i]].note != 0)
      note_edge (self, drawn[i]);
}

/* --- nodes ------------------------------------------------------------------------------------------------------------- */

static void
trace_box (const Drawing *self, const WpDiagramNode *node, double beyond)
{
  double x = node->x - node->width / 2 - beyond, y = node->y - node->height / 2 - beyond, w = node->width + 2 * beyond, h = node->height + 2 * beyond;
  double r = CORNER + beyond;

  if (self->place->scale < FLOWING)
    {
      cairo_rectangle (self->cr, x, y, w, h);
      return;
    }
  cairo_new_sub_path (self->cr);
  cairo_arc (self->cr, x + w - r, y + r, r, -G_PI / 2, 0);
  cairo_arc (self->cr, x + w - r, y + h - r, r, 0, G_PI / 2);
  cairo_arc (self->cr, x + r, y + h - r, r, G_PI / 2, G_PI);
  cairo_arc (self->cr, x + r, y + r, r, G_PI, 3 * G_PI / 2);
  cairo_close_path (self->cr);
}

static void
draw_texts (const Drawing *self, const WpDiagramNode *node, gboolean faded)
{
  double width = node->width - 12;

  wp_set_color (self->cr, wp_box_ink (self->painter->theme, (WpLook) { .kind = node->kind, .faded = faded }), 1);
  if (is_readable (self, node->size))
    show_text (self, wp_strings_get (self->diagram->strings, node->name), node->size, node->x, node->y - (node->note != 0 ? NOTE_SIZE * 0.7 : 0), width);
  if (node->note != 0 && is_readable (self, NOTE_SIZE))
    show_text (self, wp_strings_get (self->diagram->strings, node->note), NOTE_SIZE, node->x, node->y + node->size * 0.7, width);
}

static void
draw_node (const Drawing *self, guint32 n)
{
  const WpDiagramNode *node = &self->diagram->nodes.data[n];
  gboolean faded = is_faded (self, n);
  guint8 shade = wp_box_shade (node->kind, wp_strings_get (self->diagram->strings, node->name));

  wp_set_color (self->cr, wp_box_color (self->painter->theme, (WpLook) { .kind = node->kind, .shade = shade, .faded = faded }),
                1);
  trace_box (self, node, 0);
  cairo_fill (self->cr);
  if (n == self->state->selected || n == self->state->hovered || self->colors->outlines)
    {
      wp_set_color (self->cr, n == self->state->selected ? self->colors->accent : self->colors->text, n == self->state->selected || self->colors->outlines ? 1 : 0.5);
      cairo_set_line_width (self->cr, (n == self->state->selected ? 2.5 : 1) / MIN (self->place->scale, 1));
      trace_box (self, node, n == self->state->selected ? 2 : 0);
      cairo_stroke (self->cr);
    }
  draw_texts (self, node, faded);
}

static void
draw_nodes (const Drawing *self)
{
  const WpDiagram *diagram = self->diagram;

  for (guint32 l = 0; l + 1 < diagram->row_first.len; l++)
    {
      guint32 first, end;

      wp_diagram_within (diagram, l, self->left, self->right, &first, &end);
      for (guint32 i = first; i < end; i++)
        {
          const WpDiagramNode *node = &diagram->nodes.data[diagram->rows.data[i]];

          if (node->y + node->height > self->top && node->y - node->height < self->bottom)
            draw_node (self, diagram->rows.data[i]);
        }
    }
}

/* --- pictures ------------------------------------------------------------------------------------------------------------ */

void
wp_painter_diagram (WpPainter *self, cairo_t *cr, const WpDiagram *diagram, const WpDiagramPlace *place, const WpDiagramState *state)
{
  static const WpDiagramState plain = WP_DIAGRAM_STATE_DEFAULT;
  Drawing drawing = { .painter = self, .cr = cr, .diagram = diagram, .place = place, .state = state != NULL ? state : &plain,
                      .colors = wp_theme_colors (self->theme), .left = place->x, .top = place->y, .right = place->x + place->width / place->scale,
                      .bottom = place->y + place->height / place->scale };

  wp_labels_set_size (self->labels, TEXT_SIZE);
  wp_set_color (cr, drawing.colors->background, 1);
  cairo_rectangle (cr, 0, 0, place->width, place->height);
  cairo_fill (cr);
  cairo_save (cr);
  cairo_set_tolerance (cr, TOLERANCE);
  cairo_scale (cr, place->scale, place->scale);
  cairo_translate (cr, -place->x, -place->y);
  draw_edges (&drawing);
  draw_nodes (&drawing);
  cairo_restore (cr);
  wp_labels_trim (self->labels);
}

void
wp_painter_diagram_small (WpPainter *self, cairo_t *cr, const WpDiagram *diagram, double width, double height)
{
  WpDiagramPlace place = { .width = width, .height = height };

  wp_diagram_fit_small (diagram, &place);
  wp_painter_diagram (self, cr, diagram, &place, NULL);
}

void
wp_painter_diagram_frame (WpPainter *self, cairo_t *cr, const WpDiagram *diagram, const WpDiagramPlace *seen, double width, double height)
{
  const WpThemeColors *colors = wp_theme_colors (self->theme);
  WpDiagramPlace small = { .width = width, .height = height };

  wp_diagram_fit_small (diagram, &small);
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  wp_set_color (cr, colors->separator, 1);
  cairo_set_line_width (cr, 1);
  cairo_rectangle (cr, 0.5, 0.5, width - 1, height - 1);
  cairo_stroke (cr);
  wp_set_color (cr, colors->accent, 1);
  cairo_set_line_width (cr, 1.5);
  cairo_rectangle (cr, (seen->x - small.x) * small.scale, (seen->y - small.y) * small.scale, seen->width / seen->scale * small.scale,
                   seen->height / seen->scale * small.scale);
  cairo_stroke (cr);
  cairo_restore (cr);
}

typedef struct
{
  WpPainter *painter;
  const WpDiagram *diagram;
  WpDiagramPlace place;
} Picture;

static void
paint_picture (cairo_t *cr, gpointer data)
{
  const Picture *picture = data;

  wp_painter_diagram (picture->painter, cr, picture->diagram, &picture->place, NULL);
}

gboolean
wp_picture_write_diagram (const char *path, WpPictureFormat format, const WpDiagram *diagram, const char *title, WpTheme theme, GError **error)
{
  g_autoptr (WpPainter) painter = wp_diagram_painter_new (NULL, theme);
  double width = diagram->width + 2 * WP_DIAGRAM_MARGIN, height = diagram->height + 2 * WP_DIAGRAM_MARGIN;
  double scale = MIN (1, MIN (WP_PICTURE_HEIGHT_MAX / width, WP_PICTURE_HEIGHT_MAX / height));
  Picture picture = { painter, diagram, { .scale = scale, .width = ceil (width * scale), .height = ceil (height * scale) } };

  picture.place.x = picture.place.y = -WP_DIAGRAM_MARGIN;
  return wp_picture_paint (path, format, picture.place.width, picture.place.height, title, paint_picture, &picture, error);
}
