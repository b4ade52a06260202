/* The tables of stacks as text, as `pprof -raw` prints them: every sample, location and mapping. For people, for comparing, for tests. */
#pragma once

#include "base/progress.h"
#include "stacks/stacks.h"

gboolean wp_raw_text_write (const WpStacks *stacks, int fd, WpProgress *progress, GError **error);
