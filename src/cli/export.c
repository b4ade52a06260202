/* export: stacks with values in any format that holds them. */
#include "cli/command.h"
#include "cli/output.h"
#include "stacks/formats.h"

#include <unistd.h>

typedef struct
{
  char *to, *output;
} Options;

static int
write_to (const WpStacks *stacks, const WpStacksFormat *format, const char *output)
{
  GError *error = NULL;
  gboolean done;

  if (output != NULL)
    done = wp_stacks_save (stacks, format, output, NULL, &error);
  else
    done = format->write (stacks, STDOUT_FILENO, NULL, &error);
  return done ? 0 : wp_cli_fail (error);
}

static int
run (gpointer data, int n G_GNUC_UNUSED, char **operands)
{
  const Options *options = data;
  GError *error = NULL;
  const WpStacksFormat *format = wp_stacks_format_named (options->to);
  g_autoptr (WpStacks) stacks = NULL;

  stacks = wp_stacks_open (operands[0], NULL, NULL, &error);
  if (stacks == NULL)
    return wp_cli_fail (error);
  return write_to (stacks, format, options->output);
}

static const WpOption rows[] = {
  { "to", 0, G_OPTION_ARG_STRING, offsetof (Options, to), "pprof|raw", "The format that is written" },
  { "output", 'o', G_OPTION_ARG_FILENAME, offsetof (Options, output), "FILE", "Write to this file" },
  WP_OPTION_END,
};

const WpCommand wp_cmd_export = {
  .name = "export",
  .group = WP_GROUP_PROFILES,
  .operands = "FILE",
  .summary = "A profile in another format",
  .description = "Without *-o* it goes to standard output.",
  .options = rows,
  .size = sizeof (Options),
  .least = 1,
  .most = 1,
  .run = run,
};
