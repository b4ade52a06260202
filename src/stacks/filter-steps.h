/* The steps of filters, as filter.h tells what each does. Each gives new stacks, or NULL and an error. Private to this folder. */
#pragma once

#include "stacks/derive.h"

/* By names: filter-names.c */
WpStacks *wp_filter_focus (WpStacks *stacks, const char *pattern, WpProgress *progress, GError **error);
WpStacks *wp_filter_ignore (WpStacks *stacks, const char *pattern, WpProgress *progress, GError **error);
WpStacks *wp_filter_hide (WpStacks *stacks, const char *pattern, WpProgress *progress, GError **error);
WpStacks *wp_filter_show (WpStacks *stacks, const char *pattern, WpProgress *progress, GError **error);
WpStacks *wp_filter_show_from (WpStacks *stacks, const char *pattern, WpProgress *progress, GError **error);

/* By names of functions without their arguments: filter-prune.c */
WpStacks *wp_filter_prune_from (WpStacks *stacks, const char *pattern, WpProgress *progress, GError **error);

/* By labels: filter-labels.c */
WpStacks *wp_filter_tag_focus (WpStacks *stacks, const char *pattern, WpProgress *progress, GError **error);
WpStacks *wp_filter_tag_ignore (WpStacks *stacks, const char *pattern, WpProgress *progress, GError **error);
WpStacks *wp_filter_tag_show (WpStacks *stacks, const char *pattern, WpProgress *progress, GError **error);
WpStacks *wp_filter_tag_hide (WpStacks *stacks, const char *pattern, WpProgress *progress, GError **error);

/* Frames of labels, whose numbers are in `unit`: filter-label-frames.c */
WpStacks *wp_filter_tag_root (WpStacks *stacks, const char *keys, const char *unit, WpProgress *progress, GError **error);
WpStacks *wp_filter_tag_leaf (WpStacks *stacks, const char *keys, const char *unit, WpProgress *progress, GError **error);
