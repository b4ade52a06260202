/* The words that an explanation is told in, each with a sentence that explains it: what tooltips, the help and the manual page say. The
 * categories have theirs in the same way (explain.h). Both are English, to be translated. */
#pragma once

typedef enum
{
  WP_TERM_TOOK,      /* wall time */
  WP_TERM_COUNTED,   /* total */
  WP_TERM_EXPLAINED, /* accounted for */
  WP_TERM_CHAIN,     /* control path */
  WP_TERM_LANE,      /* waiting on another path */
  WP_TERM_LATENCY,

  /* what is around a picture and in it; of the explanation itself are those before */
  WP_TERM_PICTURE,
  WP_TERM_ANSWER = WP_TERM_PICTURE,
  WP_TERM_WAIT_CHAIN,
  WP_TERM_DEPTH,
  WP_TERM_FOLDED,
  WP_TERM_HIDE,
  WP_TERM_AT_LEAST,    /* the label of a box (depth.c), as is the next one */
  WP_TERM_NOT_SAMPLED,

  /* what details say */
  WP_TERM_RUNNABLE,
  WP_TERM_OVERFLOW,
  WP_TERM_UNINTERRUPTIBLE,
  WP_TERM_COUNT
} WpTerm;

const char *wp_term_help_of (const char *name); /* of a name in the user's language, and in that; NULL: it is none of them */
const char *wp_term_name (WpTerm term);
const char *wp_term_help (WpTerm term);
