/* Postprocessors that change resources: each adds itself to the profile's list. For models see regression.h. */
#pragma once

#include "profile/model/flatten.h"
#include "profile/model/profile.h"

/* Divides each amount by the greatest one of its type in its snapshot, so that 1.0 is the most. A saved recording is a profile like any
 * other afterwards: shares are no times. */
void wp_postprocess_normalize (WpProfile *profile);

/* Changes nothing, as Perun's filter does; kept for profiles that name it. */
void wp_postprocess_filter (WpProfile *profile);

typedef enum
{
  WP_CLUSTER_SORT_ORDER,     /* each resource is a cluster of its own */
  WP_CLUSTER_SLIDING_WINDOW, /* up to `width` resources whose amounts are at most `height` apart */
} WpClusterStrategy;

typedef struct
{
  WpClusterStrategy strategy;
  double width, height;
  gboolean relative_width, relative_height; /* to the number of resources of the group, to the cluster's first amount */
} WpClusters;

#define WP_CLUSTERS_DEFAULTS \
  { .strategy = WP_CLUSTER_SLIDING_WINDOW, .width = 0.25, .height = 0.1, .relative_width = TRUE, .relative_height = TRUE }

/* Gives each resource a `cluster`: a number from 1 within those of the same type, subtype and uid, by amount. */
void wp_postprocess_clusters (WpProfile *profile, const WpClusters *options);
