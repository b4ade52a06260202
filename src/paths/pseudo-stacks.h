/* The pseudo-stacks of control paths: what stands on what at each moment, as stacks of frames. What the call tree and the stacks with values are
 * made of. */
#pragma once

#include "base/pair-map.h"
#include "paths/depth.h"
#include "paths/explain.h"
#include "stacks/maker.h"

/* What the frame of a stack hides. */
typedef struct
{
  WpId stack;        /* of the maker */
  guint32 n;         /* which of the frames that it has on top of its prefix: 1 is the outermost; 0: the innermost of the prefix */
  gboolean unnamed;  /* it stands for frames without names */
  WpId inner, outer; /* of the trace */
} WpPseudoHidden;

typedef struct
{
  WpStacksMaker maker;
  const WpPaths *paths;
  const WpTrace *trace;
  WpIdArray functions; /* location → function of the trace, 0: a process, a device, WP_NOT_SAMPLED */
  WP_ARRAY (guint8) code; /* location → whose it is: wp_depth_code() */
  WpId *part_stacks;   /* part → its innermost stack, for what stands on it; 0: it is not placed yet */
  WP_ARRAY (WpPseudoHidden) hidden;

  /* private */
  WpDepths depths;
  WpDepthFrames frames; /* of the stack at hand */
  WpIdArray worded;    /* string of the words → location */
  WpId worded_modules[WP_DEPTH_FRAME_KIND_COUNT];
  WpId *locations;   /* function of the trace → location, 0: not met yet */
  WpId *modules;     /* of the trace → module */
  WpId base_modules[WP_OP_KIND_COUNT];
  WpPairMap bases;   /* name of a task, kind of an operation → location */
  WpId *task_bases;  /* task → the one that its operations have */
  WpPairMap on_location; /* stack, location → the one on top of the other: found faster than by the maker, which takes whole runs */
  WpPairMap stacked; /* stack, stack at the depth → the one on top of the other */
  WpId not_sampled;
  WpSliceArray slices; /* of the part that was sliced last */
  WpId sliced;
  WpIdArray run;     /* of the stack at hand */
} WpPseudoStacks;

/* FALSE when cancelled; to be cleared even then. */
gboolean wp_pseudo_stacks_init (WpPseudoStacks *self, const WpPaths *paths, WpDepthChoice depth, WpProgress *progress, GError **error);
void wp_pseudo_stacks_clear (WpPseudoStacks *self);

/* What a part stands on is placed before it, and it before its first piece. */
void wp_pseudo_stacks_place (WpPseudoStacks *self, WpId part);

/* The stacks of a piece, one after the other: of a run one for each of its samples, of a sleep two where words tell what it waited for. Replaces what is in `slices`, whose `stack` is one of the
 * maker's. */
void wp_pseudo_stacks_of_piece (WpPseudoStacks *self, const WpPiece *piece, WpSliceArray *slices);
