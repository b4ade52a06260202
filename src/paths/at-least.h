/* Where an operation stood that was recorded without a user stack: a run that no sample met, a preemption, of which only the kernel's innermost frames are
 * recorded. What the stack before and the one after have in common, from the outermost frame on, was there all the time: it stood at least there. Where a
 * sample was taken just before or after a preemption, it stood there. The rules are in DESIGN.md, "Depths". */
#pragma once

#include "paths/bitmap.h"
#include "paths/paths.h"

typedef struct
{
  WpId *stacks;   /* private: by operation, a stack of the trace or 0; NULL: of none */
  WpBitmap whole; /* … operations that are known to stand there, and on nothing more */
} WpAtLeast;

gboolean wp_at_least_init (WpAtLeast *self, const WpPaths *paths, WpProgress *progress, GError **error); /* FALSE when cancelled; to be cleared even then */
void wp_at_least_clear (WpAtLeast *self);

/* A stack of the trace without frames of the kernel, 0: nobody knows. `whole`: it stood there, and on nothing more. */
WpId wp_at_least_of_op (const WpAtLeast *self, WpId op, gboolean *whole);

/* What two stacks of the trace have in common from the outermost frame on, by functions and without those of the kernel: frames of `before`. */
WpId wp_at_least_between (const WpTrace *trace, WpId before, WpId after);
