/* A call tree: stacks as boxes that stand on one another, each as wide as what was spent in it and in all that it called. What a flame view draws,
 * of an explained process (paths/tree.h) as of any stacks with values (stacks/stack-tree.h). */
#pragma once

#include "base/intern.h"
#include "stacks/hidden.h"
#include "stacks/sums.h"

/* The kind of a frame says how it is coloured. A node of an explained process gathers several kinds: its time in each is kept. */
typedef enum
{
  WP_FRAME_PROCESS,  /* a process name */
  WP_FRAME_RUN,
  WP_FRAME_SLEEP,
  WP_FRAME_DISK,
  WP_FRAME_QUEUE,
  WP_FRAME_NET,
  WP_FRAME_OTHER_PATH, /* waiting on another path */
  WP_FRAME_RUNNABLE,   /* waiting for a CPU; of a frame: words that say so */
  WP_FRAME_HARDWARE,   /* waiting for the interrupt of a device; of a frame: its handler, which runs */
  WP_FRAME_UNKNOWN,    /* events were lost, or recording was paused */
  WP_FRAME_TIMED_COUNT, /* kinds that times are kept of */

  /* Whose code it is, of stacks with values. */
  WP_FRAME_OF_PROGRAM = WP_FRAME_TIMED_COUNT,
  WP_FRAME_OF_LIBRARY,
  WP_FRAME_OF_KERNEL,
  WP_FRAME_OF_LABEL, /* of no code: the value of a label */
  WP_FRAME_KIND_COUNT
} WpFrameKind;

/* What the modules of an explained process' frames are called that are no functions. */
#define WP_MODULE_PROCESS "[process]"
#define WP_MODULE_DISK "[disk]"
#define WP_MODULE_QUEUE "[disk queue]"
#define WP_MODULE_NETWORK "[network]"
#define WP_MODULE_CPU "[cpu]" /* of what waits for one */
#define WP_MODULE_INTERRUPT "[interrupt]" /* of handlers that ran in the midst of something else */

/* The kind of frames of a module, by the name of its file: one of these, or whose code it is. */
WpFrameKind wp_module_frame_kind (const char *file);

static inline gboolean
wp_frame_is_code (WpFrameKind kind)
{
  return kind >= WP_FRAME_OF_PROGRAM && kind <= WP_FRAME_OF_KERNEL;
}

typedef struct
{
  WpId name; /* string of the tree */
  WpId parent, first_child, next; /* children: longest total first */
  WpId function; /* which one it is, for whoever made the tree; 0: none (a process, a device) */
  WpId part;     /* of an explained process one part it came from, for details: the longest */
  WpId unnamed;  /* … the module of which it stands for neighbours without names; or 0 */
  gint64 self, total; /* ns, or what else the values are; total includes what overflows */
  gint64 self_divisor, total_divisor; /* of a mean: what these are divided by; else 0 */
  gint64 extra;  /* by how much its children overflow it */
  gint64 latency; /* of an explained process what of the elapsed time `total` answers for */
  gint64 ns[WP_FRAME_TIMED_COUNT]; /* of `total`, by the kind of the top */
  guint32 hidden; /* the first of the tree's `hidden`, or 0 */
  guint8 kind;   /* WpFrameKind of the box itself: PROCESS, DISK, … ; RUN or SLEEP by what it mostly is */
  guint8 code;   /* of an explained process whose code it is: WP_FRAME_OF_…, words for what the kernel is asked for being its; 0: nobody's */
} WpNode;

/* What is said of a node; boxes are as wide as the sums. */
static inline gint64
wp_node_self (const WpNode *self)
{
  return self->self_divisor != 0 ? wp_quotient (self->self, self->self_divisor) : self->self;
}

static inline gint64
wp_node_total (const WpNode *self)
{
  return self->total_divisor != 0 ? wp_quotient (self->total, self->total_divisor) : self->total;
}

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
  WP_ARRAY (WpNodeSource) sources; /* plain list; sums to every node's self. Empty where nothing is explained */
  WP_ARRAY (WpNode) nodes; /* row 0 is the root: its total is the total time. Parents come before their children */
  guint32 depth;           /* frames in the deepest stack */
  gboolean inverted;       /* stacks are turned over: the innermost frames are the roots */
  WpHiddenArray hidden;    /* what the depth hides in nodes; row 0 is empty. Nothing where stacks are turned over */
} WpTree;

WpTree *wp_tree_alloc (void); /* with the root */

/* Works out how deep it is and links every node's children, longest first, when all nodes are there and their totals are summed up. */
void wp_tree_link (WpTree *self);

void wp_tree_free (WpTree *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpTree, wp_tree_free)

/* Folded stacks, "frame;frame;frame ns\n", root first; the numbers sum to the total time. ';' and newlines in names become ':' and ' '. */
guint64 wp_tree_folded_size (const WpTree *self); /* bytes of that text, at most */
void wp_tree_folded (const WpTree *self, GString *out);
