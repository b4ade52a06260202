/* Folded stacks: "main;work;read 12", a line for each stack, outermost first. https://github.com/brendangregg/FlameGraph has the tools that began it.
 *
 * Without a number a line counts once; a second number is that of another profile, which difffolded.pl puts behind the first: all lines with numbers
 * have two then, else the one before the last is part of a name. Names may end with "_[k]" (the kernel's), "_[j]" (compiled at run time) or "_[i]"
 * (inlined in the one before). Where a value has decimals, as flamegraph.pl takes them and "convert PROFILE flame" prints them, all are millionths. */
#pragma once

#include "base/input.h"
#include "stacks/stacks.h"

gboolean wp_folded_is (const guint8 *data, gsize n);
WpStacks *wp_folded_read (const char *path, const WpInput *input, WpProgress *progress, GError **error);

/* The default type's values; a line for each stack, sorted by its text. What would end a name, “;” and line ends, becomes “:” and a blank. */
gboolean wp_folded_write (const WpStacks *stacks, int fd, WpProgress *progress, GError **error);
