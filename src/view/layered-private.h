/* A graph on its way to its layout: edges that pass layers are cut into segments between neighbouring layers, with a vertex where each passes.
 * layered.c cuts them, layered-order.c orders the layers, layered-place.c says where vertices stand in them. */
#pragma once

#include "view/layered.h"

enum
{
  WP_LAYER_ABOVE, /* of a vertex: its segments to the layer above */
  WP_LAYER_BELOW,
  WP_N_LAYER_SIDES
};

typedef struct
{
  guint32 end[WP_N_LAYER_SIDES]; /* the vertex above and the one below */
} WpSegment;

typedef struct
{
  guint32 n, n_nodes, n_layers; /* vertices: the nodes, then where edges pass */
  double gap_x;
  guint32 *layer;               /* vertex → */
  double *width;
  guint32 n_segments;
  WpSegment *segments;
  guint32 *first[WP_N_LAYER_SIDES]; /* vertex → its first in `near`; one more at the end */
  guint32 *near[WP_N_LAYER_SIDES];  /* segments of each vertex, as their other ends stand from left to right */
  guint32 *layer_first;         /* layer → its first in `order`; one more at the end */
  guint32 *order;               /* vertices of each layer, from left to right */
  guint32 *at;                  /* vertex → its number in its layer */
} WpLayering;

static inline guint32
wp_layering_other (const WpLayering *self, guint side, guint32 index)
{
  return self->segments[self->near[side][index]].end[side];
}

/* Brings `near` of the layer on a side of this one in the order of this one. */
void wp_layering_sort_near (WpLayering *self, guint32 layer, guint side);

/* Numbers a layer's vertices as they stand in `order`. */
void wp_layering_number (WpLayering *self, guint32 layer);

/* layered-order.c: orders all layers; gives the number of crossings. FALSE when cancelled. */
gboolean wp_layering_order (WpLayering *self, guint64 *crossings, WpProgress *progress, GError **error);

/* layered-place.c: where each vertex' middle is, the leftmost at about 0. Free with g_free(). */
double *wp_layering_place (WpLayering *self);
