/* What one must know about a file before believing what is seen of it, worst first: a line each, and what it means for the picture. */
#pragma once

#include "plots/plots.h"
#include "workspace/file/analysis.h"

typedef struct
{
  char *what;        /* one line */
  const char *means; /* translated; NULL: nothing more is to be said */
} WpProblem;

typedef struct
{
  WP_ARRAY (WpProblem) rows;
} WpProblems;

/* Of a recording; with an analysis (or NULL) also of what is looked at. */
WpProblems *wp_problems_of_recording (const WpTrace *trace, const WpAnalysis *analysis);
/* Of any other profile: what could not be read, or not be shown in the views that were drawn. Takes its lock. */
WpProblems *wp_problems_of_plots (WpPlots *plots);
/* Of a recording that tells no waits, and opens as stacks: what to do. */
WpProblems *wp_problems_of_plain (void);
void wp_problems_free (WpProblems *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpProblems, wp_problems_free)

/* The worst, and how many more there are; NULL: there are none. Free with g_free(). */
char *wp_problems_headline (const WpProblems *self);
