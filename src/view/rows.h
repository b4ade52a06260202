/* Rows of boxes: the one picture model. The Process Running View, the Flame View, the Consolidated Flame View and the
 * minimap are all rows of boxes; one fold turns them and a viewport into what is visible, one painter paints that. */
#pragma once

#include "base/array.h"
#include "base/intern.h"

/* What a box is; the palette has one colour (and one pattern or mark) for each. */
typedef enum
{
  WP_BOX_RUN,
  WP_BOX_SLEEP,
  WP_BOX_BOTH,    /* a frame that calls both what runs and what sleeps */
  WP_BOX_PROCESS, /* a process name */
  WP_BOX_DISK,
  WP_BOX_QUEUE,
  WP_BOX_NET,
  WP_BOX_OTHER_PATH,
  WP_BOX_INTERRUPT,
  WP_BOX_RUNNABLE, /* waits for a CPU */
  WP_BOX_UNKNOWN,  /* events were lost */
  WP_BOX_KIND_COUNT
} WpBoxKind;

/* What the `ref` of a box or row is. */
typedef enum
{
  WP_REF_NONE,
  WP_REF_OP,   /* id of the trace */
  WP_REF_PART, /* id of the paths */
  WP_REF_NODE, /* id of the call tree */
  WP_REF_TASK,
  WP_REF_PATH,
} WpRefKind;

/* Boxes of a row are sorted by start and do not overlap. */
typedef struct
{
  gint64 start, end; /* ns since the start of the recording; in the consolidated view ns of width */
  WpId label;        /* string of the rows' own table */
  WpId ref;
  guint8 kind;       /* WpBoxKind */
  guint8 ref_kind;   /* WpRefKind */
  guint16 frame;     /* which frame of the ref's stack: 0 = process name, 1 = outermost function, … */
} WpBox;

typedef struct
{
  guint32 first, n; /* its boxes */
  WpId label;       /* name on the left, or 0 */
  WpId ref;         /* the task or path it shows */
  guint8 ref_kind;
  guint8 group;     /* 1: starts a new group or lane: a little space and a line above it */
  guint16 indent;
} WpRow;

/* A line from one row to another: a link. */
typedef struct
{
  gint64 start, end;
  guint32 from_row, to_row;
  WpId link; /* id of the trace's links */
} WpLine;

typedef struct
{
  WpStrings *strings;
  WP_ARRAY (WpBox) boxes; /* row by row */
  WP_ARRAY (WpRow) rows;  /* from top to bottom; a flame view has its roots at the bottom of each lane */
  WP_ARRAY (WpLine) lines; /* sorted by start */
  gint64 start, end;      /* the extent of all boxes */
  gboolean is_time;       /* x is a moment (the axis shows time), else a width (the axis shows durations and shares) */
} WpRows;

WpRows *wp_rows_new (void);
void wp_rows_free (WpRows *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpRows, wp_rows_free)

/* The box of `row` that covers `x`, or G_MAXUINT32. Logarithmic. */
guint32 wp_rows_box_at (const WpRows *self, guint32 row, gint64 x);

/* Which row a box is in. Logarithmic. */
guint32 wp_rows_row_of (const WpRows *self, guint32 box);
