/* Chrome's trace events, as its tracing, Node and many other programs write them; and its CPU profiles (.cpuprofile).
 * https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU tells of the events.
 *
 * Events with a duration (X, B with E) of one thread are nested in one another and become stacks, what is spent in each a sample. Samples of a
 * profiler (P with ProfileChunk) are samples of a thread of their own. Other events are not read. Times are in nanoseconds. */
#pragma once

#include "base/input.h"
#include "stacks/stacks.h"

gboolean wp_chrome_is (const guint8 *data, gsize n);

/* An array of events that was not closed, as of a program that was killed, is read as far as it goes. */
WpStacks *wp_chrome_read (const char *path, const WpInput *input, WpProgress *progress, GError **error);

/* The default type's values: the frames of each thread's stacks as events (X), as long as samples last. Those without moments are laid one after
 * another; what is no time lasts a microsecond for each of its units. Differences are refused. */
gboolean wp_chrome_write (const WpStacks *stacks, int fd, WpProgress *progress, GError **error);
