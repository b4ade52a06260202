/* Stacks with values: what every profile holds that is not a trace. Samples point to stacks, stacks are made of locations, locations of lines of
 * functions; every sample has a value of each type, and labels.
 *
 * Tables are columns of plain rows that refer to each other by ids; row 0 is none. Ids of texts are those of `strings`. A WpStacks never
 * changes once it is made. What is made from another one by leaving out samples shares its tables, which are counted references. */
#pragma once

#include "base/intern.h"

typedef struct
{
  WpId type, unit; /* "cpu", "nanoseconds" */
} WpValueType;

/* A file that was mapped: addresses `start` … `limit` are the file's bytes from `offset` on. */
typedef struct
{
  guint64 start, limit, offset;
  WpId file, build_id;
  guint8 has; /* WpModuleHas: what is known of all its locations */
} WpStackModule;

typedef enum
{
  WP_MODULE_HAS_FUNCTIONS = 1 << 0,
  WP_MODULE_HAS_FILES = 1 << 1,
  WP_MODULE_HAS_LINES = 1 << 2,
  WP_MODULE_HAS_INLINED = 1 << 3,
} WpModuleHas;

typedef struct
{
  WpId name, system_name, file; /* system_name: as the linker knows it, mangled */
  gint64 start_line;            /* of the function; 0: not known */
} WpStackFunction;

typedef struct
{
  WpId function;
  gint64 line, column; /* 0: not known */
} WpStackLine;

/* What a location is of: code, or by a filter the value of a label. */
typedef enum
{
  WP_LOCATION_OF_CODE,
  WP_LOCATION_OF_PROCESS, /* of the label of that name */
  WP_LOCATION_OF_LABEL,
} WpLocationOf;

/* A place in code. It has several lines where functions are inlined, innermost first; none where nothing but the address is known. */
typedef struct
{
  guint64 address;
  WpId module;
  guint32 first_line, n_lines; /* in `lines` */
  guint8 folded; /* gboolean: the linker made one function of several that are alike: it may be another one */
  guint8 of;     /* WpLocationOf */
} WpLocation;

/* A stack is a run of locations on top of another stack, which has a smaller id; 0 is the empty one. Where a format names whole stacks, each is
 * one run: finding what a million of them have in common takes longer than reading them, and is left to who needs it. wp_frames_stack()
 * puts one together. */
typedef struct
{
  WpId prefix;
  guint32 n;
  guint64 first; /* in the runs, outermost first */
} WpStackNode;

/* Locations of all runs, of which several may overlap: of two bytes each as long as that is enough, which it nearly always is. */
typedef struct
{
  guint16 *narrow; /* one of both is NULL */
  WpId *wide;
  guint64 n, room;
} WpRuns;

/* Which code there is, and which stacks of it. */
typedef struct
{
  WP_ARRAY (WpStackModule) modules; /* the first one is the program's */
  WP_ARRAY (WpStackFunction) functions;
  WP_ARRAY (WpStackLine) lines; /* plain list */
  WP_ARRAY (WpLocation) locations;
  WP_ARRAY (WpStackNode) nodes;
  WpRuns runs;
} WpFrames;

typedef struct
{
  WpId key;
  gboolean is_number;
  WpId text;     /* of a text */
  WpId unit;     /* of a number: as it was written; it may be "" */
  gint64 number;
} WpLabel;

G_STATIC_ASSERT (sizeof (WpLabel) == 24); /* compared as bytes: nothing may be between its members */

typedef struct
{
  guint32 first, n; /* in `labels` */
} WpLabelSet;

/* The labels that samples have: texts before numbers, by key; values of one key in their order. */
typedef struct
{
  WP_ARRAY (WpLabel) labels; /* plain list */
  WP_ARRAY (WpLabelSet) sets; /* no two are equal; 0: no labels */
} WpLabelSets;

typedef WP_ARRAY (gint64) WpNumbers;

typedef struct
{
  WpId name, process;
  gint64 tid, pid; /* 0: not known */
} WpStackThread;

typedef struct
{
  WpValueType period_type;
  gint64 period;
  gint64 time, duration; /* ns since 1970; ns. 0: not known */
  WpId default_type;     /* the name of a value type, which there may not be */
  WpId drop, keep;       /* regular expressions: of functions that are no part of the program, and of those that are though `drop` has them */
  WpId doc_url;
  WpId host;             /* the machine that it is of; 0: not known, or several */
  gboolean of_recording; /* moments are since a recording's start, which other views of it count from, too. Not kept in files */
} WpStacksHeader;

typedef struct WpStacks
{
  WpStrings *strings;
  WpFrames *frames;
  WpLabelSets *labels;

  WP_ARRAY (WpValueType) types; /* plain list */
  guint32 n_samples;
  WpIdArray sample_stacks;      /* sample → stack */
  WpIdArray sample_labels;      /* sample → set of labels */
  WpNumbers *values;            /* type → sample → value */
  WpNumbers moments;            /* sample → ns; empty: samples have no moments */
  WpIdArray sample_threads;     /* sample → thread; empty: not known */
  WP_ARRAY (WpStackThread) threads;

  WpStacksHeader header;
  WpIdArray comments;
} WpStacks;

WpFrames *wp_frames_new (void); /* with row 0 of each table */
WpFrames *wp_frames_ref (WpFrames *self);
void wp_frames_unref (WpFrames *self);
WpLabelSets *wp_label_sets_new (void); /* with set 0 */
WpLabelSets *wp_label_sets_ref (WpLabelSets *self);
void wp_label_sets_unref (WpLabelSets *self);

/* A text as it is shown: valid UTF-8, “␀” for zeros. `changed` is set to a copy where it is not the same, which the caller frees; else to NULL. */
const char *wp_stacks_shown (const WpStacks *self, WpId id, char **changed);
char *wp_stacks_dup_shown (const WpStacks *self, WpId id); /* a copy of it. Free with g_free() */

static inline WpId
wp_runs_get (const WpRuns *self, guint64 at)
{
  return self->narrow != NULL ? self->narrow[at] : self->wide[at];
}

void wp_runs_reserve (WpRuns *self, guint64 n); /* for so many more */

/* Sets `out` to the locations of a stack, innermost first. */
void wp_frames_stack (const WpFrames *self, WpId stack, WpIdArray *out);

/* Turns such a list around. */
void wp_stack_reverse (WpIdArray *stack);

/* Without types and samples. Takes the three references. */
WpStacks *wp_stacks_new (WpStrings *strings, WpFrames *frames, WpLabelSets *labels);

/* With the types, threads, comments and header of another one, and its texts and labels; without samples. Takes the reference to `frames`. */
WpStacks *wp_stacks_new_like (const WpStacks *origin, WpFrames *frames);

WpStacks *wp_stacks_ref (WpStacks *self);
void wp_stacks_unref (WpStacks *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpStacks, wp_stacks_unref)

/* "samples (count)"; "cpu" of times and bytes, whose values all have a unit, and of values without one. Free with g_free(). */
char *wp_stacks_type_shown (const WpStacks *self, guint32 type);

/* How the comment begins that says what a filter left of a profile that was saved; its text form follows. */
#define WP_STACKS_FILTERED "Filtered: "

/* What was run: the first comment, unless that one; NULL: nothing says so. */
const char *wp_stacks_command (const WpStacks *self);

/* The type that is shown first: the default one, else the last. There must be types. */
guint32 wp_stacks_default_type (const WpStacks *self);

/* The type of a name, or of a number in a text; "inuse_space" finds "space", too. -1 and an error that lists them. */
int wp_stacks_find_type (const WpStacks *self, const char *name, GError **error);

static inline const char *
wp_stacks_text (const WpStacks *self, WpId id)
{
  return wp_strings_get (self->strings, id);
}
