/* What the commands on stacks with values have in common: a profile, filtered, of which one value type is looked at. */
#pragma once

#include "cli/command.h"
#include "stacks/filter.h"
#include "stacks/trim.h"

typedef struct
{
  char *sample_index, *unit, *by, *filter;
  char *steps[WP_FILTER_KIND_COUNT]; /* one option each, done in their order */
  char *node_fraction;
  char *base, *diff_base;
  gboolean normalize;
  gboolean mean, columns, without_inlined, cum, relative, drop_negative;
  int most;
} WpCliStacksOptions;

#define WP_OPTION_STEP(type, member, name, kind, help) \
  { name, 0, G_OPTION_ARG_STRING, offsetof (type, member.steps[kind]), "PATTERN", help }

#define WP_OPTIONS_STACKS(type, member)                                                                                                  \
  { "sample-index", 0, G_OPTION_ARG_STRING, offsetof (type, member.sample_index), "TYPE", "The value type, by name or number; else the default one" }, \
  WP_OPTION_STEP (type, member, "tagroot", WP_FILTER_TAG_ROOT, "The values of these labels as outermost frames: _KEY,KEY_"),              \
  WP_OPTION_STEP (type, member, "tagleaf", WP_FILTER_TAG_LEAF, "The same as innermost frames"),                                           \
  WP_OPTION_STEP (type, member, "focus", WP_FILTER_FOCUS, "Only samples with a match of a function, file or module"),                     \
  WP_OPTION_STEP (type, member, "ignore", WP_FILTER_IGNORE, "Only samples without one"),                                                  \
  WP_OPTION_STEP (type, member, "hide", WP_FILTER_HIDE, "Leave frames that match out"),                                                   \
  WP_OPTION_STEP (type, member, "show", WP_FILTER_SHOW, "Leave frames that do not match out"),                                            \
  WP_OPTION_STEP (type, member, "show-from", WP_FILTER_SHOW_FROM, "Begin stacks at the outermost match"),                                 \
  WP_OPTION_STEP (type, member, "tagfocus", WP_FILTER_TAG_FOCUS, "Only samples with such a label: _KEY=PATTERN_, or a range, _4kb:64kb_"), \
  WP_OPTION_STEP (type, member, "tagignore", WP_FILTER_TAG_IGNORE, "Only samples without one"),                                           \
  WP_OPTION_STEP (type, member, "tagshow", WP_FILTER_TAG_SHOW, "Only labels whose keys match"),                                           \
  WP_OPTION_STEP (type, member, "taghide", WP_FILTER_TAG_HIDE, "Only labels whose keys do not match"),                                    \
  WP_OPTION_STEP (type, member, "prune-from", WP_FILTER_PRUNE_FROM, "End stacks at the innermost match"),                                 \
  { "filter", 0, G_OPTION_ARG_STRING, offsetof (type, member.filter), "TEXT", "Further steps: _focus=PATTERN hide=PATTERN …_" }

#define WP_OPTIONS_STACKS_BASE(type, member)                                                                                             \
  { "base", 0, G_OPTION_ARG_FILENAME, offsetof (type, member.base), "FILE", "Subtract this profile" },                                    \
  { "diff-base", 0, G_OPTION_ARG_FILENAME, offsetof (type, member.diff_base), "FILE", "Subtract this profile, and tell shares of it" },   \
  { "normalize", 0, G_OPTION_ARG_NONE, offsetof (type, member.normalize), NULL, "Scale to the sum of what is subtracted" }

/* What frames are one. */
#define WP_OPTIONS_STACKS_FRAMES(type, member)                                                                                           \
  { "by", 0, G_OPTION_ARG_STRING, offsetof (type, member.by), "functions|filefunctions|lines|files|addresses", "What a row stands for" }, \
  { "columns", 0, G_OPTION_ARG_NONE, offsetof (type, member.columns), NULL, "Tell lines apart by their columns, too" },                   \
  { "no-inlines", 0, G_OPTION_ARG_NONE, offsetof (type, member.without_inlined), NULL, "Count inlined functions as those that they stand in" }

/* How values are shown. */
#define WP_OPTIONS_STACKS_VALUES(type, member)                                                                                           \
  { "unit", 0, G_OPTION_ARG_STRING, offsetof (type, member.unit), "UNIT", "The unit of all values; else what suits them" },                \
  { "mean", 0, G_OPTION_ARG_NONE, offsetof (type, member.mean), NULL, "Divide values by those of the first type" },                        \
  { "relative", 0, G_OPTION_ARG_NONE, offsetof (type, member.relative), NULL, "Shares of what the filter leaves, not of the whole" }

typedef struct
{
  WpStacks *stacks;   /* filtered */
  guint32 type;
  gint64 total;       /* that shares are of */
  const char *unit;   /* of the type's values */
} WpCliStacks;

/* Opens profiles, merges several, subtracts the base and filters. Returns the exit status, with the error printed. */
int wp_cli_stacks_open (WpCliStacks *self, const WpCliStacksOptions *options, char **files, guint n);
void wp_cli_stacks_close (WpCliStacks *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WpCliStacks, wp_cli_stacks_close)

/* Which frames are one, by the options. */
WpFrameNameOptions wp_cli_stacks_frames (const WpCliStacksOptions *options);

/* Makes the graph and chooses what of it is shown. Returns the exit status. */
int wp_cli_stacks_graph (const WpCliStacks *self, const WpCliStacksOptions *options, WpGraph **graph, WpTrimmed *trimmed);

/* "Type: cpu" */
void wp_cli_stacks_put_type (const WpCliStacks *self, const WpCliStacksOptions *options, GString *out);
