/* JSON of profiles, as Python reads it. */
#include "cli/profiles.h"

#include <math.h>

void
wp_cli_write_value (WpJsonWriter *json, const char *key, const WpProfile *profile, WpValue value)
{
  wp_value_write (profile->values, value, -1, wp_json_writer_value (json, key));
}

void
wp_cli_write_number (WpJsonWriter *json, const char *key, double number)
{
  GString *out = wp_json_writer_value (json, key);

  if (isfinite (number) && number == floor (number) && fabs (number) < 1e15)
    g_string_append_printf (out, "%.0f", number);
  else if (isfinite (number))
    wp_python_float (number, out);
  else
    g_string_append (out, isnan (number) ? "NaN" : number < 0 ? "-Infinity" : "Infinity");
}

void
wp_cli_write_values (WpJsonWriter *json, const char *key, const WpProfile *profile, const WpIdArray *values)
{
  wp_json_writer_array (json, key, WP_JSON_TIGHT);
  for (guint32 i = 0; i < values->len; i++)
    wp_cli_write_value (json, NULL, profile, values->data[i]);
  wp_json_writer_end (json);
}
