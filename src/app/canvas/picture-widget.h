/* What widgets that show a picture have in common, be it rows of boxes, charts or diagrams: their size, the theme, wheel, pinch, clicks and keys. */
#pragma once

#include <gtk/gtk.h>

/* It takes the keyboard and the room there is, and has tooltips. `theme_changed`: called with the picture alone when the desktop wants another look. */
void wp_picture_init (GtkWidget *picture, GCallback theme_changed);

/* For GtkWidgetClass.measure. */
void wp_picture_measure (GtkWidget *picture, GtkOrientation orientation, int for_size, int *minimum, int *natural, int *minimum_baseline,
                         int *natural_baseline);

#define WP_WHEEL_PAN 60.0  /* pixels of a notch */
#define WP_WHEEL_ZOOM 1.25 /* … or how much nearer it is then */

/* How many notches of a wheel a scroll event is worth: a touchpad on Wayland tells pixels, which move a picture by as many. */
double wp_scroll_notches (GtkEventControllerScroll *controller, double distance);
double wp_notches_of_unit (GdkScrollUnit unit, double distance);

typedef struct
{
  void (*pan) (GtkWidget *picture, double dx, double dy);                        /* by notches of the wheel: right, down */
  void (*zoom) (GtkWidget *picture, double factor);                              /* > 1 is nearer: about the pointer */
  void (*zoom_at) (GtkWidget *picture, double factor, double x, double y);       /* about a pixel */
} WpPictureMoves;

/* The wheel zooms or pans as the settings say, the other way with Ctrl; with Shift it pans to the side. `moves` is static. */
void wp_picture_add_wheel_and_pinch (GtkWidget *picture, const WpPictureMoves *moves);

/* `released`: handler of the same signal of a GtkGestureClick; its data is the picture. */
void wp_picture_add_click (GtkWidget *picture, guint button, GCallback released);

/* Binds keys to the actions that every class of pictures has, so that assistive technology can trigger them, too: canvas.zoom (d), canvas.pan (d, of the width),
 * canvas.page (d, of the height), canvas.select (ii: right, down), canvas.fit-selection, canvas.open, canvas.clear, canvas.menu. */
void wp_picture_class_add_keys (GtkWidgetClass *klass);
