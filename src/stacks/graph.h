/* What each function took by itself and with all that it called, and who called whom: functions as nodes, calls as edges.
 *
 * As pprof counts: `flat` is of samples whose innermost frame it is; `cum` of those that have it anywhere, once each; an edge counts once a
 * sample, and none leads from a node to itself. */
#pragma once

#include "base/progress.h"
#include "stacks/frame-names.h"
#include "stacks/sums.h"

typedef struct
{
  WpFrameNameOptions frames; /* which frames are one node */
  guint32 type;              /* of values */
  gboolean mean;             /* the type's values are divided by those of the first type */
  gboolean calls;            /* edges, too: with them it takes more than twice as long */
} WpGraphOptions;

/* A sum, and by what it is divided: 0, or in a mean the sum of the first type's values. */
typedef struct
{
  gint64 sum, divisor;
} WpGraphValue;

typedef struct
{
  const WpFrameName *frame;
  WpGraphValue flat, cum;
} WpGraphNode;

typedef struct
{
  guint32 caller, callee; /* nodes */
  WpGraphValue weight;
  gboolean inlined;       /* the callee was inlined in all of its calls */
} WpGraphEdge;

typedef struct
{
  WP_ARRAY (WpGraphNode) nodes; /* plain list, in the order in which locations have them */
  WP_ARRAY (WpGraphEdge) edges; /* plain list */
  gint64 total;                 /* of all samples, each without its sign; of a comparison of those of the base */
  WpFrameNames *names;
} WpGraph;

/* NULL where it was cancelled. */
WpGraph *wp_graph_new (const WpStacks *stacks, const WpGraphOptions *options, WpProgress *progress, GError **error);
void wp_graph_free (WpGraph *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpGraph, wp_graph_free)

/* The sum of all values without their signs; in a comparison of those of the base. */
gint64 wp_stacks_total (const WpStacks *stacks, guint32 type, gboolean mean);

static inline gint64
wp_graph_value (WpGraphValue value)
{
  return value.divisor != 0 ? wp_quotient (value.sum, value.divisor) : value.sum;
}
