/* info, of stacks with values, and of a recording that holds nothing else. */
#pragma once

#include "base/json-writer.h"
#include "stacks/stacks.h"

/* `name`: of the file, as it was typed; `format`: its id. */
void wp_cli_info_stacks_text (GString *out, const char *name, const char *format, const WpStacks *stacks);
void wp_cli_info_stacks_json (GString *out, const char *format, const WpStacks *stacks);

/* Their types of values alone, with what they come to: a line each; "types" of an object. */
void wp_cli_info_types_text (GString *out, const WpStacks *stacks);
void wp_cli_info_types_json (WpJsonWriter *json, const WpStacks *stacks);
