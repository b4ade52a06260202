/* What of a call graph is shown, and in which order. */
#pragma once

#include "calls/calls.h"

typedef enum
{
  WP_CALLS_TOPOLOGICAL, /* callers first */
  WP_CALLS_BY_SELF,
  WP_CALLS_BY_TOTAL,
} WpCallsOrder;

/* A share, exact: 1/100. whole 0: there is no limit, which counts as 0. */
typedef struct
{
  gint64 part, whole;
} WpCallsLimit;

typedef struct
{
  WpCallsOrder order;
  WpCallsLimit hide_self, hide_subs;
  guint truncate; /* characters that the text has for a name and its source; 0: as many as they take */
} WpCallsShowOptions;

#define WP_CALLS_SHOW_DEFAULT { .hide_self = { 1, 100 }, .hide_subs = { 2, 100 }, .truncate = 50 }

/* A node is hidden if its self time is at most hide_self of the whole, and no call at either of its ends is more than hide_subs of what stands at
 * the other. With both limits at 0 nothing is hidden. */
typedef struct
{
  WpIdArray nodes;  /* that are shown, in this order; never node 0 */
  guint32 *numbers; /* node → its number from 1 in that list; 0: it is hidden */
} WpCallsShown;

void wp_calls_show (const WpCalls *calls, const WpCallsShowOptions *options, WpCallsShown *shown);
void wp_calls_shown_clear (WpCallsShown *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpCallsShown, wp_calls_shown_clear)

static inline guint32
wp_calls_n_hidden (const WpCalls *calls, const WpCallsShown *shown)
{
  return calls->nodes.len - 1 - shown->nodes.len;
}
