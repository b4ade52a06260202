/* How deep pictures show stacks: what the own stack of an operation becomes at each depth. The rules are in DESIGN.md, "Depths".
 *
 * Numbers do not depend on the depth, nor on what rules hide: both only say which frames are boxes of their own. What is hidden is told with
 * each frame that hides something: stretches of a stack of the trace. */
#pragma once

#include "paths/at-least.h"
#include "paths/hide.h"
#include "paths/losses.h"
#include "paths/paths.h"
#include "paths/wait-words.h"
#include "stacks/hidden.h"

typedef enum
{
  WP_DEPTH_ALL,       /* each frame, as recorded */
  WP_DEPTH_FUNCTIONS, /* the program's own functions, and what they ask of the kernel in words */
  WP_DEPTH_WAITS,     /* what each process waited for, in words; otherwise it runs */
  WP_DEPTH_COUNT
} WpDepth;

const char *wp_depth_id (WpDepth depth);    /* stable: "all", "functions", "waits" */
WpDepth wp_depth_from_id (const char *id);  /* WP_DEPTH_COUNT when it is none */

/* Who opened what is hidden, as bits (WpDepthChoice.opened): it is shown as long as one of them stands. */
enum
{
  WP_OPENED_BY_HAND = 1,
  WP_OPENED_BY_SEARCH = 2,
};

typedef struct
{
  WpDepth depth;
  const guint8 *opened; /* by stack of the trace: not 0 where what would be hidden, and has it for `inner`, is shown; not owned. NULL: nowhere */
  const WpHideRules *hide; /* frames of functions that these hide are charged to their callers; not owned. NULL: none */
  gboolean by_module; /* flame views colour boxes by the modules of their code, instead of by process */
  const GArray *ghosts; /* WpId, sorted: sleeps on which a flame view draws again what they wait for in other lanes; not owned. NULL: none */
  const WpAtLeast *at_least; /* of the same paths, for whoever has it already; not owned. NULL: it is made where it is needed */
} WpDepthChoice;

/* Whether it needs to be known where operations stood at least. */
static inline gboolean
wp_depth_asks_at_least (const WpDepthChoice *self)
{
  return self->depth != WP_DEPTH_WAITS || self->opened != NULL;
}

typedef enum
{
  WP_DEPTH_FRAME_FUNCTION, /* of the trace */
  WP_DEPTH_FRAME_WORDS,
  WP_DEPTH_FRAME_CPU,      /* words: it waits for a CPU */
  WP_DEPTH_FRAME_INTERRUPT,/* words: an interrupt handler ran there */
  WP_DEPTH_FRAME_UNNAMED,  /* neighbours of one module whose functions have no names */
  WP_DEPTH_FRAME_KIND_COUNT
} WpDepthFrameKind;

typedef struct
{
  WpDepthFrameKind kind;
  WpId function;     /* of the trace, or 0 */
  WpId label;        /* string of `words.strings`, where it is no function; 0: a run that was not sampled */
  WpId inner, outer; /* hides the frames of these stacks of the trace, from `inner` outwards to that before `outer`. Equal: none */
} WpDepthFrame;
typedef WP_ARRAY (WpDepthFrame) WpDepthFrames;

/* Frames that rules hide, charged to their caller. */
typedef struct
{
  guint32 frame;     /* the caller's, of a WpDepthFrames */
  WpId inner, outer; /* as of a WpDepthFrame */
} WpCharged;

/* What is more than a stack of the trace. */
typedef struct
{
  WpId stack, words; /* 0: none */
  WpId below;        /* the stack of the trace that it stands on, or 0 */
  WpId interrupt;    /* on top of it all, words: an interrupt handler; 0: none */
  guint8 at_least;   /* 1: on that at least */
  guint8 run;        /* 1: of a run */
} WpWordedStack;

typedef struct
{
  WpDepthChoice choice;
  WpWaitWords words;
  WP_ARRAY (WpCharged) charged;   /* of the stack that wp_depth_frames() was asked for last */

  /* private */
  WpPairMap ids;                  /* stack of the trace, words → one more than the index in `worded` */
  WP_ARRAY (WpWordedStack) worded;
  WpPairMap places;               /* a stack that others stand on, whether they are runs and only at least there → a number of its own */
  guint32 n_places;
  WpPairMap on_others;            /* stack, place → likewise */
  const WpAtLeast *at_least;      /* the choice's, or */
  WpAtLeast own_at_least;
  WpStretches losses;             /* of the trace */
  WpPairMap interrupted;          /* stack, words of an interrupt → likewise */
  WpIdArray handlers;             /* words of an interrupt, by string of the trace */
  WpSliceArray uncut;             /* of the run at hand: as they were before interrupts cut them */
  WpIdArray nodes;                /* of the stack at hand, outermost first */
  WpId *unnamed;                  /* by module: label of its frames without names */
  guint8 *code;                   /* by module: whose its frames are, WP_FRAME_OF_… */
  guint8 *starters;               /* by function: what main() and threads begin in */
  guint8 *hides;                  /* by function: what rules hide */
  WpId runs, cpu, lost, paused, interrupt, enters, at_least_here, not_sampled_here;
  WpId asked;                     /* part that wp_depth_cpu_since() was asked for last, and what it said: a part has many pieces */
  gint64 since;
} WpDepths;

/* FALSE when cancelled; to be cleared even then. */
gboolean wp_depths_init (WpDepths *self, const WpPaths *paths, WpDepthChoice choice, WpProgress *progress, GError **error);
void wp_depths_clear (WpDepths *self); /* columns of a large recording are freed by a thread */

/* What wp_part_slices() gives, but `stack` is for wp_depth_frames(), and where a sleep is told in words it has two slices: it waits for something, then for a
 * CPU. 0: nothing known. */
void wp_depth_slices (WpDepths *self, WpId part, WpSliceArray *slices);

/* The stack that what stands on a sleep stands on. */
WpId wp_depth_sleep_stack (WpDepths *self, WpId op);

/* The frames of a slice's stack, outermost first. Frame 0 is always the box of the process, of which nothing but what it hides is told. What
 * rules hide is no frame: `charged` tells it. */
void wp_depth_frames (WpDepths *self, WpId stack, WpDepthFrames *frames);

/* Whose code a frame is: WP_FRAME_OF_…; words for what the kernel is asked for are the kernel's. 0: nobody's, as an interrupt handler's. */
guint8 wp_depth_code (const WpDepths *self, const WpDepthFrame *frame);

/* The module that a frame is of, a row of the trace's; 0: it is no function. */
WpId wp_depth_module (const WpDepths *self, const WpDepthFrame *frame);

/* Since when words say of a sleep that it waits for a CPU: when it was woken, and nothing stands on it any more; where it was woken among lost events, since
 * these ended. The part's end: never. */
gint64 wp_depth_cpu_since (WpDepths *self, WpId part);

/* How many frames are in no box of their own. Stacks that begin alike hide their common frames once. */
guint wp_depth_count_folded (const WpTrace *trace, const WpHiddenArray *hidden);

/* Of frames without names: how many they are, and what a box is called that hides at most so many, of which one is that of stack `inner`
 * ("git (7 unnamed)"; to be freed with g_free()). */
guint wp_depth_count (const WpTrace *trace, WpId inner, WpId outer);
char *wp_depth_unnamed_text (const WpTrace *trace, WpId inner, guint n);
