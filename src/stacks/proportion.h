/* Formats that write whole stacks: what is short in one of them may be without end in another. */
#pragma once

#include "stacks/stacks.h"

typedef enum
{
  WP_EACH_SAMPLE,       /* all frames of each sample's stack are written, or gone through */
  WP_EACH_SAMPLE_NAMED, /* and each by its name */
  WP_EACH_STACK,        /* the frames of each stack are written that it has on top of another one */
  WP_EACH_STACK_WHOLE   /* the locations of each stack that a sample has are gone through once */
} WpWrittenFrames;

/* FALSE and an error where that would be out of all proportion to what the profile holds: a loop of calls that is told as events, say, of
 * which each takes a stack that is one longer. */
gboolean wp_stacks_check_proportion (const WpStacks *stacks, WpWrittenFrames written, GError **error);
