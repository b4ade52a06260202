/* Names for profiles that others made and that hold nothing but addresses. */
#pragma once

#include "read/read.h"
#include "stacks/stacks.h"

/* Gives locations without a line those of their functions, inlined ones too, from the files of their modules: where a module has a build id, of
 * that build only. Where files and lines are known, they come with them. The kernel's are those of the one that runs, where it is the same in
 * the same boot, or of the same build id. Symbols come from where those of recordings do (wp_read_symbols()).
 *
 * Gives a new profile, or another reference to this one where there is nothing to name; NULL and an error only when cancelled. `options` and
 * `progress` may be NULL. */
WpStacks *wp_read_stacks_symbols (WpStacks *stacks, const WpReadOptions *options, WpProgress *progress, GError **error);

/* The same of locations that have a function's name and nothing else, as those of recordings: of all functions that are marked, a byte each. */
WpStacks *wp_read_stacks_lines (WpStacks *stacks, const guint8 *functions, const WpReadOptions *options, WpProgress *progress, GError **error);
