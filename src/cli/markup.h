/* Texts of the table of commands: paragraphs with *bold* for what is typed as it is and _italic_ for names and words to be replaced. */
#pragma once

#include <glib.h>

typedef enum
{
  WP_MARK_TEXT,
  WP_MARK_BOLD,
  WP_MARK_ITALIC
} WpMark;

/* The next piece of a text, which is of one kind, from *text on; moves *text behind it. FALSE: there is none. `piece` is within the text. */
gboolean wp_markup_next (const char **text, WpMark *mark, const char **piece, gsize *n);

/* The text without its marks; bold words that are no options stand in “quotes”. Free with g_free(). */
char *wp_markup_plain (const char *text);
