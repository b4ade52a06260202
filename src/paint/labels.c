/* Texts are laid out once and kept; what does not fit is cut between glyphs, so that no layout is made anew while
 * zooming. */
#include "paint/paint-private.h"

#include "base/hash.h"

#include <math.h>

#define TEXT_MAX 400     /* bytes of a name that are laid out at most: no box shows more */
#define KEPT_MAX 6000    /* labels kept */

struct WpBoxLabel
{
  char *text;
  PangoLayout *layout;
  double width;
};

struct WpLabels
{
  PangoContext *context;
  PangoFontDescription *font;
  double size;
  GHashTable *labels; /* text → WpBoxLabel */
  WpBoxLabel *ellipsis;
  double baseline, height;
};

static void
label_free (gpointer data)
{
  WpBoxLabel *self = data;

  g_object_unref (self->layout);
  g_free (self->text);
  g_free (self);
}

static WpBoxLabel *
label_new (WpLabels *self, const char *text)
{
  WpBoxLabel *label = g_new0 (WpBoxLabel, 1);
  g_autofree char *valid = NULL;
  gsize n = strlen (text);
  PangoRectangle extents;

  label->text = g_strdup (text);
  label->layout = pango_layout_new (self->context);
  pango_layout_set_font_description (label->layout, self->font);
  pango_layout_set_single_paragraph_mode (label->layout, TRUE);
  valid = g_utf8_make_valid (text, n > TEXT_MAX ? TEXT_MAX : (gssize) n);
  pango_layout_set_text (label->layout, valid, -1);
  pango_layout_get_extents (label->layout, NULL, &extents);
  label->width = (double) extents.width / PANGO_SCALE;
  return label;
}

static void
forget (WpLabels *self)
{
  g_hash_table_remove_all (self->labels);
  g_clear_pointer (&self->ellipsis, label_free);
}

WpLabels *
wp_labels_new (PangoContext *context)
{
  WpLabels *self = g_new0 (WpLabels, 1);

  self->context = g_object_ref (context);
  self->font = pango_font_description_copy (pango_context_get_font_description (context));
  self->labels = g_hash_table_new_full (wp_hash_string, g_str_equal, NULL, label_free);
  wp_labels_set_size (self, 11);
  return self;
}

void
wp_labels_free (WpLabels *self)
{
  if (self == NULL)
    return;
  forget (self);
  g_hash_table_unref (self->labels);
  pango_font_description_free (self->font);
  g_object_unref (self->context);
  g_free (self);
}

double
wp_label_size (const WpViewport *vp)
{
  return CLAMP (MAX (round (vp->row_height * 0.56), MIN (floor (vp->row_height * 0.72), 10)), 6, 18);
}

void
wp_labels_set_size (WpLabels *self, double pixels)
{
  PangoRectangle extents;

  if (self->size == pixels)
    return;
  self->size = pixels;
  pango_font_description_set_absolute_size (self->font, pixels * PANGO_SCALE);
  forget (self);
  self->ellipsis = label_new (self, "…");
  pango_layout_get_extents (self->ellipsis->layout, NULL, &extents);
  self->height = (double) extents.height / PANGO_SCALE;
  self->baseline = (double) pango_layout_get_baseline (self->ellipsis->layout) / PANGO_SCALE;
}

const WpBoxLabel *
wp_labels_get (WpLabels *self, const char *text)
{
  WpBoxLabel *label = g_hash_table_lookup (self->labels, text);

  if (label == NULL)
    {
      label = label_new (self, text);
      g_hash_table_insert (self->labels, label->text, label);
    }
  return label;
}

double
wp_label_width (const WpBoxLabel *label)
{
  return label->width;
}

void
wp_labels_trim (WpLabels *self)
{
  if (g_hash_table_size (self->labels) > KEPT_MAX)
    g_hash_table_remove_all (self->labels);
}

/* The glyphs of a line from left to right, whatever their runs: those that end before `from` are left out, and what
 * begins after it until `to` is shown with its left end at x. Units of Pango. Returns the width shown. */
static double
show_stretch (cairo_t *cr, const WpBoxLabel *label, double x, double baseline, int from, int to)
{
  PangoLayoutLine *line = pango_layout_get_line_readonly (label->layout, 0);
  int at = 0, shown = 0;

  for (GSList *l = line->runs; l != NULL && at < to; l = l->next)
    {
      PangoGlyphItem *run = l->data;
      PangoGlyphInfo *glyphs = run->glyphs->glyphs;
      int i = 0, first, width = 0, n = run->glyphs->num_glyphs;
      PangoGlyphString part;

      while (i < n && (at < from || !glyphs[i].attr.is_cluster_start))
        at += glyphs[i++].geometry.width;
      for (first = i; i < n;)
        {
          int cluster = 0, end = i;

          do
            cluster += glyphs[end++].geometry.width;
          while (end < n && !glyphs[end].attr.is_cluster_start);
          if (at + cluster > to)
            {
              to = at;
              break;
            }
          at += cluster;
          width += cluster;
          i = end;
        }
      if (i == first)
        continue;
      part = (PangoGlyphString) { .num_glyphs = i - first, .glyphs = glyphs + first,
                                  .log_clusters = run->glyphs->log_clusters + first };
      cairo_move_to (cr, x + (double) shown / PANGO_SCALE, baseline);
      pango_cairo_show_glyph_string (cr, run->item->analysis.font, &part);
      shown += width;
    }
  cairo_new_path (cr); /* what is drawn next does not begin where the text does */
  return (double) shown / PANGO_SCALE;
}

void
wp_labels_show (WpLabels *self, cairo_t *cr, const WpBoxLabel *label, double x, double y, double width, double height,
                gboolean middle)
{
  double baseline = round (y + (height - self->height) / 2 + self->baseline);
  double room = width - self->ellipsis->width, head;
  int whole = (int) ceil (label->width * PANGO_SCALE) + 1;

  if (label->width <= width)
    {
      show_stretch (cr, label, x, baseline, 0, whole);
      return;
    }
  if (room < 1.5 * self->size)
    return;
  head = show_stretch (cr, label, x, baseline, 0, (int) ((middle ? room * 0.5 : room) * PANGO_SCALE));
  show_stretch (cr, self->ellipsis, x + head, baseline, 0, G_MAXINT);
  if (middle)
    show_stretch (cr, label, x + head + self->ellipsis->width, baseline, whole - (int) ((room - head) * PANGO_SCALE),
                  whole);
}
