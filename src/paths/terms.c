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
  [WP_TERM_ANSWER] = { N_ ("The answer in words"),
                       N_ ("What the process' own time went to, the most first. A click on a sentence keeps the colours of the boxes it is about, "
                           "and goes to the longest.") },
  [WP_TERM_WAIT_CHAIN] = { N_ ("Wait chain"),
                           N_ ("A band above the flame view for each process and device that takes part, lit while the work that is waited for goes on "
                               "in it; an arrow leads to where it goes on next. A click selects what is lit, two clicks zoom to it.") },
  [WP_TERM_DEPTH] = { N_ ("Depth"),
                      N_ ("How much of each stack is shown: what is waited for in words, the programs' own functions, or every frame. "
                          "No number changes by it.") },
  [WP_TERM_FOLDED] = { N_ ("Folded"),
                       N_ ("Frames that the depth leaves out. A click on the mark at a box's end shows them, and so does a search for them.") },
  [WP_TERM_HIDE] = { N_ ("Hidden"),
                     N_ ("Functions, modules or what matches an expression can be left out at any depth: their time is charged to their callers.") },
  [WP_TERM_AT_LEAST] = { N_ ("(at least here)"),
                         N_ ("No whole stack was recorded at that time. What the stacks before and after have in common was there all the while; "
                             "what else was on top of it nobody knows.") },
  [WP_TERM_NOT_SAMPLED] = { N_ ("(not sampled, at least here)"),
                            N_ ("It ran too briefly for a sample of its stack. What the stacks before and after have in common was there all the "
                                "while.") },
  [WP_TERM_RUNNABLE] = { N_ ("Runnable"), N_ ("How long it could have run and had no CPU, after what it waited for had come.") },
  [WP_TERM_OVERFLOW] = { N_ ("Overflow"),
                         N_ ("How much longer what stands on it lasts than it does itself: several things went on there at once.") },
  [WP_TERM_UNINTERRUPTIBLE] = { N_ ("uninterruptible sleep"),
                                N_ ("A wait that not even a signal ends: mostly for a disk, or for a lock of the kernel.") },
};

const char *
wp_term_help_of (const char *name)
{
  for (WpTerm t = 0; t < WP_TERM_COUNT; t++)
    if (g_str_equal (_(terms[t].name), name))
      return _(terms[t].help);
  return NULL;
}

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
