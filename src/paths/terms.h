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
  WP_TERM_COUNT
} WpTerm;

const char *wp_term_name (WpTerm term);
const char *wp_term_help (WpTerm term);
