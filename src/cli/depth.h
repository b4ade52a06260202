/* Which frames the stacks of an explained process have, as the command line says it: the depth, and rules that hide. */
#pragma once

#include "cli/command.h"
#include "paths/depth.h"

typedef struct
{
  char *depth;
  char **hide[WP_HIDE_COUNT]; /* what each kind of rule hides; or NULL */
} WpCliDepthOptions;

#define WP_OPTIONS_DEPTH(type, member)                                                                                                   \
  { "depth", 0, G_OPTION_ARG_STRING, offsetof (type, member.depth), "waits|functions|all",                                               \
    "Of an explained process: what it waited for, in words; its functions too, with calls into the kernel in words; or every frame as "  \
    "recorded, as without this" },                                                                                                       \
  { "hide-function", 0, G_OPTION_ARG_STRING_ARRAY, offsetof (type, member.hide[WP_HIDE_FUNCTION]), "NAME",                               \
    "The same without this function: its time is charged to its callers; may be given again, as those below" },                          \
  { "hide-module", 0, G_OPTION_ARG_STRING_ARRAY, offsetof (type, member.hide[WP_HIDE_MODULE]), "NAME",                                   \
    "Without all functions of a module, by its name or path" },                                                                          \
  { "hide-matching", 0, G_OPTION_ARG_STRING_ARRAY, offsetof (type, member.hide[WP_HIDE_MATCHING]), "PATTERN",                            \
    "Without functions whose names match" }

gboolean wp_cli_depth_hides (const WpCliDepthOptions *self);
gboolean wp_cli_depth_given (const WpCliDepthOptions *self); /* any of them */

/* `choice` points to the rules. Returns 0, or the exit status after an error was printed. */
int wp_cli_depth_choose (const WpCliDepthOptions *self, WpHideRules *rules, WpDepthChoice *choice);
