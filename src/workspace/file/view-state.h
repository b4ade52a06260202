/* How one looks at a recording. A workspace has one of these, and keeps those before each change: undo leads back to them. */
#pragma once

#include "workspace/file/cuts.h"
#include "workspace/file/options.h"
#include "workspace/shared.h"

typedef struct
{
  WpViewOptions options;
  /* What never changes: another takes its place. */
  WpShared *opened; /* by stack of the trace: not 0 where nothing is folded; NULL: nowhere */
  WpShared *hide;   /* WpHideRules, at least one; NULL: none */
  WpShared *ghosts; /* GArray of WpId, sorted: sleeps that show what they wait for in other lanes; NULL: none does */
  WpCuts *cuts;
  WpId task;        /* what was asked for last */
  GArray *also;     /* WpId: tasks of processes that are explained together with it */
  gint64 from, to;  /* the marked range; equal: none */
  int view;         /* which view is looked at, for whoever shows them */
} WpViewState;

void wp_view_state_init (WpViewState *self);
void wp_view_state_clear (WpViewState *self);
WpViewState wp_view_state_copy (const WpViewState *self);

/* Chooses the same processes, and all that an analysis of them hangs on: what is cut, opened, hidden and drawn again, and its options. What else one looks
 * at stays. */
void wp_view_state_analyse_as (WpViewState *self, const WpViewState *other);

/* What has to be made anew, or told, between one and another. */
typedef struct
{
  gboolean any;
  gboolean processes, analysis, range, task, cuts, hide;
} WpViewStateChange;

WpViewStateChange wp_view_state_compare (const WpViewState *a, const WpViewState *b);

gboolean wp_same_ids (const GArray *a, const GArray *b); /* WpId each */
