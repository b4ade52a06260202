/* What the commands on profiles of any kind share: opening them, writing JSON. */
#pragma once

#include "profile/model/profile.h"

/* Parses the options; what is left over is in argv. Of these there must be `least` at least and `most` at most, argv[0] not counted.
 * FALSE: wrong usage, which was printed. */
gboolean wp_cli_arguments (int *argc, char ***argv, const GOptionEntry *entries, int least, int most);

/* Whether --format is one of these names (NULL: the first); else prints the usage. */
gboolean wp_cli_format (const char *command, char **format, const char *const *names);

/* JSON as Python reads it: NaN, Infinity. Append. */
void wp_cli_append_value (GString *out, const WpProfile *profile, WpValue value);
void wp_cli_append_number (GString *out, double number);
void wp_cli_append_text (GString *out, const char *text);

/* [value, value, …]. Appends. */
void wp_cli_append_values (GString *out, const WpProfile *profile, const WpIdArray *values);

/* Prints and empties the string when it has grown. */
void wp_cli_flush_full (GString *out);
