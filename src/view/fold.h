/* The fold: what of the rows is visible in a viewport. Boxes narrower than a pixel are unified with such neighbours of the
 * same name while nothing visible stands between them: they become one span, named after the longest of them. A box of a
 * pixel or more is always a span of its own, so that two calls never look like one. This is the level of detail, too: the
 * number of spans never exceeds the pixels.
 *
 * Precisely: time is divided into cells one pixel wide, counted from the start of the rows, so that panning does not
 * change them. Each cell that a box touches shows one box: of those at least a pixel wide the one that covers most of
 * it; where there is none, the longest (the first of equals, both times). Adjacent cells that show the same box are one
 * span, and so are those that show boxes narrower than a pixel that look alike: of the same label, kind and body. So every box at least a
 * pixel wide is seen, and a lone short one, too. */
#pragma once

#include "view/rows.h"

typedef struct
{
  double start, end; /* in the rows' unit (ns): what is at the left and at the right edge */
  double y;          /* pixels scrolled down from the top of the first row */
  double width, height; /* of the drawing area, pixels */
  double row_height; /* pixels */
} WpViewport;

typedef struct
{
  float x0, x1;    /* pixels; at least 1 wide; those at the edges may reach a few pixels beyond them */
  guint32 row;
  guint32 box;     /* the longest box in it */
  guint32 n_boxes; /* how many it stands for */
  WpId label;      /* of the longest, as all that follows: boxes lie far from each other, spans do not */
  guint8 kind;
  guint8 body : 4;
  guint8 pale : 1;
  guint8 ghost : 1;
  guint8 code : 2;
} WpSpan;
typedef WP_ARRAY (WpSpan) WpSpanArray;

/* Pixels of a span that boxes cover in part: of WP_SHARES equal shares of each of them so many. */
#define WP_SHARES 16
typedef struct
{
  float x0, x1;
  guint32 span;
  guint8 share; /* 1 … WP_SHARES - 1 */
} WpShade;
typedef WP_ARRAY (WpShade) WpShadeArray;

/* Replaces what is in `spans`: sorted by row, then x. Galloping search: the cost depends on pixels, not on boxes. */
void wp_fold (const WpRows *rows, const WpViewport *viewport, WpSpanArray *spans);

/* The same, and of shaded rows what of each pixel is covered: by runs where a run is shown, else by all that is none. Else a task that
 * ran for a moment in each pixel would look like one that ran all the time. A box that is wide has sharp edges. Replaces
 * what is in `shades`: sorted as the spans. */
void wp_fold_shaded (const WpRows *rows, const WpViewport *viewport, WpSpanArray *spans, WpShadeArray *shades);

/* Which notches are at least WP_NOTCH_LEAST pixels wide, in the visible time and rows. At most one is looked at for
 * each pixel of a row. Replaces what is in `notches`: indexes of rows->notches. */
#define WP_NOTCH_LEAST 3.0
void wp_fold_notches (const WpRows *rows, const WpViewport *viewport, WpIdArray *notches);

/* Space above a row that starts a group (but not above the first row), pixels. */
#define WP_GROUP_SPACE(viewport) ((viewport)->row_height * 0.4)

/* Top edge of a row in pixels from the top of the first row (groups have space above them); for the number of rows: the
 * height of all. The row's place in the area is this less viewport->y. */
double wp_rows_y (const WpRows *rows, const WpViewport *viewport, guint32 row);

/* The row at `y` pixels from the top of the first row (not of the area: add viewport->y); G_MAXUINT32: none. */
guint32 wp_rows_row_at_y (const WpRows *rows, const WpViewport *viewport, double y);

/* The rows from *first to before *last that are at least partly in the area. */
void wp_rows_visible (const WpRows *rows, const WpViewport *viewport, guint32 *first, guint32 *last);

/* Which lines are worth drawing: those in the visible time whose rows' range touches the visible rows, at most a few
 * for each pixel (the same ones while panning). Replaces what is in `lines`: indexes of rows->lines. */
void wp_fold_lines (const WpRows *rows, const WpViewport *viewport, WpIdArray *lines);
