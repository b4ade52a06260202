/* A filter: a list of steps, each of which takes something away from stacks or adds something to them. It is a value with a text form:
 *
 *   focus=parse hide='^runtime\.' tagfocus=bytes=4kb:
 *
 * Steps are done in their order. Patterns are regular expressions, unanchored and case-sensitive, and find names of functions, their files and
 * modules, unless said otherwise. Meanings: pprof's options of the same names (FORMAT.md). */
#pragma once

#include "stacks/derive.h"

typedef enum
{
  WP_FILTER_TAG_ROOT,   /* "a,b": the values of these labels become the outermost frames; of “mark” each its own */
  WP_FILTER_TAG_LEAF,   /* the innermost ones */
  WP_FILTER_FOCUS,      /* samples with a match stay */
  WP_FILTER_IGNORE,     /* samples with a match go */
  WP_FILTER_HIDE,       /* frames with a match go */
  WP_FILTER_SHOW,       /* frames with a match stay */
  WP_FILTER_SHOW_FROM,  /* stacks begin at the outermost match; samples without one go */
  WP_FILTER_TAG_FOCUS,  /* samples with such a label stay: "RX,RX" of "key:value", "key=RX,RX", "4kb:", "key=1ms:20ms" */
  WP_FILTER_TAG_IGNORE, /* samples with such a label go */
  WP_FILTER_TAG_SHOW,   /* labels whose keys match stay */
  WP_FILTER_TAG_HIDE,   /* labels whose keys match go */
  WP_FILTER_PRUNE_FROM, /* stacks end at the innermost function that matches, by its name without arguments */
  WP_FILTER_KIND_COUNT
} WpFilterKind;

typedef struct
{
  WpFilterKind kind;
  char *pattern;
} WpFilterStep;

typedef WP_ARRAY (WpFilterStep) WpFilter;

const char *wp_filter_kind_id (WpFilterKind kind); /* "tagfocus" */

void wp_filter_add (WpFilter *self, WpFilterKind kind, const char *pattern);
void wp_filter_clear (WpFilter *self);

/* The text form, and back. The errors say which step cannot be understood. */
char *wp_filter_text (const WpFilter *self);
gboolean wp_filter_parse (WpFilter *self, const char *text, GError **error);

/* What the steps leave; the stacks themselves where there are none. NULL with an error of a pattern, or where it was cancelled. */
WpStacks *wp_filter_apply (const WpFilter *self, WpStacks *stacks, WpProgress *progress, GError **error);

/* The same, where numbers of labels that become frames are in `unit` (measure.h) instead of the one that fits each. */
WpStacks *wp_filter_apply_in (const WpFilter *self, WpStacks *stacks, const char *unit, WpProgress *progress, GError **error);

/* Frames of functions that a profile says are no part of the program (drop_frames) go, with all that they call. */
WpStacks *wp_stacks_drop_frames (WpStacks *stacks, WpProgress *progress, GError **error);
