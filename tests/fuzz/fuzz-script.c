/* perf script text. */
#include "traced.h"

const FuzzTarget fuzz_target = {
  .name = "script",
  .run = fuzz_run_trace,
  .parse = fuzz_parse_trace,
  .changes = { fuzz_change_lines },
  .splice = fuzz_splice_lines,
  .shorten = fuzz_shorten_lines,
};
