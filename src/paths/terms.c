/* The words of an explanation, and what each means: see terms.h. */
#include "paths/terms.h"

#include <glib/gi18n.h>

static const struct
{
  const char *name, *help;
} terms[WP_TERM_COUNT] = {
  [WP_TERM_TOOK] = { N_ ("Took"), N_ ("From the first to the last moment of the process, as a clock on the wall shows it.") },
  [WP_TERM_COUNTED] = { N_ ("Time counted, parallel included"),
                        N_ ("The sum of everything in the table. Where two things went on at once, both count: it may be more than it took.") },
  [WP_TERM_EXPLAINED] = { N_ ("explained"),
                          N_ ("The share of the time counted for which the recording says what was done or waited for. The rest is unexplained.") },
  [WP_TERM_CHAIN] = { N_ ("Chain of work"),
                      N_ ("What one thread did and waited for, with the work of others standing on each wait. Each chain has a lane in Flame.") },
  [WP_TERM_LATENCY] = { N_ ("Latency"),
                        N_ ("The share of the time it took. Each moment is divided among those that ran then; where nobody ran, among the waits; "
                            "and only where there was nothing else, among the waits for another lane.") },
  [WP_TERM_LANE] = { N_ ("Waiting for another lane"),
                     N_ ("What it waits for is a chain of work of its own, so that time is in both lanes. Without it, each moment of work counts once.") },
};

const char *
wp_term_name (WpTerm term)
{
  return terms[term].name;
}

const char *
wp_term_help (WpTerm term)
{
  return terms[term].help;
}
