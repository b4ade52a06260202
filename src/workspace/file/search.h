/* Searching a view: the boxes whose name contains a text or matches it as a regular expression, and those in which
 * the depth hides a function with such a name; which of them one is at, and how much of a view they cover together. */
#pragma once

#include "base/progress.h"
#include "profile/compare/named-stacks.h"
#include "trace/trace.h"
#include "view/rows.h"

typedef struct WpSearch WpSearch;

WpSearch *wp_search_new (void);
void wp_search_free (WpSearch *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (WpSearch, wp_search_free)

/* Looks for `text` in rows, and in the stacks that they hide (`stacks` as wp_search_matching_stacks() has it; NULL: they hide nothing, or must not be
 * read), whatever its case. What is no regular expression is only looked for as it stands. NULL: there is nothing to look for ("") or to
 * look through (no rows), or it was cancelled, which `error` says. On any thread. */
typedef struct WpFound WpFound;
WpFound *wp_search_find (const WpRows *rows, const guint32 *stacks, const char *text, WpProgress *progress, GError **error);
void wp_found_free (WpFound *self);

/* That is what is found now; takes it (NULL: nothing was looked for). When the text is the same as before, a `selected` box that matches is still
 * the match one is at; otherwise one is at none yet. Returns a byte a box, 1 where it matches, to be freed with g_free(); NULL for NULL. */
guint8 *wp_search_take (WpSearch *self, WpFound *found, const char *text, guint32 selected);

/* Both at once. */
guint8 *wp_search_run (WpSearch *self, const WpRows *rows, const guint32 *stacks, const char *text, guint32 selected);
void wp_search_forget (WpSearch *self); /* nothing is found any more; the same text finds the match one was at again */
guint wp_search_count (const WpSearch *self);
guint wp_search_count_folded (const WpSearch *self); /* matches that are only within folds */

/* The next match, or with a negative direction the previous one, going round. G_MAXUINT32: there is none. */
guint32 wp_search_next (WpSearch *self, int direction);

/* Where names of a trace's functions match. By stack: the innermost frame's stack of those that match, of it and
 * what called it, so that a stretch is looked at in one step: plus one, 0: none. Free with g_free(). */
guint32 *wp_search_matching_stacks (const WpTrace *trace, const char *text);
guint32 *wp_search_matching_named (const WpNamedStacks *stacks, const char *text); /* the same of a comparison's */
static inline gboolean
wp_search_is_hidden (const guint32 *matching, const WpHidden *hidden)
{
  return matching[hidden->inner] > hidden->outer + 1; /* callers come first among stacks */
}

/* "12 boxes", "3 of 12", with ", 5 in folds" behind it, and "· 34.5 %": what they cover of the width of all, over time of the time of all lanes;
 * "Nothing found", or "" when there was nothing to look for. Free with g_free(). */
char *wp_search_text (const WpSearch *self);

/* What the matches take, however many they are: "33.2 ms", "1.50 MiB"; "" where there is none. What stands on a match is a part of it. Free with
 * g_free(). */
char *wp_search_covered_text (const WpSearch *self);
