/* What stands around the boxes beside the axis: minimap, names of rows, legend. */
#include "paint/paint-private.h"

#include <glib/gi18n.h>
#include <math.h>

#define MINIMAP_LINE 3 /* least height of a line of the minimap, pixels */

/* --- minimap ------------------------------------------------------------------------------------------------------ */

static void
minimap_line (WpPainter *self, cairo_t *cr, const WpRows *rows, guint32 row, double width, double y, double h)
{
  WpViewport vp = { .start = (double) rows->start, .end = MAX ((double) rows->end, rows->start + 1.0), .width = width,
                    .height = 0.5, .row_height = 1 };

  vp.y = wp_rows_y (rows, &vp, row) + 0.25;
  wp_fold_shaded (rows, &vp, &self->spans, &self->shades);
  for (guint32 i = 0; i < self->spans.len; i++)
    {
      const WpSpan *s = &self->spans.data[i];

      wp_set_color (cr, wp_box_color (self->theme, wp_painter_look (self, rows, &rows->boxes.data[s->box], FALSE)), 1);
      cairo_rectangle (cr, floor (s->x0 + 0.5), y, MAX (1, floor (s->x1 + 0.5) - floor (s->x0 + 0.5)), h);
      cairo_fill (cr);
    }
  for (guint32 i = 0; i < self->shades.len; i++)
    {
      const WpShade *s = &self->shades.data[i];

      wp_set_color (cr, wp_theme_colors (self->theme)->background, wp_shade_alpha (s->share));
      cairo_rectangle (cr, floor (s->x0 + 0.5), y, floor (s->x1 + 0.5) - floor (s->x0 + 0.5), h);
      cairo_fill (cr);
    }
}

/* Of rows that say who was busy when the one that ran longer, or was busy longer with something else; of others the one with more boxes. */
static gboolean
is_fuller (const WpRows *rows, const WpRow *row, const WpRow *than)
{
  WpLengths a, b;

  if (!rows->shaded)
    return row->n > than->n;
  a = wp_rows_lengths (rows, row->first, row->n);
  b = wp_rows_lengths (rows, than->first, than->n);
  return a.running != b.running ? a.running > b.running : a.other > b.other;
}

/* Where there are more rows than lines, each line shows the fullest of its rows. */
static void
minimap_rows (WpPainter *self, cairo_t *cr, const WpRows *rows, double width, double height)
{
  guint32 n = MIN (rows->rows.len, (guint32) MAX (1, height / MINIMAP_LINE));
  double h = MIN (height / MAX (n, 1), 8);

  wp_set_color (cr, wp_theme_colors (self->theme)->background, 1);
  cairo_paint (cr);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  for (guint32 i = 0; i < n; i++)
    {
      guint32 first = (guint64) i * rows->rows.len / n, end = (guint64) (i + 1) * rows->rows.len / n, best = first;

      for (guint32 r = first; r < end; r++)
        if (is_fuller (rows, &rows->rows.data[r], &rows->rows.data[best]))
          best = r;
      minimap_line (self, cr, rows, best, width, floor (i * h), floor ((i + 1) * h) - floor (i * h) - (h >= 4));
    }
}

static void
keep_minimap (WpPainter *self, cairo_t *cr, const WpRows *rows, double width, double height)
{
  guint64 of = rows->fingerprint ^ (guint64) rows->boxes.len << 32;
  cairo_t *own;

  if (self->minimap != NULL && self->minimap_of == of && self->minimap_width == (int) width
      && self->minimap_height == (int) height)
    return;
  g_clear_pointer (&self->minimap, cairo_surface_destroy);
  self->minimap = cairo_surface_create_similar_image (cairo_get_target (cr), CAIRO_FORMAT_RGB24, (int) width,
                                                      (int) height);
  self->minimap_of = of;
  self->minimap_width = (int) width;
  self->minimap_height = (int) height;
  own = cairo_create (self->minimap);
  minimap_rows (self, own, rows, width, height);
  cairo_destroy (own);
}

void
wp_painter_minimap (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp, double width, double height)
{
  const WpThemeColors *colors = wp_theme_colors (self->theme);
  double full = MAX (1.0, (double) rows->end - (double) rows->start), rows_height, x0, x1, y0, y1;

  if (width < 1 || height < 1)
    return;
  keep_minimap (self, cr, rows, width, height);
  rows_height = MAX (1, wp_rows_y (rows, vp, rows->rows.len));
  x0 = floor ((vp->start - rows->start) / full * width);
  x1 = MAX (x0 + 3, ceil ((vp->end - rows->start) / full * width));
  y0 = floor (CLAMP (vp->y / rows_height, 0, 1) * height);
  y1 = ceil (CLAMP ((vp->y + vp->height) / rows_height, 0, 1) * height);
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  cairo_set_source_surface (cr, self->minimap, 0, 0);
  cairo_paint (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_rectangle (cr, x1, y0, x0 - x1, y1 - y0); /* turned the other way round: a hole */
  wp_set_color (cr, colors->background, 0.62);
  cairo_fill (cr);
  cairo_rectangle (cr, x0 + 1, y0 + 1, x1 - x0 - 2, y1 - y0 - 2);
  wp_set_color (cr, colors->accent, 1);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
  cairo_restore (cr);
}

/* --- names of rows ------------------------------------------------------------------------------------------------ */

void
wp_painter_row_names (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *vp, double width)
{
  const WpThemeColors *colors = wp_theme_colors (self->theme);
  guint32 first, last;

  wp_labels_set_size (self->labels, wp_label_size (vp));
  wp_rows_visible (rows, vp, &first, &last);
  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, vp->height);
  cairo_clip (cr);
  wp_set_color (cr, colors->background, 1);
  cairo_paint (cr);
  for (guint32 r = first; r < last; r++)
    {
      const WpRow *row = &rows->rows.data[r];
      double y = round (wp_rows_y (rows, vp, r) - vp->y), x = 8 + row->indent * 12.0;

      if (row->group && r > 0)
        {
          wp_set_color (cr, colors->separator, 1);
          cairo_rectangle (cr, 0, floor (y - WP_GROUP_SPACE (vp) / 2), width, 1);
          cairo_fill (cr);
        }
      if (row->label == 0)
        continue;
      wp_set_color (cr, colors->text, 1);
      wp_labels_show (self->labels, cr, wp_labels_get (self->labels, wp_rows_string (rows, row->label)), x, y,
                      width - x - 8, vp->row_height - 1, TRUE);
    }
  cairo_restore (cr);
}

/* --- legend ------------------------------------------------------------------------------------------------------- */

#define LEGEND_LEFT 8.0
#define LEGEND_GAP 18.0

static void
set_legend_size (WpPainter *self, double line)
{
  wp_labels_set_size (self->labels, CLAMP (round (line * 0.45), 9, 13));
}

/* The first so many processes, or modules, and one for all kernels' code. */
static guint
add_bodies (const WpRows *rows, WpLegendEntry *entries)
{
  guint n = 0;

  for (guint32 i = 0; i < rows->bodies.len && n < WP_LEGEND_BODIES; i++)
    if (!rows->by_module || rows->seen_bodies & 1u << rows->bodies.data[i].body) /* what is folded has no box */
      entries[n++] = (WpLegendEntry) { .name = wp_rows_string (rows, rows->bodies.data[i].label),
                                       .look = { .kind = rows->by_module ? WP_BOX_BOTH : WP_BOX_PROCESS, .body = rows->bodies.data[i].body } };
  if (rows->pale)
    entries[n++] = (WpLegendEntry) { .name = _ ("In the kernel"),
                                     .look = { .kind = WP_BOX_BOTH, .body = WP_BODY_NEUTRAL, .pale = 1 } };
  return n;
}

/* Whose code it is has no colour where colours are those of processes. */
static gboolean
is_shown_by_process (const WpRows *rows, guint kind)
{
  gboolean is_code = kind >= WP_BOX_PROGRAM && kind <= WP_BOX_KERNEL;

  return kind != WP_BOX_PROCESS && kind != WP_BOX_BOTH && !(is_code && rows->body_kinds & 1u << kind);
}

/* What a process does is shown on a box of nobody in particular; what no process does has a colour of its own. `kinds`: those that are there. */
static guint
add_kinds (const WpRows *rows, guint32 kinds, gboolean by_process, WpLegendEntry *entries)
{
  guint32 of_processes = by_process ? rows->body_kinds : 0;
  guint n = 0;

  for (guint kind = 0; kind < WP_BOX_KIND_COUNT; kind++)
    if (kinds & 1u << kind && (!by_process || is_shown_by_process (rows, kind)))
      entries[n++] = (WpLegendEntry) { .name = _ (wp_box_kind_name (kind)),
                                       .look = { .kind = (guint8) kind,
                                                 .body = of_processes & 1u << kind && wp_state_mark (kind) != WP_MARK_NONE ? WP_BODY_NEUTRAL
                                                         : WP_BODY_NONE } };
  return n;
}

guint
wp_legend_entries (WpPainter *self, const WpRows *rows, double width, double line, WpLegendEntry entries[WP_LEGEND_MAX])
{
  gboolean by_process = wp_painter_by_body (self, rows) && rows->bodies.len > 0;
  guint n = by_process && !rows->plain ? add_bodies (rows, entries) : 0, at = 0;
  double x = LEGEND_LEFT;

  if (!rows->plain)
    n += add_kinds (rows, wp_painter_kinds (self, rows), by_process, entries + n);
  set_legend_size (self, line);
  for (guint i = 0; i < n; i++)
    {
      entries[i].width = WP_LEGEND_SWATCH + ceil (wp_label_width (wp_labels_get (self->labels, entries[i].name)));
      if (x > LEGEND_LEFT && x + entries[i].width + LEGEND_LEFT > width)
        {
          x = LEGEND_LEFT;
          at++;
        }
      entries[i].line = at;
      entries[i].x = x;
      x += entries[i].width + LEGEND_GAP;
    }
  return n;
}

static void
legend_swatch (WpPainter *self, cairo_t *cr, WpLook look, double x, double y, double h)
{
  WpRows *rows = wp_rows_new ();
  WpViewport vp = { .start = 0, .end = WP_LEGEND_BOX, .width = WP_LEGEND_BOX, .height = h, .row_height = h };
  WpPaintState state = WP_PAINT_STATE_DEFAULT;

  wp_array_push (&rows->boxes, ((WpBox) { .start = 0, .end = (gint64) WP_LEGEND_BOX, .kind = look.kind, .body = look.body,
                                          .pale = look.pale }));
  wp_array_push (&rows->rows, ((WpRow) { .n = 1 }));
  rows->by_module = self->colors == WP_COLORS_MODULE;
  wp_rows_finish (rows);
  cairo_save (cr);
  cairo_translate (cr, x, y);
  wp_painter_boxes (self, cr, rows, &vp, &state);
  cairo_restore (cr);
  wp_rows_free (rows);
}

/* Where people read from right to left, its swatch stands at the right. */
static void
legend_entry (WpPainter *self, cairo_t *cr, const WpLegendEntry *entry, double width, double line, gboolean from_right)
{
  double h = MIN (16, line - 4), x = from_right ? width - entry->x - entry->width : entry->x, y = entry->line * line;

  legend_swatch (self, cr, entry->look, from_right ? x + entry->width - WP_LEGEND_BOX : x, y + floor ((line - h) / 2), h);
  set_legend_size (self, line);
  wp_set_color (cr, wp_theme_colors (self->theme)->text, 1);
  wp_labels_show (self->labels, cr, wp_labels_get (self->labels, entry->name), from_right ? x : x + WP_LEGEND_SWATCH, y,
                  entry->width - WP_LEGEND_SWATCH + 1, line, FALSE);
}

/* Both measures and, with `cr`, paints: lines of `line` pixels, none wider than `width` unless one entry is. Returns the right end
 * of the last line; `lines` is how many there are. */
static double
legend (WpPainter *self, cairo_t *cr, const WpRows *rows, double width, double line, guint *lines)
{
  gboolean from_right = width < G_MAXDOUBLE && wp_painter_from_right (self);
  WpLegendEntry entries[WP_LEGEND_MAX];
  guint n = wp_legend_entries (self, rows, width, line, entries);

  for (guint i = 0; i < n && cr != NULL; i++)
    legend_entry (self, cr, &entries[i], width, line, from_right);
  *lines = n > 0 ? entries[n - 1].line + 1 : 1;
  return n > 0 ? entries[n - 1].x + entries[n - 1].width + LEGEND_GAP : LEGEND_LEFT;
}

double
wp_painter_legend (WpPainter *self, cairo_t *cr, const WpRows *rows, double height)
{
  guint lines;

  return legend (self, cr, rows, G_MAXDOUBLE, height, &lines);
}

double
wp_painter_legend_lines (WpPainter *self, cairo_t *cr, const WpRows *rows, double width, double line)
{
  guint lines;

  legend (self, cr, rows, width, line, &lines);
  return lines * line;
}

/* NULL: its name says it. */
static const char *
entry_help (const WpLegendEntry *entry)
{
  const char *help = entry->name == _(wp_box_kind_name (entry->look.kind)) ? wp_box_kind_help (entry->look.kind) : NULL;

  return help != NULL ? _(help) : NULL;
}

char *
wp_painter_legend_words (WpPainter *self, const WpRows *rows)
{
  WpLegendEntry entries[WP_LEGEND_MAX];
  guint n = wp_legend_entries (self, rows, G_MAXDOUBLE, WP_PICTURE_LEGEND, entries);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      const char *help = entry_help (&entries[i]);

      g_string_append_printf (text, "%s%s%s%s", i > 0 ? "\n" : "", entries[i].name, help != NULL ? ": " : "", help != NULL ? help : "");
    }
  return g_string_free (text, FALSE);
}

char *
wp_painter_place_words (const WpPainter *self, const WpRows *rows, const WpViewport *vp)
{
  double step = MAX ((vp->end - vp->start) / 100, 1), whole = (double) (rows->end - rows->start), origin = wp_painter_origin (self, rows);
  char from[64], to[64], all[WP_FORMAT_MAX], share[WP_FORMAT_MAX];

  wp_unit_format (rows->x_unit, whole / (rows->scale > 0 ? rows->scale : 1), all);
  if (vp->end - vp->start > whole - wp_viewport_cell (vp)) /* on whole pixels a part of one may be beyond the edge */
    return g_strdup_printf (_("All of %s is seen"), all);
  wp_axis_label (rows, vp->start - origin, step, from);
  wp_axis_label (rows, vp->end - origin, step, to);
  return g_strdup_printf (_("From %s to %s is seen, of %s (%s)"), from, to, all, wp_format_share ((vp->end - vp->start) / MAX (whole, 1), share));
}

const char *
wp_painter_legend_help (WpPainter *self, const WpRows *rows, double width, double line, double x, double y)
{
  WpLegendEntry entries[WP_LEGEND_MAX];
  guint n = wp_legend_entries (self, rows, width, line, entries);
  double from_start = wp_painter_from_right (self) ? width - x : x;

  for (guint i = 0; i < n; i++)
    {
      const WpLegendEntry *entry = &entries[i];

      if (entry->line == (guint) (y / line) && entry->x <= from_start && from_start < entry->x + entry->width)
        return entry_help (entry);
    }
  return NULL;
}
