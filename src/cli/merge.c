/* merge: several profiles as one. */
#include "cli/stacks.h"
#include "stacks/merge.h"
#include "workspace/stacks/open-stacks.h"

typedef struct
{
  char *to, *output;
} Options;

/* Of all of them or of none: NULL and an error that names the one that cannot be read. */
static WpStacks *
merge (char **files, guint n, GError **error)
{
  g_autoptr (GPtrArray) profiles = g_ptr_array_new_with_free_func ((GDestroyNotify) wp_stacks_unref);

  for (guint i = 0; i < n; i++)
    {
      WpStacks *stacks = wp_open_stacks (files[i], NULL, NULL, NULL, error);

      if (stacks == NULL)
        return NULL;
      g_ptr_array_add (profiles, stacks);
    }
  return wp_stacks_merge ((WpStacks **) profiles->pdata, n, NULL, error);
}

static int
run (gpointer data, int n, char **operands)
{
  Options *options = data;
  GError *error = NULL;
  g_autoptr (WpStacks) merged = merge (operands, (guint) n, &error);

  return merged != NULL ? wp_cli_stacks_write (merged, options->to, options->output) : wp_cli_fail (error);
}

static const WpOption rows[] = {
  WP_OPTIONS_STACKS_WRITTEN (Options, to, output),
  WP_OPTION_END,
};

const WpCommand wp_cmd_merge = {
  .name = "merge",
  .group = WP_GROUP_PROFILES,
  .operands = "FILE…",
  .summary = "Several profiles as one",
  .description = WP_STACKS_FORMATS " Samples of equal stacks and labels become one, and so moments and threads go. Value types are those that all "
                 "files have. Where a file cannot be read nothing is written.",
  .options = rows,
  .size = sizeof (Options),
  .least = 1,
  .most = WP_ANY_NUMBER,
  .run = run,
};
