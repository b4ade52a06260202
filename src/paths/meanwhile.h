/* Who works while a process waits: what stands on its sleeps, and where those wait for another control path, what goes on there at that time. Example:
 * a client waits for a proxy, whose request to a server has a lane of its own: meanwhile the server runs.
 *
 * Each nanosecond of such a sleep counts once for each path that works then, so that the helpers of one sleep may add up to more than it lasts. */
#pragma once

#include "paths/explain.h"
#include "paths/wait-words.h"

typedef struct
{
  WpId who;   /* string of the trace: the task's or process' name, as boxes have it */
  WpId words; /* string of the words; 0: it runs */
  gint64 ns;
  gint64 longest; /* ns, the longest stretch of it */
  WpId op;        /* … which that is of */
} WpHelper;
typedef WP_ARRAY (WpHelper) WpHelperArray;

void wp_helper_add (WpHelper *self, WpId op, gint64 ns, guint32 times); /* a stretch of that operation, which helps so many waits */
void wp_helpers_sort (WpHelperArray *self);                             /* most first */

/* What is asked; nothing of it is owned. */
typedef struct
{
  const WpPaths *paths;
  const WpExplanation *explanation; /* of these paths */
  WpWaitWords *words;               /* what helpers do is added to its strings */
  const WpId *roots;                /* part → the sleep of a base path that it stands on, or that itself; 0: none */
  const guint32 *set_of_part;       /* of such a sleep: whose helpers it counts to, from 1; 0: nobody asks */
  guint n_sets;
} WpMeanwhile;

/* Fills `helpers`, one array for each set, most first. FALSE only when cancelled. */
gboolean wp_meanwhile_find (const WpMeanwhile *self, WpHelperArray *helpers, WpProgress *progress, GError **error);
