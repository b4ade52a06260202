/* What the files of a workspace share: workspace.c reads, analyses and lays out, workspace-changes.c changes how the recording is looked at, and undoes
 * it. */
#pragma once

#include "workspace/file/view-state.h"
#include "workspace/file/workspace.h"
#include "workspace/worker.h"

struct _WpWorkspace
{
  GObject parent_instance;

  WpShared *document, *rows;
  WpViewState state;
  WP_ARRAY (WpViewState) past;  /* before each change; the latest is the last */
  gboolean filtering;      /* that was kept before the filter began to be typed */
  GPtrArray *chosen;       /* GArray of WpId: what wp_workspace_chosen_number() has numbered, the first one 0 */
  gboolean viewed;         /* somebody has told which view is looked at */
  WpShared *whole, *range; /* WpAnalysis, or NULL */
  WpViewState explained;   /* how it was looked at when `whole` was made */
  char *failure;
  gboolean again;          /* the analysis going on is of the process that is shown already */
  gint64 since;            /* when it began: monotonic time, µs */
  gboolean task_wanted;    /* asked for while symbols are being read: `wanted` */
  gboolean rows_wanted;    /* the same of Processes with other options */
  WpId wanted;
  WpWorker *reading_symbols, *laying_out, *analysing, *explaining_range;
};

typedef enum
{
  WP_WORKSPACE_SYMBOLS_PROGRESS,
  WP_WORKSPACE_SYMBOLS_READ,
  WP_WORKSPACE_PROCESSES_CHANGED,
  WP_WORKSPACE_EXPLAINING,
  WP_WORKSPACE_EXPLAINED,
  WP_WORKSPACE_RANGE_EXPLAINED,
  WP_WORKSPACE_CUTS_CHANGED,
  WP_WORKSPACE_HIDE_CHANGED,
  WP_WORKSPACE_NOTES_CHANGED,
  WP_WORKSPACE_UNDONE,
  WP_WORKSPACE_CHANGED,
  WP_WORKSPACE_N_SIGNALS
} WpWorkspaceSignal;

void wp_workspace_tell (WpWorkspace *self, WpWorkspaceSignal signal); /* one without arguments */
void wp_workspace_keep (WpWorkspace *self);                           /* before anything is changed by hand */

/* Begin to make anew what a change asks for; what was begun before is dropped. */
void wp_workspace_lay_out (WpWorkspace *self);                        /* the rows of Processes */
void wp_workspace_analyse (WpWorkspace *self, gboolean again);        /* again: of the process that is shown already */
void wp_workspace_analyse_again (WpWorkspace *self);                  /* … where one is */
void wp_workspace_explain_range (WpWorkspace *self);                  /* the marked range */
