/* The pseudo-stacks of control paths: what stands on what at each moment, as stacks of frames. What the call tree and the stacks with values are
 * made of. */
#pragma once

#include "base/pair-map.h"
#include "paths/explain.h"
#include "stacks/maker.h"

typedef struct
{
  WpStacksMaker maker;
  const WpPaths *paths;
  const WpTrace *trace;
  WpIdArray functions; /* location → function of the trace, 0: a process, a device, WP_NOT_SAMPLED */
  WpId *part_stacks;   /* part → its innermost stack, for what stands on it */

  /* private */
  WpId *locations;   /* function of the trace → location, 0: not met yet */
  WpId *modules;     /* of the trace → module */
  WpId base_modules[WP_OP_KIND_COUNT];
  WpPairMap bases;   /* name of a task, kind of an operation → location */
  WpId *task_bases;  /* task → the one that its operations have */
  WpPairMap on_location; /* stack, location → the one on top of the other: found faster than by the maker, which takes whole runs */
  WpPairMap stacked; /* stack, stack of the trace → the one on top of the other */
  WpId not_sampled;
  WpSliceArray slices;
  WpIdArray run;     /* of the stack at hand */
} WpPseudoStacks;

void wp_pseudo_stacks_init (WpPseudoStacks *self, const WpPaths *paths);
void wp_pseudo_stacks_clear (WpPseudoStacks *self);

/* Parents come before their children in the table: parts are placed in their order, all of them before the first piece. */
void wp_pseudo_stacks_place (WpPseudoStacks *self, WpId part);

/* The stacks of a piece, one after the other: of a run one for each of its samples. Replaces what is in `slices`, whose `stack` is one of the
 * maker's. */
void wp_pseudo_stacks_of_piece (WpPseudoStacks *self, const WpPiece *piece, WpSliceArray *slices);
