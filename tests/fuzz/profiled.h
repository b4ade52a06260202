/* Everything that can be done to stacks with values. */
#pragma once

#include "fuzz.h"
#include "calls/calls.h"
#include "stacks/stacks.h"

/* They are filtered, merged, subtracted, counted, written and read again. */
void fuzz_use_stacks (WpStacks *stacks, FuzzRandom *choice);

/* Everything that can be done to a call graph. */
void fuzz_use_calls (WpCalls *calls, FuzzRandom *choice);
