/* Makes a WpStacks: rows are pushed to its tables, stacks and sets of labels found or added, samples added; then it is taken as it is. */
#pragma once

#include "base/table.h"
#include "stacks/stacks.h"

typedef struct
{
  guint32 hash; /* of the prefix and the run */
  WpId node;
} WpNodeSlot;

typedef WP_ARRAY (guint16) WpNarrowIds;

/* A run that is looked for: of two bytes a location where that is enough, whatever those have that are there. */
typedef struct
{
  const guint16 *narrow; /* one of both is NULL */
  const WpId *wide;
  guint32 n;
} WpRun;

/* Memory is slow where tables are large: what the table says of a stack is fetched while the next ones come. */
#define WP_STACKS_AHEAD 16

typedef struct
{
  WpRun run;
  WpNarrowIds narrow; /* room for it */
  WpIdArray wide;
  guint32 hash;
  WpIdArray *out; /* its stack goes to this place */
  guint32 at;
} WpStackAhead;

typedef struct
{
  WpStacks *stacks;             /* being made; row 0 of every table is there */
  WP_TABLE (WpNodeSlot) nodes;  /* of stacks, by prefix and run */
  WpNarrowIds narrow;           /* the run at hand */
  WpStackAhead ahead[WP_STACKS_AHEAD]; /* a ring, of numbers n_found … n_ahead − 1 */
  guint64 n_ahead, n_found;
  WP_TABLE (WpId) sets;         /* of labels, by what is in them */
  WP_ARRAY (WpLabel) label_row; /* of the sample that comes next */
} WpStacksMaker;

void wp_stacks_maker_init (WpStacksMaker *self);

/* Types that no sample has a value of, and that shall not be there. Of none, the type `otherwise` stays. Before it is taken. */
void wp_stacks_maker_drop_types (WpStacksMaker *self, const gboolean *has, guint32 otherwise);

/* Gives what was made, and frees the rest. */
WpStacks *wp_stacks_maker_take (WpStacksMaker *self);
void wp_stacks_maker_clear (WpStacksMaker *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpStacksMaker, wp_stacks_maker_clear)

void wp_stacks_maker_type (WpStacksMaker *self, WpId type, WpId unit); /* before the first sample */

/* Before the first sample: there will be so many. */
void wp_stacks_maker_reserve (WpStacksMaker *self, guint64 samples);

/* The stack with n locations on top of another one, outermost first. Equal calls give the same one. */
WpId wp_stacks_maker_stack (WpStacksMaker *self, WpId prefix, const WpId *locations, guint32 n);

/* The same for a whole stack, of which the number is not needed now: it is at this place of `out`, which holds so many, once
 * wp_stacks_maker_catch_up() was called. */
void wp_stacks_maker_stack_ahead (WpStacksMaker *self, const WpId *locations, guint32 n, WpIdArray *out, guint32 at);
void wp_stacks_maker_catch_up (WpStacksMaker *self);

/* A label of the sample that comes next. */
void wp_stacks_maker_label (WpStacksMaker *self, WpId key, WpId text);
void wp_stacks_maker_number (WpStacksMaker *self, WpId key, gint64 number, WpId unit);

/* The set of the labels that were given since the last one. */
WpId wp_stacks_maker_label_set (WpStacksMaker *self);

/* A sample with the labels that were given since the last one, and as many values as there are types. */
void wp_stacks_maker_sample (WpStacksMaker *self, WpId stack, const gint64 *values);
void wp_stacks_maker_whole_sample (WpStacksMaker *self, const WpId *locations, guint32 n, const gint64 *values); /* with its stack, outermost first */
