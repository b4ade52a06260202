/* Makes a WpStacks: rows are pushed to its tables, stacks and sets of labels found or added, samples added; then it is taken as it is. */
#pragma once

#include "base/table.h"
#include "stacks/stacks.h"

typedef struct
{
  guint32 hash; /* of the prefix and the run */
  WpId node;
} WpNodeSlot;

typedef struct
{
  WpStacks *stacks;             /* being made; row 0 of every table is there */
  WP_TABLE (WpNodeSlot) nodes;  /* of stacks, by prefix and run */
  WP_TABLE (WpId) sets;         /* of labels, by what is in them */
  WP_ARRAY (WpLabel) label_row; /* of the sample that comes next */
} WpStacksMaker;

void wp_stacks_maker_init (WpStacksMaker *self);

/* Gives what was made, and frees the rest. */
WpStacks *wp_stacks_maker_take (WpStacksMaker *self);
void wp_stacks_maker_clear (WpStacksMaker *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpStacksMaker, wp_stacks_maker_clear)

void wp_stacks_maker_type (WpStacksMaker *self, WpId type, WpId unit); /* before the first sample */

/* Before the first sample: there will be so many. */
void wp_stacks_maker_reserve (WpStacksMaker *self, guint64 samples);

/* The stack with n locations on top of another one, outermost first. Equal calls give the same one. */
WpId wp_stacks_maker_stack (WpStacksMaker *self, WpId prefix, const WpId *locations, guint32 n);

/* A label of the sample that comes next. */
void wp_stacks_maker_label (WpStacksMaker *self, WpId key, WpId text);
void wp_stacks_maker_number (WpStacksMaker *self, WpId key, gint64 number, WpId unit);

/* The set of the labels that were given since the last one. */
WpId wp_stacks_maker_label_set (WpStacksMaker *self);

/* A sample with the labels that were given since the last one, and as many values as there are types. */
void wp_stacks_maker_sample (WpStacksMaker *self, WpId stack, const gint64 *values);
