/* Stacks by the names of their functions and modules, so that those of several recordings can be told to be the same: a comparison says with them what
 * its boxes hide, and is told with them what of that is to be shown. Callers come first. */
#pragma once

#include "base/pair-map.h"
#include "trace/trace.h"

typedef struct
{
  WpId parent;   /* the stack of the caller; 0 below the outermost frame */
  WpId function; /* row of `functions` */
  guint8 opened; /* bits of whoever opened what it hides, for WpCompareOptions; 0: nobody */
} WpNamedStack;

typedef struct
{
  WpId name, module; /* strings; as comparisons match frames (wp_compared_function()) */
} WpNamedFunction;

typedef struct
{
  WpStrings *strings;
  WP_ARRAY (WpNamedFunction) functions; /* row 0 is empty */
  WP_ARRAY (WpNamedStack) stacks;       /* row 0 is empty */

  /* private */
  WpPairMap function_ids, stack_ids;
} WpNamedStacks;

WpNamedStacks *wp_named_stacks_new (void);
void wp_named_stacks_free (WpNamedStacks *self); /* NULL is fine */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpNamedStacks, wp_named_stacks_free)

WpId wp_named_stacks_add (WpNamedStacks *self, WpId parent, const char *name, const char *module);

/* A stack of another table, with its callers. Returns what it is here. */
WpId wp_named_stacks_add_from (WpNamedStacks *self, const WpNamedStacks *other, WpId stack);

/* By stack of a trace: what it is here, 0 where it is not; free with g_free(). The first adds those that are marked in `wanted`, with their callers, the
 * second only looks. */
WpId *wp_named_stacks_take (WpNamedStacks *self, const WpTrace *trace, guint8 *wanted);
WpId *wp_named_stacks_find (const WpNamedStacks *self, const WpTrace *trace);

/* What a function and its module are called where profiles are compared: addresses and process numbers stay out of it. `module`: in place of its own,
 * where frames without names are one. */
void wp_compared_function (const WpTrace *trace, WpId function, WpId module, const char **name, const char **module_name);
