/* What the files of the canvas share. */
#pragma once

#include "app/canvas/canvas.h"

typedef enum
{
  WP_DRAG_NONE,
  WP_DRAG_PAN,
  WP_DRAG_MARK,
  WP_DRAG_ZOOM, /* a band, to be zoomed to */
} WpDrag;

struct _WpCanvas
{
  GtkWidget parent_instance;

  WpShared *rows;
  WpViewport viewport;   /* on whole pixels (wp_viewport_snap()) */
  double rest_x, rest_y; /* how far from there it would be, in the rows' unit and in pixels */
  gboolean fits_height; /* rows are as high as lets all of them be seen */
  gboolean placed; /* the viewport has been fitted to the rows */
  WpZoomTrail *trail;
  guint trail_source; /* timeout that remembers a place once it has been still for a while */

  WpPainter *painter;
  WpPlate *plate;
  GdkTexture *texture; /* of what the plate shows; NULL: none yet */
  cairo_surface_t *texture_of; /* … which is this; the texture has it */
  WpColors colors;
  gint64 origin; /* of moments of a recording */
  PangoFontDescription *font; /* the painter's */
  WpPaintState state;
  double selected_time; /* the moment of the selected box that was pointed at; NAN: none */
  guint8 *highlight;

  WpDescribeFunc describe, describe_fold;
  const char *open_fold; /* the action of a click on the mark of a fold */
  gpointer describe_data;

  /* input */
  double pointer_x, pointer_y; /* negative: not over the canvas */
  WpDrag drag;
  double drag_x, drag_y; /* pan: the last offset; else: where it began */
};

/* canvas.c */
void wp_canvas_emit_place_changed (WpCanvas *self);
void wp_canvas_emit_place_kept (WpCanvas *self);
void wp_canvas_emit_opened (WpCanvas *self, guint box);
void wp_canvas_emit_menu (WpCanvas *self, guint box, double x, double y);
void wp_canvas_emit_marked (WpCanvas *self);
void wp_canvas_emit_measured (WpCanvas *self, guint box);
void wp_canvas_set_band (WpCanvas *self, double start, double end); /* equal: none */
void wp_canvas_hover (WpCanvas *self, guint box, gboolean fold); /* `fold`: the mark of what is folded in it */
gboolean wp_canvas_is_fold (WpCanvas *self, guint box, double x, double y);

/* canvas-picture.c */
void wp_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot);
void wp_canvas_forget_picture (WpCanvas *self); /* it is drawn anew, whatever is the same */

/* canvas-place.c */
void wp_canvas_snap (WpCanvas *self); /* to whole pixels, after the place or the size has changed; it is drawn */
void wp_canvas_place_first (WpCanvas *self);   /* everything, once there are rows and a size */
void wp_canvas_reveal (WpCanvas *self, guint box);

/* Rows are as high as they ought to be in the area that there is. */
void wp_canvas_size_rows (WpCanvas *self);

/* For another height: a picture whose roots are at its bottom grows and shrinks at its top; what is selected stays in sight. */
void wp_canvas_keep_bottom (WpCanvas *self, double height);

/* canvas-input.c */
void wp_canvas_add_controllers (WpCanvas *self);

/* canvas-keys.c */
void wp_canvas_class_add_keys (GtkWidgetClass *klass);
