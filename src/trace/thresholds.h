/* Every threshold of the analysis, a row each: its value and unit, where it comes from, what was measured. What only bounds the work that a
 * hostile file can cause stands last, and decides nothing in a recording that somebody made. */
#pragma once

#define WP_US (G_GINT64_CONSTANT (1000))
#define WP_MS (1000 * WP_US)

/* --- reliability.h ----------------------------------------------------------------------------------------------------- */

/* A stretch of a recording is so many switches. Shorter ones are unreliable by chance: on a virtual machine that drops the events of its
 * idle tasks, 18 of 64 switches contradicted another one in a sound recording of make; never more than 24 of 128. */
#define WP_STRETCH_SWITCHES 128
/* … and is unreliable where more than this part of them contradict another one. A missing switch makes two contradictions. Measured, of 128:
 * with 5 % of all events missing 14 (at most 28), with 20 % 58 (28 to 90), with a clock that is 2 ms off 80. */
#define WP_UNRELIABLE_SHARE 4
/* A task that is switched in before its wakeup counts for so many missing switches: sound recordings have no more than one in 128 switches, those
 * with a clock that is 2 ms off up to 20. Where all tasks keep to their CPUs, nothing else tells of clocks. */
#define WP_LATE_WAKEUP_WEIGHT 8

/* --- wakeups: what an event on the same CPU may explain, so long after it --------------------------------------------- */

/* From a device's interrupt to the wakeup that it makes: the method's own bound; not measured. */
#define WP_DEVICE_WINDOW_NS WP_MS
/* From a request's completion to the wakeup of whoever waits: microseconds in 26,406 of 26,406 measured. */
#define WP_COMPLETION_WINDOW_NS WP_MS
/* From data that arrive on a socket to the wakeup: as for a completion. Longer only where nothing else is there in between. Not measured. */
#define WP_RECEIVE_WINDOW_NS WP_MS
/* … on a Unix socket, where both happen within one call. Not measured; recording a wakeup costs 20 to 60 µs on our machines. */
#define WP_UNIX_WINDOW_NS (50 * WP_US)
/* From a wakeup to the event that reports the signal that made it: the kernel's next step, but for what recording the wakeup costs. Measured
 * on a slow virtual machine: 35 to 49 µs of nearly all, 123 at most; signals that were not meant came 415 µs after it and later. */
#define WP_SIGNAL_WINDOW_NS (200 * WP_US)
/* A wakeup by another CPU may come so long before the switch-out that it ends: from the moment when a task has decided to sleep until it has
 * left its CPU, which recording makes longer by 20 to 60 µs. */
#define WP_EARLY_WAKEUP_NS (100 * WP_US)

/* --- samples ------------------------------------------------------------------------------------------------------------ */

/* A sample belongs to a run that ended so long before it: the timer's interrupt is taken at the end of a switch. Given by the method's
 * rules. */
#define WP_LATE_SAMPLE_NS (20 * WP_US)

/* --- network ------------------------------------------------------------------------------------------------------------ */

/* From looking up a route to what arrives by it, over loopback and so within one call. Not measured. */
#define WP_ROUTE_WINDOW_NS (100 * WP_US)
/* … to the end of the send that asked for it, where the thread was off its CPU in between. Not measured. */
#define WP_SEND_WINDOW_NS WP_MS

/* --- disk --------------------------------------------------------------------------------------------------------------- */

/* From a page that comes into the cache, or a read past it, to the request. Not measured: it has to wait for a free request at times. */
#define WP_READ_WINDOW_NS (20 * WP_MS)
/* No request is under way for longer, so that one which ends unseen in the first second may have begun before the recording. Not measured. */
#define WP_OLD_REQUEST_NS (1000 * WP_MS)
/* The clock of a file system may be so slow, when it says when a file was made: a tick of the slowest kernels. */
#define WP_SLOW_CLOCK_NS (10 * WP_MS)

/* --- control paths ------------------------------------------------------------------------------------------------------- */

/* A part may reach so far over the edge of what it stands on; the old program had 1 ms, and with 0 healthy exchanges fall apart. */
#define WP_GRACE_DEFAULT (100 * WP_US)
/* Runs shorter than this between timed-out sleeps with one stack do not end a wait. Given by the method's rules. */
#define WP_SHORT_RUN_NS (100 * WP_US)

/* --- bounds of the work ------------------------------------------------------------------------------------------------------ */

#define WP_TIME_MAX (G_GINT64_CONSTANT (1) << 51) /* ns: no recording lasts longer than 26 days, so that sums of times do not overflow */
#define WP_ASKED_MAX 4096     /* nobody waits for a request that he asked for so many others after */
#define WP_FLUSHES_MAX 128    /* under way on one device */
#define WP_ASKING_MAX 128     /* of those who asked for a flush, so many are looked at */
#define WP_HELD_BACK_MAX 1024 /* samples that the kernel holds back up to its next tick */
#define WP_HELD_BACK_SHARE 16 /* … in all, so many times those that were taken */
