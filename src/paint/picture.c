/* Whole pictures: title, axis, names, rows and legend in one file. */
#include "paint/paint-private.h"

#include "base/find.h"
#include "base/save-file.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define ROW_HEIGHT 20.0
#define NAMES_MAX 220.0

#define PIXELS_MAX 24e6 /* of a PNG, which is painted in memory */

static const double height_max[WP_PICTURE_FORMAT_COUNT] = { [WP_PICTURE_PNG] = 32000, [WP_PICTURE_SVG] = 200000,
                                                            [WP_PICTURE_PDF] = WP_PICTURE_HEIGHT_MAX };

WpPictureFormat
wp_picture_format_from_id (const char *id)
{
  static const char *const ids[WP_PICTURE_FORMAT_COUNT]
    = { [WP_PICTURE_PNG] = "png", [WP_PICTURE_SVG] = "svg", [WP_PICTURE_PDF] = "pdf" };

  return WP_FIND_NAME (ids, id);
}

WpPictureFormat
wp_picture_format_of_file (const char *path, GError **error)
{
  const char *dot = strrchr (path, '.');
  WpPictureFormat format = dot != NULL ? wp_picture_format_from_id (dot + 1) : WP_PICTURE_FORMAT_COUNT;

  if (format == WP_PICTURE_FORMAT_COUNT)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_FILENAME,
                 _ ("%s: the name tells the kind of picture; it must end in .png, .svg or .pdf"), path);
  return format;
}

static double
highest (WpPictureFormat format, double width)
{
  return format == WP_PICTURE_PNG ? MIN (height_max[format], MAX (floor (PIXELS_MAX / width), 2000)) : height_max[format];
}

double
wp_picture_width (double wanted)
{
  return CLAMP (floor (wanted), 320, 30000);
}

static double
names_width (WpPainter *painter, const WpRows *rows, const WpRows *strip, double width)
{
  double most = strip != NULL ? wp_painter_strip_names_width (painter, strip) : 0;

  wp_labels_set_size (painter->labels, round (ROW_HEIGHT * 0.56));
  for (guint32 r = 0; r < rows->rows.len && most < NAMES_MAX; r++)
    if (rows->rows.data[r].label != 0)
      {
        const WpBoxLabel *label = wp_labels_get (painter->labels, wp_rows_string (rows, rows->rows.data[r].label));

        most = MAX (most, wp_label_width (label) + 18 + rows->rows.data[r].indent * 12.0);
        wp_labels_trim (painter->labels);
      }
  return most > 0 ? ceil (MIN (most, MIN (NAMES_MAX, width / 4))) : 0;
}

/* Rows get lower when there are too many of them for the format. */
static void
place (WpViewport *vp, const WpRows *rows, double width, double names, double height)
{
  double rows_height;

  vp->width = width - names - 2 * WP_PICTURE_MARGIN;
  vp->row_height = ROW_HEIGHT;
  wp_viewport_fit (vp, rows);
  rows_height = wp_rows_y (rows, vp, rows->rows.len);
  if (rows_height > height)
    vp->row_height = MAX (1, floor (ROW_HEIGHT * height / rows_height));
  vp->height = MAX (ROW_HEIGHT, ceil (wp_rows_y (rows, vp, rows->rows.len)));
}

/* A whole picture of rows. */
typedef struct
{
  WpPainter *painter;
  const WpRows *rows, *strip; /* strip: NULL, none */
  const WpViewport *viewport;
  const char *title;
  double names;
  const WpPaintState *state;
} RowsPicture;

static double
strip_height (const WpRows *strip)
{
  return strip != NULL ? wp_strip_height (strip) : 0;
}

static void
paint_strip (const RowsPicture *self, cairo_t *cr)
{
  static const WpPaintState plain = { .selected = G_MAXUINT32, .hovered = G_MAXUINT32 };
  double height = wp_strip_height (self->strip);

  cairo_save (cr);
  cairo_rectangle (cr, -self->names, 0, self->names, height);
  cairo_clip (cr);
  cairo_translate (cr, -self->names, 0);
  wp_painter_strip_names (self->painter, cr, self->strip, self->names);
  cairo_restore (cr);
  wp_painter_strip (self->painter, cr, self->strip, self->viewport, &plain);
  wp_set_color (cr, wp_theme_colors (self->painter->theme)->separator, 1);
  cairo_rectangle (cr, -self->names, height - 1, self->names + self->viewport->width, 1);
  cairo_fill (cr);
  cairo_translate (cr, 0, height);
}

static void
paint_rows (cairo_t *cr, gpointer data)
{
  const RowsPicture *self = data;
  WpPainter *painter = self->painter;
  const WpThemeColors *colors = wp_theme_colors (painter->theme);

  wp_set_color (cr, colors->background, 1);
  cairo_paint (cr);
  wp_labels_set_size (painter->labels, 15);
  wp_set_color (cr, colors->text, 1);
  wp_labels_show (painter->labels, cr, wp_labels_get (painter->labels, self->title), WP_PICTURE_MARGIN, 0,
                  self->names + self->viewport->width, WP_PICTURE_TITLE, FALSE);
  cairo_translate (cr, WP_PICTURE_MARGIN + self->names, WP_PICTURE_TITLE);
  wp_painter_axis (painter, cr, self->rows, self->viewport, WP_PICTURE_AXIS);
  cairo_translate (cr, 0, WP_PICTURE_AXIS);
  if (self->strip != NULL)
    paint_strip (self, cr);
  wp_painter_boxes (painter, cr, self->rows, self->viewport, self->state);
  cairo_translate (cr, -self->names, 0);
  if (self->names > 0)
    wp_painter_row_names (painter, cr, self->rows, self->viewport, self->names);
  cairo_translate (cr, 0, self->viewport->height);
  wp_painter_legend_lines (painter, cr, self->rows, self->names + self->viewport->width, WP_PICTURE_LEGEND);
}

static cairo_status_t
append (void *closure, const unsigned char *data, unsigned int length)
{
  g_string_append_len (closure, (const char *) data, length);
  return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *
new_surface (WpPictureFormat format, double width, double height, GString *out)
{
  switch (format)
    {
    case WP_PICTURE_PDF:
      return cairo_pdf_surface_create_for_stream (append, out, width, height);
    case WP_PICTURE_SVG:
      return cairo_svg_surface_create_for_stream (append, out, width, height);
    default:
      return cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) width, (int) height);
    }
}

static cairo_status_t
draw (WpPictureFormat format, double width, double height, const char *title, WpPaintPicture paint, gpointer data, GString *out)
{
  cairo_surface_t *surface = new_surface (format, width, height, out);
  cairo_t *cr = cairo_create (surface);
  cairo_status_t status;

  if (format == WP_PICTURE_PDF)
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_TITLE, title);
  paint (cr, data);
  cairo_show_page (cr);
  status = cairo_status (cr);
  cairo_destroy (cr);
  if (status == CAIRO_STATUS_SUCCESS && format == WP_PICTURE_PNG)
    status = cairo_surface_write_to_png_stream (surface, append, out);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  cairo_surface_destroy (surface);
  return status;
}

static gboolean
keep (const char *path, const GString *out, GError **error)
{
  return wp_save_text (path, out->str, out->len, error);
}

gboolean
wp_picture_paint (const char *path, WpPictureFormat format, double width, double height, const char *title,
                  WpPaintPicture paint, gpointer data, GError **error)
{
  g_autoptr (GString) out = g_string_new (NULL);
  cairo_status_t status = draw (format, width, height, title, paint, data, out);

  if (status == CAIRO_STATUS_SUCCESS)
    return keep (path, out, error);
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("%s: the picture could not be drawn: %s"), path,
               cairo_status_to_string (status));
  return FALSE;
}

static double
whole_width (const RowsPicture *picture)
{
  return picture->viewport->width + picture->names + 2 * WP_PICTURE_MARGIN;
}

static double
whole_height (const RowsPicture *picture)
{
  double below = wp_painter_legend_lines (picture->painter, NULL, picture->rows, picture->viewport->width + picture->names, WP_PICTURE_LEGEND);

  return picture->viewport->height + WP_PICTURE_TITLE + WP_PICTURE_AXIS + strip_height (picture->strip) + below;
}

static gboolean
write_picture (const RowsPicture *picture, const char *path, WpPictureFormat format, GError **error)
{
  const WpViewport *vp = picture->viewport;
  g_autoptr (GString) svg = NULL;

  if (format != WP_PICTURE_SVG)
    return wp_picture_paint (path, format, whole_width (picture), whole_height (picture), picture->title, paint_rows, (gpointer) picture, error);
  svg = wp_svg_picture (picture->painter, picture->rows, picture->strip, vp, picture->title, picture->names, picture->state);
  return keep (path, svg, error);
}

static WpPainter *
painter_of (const WpPictureStyle *style)
{
  WpPainter *painter = wp_painter_new (NULL, style->theme);

  wp_painter_set_colors (painter, style->colors);
  wp_painter_set_origin (painter, style->origin);
  return painter;
}

/* As high as what is seen, at most. */
static WpViewport
visible_place (const WpRows *rows, const WpViewport *visible)
{
  WpViewport vp = *visible;

  vp.width = wp_picture_width (vp.width);
  vp.height = CLAMP (MIN (floor (vp.height), ceil (wp_rows_y (rows, &vp, rows->rows.len) - vp.y)), ROW_HEIGHT,
                     WP_PICTURE_HEIGHT_MAX);
  return vp;
}

gboolean
wp_picture_write_visible (const char *path, WpPictureFormat format, const WpRows *rows, const WpViewport *visible,
                          const WpPaintState *state, const char *title, const WpPictureStyle *style, GError **error)
{
  g_autoptr (WpPainter) painter = painter_of (style);
  WpPaintState printed = state != NULL ? *state : WP_PAINT_STATE_DEFAULT;
  WpViewport vp = visible_place (rows, visible);

  printed.folds = FALSE; /* a picture opens nothing */
  return write_picture (&(RowsPicture) { painter, rows, style->strip, &vp, title != NULL ? title : "",
                                         names_width (painter, rows, style->strip, vp.width), &printed },
                        path, format, error);
}

gboolean
wp_picture_write (const char *path, WpPictureFormat format, const WpRows *rows, const char *title, double width,
                  const WpPictureStyle *style, GError **error)
{
  g_autoptr (WpPainter) painter = painter_of (style);
  WpViewport vp = { 0 };
  double names, around;

  width = wp_picture_width (width);
  names = names_width (painter, rows, style->strip, width);
  around = WP_PICTURE_TITLE + WP_PICTURE_AXIS + strip_height (style->strip)
           + wp_painter_legend_lines (painter, NULL, rows, width - 2 * WP_PICTURE_MARGIN, WP_PICTURE_LEGEND);
  place (&vp, rows, width, names, highest (format, width) - around);
  if (vp.height > highest (format, width))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                   _ ("%s: %u rows are too many for a picture of this format; the filter or the summary makes them fewer"),
                   path, rows->rows.len);
      return FALSE;
    }
  return write_picture (&(RowsPicture) { painter, rows, style->strip, &vp, title != NULL ? title : "", names,
                                         &WP_PAINT_STATE_DEFAULT },
                        path, format, error);
}
