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
names_width (WpPainter *painter, const WpRows *rows, double width)
{
  double most = 0;

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

static void
paint_picture (WpPainter *painter, cairo_t *cr, const WpRows *rows, const WpViewport *vp, const char *title,
               double names, const WpPaintState *state)
{
  const WpThemeColors *colors = wp_theme_colors (painter->theme);

  wp_set_color (cr, colors->background, 1);
  cairo_paint (cr);
  wp_labels_set_size (painter->labels, 15);
  wp_set_color (cr, colors->text, 1);
  wp_labels_show (painter->labels, cr, wp_labels_get (painter->labels, title), WP_PICTURE_MARGIN, 0, names + vp->width,
                  WP_PICTURE_TITLE, FALSE);
  cairo_translate (cr, WP_PICTURE_MARGIN + names, WP_PICTURE_TITLE);
  wp_painter_axis (painter, cr, rows, vp, WP_PICTURE_AXIS);
  cairo_translate (cr, 0, WP_PICTURE_AXIS);
  wp_painter_boxes (painter, cr, rows, vp, state);
  cairo_translate (cr, -names, 0);
  if (names > 0)
    wp_painter_row_names (painter, cr, rows, vp, names);
  cairo_translate (cr, 0, vp->height);
  wp_painter_legend (painter, cr, rows, WP_PICTURE_LEGEND);
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

typedef struct
{
  WpPainter *painter;
  const WpRows *rows;
  const WpViewport *viewport;
  const char *title;
  double names;
  const WpPaintState *state;
} RowsPicture;

static void
paint_rows (cairo_t *cr, gpointer data)
{
  const RowsPicture *self = data;

  paint_picture (self->painter, cr, self->rows, self->viewport, self->title, self->names, self->state);
}

static gboolean
write_picture (WpPainter *painter, const char *path, WpPictureFormat format, const WpRows *rows, const WpViewport *vp,
               const char *title, double names, const WpPaintState *state, GError **error)
{
  static const WpPaintState plain = { .selected = G_MAXUINT32, .hovered = G_MAXUINT32, .lines = TRUE };
  RowsPicture picture = { painter, rows, vp, title != NULL ? title : "", names, state != NULL ? state : &plain };
  g_autoptr (GString) svg = NULL;

  if (format != WP_PICTURE_SVG)
    return wp_picture_paint (path, format, vp->width + names + 2 * WP_PICTURE_MARGIN,
                             vp->height + WP_PICTURE_TITLE + WP_PICTURE_AXIS + WP_PICTURE_LEGEND, picture.title, paint_rows,
                             &picture, error);
  svg = wp_svg_picture (painter, rows, vp, picture.title, names, picture.state);
  return keep (path, svg, error);
}

gboolean
wp_picture_write_visible (const char *path, WpPictureFormat format, const WpRows *rows, const WpViewport *visible,
                          const WpPaintState *state, const char *title, WpTheme theme, GError **error)
{
  g_autoptr (WpPainter) painter = wp_painter_new (NULL, theme);
  WpViewport vp = *visible;

  vp.width = wp_picture_width (vp.width);
  vp.height = CLAMP (MIN (floor (vp.height), ceil (wp_rows_y (rows, &vp, rows->rows.len) - vp.y)), ROW_HEIGHT,
                     WP_PICTURE_HEIGHT_MAX);
  return write_picture (painter, path, format, rows, &vp, title, names_width (painter, rows, vp.width), state, error);
}

gboolean
wp_picture_write (const char *path, WpPictureFormat format, const WpRows *rows, const char *title, double width,
                  WpTheme theme, GError **error)
{
  g_autoptr (WpPainter) painter = wp_painter_new (NULL, theme);
  WpViewport vp = { 0 };
  double names;

  width = wp_picture_width (width);
  names = names_width (painter, rows, width);
  place (&vp, rows, width, names, highest (format, width) - WP_PICTURE_TITLE - WP_PICTURE_AXIS - WP_PICTURE_LEGEND);
  if (vp.height > highest (format, width))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                   _ ("%s: %u rows are too many for a picture of this format; the filter or the summary makes them fewer"),
                   path, rows->rows.len);
      return FALSE;
    }
  return write_picture (painter, path, format, rows, &vp, title, names, NULL, error);
}
