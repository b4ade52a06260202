/* Rows of boxes: the one picture model. The Process Running View, the Flame View, the Consolidated Flame View and the
 * minimap are all rows of boxes; one fold turns them and a viewport into what is visible, one painter paints that. */
#pragma once

#include "base/array.h"
#include "base/intern.h"
#include "base/unit.h"
#include "stacks/hidden.h"

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
  WP_BOX_UNKNOWN,  /* events were lost, or recording was paused */

  /* of stacks with values: whose code it is */
  WP_BOX_PROGRAM,
  WP_BOX_LIBRARY,
  WP_BOX_KERNEL,
  WP_BOX_LABEL, /* of no code: the value of a label */

  /* of a comparison: how B differs from A */
  WP_BOX_NEW,
  WP_BOX_MUCH_MORE,
  WP_BOX_MORE,
  WP_BOX_SAME,
  WP_BOX_LESS,
  WP_BOX_MUCH_LESS,
  WP_BOX_VANISHED,
  WP_BOX_KIND_COUNT
} WpBoxKind;

/* What the `ref` of a box or row is. */
typedef enum
{
  WP_REF_NONE,
  WP_REF_OP,   /* id of the trace */
  WP_REF_PART, /* id of the paths */
  WP_REF_NODE, /* id of the call tree, or of a comparison's nodes */
  WP_REF_CALLER, /* id of a tree of callers */
  WP_REF_FRAME,  /* row of the names of frames */
  WP_REF_TASK,
  WP_REF_PATH,
} WpRefKind;

/* Colours of processes, for pictures of one process of interest and those that it waited for (view/bodies.h), or of modules (view/module-hues.h): hues are from
 * WP_BODY_FIRST to before WP_BODY_COUNT, the last one of modules alone. */
enum
{
  WP_BODY_NONE,    /* nobody's: of a device, of a picture that has no processes */
  WP_BODY_NEUTRAL, /* threads of the kernel, and what several processes share */
  WP_BODY_FIRST,
  WP_BODY_OF_MODULE = WP_BODY_FIRST + 7,
  WP_BODY_COUNT
};

/* What stands on the frames of a sleep, and says what it waited for. */
#define WP_FRAME_OF_TOP G_MAXUINT16

/* Boxes of a row are sorted by start and do not overlap. */
typedef struct
{
  gint64 start, end; /* ns since the start of the recording; in the consolidated view ns of width */
  WpId label;        /* string of the rows' own table */
  WpId ref;
  guint8 kind : 5;   /* WpBoxKind */
  guint8 code : 2;   /* whose code it is, for pictures that are coloured by that: 0 nobody's, 1 the program's, 2 a library's, 3 the kernel's */
  guint8 ghost : 1;  /* 1: work that is drawn in a lane of its own, and here again: pale, found and counted only there */
  guint8 ref_kind : 3; /* WpRefKind */
  guint8 body : 4;   /* WP_BODY_*: whose it is, for pictures that are coloured by process; or by module (WpRows.by_module) */
  guint8 pale : 1;   /* … and 1: the kernel works or waits there for that process */
  guint16 frame;     /* which frame of the ref's stack: 0 = process name, 1 = outermost function, …; WP_FRAME_OF_TOP: none of it */
  guint32 hidden;    /* what the depth hides in it: the first of the rows' `hidden`, or 0 */
} WpBox;

/* What it is where colours say whose code runs or sleeps. */
static inline WpBoxKind
wp_box_code_kind (const WpBox *self)
{
  return self->code != 0 && (self->kind == WP_BOX_RUN || self->kind == WP_BOX_SLEEP || self->kind == WP_BOX_BOTH) ? WP_BOX_PROGRAM + self->code - 1
                                                                                                              : self->kind;
}

/* Whether other rows stand under a row that can be folded away; closed, it shows what they would. */
typedef enum
{
  WP_FOLD_NONE,
  WP_FOLD_OPEN,
  WP_FOLD_CLOSED,
} WpFold;

/* Keys of rows that fold and are no process. */
enum
{
  WP_FOLD_OTHERS = -1,   /* what has nothing to do with the recorded command */
  WP_FOLD_SLEEPERS = -2, /* who slept all the time */
};

typedef struct
{
  guint32 first, n; /* its boxes */
  WpId label;       /* name on the left, or 0 */
  WpId ref;         /* the task or path it shows */
  guint8 ref_kind;
  guint8 group;     /* 1: starts a new group or lane: a little space and a line above it */
  guint8 indent;
  guint8 fold;      /* WpFold */
  guint8 pinned;    /* 1: it was put at the top */
  gint32 key;       /* of a process its number; or WP_FOLD_OTHERS …; 0: none */
} WpRow;

/* A line from one row to another: a link. */
typedef struct
{
  gint64 start, end;
  guint32 from_row, to_row;
  WpId link;      /* id of the trace's links */
  gboolean quiet; /* drawn only where it is at least a few pixels long */
} WpLine;

/* A stretch of time in which the function that a row's box shows was pushed off its CPU: it went on after it. */
typedef struct
{
  gint64 start, end;
  guint32 row;
} WpNotch;

/* A process, or a module, whose boxes have a colour. */
typedef struct
{
  WpId label;
  guint8 body;
} WpNamedBody;

/* The longest of several boxes. Its length stands beside it: boxes lie far from each other. */
typedef struct
{
  gint64 length;
  guint32 box;
} WpLongest;

#define WP_LINE_BLOCK 256
#define WP_LENGTH_BLOCK 16

/* Where a box is, in so few bytes that a picture of very many boxes reads little. WP_BRIEF_MOST: it is more than that; the box tells. */
#define WP_BRIEF_BLOCK 16
#define WP_BRIEF_MOST 0x7fffffffu
typedef struct
{
  guint32 offset;      /* its start since that of its block */
  guint32 length : 31;
  guint32 runs : 1;    /* it is a WP_BOX_RUN */
} WpBrief;

/* How long boxes are together, ns. */
typedef struct
{
  gint64 running, other; /* of WP_BOX_RUN; of all others */
} WpLengths;

typedef struct
{
  WpStrings *strings;
  WP_ARRAY (WpBox) boxes; /* row by row */
  WP_ARRAY (WpRow) rows;  /* from top to bottom; a flame view has its roots at the bottom of each lane */
  WP_ARRAY (WpLine) lines; /* sorted by start */
  WP_ARRAY (WpNotch) notches; /* sorted by row, then start; those of one row do not overlap */
  WpHiddenArray hidden;   /* of boxes; row 0 is empty */
  WP_ARRAY (WpNamedBody) bodies; /* for the legend: by first use; empty: no box has a body */
  gint64 start, end;      /* the extent of all boxes, or more: of what they stand beside */
  gint64 all;             /* what shares are of, where the extent is more; else 0 */
  guint32 home;           /* the row to have in sight at first: a flame view's roots */
  WpUnit x_unit;          /* ns, unless a profile counts in something else */
  gboolean shaded;        /* a pixel is as pale as little of it is covered: of rows that say who was busy when */
  gboolean by_module;     /* colours of boxes are those of modules, not of processes */
  gboolean plain;         /* the boxes' kinds say nothing here: no legend */
  double scale;           /* so many of x are one of that unit; 0 is 1 */
  gboolean is_time;       /* x is a moment (the axis shows time), else a width (the axis shows durations and shares) */
  gboolean of_recording;  /* … of a recording: 0 is its start, and the axis of all its views counts from the same moment; else it counts from `start` */

  /* What wp_rows_finish() works out. */
  WpIdArray groups;       /* the rows that start a group, from top to bottom */
  WP_ARRAY (WpLongest) longest[7]; /* level k: the longest box of each 16^(k+1) boxes; ends with a level of at most 16 */
  WP_ARRAY (gint64) starts;      /* of each WP_BRIEF_BLOCK boxes: when the first one starts */
  WP_ARRAY (WpBrief) briefs;     /* by box */
  WP_ARRAY (WpLengths) lengths; /* entry k: of the first k blocks of WP_LENGTH_BLOCK boxes; empty unless shaded */
  WP_ARRAY (gint64) lines_until; /* of each WP_LINE_BLOCK lines: the latest end */
  guint32 kinds;          /* bit k: some box is of WpBoxKind k */
  guint32 seen_bodies;    /* bit b: some box has body b */
  guint32 body_kinds;     /* the same of boxes that are somebody's */
  guint32 code_kinds;     /* what kinds there are of wp_box_code_kind() */
  guint64 fingerprint;    /* tells these boxes from others */
  gboolean folds;         /* some row does */
  gboolean pale;          /* some box is */
  gboolean finished;
} WpRows;

WpRows *wp_rows_new (void);

/* Sorts the lines, computes the extent (unless start < end are set already) and the indexes. Call once when all rows,
 * boxes and lines are there; the rows do not change after it. */
void wp_rows_finish (WpRows *self);
void wp_rows_free (WpRows *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpRows, wp_rows_free)

static inline gint64
wp_rows_start_of (const WpRows *self, guint32 box)
{
  guint32 offset = self->briefs.data[box].offset;

  return offset != WP_BRIEF_MOST ? self->starts.data[box / WP_BRIEF_BLOCK] + offset : self->boxes.data[box].start;
}

static inline gint64
wp_rows_length_of (const WpRows *self, guint32 box)
{
  guint32 length = self->briefs.data[box].length;

  return length != WP_BRIEF_MOST ? length : self->boxes.data[box].end - self->boxes.data[box].start;
}

/* The box of `row` that covers `x`, or G_MAXUINT32. Logarithmic. */
guint32 wp_rows_box_at (const WpRows *self, guint32 row, gint64 x);

/* Which row a box is in; G_MAXUINT32 if in none. Logarithmic. */
guint32 wp_rows_row_of (const WpRows *self, guint32 box);

/* The longest of `n` boxes from `first` on, the first of them when several are. n > 0. Logarithmic. */
WpLongest wp_rows_longest (const WpRows *self, guint32 first, guint32 n);

/* How long `n` boxes from `first` on are together; of shaded rows only. Constant. */
WpLengths wp_rows_lengths (const WpRows *self, guint32 first, guint32 n);

static inline gint64
wp_rows_all (const WpRows *self)
{
  return self->all > 0 ? self->all : self->end - self->start;
}

static inline const char *
wp_rows_string (const WpRows *self, WpId label)
{
  return wp_strings_get (self->strings, label);
}

/* How layouts fill rows in any order: boxes with the number of their row. wp_gather_finish() puts them in order, and
 * where two boxes of a row overlap it cuts the start of the later one (what is covered entirely goes). */
typedef struct
{
  WP_ARRAY (WpBox) boxes;
  WP_ARRAY (guint32) rows;
} WpGather;

static inline void
wp_gather_add (WpGather *self, guint32 row, const WpBox *box)
{
  wp_array_push (&self->boxes, *box);
  wp_array_push (&self->rows, row);
}

/* Moves the boxes into rows->boxes, whose rows exist already; clears the gather. */
void wp_gather_finish (WpGather *self, WpRows *rows);
