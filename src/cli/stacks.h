/* What the commands on stacks with values have in common: a profile, filtered, of which one value type is looked at. */
#pragma once

#include "cli/depth.h"
#include "stacks/filter.h"
#include "stacks/tree.h"
#include "stacks/trim.h"

typedef struct
{
  char *task;
  char *sample_index, *unit, *by, *filter;
  char *steps[WP_FILTER_KIND_COUNT]; /* one option each, done in their order */
  WpCliDepthOptions explained; /* of what explains a process: which frames there are */
  char *node_fraction;
  char *base, *diff_base;
  gboolean normalize;
  gboolean mean, columns, without_inlined, cum, relative, drop_negative;
  int most;
} WpCliStacksOptions;

/* What such a profile is: how the descriptions of those commands begin. */
#define WP_STACKS_FORMATS \
  "Of stacks with values: profiles of pprof, speedscope, Perun and Firefox (samply's, too), folded stacks, Chrome's trace events and CPU profiles; " \
  "recordings, those without task switches, too; and what explains a process."
#define WP_STACKS_MERGED WP_STACKS_FORMATS " Several files are merged."

#define WP_OPTION_STEP(type, member, name, kind, help) \
  { name, 0, G_OPTION_ARG_STRING, offsetof (type, member.steps[kind]), "PATTERN", help }

#define WP_OPTIONS_STACKS(type, member)                                                                                                  \
  { "task", 't', G_OPTION_ARG_STRING, offsetof (type, member.task), "NAME|NAME:TID|TID", "Of recordings: what explains this process" },   \
  WP_OPTIONS_DEPTH (type, member.explained),                                                                                              \
  WP_OPTIONS_FILTER (type, member)

#define WP_OPTIONS_FILTER(type, member)                                                                                                  \
  { "sample-index", 0, G_OPTION_ARG_STRING, offsetof (type, member.sample_index), "TYPE", "The value type, by name or number; else the default one" }, \
  WP_OPTION_STEP (type, member, "tagroot", WP_FILTER_TAG_ROOT, "The values of these labels as outermost frames: _KEY,KEY_"),              \
  WP_OPTION_STEP (type, member, "tagleaf", WP_FILTER_TAG_LEAF, "The same as innermost frames"),                                           \
  WP_OPTION_STEP (type, member, "focus", WP_FILTER_FOCUS, "Only samples with a match of a function, file or module"),                     \
  WP_OPTION_STEP (type, member, "ignore", WP_FILTER_IGNORE, "Only samples without a match"),                                              \
  WP_OPTION_STEP (type, member, "hide", WP_FILTER_HIDE, "Remove frames that match"),                                                      \
  WP_OPTION_STEP (type, member, "show", WP_FILTER_SHOW, "Keep only frames that match"),                                                   \
  WP_OPTION_STEP (type, member, "show-from", WP_FILTER_SHOW_FROM, "Begin stacks at the outermost match"),                                 \
  WP_OPTION_STEP (type, member, "tagfocus", WP_FILTER_TAG_FOCUS, "Only samples with such a label: _KEY=PATTERN_, or a range, _4kb:64kb_"), \
  WP_OPTION_STEP (type, member, "tagignore", WP_FILTER_TAG_IGNORE, "Only samples without such a label"),                                  \
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

/* Which functions are shown, and in which order. */
#define WP_OPTIONS_STACKS_TRIM(type, member)                                                                                             \
  { "cum", 0, G_OPTION_ARG_NONE, offsetof (type, member.cum), NULL, "Sort by what each took with all that it called" },                   \
  { "node-fraction", 0, G_OPTION_ARG_STRING, offsetof (type, member.node_fraction), "NUMBER",                                             \
    "Leave out what is less than this part of the whole" },                                                                               \
  { "drop-negative", 0, G_OPTION_ARG_NONE, offsetof (type, member.drop_negative), NULL, "Leave out what became less" }

/* What is written, and where to. */
#define WP_OPTIONS_STACKS_WRITTEN(type, to, output)                                                                                      \
  { "to", 0, G_OPTION_ARG_STRING, offsetof (type, to), "pprof|speedscope|firefox|chrome|folded|perun|raw",                                \
    "The format that is written, else _pprof_; _raw_ are its tables as text" },                                                           \
  { "output", 'o', G_OPTION_ARG_FILENAME, offsetof (type, output), "FILE", "Write to this file; else to standard output" }

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

/* The same of stacks that are there, of which it takes a reference: several steps of the above. */
int wp_cli_stacks_take (WpCliStacks *self, const WpCliStacksOptions *options, WpStacks *stacks);

/* Whether the options leave anything out or add anything. */
gboolean wp_cli_stacks_filters (const WpCliStacksOptions *options);

/* The filter of the options, in its text form; NULL: none. Free with g_free(). FALSE: there was an error, which was printed. */
gboolean wp_cli_stacks_filter_text (const WpCliStacksOptions *options, char **text);

/* Which frames are one, by the options. */
WpFrameNameOptions wp_cli_stacks_frames (const WpCliStacksOptions *options);

/* Makes the graph and chooses what of it is shown. Returns the exit status. */
int wp_cli_stacks_graph (const WpCliStacks *self, const WpCliStacksOptions *options, WpGraph **graph, WpTrimmed *trimmed);

/* The call tree: of an explained process' stacks both types' unless the options name one. `exact`: no box is too small. */
WpTree *wp_cli_stacks_tree (const WpCliStacks *self, const WpCliStacksOptions *options, gboolean inverted, gboolean collapse_recursion, gboolean exact,
                            GError **error);

/* "Type: cpu" */
void wp_cli_stacks_put_type (const WpCliStacks *self, const WpCliStacksOptions *options, GString *out);

/* Writes them in a format, pprof's where `to` is NULL; to standard output where `output` is. Returns the exit status. */
int wp_cli_stacks_write (const WpStacks *stacks, const char *to, const char *output);
