#include "workspace/options.h"

static const struct
{
  WpOptionOf of;
  const char *setting;
} options[WP_N_OPTIONS] = {
  [WP_OPTION_SHOW_SLEEPS] = { WP_OPTION_OF_PROCESSES, "show-sleeps" },
  [WP_OPTION_SUMMARY] = { WP_OPTION_OF_PROCESSES, "summary" },
  [WP_OPTION_MERGE_THREADS] = { WP_OPTION_OF_PATHS, "merge-threads" },
  [WP_OPTION_STARTED_WORK] = { WP_OPTION_OF_PATHS, "started-work" },
  [WP_OPTION_INVERTED] = { WP_OPTION_OF_TREE, NULL },
  [WP_OPTION_COLLAPSE_RECURSION] = { WP_OPTION_OF_TREE, NULL },
  [WP_OPTION_ICICLE] = { WP_OPTION_OF_TREE, NULL },
};

WpOptionOf
wp_option_of (WpOption option)
{
  return options[option].of;
}

const char *
wp_option_setting (WpOption option)
{
  return options[option].setting;
}

WpProcessesOptions
wp_view_options_processes (const WpViewOptions *self)
{
  return (WpProcessesOptions) { .show_sleeps = self->on[WP_OPTION_SHOW_SLEEPS],
                                .summary = self->on[WP_OPTION_SUMMARY],
                                .sort = self->sort,
                                .filter = self->filter != NULL && *self->filter != '\0' ? self->filter : NULL };
}
