/* The one canvas: shows rows of boxes, whatever view they are of. It owns its place (viewport, history), the selection,
 * a marked range and which boxes are highlighted; it knows nothing about traces.
 *
 * Signals:
 *   box-selected (uint box)      the selection changed, or the moment of it; G_MAXUINT32: nothing is selected
 *   box-opened (uint box)        middle click or Return: its flame view is wanted
 *   range-marked ()              the marked range changed, or went
 *   measured (uint box)          Shift and a click: how far it is from the selected box to this one is wanted
 *   place-changed ()             the viewport moved or has another size
 *   place-kept ()                it has come to rest somewhere
 *   menu-wanted (uint box, double x, double y)
 *   cleared ()                   Escape: nothing is selected or highlighted any more
 *
 * Keyboard, wheel and pointer are described in the shortcuts window (ui/gtk/help-overlay.ui).
 */
#pragma once

#include <gtk/gtk.h>

#include "paint/paint.h"
#include "view/viewport.h"
#include "workspace/shared.h"

#define WP_TYPE_CANVAS (wp_canvas_get_type ())
G_DECLARE_FINAL_TYPE (WpCanvas, wp_canvas, WP, CANVAS, GtkWidget)

#define WP_NO_BOX G_MAXUINT32

/* What a tooltip and assistive technology say about a box, at a moment (NAN: all that is visible of it): plain text, several
 * lines. Free with g_free(). */
typedef char *(*WpDescribeFunc) (guint box, double time, gpointer user_data);

/* How the desktop wants things to look. */
WpTheme wp_current_theme (void);

GtkWidget *wp_canvas_new (void);

/* Shows other rows (a shared WpRows, or NULL). `keep_place` keeps the visible range where that makes sense: the same view
 * laid out anew, and the marked range. Selection and highlight go. */
void wp_canvas_set_rows (WpCanvas *self, WpShared *rows, gboolean keep_place);
const WpRows *wp_canvas_rows (WpCanvas *self); /* may be NULL */
WpShared *wp_canvas_shared_rows (WpCanvas *self);
void wp_canvas_set_describe (WpCanvas *self, WpDescribeFunc func, gpointer user_data);

/* What is said, with that data, where a click on the mark of a fold does `action` to the box, which is selected then; static. NULL: there are no marks. */
void wp_canvas_set_folds (WpCanvas *self, WpDescribeFunc func, const char *action);

const WpViewport *wp_canvas_viewport (WpCanvas *self);
WpPainter *wp_canvas_painter (WpCanvas *self); /* shared with the axis and the minimap beside it */
guint64 wp_canvas_painted (WpCanvas *self);    /* how many of its pixels have been painted so far: for tests and benchmarks */
double wp_canvas_content_height (WpCanvas *self);
guint wp_canvas_box_at (WpCanvas *self, double x, double y);
void wp_canvas_middle (WpCanvas *self, guint box, double *x, double *y); /* of what is seen of a box; WP_NO_BOX: of everything */

guint wp_canvas_selected (WpCanvas *self);
void wp_canvas_select (WpCanvas *self, guint box, gboolean reveal); /* reveal: pan as little as makes it visible */
void wp_canvas_select_at (WpCanvas *self, guint box, double time, gboolean reveal); /* a moment of the box is meant */

/* Which stretch of the selected box is meant: the moment that was pointed at, or else what is visible of it. */
void wp_canvas_selected_range (WpCanvas *self, double *start, double *end);
double wp_canvas_selected_moment (WpCanvas *self); /* NAN: none was pointed at */
void wp_canvas_set_highlight (WpCanvas *self, guint8 *boxes);       /* a byte a box, taken; NULL: all */
void wp_canvas_set_origin (WpCanvas *self, gint64 origin); /* from which moment of a recording the axis counts */
void wp_canvas_set_colors (WpCanvas *self, WpColors colors);
void wp_canvas_set_lines (WpCanvas *self, gboolean lines);

const WpPaintState *wp_canvas_state (WpCanvas *self); /* what is drawn beside the boxes; its highlight is the canvas' */

/* The marked range, in the rows' unit. */
gboolean wp_canvas_mark (WpCanvas *self, double *start, double *end);
void wp_canvas_set_mark (WpCanvas *self, double start, double end); /* equal: none */

void wp_canvas_zoom (WpCanvas *self, double factor); /* about the pointer when it is over the canvas, else the middle */
void wp_canvas_zoom_at (WpCanvas *self, double factor, double x);
#define WP_ZOOM_STEP 1.5
void wp_canvas_step (WpCanvas *self, int direction); /* what a key or button does: +1 in, -1 out, 0 everything */
void wp_canvas_pan (WpCanvas *self, double dx, double dy);
void wp_canvas_fit (WpCanvas *self);                 /* everything */
gboolean wp_canvas_fits_height (WpCanvas *self);
void wp_canvas_set_fits_height (WpCanvas *self, gboolean fits); /* rows are lower where all of them can be seen then */
void wp_canvas_fit_box (WpCanvas *self, guint box);
void wp_canvas_fit_selection (WpCanvas *self);       /* the selected box, else the marked range, else everything */
void wp_canvas_show_range (WpCanvas *self, double start, double end);
void wp_canvas_show_exactly (WpCanvas *self, double start, double end); /* without a margin */
void wp_canvas_center (WpCanvas *self, double time);
void wp_canvas_set_y (WpCanvas *self, double y);
void wp_canvas_go (WpCanvas *self, int direction);   /* zoom history: -1 back, +1 forward */
gboolean wp_canvas_can_go (WpCanvas *self, int direction);
gboolean wp_canvas_ready (WpCanvas *self);           /* there are rows, and a place in them */
void wp_canvas_settle (WpCanvas *self);              /* it has come to rest; no more is waited for */
void wp_canvas_return_to (WpCanvas *self, double start, double end, double y); /* a place that it had; not a new one of its history */
void wp_canvas_clear (WpCanvas *self);               /* Escape: first the mark goes, then the selection and the highlight */
