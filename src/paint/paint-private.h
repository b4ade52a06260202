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

  /* what boxes of processes have along the bottom edge instead */
  WP_MARK_SOLID,
  WP_MARK_DASHED,
  WP_MARK_DOTTED,
  WP_MARK_DOUBLE,
  WP_MARK_BROKEN,
  WP_MARK_COUNT
} WpMark;

#define WP_TILE 8        /* marks repeat every so many pixels */
#define WP_NOTCH_DEPTH 3 /* pixels that a preemption takes of a box */
#define WP_STRIP 4       /* height of those along the bottom edge */
#define WP_BAND 2        /* … and of bands without gaps */
#define WP_SHADES 3      /* neighbours of one kind get slightly different shades, by their names */

/* Colours of all that is no box. */
typedef struct
{
  WpRgb background, text, dim_text, grid, separator, link, accent;
  gboolean outlines; /* boxes have outlines (high contrast) */
} WpThemeColors;

/* All that a box's colours hang on. With a body it is filled in the colour of its process, and a band along its bottom edge
 * has that of its kind. */
typedef struct
{
  guint8 kind;  /* WpBoxKind */
  guint8 body;  /* WP_BODY_*; none: it is filled in the colour of its kind */
  guint8 pale;
  guint8 shade; /* below WP_SHADES */
  guint8 faded;
} WpLook;

const WpThemeColors *wp_theme_colors (WpTheme theme);
WpRgb wp_box_color (WpTheme theme, WpLook look);
WpRgb wp_box_ink (WpTheme theme, WpLook look); /* for text: black or white, what reads better */
WpRgb wp_mark_color (WpTheme theme, WpLook look);
WpRgb wp_state_color (WpTheme theme, WpBoxKind kind); /* of the band */
WpMark wp_state_mark (WpBoxKind kind);                /* its shape; WP_MARK_NONE: there is no band */
WpMark wp_box_mark (WpBoxKind kind);
const guint8 *wp_mark_tile (WpMark mark); /* WP_TILE rows of 8 bits, the leftmost pixel highest; NULL: it is no tile */
gboolean wp_mark_is_strip (WpMark mark);
double wp_contrast (WpRgb a, WpRgb b);       /* WCAG: 1 … 21 */
guint8 wp_box_shade (WpBoxKind kind, const char *label); /* below WP_SHADES; 0 where a mark covers the box */

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

/* For the rows of a viewport: in low ones they fill more of it, as long as they can be read. */
double wp_label_size (const WpViewport *viewport);

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

/* A span that has room for a label, in pixels of the area. */
typedef struct
{
  int x, y, w, h; /* as of its WpRect */
  guint32 row, box;
  gboolean alone; /* it is one box, and not many that are narrower than a pixel */
} WpWide;
typedef WP_ARRAY (WpWide) WpWideArray;

struct WpPainter
{
  PangoContext *context;
  WpTheme theme;
  WpColors colors;
  gint64 origin;                    /* of moments of a recording */
  WpLabels *labels;
  WpSpanArray spans;
  WpShadeArray shades;
  WpIdArray lines;
  WP_ARRAY (WpRect) rects;          /* of the spans, bucket by bucket */
  WP_ARRAY (guint16) buckets;       /* by span: see wp_bucket() */
  WpWideArray wide;                 /* those of them that have room for a label */
  cairo_pattern_t *tiles[WP_BOX_KIND_COUNT * WP_BODY_COUNT * 2 * 2]; /* marks of each kind, body, pale or not, faded or not */
  cairo_pattern_t *bands[WP_BOX_KIND_COUNT];     /* of states */
  cairo_surface_t *minimap;         /* kept while what it shows is the same */
  guint64 minimap_of;
  int minimap_width, minimap_height;
};

/* The lowest of three layers (paint.c): background, boxes and what marks them. It hangs on the rows' place alone, not on where the area ends: what is seen
 * of two areas is the same in both, pixel by pixel, where they are a whole number of pixels apart (wp_viewport_snap()). `step`: of the lines of the axis. */
void wp_paint_ground (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *viewport, const WpPaintState *state, double step);

/* The layer on it: labels, fold marks and links, which hang on what is seen of the boxes. The third one is wp_painter_overlay(). */
void wp_paint_on_boxes (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *viewport, const WpPaintState *state, const WpWideArray *wide);

/* Adds the wide ones of the spans that were painted last, moved by so many pixels (box-labels.c). */
void wp_add_wide (const WpPainter *self, const WpRows *rows, const WpViewport *viewport, WpWideArray *wide, int x, int y);
void wp_paint_labels (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *viewport, const WpPaintState *state, const WpWideArray *wide);

static inline gboolean
wp_is_faded (const WpPaintState *state, guint32 box)
{
  return state->highlight != NULL && !state->highlight[box];
}

/* The visible boxes alone (paint.c). */
void wp_paint_spans (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *viewport, const WpPaintState *state);

/* Around a box, or G_MAXUINT32. */
void wp_paint_frame (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *viewport, guint32 box, gboolean selected);

/* How much of the ground shines through where so many shares of a pixel are covered: not so much that nothing is seen of one. */
static inline double
wp_shade_alpha (guint share)
{
  return 0.72 * (WP_SHARES - share) / (WP_SHARES - 1);
}

/* The buckets boxes are sorted into so that each colour is set once. */
#define WP_N_BUCKETS (WP_BOX_KIND_COUNT * WP_BODY_COUNT * 2 * WP_SHADES * 2)

static inline guint
wp_bucket (WpLook look)
{
  return (((look.kind * WP_BODY_COUNT + look.body) * 2u + look.pale) * WP_SHADES + look.shade) * 2 + look.faded;
}

static inline WpLook
wp_look_of_bucket (guint b)
{
  return (WpLook) { .kind = (guint8) (b / (WP_BODY_COUNT * 2 * WP_SHADES * 2)), .body = b / (2 * WP_SHADES * 2) % WP_BODY_COUNT,
                    .pale = b / (WP_SHADES * 2) % 2, .shade = b / 2 % WP_SHADES, .faded = b & 1 };
}

/* Where a span is filled: whole pixels, without the gap to its neighbour. */
void wp_place_span (const WpPainter *self, guint32 span, int *x, int *width);

/* Whether a box of this size has no corner pixels. */
static inline gboolean
wp_rect_is_rounded (int width, int height)
{
  return width >= 6 && height >= 8;
}

/* Fills the spans, whose buckets are known, and their shades without cairo (fill-pixels.c); FALSE: there is no memory for it. What was filled may be
 * filled again then. */
gboolean wp_fill_pixels (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *viewport);

/* How a box looks, but for its shade. */
WpLook wp_painter_look (const WpPainter *self, const WpRows *rows, const WpBox *box, gboolean faded);

/* Whether boxes have the colours of whose they are, processes or modules, and what they do is a band along their edge. */
gboolean wp_painter_by_body (const WpPainter *self, const WpRows *rows);
WpRgb wp_painter_ink (const WpPainter *self, const WpRows *rows, const WpBox *box, gboolean faded); /* of its label */
guint32 wp_painter_kinds (const WpPainter *self, const WpRows *rows); /* bit k: some box looks like WpBoxKind k */

/* Where boxes are opened (fold-mark.c), and over it the one that is pointed at. */
void wp_paint_fold_marks (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *viewport, const WpPaintState *state, const WpWideArray *wide);
void wp_paint_fold_hovered (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *viewport, const WpPaintState *state);
/* Whether people read from right to left. */
gboolean wp_painter_from_right (const WpPainter *self);

/* Links (lines.c): all of them, faint; those of a box, or G_MAXUINT32. */
void wp_paint_lines (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *viewport);
void wp_paint_lines_of (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *viewport, guint32 box);

/* Marks boxes of one look (marks.c); `phase` is where tiles begin, from wp_mark_phase(). */
void wp_paint_marks (WpPainter *self, cairo_t *cr, const WpRect *rects, guint32 n, WpLook look, int phase);
int wp_mark_phase (const WpRows *rows, const WpViewport *viewport);

/* A legend (chrome.c): what its entries are and where they stand, in lines `line` pixels high and no wider than `width`.
 * Returns how many there are, at most WP_LEGEND_MAX; the names are valid as long as the rows. */
#define WP_LEGEND_BODIES 9 /* processes, or modules and the others, that it names */
#define WP_LEGEND_MAX (WP_LEGEND_BODIES + 2 + WP_BOX_KIND_COUNT)
#define WP_LEGEND_SWATCH 28.0 /* a swatch and what is between it and its name */
#define WP_LEGEND_BOX 22.0    /* the swatch alone */

typedef struct
{
  const char *name;
  WpLook look;
  guint line;
  double x, width;
} WpLegendEntry;

guint wp_legend_entries (WpPainter *self, const WpRows *rows, double width, double line, WpLegendEntry entries[WP_LEGEND_MAX]);

/* Ticks of an axis: a step of 1, 2 or 5 times a power of ten so that labels `label_width` wide have room. */
double wp_nice_step (double span, double width, double label_width);

/* The axis' label at `t` for ticks `step` apart. */
const char *wp_axis_label (const WpRows *rows, double t, double step, char buffer[64]);

/* Where the axis counts from, in the rows' unit. */
double wp_painter_origin (const WpPainter *self, const WpRows *rows);

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

/* --- the wait chain (strip.c) ------------------------------------------------------------------------------------- */

#define WP_STRIP_NAME_SIZE 11.0

/* Where the work goes from one band to another: a line from `from` to `neck`, and a head from there to `to`. */
typedef struct
{
  double x, from, neck, to;
} WpStripArrow;

#define WP_STRIP_HEAD 3.0 /* half as wide as it is high */

double wp_strip_middle (const WpRows *strip, const WpViewport *viewport, guint32 row); /* of a band */

/* Leaves in self->lines which lines are drawn; none where they would cover what they join. */
void wp_strip_find_arrows (WpPainter *self, const WpRows *strip, const WpViewport *viewport);
WpStripArrow wp_strip_arrow (const WpRows *strip, const WpViewport *viewport, const WpLine *line);

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
GString *wp_svg_picture (WpPainter *painter, const WpRows *rows, const WpRows *strip, const WpViewport *viewport,
                         const char *title, double names, const WpPaintState *state);

/* Heights of what is above and below the rows of a whole picture. */
#define WP_PICTURE_TITLE 34
#define WP_PICTURE_AXIS 26
#define WP_PICTURE_LEGEND 28 /* a line of it */
#define WP_PICTURE_MARGIN 12
