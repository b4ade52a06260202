/* What the commands on profiles of any kind share: options, writing JSON. */
#pragma once

#include "base/json-writer.h"
#include "cli/command.h"
#include "profile/model/profile.h"

#define WP_GROUP_FUNCTIONS "sum|mean|count|nunique|median|min|max"
#define WP_OPTION_OF(type, member) { "of", 0, G_OPTION_ARG_STRING, offsetof (type, member), "KEY", "The field whose values are taken; else the amount" }
#define WP_OPTION_PER(type, member) { "per", 0, G_OPTION_ARG_STRING, offsetof (type, member), "KEY", "The field along which they are shown" }
#define WP_OPTION_BY(type, member) { "by", 0, G_OPTION_ARG_STRING, offsetof (type, member), "KEY", "A series for each value of this field" }

/* JSON as Python reads it: NaN, Infinity. */
void wp_cli_write_value (WpJsonWriter *json, const char *key, const WpProfile *profile, WpValue value);
void wp_cli_write_number (WpJsonWriter *json, const char *key, double number);
void wp_cli_write_values (WpJsonWriter *json, const char *key, const WpProfile *profile, const WpIdArray *values); /* an array */
