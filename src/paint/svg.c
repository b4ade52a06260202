/* Pictures as SVG: cairo's own cannot name its shapes, so this writes the spans itself, each with its name and duration
 * as a title, which browsers show as a tooltip. */
#include "paint/paint-private.h"

#include "base/format.h"

#include <glib/gi18n.h>
#include <math.h>

#define ARROWS_MAX 300 /* lines have heads up to so many */

#define MEASURED_MAX 20000

#define TITLE_SIZE 15 /* labels are measured in the size of the boxes' */

typedef struct
{
  GString *out;
  WpPainter *painter;
  const WpRows *rows;
  const WpViewport *vp;
  const WpPaintState *state;
  double char_width; /* of the font, on average */
  guint measured;    /* labels */
  guint32 n_shades;  /* written so far */
  guint32 kinds;     /* bit k: there is a box of WpBoxKind k */
} Svg;

static void
append_text (GString *out, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  for (const char *p = valid; *p != '\0'; p++)
    switch (*p)
      {
      case '&':
        g_string_append (out, "&amp;");
        break;
      case '<':
        g_string_append (out, "&lt;");
        break;
      case '>':
        g_string_append (out, "&gt;");
        break;
      default:
        if ((guchar) *p >= ' ' || *p == '\t') /* XML has no other control characters */
          g_string_append_c (out, *p);
      }
}

/* Numbers with a point, whatever the locale. */
static void
append_number (GString *out, double v)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (out, g_ascii_formatd (text, sizeof text, "%.2f", v));
}

static void
append_attribute (GString *out, const char *name, double v)
{
  g_string_append_printf (out, " %s=\"", name);
  append_number (out, v);
  g_string_append_c (out, '"');
}

static void
append_color (GString *out, const char *name, WpRgb c)
{
  g_string_append_printf (out, " %s=\"#%02x%02x%02x\"", name, (int) round (c.r * 255), (int) round (c.g * 255),
                          (int) round (c.b * 255));
}

static void
append_rect (GString *out, double x, double y, double w, double h)
{
  g_string_append (out, "<rect");
  append_attribute (out, "x", x);
  append_attribute (out, "y", y);
  append_attribute (out, "width", w);
  append_attribute (out, "height", h);
}

static gboolean
has_processes (const Svg *s)
{
  return wp_painter_by_body (s->painter, s->rows) && s->rows->bodies.len > 0;
}

static void
write_pattern (Svg *s, const char *id, guint kind, WpMark mark, WpRgb color, double opacity)
{
  const guint8 *bits = wp_mark_tile (mark);
  int h = wp_mark_is_strip (mark) ? WP_STRIP : WP_TILE;

  g_string_append_printf (s->out, "<pattern id=\"%s%u\" width=\"%d\" height=\"%d\" patternUnits=\"userSpaceOnUse\"><path", id,
                          kind, WP_TILE, h);
  append_color (s->out, "fill", color);
  if (opacity < 1)
    append_attribute (s->out, "fill-opacity", opacity);
  g_string_append (s->out, " d=\"");
  for (int y = 0; y < h; y++)
    for (int x = 0; x < WP_TILE; x++)
      if (bits[y] & 0x80 >> x)
        g_string_append_printf (s->out, "M%d %dh1v1h-1z", x, y);
  g_string_append (s->out, "\"/></pattern>\n");
}

/* The marks as patterns, one for each kind of box that is there; boxes of processes have others: ink that lets each of their
 * colours through, and the bands of what they do. */
static void
write_patterns (Svg *s)
{
  const WpTheme theme = s->painter->theme;

  g_string_append (s->out, "<defs>\n");
  for (guint8 kind = 0; kind < WP_BOX_KIND_COUNT; kind++)
    {
      WpMark mark = wp_box_mark (kind);

      if (!(s->kinds & 1u << kind))
        continue;
      if (wp_mark_tile (mark) != NULL)
        write_pattern (s, "mark", kind, mark, wp_mark_color (theme, (WpLook) { .kind = kind }), 1);
      if (wp_mark_tile (mark) != NULL && !wp_mark_is_strip (mark) && has_processes (s))
        write_pattern (s, "ink", kind, mark, wp_box_ink (theme, (WpLook) { .kind = kind, .body = WP_BODY_NEUTRAL, .pale = 1 }),
                       0.16);
      if (wp_state_mark (kind) != WP_MARK_NONE && has_processes (s))
        write_pattern (s, "state", kind, wp_state_mark (kind), wp_state_color (theme, kind), 1);
    }
  g_string_append (s->out,
                   "<marker id=\"arrow\" markerWidth=\"7\" markerHeight=\"6\" refX=\"6\" refY=\"3\" orient=\"auto\">"
                           "<path d=\"M0 0.4L6 3L0 5.6z\"");
  append_color (s->out, "fill", wp_theme_colors (s->painter->theme)->link);
  g_string_append (s->out, "/></marker>\n</defs>\n");
}

/* What is measured takes its time: of so many labels the rest is estimated. */
static gboolean
fits (Svg *s, const char *text, double room)
{
  if (s->measured >= MEASURED_MAX)
    return strlen (text) * s->char_width <= room;
  s->measured++;
  wp_labels_trim (s->painter->labels);
  return wp_label_width (wp_labels_get (s->painter->labels, text)) <= room;
}

static void
write_label (Svg *s, const char *text, double x, double y, double room, WpRgb color)
{
  glong letters = (glong) (room / s->char_width) - 1;

  if (room < 3 * s->char_width)
    return;
  g_string_append (s->out, "<text");
  append_attribute (s->out, "x", x);
  append_attribute (s->out, "y", y);
  append_color (s->out, "fill", color);
  g_string_append_c (s->out, '>');
  if (fits (s, text, room))
    append_text (s->out, text);
  else
    {
      g_autofree char *valid = g_utf8_make_valid (text, -1);
      g_autofree char *head = g_utf8_substring (valid, 0, CLAMP (letters, 1, g_utf8_strlen (valid, -1)));

      append_text (s->out, head);
      g_string_append (s->out, "…");
    }
  g_string_append (s->out, "</text>");
}

/* Patterns repeat from the origin: one moved to this row makes it whole. */
static void
write_tiles (Svg *s, const char *id, WpLook look, WpMark mark, double x, double y, double w, double h)
{
  gboolean strip = wp_mark_is_strip (mark);

  g_string_append (s->out, "<g transform=\"translate(0 ");
  append_number (s->out, y + (strip ? h - WP_STRIP : 0));
  g_string_append (s->out, ")\">");
  append_rect (s->out, x, 0, w, strip ? WP_STRIP : h);
  g_string_append_printf (s->out, " fill=\"url(#%s%u)\" pointer-events=\"none\"/></g>", id, look.kind);
}

static void
write_mark (Svg *s, WpLook look, double x, double y, double w, double h)
{
  WpMark mark = wp_box_mark (look.kind);
  gboolean process = look.body != WP_BODY_NONE;

  if (mark == WP_MARK_TAB)
    {
      append_rect (s->out, x, y, 3, h);
      append_color (s->out, "fill", wp_mark_color (s->painter->theme, look));
      g_string_append (s->out, "/>");
    }
  else if (mark == WP_MARK_CUT_CORNER)
    {
      g_string_append (s->out, "<path d=\"M");
      append_number (s->out, x + w - MIN (8, w));
      g_string_append_c (s->out, ' ');
      append_number (s->out, y - 0.5);
      g_string_append (s->out, "h8v8z\"");
      append_color (s->out, "fill", wp_theme_colors (s->painter->theme)->background);
      g_string_append (s->out, "/>");
    }
  else if (wp_mark_tile (mark) != NULL && !(process && wp_mark_is_strip (mark)))
    write_tiles (s, process ? "ink" : "mark", look, mark, x, y, w, h);
  if (process && wp_state_mark (look.kind) != WP_MARK_NONE)
    write_tiles (s, "state", look, wp_state_mark (look.kind), x, y, w, h);
}

static void
write_title (Svg *s, const WpSpan *span)
{
  const WpBox *box = &s->rows->boxes.data[span->box];
  char text[WP_FORMAT_MAX];

  g_string_append (s->out, "<title>");
  append_text (s->out, wp_rows_string (s->rows, box->label != 0 ? box->label : s->rows->rows.data[span->row].label));
  wp_unit_format (s->rows->x_unit, (double) (box->end - box->start) / (s->rows->scale > 0 ? s->rows->scale : 1), text);
  g_string_append_printf (s->out, " — %s, %s", _ (wp_box_kind_name (box->kind)), text);
  if (span->n_boxes > 1)
    {
      g_string_append (s->out, " ");
      g_string_append_printf (s->out, _ ("(the longest of %u)"), span->n_boxes);
    }
  g_string_append (s->out, "</title>");
}

/* Of the spans in their order. */
static void
write_shades (Svg *s, const WpSpan *span, double y, double h)
{
  const WpShadeArray *shades = &s->painter->shades;
  guint32 number = (guint32) (span - s->painter->spans.data);

  for (; s->n_shades < shades->len && shades->data[s->n_shades].span <= number; s->n_shades++)
    {
      const WpShade *shade = &shades->data[s->n_shades];
      double x0 = MAX (shade->x0, 0), x1 = MIN (shade->x1, s->vp->width);

      if (shade->span < number || x0 >= x1)
        continue;
      append_rect (s->out, x0, y, x1 - x0, h);
      append_color (s->out, "fill", wp_theme_colors (s->painter->theme)->background);
      append_attribute (s->out, "fill-opacity", wp_shade_alpha (shade->share));
      g_string_append (s->out, " pointer-events=\"none\"/>");
    }
}

static void
write_span (Svg *s, const WpSpan *span)
{
  const WpBox *box = &s->rows->boxes.data[span->box];
  double x0 = MAX (span->x0, 0), x1 = MIN (span->x1, s->vp->width), w = x1 - x0;
  double y = wp_rows_y (s->rows, s->vp, span->row) - s->vp->y, h = MAX (1, s->vp->row_height - 1);
  gboolean faded = s->state->highlight != NULL && !s->state->highlight[span->box];
  WpLook look = wp_painter_look (s->painter, s->rows, box, faded);

  look.shade = wp_box_shade (look.kind, wp_rows_string (s->rows, box->label));
  if (w <= 0)
    return;
  w -= w >= 4 ? 1 : 0;
  g_string_append (s->out, "<g>");
  write_title (s, span);
  append_rect (s->out, x0, y, w, h);
  if (w >= 6)
    g_string_append (s->out, " rx=\"2\"");
  append_color (s->out, "fill", wp_box_color (s->painter->theme, look));
  g_string_append (s->out, "/>");
  write_shades (s, span, y, h);
  if (w >= 6 && h >= 10 && !look.faded)
    write_mark (s, look, x0, y, w, h);
  if (box->label != 0 && h >= 10)
    write_label (s, wp_rows_string (s->rows, box->label), x0 + 5, y + h * 0.7, w - 8,
                 wp_painter_ink (s->painter, s->rows, box, faded));
  g_string_append (s->out, "</g>\n");
}

static void
write_lines (Svg *s)
{
  WpIdArray *lines = &s->painter->lines;

  wp_fold_lines (s->rows, s->vp, lines);
  if (lines->len == 0)
    return;
  g_string_append (s->out, "<g fill=\"none\" pointer-events=\"none\"");
  append_color (s->out, "stroke", wp_theme_colors (s->painter->theme)->link);
  append_attribute (s->out, "stroke-opacity", CLAMP (45.0 / lines->len, 0.06, 0.3));
  g_string_append (s->out, ">\n");
  for (guint32 i = 0; i < lines->len; i++)
    {
      const WpLine *l = &s->rows->lines.data[lines->data[i]];
      double down = l->to_row > l->from_row, h = s->vp->row_height - 1;

      g_string_append (s->out, "<path d=\"M");
      append_number (s->out, wp_viewport_x (s->vp, l->start));
      g_string_append_c (s->out, ' ');
      append_number (s->out, wp_rows_y (s->rows, s->vp, l->from_row) - s->vp->y + (down ? h : 0));
      g_string_append_c (s->out, 'L');
      append_number (s->out, wp_viewport_x (s->vp, l->end));
      g_string_append_c (s->out, ' ');
      append_number (s->out, wp_rows_y (s->rows, s->vp, l->to_row) - s->vp->y + (down ? 0 : h));
      g_string_append (s->out, lines->len <= ARROWS_MAX ? "\" marker-end=\"url(#arrow)\"/>\n" : "\"/>\n");
    }
  g_string_append (s->out, "</g>\n");
}

static void
write_notches (Svg *s)
{
  WpIdArray *notches = &s->painter->lines;

  wp_fold_notches (s->rows, s->vp, notches);
  for (guint32 i = 0; i < notches->len; i++)
    {
      const WpNotch *notch = &s->rows->notches.data[notches->data[i]];
      double x0 = MAX (wp_viewport_x (s->vp, notch->start), 0), x1 = MIN (wp_viewport_x (s->vp, notch->end), s->vp->width);

      if (x1 - x0 <= 1) /* nearly all of it is beyond the edge */
        continue;
      append_rect (s->out, x0, wp_rows_y (s->rows, s->vp, notch->row) - s->vp->y, x1 - x0 - 1, WP_NOTCH_DEPTH);
      append_color (s->out, "fill", wp_theme_colors (s->painter->theme)->background);
      g_string_append (s->out, "/>\n");
    }
}

static void
write_axis (Svg *s, double height)
{
  const WpThemeColors *colors = wp_theme_colors (s->painter->theme);
  double step = wp_axis_step (s->painter, s->rows, s->vp);
  double origin = wp_painter_origin (s->painter, s->rows);
  WpTicks ticks = wp_ticks (s->vp->start - origin, s->vp->end - origin, step, s->vp->width + 2);

  for (guint i = 0; i < ticks.n; i++)
    {
      double t = wp_tick (&ticks, i), x = floor (wp_viewport_x (s->vp, origin + t));
      char text[64];

      append_rect (s->out, x, -7, 1, height + 7);
      append_color (s->out, "fill", colors->grid);
      g_string_append (s->out, "/>");
      wp_axis_label (s->rows, t, step, text);
      if (x + 4 + wp_label_width (wp_labels_get (s->painter->labels, text)) <= s->vp->width)
        write_label (s, text, x + 4, -9, s->vp->width, colors->text);
      g_string_append_c (s->out, '\n');
    }
}

static void
write_range (Svg *s)
{
  const WpThemeColors *colors = wp_theme_colors (s->painter->theme);
  double x0 = wp_viewport_x (s->vp, s->state->mark_start), x1 = wp_viewport_x (s->vp, s->state->mark_end);
  char text[WP_FORMAT_MAX];

  if (s->state->mark_end <= s->state->mark_start || x1 < 0 || x0 > s->vp->width)
    return;
  x0 = MAX (x0, 0);
  x1 = MIN (x1, s->vp->width);
  append_rect (s->out, x0, 0, x1 - x0, s->vp->height);
  append_color (s->out, "fill", colors->accent);
  g_string_append (s->out, " fill-opacity=\"0.14\"/>");
  wp_format_ns ((gint64) (s->state->mark_end - s->state->mark_start), text);
  write_label (s, text, x0 + 4, 14, s->vp->width, colors->accent);
  g_string_append_c (s->out, '\n');
}

static void
write_names (Svg *s, double names)
{
  guint32 first, last;

  wp_rows_visible (s->rows, s->vp, &first, &last);
  for (guint32 r = first; r < last && names > 0; r++)
    if (s->rows->rows.data[r].label != 0)
      {
        const char *text = wp_rows_string (s->rows, s->rows->rows.data[r].label);
        double indent = s->rows->rows.data[r].indent * 12;

        g_string_append (s->out, "<g><title>");
        append_text (s->out, text);
        g_string_append (s->out, "</title>");
        write_label (s, text, indent - names, wp_rows_y (s->rows, s->vp, r) - s->vp->y + s->vp->row_height * 0.7, names - 8 - indent,
                     wp_theme_colors (s->painter->theme)->text);
        g_string_append (s->out, "</g>\n");
      }
}

static void
write_legend (Svg *s, double names)
{
  WpLegendEntry entries[WP_LEGEND_MAX];
  guint n = wp_legend_entries (s->painter, s->rows, s->vp->width + names, WP_PICTURE_LEGEND, entries);

  for (guint i = 0; i < n; i++)
    {
      double x = entries[i].x - names, y = s->vp->height + entries[i].line * WP_PICTURE_LEGEND + (WP_PICTURE_LEGEND - 16) / 2;

      append_rect (s->out, x, y, WP_LEGEND_BOX, 16);
      append_color (s->out, "fill", wp_box_color (s->painter->theme, entries[i].look));
      g_string_append (s->out, " rx=\"2\"/>");
      write_mark (s, entries[i].look, x, y, WP_LEGEND_BOX, 16);
      write_label (s, entries[i].name, x + WP_LEGEND_SWATCH, y + 12, 1000, wp_theme_colors (s->painter->theme)->text);
    }
  g_string_append_c (s->out, '\n');
}

static void
write_arrows (Svg *s)
{
  wp_strip_find_arrows (s->painter, s->rows, s->vp);
  g_string_append (s->out, "<g pointer-events=\"none\"");
  append_color (s->out, "fill", wp_theme_colors (s->painter->theme)->text);
  g_string_append (s->out, " fill-opacity=\"0.75\">\n");
  for (guint32 i = 0; i < s->painter->lines.len; i++)
    {
      WpStripArrow arrow = wp_strip_arrow (s->rows, s->vp, &s->rows->lines.data[s->painter->lines.data[i]]);

      append_rect (s->out, arrow.x, MIN (arrow.from, arrow.neck), 1, fabs (arrow.neck - arrow.from));
      g_string_append (s->out, "/><path d=\"M");
      append_number (s->out, arrow.x + 0.5);
      g_string_append_c (s->out, ' ');
      append_number (s->out, arrow.to);
      g_string_append_printf (s->out, arrow.neck < arrow.to ? "l%g -%g h%gz\"/>\n" : "l%g %g h%gz\"/>\n", -WP_STRIP_HEAD,
                              2 * WP_STRIP_HEAD, 2 * WP_STRIP_HEAD);
    }
  g_string_append (s->out, "</g>\n");
}

/* The wait chain over the same stretch of time: tracks, names, what is lit, arrows. */
static void
write_strip (const Svg *above, const WpRows *strip, double names)
{
  const WpThemeColors *colors = wp_theme_colors (above->painter->theme);
  const WpViewport vp = wp_strip_viewport (above->vp);
  const WpPaintState plain = WP_PAINT_STATE_DEFAULT;
  double height = wp_strip_height (strip);
  Svg s = *above;

  s.rows = strip;
  s.vp = &vp;
  s.state = &plain;
  append_rect (s.out, -names, 0, names + vp.width, height);
  append_color (s.out, "fill", colors->background);
  g_string_append_printf (s.out, "/>\n<g font-size=\"%d\">", (int) WP_STRIP_NAME_SIZE);
  for (guint32 r = 0; r < strip->rows.len; r++)
    {
      append_rect (s.out, 0, wp_strip_middle (strip, &vp, r), vp.width, 1);
      append_color (s.out, "fill", colors->grid);
      g_string_append (s.out, "/>");
      write_label (&s, wp_rows_string (strip, strip->rows.data[r].label), -names, wp_strip_middle (strip, &vp, r) + 4,
                   names - 8, colors->text);
      g_string_append_c (s.out, '\n');
    }
  g_string_append (s.out, "</g>\n");
  wp_fold_shaded (strip, &vp, &s.painter->spans, &s.painter->shades);
  for (guint32 i = 0; i < s.painter->spans.len; i++)
    write_span (&s, &s.painter->spans.data[i]);
  write_arrows (&s);
  append_rect (s.out, -names, height - 1, names + vp.width, 1);
  append_color (s.out, "fill", colors->separator);
  g_string_append (s.out, "/>\n");
}

GString *
wp_svg_picture (WpPainter *painter, const WpRows *rows, const WpRows *strip, const WpViewport *vp, const char *title,
                double names,
                const WpPaintState *state)
{
  Svg s = { .out = g_string_new (NULL), .painter = painter, .rows = rows, .vp = vp, .state = state,
            .kinds = wp_painter_kinds (painter, rows) | (strip != NULL ? wp_painter_kinds (painter, strip) : 0) };
  double above = strip != NULL ? wp_strip_height (strip) : 0;
  double width = vp->width + names + 2 * WP_PICTURE_MARGIN;
  double height = vp->height + above + WP_PICTURE_TITLE + WP_PICTURE_AXIS
                  + wp_painter_legend_lines (painter, NULL, rows, vp->width + names, WP_PICTURE_LEGEND);
  int font_size = (int) wp_label_size (vp);

  wp_labels_set_size (painter->labels, font_size);
  s.char_width = wp_label_width (wp_labels_get (painter->labels, "abcdefghijklmnopqrstuvwxyz_:")) / 28;
  g_string_append_printf (s.out,
                          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                          "font-family=\"Cantarell, DejaVu Sans, sans-serif\" font-size=\"%d\">\n<title>",
                          (int) width, (int) height, (int) width, (int) height, font_size);
  append_text (s.out, title);
  g_string_append (s.out, "</title>\n");
  write_patterns (&s);
  append_rect (s.out, 0, 0, width, height);
  append_color (s.out, "fill", wp_theme_colors (painter->theme)->background);
  g_string_append (s.out, "/>\n");
  g_string_append_printf (s.out, "<g font-size=\"%d\">", TITLE_SIZE);
  write_label (&s, title, WP_PICTURE_MARGIN, 23, (width - 2 * WP_PICTURE_MARGIN) * font_size / TITLE_SIZE,
               wp_theme_colors (painter->theme)->text);
  g_string_append_printf (s.out, "</g>\n<g transform=\"translate(%d %d)\">\n", (int) (WP_PICTURE_MARGIN + names),
                          WP_PICTURE_TITLE + WP_PICTURE_AXIS);
  write_axis (&s, vp->height + above);
  if (strip != NULL)
    write_strip (&s, strip, names);
  g_string_append_printf (s.out, "<g transform=\"translate(0 %d)\">\n", (int) above);
  g_string_append (s.out, "<clipPath id=\"area\">");
  append_rect (s.out, -names, 0, names + vp->width, vp->height);
  g_string_append (s.out, "/></clipPath>\n<g clip-path=\"url(#area)\">\n");
  wp_fold_shaded (rows, vp, &painter->spans, &painter->shades);
  for (guint32 i = 0; i < painter->spans.len; i++)
    write_span (&s, &painter->spans.data[i]);
  write_notches (&s);
  if (state->lines)
    write_lines (&s);
  write_range (&s);
  write_names (&s, names);
  g_string_append (s.out, "</g>\n");
  write_legend (&s, names);
  g_string_append (s.out, "</g>\n</g>\n</svg>\n");
  return s.out;
}
