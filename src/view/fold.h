/* The fold: what of the rows is visible in a viewport. Neighbours are unified while nothing visible stands between them:
 * equal neighbours less than a pixel apart become one span, boxes narrower than a pixel join the span named after the
 * longest of them. This is the level of detail, too: the number of spans never exceeds the pixels. */
#pragma once

#include "view/rows.h"

typedef struct
{
  double start, end; /* in the rows' unit (ns): what is at the left and at the right edge */
  double y;          /* pixels scrolled down from the top of the first row */
  double width, height; /* of the drawing area, pixels */
  double row_height; /* pixels, at least 20 for rows with labels */
} WpViewport;

typedef struct
{
  float x0, x1;    /* pixels */
  guint32 row;
  guint32 box;     /* the longest box in it */
  guint32 n_boxes; /* how many it stands for */
  guint8 kind;     /* WpBoxKind of the longest */
} WpSpan;
typedef WP_ARRAY (WpSpan) WpSpanArray;

/* Replaces what is in `spans`: sorted by row, then x. Galloping search: the cost depends on pixels, not on boxes. */
void wp_fold (const WpRows *rows, const WpViewport *viewport, WpSpanArray *spans);

/* Top edge of a row in pixels from the top of the first row (groups have space above them), and the height of all. */
double wp_rows_y (const WpRows *rows, const WpViewport *viewport, guint32 row);
guint32 wp_rows_row_at_y (const WpRows *rows, const WpViewport *viewport, double y); /* G_MAXUINT32: none */
