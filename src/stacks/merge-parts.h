/* What merging is made of. Private to it. */
#pragma once

#include "stacks/maker.h"

/* --- rows: merge-rows.c ------------------------------------------------------------------------------------------- */

/* A row of the result by what is in it: the row, found by a hash and a comparison. */
typedef struct
{
  guint32 hash;
  guint32 row; /* one more than it is; 0: free */
} WpMergeSlot;

typedef WP_TABLE (WpMergeSlot) WpMergeSlots;

/* Which rows of the result are those of a profile that is added: whatever samples refer to, put there when it is met first. */
typedef struct
{
  WpStacksMaker *maker; /* of the result */
  WpStacks *to;         /* it */
  WpMergeSlots modules, functions, locations;
  GHashTable *comments; /* texts that are among its comments */
  const WpStacks *from; /* the one that is added. Its rows → those of the result, 0: not yet: */
  WpId *text_rows, *module_rows, *function_rows, *location_rows;
  WpId *set_rows;       /* one more than it is */
} WpMergeRows;

void wp_merge_rows_init (WpMergeRows *self, WpStacksMaker *maker);
void wp_merge_rows_begin (WpMergeRows *self, const WpStacks *from); /* after the one before was ended */
void wp_merge_rows_end (WpMergeRows *self);
void wp_merge_rows_clear (WpMergeRows *self);

WpId wp_merge_text (WpMergeRows *self, WpId text);
WpId wp_merge_module (WpMergeRows *self, WpId module);
WpId wp_merge_location (WpMergeRows *self, WpId location);
WpId wp_merge_labels (WpMergeRows *self, WpId set, gboolean of_base); /* of_base: with WP_LABEL_BASE */

/* --- what is said of all samples: merge-header.c -------------------------------------------------------------------- */

int wp_merge_type_named (const WpStacks *stacks, const char *name); /* −1: none */
const char *wp_merge_unit_of (const WpStacks *stacks, const char *type);

/* The types that all have, each in its finest unit. FALSE and an error where units do not fit, or there is none. */
gboolean wp_merge_types (WpStacksMaker *maker, WpStacks *const *profiles, guint n, GError **error);

/* Adds the header and the comments of `rows->from`. */
gboolean wp_merge_header (WpMergeRows *rows, gboolean is_first, GError **error);
