/* Regular expressions on the names of a WpStacks, whatever bytes these have. */
#pragma once

#include "stacks/stacks.h"

/* The error names the pattern and where it is wrong. Free with g_regex_unref(). */
GRegex *wp_pattern_new (const char *pattern, GError **error);

gboolean wp_pattern_matches (const GRegex *pattern, const char *text, gsize n);

/* Whether each text that is a name of a function, file or module matches, asked once for each. */
typedef struct
{
  const WpStacks *stacks;
  GRegex *pattern;
  guint8 *known; /* by text: 0 not asked, 1 no, 2 yes */
} WpPatternTexts;

gboolean wp_pattern_texts_match (WpPatternTexts *self, WpId text);
