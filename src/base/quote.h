/* Text within the formats that programs read. */
#pragma once

#include <glib.h>

/* Appends a field of a TSV line, or a name in any line of text: tabs and line ends become spaces. */
void wp_quote_tsv (GString *out, const char *text);

/* Appends a line for people to judge: what would not be seen, would change how the rest is seen, or would be obeyed by a terminal is
 * written as its number, \x1b, \u202e. */
void wp_quote_visible (GString *out, const char *text);

/* The same text as one line, whatever it holds: what ends a line, commands a terminal or turns text around (wp_is_out_of_line()) is written
 * as \u000a. Free with g_free(). */
char *wp_quoted_line (const char *text);

/* Appends a cell of a Markdown table: what would end it or start markup is escaped. */
void wp_quote_markdown (GString *out, const char *text);

/* Whether a character cannot stand in a line of text: it would end the line, command a terminal, or turn around what comes behind it. */
gboolean wp_is_out_of_line (gunichar c);

/* Appends text, lines and all, of which a terminal obeys nothing: control characters but tab and line end (with a carriage return before it or
 * not), those of 8 bits too, and what turns the direction of text around are written as \u001b. In JSON that means the same as
 * before. Bytes that are no UTF-8 stay, unless a terminal might take them for a control character. */
void wp_quote_terminal (GString *out, const char *text, gsize n);

/* Appends a cell of a CSV table, with quotes where it needs them (RFC 4180). What a spreadsheet would take for a formula gets a ' before
 * it, unless it is a number. */
void wp_quote_csv (GString *out, const char *text);
