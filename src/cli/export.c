/* export: stacks with values in any format that holds them. */
#include "cli/stacks.h"

typedef struct
{
  WpCliStacksOptions stacks;
  char *to, *output;
} Options;

static int
run (gpointer data, int n, char **operands)
{
  Options *options = data;
  g_auto (WpCliStacks) profile = { 0 };
  int status;

  status = wp_cli_stacks_open (&profile, &options->stacks, operands, (guint) n);
  if (status == 0 && options->stacks.without_inlined)
    {
      g_autoptr (WpStacks) with = profile.stacks;

      profile.stacks = wp_stacks_without_inlined (with);
    }
  return status == 0 ? wp_cli_stacks_write (profile.stacks, options->to, options->output) : status;
}

static const WpOption rows[] = {
  WP_OPTIONS_STACKS (Options, stacks),
  WP_OPTIONS_STACKS_BASE (Options, stacks),
  { "no-inlines", 0, G_OPTION_ARG_NONE, offsetof (Options, stacks.without_inlined), NULL, "Leave inlined functions out" },
  WP_OPTIONS_STACKS_WRITTEN (Options, to, output),
  WP_OPTION_END,
};

const WpCommand wp_cmd_export = {
  .name = "export",
  .group = WP_GROUP_PROFILES,
  .operands = "FILE…",
  .summary = "Profiles in another format, filtered, merged or subtracted",
  .description = WP_STACKS_MERGED,
  .options = rows,
  .size = sizeof (Options),
  .least = 1,
  .most = WP_ANY_NUMBER,
  .run = run,
};
