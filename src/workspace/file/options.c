#include "workspace/file/options.h"

static const WpOptionOf options[WP_N_OPTIONS] = {
  [WP_OPTION_SHOW_SLEEPS] = WP_OPTION_OF_PROCESSES,
  [WP_OPTION_SUMMARY] = WP_OPTION_OF_PROCESSES,
  [WP_OPTION_MERGE_THREADS] = WP_OPTION_OF_PATHS,
  [WP_OPTION_STARTED_WORK] = WP_OPTION_OF_PATHS,
  [WP_OPTION_INVERTED] = WP_OPTION_OF_TREE,
  [WP_OPTION_COLLAPSE_RECURSION] = WP_OPTION_OF_TREE,
  [WP_OPTION_ICICLE] = WP_OPTION_OF_TREE,
};

WpOptionOf
wp_option_of (WpOption option)
{
  return options[option];
}

WpProcessesOptions
wp_view_options_processes (const WpViewOptions *self)
{
  return (WpProcessesOptions) { .show_sleeps = self->on[WP_OPTION_SHOW_SLEEPS],
                                .summary = self->on[WP_OPTION_SUMMARY],
                                .sort = self->sort,
                                .filter = self->filter != NULL && *self->filter != '\0' ? self->filter : NULL };
}
