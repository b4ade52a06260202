/* What is kept between two runs of the program. Where the settings schema is not installed (a build tree), the schema
 * compiled there serves; without any, the defaults hold and nothing is kept. */
#pragma once

#include <gio/gio.h>

GSettings *wp_settings (void); /* NULL: no schema. Owned by the program */

gboolean wp_settings_boolean (const char *key, gboolean otherwise);
int wp_settings_int (const char *key, int otherwise);
double wp_settings_double (const char *key, double otherwise);
char *wp_settings_string (const char *key); /* never NULL; free with g_free() */
char **wp_settings_strings (const char *key); /* never NULL; free with g_strfreev() */

void wp_settings_set_boolean (const char *key, gboolean value);
void wp_settings_set_int (const char *key, int value);
void wp_settings_set_double (const char *key, double value);
void wp_settings_set_string (const char *key, const char *value);
void wp_settings_add_string (const char *key, const char *value); /* to a list, in front; what it had of it already goes */
void wp_settings_remove_string (const char *key, const char *value); /* from a list */

/* A file that comes with the program ("sample.perf"), or NULL when it is not there. Free with g_free(). */
char *wp_data_file (const char *name);
