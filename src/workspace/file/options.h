/* How one wants to see a recording: switches that are on or off, depth and colours, and the order and filter of the rows of Processes. */
#pragma once

#include "paint/paint.h"
#include "view/layout.h"

typedef enum
{
  WP_OPTION_SHOW_SLEEPS,
  WP_OPTION_SUMMARY,
  WP_OPTION_BY_CPU,
  WP_OPTION_MERGE_THREADS,
  WP_OPTION_STARTED_WORK,
  WP_OPTION_INVERTED,
  WP_OPTION_COLLAPSE_RECURSION,
  WP_OPTION_ICICLE,
  WP_OPTION_LEGEND,
  WP_OPTION_LINKS,
  WP_OPTION_WAIT_CHAIN,
  WP_OPTION_DETAILS,
  WP_OPTION_SINCE_PROCESS, /* times count from where the explained process started, not from the recording's start */
  WP_N_OPTIONS
} WpOption;

/* What has to be made anew when an option changes. */
typedef enum
{
  WP_OPTION_OF_PROCESSES, /* the rows of Processes */
  WP_OPTION_OF_PATHS,     /* the analysis, of a recording only: a saved profile's control paths are what they are */
  WP_OPTION_OF_TREE,      /* the analysis, for the sake of its consolidated view */
  WP_OPTION_BESIDE,       /* nothing: it says what is shown beside the rows, and how */
} WpOptionOf;

typedef WP_ARRAY (gint32) WpKeys;

typedef struct
{
  gboolean on[WP_N_OPTIONS];
  WpDepth depth;
  WpColors colors;
  WpSort sort;
  char *filter; /* not empty, or NULL; owned by whoever holds the options, as is … */
  WpKeys turned, pinned; /* keys of rows of Processes: see WpProcessesOptions */
} WpViewOptions;

void wp_view_options_copy (WpViewOptions *self, const WpViewOptions *from); /* over what is not initialized */
void wp_view_options_clear (WpViewOptions *self);

WpOptionOf wp_option_of (WpOption option);

/* What the layout of Processes wants of them; points into `self`. */
WpProcessesOptions wp_view_options_processes (const WpViewOptions *self);
