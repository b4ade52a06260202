/* info, of stacks with values. */
#pragma once

#include "stacks/stacks.h"

/* `name`: of the file, as it was typed; `format`: its id. */
void wp_cli_info_stacks_text (GString *out, const char *name, const char *format, const WpStacks *stacks);
void wp_cli_info_stacks_json (GString *out, const char *format, const WpStacks *stacks);
