#include "workspace/file/options.h"

static const WpOptionOf options[WP_N_OPTIONS] = {
  [WP_OPTION_SHOW_SLEEPS] = WP_OPTION_OF_PROCESSES,
  [WP_OPTION_SUMMARY] = WP_OPTION_OF_PROCESSES,
  [WP_OPTION_BY_CPU] = WP_OPTION_OF_PROCESSES,
  [WP_OPTION_MERGE_THREADS] = WP_OPTION_OF_PATHS,
  [WP_OPTION_STARTED_WORK] = WP_OPTION_OF_PATHS,
  [WP_OPTION_INVERTED] = WP_OPTION_OF_TREE,
  [WP_OPTION_COLLAPSE_RECURSION] = WP_OPTION_OF_TREE,
  [WP_OPTION_ICICLE] = WP_OPTION_OF_TREE,
  [WP_OPTION_LEGEND] = WP_OPTION_BESIDE,
  [WP_OPTION_LINKS] = WP_OPTION_BESIDE,
  [WP_OPTION_WAIT_CHAIN] = WP_OPTION_BESIDE,
  [WP_OPTION_DETAILS] = WP_OPTION_BESIDE,
  [WP_OPTION_SINCE_PROCESS] = WP_OPTION_BESIDE,
};

WpOptionOf
wp_option_of (WpOption option)
{
  return options[option];
}

void
wp_view_options_copy (WpViewOptions *self, const WpViewOptions *from)
{
  *self = *from;
  self->filter = g_strdup (from->filter);
  memset (&self->turned, 0, sizeof self->turned);
  memset (&self->pinned, 0, sizeof self->pinned);
  wp_array_copy (&self->turned, &from->turned);
  wp_array_copy (&self->pinned, &from->pinned);
}

void
wp_view_options_clear (WpViewOptions *self)
{
  g_clear_pointer (&self->filter, g_free);
  wp_array_clear (&self->turned);
  wp_array_clear (&self->pinned);
}

WpProcessesOptions
wp_view_options_processes (const WpViewOptions *self)
{
  return (WpProcessesOptions) { .show_sleeps = self->on[WP_OPTION_SHOW_SLEEPS],
                                .summary = self->on[WP_OPTION_SUMMARY],
                                .by_cpu = self->on[WP_OPTION_BY_CPU],
                                .sort = self->sort,
                                .turned = self->turned.data,
                                .n_turned = self->turned.len,
                                .pinned = self->pinned.data,
                                .n_pinned = self->pinned.len,
                                .filter = self->filter != NULL && *self->filter != '\0' ? self->filter : NULL };
}
