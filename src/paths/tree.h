/* The call tree: all pseudo-stacks of all control paths merged by frame name. Process names are frames too. */
#pragma once

#include "paths/explain.h"

/* The kind of a frame says how it is coloured. A node gathers several kinds: its time in each is kept. */
typedef enum
{
  WP_FRAME_PROCESS,  /* a process name */
  WP_FRAME_RUN,
  WP_FRAME_SLEEP,
  WP_FRAME_DISK,
  WP_FRAME_QUEUE,
  WP_FRAME_NET,
  WP_FRAME_OTHER_PATH, /* waiting on another path */
  WP_FRAME_KIND_COUNT
} WpFrameKind;

typedef struct
{
  WpId name; /* string of the tree */
  WpId parent, first_child, next; /* children: longest total first */
  WpId function; /* row of the trace's functions, or 0 (a process, a device) */
  WpId part;     /* one part it came from, for details: the longest */
  gint64 self, total; /* ns; total includes what overflows */
  gint64 extra;  /* by how much its children overflow it */
  gint64 ns[WP_FRAME_KIND_COUNT]; /* of `total`, by the kind of the top */
  guint8 kind;   /* WpFrameKind of the box itself: PROCESS, DISK, … ; RUN or SLEEP by what it mostly is */
} WpNode;

/* What a node's own time was spent on: once for each node and row of the explanation that have time in common. */
typedef struct
{
  WpId node;
  guint32 row; /* of the rows of wp_explain() for the same paths and range */
  gint64 ns;
} WpNodeSource;

typedef struct
{
  WpStrings *strings;
  WP_ARRAY (WpNodeSource) sources; /* plain list; sums to every node's self */
  WP_ARRAY (WpNode) nodes; /* row 0 is the root: its total is the total time */
  guint32 depth;           /* frames in the deepest stack */
} WpTree;

typedef struct
{
  gboolean inverted;           /* leaf first */
  gboolean collapse_recursion; /* a function that calls itself is one frame */
  gint64 from, to;             /* time range; 0, 0: everything */
  const WpExplanation *explanation; /* of these paths and this range, where the caller has it; NULL: it is made */
} WpTreeOptions;

WpTree *wp_tree_new (const WpPaths *paths, const WpTreeOptions *options, WpProgress *progress, GError **error);
void wp_tree_free (WpTree *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpTree, wp_tree_free)

/* Folded stacks, "frame;frame;frame ns\n", root first; the numbers sum to the total time. ';' and newlines in names become ':' and ' '. */
guint64 wp_tree_folded_size (const WpTree *self); /* bytes of that text, at most */
void wp_tree_folded (const WpTree *self, GString *out);
