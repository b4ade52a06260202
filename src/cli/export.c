/* export: stacks with values in any format that holds them. */
#include "cli/output.h"
#include "cli/stacks.h"
#include "stacks/formats.h"

#include <unistd.h>

typedef struct
{
  WpCliStacksOptions stacks;
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
run (gpointer data, int n, char **operands)
{
  Options *options = data;
  g_auto (WpCliStacks) profile = { 0 };
  int status;

  wp_cli_default (&options->to, "pprof");
  status = wp_cli_stacks_open (&profile, &options->stacks, operands, (guint) n);
  if (status == 0 && options->stacks.without_inlined)
    {
      g_autoptr (WpStacks) with = profile.stacks;

      profile.stacks = wp_stacks_without_inlined (with);
    }
  return status == 0 ? write_to (profile.stacks, wp_stacks_format_named (options->to), options->output) : status;
}

static const WpOption rows[] = {
  WP_OPTIONS_STACKS (Options, stacks),
  WP_OPTIONS_STACKS_BASE (Options, stacks),
  { "no-inlines", 0, G_OPTION_ARG_NONE, offsetof (Options, stacks.without_inlined), NULL, "Leave inlined functions out" },
  { "to", 0, G_OPTION_ARG_STRING, offsetof (Options, to), "pprof|speedscope|folded|raw", "The format that is written; _raw_ are its tables as text" },
  { "output", 'o', G_OPTION_ARG_FILENAME, offsetof (Options, output), "FILE", "Write to this file" },
  WP_OPTION_END,
};

const WpCommand wp_cmd_export = {
  .name = "export",
  .group = WP_GROUP_PROFILES,
  .operands = "FILE…",
  .summary = "Profiles in another format, filtered, merged or subtracted",
  .description = "Of stacks with values: profiles of pprof and speedscope, folded stacks, Chrome's trace events. Several files are merged. Without *-o* the result goes to standard output.",
  .options = rows,
  .size = sizeof (Options),
  .least = 1,
  .most = WP_ANY_NUMBER,
  .run = run,
};
