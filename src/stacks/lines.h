/* What functions took by line of their source, and by address of their code.
 *
 * As pprof's -list counts: `flat` is of samples whose innermost frame is on that line; `cum` of those that have it anywhere, once each. */
#pragma once

#include "stacks/graph.h"

typedef struct
{
  gint64 line; /* 0 or less: not known */
  WpGraphValue flat, cum;
} WpLineValue;

/* A function in one of its source files. */
typedef struct
{
  WpId name, file;              /* file 0: not known */
  WpGraphValue flat, cum;       /* of all its lines: each sample once, as in a graph of functions */
  gint64 start, end;            /* from 1 on: what of the file there is to see, from the function's first line where that is known, and some more lines */
  WP_ARRAY (WpLineValue) lines; /* plain list, by line; not empty */
} WpRoutine;

typedef struct
{
  WP_ARRAY (WpRoutine) routines; /* plain list, by name, then by file */
  gint64 total;                  /* of all samples, as in a graph */
} WpRoutines;

/* Which functions, and which of their values. */
typedef struct
{
  const char *name;      /* the function that is shown by this name; NULL: those that match */
  const GRegex *pattern;
  guint32 type;          /* of values */
  gboolean mean;         /* the type's values are divided by those of the first type */
  gboolean without_inlined;
} WpRoutineOptions;

/* A byte for each function: whether it is one of these. Free with g_free(). */
guint8 *wp_routine_functions (const WpStacks *stacks, const WpRoutineOptions *options);

/* NULL where it was cancelled. There may be none. */
WpRoutines *wp_routines_new (const WpStacks *stacks, const WpRoutineOptions *options, WpProgress *progress, GError **error);
void wp_routines_free (WpRoutines *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpRoutines, wp_routines_free)

/* The row of a line, or NULL: nothing was spent there. */
const WpLineValue *wp_routine_line (const WpRoutine *self, gint64 line);

/* What was spent at an address where such a function is, itself or inlined: by all that is there, whichever function it belongs to. */
typedef struct
{
  WpId module;
  guint64 address;
  WpGraphValue flat, cum;
} WpAddressValue;

typedef WP_ARRAY (WpAddressValue) WpAddressValues;

/* Adds them, by module, then by address. FALSE where it was cancelled. */
gboolean wp_address_values (const WpStacks *stacks, const WpRoutineOptions *options, WpAddressValues *values, WpProgress *progress,
                            GError **error);
