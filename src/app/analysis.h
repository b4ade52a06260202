/* What a page knows about the process of interest: its control paths, their explanation, and the rows of the Flame and
 * Consolidated views. Made at once by a worker, immutable then. */
#pragma once

#include "app/shared.h"
#include "paths/explain.h"
#include "profile/document.h"
#include "view/layout.h"

typedef struct
{
  WpShared *document; /* WpDocument */
  WpPaths *paths;
  gboolean owns_paths;
  WpExplanation *explanation;
  WpTree *tree;
  WpShared *flame;        /* WpRows */
  WpShared *consolidated; /* WpRows */
} WpAnalysis;

typedef struct
{
  WpShared *document;
  WpId task; /* any task of the process of interest; 0: the recorded command, or the one that was saved */
  WpPathOptions options;
  gboolean inverted, icicle;
} WpAnalysisRequest;

WpAnalysisRequest *wp_analysis_request_new (WpShared *document, WpId task);
void wp_analysis_request_free (gpointer request);

/* On a worker. `request` is a WpAnalysisRequest; gives a WpAnalysis. */
gpointer wp_analysis_run (gpointer request, WpProgress *progress, GError **error);
void wp_analysis_free (gpointer analysis);

static inline const WpTrace *
wp_analysis_trace (const WpAnalysis *self)
{
  return self->paths->trace;
}

/* A job's data that explains a time range of an analysis; gives a WpExplanation. */
typedef struct
{
  WpShared *analysis;
  gint64 from, to;
} WpRangeRequest;

WpRangeRequest *wp_range_request_new (WpShared *analysis, gint64 from, gint64 to);
void wp_range_request_free (gpointer request);
gpointer wp_range_run (gpointer request, WpProgress *progress, GError **error);
