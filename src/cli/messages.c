/* What wakepath-cli says when something went wrong. */
#include "cli/command.h"

#include "base/quote.h"

#include <stdarg.h>

static const char *running; /* the command */

int
wp_cli_fail (GError *error)
{
  g_autofree char *line = wp_quoted_line (error->message);

  g_printerr ("wakepath-cli: %s\n", line);
  g_error_free (error);
  return 1;
}

void
wp_cli_usage_of (const char *command)
{
  running = command;
}

int
wp_cli_usage (const char *format, ...)
{
  va_list args;
  g_autofree char *message = NULL;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_printerr ("wakepath-cli: %s; see “wakepath-cli %s --help”\n", message, running);
  return 2;
}
