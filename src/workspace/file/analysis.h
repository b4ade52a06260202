/* What a page knows about the process of interest: its control paths, their explanation, and the rows of the Flame and
 * Consolidated views. Made at once by a worker, immutable then. */
#pragma once

#include "paths/answer.h"
#include "paths/tree.h"
#include "profile/model/document.h"
#include "view/layout.h"
#include "workspace/shared.h"

typedef struct
{
  WpShared *document;  /* WpDocument */
  WpShared *whole;     /* of a time range: the WpAnalysis it is a part of, whose paths and flame view it shares; else NULL */
  WpShared *explained; /* what all up to `process_stacks` is part of: it does not hang on how the process is shown, and analyses of the same share it */
  WpPaths *paths;
  WpExplanation *explanation;
  WpAnswer *answer;
  WpStackCount stacks; /* of the process of interest */
  const WpStackCountArray *process_stacks; /* by task that leads a process; of a range: NULL */
  WpShared *basis;     /* WpTreeBasis: what the tree is made of, upright or turned over … */
  gboolean collapse_recursion; /* … with this option */
  WpTree *tree;
  WpShared *flame;        /* WpRows; NULL: out of all proportion to the recording */
  WpShared *strip;        /* WpRows: the wait chain above the flame view */
  WpShared *consolidated; /* WpRows. Both `tree` and this are NULL where stacks are out of all proportion once they are turned over */
  WpDepthChoice depth;    /* that of the flame view, and what it points to: */
  WpShared *opened, *hide, *ghosts;
  guint n_folded[2];      /* frames that the depth hides in the flame view and in the consolidated one */
} WpAnalysis;

typedef struct
{
  WpShared *document;
  WpId task; /* any task of the process of interest; 0: the recorded command, or the one that was saved */
  WpIdArray also; /* tasks of other processes that are explained together with it */
  WpPathOptions options; /* without cuts */
  WpIdArray cuts;        /* sorted */
  WpTreeOptions tree;    /* of the whole time; its depth is that of the flame view, too */
  WpShared *opened, *hide, *ghosts; /* what the depth points to, or NULL */
  gboolean icicle;
  WpShared *before; /* WpAnalysis of the same document, or NULL: what is the same there is not made again */
} WpAnalysisRequest;

WpAnalysisRequest *wp_analysis_request_new (WpShared *document, WpId task);
void wp_analysis_request_free (gpointer request);

/* On a worker. `request` is a WpAnalysisRequest; gives a WpAnalysis. */
gpointer wp_analysis_run (gpointer request, WpProgress *progress, GError **error);
void wp_analysis_free (gpointer analysis);

/* Whether the task is one of the process of interest. */
gboolean wp_analysis_is_of (const WpAnalysis *self, WpId task);

/* The number of the process of interest; 0: not known. */
static inline gint32
wp_analysis_pid (const WpAnalysis *self)
{
  return self->paths->base_tasks.len > 0 ? self->paths->trace->tasks.data[self->paths->base_tasks.data[0]].pid : 0;
}

static inline const WpTrace *
wp_analysis_trace (const WpAnalysis *self)
{
  return self->paths->trace;
}

/* The analysis of the whole time, whatever range this one is of. */
static inline const WpAnalysis *
wp_analysis_whole (const WpAnalysis *self)
{
  return self->whole != NULL ? wp_shared_get (self->whole) : self;
}

/* A worker's data that explains a time range of an analysis; gives a WpAnalysis of that range. */
typedef struct
{
  WpShared *analysis;
  WpTreeOptions tree; /* with the range */
  WpShared *opened, *hide; /* what its depth points to, or NULL */
  gboolean icicle;
} WpRangeRequest;

/* `tree` without an explanation: the worker makes it. Its depth points to what is `opened` and to the rules that `hide`. */
WpRangeRequest *wp_range_request_new (WpShared *analysis, WpTreeOptions tree, WpShared *opened, WpShared *hide, gboolean icicle);
void wp_range_request_free (gpointer request);
gpointer wp_range_run (gpointer request, WpProgress *progress, GError **error);
