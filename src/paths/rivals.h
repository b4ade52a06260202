/* Who had the CPU while a process was ready and waited for it: whoever ran on that CPU then. After a preemption it is the one on which
 * that was; after a wakeup the one on which the task ran next. What was not recorded is nobody. */
#pragma once

#include "paths/meanwhile.h"

/* Adds to `rivals`, most first. `roots` as WpMeanwhile has them: the sleeps of base paths alone count. FALSE only when
 * cancelled. */
gboolean wp_rivals_find (const WpPaths *paths, const WpExplanation *explanation, const WpId *roots, WpHelperArray *rivals,
                         WpProgress *progress, GError **error);

/* The same of one sleep, by the names of tasks. Replaces what is in `rivals`. */
void wp_rivals_of (const WpTrace *trace, WpId sleep, WpHelperArray *rivals);
