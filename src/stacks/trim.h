/* What of a graph is shown: the largest nodes, in an order; and in which unit. */
#pragma once

#include "stacks/graph.h"

typedef enum
{
  WP_ORDER_FLAT, /* by what each took itself, largest first; then by name. Of means by what is divided, as in pprof */
  WP_ORDER_CUM
} WpGraphOrder;

typedef struct
{
  WpGraphOrder order;
  double node_fraction; /* nodes whose cum is less than this part of the whole are left out */
  guint32 most;         /* nodes; 0: all */
  gboolean drop_negative; /* nodes that became less, in a difference */
} WpTrimOptions;

typedef struct
{
  WP_ARRAY (guint32) nodes; /* plain list: those that are shown */
  guint32 dropped;          /* by node_fraction */
  gint64 cutoff;            /* that part of the whole */
  guint32 before_most;      /* how many would be shown but for `most` */
  gint64 shown;             /* sum of their flat values */
  const char *unit;         /* that values are shown in */
} WpTrimmed;

/* `given` is the unit of the values, `wanted` what they are to be shown in: NULL or "minimum", what suits the smallest. Both must outlive it. */
void wp_graph_trim (const WpGraph *graph, const WpTrimOptions *options, const char *given, const char *wanted, WpTrimmed *trimmed);
void wp_trimmed_clear (WpTrimmed *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpTrimmed, wp_trimmed_clear)
