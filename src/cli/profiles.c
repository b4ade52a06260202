#include "cli/profiles.h"

#include "base/quote.h"
#include "cli/command.h"
#include "cli/open.h"
#include "cli/store.h"

#include <math.h>

#define FLUSH_BYTES 65536

gboolean
wp_cli_arguments (int *argc, char ***argv, const GOptionEntry *entries, int least, int most)
{
  if (!wp_cli_parse (argc, argv, entries))
    return FALSE;
  if (*argc - 1 < least)
    wp_cli_usage ((*argv)[0], "something is missing");
  else if (*argc - 1 > most)
    wp_cli_usage ((*argv)[0], "“%s” is one too many", (*argv)[most + 1]);
  else
    return TRUE;
  return FALSE;
}

gboolean
wp_cli_format (const char *command, char **format, const char *const *names)
{
  wp_cli_default (format, names[0]);
  if (g_strv_contains (names, *format))
    return TRUE;
  wp_cli_usage (command, "there is no format “%s” here", *format);
  return FALSE;
}

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

void
wp_cli_flush_full (GString *out)
{
  if (out->len >= FLUSH_BYTES)
    wp_cli_flush (out);
}
