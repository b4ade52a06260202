/* Labels of samples: their units, their values as people read them. */
#pragma once

#include "stacks/stacks.h"

/* key → the unit of all its numbers, a text that lives as long as the stacks: the first one that stands with any of them, or, where none does,
 * bytes for “request” and “alignment”, and for others the key itself. As pprof has it, numbers with other units are not converted. */
GHashTable *wp_label_units (const WpStacks *stacks);

/* The id of a key; G_MAXUINT32: no label has it. */
WpId wp_label_key (const WpStacks *stacks, const char *key);

/* Appends the values of a key in a set, texts before numbers, with "," between them. Returns how many there are. Numbers are in `unit`; where
 * none of them has a unit of its own they have none. */
guint wp_label_append_values (const WpStacks *stacks, WpId set, WpId key, const char *unit, GString *out);

/* Whether each set is that of a sample of the base of a comparison (WP_LABEL_BASE); NULL: none is. Free with g_free(). */
guint8 *wp_stacks_base_sets (const WpStacks *stacks);

/* What a program said that it was doing (trace/marks.h): a sample within several marks has them all, the outermost first. */
#define WP_LABEL_MARK "mark"

#define WP_LABEL_BASE "pprof::base" /* "true" */
