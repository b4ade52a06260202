/* Paints rows of boxes on any cairo context: spans, labels, links, axis, legend, minimap, and whole pictures. */
#pragma once

#include <cairo.h>
#include <pango/pango.h>

#include "plots/chart.h"
#include "view/diagram.h"
#include "view/fold.h"
#include "view/layout.h"

typedef enum
{
  WP_THEME_LIGHT,
  WP_THEME_DARK,
  WP_THEME_LIGHT_CONTRAST,
  WP_THEME_DARK_CONTRAST,
} WpTheme;

/* What boxes of a process of interest are filled with: the colour of their process, and a band along the bottom edge says
 * what it does; the colour of what it does, as in the paper on the method; or that of whose code it is, the program's own, a library's or the
 * kernel's, as in stacks with values. */
typedef enum
{
  WP_COLORS_PROCESS,
  WP_COLORS_STATE,
  WP_COLORS_CODE,
  WP_COLORS_MODULE,
  WP_COLORS_COUNT
} WpColors;

const char *wp_colors_id (WpColors colors);  /* stable: "process", "state", "code", "module" */
WpColors wp_colors_from_id (const char *id); /* WP_COLORS_COUNT when it is none */

/* What to draw beside the boxes themselves. */
typedef struct
{
  guint32 selected;        /* box, or G_MAXUINT32 */
  guint32 hovered;         /* box, or G_MAXUINT32 */
  const guint8 *highlight; /* one byte a box: 1 = keep its colour, 0 = fade; NULL = nothing is faded */
  double band_start, band_end; /* a stretch that is drawn out, to be zoomed to; equal: none */
  double mark_start, mark_end; /* a marked time range in the rows' unit; equal: none */
  gboolean lines;          /* draw links */
  gboolean folds;          /* boxes show where what is folded in them can be opened */
  gboolean fold_hovered;   /* … and that place of the hovered one is pointed at */
} WpPaintState;

#define WP_PAINT_STATE_DEFAULT ((WpPaintState) { .selected = G_MAXUINT32, .hovered = G_MAXUINT32, .lines = TRUE })

/* Keeps measured labels, the font and the spans between frames. One for each canvas; not shared between threads. */
typedef struct WpPainter WpPainter;

/* A reference on `context` is taken; NULL: one of its own, for pictures. */
WpPainter *wp_painter_new (PangoContext *context, WpTheme theme);
void wp_painter_free (WpPainter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpPainter, wp_painter_free)
void wp_painter_set_theme (WpPainter *self, WpTheme theme);
void wp_painter_set_colors (WpPainter *self, WpColors colors); /* by process, until another is set */

/* From which moment of a recording the axis counts, ns from its start; 0 until another is set. */
void wp_painter_set_origin (WpPainter *self, gint64 origin);

/* Paints the visible boxes, labels, links, selection. (0, 0) is the top left corner of the area. */
void wp_painter_boxes (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *viewport,
                       const WpPaintState *state);

/* The pixels of that picture without what lies on it (below), kept from one frame to the next (plate.c): painted anew only where they are not the same. One
 * for each canvas; not shared between threads. */
typedef struct WpPlate WpPlate;
WpPlate *wp_plate_new (void);
void wp_plate_free (WpPlate *self);

/* The picture, in ARGB: of the plate, never changed, another one whenever it looks otherwise. Who keeps it takes a reference. `scale`: pixels of it for one of the
 * area, in each direction. After a pan of whole pixels, at a whole scale, in a viewport that was snapped, the pixels move, and are the same as if all were painted. */
cairo_surface_t *wp_plate_show (WpPlate *self, WpPainter *painter, const WpRows *rows, const WpViewport *viewport, const WpPaintState *state, double scale);

/* It is not moved any more for now: gives back all but the pixels that are shown. */
void wp_plate_rest (WpPlate *self);

/* After other rows, another highlight or another font: nothing that was painted is right any more. */
void wp_plate_forget (WpPlate *self);
guint64 wp_plate_painted (const WpPlate *self); /* how many pixels of the area were painted since it is there */

/* Of that picture only what lies on the boxes and changes without them: what is hovered, with its links, and selected, the marked range, the band. */
void wp_painter_overlay (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *viewport, const WpPaintState *state);

/* Where a box shows that (state->folds), in pixels of the area. FALSE: nothing is folded in it, or there is no room for it. */
gboolean wp_painter_fold_mark (WpPainter *self, const WpRows *rows, const WpViewport *viewport, guint32 box, cairo_rectangle_t *place);

/* The axis: ticks and moments (or durations and shares); `height` pixels high from (0, 0). */
void wp_painter_axis (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *viewport, double height);

/* All rows squeezed into width × height, with the viewport as a frame. */
void wp_painter_minimap (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *viewport, double width,
                         double height);

/* Flags at moments of an axis or overview that shows from … to of the rows in this width. */
typedef struct
{
  const gint64 *times; /* ns */
  guint n;
  double from, to, width, height;
} WpFlags;

void wp_painter_flags (WpPainter *self, cairo_t *cr, const WpFlags *flags);
guint wp_flags_at (const WpFlags *flags, double x); /* whose flag is there; G_MAXUINT: nobody's */

/* The names of the rows, for a column of its own at the left, `width` pixels wide. */
void wp_painter_row_names (WpPainter *self, cairo_t *cr, const WpRows *rows, const WpViewport *viewport, double width);

/* The wait chain (wp_layout_strip()) over the stretch of time that `above` shows; its height depends on the number of bands alone. */
double wp_strip_height (const WpRows *strip);
WpViewport wp_strip_viewport (const WpViewport *above); /* where its bands are in it */
void wp_painter_strip (WpPainter *self, cairo_t *cr, const WpRows *strip, const WpViewport *above, const WpPaintState *state);

/* The names of its bands, for a column of its own at the left, and how wide they would like it. */
double wp_painter_strip_names_width (WpPainter *self, const WpRows *strip);
void wp_painter_strip_names (WpPainter *self, cairo_t *cr, const WpRows *strip, double width);

/* The legend: a swatch and a name for each kind of box in `rows`, and each process with a colour; returns the width it took. */
double wp_painter_legend (WpPainter *self, cairo_t *cr, const WpRows *rows, double height);

/* The same in as many lines of `line` pixels as it needs to be no wider than `width`; returns the height of all of them. `cr` may be
 * NULL: then it only measures. */
double wp_painter_legend_lines (WpPainter *self, cairo_t *cr, const WpRows *rows, double width, double line);

/* What its entries are called and mean, a line each, for who cannot see it. Free with g_free(). */
char *wp_painter_legend_words (WpPainter *self, const WpRows *rows);

/* What part of the rows is seen, as axis and minimap show it: "From 1.2 ms to 3.4 ms, of 33 ms (7 %)"; "all of 33 ms". Free with g_free(). */
char *wp_painter_place_words (const WpPainter *self, const WpRows *rows, const WpViewport *viewport);

/* What the entry at a place of such a legend means, in the user's language; NULL: there is none, or its name says it. */
const char *wp_painter_legend_help (WpPainter *self, const WpRows *rows, double width, double line, double x, double y);

const char *wp_box_kind_help (WpBoxKind kind); /* a sentence, to be translated; NULL: there is none */
const char *wp_box_kind_name (WpBoxKind kind); /* "Running", "Sleeping", … (translatable) */
const char *wp_box_kind_id (WpBoxKind kind);   /* in files: stays as it is when the name becomes another */

typedef enum
{
  WP_PICTURE_PNG,
  WP_PICTURE_SVG,
  WP_PICTURE_PDF,
  WP_PICTURE_FORMAT_COUNT,
} WpPictureFormat;

/* "png", "svg", "pdf"; anything else gives WP_PICTURE_FORMAT_COUNT. */
WpPictureFormat wp_picture_format_from_id (const char *id);

/* The format that the end of a file's name tells; WP_PICTURE_FORMAT_COUNT: none, and the error tells which there are. */
WpPictureFormat wp_picture_format_of_file (const char *path, GError **error);

/* What a picture of rows is like beside its rows. */
typedef struct
{
  WpTheme theme;
  WpColors colors;
  const WpRows *strip; /* the wait chain, to stand above them; NULL: none */
  gint64 origin;       /* from which moment of a recording the axis counts */
} WpPictureStyle;

#define WP_PICTURE_WIDTH 1600.0 /* of what is saved from the window */

/* A whole picture: title, axis, row names, all rows, legend. Width in pixels (points for PDF); the height follows.
 * Written to a temporary name and renamed. */
gboolean wp_picture_write (const char *path, WpPictureFormat format, const WpRows *rows, const char *title,
                           double width, const WpPictureStyle *style, GError **error);

/* The same of what is visible: the viewport's time and rows, with what is faded and marked in `state` (NULL: nothing). */
gboolean wp_picture_write_visible (const char *path, WpPictureFormat format, const WpRows *rows,
                                   const WpViewport *visible, const WpPaintState *state, const char *title,
                                   const WpPictureStyle *style, GError **error);

/* A chart on an area, from (0, 0). */
typedef struct
{
  const WpChart *chart;
  const WpChartView *view; /* what of it is seen; of a picture, NULL: all */
  double width, height;
} WpChartPlace;

/* A chart with its axes and legend; `hovered`: a point with a frame, or G_MAXUINT32. */
void wp_painter_chart (WpPainter *self, cairo_t *cr, const WpChartPlace *place, guint32 hovered);

/* That frame alone, for who keeps a picture of the rest. */
void wp_painter_chart_hovered (WpPainter *self, cairo_t *cr, const WpChartPlace *place, guint32 hovered);

/* The point of the chart that is nearest to a pixel, at most a few pixels away; G_MAXUINT32: none. */
guint32 wp_painter_chart_at (WpPainter *self, const WpChartPlace *place, double x, double y);

/* Where in the chart a pixel is. */
void wp_painter_chart_place (WpPainter *self, const WpChartPlace *place, double x, double y, double *chart_x, double *chart_y);

/* A chart as a picture. */
gboolean wp_picture_write_chart (const char *path, WpPictureFormat format, const WpChartPlace *place, WpTheme theme, GError **error);

/* What to draw of a diagram beside itself. */
typedef struct
{
  guint32 selected, hovered, hovered_edge; /* WP_NO_NODE: none */
  const guint8 *highlight;                 /* one byte a node: 1 = keep its colour, 0 = fade; NULL: nothing is faded */
} WpDiagramState;

#define WP_DIAGRAM_STATE_DEFAULT { .selected = WP_NO_NODE, .hovered = WP_NO_NODE, .hovered_edge = WP_NO_NODE }

/* A painter for diagrams, with the fonts of a context; NULL: for pictures. */
WpPainter *wp_diagram_painter_new (PangoContext *like, WpTheme theme);
void wp_painter_diagram (WpPainter *self, cairo_t *cr, const WpDiagram *diagram, const WpDiagramPlace *place, const WpDiagramState *state);

/* All of it within width × height; and on that a frame around the place that is seen. */
void wp_painter_diagram_small (WpPainter *self, cairo_t *cr, const WpDiagram *diagram, double width, double height);
void wp_painter_diagram_frame (WpPainter *self, cairo_t *cr, const WpDiagram *diagram, const WpDiagramPlace *seen, double width, double height);

/* How wide a text is there, in letters of this size. */
double wp_painter_text_width (WpPainter *self, const char *text, double size);

/* A whole diagram as a picture, smaller where it would be too large for the format. */
gboolean wp_picture_write_diagram (const char *path, WpPictureFormat format, const WpDiagram *diagram, const char *title, WpTheme theme, GError **error);

/* How the categories add up to the whole, from best to least understood: shares (0 … 1) after each of them, of the total
 * and without waiting on other paths. */
typedef struct
{
  double all[WP_CATEGORY_COUNT], without[WP_CATEGORY_COUNT];
  gboolean differ; /* there is waiting on other paths */
} WpCumulative;

void wp_cumulative_init (WpCumulative *self, const WpExplanation *explanation);

/* Draws a step for each category on what is there already; a dashed line is what the shares are without waiting on other
 * paths, where they differ. `chosen`: that category's step is strong; WP_CATEGORY_COUNT: none. */
void wp_painter_cumulative (WpPainter *self, cairo_t *cr, const WpCumulative *shares, WpCategory chosen, double width,
                            double height);
WpCategory wp_cumulative_at (double x, double width); /* whose step is there; WP_CATEGORY_COUNT: nobody's */

/* The categories with time, in the order of the table, as one bar in the colours and marks of the picture. */
typedef struct
{
  guint n;
  WpCategory categories[WP_CATEGORY_COUNT]; /* n of them … */
  gint64 ends[WP_CATEGORY_COUNT];           /* … and where each ends: the last at the total, ns */
  WpRows *rows;                             /* a box for each; owned; NULL: nothing is shown yet */
} WpTimeBar;

void wp_time_bar_init (WpTimeBar *self, const WpExplanation *explanation, gboolean longest_first); /* all 0, or shown before */
void wp_time_bar_clear (WpTimeBar *self);
void wp_painter_time_bar (WpPainter *self, cairo_t *cr, const WpTimeBar *bar, WpCategory chosen, double width, double height);
WpCategory wp_time_bar_at (const WpTimeBar *self, double x, double width); /* WP_CATEGORY_COUNT: nothing is there */

/* The colour that a category has in that bar, and one for an edge around it that is seen where the colour itself is
 * as pale, or as dark, as what it stands on. Red, green, blue: 0 … 1. */
void wp_category_colors (WpTheme theme, WpCategory category, double fill[3], double edge[3]);
