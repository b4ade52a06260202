/* Resources in groups, as the bars and flow views draw them: a column of the table divided by others and made one number each. */
#pragma once

#include "profile/model/resource-table.h"

typedef enum
{
  WP_GROUP_SUM,
  WP_GROUP_MEAN,
  WP_GROUP_COUNT,
  WP_GROUP_NUNIQUE,
  WP_GROUP_MEDIAN,
  WP_GROUP_MIN,
  WP_GROUP_MAX,
  WP_N_GROUP_FUNCS,
} WpGroupFunc;

const char *wp_group_func_id (WpGroupFunc func);                   /* "sum", … */
gboolean wp_group_func_find (const char *id, WpGroupFunc *func);   /* FALSE: there is none of that name */

typedef struct
{
  WpValue per, by; /* by is per when both are the same column */
  double value;    /* NaN: no number in the group */
} WpBar;

typedef WP_ARRAY (WpBar) WpBarArray;

/* The `of` of all resources with the same `per` and the same `by`, sorted by per, then by. Numbers sort before texts; resources
 * that have no `per` or no `by` are left out. FALSE and an error when a column is missing or has no numbers. */
gboolean wp_bars (const WpResourceTable *table, WpGroupFunc func, const char *of, const char *per, const char *by, WpBarArray *bars,
                  GError **error);

/* One line of a flow: how `of` goes on along the whole numbers of `through`. */
typedef struct
{
  WpValue by;
  WP_ARRAY (double) at; /* at[i] belongs to first + i; 0 where there is no resource */
} WpFlowLine;

typedef struct
{
  gint64 first, last;  /* of `through`, of all lines */
  GArray *lines;       /* WpFlowLine, sorted by `by` */
} WpFlow;

/* `through` must be a column with numbers, whose fractions are cut off; at most a million of them apart, in all lines together. With
 * `accumulate` each value is added to those before. NULL and an error. */
WpFlow *wp_flow_new (const WpResourceTable *table, WpGroupFunc func, const char *of, const char *through, const char *by,
                     gboolean accumulate, GError **error);
void wp_flow_free (WpFlow *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpFlow, wp_flow_free)
