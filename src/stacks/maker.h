/* Makes a WpStacks: rows are pushed to its tables, stacks and sets of labels found or added, samples added; then it is taken as it is. */
#pragma once

#include "base/table.h"
#include "stacks/stacks.h"

typedef struct
{
  WpId location, stack; /* the stack up to this location */
} WpStackStep;

typedef struct
{
  WpStacks *stacks;             /* being made; row 0 of every table is there */
  WP_TABLE (WpId) nodes;        /* of stacks, by prefix and location */
  WP_TABLE (WpId) sets;         /* of labels, by what is in them */
  WP_ARRAY (WpLabel) label_row; /* of the sample that comes next */
  WP_ARRAY (WpStackStep) last;  /* the stack that was asked for last, outermost first */
} WpStacksMaker;

void wp_stacks_maker_init (WpStacksMaker *self);

/* Gives what was made, and frees the rest. */
WpStacks *wp_stacks_maker_take (WpStacksMaker *self);
void wp_stacks_maker_clear (WpStacksMaker *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpStacksMaker, wp_stacks_maker_clear)

void wp_stacks_maker_type (WpStacksMaker *self, WpId type, WpId unit); /* before the first sample */

/* The stack with a location on top of another one. */
WpId wp_stacks_maker_push (WpStacksMaker *self, WpId prefix, WpId location);

/* The stack of n locations, innermost first. Neighbours that begin alike cost little. */
WpId wp_stacks_maker_stack (WpStacksMaker *self, const WpId *locations, guint32 n);

/* A label of the sample that comes next. */
void wp_stacks_maker_label (WpStacksMaker *self, WpId key, WpId text);
void wp_stacks_maker_number (WpStacksMaker *self, WpId key, gint64 number, WpId unit);

/* The set of the labels that were given since the last one. */
WpId wp_stacks_maker_label_set (WpStacksMaker *self);

/* A sample with the labels that were given since the last one, and as many values as there are types. */
void wp_stacks_maker_sample (WpStacksMaker *self, WpId stack, const gint64 *values);
