/* How two pictures differ. */
#pragma once

#include <cairo.h>
#include <glib.h>

typedef struct
{
  double share; /* of the pixels that differ, 0 to 1 */
  guint region; /* pixels of the largest region of such that touch one another, corners included */
} Difference;

/* Both are RGB24 and of one size, as is `map`, where what differs becomes red on the first picture, paled. A pixel differs where a
 * channel does by more than 24 of 255. */
Difference picture_difference (cairo_surface_t *a, cairo_surface_t *b, cairo_surface_t *map);
