/* What the files of this folder share. */
#pragma once

#include <pango/pangocairo.h>

#include "paint/paint.h"
#include "view/viewport.h"

typedef struct
{
  double r, g, b;
} WpRgb;

/* Small pictures that tell kinds apart without colour, in ink on the box. */
typedef enum
{
  WP_MARK_NONE,
  WP_MARK_DASHES,     /* the rest: along the bottom edge */
  WP_MARK_LINE,
  WP_MARK_TICKS,
  WP_MARK_DOTS,
  WP_MARK_WAVES,
  WP_MARK_PLUS,
  WP_MARK_UP_UP,
  WP_MARK_UP,
  WP_MARK_EQUAL,
  WP_MARK_DOWN,
  WP_MARK_DOWN_DOWN,
  WP_MARK_CROSSES,
  WP_MARK_HATCH,      /* all over the box */
  WP_MARK_FINE_HATCH,
  WP_MARK_CROSS_HATCH,
  WP_MARK_TAB,        /* a bar at the left end */
  WP_MARK_CUT_CORNER, /* the upper right corner is missing */
  WP_MARK_COUNT
} WpMark;

#define WP_TILE 8        /* marks repeat every so many pixels */
#define WP_STRIP 4       /* height of those along the bottom edge */
#define WP_SHADES 3      /* neighbours of one kind get slightly different shades, by their names */

/* Colours of all that is no box. */
typedef struct
{
  WpRgb background, text, dim_text, grid, separator, link, accent;
  gboolean outlines; /* boxes have outlines (high contrast) */
} WpThemeColors;

const WpThemeColors *wp_theme_colors (WpTheme theme);
WpRgb wp_box_color (WpTheme theme, WpBoxKind kind, guint shade, gboolean faded);
WpRgb wp_box_ink (WpTheme theme, WpBoxKind kind, gboolean faded); /* for text: black or white, what reads better */
WpRgb wp_mark_color (WpTheme theme, WpBoxKind kind, gboolean faded);
WpMark wp_box_mark (WpBoxKind kind);
const guint8 *wp_mark_tile (WpMark mark); /* WP_TILE rows of 8 bits, the leftmost pixel highest; NULL: it is no tile */
gboolean wp_mark_is_strip (WpMark mark);
double wp_contrast (WpRgb a, WpRgb b);       /* WCAG: 1 … 21 */
guint wp_box_shade (WpBoxKind kind, const char *label); /* below WP_SHADES; 0 where a mark covers the box */

static inline void
wp_set_color (cairo_t *cr, WpRgb c, double alpha)
{
  cairo_set_source_rgba (cr, c.r, c.g, c.b, alpha);
}

/* --- labels (labels.c) -------------------------------------------------------------------------------------------- */

/* Texts laid out once and kept. */
typedef struct WpLabels WpLabels;
typedef struct WpBoxLabel WpBoxLabel;

WpLabels *wp_labels_new (PangoContext *context);
void wp_labels_free (WpLabels *self);
void wp_labels_set_size (WpLabels *self, double pixels); /* of the font; forgets what was measured if it differs */

/* Valid until the next wp_labels_trim() or wp_labels_set_size(). */
const WpBoxLabel *wp_labels_get (WpLabels *self, const char *text);
double wp_label_width (const WpBoxLabel *label);

/* Writes a label with its top left corner at (x, y) − vertically centered in `height` − in the current source, not
 * wider than `width`: the end, or with `middle` the middle, gives way to an ellipsis. Nothing when not even three
 * letters fit. */
void wp_labels_show (WpLabels *self, cairo_t *cr, const WpBoxLabel *label, double x, double y, double width, double height,
                     gboolean middle);

/* Forgets everything when there is too much of it. Between frames. */
void wp_labels_trim (WpLabels *self);

/* --- the painter (paint.c) ---------------------------------------------------------------------------------------- */

typedef struct
{
  int x, y, w, h; /* pixels, without the gap to its neighbours */
  guint32 span;
} WpRect;

struct WpPainter
{
  PangoContext *context;
  WpTheme theme;
  WpLabels *labels;
  WpSpanArray spans;
  WpIdArray lines;
  WP_ARRAY (WpRect) rects;          /* of the spans, bucket by bucket */
  cairo_pattern_t *tiles[WP_BOX_KIND_COUNT * 2]; /* marks of each kind, plain and faded */
  cairo_surface_t *minimap;         /* kept while what it shows is the same */
  guint64 minimap_of;
  int minimap_width, minimap_height;
};

/* The buckets boxes are sorted into so that each colour is set once. */
#define WP_BUCKET(kind, shade, faded) (((kind) * WP_SHADES + (shade)) * 2 + (faded))
#define WP_N_BUCKETS (WP_BOX_KIND_COUNT * WP_SHADES * 2)

/* Links (lines.c). */
void wp_paint_lines (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *viewport);

/* Marks boxes of one kind (marks.c); `phase` is where tiles begin, from wp_mark_phase(). */
void wp_paint_marks (WpPainter *self, cairo_t *cr, const WpRect *rects, guint32 n, WpBoxKind kind, gboolean faded,
                     int phase);
int wp_mark_phase (const WpRows *rows, const WpViewport *viewport);

/* Ticks of an axis: a step of 1, 2 or 5 times a power of ten so that labels `label_width` wide have room. */
double wp_nice_step (double span, double width, double label_width);

/* The axis' label at `t` for ticks `step` apart. */
const char *wp_axis_label (const WpRows *rows, double t, double step, char buffer[64]);

/* The step that fits the viewport, with labels measured. */
double wp_axis_step (WpPainter *self, const WpRows *rows, const WpViewport *viewport);

/* The multiples of a step between two values: first, first + step, …. Where a step is too small to change such large numbers, a loop that
 * adds it would never end; these are counted, and at most `most`. None where a value, their distance or the step
 * is no finite number. */
typedef struct
{
  double first, step;
  guint n;
} WpTicks;

WpTicks wp_ticks (double from, double to, double step, double most);
double wp_tick (const WpTicks *self, guint i);

/* --- pictures (picture.c) ----------------------------------------------------------------------------------------- */

/* Pixels, and points of a PDF, whose pages are no larger. */
#define WP_PICTURE_HEIGHT_MAX 14000
double wp_picture_width (double wanted); /* what a picture's width is then: whole, neither too narrow nor too wide */

typedef void (*WpPaintPicture) (cairo_t *cr, gpointer data);

/* What `paint` draws as a file: written to a temporary name and renamed. */
gboolean wp_picture_paint (const char *path, WpPictureFormat format, double width, double height, const char *title,
                           WpPaintPicture paint, gpointer data, GError **error);

/* --- SVG (svg.c) -------------------------------------------------------------------------------------------------- */

/* The same picture as text: a rectangle and a title for each span. `names` is the width of the column of row names. */
GString *wp_svg_picture (WpPainter *painter, const WpRows *rows, const WpViewport *viewport, const char *title,
                         double names, const WpPaintState *state);

/* Heights of what is above and below the rows of a whole picture. */
#define WP_PICTURE_TITLE 34
#define WP_PICTURE_AXIS 26
#define WP_PICTURE_LEGEND 34
#define WP_PICTURE_MARGIN 12
