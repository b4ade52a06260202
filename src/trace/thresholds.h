/* Every limit of the analysis that was measured rather than known, a row each: value, unit, where it comes from. */
#pragma once

/* A stretch of a recording is so many switches. Shorter ones are unreliable by chance: on a virtual machine that drops the events of its
 * idle tasks, 18 of 64 switches contradicted another one in a sound recording of make; never more than 24 of 128. */
#define WP_STRETCH_SWITCHES 128
/* … and is unreliable where more than this part of them contradict another one. A missing switch makes two contradictions. Measured, of 128:
 * with 5 % of all events missing 14 (at most 28), with 20 % 58 (28 to 90), with a clock that is 2 ms off 80. */
#define WP_UNRELIABLE_SHARE 4
/* A task that is switched in before its wakeup counts for so many missing switches: sound recordings have no more than one in 128 switches, those
 * with a clock that is 2 ms off up to 20. Where all tasks keep to their CPUs, nothing else tells of clocks. */
#define WP_LATE_WAKEUP_WEIGHT 8
