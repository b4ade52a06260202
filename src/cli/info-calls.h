/* info, of a call graph. */
#pragma once

#include "calls/calls.h"

/* `name`: of the file, as it was typed. */
void wp_cli_info_calls_text (GString *out, const char *name, const WpCalls *calls);
void wp_cli_info_calls_json (GString *out, const WpCalls *calls);
