/* JSON of profiles, as Python reads it. */
#include "cli/profiles.h"

#include "base/quote.h"

#include <math.h>

void
wp_cli_append_value (GString *out, const WpProfile *profile, WpValue value)
{
  wp_value_write (profile->values, value, -1, out);
}

void
wp_cli_append_number (GString *out, double number)
{
  if (isfinite (number) && number == floor (number) && fabs (number) < 1e15)
    g_string_append_printf (out, "%.0f", number);
  else if (isfinite (number))
    wp_python_float (number, out);
  else
    g_string_append (out, isnan (number) ? "NaN" : number < 0 ? "-Infinity" : "Infinity");
}

void
wp_cli_append_text (GString *out, const char *text)
{
  wp_quote_json (out, text);
}

void
wp_cli_append_values (GString *out, const WpProfile *profile, const WpIdArray *values)
{
  g_string_append_c (out, '[');
  for (guint32 i = 0; i < values->len; i++)
    {
      g_string_append (out, i > 0 ? ", " : "");
      wp_cli_append_value (out, profile, values->data[i]);
    }
  g_string_append_c (out, ']');
}
